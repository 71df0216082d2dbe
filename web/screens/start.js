/* The first screen: choose a game, and be in it with one click. */
import {fill, h, icon} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {faceOf, gameNames} from '../games/faces.js';
import {beginAtOnce, once, setupLines} from '../table/newgame.js';
import {picture} from '../ui/thumbnails.js';
import {games} from '../store/store.js';
import {t} from '../app/texts.js';
import {standing} from '../ui/standing.js';

const LAST_MS = 2000; /* how long the page waits for the latest game; it may come later, too */

const later = (ms) => new Promise((resolve) => setTimeout(() => resolve(null), ms));

/* A game whose card shows no game in play is shown at its start, with the fewest players, `least`.
 */
function gamePanel(game, face, least) {
    const {shown, text = '', tags = [], play = '', learn} = face.card?.() ?? {};
    const {setup, events} = shown ?? {setup: {seats: Array.from({length: least}, () => ({}))}};
    const title = `start-${game}`;
    return h('article', {class: `start-game start-${game}`, 'aria-labelledby': title},
        h('a', {class: 'start-picture', href: `#new=${game}`, tabindex: -1, 'aria-hidden': 'true'},
            picture({begin: setupLines({game, ...setup}), events})),
        h('div', {class: 'start-words'},
            h('h2', {class: 'stop', id: title}, face.name()),
            h('p', {}, text),
            h('p', {class: 'row start-tags'}, tags.map((tag) => h('span', {class: 'tag'}, tag))),
            h('div', {class: 'row start-doors'},
                h('button', {type: 'button', class: 'button primary large',
                    onclick: once(() => beginAtOnce(game)), 'aria-describedby': `${title}-play`},
                icon('play'), t('Play')),
                h('a', {class: 'button large', href: `#new=${game}`}, t('Set up…'))),
            h('p', {class: 'muted small', id: `${title}-play`}, play),
            learn && h('a', {href: `#learn=${game}`, class: 'start-learn'}, learn)));
}

async function lastGame() {
    const game = await games.latest();
    if (!game) return null;
    const words = h('p', {class: 'muted'});
    const title = h('h2', {}, game.title);
    const section = h('section', {class: 'panel start-last', 'aria-label': t('Your latest game')},
        picture({record: game.record, map: game.map, told: (state) => {
            const {name, players, place} = standing(state);
            title.textContent = name;
            words.textContent = [place, players].filter(Boolean).join(' · ');
        }, failed: (error) => error.status && section.remove()}),
        h('div', {class: 'start-last-words'}, title, words),
        h('a', {class: 'button primary large', href: `#game=${game.id}`}, icon('play'),
            t('Continue')));
    return section;
}

/* Games without a card come when C has told of them. */
async function showOthers(place, shown) {
    const {games: all} = (await loadEngine()).info();
    for (const {name, players: [least]} of all.filter((one) => !shown.includes(one.name)))
        place.append(gamePanel(name, faceOf(name), least));
}

function way(href, picture, name, text) {
    return h('a', {class: 'start-way', href}, icon(picture),
        h('span', {}, h('strong', {}, name), h('small', {}, text)));
}

export async function show(place) {
    const offered = gameNames();
    const last = lastGame();
    const shownAtOnce = await Promise.race([last, later(LAST_MS)]);
    const faces = offered.map(faceOf);
    const shown = offered.filter((game, i) => faces[i].card);
    const panels = h('div', {class: 'start-games'},
        shown.map((game) => gamePanel(game, faceOf(game))));
    fill(place,
        h('div', {class: 'start-head'},
            h('h1', {}, t('Where to?')),
            h('p', {class: 'lead'}, t('Two games of lines and stations: play solo, against ' +
                'bots, or with others, here or online.'))),
        shownAtOnce,
        panels,
        h('nav', {class: 'start-ways', 'aria-label': t('More')},
            way('#online', 'online', t('Play online'), t('With others, each on their own device.')),
            faces.flatMap((face) => face.ways()).map((door) => way(...door)),
            way('#print', 'print', t('Print and play'), t('Sheets, cards, a board ' +
                'and tiles on paper.')),
            way('#games', 'games', t('Games'), t('Continue, replay, share, import.')),
            way('#help', 'help', t('Help'), t('The rules in brief, and the controls.'))),
        h('p', {class: 'row small'},
            h('a', {class: 'start-learn', href: '#accessibility'}, t('Accessibility')),
            h('a', {class: 'start-learn', href: '#privacy'}, t('Privacy'))));
    if (!shownAtOnce) last.then((section) => section && panels.before(section));
    showOthers(panels, shown).catch(() => {}); /* the screens that need C report it */
}
