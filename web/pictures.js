/* Small pictures of games, drawn by C one after the other, so that the page never waits long. */
import {h, isDark, onTheme, svg} from './dom.js';
import {loadEngine} from './engine.js';
import {words} from './texts.js';

let engine = null;
let queue = Promise.resolve();
let number = 0;
const drawings = new WeakMap(); /* the element of a picture: the function that redraws it */

/* Lets the browser handle input and paint first. */
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

/* Draws when `place` comes into view, so that long lists cost little. */
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
            if (!place.isConnected) { /* it may come back, as in a list that was filtered */
                whenSeen(place, draw);
                return;
            }
            const drawn = await paint({record, begin, events, map, look, told});
            place.replaceChildren(drawn);
            /* Where the picture does not fill the element, its paper colour continues. */
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
