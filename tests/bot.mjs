/* A bot in another language than the example, written from docs/bots.md and docs/formats.md alone:
 * it plays a legal event that the seed chooses. tests/bot_example.sh runs it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const engine = spawn(process.env.ENDSTATION, ['engine']);
const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
const hear = async () => (await answers.next()).value;

await hear();
console.log('endstation-engine 1 other 1');
let position = null;
for await (const line of createInterface({ input: process.stdin })) {
    const words = line.split(' ');
    if (line === 'position') {
        position = [line];
    } else if (position && position.at(-1) !== 'end') {
        position.push(line);
        if (line === 'end')
            console.log('ok');
    } else if (words[0] === 'go') {
        engine.stdin.write(`${position.join('\n')}\nmoves\n`);
        await hear(); // ok
        const legal = [];
        for (let event = await hear(); event !== 'end'; event = await hear())
            if (event.startsWith(`${words[2]} `))
                legal.push(event);
        console.log(`# ${legal.length} events`);
        console.log(`best ${legal[words.at(-1) % legal.length]}`);
    } else if (line === 'quit') {
        break;
    }
}
engine.stdin.end();
