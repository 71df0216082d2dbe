/* What a first visit does not need, in one file: a visitor waits for few files rather than for
 * small ones. */
export * as accessibility from '../screens/accessibility.js';
export * as account from '../online/account.js';
export * as analysis from '../review/analysis.js';
export * as challenge from '../table/challenge.js';
export * as comparison from '../table/comparison.js';
export * as defaultface from '../games/defaultface.js';
export * as gamelist from '../screens/gamelist.js';
export * as help from '../screens/help.js';
export * as host from '../online/host.js';
export * as lesson from '../table/lesson.js';
export * as lobby from '../online/lobby.js';
export * as print from '../screens/print.js';
export * as privacy from '../screens/privacy.js';
export * as problemlist from '../review/problemlist.js';
export * as replay from '../review/replay.js';
export * as room from '../online/room.js';
export * as settings from '../screens/settings.js';
export * as setup from '../table/setup.js';
export * as share from '../share/share.js';
export * as shufflecheck from '../engine/shufflecheck.js';
export * as sound from '../ui/sound.js';
export * as statistics from '../review/statistics.js';
export * as upgrade from '../store/upgrade.js';
