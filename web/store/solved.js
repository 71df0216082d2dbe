/* What the reader has made of the problems, kept as the value `problems`: {NAME: {'17.23': 2, …}},
 * by the numbers that a problem carries, since its place in the file may change. */
import {values} from './store.js';

export const TRIED = 1;
export const SOLVED = 2;

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const sound = (value, name) => (isObject(value) && isObject(value[name]) ? value[name] : {});

/* By key: TRIED or SOLVED. */
export async function progress(name) {
    return sound((await values.get('problems')).value, name);
}

/* Notes what became of problems, {'17.23': state, …}; what is solved stays solved. */
const merge = (name, states) => values.change('problems', (all) => {
    const own = sound(all, name);
    const news = Object.entries(states).filter(([key, state]) => !(own[key] >= state));
    return news.length === 0 ? all
        : {...isObject(all) ? all : {}, [name]: {...own, ...Object.fromEntries(news)}};
});

export const note = (name, key, state) => merge(name, {[key]: state});

/* Adds the progress in a backup. */
export async function adopt(value) {
    for (const name of Object.keys(isObject(value) ? value : {}))
        await merge(name, Object.fromEntries(Object.entries(sound(value, name)).filter(
            ([, state]) => state === TRIED || state === SOLVED)));
}
