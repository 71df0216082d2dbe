// Tests of statistics: imported games of all kinds are counted; figures, CSV and JSON are what the
// program finds in the exported records; the plot; where a result stands at the end of a game; by
// keyboard, on paper, and without anything to count.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { arrived, axe, go, keptGame, newRecord, played, program, serve, storedGames, turn, until,
    visit } from './browser.mjs';
import { becomes } from './play.mjs';
import { loadAnalysisEngine } from '../../web/engine/analysisengine.js';

const server = await serve('--port', '0');
test.after(() => server.stop());
const folder = mkdtempSync(join(tmpdir(), 'endstation-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const wasm = readFileSync(join(dirname(program), 'page/analysis.wasm'));
const seed = (n) => n.toString(16).padStart(2, '0').repeat(32);
const dated = (record, day) => record.replace(/^date .*/m, `date ${day}`);
const aided = (record) => record.replace(/^seed/m, 'note aided\nseed');

const solo = (n, day, more = {}) => played(newRecord({ seed: seed(n), ...more }))
    .then((record) => dated(record, day));
const ownMap = spawnSync(program, ['maps', 'practice'], { encoding: 'utf8' }).stdout
    .replace(/^id .*/m, 'id harbour').replace(/^title .*/m, 'title =Harbour, "old"');

// A name that is a formula, and has what CSV has to quote.
const ADA = '=Ada, "A."';
const games = {
    one: await solo(1, '2026-03-01'),
    two: await solo(2, '2026-03-02'),
    three: await solo(3, '2026-03-04'),
    four: await solo(4, '2026-03-04'),
    casual: dated(await played(newRecord({ seed: seed(5) }), Infinity, { level: 'casual' }),
        '2026-03-05'),
    helped: aided(await solo(6, '2026-03-06')),
    special: await solo(7, '2026-03-07', { rules: 'special' }),
    own: dated(await played(newRecord({ map: 'harbour', seed: seed(8) }), Infinity,
        { map: ownMap }), '2026-03-08'),
    bots: dated(await played(newRecord({ seats: ['Ada', { bot: 'random' }, { bot: 'greedy' }],
        seed: seed(9) })), '2026-03-09'),
    metro: dated(await played(newRecord({ game: 'metro', seats: [{ bot: 'random' }, 'Eve'],
        seed: seed(10) }), Infinity, { level: ['random', 'greedy'] }), '2026-03-10'),
    people: dated(await played(newRecord({ game: 'metro', seats: ['Bea', ADA],
        seed: seed(11) })), '2026-03-11'),
    another: dated(await played(newRecord({ game: 'metro', seats: [{ bot: 'casual' }, 'Ada',
        { bot: 'greedy' }], seed: seed(16) }), Infinity, { level: 'random' }), '2026-03-12'),
    metroForThree: dated(await played(newRecord({ game: 'metro', seats: ['Ada', { bot: 'random' },
        { bot: 'greedy' }], seed: seed(15) })), '2026-03-12'),
    strangers: await played(newRecord({ game: 'metro', seats: ['Bea', 'Eve'], seed: seed(12) })),
    onlyBots: await played(newRecord({ seats: [{ bot: 'random' }], seed: seed(13) })),
    begun: await played(newRecord({ seed: seed(14) }), 9),
};
const settings = { people: [ADA] };

// Statistics of the program, of games as the page keeps them.
function native(kept, ...words) {
    const place = mkdtempSync(join(folder, 'games-'));
    mkdirSync(join(place, 'sheets'));
    const inOrder = kept.toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
    const files = inOrder.flatMap(({ id, record, map }, i) => {
        const name = join(place, `${String(i).padStart(4, '0')}-${id}.record`);
        const sheet = join(place, 'sheets', `${id}.map`);
        writeFileSync(name, record);
        writeFileSync(sheet, map);
        return map ? [name, sheet] : [name];
    });
    const { status, stdout, stderr } = spawnSync(program, ['stats', ...words, ...files],
        { encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(status, /[1-9] unreadable/.test(stderr) ? 1 : 0, stderr);
    return stdout;
}

const item = (id, record, more = {}) =>
    [`game.${id}`, keptGame(id, record, { over: true, ...more })];

const texts = async (page, selector) => (await page.locator(selector).allInnerTexts())
    .map((text) => text.replaceAll(/\s+/g, ' ').trim());
// The cells of a table in the section with that heading.
const cells = (page, title) => page.locator('.screen-statistics section', { has:
    page.getByRole('heading', { name: title, exact: true, level: 2 }) }).first()
    .locator('tbody tr').evaluateAll((rows) => rows.map((row) =>
        [...row.children].map((cell) => cell.textContent)));

async function open(t, kept, options = {}) {
    const page = await visit(t, `${server.url}/#statistics`, { kept: { settings, ...kept },
        ...options });
    await arrived(page, 'statistics');
    return page;
}

async function saved(page, name) {
    const [file] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name }).click()]);
    return readFileSync(await file.path(), 'utf8');
}

