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

/* Notes what became of a problem; what is solved stays solved. */
export async function note(name, key, state) {
    for (;;) {
        const item = await values.get('problems');
        const own = sound(item.value, name);
        if (own[key] === SOLVED || own[key] === state) return;
        try {
            await values.put({...item, value: {...isObject(item.value) ? item.value : {},
                [name]: {...own, [key]: state}}});
            return;
        } catch (error) {
            if (!(error instanceof ChangedElsewhere)) throw error;
        }
    }
}
