/* Turns facts from C (page.h) into sentences in the reader's language, the same in the log, in
 * announcements, plans, hints and results. A game's own facts are worded by its face (faces.js),
 * which has to be loaded. Sentences have no full stop, so that they can be used in lists and on
 * buttons; `tellAll` makes running text of several. */
import {eventName, faceOf} from '../games/faces.js';
import {settings} from '../store/store.js';
import {language, number, t, tn} from '../app/texts.js';

/* ---- Lists, names ---- */

// 'Ada, Ben and Eva'.
export function list(items) {
    return new Intl.ListFormat(language(), {type: 'conjunction'}).format(items);
}

// With a capital letter and a full stop.
export function full(text) {
    const first = [...text][0] || '';
    const end = text === '' || /[.?!]$/.test(text) ? '' : '.';
    return first.toLocaleUpperCase(language()) + text.slice(first.length) + end;
}

// English sentences of C use \x27 as apostrophe and quotation mark.
const typeset = (text) => text.replace(/(?<!\p{L})\x27([^\x27]*)\x27(?!\p{L})/gu, '“$1”')
    .replace(/\x27/g, '’');

// A sentence of C (status.h): why something cannot be done; and after the words that it is about.
export function reason(sentence, words = '') {
    const why = sentence ? full(typeset(t(sentence))) : ''; // text
    return words && why ? t('“{words}”: {why}', {words, why}) : why;
}

export function levelName(level) {
    switch (level) {
    case 'random': return t('Random');
    case 'greedy': return t('Greedy');
    case 'casual': return t('Casual');
    case 'strong': return t('Strong');
    case 'master': return t('Master');
    default: return level;
    }
}

// What is written on a key.
export function keyName(key) {
    switch (key) {
    case 'Enter': return t('Enter');
    case 'Backspace': return t('Backspace');
    default: return key;
    }
}

// Whether a key does nothing because letters, digits and signs are switched off.
export const isSwitchedOff = (key) => !settings.get('keys') && key !== ' ' && key.length === 1;

// The name, or what a bot without one is called; '' for a person without a name.
function plainName(players, i) {
    const {name = '', bot = ''} = players[i] || {};
    if (name || !bot)
        return name;
    const n = players.slice(0, i + 1).filter((one) => !one.name && one.bot === bot).length;
    return n > 1 ? t('{level} (bot {n})', {level: levelName(bot), n})
        : t('{level} (bot)', {level: levelName(bot)});
}

// The name of a player: a number from 1, or 0 for nobody. Equal names are told apart by the seat.
export function playerName(state, player) {
    if (!player)
        return t('nobody');
    let names = state.players.map((_, i) => plainName(state.players, i));
    const isShared = (name) => name && names.filter((other) => other === name).length > 1;
    while (names.some(isShared)) // again, since somebody may be called 'Ada (1)'
        names = names.map((name, i) => (isShared(name) ? `${name} (${i + 1})` : name));
    return names[player - 1] || t('Player {n}', {n: player});
}

export function playerNames(state, players) {
    return list(players.map((player) => playerName(state, player)));
}

// What is played: 'Amsterdam', or the name of the game.
export function gameName(state) {
    return faceOf(state.game).title(state);
}

export function points(n) {
    return tn('{n} point', '{n} points', n);
}

// A sentence as said of a player; alone at a table nobody needs to be named.
export function said(state, player, what) {
    return state.players.length > 1
        ? t('{player}: {what}', {player: playerName(state, player), what}) : what;
}

/* ---- The log ---- */

// One fact of the log as a sentence; '' if it is not worth telling.
export function tell(fact, state) {
    if (fact.what === 'over')
        return result(state, fact.winners);
    const {sentences} = faceOf(state.game);
    if (sentences[fact.what])
        return sentences[fact.what](fact, state);
    if (!fact.event)
        return '';
    return fact.player ? said(state, fact.player, eventName(fact.event)) : fact.event;
}

// Several facts as running text: an announcement.
export function tellAll(facts, state) {
    return facts.map((fact) => full(tell(fact, state))).filter(Boolean).join(' ');
}

/* ---- Plans and hints ---- */

// What a planned move does ('' if none is planned).
export function planned(plan, state) {
    return plan?.plan ? faceOf(state.game).planned(plan, state) : '';
}

// What a bot expects of a move: '41.2 points'.
export function expected(candidate) {
    const points = number(candidate.points, 1);
    return candidate.win < 1 ? t('{points} points, {percent}% chance of winning', {
        points, percent: number(100 * candidate.win, 0)}) : t('{points} points', {points});
}

/* ---- Results ---- */

// One sentence for how a game has ended.
export function result(state, winners = state.winners) {
    const best = state.players[(winners[0] || 1) - 1].score;
    if (state.players.length === 1)
        return tn('Game over: {n} point', 'Game over: {n} points', best);
    if (winners.length > 1)
        return tn('{players} share the win with {n} point',
            '{players} share the win with {n} points', best,
            {players: playerNames(state, winners)});
    const player = playerName(state, winners[0]);
    const why = state.tied.length > 0 && faceOf(state.game).tie(player);
    if (why)
        return why;
    return tn('{player} wins with {n} point', '{player} wins with {n} points', best, {player});
}