// ---- What is counted ----

test('imported games count; figures, CSV and JSON are those of the program', async (t) => {
    const page = await visit(t, `${server.url}/#games`, { kept: { settings,
        ...Object.fromEntries([item('damaged', games.one.replace(/^1 .*/m, '1 Z9'))]) } });
    await page.getByText('Choose files').waitFor();
    await page.locator('.drop input').setInputFiles(Object.entries(games).map(([name, record]) => ({
        name: `${name}.record`, mimeType: 'text/plain',
        buffer: Buffer.from(name === 'own' ? `${record}---\n${ownMap}` : record) })));
    await until(async () => (await storedGames(page)).length === 17, 'all are kept');
    await page.getByRole('link', { name: 'Statistics' }).click();
    await arrived(page, 'statistics');
    await go(page, 'settings');
    const backup = JSON.parse(await saved(page, 'Save everything as a file'));
    assert.equal(backup.games.length, 17);
    await go(page, 'statistics');

    const found = JSON.parse(native(backup.games, '--name', ADA, '--json'));
    assert.deepEqual([found.games, found.alone, found.aided, found.left], [13, 8, 1,
        { unfinished: 1, unknown: 2, unreadable: 1 }]);
    assert.equal(await saved(page, 'Save as CSV'), native(backup.games, '--name', ADA, '--csv'));

    // The page's module writes the same JSON, to the byte.
    const engine = await loadAnalysisEngine(wasm);
    engine.countBegin(backup.games.length, [ADA]);
    for (const { record, map } of backup.games.toSorted((a, b) => a.created - b.created ||
        (a.id < b.id ? -1 : 1))) {
        engine.map(map);
        if (engine.count(record) === 'unreadable') engine.countSkip();
    }
    engine.countEnd();
    assert.equal(`${engine.statistics()}\n`, native(backup.games, '--name', ADA, '--json'));

    assert.deepEqual(await texts(page, '.screen-statistics > .stack.tight p'), [
        '13 finished games: 8 alone, 5 with others.', '1 game that isn’t over is not counted.',
        '2 games are not counted: several people or only bots play in them, and nobody has your ' +
        'name.', '1 game is not counted: it is damaged, or its sheet is missing.']);
    const written = (value) => String(Math.round(value * 10) / 10).replace('-', '−');
    const fixed = (value) => value.toFixed(1).replace('-', '−');
    const name = ({ title, game, rules }) => (game === 'metro' ? 'Metro'
        : rules.length ? `${title} (special stations)` : title);
    const own = (isAided, isAlone) => found.groups.filter(({ aided: helped, players }) =>
        helped === isAided && (players === 1) === isAlone);
    const alone = (group) => [name(group), String(group.games), written(group.median),
        fixed(group.mean), written(group.best)];
    assert.deepEqual(await cells(page, 'Alone'), own(false, true).map(alone));
    assert.deepEqual((await cells(page, 'Alone')).map(([sheet]) => sheet),
        ['=Harbour, "old"', 'Practice', 'Practice (special stations)']);
    assert.deepEqual(await cells(page, 'Alone, with help'), own(true, true).map(alone));
    assert.deepEqual(await cells(page, 'With others'), own(false, false).map((group) =>
        [`${name(group)}, ${group.players} players`, String(group.games),
            `${Math.round(100 * group.wins / group.games)}%`, fixed(group.mean),
            written(group.best)]));
    const rivals = { random: 'Random', greedy: 'Greedy', casual: 'Casual', person: 'People' };
    const kinds = { verplant: 'Verplant', metro: 'Metro' };
    assert.deepEqual(await cells(page, 'Wins against'), found.rivals.map(({ game, rival, games: n,
        won, wins }) => [`${kinds[game]}: ${rivals[rival]}`, String(n), String(won),
        `${Math.round(100 * wins / n)}%`]));
    assert.ok(found.rivals.length === 6 && found.streaks.length > 0);
    assert.deepEqual(found.days, { days: 11, latest: 9, until: '2026-03-12', longest: 9 });
    const streaks = await texts(page, 'section[aria-labelledby=statistics-streaks] .figures div');
    assert.ok(streaks.includes('Days in a row, up to 12 Mar 2026 9'), streaks.join('; '));
    assert.ok(streaks.includes(`Metro: longest winning streak ${found.streaks.find(({ game }) =>
        game === 'metro').longest}`), streaks.join('; '));
});

