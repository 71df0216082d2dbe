/* Problems: positions in which one move is clearly the best (docs/analysis.md). #problems shows how
 * far the reader has come, #problems=NAME the problems of a game, #problems=NAME/12 one of them:
 * the real table, with a guide that makes no move but tells what the chosen one is worth.
 *
 * The problems of a game are the file games/NAME/problems.records, from the easiest to the hardest;
 * a game that has them has a part `problems` (faces.js). */
import {ask} from './problem.js';
import {fill, h, icon} from '../ui/dom.js';
import {faceOf, gameNames, loadPart, Nowhere} from '../games/faces.js';
import {loadProblems} from './problemfile.js';
import {progress, SOLVED, TRIED} from '../store/solved.js';
import {staying} from '../ui/stay.js';
import {loadStyle} from '../app/stylesheets.js';
import {t} from '../app/texts.js';

const LEVELS = 3; /* of difficulty, as large as each other */

const levelName = (level) => [t('Easy'), t('Medium'), t('Hard')][level];

/* Which of these levels a problem has, by its place in the file. */
export const levelOf = (i, all) => Math.floor(i * LEVELS / all);

/* The next problem that is not solved, from a place on and then from the start; -1: none. */
export function nextUnsolved(problems, done, from) {
    const open = ({key}) => done[key] !== SOLVED;
    const after = problems.findIndex((one, i) => i >= from && open(one));
    return after >= 0 ? after : problems.findIndex(open);
}

const addressOf = (name, i) => `#problems=${name}/${i + 1}`;

/* ---- Lists ----------------------------------------------------------------------------------- */

function bar(solved, all) {
    return h('div', {class: 'problems-progress'},
        h('progress', {max: all, value: solved, 'aria-label': t('Solved')}),
        h('p', {class: 'number'}, t('{n} of {all} solved', {n: solved, all})));
}

function onward(name, problems, done, from = 0) {
    const next = nextUnsolved(problems, done, from);
    return next < 0 ? h('p', {class: 'good'}, t('All solved. Well done.'))
        : h('a', {class: 'button primary', href: addressOf(name, next)}, icon('play'),
            h('span', {}, t('Problem {n}', {n: next + 1})));
}

const solvedIn = (problems, done) => problems.filter(({key}) => done[key] === SOLVED).length;

async function showAll(place, names) {
    const panels = await Promise.all(names.map(async (name) => {
        const [problems, done, {lead}] = await Promise.all([loadProblems(name), progress(name),
            loadPart(name, 'problems')]);
        return h('section', {class: 'panel problems-game', 'aria-labelledby': `problems-${name}`},
            h('h2', {id: `problems-${name}`}, faceOf(name).name()), h('p', {}, lead()),
            bar(solvedIn(problems, done), problems.length),
            h('div', {class: 'row'}, onward(name, problems, done),
                h('a', {class: 'button', href: `#problems=${name}`}, icon('list'),
                    h('span', {}, t('All problems')))));
    }));
    fill(place, h('h1', {tabindex: -1}, t('Problems')),
        h('p', {class: 'problems-lead'}, t('Positions from games between bots in which one move ' +
            'is clearly the best. Can you find it?')),
        h('div', {class: 'problems-games'}, panels));
}

/* A number, with what became of the problem in the shape of the box and in words. */
function box(name, problem, i, done) {
    const state = done[problem.key];
    const words = state === SOLVED ? t('solved') : state === TRIED ? t('tried') : '';
    return h('li', {}, h('a', {class: `problem-box${state ? ` state-${state}` : ''}`,
        href: addressOf(name, i), 'aria-label': words
            ? t('Problem {n}: {state}', {n: i + 1, state: words}) : t('Problem {n}', {n: i + 1})},
    h('span', {}, i + 1), state === SOLVED && icon('check')));
}

async function showGame(place, name) {
    const [problems, done] = await Promise.all([loadProblems(name), progress(name)]);
    const levels = Array.from({length: LEVELS}, (_, level) => {
        const own = problems.map((problem, i) => ({problem, i}))
            .filter(({i}) => levelOf(i, problems.length) === level);
        return h('section', {class: 'panel', 'aria-labelledby': `level-${level}`},
            h('div', {class: 'row spread'}, h('h2', {id: `level-${level}`}, levelName(level)),
                h('p', {class: 'muted number'}, t('{n} of {all} solved',
                    {n: solvedIn(own.map(({problem}) => problem), done), all: own.length}))),
            h('ol', {class: 'problem-boxes'},
                own.map(({problem, i}) => box(name, problem, i, done))));
    });
    fill(place, h('h1', {tabindex: -1}, t('Problems: {game}', {game: faceOf(name).name()})),
        bar(solvedIn(problems, done), problems.length),
        h('div', {class: 'row'}, onward(name, problems, done),
            h('a', {class: 'button', href: '#problems'}, icon('list'),
                h('span', {}, t('Problems of all games')))), levels);
}

/* ---- One problem ----------------------------------------------------------------------------- */

async function showOne(place, name, n) {
    const problems = await loadProblems(name);
    const problem = problems[n - 1];
    if (!problem) throw new Nowhere();
    const step = (to, label, picture) => (problems[to - 1]
        ? h('a', {class: 'button quiet square', href: addressOf(name, to - 1), title: label,
            'aria-label': label}, icon(picture))
        : h('span', {class: 'button quiet square', 'aria-hidden': 'true'}));
    const inner = h('div', {class: 'problem'});
    const head = () => h('div', {class: 'problem-head'},
        h('a', {class: 'button quiet square', href: `#problems=${name}`, title: t('All problems'),
            'aria-label': t('All problems')}, icon('list')),
        h('div', {}, h('h1', {tabindex: -1}, t('Problem {n}', {n})),
            h('p', {class: 'muted small'}, t('{level}. Find the best move.',
                {level: levelName(levelOf(n - 1, problems.length))}))),
        step(n - 1, t('Previous problem'), 'back'), step(n + 1, t('Following problem'), 'next'));
    fill(place, head(), inner);
    const onwards = async () => {
        const next = nextUnsolved(problems, await progress(name), n);
        location.hash = next < 0 ? `#problems=${name}` : addressOf(name, next);
    };
    const one = await ask(inner, name, problem, onwards);
    return Object.assign(() => one(), {again: () => staying(place, () => {
        place.firstChild.replaceWith(head());
        one.again();
    })});
}

export async function show(place, parameter) {
    await loadStyle('review/problems.css');
    const all = [];
    for (const name of gameNames()) if (await loadPart(name, 'problems')) all.push(name);
    if (!parameter) return showAll(place, all);
    const [, name, n] = /^([a-z]+)(?:\/([1-9]\d{0,3}))?$/.exec(parameter) ?? [];
    if (!all.includes(name)) throw new Nowhere();
    return n ? showOne(place, name, Number(n)) : showGame(place, name);
}
