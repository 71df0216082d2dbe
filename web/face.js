/* The face of any game (faces.js): its parts where a game has none of its own. The picture is as C
 * draws it, and what may be done stands on buttons, as in a record. */
import {h} from './dom.js';
import {faceOf} from './faces.js';
import {onOff} from './forms.js';
import {factTable} from './parts.js';
import {number, t} from './texts.js';
import {playerName} from './words.js';

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
    others: (at) => [scores(at)],
    text: (at) => [h('p', {}, at.say()), scores(at)],
    sum: (at) => [scores(at)],
};

/* Every event is a step. */
export const replay = {begins: 'event'};

/* A switch for each rule that the game has. */
function open({name, info, kept, keep}) {
    const rules = new Set(info.rules.filter((rule) => kept.rules?.includes?.(rule)));
    const set = (rule, on) => {
        rules[on ? 'add' : 'delete'](rule);
        keep({rules: [...rules]});
    };
    return {
        chosen: {rules: [...rules]},
        rules: info.rules.length > 0 && info.rules.map((rule) =>
            onOff(...faceOf(info.name).rule(rule), rules.has(rule), (on) => set(rule, on))),
        begin: () => ({choices: {rules: [...rules]}, title: name}),
    };
}

export const setup = {heading: (name) => name, open};