test('games of one day stay in order when they are exported and imported', async (t) => {
    const day = ['one', 'casual', 'two', 'three', 'special', 'four', 'own', 'bots']
        .map((name) => dated(games[name], '2026-04-01'));
    const page = await visit(t, `${server.url}/#games`, { kept: Object.fromEntries(
        day.map((record, i) => item(`g${9 - i}`, record, { created: i, changed: 50 + i,
            map: record.includes('map harbour') ? ownMap : '' }))) });
    await page.getByRole('button', { name: 'Select several' }).click();
    await page.getByRole('button', { name: 'Select all' }).click();
    const text = await saved(page, 'Export');
    assert.deepEqual(text.split('---\n'), [...day, ownMap]);

    const other = await visit(t, `${server.url}/#games`);
    await other.locator('.drop input').setInputFiles({ name: 'day.record', mimeType: 'text/plain',
        buffer: Buffer.from(text) });
    await until(async () => (await storedGames(other)).length === day.length);
    const found = await Promise.all([page, other].map(async (one) => {
        await go(one, 'statistics');
        return saved(one, 'Save as CSV');
    }));
    assert.equal(found[0], native(await storedGames(page), '--csv'));
    assert.equal(found[1], found[0]);
});

test('a guest’s name counts too', async (t) => {
    const page = await visit(t, `${server.url}/#statistics`, {
        kept: Object.fromEntries([item('p', games.people)]),
        prepare: (context) => context.addInitScript(() => localStorage.setItem('endstation.guest',
            JSON.stringify({ guest: 'g', token: 't', device: 'd', name: 'Bea', colour: 0 }))) });
    await arrived(page, 'statistics');
    assert.deepEqual(await texts(page, '.statistics-lead'),
        ['1 finished game: 0 alone, 1 with others.']);
});

test('without games there is a sentence', async (t) => {
    const page = await open(t, Object.fromEntries([item('b', games.begun, { over: false })]));
    await page.getByText('No finished games yet.').waitFor();
    await page.getByText('1 game that isn’t over is not counted.').waitFor();
    assert.deepEqual(await axe(page, 'nothing'), []);
    await page.getByRole('link', { name: 'All games' }).click();
    await arrived(page, 'games');
});

test('a game that another tab keeps is counted', async (t) => {
    const page = await open(t, Object.fromEntries([item('a', games.one)]));
    const other = await page.context().newPage();
    await other.goto(`${server.url}/#games`);
    await other.getByText('Choose files').waitFor();
    await other.locator('.drop input').setInputFiles({ name: 'two.record', mimeType: 'text/plain',
        buffer: Buffer.from(games.two) });
    await becomes(() => texts(page, '.statistics-lead'),
        ['2 finished games: 2 alone, 0 with others.']);
});

test('games on an earlier version of a sheet open, and are counted apart', async (t) => {
    const file = new URL('../earlier/amsterdam.record', import.meta.url);
    const old = readFileSync(file, 'utf8');
    const bare = old.replace(/^map .*/m, 'map amsterdam'); // means the sheet of today
    const begun = old.split('\n').slice(0, -10).join('\n');
    const page = await open(t, Object.fromEntries([item('old', old), item('new', bare),
        item('begun', `${begun}\n`, { over: false })]));
    const rows = await cells(page, 'Alone');
    assert.equal(rows.length, 2);
    assert.deepEqual(Object.fromEntries(rows.map(([name, n, median]) => [name, [n, median]])),
        { Amsterdam: ['1', '50'], 'Amsterdam (earlier version)': ['1', '49'] });
    assert.match(await saved(page, 'Save as CSV'),
        /,amsterdam,7489d4756c6cb1924e7d9964d2ab1bcd,Amsterdam,/);
    await go(page, 'game=old');
    await page.getByText('Your first result on Amsterdam (earlier version).').waitFor();
    assert.equal(await page.locator('.compared li').count(), 5, 'the bots’ results are kept, too');
    await go(page, 'game=begun');
    await turn(page);
    await go(page, 'games');
    await becomes(async () => (await texts(page, '.kept h2')).sort(),
        ['Amsterdam', 'Amsterdam (earlier version)', 'Amsterdam (earlier version)']);
    for (const [language, name, city = 'Amsterdam'] of [['de', 'frühere Fassung'],
        ['nl', 'eerdere versie'], ['fr', 'ancienne version'],
        ['es', 'versión anterior', 'Ámsterdam']]) {
        await page.locator('#bar-language').selectOption(language);
        await becomes(async () => (await texts(page, '.kept h2')).sort(),
            [city, ...Array(2).fill(`${city} (${name})`)]);
    }
});

