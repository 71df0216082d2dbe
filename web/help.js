/* Help: the rules of both games in short, with pictures drawn by C; the keys; why the shuffle is
 * fair; who made the games. */
import {loadEngine} from './engine.js';
import {fill, h, isDark, onTheme, svg} from './dom.js';
import {cardPicture} from './parts.js';
import {english, t, words} from './texts.js';
import {cardName, cardRule} from './words.js';
import {VERPLANT_EXAMPLE, METRO_EXAMPLE} from './lessons.js';

const DECK = ['3', 'x2', '+', 'o'];

const p = (...sentences) => h('p', {}, sentences.join(' '));
const list = (...items) => h('ul', {}, items.map((item) => h('li', {}, item)));
const link = (address, label) => h('a', {href: address}, label);

/* A picture with a sentence below, which says what it shows. */
function figure(engine, shown, caption) {
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

function keys(...rows) {
    return h('table', {class: 'help-keys'}, h('tbody', {}, rows.map(([pressed, does]) =>
        h('tr', {}, h('th', {scope: 'row'}, pressed.map((key) => h('kbd', {}, key))),
            h('td', {}, does)))));
}

function cards(engine) {
    return h('ul', {class: 'help-cards'}, DECK.map((card) => h('li', {},
        cardPicture(engine, card),
        h('div', {}, h('strong', {}, cardName(card)), h('p', {}, cardRule(card))))));
}

function example(engine, {record, map, viewer, lit, plan}) {
    if (map) engine.map(map);
    engine.open(record);
    if (plan) engine.choose(viewer, `move ${plan}`);
    return engine.draw({viewer, sheet: 1, dark: isDark(), bare: true, names: false,
        plan: Boolean(plan), lit: lit ?? 0, prefix: 'help-'});
}

/* ---- Sections: id, title, contents ----------------------------------------------------------- */

function verplant(engine) {
    return [
        p(t('Everybody has the same sheet: a metro plan with lines over many stations.'),
            t('Mark stations, complete lines, and leave few stations empty.')),
        p(t('Each round one card is turned up for everybody.'),
            t('Each player writes it into a free window of one line and marks stations there.')),
        figure(engine, VERPLANT_EXAMPLE,
            t('Line D after a 4 and a transfer: four crosses, and a 4 where four lines meet.')),
        cards(engine),
        list(
            t('Marks begin at the first empty station seen from the wagon.'),
            t('A number stops before a station that is already marked; an express jumps it.'),
            t('You may always mark less, but a window must be filled, even for no mark at all.'),
            t('A line without a free window cannot be chosen any more.'),
            t('A ring runs both ways from its wagon; choose the direction anew each time.'),
            t('A special station, if the rule is on, calls for another entry with the same card.'),
            t('After a 6 all cards go back and the pile is shuffled.')),
        h('h3', {}, t('Points')),
        list(
            t('A complete line scores: the diamond for the first to do it, the square for others.'),
            t('Several players who complete it in the same round are all first.'),
            t('Framed numbers count double.'),
            t('Two empty stations cost one point; if you play alone, each costs one.'),
            t('The game ends when all windows are full; equal points go to fewer empty stations.')),
    ];
}

function metro(engine) {
    return [
        p(t('All players build one network on one board and own the stations of their colour.'),
            t('Every station is the start of a line: make yours long, and others’ short.')),
        figure(engine, METRO_EXAMPLE,
            t('Yellow’s line from station 3 would reach the centre: four tiles, doubled.')),
        list(
            t('Lay the tile in your hand on the rim or next to a tile that lies already.'),
            t('Or draw the top tile of the stock, and lay that one instead.'),
            t('Tiles are not turned, unless that variant is chosen.'),
            t('No tile may join a station to a station by itself, while it fits elsewhere.'),
            t('It does not matter whose lines a tile touches.')),
        h('h3', {}, t('Points')),
        list(
            t('A line that arrives at a station scores one point for each tile it crosses.'),
            t('A tile that is crossed twice counts twice.'),
            t('A line that ends at a central station counts double.'),
            t('When all 60 tiles lie, every line has scored; most points win.')),
    ];
}

function playing() {
    return [
        p(t('A tap or a click shows what a move would do; a second one, or Confirm, makes it.'),
            t('Until then everything can be changed or taken back.')),
        h('h3', {}, t('Verplant')),
        keys(
            [['A', 'B', '…'], t('choose the line')],
            [['0', '1', '…'], t('how many marks')],
            [['←', '→'], t('fewer or more marks; on a ring the direction')]),
        h('h3', {}, t('Metro')),
        keys(
            [['1', '2', '3'], t('pick up a tile of your hand')],
            [['←', '↑', '↓', '→'], t('walk over the squares that are allowed')],
            [[t('Space')], t('turn the tile, with that variant')],
            [['D'], t('draw from the stock')]),
        h('h3', {}, t('Both games')),
        keys(
            [[t('Enter')], t('confirm')],
            [[t('Backspace')], t('take back what is not confirmed')],
            [['?'], t('list the keys')]),
    ];
}

function fairness() {
    return [
        p(t('Every game is shuffled from a random seed of 256 bits that your device has drawn.'),
            t('It fixes all cards or tiles before the first move; nobody’s moves change them.')),
        p(t('Every order is equally likely, and the bots know no more than their players may see.'),
            t('The seed stands in the record of the game, so anybody can check it afterwards.')),
        p(t('Games stay in this browser; the page sends nothing to anybody.')),
    ];
}

function about() {
    const version = document.querySelector('meta[name=version]')?.content ?? '–';
    return [
        p(t('Verplant is a game by Hisashi Hayashi, sold as Voll verplant, Metrolijn and Metro X.'),
            t('Metro is a game by Dirk Henn, also known as Cable Car.')),
        p(t('Endstation is free software under the MIT licence; sheets and pictures are its own.'),
            t('If you like the games, buy them: paper and pencils are half the fun.')),
        p(t('Version {version}', {version})),
    ];
}

const SECTIONS = [
    ['verplant', english('Verplant in short'), verplant],
    ['metro', english('Metro in short'), metro],
    ['playing', english('Playing on this page'), playing],
    ['fair', english('Is the shuffle fair?'), fairness],
    ['about', english('About'), about],
];

function contents(place) {
    const go = (id) => (event) => {
        event.preventDefault(); // the address belongs to the router
        const title = place.querySelector(`#help-${id}`);
        title.scrollIntoView({block: 'start'});
        title.focus({preventScroll: true});
    };
    return h('nav', {class: 'help-contents', 'aria-label': t('Contents')},
        h('ul', {}, SECTIONS.map(([id, title]) =>
            h('li', {}, h('a', {href: '#help', onclick: go(id)}, t(title)))))); // text
}

export async function show(place) {
    const engine = await loadEngine();
    engine.words(words());
    const draw = () => {
        if (!place.isConnected) return;
        fill(place, h('article', {class: 'help'},
            h('h1', {tabindex: -1}, t('How to play')),
            h('p', {class: 'help-lessons'}, link('#learn=verplant', t('Learn Verplant by playing')),
                link('#learn=metro', t('Learn Metro by playing'))),
            contents(place),
            SECTIONS.map(([id, title, filling]) => h('section', {class: 'panel'},
                h('h2', {id: `help-${id}`, tabindex: -1}, t(title)), // text
                filling(engine)))));
        for (const picture of place.querySelectorAll('[data-parts]')) crop(picture);
    };
    draw();
    return onTheme(draw);
}
