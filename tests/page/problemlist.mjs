// The problems that the page ships, and those among them that a test can solve.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseProblems } from '../../web/review/problemfile.js';

const file = (game) => parseProblems(readFileSync(
    new URL(`../../web/games/${game}/problems.records`, import.meta.url), 'utf8'));
export const problems = { verplant: file('verplant'), metro: file('metro') };

// An entry as keys: 'A3'. A move that needs no turning of a tile as a square: 'c8'.
export const keysOf = (event) => /^1 ([A-Z])(\d)$/.exec(event)?.slice(1);
export const squareOf = (event) => /^\d [a-d]{4} ([a-h]\d)$/.exec(event)?.[1];

// The first problem, from a number on, whose best move and next best one can be made this way.
export function findProblem(game, way, from = 0) {
    const n = problems[game].findIndex(({ best, same, others, record }, i) => i >= from &&
        way(best) && same.length === 0 && way(others[0].event) && !/^rules.*hand/m.test(record));
    assert.ok(n >= 0, `a problem of ${game} that can be solved like this`);
    return { n: n + 1, ...problems[game][n] };
}
