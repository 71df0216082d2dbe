// Functions that tests of whole games share: the game that a page keeps, and what the program says
// about it. A page is never asked what is right: `endstation replay` and `moves` are, for its
// record.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { until } from './control.mjs';
import { program } from './program.mjs';
import { storedGames } from './stored.mjs';

// The record of the only game that the page keeps.
export async function record(page) {
    const kept = await storedGames(page);
    assert.equal(kept.length, 1);
    return kept[0].record;
}

export const events = (text) => text.split('\n\n')[1].split('\n').filter(Boolean);

// Calls look() again and again until it returns what is expected.
export async function becomes(look, expected, message) {
    let seen;
    await until(async () => isDeepStrictEqual(seen = await look(), expected)).catch(() =>
        assert.deepEqual(seen, expected, message));
}

const answers = new Map(); // by question: asking takes a process each time

function ask(command, text, ...options) {
    const question = `${command} ${options} ${text}`;
    if (!answers.has(question)) {
        const { status, stdout, stderr } = spawnSync(program, [command, ...options, '-'],
            { input: text, maxBuffer: 1 << 24 });
        assert.equal(status, 0, `endstation ${command}: ${stderr}\n${text}`);
        answers.set(question, stdout.toString());
    }
    return answers.get(question);
}

// Every event that may come.
export const moves = (text) => ask('moves', text).split('\n').filter(Boolean);

// `replay` as an object: the first word of each line, and its second where that is a player or a
// station, to the rest: {over: 'no', 'marks 1': 's1=x s2=3', …}.
export function replay(text) {
    const lines = ask('replay', text).split('\n').filter(Boolean);
    return Object.fromEntries(
        lines.map((line) => {
            const [, name, rest] = /^(\S+(?: \d+(?= ))?) ?(.*)$/.exec(line);
            return [name, rest];
        }),
    );
}

// The analysis of a game, as an object (docs/formats.md).
export const analysis = (text, ...options) =>
    JSON.parse(ask('analyse', text, '--json', ...options));

// 'lines 7 transfers 6' as {lines: 7, transfers: 6}.
export function numbers(words) {
    const all = words.split(' ');
    return Object.fromEntries(
        all.filter((word, i) => i % 2 === 0).map((word, i) => [word, Number(all[2 * i + 1])]),
    );
}

// Returns the first number in a text of the page, which writes a longer minus sign.
export const said = (text) => Number(/-?\d+/.exec(text.replaceAll('−', '-'))?.[0]);

// Returns a list of the report, where - means none.
export const list = (words) => (words === '-' ? [] : words.split(' '));

// The stations that a player has marked, and those that an entry would mark.
export const stations = (text, player) =>
    list(replay(text)[`marks ${player}`]).map((mark) => mark.split('=')[0]);

export function marks(text, player, event) {
    const before = new Set(stations(text, player));
    return stations(`${text}${event}\n`, player).filter((station) => !before.has(station));
}

// Random-looking numbers that are the same every time.
export function dice(seed) {
    let state = seed;
    return (n) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * n);
    };
}

// Returns the middle of an element or a part of a picture, once it has stopped moving. (A station
// across several lines is a stroke, whose box has no area.)
export async function middle(page, selector) {
    await page.locator(selector).first().waitFor({ state: 'attached' });
    const box = await page.waitForFunction((wanted) => new Promise((resolve) => {
        const look = () => document.querySelector(wanted)?.getBoundingClientRect().toJSON();
        const before = look();
        requestAnimationFrame(() => requestAnimationFrame(() => {
            const now = look();
            resolve(now && JSON.stringify(now) === JSON.stringify(before) && now);
        }));
    }), selector);
    const { x, y, width, height } = await box.jsonValue();
    return { x: x + width / 2, y: y + height / 2 };
}