// ---- The plot ----

const many = Object.fromEntries([
    ...['one', 'two', 'three', 'four', 'casual'].map((name, i) => item(`s${i}`, games[name],
        { created: i })), item('h', games.helped), item('m', games.metro),
    item('m3', games.metroForThree), item('m4', games.another)]);

test('the plot shows the games that are chosen, by keyboard', async (t) => {
    const page = await open(t, many);
    const found = JSON.parse(native(await storedGames(page), '--name', ADA, '--json')).groups;
    assert.deepEqual(found.map(({ players }) => players), [1, 1, 2, 3]);
    const points = (value, digits) => value.toFixed(digits).replace('-', '−');
    const level = (name) => name[0].toUpperCase() + name.slice(1);
    const select = page.getByLabel('Games', { exact: true });
    await select.focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
        await page.keyboard.press(key);
        const i = Number(await select.inputValue());
        const group = found[i];
        await becomes(() => page.locator('.statistics-plot [data-result]').count(), group.games);
        assert.equal(await page.locator('.statistics-plot .result.best').count(), 1);
        const label = await page.locator('.statistics-plot svg[role=img]')
            .getAttribute('aria-label');
        assert.equal(label.split(', ').slice(0, 3).join(', '),
            `points over time, games ${group.games}, best ${group.best}`);
        const figures = await texts(page, '[aria-labelledby=statistics-course] .figures div');
        assert.ok(figures.includes(`Games ${group.games}`), figures.join('; '));
        await page.locator('.statistics-all summary').focus();
        await page.keyboard.press('Enter');
        await becomes(() => page.locator('.statistics-all tbody tr td:nth-child(2)')
            .allInnerTexts(), group.results.toReversed().map(({ points }) =>
            String(points).replace('-', '−')));
        assert.deepEqual(await page.locator('section[aria-labelledby=statistics-course] ' +
            '.stack > .scroll tbody tr').evaluateAll((rows) => rows.map((row) =>
            [...row.children].map((cell) => cell.textContent))), group.levels?.map((one) => [
            `${level(one.level)}, ${one.games.toLocaleString('en')} games`, points(one.mean, 1),
            `${one.belowMedian}%`, `${one.belowBest}%`]) ?? group.rivals.map((one) => [
            `${level(one.rival)}, ${one.games} game${one.games > 1 ? 's' : ''}`,
            `${Math.round(100 * one.wins / one.games)}%`, points(one.mean, 1),
            points(one.median, one.median % 1 ? 1 : 0), points(one.best, 0)]));
        await select.focus();
    }
});

test('on paper the plot is black, and there are no buttons', async (t) => {
    const page = await open(t, many, { theme: 'dark' });
    const fill = () => page.locator('.statistics-plot .result.best circle').getAttribute('fill');
    assert.equal(await fill(), '#eceae4');
    await page.emulateMedia({ media: 'print' });
    await becomes(() => page.locator('.statistics-plot .mean path').getAttribute('stroke'),
        '#000000');
    assert.equal(await page.locator('.statistics-actions').isVisible(), false);
    assert.equal(await page.locator('.statistics-printed').innerText(), 'Practice, alone');
    await page.emulateMedia({ media: 'screen' });
    await becomes(fill, '#eceae4');
});

