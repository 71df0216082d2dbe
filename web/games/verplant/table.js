/* What is different about the table of verplant: the card and the pile, wagons to tap, the sheets
 * of the others, the sum. See web/table/table.js. */
import {SVG, button, h, icon, isDark} from '../../ui/dom.js';
import {GLOW_MS, LIGHT_MS, runLight} from '../../ui/lights.js';
import {become, drawn, factTable, refill} from '../../ui/parts.js';
import {settings} from '../../store/store.js';
import {number, t, tn} from '../../app/texts.js';
import {full, list, planned, playerName, points} from '../../ui/words.js';
import {cardName, cardRule} from './face.js';

/* ---- The card and the pile ---- */

const wholeCard = (table, card) =>
    drawn(table.engine.piece('verplant', card?.code ?? 'back', isDark()), 'card-picture');

/* Every kind with how many of it are left. */
function pile(table) {
    const {deck, left} = table.state;
    if (!settings.get('pile')) {
        return h('p', {class: 'muted', 'data-guide': 'pile'},
            tn('{n} card in the pile', '{n} cards in the pile', left));
    }
    return h('div', {class: 'pile', 'data-guide': 'pile'},
        h('h2', {}, tn('{n} card in the pile', '{n} cards in the pile', left)),
        h('ul', {class: 'pile-kinds'}, deck.map((kind) => h('li', {
            class: kind.left ? '' : 'gone',
            'aria-label': t('{card}: {left} of {all}', {
                card: cardName(kind.card), left: kind.left, all: kind.all}),
        }, wholeCard(table, kind.card),
        h('span', {class: 'pile-count', 'aria-hidden': 'true'}, number(kind.left))))));
}

function now(table, news = []) {
    const {state} = table;
    const card = state.card ?? state.last;
    if (state.over) {
        return [];
    }
    const arrives = news.some(({what}) => what === 'card');
    return table.cached(`card ${card?.code} ${state.round} ${state.left}`, () => [
        h('div', {class: arrives ? 'open-card arrives' : 'open-card', 'data-guide': 'card',
            'data-key': `card-${state.round}`},
        wholeCard(table, card),
        card && h('div', {class: 'card-words'}, h('strong', {}, cardName(card)),
            h('p', {}, cardRule(card)))),
        pile(table),
    ]);
}

/* ---- Lines as buttons ---- */

/* A copy of a line's wagon from the sheet, with what is written in its windows. */
function wagon(table, letter) {
    const part = table.picture?.querySelector(`#wagon-${letter}`);
    if (!part) {
        return h('span', {class: 'chip-letter'}, letter);
    }
    const {x, y, width, height} = table.cached(`box ${letter}`, () => part.getBBox());
    const picture = document.createElementNS(SVG, 'svg');
    const copy = part.cloneNode(true);
    copy.removeAttribute('id');
    picture.setAttribute('viewBox', `${x - 1} ${y - 1} ${width + 2} ${height + 2}`);
    picture.setAttribute('class', 'chip-wagon');
    picture.setAttribute('aria-hidden', 'true');
    picture.setAttribute('font-family', 'Helvetica, Arial, Liberation Sans, sans-serif');
    picture.setAttribute('stroke-linecap', 'round');
    picture.setAttribute('stroke-linejoin', 'round');
    picture.style.aspectRatio = `${width + 2} / ${height + 2}`;
    picture.append(copy);
    return picture;
}

const NO_PLAN = {plan: '', line: '', marks: [], options: []}; /* while one waits */

/* What a line is still worth to this player. */
function value(line, mine) {
    if (mine.done) {
        return points(mine.won || (mine.claimed ? line.later : line.first));
    }
    return mine.claimed || line.first === line.later ? points(line.later)
        : t('{first} or {later} points', {first: line.first, later: line.later});
}

/* The same as on the sheet: a diamond for the first, a square for those who come later. */
function worth(line, mine) {
    if (mine.done) {
        return `✓ ${number(mine.won)}`;
    }
    return mine.claimed ? `□ ${number(line.later)}` : `◇ ${number(line.first)}`;
}

