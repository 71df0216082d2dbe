// Every screen, and what can be opened on it, by day: it comes up without fault, and axe-core has
// nothing to say against it. On a phone; at other sizes at a few stops. The other half: night.mjs.
import test from 'node:test';
import { serve } from './browser.mjs';
import { inspect } from './places.mjs';

const server = await serve('--port', '0');
test.after(() => server.stop());

test('phone', (t) => inspect(t, server.url, 'phone', 'light'));
test('tablet', (t) => inspect(t, server.url, 'tablet', 'light', ['lessons', 'messages']));
test('desktop', (t) => inspect(t, server.url, 'desktop', 'light', ['conductor']));