// Nothing has to be scrolled sideways.
async function fits(page, where) {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0,
        where);
    assert.deepEqual(await page.locator('.scroll').evaluateAll((all) => all.filter((one) =>
        one.scrollWidth > one.clientWidth).map((one) => one.textContent)), [], where);
    const crooked = await page.locator('.screen-statistics table').evaluateAll((all) => all
        .flatMap((table) => {
            const right = (row) => [...row.children].slice(1)
                .map((cell) => Math.round(cell.getBoundingClientRect().right));
            const [head, ...rows] = [...table.querySelectorAll('tr')].map(right);
            return rows.filter((row) => String(row) !== String(head)).map((row) => [head, row]);
        }));
    assert.deepEqual(crooked, [], `${where}: numbers are below their headings`);
}

test('nothing is against the guidelines, at any size and theme', async (t) => {
    for (const [size, theme] of [['phone', 'dark'], ['tablet', 'light'], ['desktop', 'light']]) {
        const page = await open(t, many, { size, theme });
        for (const [shown, said] of [['0', 'Compared with games of bots'], ['3', 'By opponent']]) {
            await page.getByLabel('Games', { exact: true }).selectOption(shown);
            await page.getByRole('heading', { name: said }).waitFor();
            await page.locator('.statistics-all summary').click();
            await page.locator('.statistics-results').waitFor();
            assert.deepEqual(await axe(page, `${size}, ${theme}`), []);
            await fits(page, size);
        }
    }
});

test('everything fits at any width, in every language', async (t) => {
    for (const language of ['en', 'de', 'nl', 'fr', 'es']) {
        const page = await open(t, { settings: { ...settings, language }, ...many,
            ...Object.fromEntries([item('x', games.special), item('b', games.bots),
                item('o', games.own, { map: ownMap })]) });
        const last = await page.locator('#statistics-what option').count() - 1;
        for (const shown of [0, last]) {
            await page.locator('#statistics-what').selectOption(String(shown));
            for (const width of [320, 360, 600, 900, 1024, 1280]) {
                await page.setViewportSize({ width, height: 780 });
                await fits(page, `${language}, ${width} pixels, ${shown}`);
            }
        }
    }
});

test('a thousand games are all counted', async (t) => {
    const records = [games.one, games.two, games.three, games.four];
    const kept = Object.fromEntries(Array.from({ length: 1000 }, (_, i) =>
        item(`g${i}`, records[i % 4], { created: i })));
    const page = await open(t, kept);
    assert.deepEqual(await texts(page, '.statistics-lead'),
        ['1,000 finished games: 1,000 alone, 0 with others.']);
    assert.equal(await page.locator('.statistics-plot [data-result]').count(), 1000);
});

// ---- The end of a game ----

test('a result alone says where it stands', async (t) => {
    const own = ['one', 'two', 'three', 'four', 'casual'].map((name) => games[name]);
    const engine = await loadAnalysisEngine(wasm);
    engine.countBegin(5, []);
    own.forEach((record) => assert.equal(engine.count(record), 'counted'));
    engine.countEnd();
    const standings = own.map((_, i) => engine.standing(i));
    const best = standings.findIndex(({ place }) => place === 1);
    const third = standings.findIndex(({ place }) => place === 3);
    assert.ok(best >= 0 && third >= 0);
    const page = await visit(t, `${server.url}/#game=s${third}`, { kept: { settings, ...many } });
    for (const [id, said] of [[third, 'Place 3 among your 5 results on Practice.'],
        [best, 'Your best of 5 results on Practice.']]) {
        await go(page, `game=s${id}`);
        await turn(page);
        await page.getByText(said).waitFor();
        const { levels } = standings[id];
        assert.ok(levels.length >= 3);
        assert.deepEqual(await texts(page, '.compared li'),
            levels.map(({ level, percent, games: n }) => `${level[0].toUpperCase()}${
                level.slice(1)} better than ${percent}% of ${n.toLocaleString('en')} games`));
    }
    assert.deepEqual(await axe(page, 'the end'), []);
    await page.getByRole('link', { name: 'All statistics' }).click();
    await arrived(page, 'statistics');
    await go(page, 'game=h');
    await page.getByText('Results with help are counted separately.').waitFor();
    await go(page, 'game=m');
    await turn(page);
    await page.locator('.ending').waitFor();
    assert.equal(await page.getByText('How this result compares').count(), 0, 'only alone');
});

test('a first result says so', async (t) => {
    const page = await visit(t, `${server.url}/#game=x`, { kept: { settings,
        ...Object.fromEntries([item('x', games.special)]) } });
    await page.getByText('Your first result on Practice (special stations).').waitFor();
});
