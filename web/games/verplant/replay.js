/* Verplant looked at again: round by round, with the card and a small sheet for each player. */
import {h} from '../../ui/dom.js';
import {t, tn} from '../../app/texts.js';
import {playerName} from '../../ui/words.js';
import {cardName} from './face.js';
import {cardPicture} from './parts.js';

function now({engine, state, step, steps}) {
    const card = step && steps[step].facts[0].card;
    if (!card) return [];
    return [h('span', {class: 'replay-card'}, cardPicture(engine, card)),
        h('p', {}, h('strong', {}, cardName(card)), h('br'),
            tn('{n} card left in the pile', '{n} cards left in the pile', state.left))];
}

/* A small sheet that becomes the large one. */
function player(replay, one, seat) {
    const {state} = replay;
    if (state.players.length === 1) return undefined;
    const sheet = replay.picture({sheet: seat, bare: true, names: false, prefix: `small-${seat}-`});
    sheet.setAttribute('aria-hidden', 'true');
    return h('button', {type: 'button', class: 'replay-sheet',
        'aria-pressed': String(seat === replay.sheet), onclick: () => replay.choose(seat)},
    sheet, h('span', {class: 'replay-name'}, h('strong', {}, playerName(state, seat)),
        replay.score(one, state.winners.includes(seat))));
}

export const replay = {
    begins: 'card',
    head: (at, {card}, n) => t('{n}: {card}', {n, card: cardName(card)}),
    where: (n, all) => t('Round {n} of {all}', {n, all}),
    now, player,
};
