// What the tests of the page print: those that failed, why, and what their pages showed; then the
// numbers. Logs are cut, and what failed would drown in sixty tests that passed.
import { inspect } from 'node:util';

const TOTAL = /^(tests|pass|fail|cancelled|skipped) \d+$/;
const MORE = /^(suites|todo|duration_ms) /;

const indent = (text) => text.replaceAll(/^/gm, '    ');

// The runner wraps an assertion in an error of its own.
function reasonOf(error) {
    const cause = error?.cause ?? error;
    return cause?.stack ?? inspect(cause);
}

export default async function* report(source) {
    const totals = [];
    let failed = false; // the latest test: what it said follows
    for await (const { type, data } of source) {
        if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
        if (type === 'test:pass' || type === 'test:fail') failed = type === 'test:fail';
        if (type === 'test:fail') {
            yield `FAILED: ${data.name}\n${indent(reasonOf(data.details.error))}\n`;
        } else if (type === 'test:pass' && data.skip) {
            yield `skipped: ${data.name}: ${data.skip}\n`;
        } else if (type === 'test:diagnostic') {
            if (TOTAL.test(data.message)) totals.push(data.message);
            else if (failed && !MORE.test(data.message)) yield `${indent(data.message)}\n`;
        }
    }
    yield `${totals.join(', ')}\n`;
}
