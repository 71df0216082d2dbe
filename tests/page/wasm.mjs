// The WebAssembly module against the program, under node:
//
//     node wasm.mjs PROGRAM BUILD [games|bots|cases]
//
// PROGRAM is the native program, BUILD the folder with its page. `games` instead of the rest plays
// every game that there is, for the program and the page with the games that only tests know;
// `bots` compares whole games of thinking bots, and the analysis of whole games, which takes a
// while; `cases` looks at everything that a page shows of every case of conformance, not only of
// one in LOOK_AT_ONE_IN.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { loadAnalysisEngine } from '../../web/engine/analysisengine.js';
import { Engine, Fault, loadEngine } from '../../web/engine/engine.js';

globalThis.crypto ??= webcrypto; // older versions of node do not offer it by themselves

const [program, build, part] = process.argv.slice(2);
const tests = dirname(dirname(fileURLToPath(import.meta.url)));
const bytes = readFileSync(join(build, 'page/endstation.wasm'));
const analysisBytes = readFileSync(join(build, 'page/analysis.wasm'));
const KIB = 1024;
const LOOK_AT_ONE_IN = part === 'cases' ? 1 : 8;

const native = (words, input = '') => execFileSync(program, words, { input, encoding: 'utf8' });
const newGame = (...words) => native(['new', '--seed', '5a'.repeat(32), ...words]);