function lineInWords(line, mine, option, ride) {
    return [
        t('Line {line}', {line: line.letter}),
        !ride && (option ? tn('up to {n} mark', 'up to {n} marks', option.marks)
            : t('can’t be chosen')),
        tn('{n} window free', '{n} windows free', mine.free),
        tn('{n} station empty', '{n} stations empty', mine.left),
        mine.done ? t('complete') : value(line, mine),
    ].filter(Boolean).join(', ');
}

/* What the signs on a chip mean. */
function chipHelp(line, mine, option) {
    return [
        option ? tn('× {n}: up to {n} mark', '× {n}: up to {n} marks', option.marks)
            : t('–: can’t be chosen now'),
        mine.done ? t('✓ {n}: complete, {n} points', {n: mine.won})
            : mine.claimed ? t('□ {n}: points for completing it', {n: line.later})
                : t('◇ {n}: points for completing it first, later □ {later}',
                    {n: line.first, later: line.later}),
    ].join('\n');
}

function chip(table, line, mine) {
    const {state} = table;
    const plan = table.plan ?? NO_PLAN;
    const ride = state.card?.kind === 'ride';
    const option = ride ? table.acting && mine.left > 0 && {marks: 1}
        : plan.options.filter((one) => one.line === line.letter)
            .sort((a, b) => b.marks - a.marks)[0];
    const words = ride || settings.get('confirm') ? `key ${line.letter}`
        : `tap wagon-${line.letter}`;
    const drawing = table.pane?.written(`wagon-${line.letter}`);
    const chosen = plan.line === line.letter;
    const look = `${option?.marks} ${chosen} ${drawing}`;
    /* Nearly all chips stay as they are while a move is planned. */
    const kept = table.cached(`chip ${line.letter}`, () => ({element: h('button'), look: ''}));
    if (kept.look !== look && !(kept.look && table.peeked)) { /* not from a look back */
        kept.look = look;
        become(kept.element, h('button', {
            type: 'button', class: 'chip', 'data-key': `line-${line.letter}`, disabled: !option,
            'data-line': line.letter, 'data-tip': chipHelp(line, mine, option),
            'aria-pressed': String(chosen), onclick: () => table.choose(words),
        }, h('span', {class: 'visually-hidden'}, lineInWords(line, mine, option, ride)),
        wagon(table, line.letter),
        h('span', {class: 'chip-facts', 'aria-hidden': 'true'},
            h('span', {class: 'chip-marks'}, option ? `× ${number(option.marks)}` : '–'),
            h('span', {class: mine.done ? 'chip-worth won' : 'chip-worth'}, worth(line, mine)))));
    }
    return kept.element;
}

/* ---- Fewer, more, which way ---- */

function step(table, key, label, name, words, disabled = false) {
    return h('button', {type: 'button', class: 'button square', 'data-key': key, disabled,
        'aria-label': label, title: label, onclick: () => table.choose(words)}, icon(name));
}

function rideSteps(table) {
    const {line, plan, marks} = table.plan;
    return [
        step(table, 'back', t('Previous empty station'), 'back', 'key Left', !line),
        step(table, 'next', t('Next empty station'), 'next', 'key Right', !line),
        button(t('Skip the ride'), {'data-key': 'none',
            'aria-pressed': String(plan !== '' && marks.length === 0),
            onclick: () => table.choose('key 0')}),
    ];
}

function markSteps(table) {
    const {line, marks, most, direction} = table.plan;
    const n = marks.length;
    const ring = table.state.map.lines.find(({letter}) => letter === line)?.ring;
    return [
        step(table, 'fewer', t('Fewer marks'), 'minus', `key ${n - 1}`, n === 0),
        h('span', {class: 'step-count'}, tn('{n} mark', '{n} marks', n)),
        step(table, 'more', t('More marks'), 'plus', `key ${n + 1}`, n >= most),
        ring && h('span', {class: 'step-ways', role: 'group', 'aria-label': t('Direction')},
            ['<', '>'].map((way) => {
                const label = way === '<' ? t('Backwards round the ring')
                    : t('Forwards round the ring');
                return h('button', {type: 'button', class: 'button square',
                    'data-key': `way${way}`, 'aria-label': label, title: label,
                    'aria-pressed': String(direction === way),
                    onclick: () => table.choose(way === '<' ? 'key Left' : 'key Right'),
                }, icon(way === '<' ? 'back' : 'next'));
            })),
    ];
}

