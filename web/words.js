/* Facts as sentences. C says what is so (page.h); here it is said in the language of the reader,
 * the same in the log, in announcements, in plans, hints and results. A sentence without a full
 * stop can stand in a list or on a button; `tellAll` makes running text of several. */
import {language, number, t, tn} from './texts.js';

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

// A sentence of C (status.h): why something cannot be done.
export function reason(sentence) {
    return sentence ? full(t(sentence)) : ''; // text
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

// What is played: 'Amsterdam', 'Metro'. Sheets of one's own keep their names.
export function gameName(state) {
    if (state.game === 'metro')
        return t('Metro');
    return state.map.built_in ? t(state.map.title) : state.map.title; // text
}

// A sheet that is built in.
export function cityName(id) {
    switch (id) {
    case 'amsterdam': return t('Amsterdam');
    case 'berlin': return t('Berlin');
    case 'paris': return t('Paris');
    case 'madrid': return t('Madrid');
    default: return t('Practice');
    }
}

export function points(n) {
    return tn('{n} point', '{n} points', n);
}

// A sentence as said of a player; alone at a table nobody needs to be named.
function said(state, player, what) {
    return state.players.length > 1
        ? t('{player}: {what}', {player: playerName(state, player), what}) : what;
}

/* ---- Cards ---- */

export function cardName(card) {
    if (card === '+')
        return t('Transfer');
    if (card === 'o')
        return t('Free ride');
    return card[0] === 'x' ? t('Express {n}', {n: card.slice(1)})
        : t('Number {n}', {n: card});
}

// What a card lets one do.
export function cardRule(card) {
    if (card === '+')
        return t('One line: the first empty station gets the number of its lines, framed.');
    if (card === 'o')
        return t('One mark in any empty station. No window is filled.');
    if (card[0] === 'x')
        return tn('One line: {n} mark, jumping marked stations.',
            'One line: up to {n} marks, jumping marked stations.', Number(card.slice(1)));
    return tn('One line: {n} mark.', 'One line: up to {n} marks in a row.', Number(card));
}

/* ---- Entries of verplant ---- */

function marked(line, marks) {
    if (marks.length === 0)
        return t('Line {line}: no mark', {line});
    return tn('Line {line}: {n} mark, {station}', 'Line {line}: {n} marks, up to {station}',
        marks.length, {line, station: marks[marks.length - 1]});
}

function framed(line, station, n) {
    return n ? t('Line {line}: transfer {n} at {station}', {line, n, station})
        : t('Line {line}: transfer at {station}', {line, station});
}

function ride(station) {
    return station ? t('Free ride to {station}', {station}) : t('The free ride is not used');
}

function lineDone(fact, alone) {
    const {line, points: n, first} = fact;
    if (alone)
        return tn('Line {line} is complete: {n} point', 'Line {line} is complete: {n} points', n,
            {line});
    return first
        ? tn('First on line {line}: {n} point', 'First on line {line}: {n} points', n, {line})
        : tn('Later on line {line}: {n} point', 'Later on line {line}: {n} points', n, {line});
}

/* ---- Tiles and lines of metro ---- */

export function tileName(tile, turns = 0) {
    if (!tile || tile === '?')
        return t('a hidden tile');
    return turns ? t('tile {tile}, turned by {degrees}°', {tile, degrees: 90 * turns})
        : t('tile {tile}', {tile});
}

// Where the tracks of a tile lead, for those who do not see it: 'top to bottom, …'.
export function tileTracks(tile, turns = 0) {
    if (!/^[abcd]{4}$/.test(tile))
        return '';
    const sides = [t('top'), t('right'), t('bottom'), t('left')];
    const onward = {a: 2, b: 1, c: 3, d: 0};
    return sides.map((from, side) => t('{from} to {to}', {
        from, to: sides[(side + onward[tile[(side - turns + 4) % 4]]) % 4]})).join(', ');
}

// Both: 'tile aacb: top to bottom, …'.
export function tileInWords(tile, turns = 0) {
    return tile === '?' ? tileName(tile)
        : t('{tile}: {tracks}', {tile: tileName(tile, turns), tracks: tileTracks(tile, turns)});
}

// A line that is finished, or would be: 'Line 5: 12 points for Ada'.
function lineFinished(fact, state) {
    const {station, owner, tiles, end, points: n} = fact;
    if (end === 'centre')
        return owner
            ? t('Line {station} reaches the centre: {tiles} × 2 = {n} points for {player}', {
                station, tiles, n, player: playerName(state, owner)})
            : t('Line {station} reaches the centre, but is nobody’s', {station});
    return owner
        ? tn('Line {station}: {n} point for {player}', 'Line {station}: {n} points for {player}', n,
            {station, player: playerName(state, owner)})
        : t('Line {station} is finished, but is nobody’s', {station});
}

// A station of metro and its line as it is now (state.stations).
export function stationLine(fact, state) {
    const {station, owner, tiles, end} = fact;
    if (end)
        return lineFinished(fact, state);
    return owner
        ? tn('Line {station} of {player}: {n} tile', 'Line {station} of {player}: {n} tiles', tiles,
            {station, player: playerName(state, owner)})
        : tn('Line {station}, nobody’s: {n} tile', 'Line {station}, nobody’s: {n} tiles', tiles,
            {station});
}

function laid({tile, turns, square}) {
    return turns
        ? t('Tile {tile}, turned by {degrees}°, on {square}', {
            tile, degrees: 90 * turns, square})
        : t('Tile {tile} on {square}', {tile, square});
}

/* ---- The log ---- */

const sentences = {
    card: (fact) => fact.shuffled
        ? t('The cards are shuffled. Card: {card}', {card: cardName(fact.card)})
        : t('Card: {card}', {card: cardName(fact.card)}),
    entry: (fact, state) => said(state, fact.player, fact.framed
        ? framed(fact.line, fact.marks[0], fact.framed) : marked(fact.line, fact.marks)),
    ride: (fact, state) => said(state, fact.player, ride(fact.station)),
    done: (fact, state) => said(state, fact.player, lineDone(fact, state.players.length === 1)),
    deal: (fact, state) => fact.tile && fact.tile !== '?'
        ? said(state, fact.player, t('Takes tile {tile}', {tile: fact.tile})) : '',
    draw: (fact, state) => said(state, fact.player, t('Draws instead of laying')),
    lay: (fact, state) => said(state, fact.player, laid(fact)),
    finish: lineFinished,
    over: (fact, state) => result(state, fact.winners),
};

// One fact of the log as a sentence; '' if nobody would want to hear of it.
export function tell(fact, state) {
    return sentences[fact.what]?.(fact, state) ?? '';
}

// Several facts as running text: an announcement.
export function tellAll(facts, state) {
    return facts.map((fact) => full(tell(fact, state))).filter(Boolean).join(' ');
}

/* ---- Plans and hints ---- */

// What a planned move does ('' if none is planned).
export function planned(plan, state) {
    if (!plan || !plan.plan)
        return '';
    if (state.game === 'metro')
        return plannedTile(plan, state);
    const what = plannedEntry(plan, state);
    return plan.gain ? t('{what} ({gain})', {what, gain: points(plan.gain)}) : what;
}

function plannedEntry(plan, state) {
    const {line, marks} = plan;
    if (!line || state.card === 'o')
        return ride(marks[0]);
    if (state.card === '+' && marks.length)
        return framed(line, marks[0], plan.framed);
    if (plan.direction && marks.length)
        return tn('Ring {line}: {n} mark, {station}', 'Ring {line}: {n} marks, up to {station}',
            marks.length, {line, station: marks[marks.length - 1]});
    return marked(line, marks);
}

function plannedTile(plan, state) {
    const {tile, turns, square, finish = []} = plan;
    if (!square)
        return t('Draw a tile from the stock');
    if (!finish.length)
        return laid({tile, turns, square});
    return t('{tile}: {lines}', {tile: laid({tile, turns, square}),
        lines: finish.map((line) => lineFinished(line, state)).join('; ')});
}

// An event as in a record ('1 A3', '1 @s17', '1 aacb/1 d8') in words, where no plan is at hand.
// `stationName` turns a station's id into its name.
export function describe(event, stationName = (id) => id) {
    const words = event.split(' ').slice(1);
    const [first, square] = words;
    if (first === 'draw')
        return t('Draw a tile from the stock');
    if (square)
        return laid({tile: first.slice(0, 4), turns: Number(first[5] || 0), square});
    if (first[0] === '@')
        return ride(first === '@-' ? '' : stationName(first.slice(1)));
    const n = Number(first.replace(/^.[<>]?/, ''));
    const line = first[0];
    if (first[1] === '<')
        return tn('Ring {line} backwards: {n} mark', 'Ring {line} backwards: {n} marks', n,
            {line});
    if (first[1] === '>')
        return tn('Ring {line} forwards: {n} mark', 'Ring {line} forwards: {n} marks', n, {line});
    return tn('Line {line}: {n} mark', 'Line {line}: {n} marks', n, {line});
}

// What a bot expects of a move: '41.2 points'.
export function expected(candidate) {
    const points = number(candidate.points, 1);
    return candidate.win < 1 ? t('{points} points, {percent} % to win', {
        points, percent: number(100 * candidate.win, 0)}) : t('{points} points', {points});
}

/* ---- Results ---- */

// One sentence for how a game has ended.
export function result(state, winners = state.winners) {
    const best = state.players[(winners[0] || 1) - 1].score;
    if (state.players.length === 1)
        return tn('The game is over: {n} point', 'The game is over: {n} points', best);
    if (winners.length > 1)
        return tn('{players} share the win with {n} point',
            '{players} share the win with {n} points', best,
            {players: playerNames(state, winners)});
    const player = playerName(state, winners[0]);
    const equal = state.players.filter(({score}) => score === best).length > 1;
    if (equal && state.game === 'verplant')
        return t('{player} wins: equal points, fewer empty stations', {player});
    return tn('{player} wins with {n} point', '{player} wins with {n} points', best, {player});
}

// The grade of a solo game, 0 (best) to 7.
export function gradeName(grade) {
    return [
        t('The city renames its central station after you.'),
        t('Trains wave at you as they pass, exactly on time.'),
        t('A network to commute on with pleasure.'),
        t('Most people arrive, some of them even where they wanted to.'),
        t('The replacement buses are much praised.'),
        t('The map is pretty; please do not ask for a timetable.'),
        t('One train runs. Nobody knows why.'),
        t('Passengers are advised to walk.'),
    ][grade] || '';
}
