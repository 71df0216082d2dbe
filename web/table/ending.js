/* The end of a game: who has won, the sum as on the paper sheet, what bots would have got, and what
 * to do next. */
import {button, h, icon} from '../ui/dom.js';
import {faceOf, infoOf} from '../games/faces.js';
import {keepApart, progress, refill} from '../ui/parts.js';
import {safety, settings} from '../store/store.js';
import {t} from '../app/texts.js';
import {Thinker} from '../engine/thinker.js';
import {full, levelName, playerName, points, result} from '../ui/words.js';
import {beginAgain, beginWith, once, sameCards} from './newgame.js';
import {loadFile} from '../app/versions.js';

const RIVALS = ['greedy', 'strong', 'master']; /* as far as the game has them */

/* Links and files: nobody needs them before the end of a game. */
const sharing = async () => (await loadFile(() => import('../app/later.js'))).share;

/* Asks the browser once for persistent storage: after a finished game there is something to lose,
 * and the question interrupts nothing. */
async function askToKeep() {
    if (!settings.get('asked') && await safety.promised() === false) {
        settings.set('asked', true);
        await safety.ask();
    }
}

export class Ending {
    constructor(place, table) {
        const {state, me} = table;
        const grade = state.players.length === 1 && faceOf(state.game).grade(me);
        this.table = table;
        this.rivals = h('div', {class: 'rivals'});
        keepApart(this.rivals);
        refill(place, h('div', {class: 'panel ending'},
            h('h2', {}, full(result(state))),
            grade && h('p', {class: 'grade'}, grade),
            this.verdict(),
            state.aided && h('p', {class: 'muted aided'},
                t('With help: a hint, or a move taken back.')),
            table.face.sum?.(table, state) ?? [],
            this.standing(),
            this.rivals,
            h('div', {class: 'ending-next'},
                table.source.rematch ? table.viewer > 0 && button(t('Rematch'),
                    {class: 'primary', onclick: once(() => table.source.rematch())}, 'play')
                    : this.otherGames(),
                this.same(),
                h('a', {class: 'button', href: `#replay=${table.id}`}, icon('replay'), t('Replay')),
                faceOf(state.game).parts.analysis && h('a', {class: 'button',
                    href: `#analysis=${table.id}`}, icon('chart'), t('Analysis')),
                button(t('Share'), {onclick: async () => (await sharing()).shareGame(
                    table.source.game, table.source.game.title)}, 'share'),
                button(t('Save as a file'), {onclick: async () => (await sharing()).exportGame(
                    table.source.game)}, 'save'))));
        sharing().catch(() => {}); /* so that it is there when it is asked for */
        if (table.viewer && !table.guide) {
            this.askRivals();
            askToKeep();
        }
    }

    /* More games at this device, with the same setup or another one. */
    otherGames() {
        const {guide, state} = this.table;
        return [button(t('Play again'),
            {class: 'primary', onclick: once(() => this.again())}, 'play'),
        this.otherLevel(),
        !guide && h('a', {class: 'button', href: `#new=${state.game}@${this.table.id}`},
            icon('setup'), t('Set up again'))];
    }

    /* Where a result alone stands (comparison.js); kept, since the ending may be shown again. */
    standing() {
        const {table} = this;
        if (!table.viewer || table.guide || table.state.players.length > 1) return false;
        if (!table.standing) {
            table.standing = h('div', {class: 'compared'});
            keepApart(table.standing);
            loadFile(() => import('../app/later.js'))
                .then(({comparison}) => comparison.show(table.standing, table.id))
                .catch((error) => console.info('standing', error)); /* offline, perhaps */
        }
        return table.standing;
    }

