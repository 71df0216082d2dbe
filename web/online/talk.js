/* Reactions and chat in a room, and what one can do about others there: muting, which affects this
 * browser only, and reporting. Reactions are fixed, and shown to each reader in their own language;
 * rooms by invitation also have a chat. */
import {announce, button, dialog, h, icon, toast} from '../ui/dom.js';
import {newKey, rooms} from './connection.js';
import {disc, ensureGuest, tellRefusal} from './people.js';
import {t} from '../app/texts.js';

const SHOWN_MS = 6000; /* how long a reaction is shown */
const LINES_MAX = 200;

const REACTIONS = ['hello', 'clap', 'laugh', 'think', 'wow', 'sorry', 'thanks', 'hurry'];

function reactionWords(what) {
    switch (what) {
    case 'hello': return t('Hello!');
    case 'clap': return t('Well played!');
    case 'laugh': return t('Haha!');
    case 'think': return t('Let me think …');
    case 'wow': return t('Wow!');
    case 'sorry': return t('Sorry!');
    case 'thanks': return t('Thank you!');
    case 'hurry': return t('Your turn?');
    default: return '';
    }
}

export class Talk {
    #link;
    #id;
    #told = 0; /* the number of the latest chat message */
    #unread = 0;

    constructor(link, id, changed) {
        this.#link = link;
        this.#id = id;
        this.changed = changed; /* called when `unread` or `shown` has changed */
        this.shown = new Map(); /* `who` has just reacted: {text} */
        this.list = h('div', {class: 'chat-list', role: 'log', tabindex: 0,
            'aria-label': t('Chat')});
        this.field = h('input', {type: 'text', maxlength: 300, autocomplete: 'off',
            'aria-label': t('Message'), placeholder: t('Message')});
        this.button = h('button', {type: 'submit', class: 'button primary'}, t('Send'));
        this.form = h('form', {class: 'chat-form', onsubmit: (event) => {
            event.preventDefault();
            this.#send();
        }}, this.field, this.button);
        link.on('chat', (message) => this.#hear(message));
        link.on('react', (message) => this.#react(message));
        link.on('unsaid', ({n}) => this.list.querySelector(`[data-n="${n}"]`)?.remove());
    }

    /* The same in another language. */
    again() {
        this.list.setAttribute('aria-label', t('Chat'));
        this.field.setAttribute('aria-label', t('Message'));
        this.field.placeholder = t('Message');
        this.button.textContent = t('Send');
    }

    get unread() {
        return this.#unread;
    }

    /* Marks the chat as read. */
    read() {
        this.#unread = 0;
        this.list.scrollTop = this.list.scrollHeight;
        this.changed();
    }

    /* ---- Muting ----
     *
     * Of people, as the server's `who` tells them apart: seats change at the start. */

    get muted() {
        return rooms.get(this.#id).muted ?? [];
    }

    mute(who, on) {
        rooms.set(this.#id, {muted: on ? [...this.muted, who]
            : this.muted.filter((one) => one !== who)});
        for (const line of this.list.children) line.hidden = this.muted.includes(line.dataset.who);
    }

    /* ---- Reporting ---- */

    /* Tells the operator of a message (`n`) or a name (`seat`). */
    async #report(what) {
        if (!await ensureGuest(this.#link)) return;
        const answer = await this.#link.request({t: 'report', ...what});
        if (answer.t === 'ok') toast(t('The people who run this server will see it.'));
        else if (answer.t === 'no') tellRefusal(answer);
    }

    /* What one can do about somebody: a dialog. `n`: a message of theirs; `more`: further elements.
     */
    about({who, name, seat, n}, ...more) {
        let close;
        const report = button(n ? t('Report this message') : t('Report this name'), {
            'data-key': 'report', onclick: () => {
                close();
                this.#report(n ? {n} : {seat});
            }});
        dialog({title: name || t('nobody'), opened: (element, done) => (close = done),
            body: [h('div', {class: 'stack'},
                h('label', {class: 'switch'}, h('span', {}, t('Mute')),
                    h('input', {type: 'checkbox', role: 'switch', 'data-key': 'mute',
                        checked: this.muted.includes(who),
                        onchange: ({target}) => this.mute(who, target.checked)})),
                h('p', {class: 'muted small'}, t('Only you see nothing of them then. They ' +
                    'don’t learn of it.')),
                (n || seat > 0) && h('div', {}, report),
                more.map((act) => act(() => close())))]});
    }

    /* ---- Chat ---- */

    async #send() {
        const text = this.field.value.trim();
        if (!text || !await ensureGuest(this.#link)) return;
        this.field.value = '';
        const answer = await this.#link.request({t: 'chat', key: newKey(), text});
        if (answer.t !== 'no') return;
        tellRefusal(answer);
        this.field.value ||= text;
    }

    #hear({n, name, colour, seat, who, text}) {
        if (n <= this.#told) return; /* the server sends the latest ones again after a break */
        this.#told = n;
        const isMuted = this.muted.includes(who);
        const {guest} = this.#link;
        const isMine = Boolean(guest?.guest) && name === guest.name && colour === guest.colour;
        this.list.append(h('p', {class: 'chat-line', data: {who, n}, hidden: isMuted},
            disc(colour, name), h('span', {class: 'chat-words'},
                h('strong', {}, name || t('nobody')), ' ', h('bdi', {}, text)),
            !isMine && h('button', {type: 'button', class: 'button quiet square chat-about',
                'aria-label': t('About this message from {name}', {name: name || t('nobody')}),
                onclick: () => this.about({who, name, seat, n})}, icon('more'))));
        while (this.list.childElementCount > LINES_MAX) this.list.firstElementChild.remove();
        this.list.scrollTop = this.list.scrollHeight;
        if (isMuted) return;
        this.#unread++;
        this.changed();
    }

    /* ---- Reactions ---- */

    /* Buttons, one for each. */
    reactions(done = () => {}) {
        return REACTIONS.map((what) => button(reactionWords(what), {class: 'quiet reaction',
            data: {what}, onclick: () => {
                done();
                if (!this.#link.send({t: 'react', what})) tellRefusal({code: ''});
            }}));
    }

    #react({seat, name, who, what}) {
        const text = reactionWords(what);
        if (!text || this.muted.includes(who)) return;
        announce(t('{player}: {what}', {player: name, what: text}));
        if (!seat) toast(t('{player}: {what}', {player: name, what: text}));
        const said = {text};
        this.shown.set(who, said);
        this.changed();
        setTimeout(() => {
            if (this.shown.get(who) !== said) return;
            this.shown.delete(who);
            this.changed();
        }, SHOWN_MS);
    }

    /* ---- Panels ---- */

    /* The chat as a panel of the page. */
    panel() {
        return h('section', {class: 'panel stack chat', 'aria-label': t('Chat')},
            h('h2', {class: 'stop'}, t('Chat')), this.list, this.form);
    }

    /* The chat as a drawer over the page; close() is called by its button and by Escape. */
    drawer(close) {
        const element = h('section', {class: 'chat-drawer', 'aria-label': t('Chat'),
            onkeydown: (event) => {
                if (event.key !== 'Escape') return;
                event.stopPropagation();
                close();
            }},
        h('div', {class: 'row spread'}, h('h2', {}, t('Chat')),
            h('button', {type: 'button', class: 'button quiet square', 'aria-label': t('Close'),
                onclick: close}, icon('close'))),
        this.list, this.form);
        return element;
    }
}
