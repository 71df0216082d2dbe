// Every screen, and what can be opened on it, in the light theme: it appears without errors, and
// axe-core finds nothing. On a phone, and at a few places in other sizes. The other half is
// screens_dark.mjs.
import test from 'node:test';
import { serve } from './browser.mjs';
import { inspect } from './places.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

test('screens in the light theme, on a phone', (t) =>
    inspect(t, server.url, 'phone', 'light'));
test('screens in the light theme, on a tablet', (t) =>
    inspect(t, server.url, 'tablet', 'light', ['lessons', 'messages']));
test('screens in the light theme, on a desktop', (t) =>
    inspect(t, server.url, 'desktop', 'light', ['conductor']));
