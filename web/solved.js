/* What the reader has made of the problems, kept as the value `problems`: {NAME: {'17.23': 2, …}},
 * by the numbers that a problem carries, since its place in the file may change. */
import {ChangedElsewhere, values} from './store.js';

export const TRIED = 1;
export const SOLVED = 2;

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const sound = (value, name) => (isObject(value) && isObject(value[name]) ? value[name] : {});

/* By key: TRIED or SOLVED. */
export async function progress(name) {
    return sound((await values.get('problems')).value, name);
}

/* Notes what became of problems, {'17.23': state, …}; what is solved stays solved. */
async function merge(name, states) {
    for (;;) {
        const item = await values.get('problems');
        const own = sound(item.value, name);
        const news = Object.entries(states).filter(([key, state]) => !(own[key] >= state));
        if (news.length === 0) return;
        try {
            await values.put({...item, value: {...isObject(item.value) ? item.value : {},
                [name]: {...own, ...Object.fromEntries(news)}}});
            return;
        } catch (error) {
            if (!(error instanceof ChangedElsewhere)) throw error;
        }
    }
}

export const note = (name, key, state) => merge(name, {[key]: state});

/* Adds the progress in a backup. */
export async function adopt(value) {
    for (const name of Object.keys(isObject(value) ? value : {}))
        await merge(name, Object.fromEntries(Object.entries(sound(value, name)).filter(
            ([, state]) => state === TRIED || state === SOLVED)));
}
