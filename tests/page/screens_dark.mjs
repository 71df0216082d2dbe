// Every screen, and what can be opened on it, in the dark theme: on a desktop, and at a few places
// in other sizes. See screens.mjs.
import test from 'node:test';
import { serve } from './browser.mjs';
import { inspect } from './places.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

test('screens in the dark theme, on a desktop', (t) =>
    inspect(t, server.url, 'desktop', 'dark'));
test('screens in the dark theme, on a tablet', (t) =>
    inspect(t, server.url, 'tablet', 'dark', ['replays']));
test('screens in the dark theme, on a phone', (t) =>
    inspect(t, server.url, 'phone', 'dark', ['lessons', 'conductor']));
