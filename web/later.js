/* What a first visit does not need, in one file: a visitor waits for few files rather than for
 * small ones. */
export * as accessibility from './accessibility.js';
export * as account from './account.js';
export * as analysis from './analysis.js';
export * as challenge from './challenge.js';
export * as face from './face.js';
export * as fair from './fair.js';
export * as games from './games.js';
export * as help from './help.js';
export * as host from './host.js';
export * as learn from './learn.js';
export * as lobby from './lobby.js';
export * as print from './print.js';
export * as privacy from './privacy.js';
export * as problems from './problems.js';
export * as replay from './replay.js';
export * as result from './result.js';
export * as room from './room.js';
export * as settings from './settings.js';
export * as setup from './setup.js';
export * as share from './share.js';
export * as sound from './sound.js';
export * as statistics from './statistics.js';
export * as upgrade from './upgrade.js';