function controls(table) {
    const {state, me} = table;
    const steps = !table.acting ? [] : state.card.kind === 'ride' ? rideSteps(table)
        : table.plan.line ? markSteps(table) : [];
    const chips = table.cached('chips', () => h('div', {class: 'chips'}));
    refill(chips, state.map.lines.map((line, i) => chip(table, line, me.lines[i])));
    return [chips, h('div', {class: 'steps'}, steps)];
}

/* ---- In words ---- */

function say(table) {
    const {acting, me, plan, state} = table;
    if (!acting) {
        return !state.over && me.free === 0 && table.viewer
            ? t('Your windows are full. The others are still playing.') : '';
    }
    if (plan.plan) {
        const what = full(planned(plan, state));
        return plan.owed ? tn('{what} Then use this card {n} more time.',
            '{what} Then use this card {n} more times.', plan.owed, {what}) : what;
    }
    if (state.extra) {
        return t('Special station: use the same card once more.');
    }
    return state.card.kind === 'ride' ? t('Choose any empty station.')
        : t('Choose a line: tap its train or a station.');
}

function status(table) {
    const {state, me} = table;
    if (state.over) {
        return t('Game over');
    }
    return tn('Round {round}, {n} window free', 'Round {round}, {n} windows free', me.free,
        {round: state.round});
}

/* Why the points are below zero at first. */
function how({me}) {
    return me.score < 0 ? t('You are at {n} because empty stations cost points. Every mark helps.',
        {n: number(me.score)}) : '';
}

/* Everybody's points in one row: sheets and sums may be out of sight. */
function standing({state}) {
    const alone = state.players.length === 1;
    return [h('ul', {class: 'standing'}, state.players.map(({player, score}) => h('li', {},
        h('span', {class: 'standing-name'}, alone ? t('Points') : playerName(state, player)),
        h('strong', {}, number(score)))))];
}

/* A light runs along a line that is complete; over the sheet it says what that brings, and which
 * diamonds somebody else was quicker to get. */
function after(table, facts) {
    const {me, pane, small, state, viewer} = table;
    for (const {player, line, first, points: n} of facts.filter((one) =>
        one.what === 'done')) {
        const place = state.map.lines.findIndex(({letter}) => letter === line);
        if (player === viewer) {
            runLight(pane.inner, table.draw({lit: place + 1, bare: small, prefix: 'light-'}));
            table.note(t('Line {line}: +{n}', {line, n}), LIGHT_MS + GLOW_MS);
        } else if (first && me.lines[place].claimed) {
            table.note(t('Line {line}: {player} has the diamond', {line,
                player: playerName(state, player)}), LIGHT_MS + GLOW_MS);
        }
    }
}

/* ---- The others ---- */

function isReady(table, player) {
    return !table.state.turn.includes(player.player);
}

function other(table, player) {
    const {state} = table;
    const name = playerName(state, player.player);
    const draw = (options) => table.draw({sheet: player.player, fresh: true,
        prefix: `p${player.player}-`, ...options});
    const small = table.cached(`sheet ${player.player}`,
        () => draw({bare: true, names: false}));
    small.setAttribute('aria-hidden', 'true');
    const done = isReady(table, player);
    const ready = state.over ? '' : done ? t('ready') : t('thinking');
    return h('li', {}, h('button', {
        type: 'button', class: done ? 'other ready' : 'other',
        'data-key': `other-${player.player}`,
        title: t('Enlarge sheet: {name}', {name}),
        onclick: () => table.enlarge(name, () => draw({prefix: 'large-'})),
    }, small, h('span', {class: 'other-name'}, name),
    h('span', {class: 'other-facts'},
        h('span', {class: 'other-score', 'aria-hidden': 'true'}, number(player.score)),
        h('span', {class: 'visually-hidden'}, points(player.score)),
        ready && h('span', {class: 'other-ready'}, ready))));
}