/** A folder for files that the program is to read. */
const folder = mkdtempSync(join(tmpdir(), 'endstation-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
function file(text) {
    const name = join(folder, 'game.record');
    writeFileSync(name, text);
    return name;
}

/** Returns the Fault that a call must throw. */
function fault(call, about = '') {
    try {
        call();
    } catch (error) {
        assert(error instanceof Fault, error);
        return error;
    }
    assert.fail(`a fault was expected ${about}`);
}

/** Continues with bots until there are that many events, or the game is over. */
function playOn(engine, events, level = 'greedy') {
    for (let done = 0; done < events; done++) {
        engine.deal();
        const moves = engine.moves();
        if (!moves) {
            return;
        }
        engine.apply(engine.think(Number(moves[0]), level, done).event);
    }
    engine.deal();
}

/** Everything that a page shows, for everybody, now and half-way: it must be there, and whole. */
function lookAround(engine) {
    const { events, players } = engine.state(0);
    for (const cursor of [Math.floor(events / 2), events]) {
        engine.seek(0, cursor);
        for (let viewer = 0; viewer <= players.length; viewer++) {
            const state = engine.state(viewer);
            assert.equal(state.players.length, players.length);
            assert(engine.log(viewer).every(({ n }) => n <= state.cursor));
            const pick = viewer > 0 ? ['key A', 'key 2'].reduce((before, words) =>
                engine.choose(viewer, before, words).pick, '') : '';
            const look = { viewer, sheet: viewer || 1, pick, fresh: true, lit: 1 };
            assert(engine.draw(look).endsWith('</svg>\n'));
        }
    }
}

// ---- The module ------------------------------------------------------------------------------

/** The module with the games of the bench. */
async function loadCheck() {
    const { instance } = await WebAssembly.instantiate(
        readFileSync(join(build, part === 'games' ? '../wasm-check.wasm' : 'wasm-check.wasm')));
    const hex = (number) => BigInt.asUintN(64, number).toString(16).padStart(16, '0');
    const text = (at) => {
        const memory = new Uint8Array(instance.exports.memory.buffer);
        return Buffer.from(memory.subarray(at, memory.indexOf(0, at))).toString();
    };
    return { ...instance.exports, hex, text };
}

function testModule() {
    test('the module is small, and imports nothing', async () => {
        const module = await WebAssembly.compile(bytes);
        const size = gzipSync(bytes, { level: 9 }).length;
        console.log(`endstation.wasm: ${bytes.length} bytes, ${size} compressed`);
        assert(size < 300 * KIB, `${size} bytes`);
        assert.deepEqual(WebAssembly.Module.imports(module), []);
    });
}

// ---- Conformance -----------------------------------------------------------------------------

function testConformance() {
    test('every case of conformance gives the same output, to the byte', async () => {
        const path = join(tests, 'conformance');
        const engine = await loadEngine(bytes);
        let agree = 0;
        for (const record of readdirSync(path).filter((name) => name.endsWith('.record'))) {
            const name = join(path, record.replace(/\.record$/, ''));
            const read = (ending) => readFileSync(name + ending, 'utf8');
            const map = existsSync(`${name}.map`) ? readFileSync(`${name}.map`) : null;
            const open = () => engine.open(readFileSync(`${name}.record`));
            if (existsSync(`${name}.line`)) {
                const [what, line] = read('.line').trim().split(' ');
                if (what === 'map') {
                    assert.equal(fault(() => engine.map(map), name).line, Number(line), name);
                } else {
                    try {
                        engine.needs(readFileSync(`${name}.record`));
                        if (map) {
                            engine.map(map);
                        }
                    } catch (error) { // a fault of the header comes before those of the map
                        assert(error instanceof Fault, error);
                    }
                    assert.equal(fault(open).line, Number(line), name);
                }
            } else {
                if (map) {
                    engine.map(map);
                }
                open();
                assert.equal(engine.report(), read('.replay'), name);
                assert.equal(engine.moves(), read('.moves'), name);
                if (agree % LOOK_AT_ONE_IN === 0) {
                    lookAround(engine);
                }
            }
            agree++;
        }
        console.log(`${agree} cases agree`);
        assert(agree > 100);
    });
}

// ---- The same as the program ----------------------------------------------------------------

const GAMES = [
    ['--map', 'amsterdam'],
    ['--map', 'madrid', '--players', '3', '--rules', 'special', '--deck', '15'],
    ['--map', 'paris', '--players', '2', '--rules', 'special', '--names', 'Ada,Grace'],
    ['--game', 'metro'],
    ['--game', 'metro', '--players', '3', '--rules', 'rotate hand2', '--names', 'Ada,Grace,Eva'],
];

function testProgram() {
    test('games are dealt, written, seen and drawn as by the program', async () => {
        const engine = await loadEngine(bytes);
        for (const words of GAMES) {
            const begun = newGame(...words);
            engine.open(begun.replace(/\n\n[^]*/, '\n\n'));
            engine.deal();
            assert.equal(engine.record(), begun);
            playOn(engine, 23);
            const record = engine.record();
            const path = file(record);
            assert.equal(engine.report(), native(['replay', path]));
            assert.equal(engine.moves(), native(['moves', path]));
            const players = engine.state(0).players.length;
            for (let player = 0; player <= players; player++) {
                assert.equal(engine.view(player), native(['view', '--player', player, path]));
                // with several tiles in hand the page shows where the first one can go, the program
                // where any of them can
                const { turn, hand_size: tiles = 1 } = engine.state(player);
                if (player > 0 && !(tiles > 1 && turn.includes(player))) {
                    const look = { viewer: player, sheet: player, fresh: true };
                    const draw = ['draw', '--player', player];
                    assert.equal(engine.draw(look), native([...draw, path]));
                    assert.equal(engine.draw({ ...look, dark: true, patterns: true }),
                        native([...draw, '--theme', 'dark', '--patterns', path]));
                }
            }
        }
    });

    test('bots answer as in the program', async () => {
        const engine = await loadEngine(bytes);
        for (const words of GAMES) {
            engine.open(newGame(...words));
            playOn(engine, 7);
            for (const level of ['random', 'greedy', 'casual', 'strong']) {
                const player = Number(engine.moves()[0]);
                const view = engine.view(player);
                const thought = engine.think(player, level, 11);
                const limit = thought.done ? `iterations ${thought.done}` : '';
                const said = native(['engine'], `position\n${view}end\n` +
                    `go player ${player} level ${level} seed 11 ${limit}\n`);
                assert.equal(said.match(/^best (.*)$/m)[1], thought.event, `${words} ${level}`);
                const shown = [...said.matchAll(
                    /^info (.*) points (\S+) win (\S+) samples (\d+)$/mg)];
                assert.equal(shown.length, Math.min(5, thought.candidates.length));
                shown.forEach(([, event, points, win, samples], i) => {
                    const candidate = thought.candidates[i];
                    assert.equal(candidate.event, event);
                    assert.equal(candidate.samples, Number(samples));
                    assert(Math.abs(candidate.points - points) < 0.011);
                    assert(Math.abs(candidate.win - win) < 0.0011);
                });
                engine.open(view); // a view is enough, and gives the same
                assert.deepEqual(engine.think(player, level, 11), thought);
            }
        }
    });
}

// ---- Every game ------------------------------------------------------------------------------

function testGames() {
    test('the bench has the same signatures as in the program', async () => {
        const check = await loadCheck();
        const printed = native(['bench', '--games', '1000']);
        for (let i = 0; check.game_name(i) !== 0; i++) {
            const name = check.text(check.game_name(i));
            const [, signature] = printed.match(new RegExp(`^bench ${name} .* (\\w+)$`, 'm'));
            assert.equal(check.hex(check.signature(i, 1000)), signature, name);
        }
    });

    test('games are analysed as by the program, to the bit', async () => {
        const check = await loadCheck();
        const printed = native(['bench', '--analysis']);
        let analysed = 0;
        for (let i = 0; check.game_name(i) !== 0; i++) {
            const name = check.text(check.game_name(i));
            const [, signature] =
                printed.match(new RegExp(`^analysis ${name} .* (\\w+)$`, 'm')) ?? [];
            analysed += signature !== undefined;
            assert.equal(check.hex(check.analysis(i)), signature ?? '0'.repeat(16), name);
        }
        assert(analysed >= 2);
        const engine = await loadAnalysisEngine(analysisBytes);
        engine.open(newGame('--game', 'depot', '--players', '2'));
        assert.equal(fault(() => engine.nodes(1)).status, 'ANALYSIS_NONE');
    });

    test('every game runs as in the program, to its end', async () => {
        const engine = await loadEngine(bytes);
        const { games } = engine.info();
        assert(games.length >= 4);
        for (const { name, players: [least, most], rules, levels } of games) {
            for (const words of [['--players', least], ['--players', most, '--rules', rules[0]]]) {
                if (words[3] === undefined) {
                    words.length = 2;
                }
                const about = `${name} ${words.join(' ')}`;
                const begun = newGame('--game', name, ...words);
                engine.open(begun.replace(/\n\n[^]*/, '\n\n'));
                engine.deal();
                assert.equal(engine.record(), begun, about);
                for (let half = 0; half < 2; half++) {
                    playOn(engine, half ? Infinity : 5, 'random');
                    const path = file(engine.record());
                    assert.equal(engine.report(), native(['replay', path]), about);
                    assert.equal(engine.moves(), native(['moves', path]), about);
                    assert.equal(engine.view(1), native(['view', '--player', 1, path]), about);
                    assert.equal(engine.draw({ viewer: 1, fresh: true }),
                        native(['draw', '--player', 1, path]), about);
                    lookAround(engine);
                    if (!half) {
                        answerAsProgram(engine, levels.filter((level) => level !== 'master'));
                    }
                }
                assert(engine.state(0).over, about);
            }
        }
    });
}

/** Each level gives the same answer here and there. */
function answerAsProgram(engine, levels) {
    const player = Number(engine.moves()[0]);
    for (const level of player ? levels : []) {
        const { event, done } = engine.think(player, level, 11);
        const said = native(['engine'], `position\n${engine.view(player)}end\n` +
            `go player ${player} level ${level} seed 11 ${done ? `iterations ${done}` : ''}\n`);
        assert.equal(said.match(/^best (.*)$/m)[1], event, level);
    }
}

// ---- What engine.js promises -----------------------------------------------------------------

function testEngine() {
    test('a wrong call throws a Fault and leaves the game unchanged', async () => {
        const engine = await loadEngine(bytes);
        assert.throws(() => engine.record(), /No game/);
        assert.equal(fault(() => engine.open('nonsense')).status, 'NOT_A_RECORD');
        engine.open(newGame('--map', 'amsterdam'));
        const before = engine.record();
        assert.equal(fault(() => engine.open('endstation-record 1\n')).status, 'GAME_FIRST');
        const large = fault(() => engine.open('x'.repeat(17 * KIB * KIB)));
        assert.equal(large.status, 'TOO_LARGE');
        const wrong = fault(() => engine.apply('1 Q3'));
        assert.deepEqual({ ...wrong, name: undefined }, { name: undefined, status: 'LINE_UNKNOWN',
            line: 0, words: '1 Q3', sentence: 'no such line' });
        assert.equal(fault(() => engine.apply('')).status, 'WORD_MISSING');
        assert.equal(fault(() => engine.think(1, 'best')).status, 'BOT_UNKNOWN');
        assert.equal(fault(() => engine.think(2, 'strong')).status, 'PLAYER_UNKNOWN');
        assert.equal(fault(() => engine.view(7)).status, 'PLAYER_UNKNOWN');
        assert.equal(fault(() => engine.againStep(1, 'best')).status, 'BOT_UNKNOWN');
        assert.equal(fault(() => engine.needs('endstation-record 1\ngame chess\n')).line, 2);
        assert.equal(fault(() => engine.begin('game metro\nperson\n')).status, 'PLAYERS_RANGE');
        assert.equal(fault(() => engine.rematch('bot x')).status, 'WORD_UNKNOWN');
        assert.equal(fault(() => engine.seat(1, 'best')).status, 'BOT_UNKNOWN');
        assert.equal(fault(() => engine.takeBack(1)).status, 'NOTHING_TO_UNDO');
        assert.equal(fault(() => engine.seek(7, 0)).status, 'PLAYER_UNKNOWN');
        assert.equal(fault(() => engine.fork(7, 0)).status, 'PLAYER_UNKNOWN');
        assert.equal(engine.record(), before);
    });

    test('a long record is read and written unchanged', async () => {
        const engine = await loadEngine(bytes);
        const small = newGame('--map', 'amsterdam');
        engine.open(small.replace('\n\n', `\n\n${'# remark\n'.repeat(200000)}`));
        assert.equal(engine.record(), small);
    });

    test('moves are taken back, and looked at from any event', async () => {
        const engine = await loadEngine(bytes);
        engine.open(newGame('--map', 'berlin', '--players', '2'));
        playOn(engine, 10);
        const record = engine.record();
        const state = engine.state(0);
        engine.draw();
        engine.choose(1, '', 'look');
        assert.equal(engine.state(0), state, 'it is asked for once, until something changes');
        const { events } = state;
        engine.seek(0, 3);
        assert.equal(engine.state(0).cursor, 3);
        assert.equal(engine.record(), record);
        engine.seek(0, Infinity);
        assert.equal(engine.state(0).cursor, events);
        const move = engine.think(2, 'greedy').event;
        engine.apply(move);
        assert.equal(engine.record(), `${record}${move}\n`);
        assert(engine.state(2).undo);
        engine.takeBack(2);
        assert.equal(engine.record(), record);
        engine.fork(0, 3);
        const [head, ...rest] = record.split('\n\n');
        assert.equal(engine.record(), `${head.replace(/\nseed .*/, '')}\n\n${
            rest[0].split('\n').slice(0, 3).join('\n')}\n`);
    });

    test('new games are written in C, from their choices', async () => {
        const engine = await loadEngine(bytes);
        const seed = `seed ${'5a'.repeat(32)}`;
        engine.begin(`game verplant\nmap paris\nperson Ada\nbot strong\ndate 2026-11-15\n${seed}`);
        const begun = engine.record();
        const { hash } = engine.state(0).map;
        assert.equal(begun, `endstation-record 1\ngame verplant\nmap paris ${hash}\nplayers 2\n` +
            `player 1 Ada\nbot 2 strong\ndate 2026-11-15\n${seed}\n\n`);
        assert.deepEqual(engine.state(0).players.map(({ name, bot }) => [name, bot]),
            [['Ada', ''], ['', 'strong']]);
        playOn(engine, 5);
        engine.rematch(`date 2026-11-15\n${seed}`);
        assert.equal(engine.record(), begun);
        engine.seat(2, '');
        assert(!engine.record().includes('bot'));
        engine.open(begun.replace('bot 2 strong', 'player 2 strong (bot)'));
        assert.equal(engine.upgrade(), 1);
        assert.equal(engine.record(), begun);
    });

    test('sheets are told apart by their hashes', async () => {
        const engine = await loadEngine(bytes);
        const text = readFileSync(join(tests, '../maps/paris.map'), 'utf8');
        const paris = engine.map(text);
        assert.deepEqual({ ...paris, hash: 32 }, { id: 'paris', title: 'Paris', hash: 32,
            built_in: true });
        const other = engine.map(text.replace(/^title .*/m, 'title Other'));
        assert.equal(other.built_in, false);
        assert.notEqual(other.hash, paris.hash);
        for (const { hash, title, built_in } of [paris, other]) {
            const record = `endstation-record 1\ngame verplant\nmap paris ${hash}\nplayers 1\n\n`;
            assert.deepEqual(engine.needs(record),
                { game: 'verplant', map: 'paris', hash, built_in });
            engine.open(record);
            assert.equal(engine.state(0).map.title, title);
            assert.equal(engine.record(), record);
        }
        const old = readFileSync(join(tests, 'earlier/amsterdam.record'), 'utf8');
        assert.equal(engine.needs(old).built_in, true);
        engine.open(old);
        assert.equal(engine.report(),
            readFileSync(join(tests, 'earlier/amsterdam.replay'), 'utf8'));
        assert.equal(engine.record(), old);
        assert.equal(engine.state(0).map.earlier, true);
    });

    test('without a seed, chance events are drawn by weight', async () => {
        const engine = await loadEngine(bytes);
        engine.open('endstation-record 1\ngame metro\nplayers 2\n');
        assert.equal(engine.deal(), 2);
        playOn(engine, 100);
        assert(engine.state(0).over);
    });

    test('an instance that fails is replaced, and the game continues', async () => {
        const module = await WebAssembly.compile(bytes);
        const instance = await WebAssembly.instantiate(module);
        let broken = false;
        const exports = { ...instance.exports, moves: () => {
            if (broken) {
                throw new WebAssembly.RuntimeError('unreachable');
            }
            return instance.exports.moves();
        } };
        const engine = new Engine(module, { exports });
        engine.open(newGame('--map', 'amsterdam'));
        const record = engine.record();
        broken = true;
        assert.throws(() => engine.moves(), (error) =>
            error.message.includes('moves') && !(error instanceof Fault));
        assert.equal(engine.record(), record);
        assert.match(engine.moves(), /^1 /);
    });

    test('a rerun gives a bot the same cards', async () => {
        const engine = await loadEngine(bytes);
        const events = (who) => engine.record().replace(/^[^]*?\n\n/, '').trim().split('\n')
            .filter((event) => event.startsWith(who));
        engine.open(newGame('--map', 'paris', '--players', '2'));
        playOn(engine, 1000);
        const played = engine.record();
        const cards = events('card');
        const other = events('2 ');
        const rival = (level) => {
            engine.open(played);
            engine.again();
            while (engine.againStep(1, level)) {
                // on
            }
            assert(engine.state(0).over);
            return engine.record();
        };
        const strong = rival('strong');
        const most = Math.min(cards.length, events('card').length);
        assert.deepEqual(events('card').slice(0, most), cards.slice(0, most));
        assert.deepEqual(events('2 '), other);
        assert(engine.state(0).players[0].score > 0);
        assert.equal(rival('strong'), strong);
        assert.equal(rival('greedy'), rival('greedy'));

        engine.open(newGame('--game', 'metro', '--players', '3', '--rules', 'hand2'));
        playOn(engine, 1000, 'random');
        const tiles = events('deal').map((event) => event.split(' ').at(-1));
        const without = engine.record().replace(/^seed .*\n/m, '');
        engine.open(without);
        engine.again();
        while (engine.againStep(1, 'greedy')) {
            // on
        }
        assert.deepEqual(events('deal').map((event) => event.split(' ').at(-1)), tiles);
    });
}

// ---- Analysis --------------------------------------------------------------------------------

/** The results of all nodes, run from the last to the first. */
function runNodes(engine, player) {
    const { nodes } = engine.nodes(player);
    const lines = [];
    for (let i = nodes.length; i-- > 0;) {
        lines[i] = engine.node(player, i);
    }
    return { nodes, lines };
}

/** What the program prints about a game, without the file and what the page asks for separately. */
function analysedByProgram(record, player) {
    return native(['analyse', '--json', '--player', player, '-'], record).trimEnd()
        .replace('{"file":"-",', '{').replace(/,"hindsight":-?\d+/, '');
}

function testAnalysis() {
    test('the module of the analysis can do all that the other can, and more', async () => {
        const names = async (some) => WebAssembly.Module.exports(await WebAssembly.compile(some))
            .map(({ name }) => name);
        const module = await WebAssembly.compile(analysisBytes);
        assert.deepEqual(WebAssembly.Module.imports(module), []);
        const more = new Set(await names(analysisBytes));
        for (const name of await names(bytes)) {
            assert(more.delete(name), name);
        }
        for (const name of ['nodes', 'node', 'analysis', 'chart', 'hindsight', 'draw_moves']) {
            assert(more.has(name), name);
        }
        const size = gzipSync(analysisBytes, { level: 9 }).length;
        console.log(`analysis.wasm: ${analysisBytes.length} bytes, ${size} compressed`);
        assert(size < 300 * KIB, `${size} bytes`);
    });

    // The JSON has every number of the results, without rounding any of them.
    test('a game under way is analysed as by the program, to the byte', async () => {
        const engine = await loadAnalysisEngine(analysisBytes);
        for (const [words, events] of [[['--map', 'practice'], 4], [['--game', 'metro'], 9],
            [['--map', 'practice', '--players', '2', '--rules', 'special'], 5]]) {
            engine.open(newGame(...words));
            playOn(engine, events, 'random');
            const { nodes, lines } = runNodes(engine, 1);
            assert(nodes.length > 3);
            const text = engine.askFor('analysis', `${lines.join('\n')}\n`, 1);
            assert.equal(text, analysedByProgram(engine.record(), 1), `${words}`);
            assert.deepEqual(engine.analysis(1, lines), JSON.parse(text));
            assert.deepEqual(engine.hindsight(1), {});
            for (const { at } of nodes) {
                engine.seek(1, at);
                assert.equal(engine.state(1).cursor, at);
            }
        }
    });

    test('two moves are drawn as by the program', async () => {
        const engine = await loadAnalysisEngine(analysisBytes);
        const drawn = (better, played, prefix = '') => engine.askFor('draw_moves',
            better + played + prefix, 1, 1, 0, 0, better.length, played.length);
        for (const words of [['--map', 'practice'], ['--game', 'metro']]) {
            engine.open(newGame(...words));
            const moves = engine.moves().trimEnd().split('\n')
                .filter((move) => !/ draw$|0$/.test(move));
            const [better, played] = [moves[0], moves.at(-1)];
            assert.equal(drawn(better, played), native(['draw', '--player', '1', '--preview',
                better, '--instead', played, file(engine.record())]), `${words}`);
            assert.equal(drawn('', ''), engine.draw({ viewer: 1 }));
            assert.equal(drawn('1 nonsense', ''), drawn('', 'card 99'));
            assert.match(drawn(better, played, 'x-'), /id="x-played-/);
            assert.equal(fault(() => drawn('', '', 'x'.repeat(99))).status, 'NAME_LENGTH');
        }
    });

    test('lines that are missing or wrong are told apart', async () => {
        const engine = await loadAnalysisEngine(analysisBytes);
        assert.throws(() => engine.nodes(1), /No game/);
        engine.open(newGame('--map', 'practice'));
        playOn(engine, 2);
        const { nodes, lines } = runNodes(engine, 1);
        const some = [undefined, ...lines.slice(1)];
        const part = engine.analysis(1, some);
        assert.equal(part.complete, false);
        assert.deepEqual(part.nodes[0], nodes[0]);
        assert.equal(part.nodes[1].value, engine.analysis(1, lines).nodes[1].value);
        assert.equal(engine.chart(1, some).match(/ data-node=/g).length, nodes.length);
        const wrong = fault(() => engine.analysis(1, [lines[1], ...lines.slice(1)]));
        assert.deepEqual([wrong.status, wrong.line], ['EVENT_BAD', 1]);
        assert.equal(fault(() => engine.chart(1, lines.slice(1))).status, 'EVENT_BAD');
        assert.equal(fault(() => engine.analysis(1, [...lines, ''])).status, 'WORD_EXTRA');
        assert.equal(fault(() => engine.node(1, nodes.length)).status, 'NUMBER_RANGE');
        assert.equal(fault(() => engine.nodes(2)).status, 'PLAYER_UNKNOWN');
        const picture = engine.chart(1, lines, { dark: true, narrow: true, selected: 1 });
        assert.match(picture, /viewBox="0 0 390 240"[^]* selected" data-node="1"/);
        engine.words({ decision: 'Entscheidung' });
        assert.match(engine.chart(1, lines, { print: true }), /<title>Entscheidung, /);
    });
}

/** A whole game of each kind. */
function testWholeAnalysis() {
    test('whole games are analysed as by the program, to the byte', async () => {
        const engine = await loadAnalysisEngine(analysisBytes);
        for (const [words, player] of [[['--map', 'amsterdam'], 1], [['--game', 'metro'], 2]]) {
            engine.open(newGame(...words));
            playOn(engine, Infinity, 'casual');
            const record = engine.record();
            const { lines } = runNodes(engine, player);
            const text = engine.askFor('analysis', `${lines.join('\n')}\n`, player);
            assert.equal(text, analysedByProgram(record, player), `${words}`);
            const { hindsight } = JSON.parse(
                native(['analyse', '--json', '--player', player, '-'], record));
            assert.equal(engine.hindsight(player).points, hindsight);
        }
    });
}

// ---- Bots ------------------------------------------------------------------------------------

function testBots() {
    test('thinking bots have the same signatures as in the program', async () => {
        const printed = native(['bench', '--bots']);
        const check = await loadCheck();
        for (let i = 0; check.bot_name(i) !== 0; i++) {
            const game = check.text(check.bot_game(i));
            const name = check.text(check.bot_name(i));
            const line = printed.split('\n').find((some) =>
                some.startsWith(game) && some.split(/\s+/)[1] === name);
            const before = process.cpuUsage().user;
            const signature = check.hex(check.bot(i));
            const ms = (process.cpuUsage().user - before) / 1000 / check.moves();
            console.log(`${game} ${name}: ${ms.toFixed(2)} ms/move in WebAssembly,`,
                `${line.match(/(\S+) ms\/move/)[1]} in the program`);
            assert.equal(signature, line.trim().split(/\s+/).at(-1));
        }
    });
}

if (part === 'bots') {
    testBots();
    testWholeAnalysis();
} else if (part === 'games') {
    testGames();
} else if (part === 'cases') {
    testConformance();
} else {
    testModule();
    testConformance();
    testProgram();
    testEngine();
    testAnalysis();
}
