/* The problems of a game as they are shipped (docs/analysis.md). */

/* An event and two numbers: '1 A3 1.84 0.07'. */
function alternative(text) {
    const [, event, behind, error] = /^(.+) ([\d.]+) ([\d.]+)$/.exec(text);
    return {event, behind: Number(behind), error: Number(error)};
}

/* One problem of its text:
 *
 *     record      the position, as the player to move sees it
 *     player      who is to move
 *     key         which problem it is
 *     best        the best event; `same`: others that do the same
 *     others      [{event, behind, error}]: the next best, with how far they are behind it, in
 *                 points or per cent of the win, and the standard error of that
 *     rest        all others are further behind than this; undefined: there are none
 *     tempting    what looks best at first sight, if it is not the best
 *     samples     how many samples that was measured on */
export function parseProblem(text) {
    const NOTE = 'note problem ';
    const problem = {same: [], others: [], record: ''};
    const lines = text.split('\n');
    for (const line of lines.filter((one) => one.startsWith(NOTE))) {
        const [word] = line.slice(NOTE.length).split(' ', 1);
        const rest = line.slice(NOTE.length + word.length + 1);
        if (word === 'from') problem.key = rest.replace(' ', '.');
        else if (word === 'difficulty') problem.samples = Number(/samples (\d+)/.exec(rest)[1]);
        else if (word === 'same') problem.same.push(rest);
        else if (word === 'other') problem.others.push(alternative(rest));
        else if (word === 'rest') problem.rest = Number(rest);
        else if (word === 'best' || word === 'tempting') problem[word] = rest;
    }
    problem.player = Number(problem.best.split(' ', 1)[0]);
    problem.record = `${lines.filter((line) => !line.startsWith(NOTE)).join('\n').trimEnd()}\n`;
    return problem;
}

const SEPARATOR = /^---\n/m;

export const parseProblems = (text) => text.split(SEPARATOR).filter(Boolean).map(parseProblem);

const files = new Map(); /* by game: a promise */

async function fetchProblems(name) {
    const answer = await fetch(new URL(`../games/${name}/problems.records`, import.meta.url));
    if (!answer.ok) throw new Error(`problems.records: ${answer.status}`);
    return parseProblems(await answer.text());
}

export function loadProblems(name) {
    if (!files.has(name))
        files.set(name, fetchProblems(name).catch((error) => {
            files.delete(name); /* the next call tries again */
            throw error;
        }));
    return files.get(name);
}
