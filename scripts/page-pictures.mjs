// Makes the pictures of the page in the documents: node scripts/page-pictures.mjs [FOLDER]. Bots
// play the games from known seeds, so that a change in a picture is a change of the page.
import test from 'node:test';
import { go, keptGame, newRecord, played, serve, turn, visit } from '../tests/page/browser.mjs';

const folder = process.argv[2] ?? 'docs/pictures';
const server = await serve();
test.after(() => server.stop());

// Opens a kept game and takes its picture; act(page) is called before that.
const picture = (name, record, options, act = () => {}) => test(name, async (t) => {
    const page = await visit(t, server.url, {
        kept: { 'game.x': keptGame('x', await record) }, ...options });
    await go(page, 'game=x');
    await turn(page);
    await act(page);
    await page.screenshot({ path: `${folder}/${name}.png` });
});

const seed = '2a'.repeat(32);
const berlin = played(newRecord({ map: 'berlin', seed,
    seats: ['Ada', { bot: 'casual' }, { bot: 'strong' }, { bot: 'master' }] }), 61,
{ level: ['strong', 'casual', 'strong', 'master'] });
const paris = played(newRecord({ map: 'paris', rules: 'special', seed }), 27,
    { level: ['strong'] });
const board = played(newRecord({ game: 'metro', seed,
    seats: ['Ada', { bot: 'strong' }, { bot: 'master' }] }), 62,
{ level: ['strong', 'strong', 'strong'] });

picture('page-sheet', berlin, {}, (page) => page.keyboard.press('C'));
picture('page-board', board, { theme: 'dark' }, (page) => page.keyboard.press('ArrowUp'));
picture('page-phone', paris, { size: 'phone', deviceScaleFactor: 2 },
    (page) => page.keyboard.press('D'));
