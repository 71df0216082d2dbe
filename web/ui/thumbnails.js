/* Small pictures of games, drawn by C one after the other, so that the page never waits long. */
import {h, isDark, onTheme, svg} from './dom.js';
import {loadEngine} from '../engine/engine.js';
import {words} from '../app/texts.js';

let engine = null;
let queue = Promise.resolve();
let number = 0;
const pictures = new WeakMap(); /* by element: {draw, isSeen, theme} */

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

const theme = () => (isDark() ? 'dark' : 'light');

/* Draws what comes into view, so that long lists cost little, and what comes back in another theme.
 * A list that is filtered takes pictures out of the document. */
function seen(entries) {
    for (const {target, isIntersecting} of entries) {
        const shown = pictures.get(target);
        shown.isSeen = isIntersecting;
        if (isIntersecting && shown.theme !== theme()) shown.draw();
    }
}

let observer = null;

function watch(place) {
    observer ??= new IntersectionObserver(seen, {rootMargin: '400px'});
    observer.unobserve(place); /* so that it tells again of one that was watched before */
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
            if (!place.isConnected) { /* it may come back */
                watch(place);
                return;
            }
            const now = theme();
            if (shown.theme === now) return; /* it came into view more than once */
            const drawn = await paint({record, begin, events, map, look, told});
            place.replaceChildren(drawn);
            /* Where the picture does not fill the element, its paper colour continues. */
            place.style.background = drawn.querySelector('.paper')?.getAttribute('fill') ?? '';
            shown.theme = now;
        }).catch((error) => (failed ? failed(error) : console.error(error)));
    };
    const shown = {draw, isSeen: false, theme: ''};
    pictures.set(place, shown);
    watch(place);
    return place;
}

onTheme(() => {
    for (const place of document.querySelectorAll('.picture')) {
        const shown = pictures.get(place);
        if (shown?.isSeen) shown.draw();
    }
});
