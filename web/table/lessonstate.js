/* Which lessons are under way, kept as the value `lesson`: {NAME: {id, reached}}, by the game that
 * is taught, with the id of the lesson's own game and the step that has been reached. */
import {values} from '../store/store.js';

const isSound = (lesson) => typeof lesson?.id === 'string' && Number.isInteger(lesson.reached);

/* Earlier versions kept one lesson, {kind, id, reached}. */
const soundOf = (value) => Object.fromEntries(Object.entries(
    isSound(value) ? {[value.kind]: value} : value ?? {}).filter(([, lesson]) => isSound(lesson)));

let keeping = Promise.resolve();

/* One change after the other. */
function change(become) {
    keeping = keeping.then(() => values.change('lesson', become));
    return keeping;
}

/* The lesson of that game, or null. */
export async function lessonOf(name) {
    await keeping;
    return soundOf((await values.get('lesson')).value)[name] ?? null;
}

export const begin = (name, id, reached) =>
    change((all) => ({...soundOf(all), [name]: {id, reached}}));

/* Notes how far a lesson has come, unless it is no longer under way: its game may have been
 * continued as an ordinary one, here or in another tab. */
export const note = (name, id, reached) => change((all) =>
    (soundOf(all)[name]?.id === id ? {...soundOf(all), [name]: {id, reached}} : all));

/* The lesson with this game is no longer under way. */
export const forget = (id) => change((all) => {
    const lessons = Object.entries(soundOf(all));
    const others = lessons.filter(([, lesson]) => lesson.id !== id);
    if (others.length === lessons.length) return all;
    return others.length > 0 ? Object.fromEntries(others) : null;
});

/* Whether a value has lessons, all of them with a game among these ids. */
export function haveGames(value, ids) {
    const all = Object.values(soundOf(value));
    return all.length > 0 && all.every(({id}) => ids.has(id));
}
