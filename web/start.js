/* The first screen: choose a game, and be in it with one click. */
import {fill, h, icon} from './dom.js';
import {beginAtOnce, once} from './newgame.js';
import {boardInPlay, picture, sheetInPlay} from './pictures.js';
import {games} from './store.js';
import {t} from './texts.js';
import {standing} from './standing.js';

function gamePanel({game, name, text, tags, shown, play, learn}) {
    const title = `start-${game}`;
    return h('article', {class: `start-game start-${game}`, 'aria-labelledby': title},
        h('a', {class: 'start-picture', href: `#new=${game}`, tabindex: -1, 'aria-hidden': 'true'},
            picture(shown)),
        h('div', {class: 'start-words'},
            h('h2', {class: 'stop', id: title}, name),
            h('p', {}, text),
            h('p', {class: 'row start-tags'}, tags.map((tag) => h('span', {class: 'tag'}, tag))),
            h('div', {class: 'row start-doors'},
                h('button', {type: 'button', class: 'button primary large',
                    onclick: once(() => beginAtOnce(game)), 'aria-describedby': `${title}-play`},
                icon('play'), t('Play')),
                h('a', {class: 'button large', href: `#new=${game}`}, t('Choose …'))),
            h('p', {class: 'muted small', id: `${title}-play`}, play),
            h('a', {href: `#learn=${game}`, class: 'start-learn'}, learn)));
}

async function lastGame() {
    const game = (await games.list()).find(({over}) => !over);
    if (!game) return null;
    const words = h('p', {class: 'muted'});
    const title = h('h2', {}, game.title);
    const section = h('section', {class: 'panel start-last', 'aria-label': t('Your latest game')},
        picture({record: game.record, map: game.map, told: (state) => {
            const {name, players, place} = standing(state);
            title.textContent = name;
            words.textContent = `${place} · ${players}`;
        }, failed: (error) => error.status && section.remove()}),
        h('div', {class: 'start-last-words'}, title, words),
        h('a', {class: 'button primary large', href: `#game=${game.id}`}, icon('play'),
            t('Continue')));
    return section;
}

function way(href, picture, name, text) {
    return h('a', {class: 'start-way', href}, icon(picture),
        h('span', {}, h('strong', {}, name), h('small', {}, text)));
}

export async function show(place) {
    const last = await lastGame();
    fill(place,
        h('div', {class: 'start-head'},
            h('h1', {}, t('Where to?')),
            h('p', {class: 'lead'}, t('Two games about lines and stations, alone, with bots, or ' +
                'with others around this device.'))),
        last,
        h('div', {class: 'start-games'},
            gamePanel({
                game: 'verplant', name: t('Verplant'), shown: sheetInPlay(),
                text: t('A card is turned over; everybody writes it into a wagon and crosses off ' +
                    'stations. Complete lines before the others do.'),
                tags: [t('1 to 6 players'), t('15 minutes'), t('Pencil and paper')],
                play: t('At once: alone, on the sheet of Amsterdam.'),
                learn: t('Learn Verplant in two minutes'),
            }),
            gamePanel({
                game: 'metro', name: t('Metro'), shown: boardInPlay(),
                text: t('Lay tile after tile and lead your trains the long way round. Long lines ' +
                    'bring points, and twice as many in the centre.'),
                tags: [t('2 to 6 players'), t('20 minutes'), t('Tiles and tracks')],
                play: t('At once: two players, you and a strong bot.'),
                learn: t('Learn Metro in two minutes'),
            })),
        h('nav', {class: 'start-ways', 'aria-label': t('More')},
            way('#companion', 'sound', t('Conductor'),
                t('You have sheets of paper on the table; the page turns the cards.')),
            way('#games', 'games', t('Games'), t('Go on, look again, share, bring in files.')),
            way('#help', 'help', t('Help'), t('The rules in short, and how to play here.'))));
}
