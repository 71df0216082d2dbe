/* Small pictures of games, drawn by C one after the other, so that the page never waits long. */
import {h, isDark, onTheme, svg} from './dom.js';
import {loadEngine} from './engine.js';
import {setupLines} from './newgame.js';
import {words} from './texts.js';

/* Two games in play, for the first screen. */
const SHEET =
    'card 3;1 E3;card +;1 H1;card 5;1 C5;card 3;1 C3;card 5;1 E5;card 4;1 B4;card x3;1 G3;' +
    'card o;1 @rok;card 3;1 D3;card 4;1 C4;card x2;1 I2;card 6;1 A6;card 4;1 D4;card 6';
const BOARD =
    'deal 1 dbcd;deal 2 cdac;deal 3 adbb;1 dbcd h3;deal 1 bbbb;2 cdac f8;deal 2 dada;' +
    '3 adbb f1;deal 3 bcbc;1 draw;deal 1 cbcb;1 cbcb h6;2 dada h4;deal 2 aacb;3 bcbc d8;' +
    'deal 3 dacc;1 bbbb h2;deal 1 accd;2 aacb g4;deal 2 aaaa;3 dacc h7;deal 3 aaaa;1 accd c8;' +
    'deal 1 badb;2 aaaa g1;deal 2 cddb;3 aaaa f4;deal 3 aacb;1 badb g2;deal 1 dbba;2 cddb g7;' +
    'deal 2 bcbc;3 draw;deal 3 badb;3 badb c7;1 dbba f2;deal 1 cbaa;2 bcbc a7;deal 2 aacb;' +
    '3 aacb d1;deal 3 bcbc;1 cbaa a3;deal 1 baac;2 aacb e8;deal 2 aaaa;3 bcbc h5;deal 3 bbbb;' +
    '1 baac f3;deal 1 acba;2 aaaa a1;deal 2 aaaa;3 bbbb e1;deal 3 bbad;1 acba c1;deal 1 ccda;' +
    '2 aaaa h1;deal 2 baac;3 draw;deal 3 cbcb;3 cbcb b7;1 ccda g3;deal 1 accd;2 baac e2;' +
    'deal 2 ddbc;3 bbad b8;deal 3 bcdd;1 draw;deal 1 cccc;1 cccc g6;2 ddbc g5;deal 2 cbcb;' +
    '3 draw;deal 3 cbaa;3 cbaa e7;1 draw;deal 1 dddd;1 dddd e3;2 cbcb f7;deal 2 dbcd;' +
    '3 bcdd f5;deal 3 acba;1 accd c2;deal 1 cdac';

/* What picture() takes: lines for engine.begin(), and events. */
export const sheetInPlay = () => ({begin: setupLines({game: 'verplant', map: 'amsterdam',
    seats: [{}]}), events: SHEET.split(';')});
export const boardInPlay = () => ({begin: setupLines({game: 'metro', seats: [{}, {}, {}]}),
    events: BOARD.split(';')});
export const emptySheet = (map) => ({begin: setupLines({game: 'verplant', map, seats: [{}]})});

let engine = null;
let queue = Promise.resolve();
let number = 0;
const drawings = new WeakMap(); /* places of pictures: what draws them anew */

/* Other things first: pointers, keys, frames. */
const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

async function paint({record, begin, events = [], map, look, told}) {
    engine ??= await loadEngine();
    await breathe();
    engine.words(words());
    engine.map(map);
    if (begin) engine.begin(begin);
    else engine.open(record);
    for (const event of events) engine.apply(event);
    told?.(engine.state(0));
    return svg(engine.draw({viewer: 0, sheet: 1, names: false, bare: true, dark: isDark(),
        prefix: `p${++number}-`, ...look}));
}

/* Long lists are drawn as far as they are looked at. */
function whenSeen(place, draw) {
    const observer = new IntersectionObserver((entries) => {
        if (!entries.some(({isIntersecting}) => isIntersecting)) return;
        observer.disconnect();
        draw();
    }, {rootMargin: '400px'});
    observer.observe(place);
}

/* An element with the picture of a game, drawn when its turn has come, and again when the theme
 * changes: of a record, or of a new game (`begin`, lines for engine.begin) after some `events`.
 * `told(state)` gets the facts of the game, `failed(error)` why there is no picture. */
export function picture({record, begin, events, map = '', look = {}, told, failed,
    ...attributes}) {
    const place = h('div', {class: 'picture', 'aria-hidden': 'true', ...attributes});
    const draw = () => {
        queue = queue.then(async () => {
            if (!place.isConnected) return;
            const drawn = await paint({record, begin, events, map, look, told});
            place.replaceChildren(drawn);
            /* Beside a picture of another shape its own paper goes on. */
            place.style.background = drawn.querySelector('.paper')?.getAttribute('fill') ?? '';
        }).catch((error) => (failed ? failed(error) : console.error(error)));
    };
    drawings.set(place, draw);
    whenSeen(place, draw);
    return place;
}

onTheme(() => {
    for (const place of document.querySelectorAll('.picture'))
        if (place.firstChild) drawings.get(place)?.();
});