    /* One level after the other, the quick ones first. */
    async askRivals() {
        const {table} = this;
        const question = {record: table.source.game.record, map: table.source.map,
            player: table.viewer};
        const scores = (table.rivals ??= new Map()); /* kept, since the ending may be shown again */
        const {levels} = infoOf(table.engine, table.state.game);
        const rivals = RIVALS.filter((one) => levels.includes(one));
        if (rivals.length === 0 || !faceOf(table.state.game).rivals) {
            return;
        }
        const thinker = (this.thinker = new Thinker());
        try {
            for (const level of rivals.filter((one) => !scores.has(one))) {
                this.showRivals(scores, level, null);
                const rival = await thinker.rival({...question, level},
                    (share) => this.showRivals(scores, level, share));
                scores.set(level, rival);
                rival.link = await sharing().then(({toLink}) =>
                    toLink({record: rival.record, map: table.source.map}))
                    .catch(() => ''); /* an old browser cannot pack it */
                if (this.thinker !== thinker) {
                    return; /* the table was left meanwhile */
                }
            }
        } catch (error) {
            if (error.name !== 'Cancelled') {
                console.error(error);
            }
        }
        this.showRivals(scores);
        this.end();
    }

    rivalsTitle() {
        const {people, state, viewer} = this.table;
        return faceOf(state.game).rivals(people.length > 1 ? playerName(state, viewer) : '');
    }

    showRivals(scores, level, done) {
        const rows = [...scores].map(([name, {score, link}]) => h('li', {},
            link ? h('a', {href: new URL(link).hash}, t('{level}: replay',
                {level: levelName(name)})) : h('span', {}, levelName(name)),
            h('span', {}, points(score))));
        refill(this.rivals,
            h('h3', {}, this.rivalsTitle()),
            h('ul', {}, rows),
            level && progress(t('{level} is playing.', {level: levelName(level)}), done ?? null,
                () => this.thinker.cancel()));
    }

    /* The only person has beaten bots of one level, or lost to them: offers the next level up, or
     * down. */
    otherLevel() {
        const {people, state} = this.table;
        const {levels} = infoOf(this.table.engine, state.game);
        const bots = new Set(state.players.map(({bot}) => bot).filter(Boolean));
        const at = levels.indexOf([...bots][0]);
        const alone = state.players.every(({player, bot}) => bot || player === people[0]);
        const next = levels[at + (state.winners.includes(people[0]) ? 1 : -1)];
        if (people.length !== 1 || !alone || bots.size !== 1 || at < 0 || !next ||
            this.table.guide) {
            return false;
        }
        return button(t('Next opponent: {level}', {level: levelName(next)}),
            {'data-key': 'level', onclick: once(() => this.again(next))}, 'bot');
    }

    /* The same cards once more: here, or for somebody else. */
    same() {
        const {guide, source: {game, seeded}, state, viewer} = this.table;
        return seeded && viewer > 0 && !guide && [
            button(faceOf(state.game).same(), {onclick: once(async () => beginWith(
                await sameCards(game, viewer, false), game.map, game.title))}, 'again'),
            button(t('Challenge a friend'), {onclick: async () => {
                const {shareChallenge} = await sharing();
                await shareChallenge({record: await sameCards(game, viewer, true), map: game.map},
                    game.title);
            }}, 'flag')];
    }

    /* How the viewer did against the person who set the challenge: a score with the same cards. */
    verdict() {
        const {me, source: {challenge = {}}, viewer} = this.table;
        if (challenge.points === undefined || !viewer) {
            return false;
        }
        const before = {name: challenge.name || t('your challenger'),
            points: points(challenge.points)};
        const said = challenge.own ? t('Your result before: {points}', before)
            : me.score > challenge.points ? t('You did better than {name} ({points})', before)
                : me.score < challenge.points ? t('{name} did better ({points})', before)
                    : t('{name} got just as much', before);
        return h('p', {class: 'verdict'}, full(said));
    }

    /* Starts another game with the same setup, or against bots of another level. */
    async again(level) {
        const {map, title, record} = this.table.source.game;
        await beginAgain({record, map, title}, level);
    }

    end() {
        this.thinker?.close();
        this.thinker = null;
    }
}
