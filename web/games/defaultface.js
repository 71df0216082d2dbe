/* The default face (faces.js), for games and parts without one of their own. It shows the picture
 * that C draws, and a button for each legal move, labelled as in a record. */
import {h} from '../ui/dom.js';
import {faceOf} from './faces.js';
import {onOff} from '../ui/forms.js';
import {factTable} from '../ui/parts.js';
import {number, t} from '../app/texts.js';
import {full, planned, playerName} from '../ui/words.js';

const scores = ({state}) => factTable(t('Points'), [], state.players.map(({player, score}) =>
    [playerName(state, player), number(score)]));

/* The options of a plan, where they are events, in words. */
function controls(at) {
    const events = (at.acting && at.plan.options || []).filter((one) => typeof one === 'string');
    return events.length ? [h('div', {class: 'row'}, events.map((event) => h('button', {
        type: 'button', class: 'button', 'data-key': event,
        'aria-pressed': String(at.plan.plan === event),
        onclick: () => at.choose(`move ${event}`)}, at.words(event))))] : [];
}

export const table = {
    target: (at, spot) => {
        const id = spot.under('.pane-inner [id]');
        return id && `tap ${id}`;
    },
    controls,
    say: (at) => (at.plan?.plan ? full(planned(at.plan, at.state))
        : at.acting ? t('Choose a move.') : ''),
    others: (at) => [scores(at)],
    text: (at) => [h('p', {}, at.say()), scores(at)],
    keys: () => [[t('Arrow keys'), t('Go through the possible moves')]],
};

/* Every move is a step. */
export const replay = {};

/* A switch for each rule that the game has; of those that exclude each other at most one is on. */
function open({name, info, kept, keep}) {
    const excluded = (rule) => info.exclusive.filter((other) =>
        other !== rule && info.exclusive.includes(rule));
    const rules = new Set();
    for (const rule of info.rules)
        if (kept.rules?.includes?.(rule) && !excluded(rule).some((other) => rules.has(other)))
            rules.add(rule);
    const switches = new Map(info.rules.map((rule) => [rule,
        onOff(...faceOf(info.name).rule(rule), rules.has(rule), (on) => set(rule, on))]));
    const set = (rule, on) => {
        rules[on ? 'add' : 'delete'](rule);
        for (const other of on ? excluded(rule) : []) {
            rules.delete(other);
            switches.get(other).querySelector('input').checked = false;
        }
        keep({rules: [...rules]});
    };
    return {
        chosen: {rules: [...rules]},
        rules: switches.size > 0 && [...switches.values()],
        begin: () => ({choices: {rules: [...rules]}, title: name}),
    };
}

/* Whatever C can print, under its own names. */
export const print = {things: () => ({}), open: () => ({})};

export const setup = {heading: (name) => name, again: ({rules}) => ({rules}), open};

/* Rules and header lines of a game's own, as in records. */
export const statistics = {rule: (word) => word, option: (text) => text};