function others(table) {
    const list = table.state.players.filter(({player}) => player !== (table.viewer || 1));
    return list.length ? [h('ul', {class: 'others'}, list.map((one) => other(table, one)))] : [];
}

/* ---- For those who do not see the sheet, and the end ---- */

function sheetText(table, player) {
    const {state} = table;
    return factTable(t('Sheet: {name}', {name: playerName(state, player.player)}),
        [t('Line'), t('Windows'), t('Free'), t('Empty stations'), t('Points')],
        state.map.lines.map((line, i) => {
            const mine = player.lines[i];
            return [line.ring ? t('{line} (ring)', {line: line.letter}) : line.letter,
                mine.written.length ? list(mine.written.map(cardName)) : t('nothing'),
                number(mine.free), number(mine.left),
                mine.done ? t('complete: {n}', {n: mine.won}) : value(line, mine)];
        }));
}

/* Every line from its wagon on, station by station: the picture's own titles say how each is. */
function stationsText(table, player) {
    const titles = new Map([...table.draw({sheet: player.player})
        .querySelectorAll('.station')].map((station) =>
        [station.dataset.station, station.querySelector('title')?.textContent ?? '']));
    return table.state.map.lines.map(({letter, stops}) => [
        h('h3', {}, t('Line {line}', {line: letter})),
        h('ol', {}, stops.map((id) => h('li', {}, titles.get(id) ?? id)))]);
}

function text(table) {
    const {state, me} = table;
    const rest = state.players.filter((player) => player !== me);
    return [
        h('p', {}, status(table)),
        state.card && h('p', {}, t('Card: {card}. {rule}', {
            card: cardName(state.card), rule: cardRule(state.card)})),
        h('p', {}, table.say()),
        sheetText(table, me),
        settings.get('pile') && factTable(t('The pile'), [t('Card'), t('Left')],
            state.deck.map((kind) => [cardName(kind.card), number(kind.left)])),
        rest.map((player) => sheetText(table, player)),
        stationsText(table, me),
    ];
}

/* As on the paper sheet; with several players, one in each row. */
function sum(table) {
    const {players, winners} = table.state;
    const heads = [t('Lines'), t('2 × transfers'), t('Empty'), t('Total')];
    const cells = ({lines, transfers, penalty, total}) =>
        [lines, transfers, penalty && -penalty, total].map((n) => number(n));
    const result = players.length === 1
        ? factTable(t('Score'), [], cells(players[0].sum).map((cell, i) => [heads[i], cell]))
        : factTable(t('Score'), ['', ...heads], players.map((player) =>
            [playerName(table.state, player.player), ...cells(player.sum)]));
    result.classList.add('sum', players.length === 1 ? 'sum-alone' : 'sum-players');
    [...result.tBodies[0].rows].forEach((row, i) =>
        row.classList.toggle('won', players.length > 1 && winners.includes(i + 1)));
    return [result];
}

export const table = {
    target(table, spot) {
        const id = spot.part('.station, .wagon') || spot.under('.value') || spot.under('.line');
        return id && `tap ${id}`;
    },
    keys: () => [
        [t('A to Z'), t('Choose a line; on a free ride, walk along it')],
        [t('0 to 9'), t('Number of marks; on a free ride, 0 skips it')],
        [t('Up, Down'), t('Previous or next line')],
        [t('Left, Right'), t('Fewer or more marks; on a ring, the direction')],
    ],
    sounds: {card: 'card', entry: 'pencil', ride: 'pencil', done: 'done'},
    neutral: (table) => [h('div', {class: 'now-region'}, now(table))],
    /* Lights up the chosen line. */
    look: ({plan, state}) => ({lit: state.map.lines.findIndex(({letter}) =>
        letter === plan?.line) + 1}),
    peek: (table, {player, line}) => ({sheet: player || table.viewer || 1,
        lit: table.state.map.lines.findIndex(({letter}) => letter === line) + 1}),
    status, how, standing, now, controls, say, others, text, sum, after,
};
