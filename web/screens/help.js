/* Help: the rules of the games in brief, with pictures drawn by C; the keys; why the shuffle is
 * fair; the authors of the games. */
import {loadEngine} from '../engine/engine.js';
import {fill, h, isDark, onTheme, svg} from '../ui/dom.js';
import {faceOf, loadPart} from '../games/faces.js';
import {staying} from '../ui/stay.js';
import {english, t, words} from '../app/texts.js';

/* ---- Building blocks for the games' parts ---------------------------------------------------- */

export const p = (...sentences) => h('p', {}, sentences.join(' '));
export const list = (...items) => h('ul', {}, items.map((item) => h('li', {}, item)));
const link = (address, label) => h('a', {href: address}, label);

/* Fills a screen with a statement: a sentence, then sections [title, contents, …]. */
export function statement(place, title, lead, ...all) {
    fill(place, h('article', {class: 'stack'}, h('h1', {tabindex: -1}, title),
        h('p', {class: 'lead'}, lead),
        h('div', {class: 'columns'}, all.map(([heading, ...filling]) =>
            h('section', {class: 'panel stack tight'}, h('h2', {}, heading), filling)))));
}

/* A picture with a sentence below, which says what it shows. `shown` is what is drawn, for whom,
 * what is lit, a move that is only planned, and which parts of the picture matter, whose ids begin
 * with `help-`. */
export function figure(engine, shown, caption) {
    const drawn = svg(example(engine, shown));
    drawn.setAttribute('aria-hidden', 'true');
    drawn.dataset.parts = shown.parts;
    return h('figure', {class: 'help-figure'}, drawn, h('figcaption', {}, caption));
}

/* Only the part of the picture where those parts are; it must be in the page to be measured. */
function crop(picture) {
    const parts = [...picture.querySelectorAll(picture.dataset.parts)];
    const boxes = parts.map((part) => part.getBBox());
    if (!boxes.length) return;
    const margin = 12;
    const left = Math.min(...boxes.map(({x}) => x)) - margin;
    const top = Math.min(...boxes.map(({y}) => y)) - margin;
    const right = Math.max(...boxes.map(({x, width}) => x + width)) + margin;
    const bottom = Math.max(...boxes.map(({y, height}) => y + height)) + margin;
    picture.setAttribute('viewBox', `${left} ${top} ${right - left} ${bottom - top}`);
}

/* Keys, and what they do: [[[key, …], text], …]. */
export function keys(...rows) {
    return h('table', {class: 'help-keys'}, h('tbody', {}, rows.map(([pressed, does]) =>
        h('tr', {}, h('th', {scope: 'row'}, pressed.map((key) => h('kbd', {}, key))),
            h('td', {}, does)))));
}

function example(engine, {record, map, viewer, lit, plan}) {
    if (map) engine.map(map);
    engine.open(record);
    const pick = plan ? engine.choose(viewer, '', `move ${plan}`).pick : '';
    return engine.draw({viewer, sheet: 1, dark: isDark(), bare: true, names: false, pick,
        lit: lit ?? 0, prefix: 'help-'});
}

/* ---- Sections: id, title, contents ----------------------------------------------------------- */

function playing(shown) {
    return [
        p(t('Tap or click to see what a move would do; tap again, or press Confirm, to make it.'),
            t('Until then, you can change or undo everything.')),
        shown.map(({face, help}) => [h('h3', {}, face.name()), help.keys()]),
        h('h3', {}, t('Both games')),
        keys(
            [[t('Enter')], t('Confirm')],
            [[t('Backspace')], t('Undo')],
            [['?'], t('Show this list')]),
        p(t('The letter, digit and ? keys can be turned off in the settings.')),
    ];
}

function fairness() {
    return [
        p(t('Every game is shuffled from a random 256-bit seed made on your device.'),
            t('It fixes the order of all cards or tiles before the first move; no move can ' +
                'change it.')),
        p(t('Every order is equally likely, and a bot sees only what a player in its seat may ' +
            'see.'),
            t('The seed is stored in the game’s record, so anyone can check it afterwards.')),
        p(t('Games that you do not play online stay in this browser.')),
    ];
}

function about(shown) {
    const version = document.querySelector('meta[name=version]')?.content ?? '–';
    return [
        p(...shown.map(({help}) => help.about())),
        p(t('Endstation is free software under the MIT licence, with its own sheets and pictures.'),
            t('If you like the games, buy them: paper and pencils are half the fun.')),
        p(t('Version {version}', {version})),
        h('p', {class: 'help-lessons'}, link('#accessibility', t('Accessibility')),
            link('#privacy', t('Privacy'))),
    ];
}

const SECTIONS = [
    ['playing', english('Controls'), playing],
    ['fair', english('Is the shuffle fair?'), fairness],
    ['about', english('About'), about],
];

/* All sections, those of the games first: [id, title, contents]. */
function sections(engine, shown) {
    return [
        ...shown.map(({game, help}) => [game, help.title(), help.rules(engine)]),
        ...SECTIONS.map(([id, title, filling]) => [id, t(title), filling(shown)]), // text
    ];
}

function contents(place, all) {
    const go = (id) => (event) => {
        event.preventDefault(); // the address belongs to the router
        const title = place.querySelector(`#help-${id}`);
        title.scrollIntoView({block: 'start'});
        title.focus({preventScroll: true});
    };
    return h('nav', {class: 'help-contents', 'aria-label': t('Contents')},
        h('ul', {}, all.map(([id, title]) =>
            h('li', {}, h('a', {href: '#help', onclick: go(id)}, title)))));
}

/* The games that have a part `help`. */
async function loadShown(engine) {
    const all = await Promise.all(engine.info().games.map(async ({name}) => ({game: name,
        face: faceOf(name), help: await loadPart(name, 'help')})));
    return all.filter(({help}) => help);
}

export async function show(place) {
    const engine = await loadEngine();
    engine.words(words());
    const shown = await loadShown(engine);
    const draw = () => {
        if (!place.isConnected) return;
        const all = sections(engine, shown);
        fill(place, h('article', {class: 'help'},
            h('h1', {tabindex: -1}, t('How to play')),
            h('p', {class: 'help-lessons'}, shown.map(({game, help}) =>
                link(`#learn=${game}`, help.learn())),
            link('#problems', t('Solve problems')),
            link('#print', t('Print what you need to play on paper'))),
            contents(place, all),
            all.map(([id, title, filling]) => h('section', {class: 'panel'},
                h('h2', {id: `help-${id}`, tabindex: -1}, title), filling))));
        for (const picture of place.querySelectorAll('[data-parts]')) crop(picture);
    };
    draw();
    return onTheme(() => staying(place, draw));
}
