/* Parts that the online screens share: discs of people, asking for name and colour, the texts about
 * connections and refusals, links with QR codes. */
import {button, dialog, fill, h, toast} from '../ui/dom.js';
import {makeGuest, me, qrCode, Refused} from './connection.js';
import {cleanName} from '../table/newgame.js';
import {settings} from '../store/store.js';
import {shareLink} from '../share/share.js';
import {loadStyle as loadOther} from '../app/stylesheets.js';
import {english, number, t, tn} from '../app/texts.js';

export const COLOURS = 8;
const COLOUR_NAMES = [english('Blue'), english('Magenta'), english('Yellow'), english('Red'),
    english('Green'), english('Orange'), english('Violet'), english('Grey')];

/* Loads the style of these screens. */
export const loadStyle = () => loadOther('online/online.css');

/* A station disc in somebody's colour, with their initial. */
export function disc(colour, name) {
    return h('span', {class: `who who-${colour % COLOURS}`, 'aria-hidden': 'true'},
        [...name.trim()][0]?.toLocaleUpperCase() ?? '');
}

/* ---- Name and colour ---- */

/* Fields for name and colour; calls change({name, colour}) when one of them was changed. */
export function whoFields({name = '', colour = 0}, change) {
    const chosen = {name, colour};
    const colours = COLOUR_NAMES.map((one) => t(one)); // text
    const field = h('input', {type: 'text', class: 'who-name', maxlength: 60,
        autocomplete: 'nickname', value: name, required: true, onchange: () => {
            chosen.name = field.value = cleanName(field.value);
            change({...chosen});
        }});
    return [
        h('label', {class: 'field'}, h('span', {class: 'label'}, t('Your name')), field),
        h('fieldset', {class: 'who-colours'}, h('legend', {}, t('Your colour')),
            h('div', {class: 'who-colours-row'}, colours.map((title, i) => h('label', {
                class: `who-choice who-${i}`, title},
            h('input', {type: 'radio', name: 'who-colour', value: String(i), checked: i === colour,
                'aria-label': title, onchange: () => {
                    chosen.colour = i;
                    change({...chosen});
                }}))))),
    ];
}

/* Name and colour to begin with: the guest's, or the first name used here and a random colour. */
export function suggestion() {
    const known = me.get();
    return {name: known?.name ?? cleanName(settings.get('people')[0] ?? ''),
        colour: known?.colour ?? Math.floor(Math.random() * COLOURS)};
}

async function askWho() {
    let chosen = suggestion();
    const form = h('form', {class: 'stack', method: 'dialog', onsubmit: (event) => {
        event.preventDefault();
        form.dispatchEvent(new Event('done'));
    }}, whoFields(chosen, (now) => (chosen = now)),
    h('p', {class: 'muted small'}, t('No account is needed. The others at the table see your ' +
        'name and colour.')),
    h('button', {type: 'submit', class: 'button primary'}, t('Continue')));
    const answer = await dialog({title: t('Who are you?'), body: [form], opened(element, close) {
        form.addEventListener('done', () => {
            chosen.name = cleanName(form.querySelector('.who-name').value);
            if (chosen.name) close('yes');
        });
        form.querySelector('.who-name').focus();
    }});
    return answer && chosen;
}

/* Resolves when a link is connected (true), or has ended for good (false). */
export function connected(link) {
    return new Promise((resolve) => {
        const look = () => {
            if (link.state === 'connecting' || link.state === 'offline') return;
            off();
            resolve(link.state === 'connected');
        };
        const off = link.on('state', look);
        look();
    });
}

/* A limit by address was reached, which a school or a club may share. */
function tellCrowd() {
    toast(t('Too many new players have come from your network within an hour. Try again later, ' +
        'or ask the operator of this server to allow more.'), {warn: true});
}

/* Makes sure that the reader is a guest of the server, and asks for a name if necessary. False: the
 * reader did not want to, or the server refused. */
export async function ensureGuest(link) {
    if (!await connected(link)) return false;
    if (link.guest.guest) return true;
    const known = me.get();
    const chosen = known?.name ? known : await askWho();
    if (!chosen) return false;
    try {
        await makeGuest(chosen.name, chosen.colour ?? 0);
    } catch (error) {
        if (error.code === 'TOO_MANY') tellCrowd();
        else tellRefusal(error);
        return false;
    }
    link.restart();
    return await connected(link) && Boolean(link.guest.guest);
}

/* Stores name and colour as the server has them. If this device was signed out, removes the guest
 * and connects without one. */
export function followGuest(link) {
    link.on('welcome', ({guest, name, colour}) => guest && me.set({guest, name, colour}));
    link.on('state', () => {
        if (link.state !== 'refused' || link.code !== 'TOKEN_BAD') return;
        me.clear();
        toast(t('This device was signed out.'), {warn: true});
        link.restart();
    });
}

/* ---- Texts ---- */

export function stateWords(link, isSending = false) {
    switch (link.state) {
    case 'connected': return t('Connected');
    case 'connecting': return t('Connecting…');
    case 'old': return t('This page is too old for the server. Reload it.');
    case 'refused': return refusal(link.code);
    case 'closed': return '';
    default:
        if (isSending) return t('No connection. Your move is kept and will be sent.');
        return link.code === 'TOO_MANY' ? t('Too many connections. Trying again…')
            : t('No connection. Trying again…');
    }
}

/* Why the server refused something, as a sentence. */
export function refusal(code) {
    switch (code) {
    case '': return t('The server can’t be reached. Try again.');
    case 'SEAT_TAKEN': return t('That seat is taken.');
    case 'STARTED': return t('The game has started.');
    case 'TOO_FEW': return t('There are too few players.');
    case 'TOO_MANY': return t('Too many attempts. Try again later.');
    case 'NO_ROOM': return t('There is no such room, or you need its code.');
    case 'UNREADABLE': return t('The server can’t read this room. Perhaps a newer version has ' +
        'written to it. Try again later.');
    case 'NAME_BAD': return t('This name can’t be used. Choose another one.');
    case 'TEXT_BAD': return t('This text can’t be sent.');
    case 'TICKET_BAD': return t('This link has been used, or is older than ten minutes.');
    case 'TOO_MANY_DEVICES': return t('You already have 32 devices, which is the most. Sign out ' +
        'one of them in the settings, then try again.');
    case 'NOT_HOST': return t('Only the host can do this.');
    case 'REMOVED': return t('The host has removed you from this table.');
    case 'MUTED': return t('The people who run this server don’t let you write for some time.');
    case 'BLOCKED': return t('The people who run this server have blocked you, or everyone new ' +
        'from your network.');
    case 'NOT_LATE': return t('They have moved meanwhile.');
    default: return t('The server refused.');
    }
}

export function tellRefusal(answer) {
    if (answer instanceof Error && !(answer instanceof Refused)) throw answer;
    toast(refusal(answer.code ?? ''), {warn: true});
}

/* A number of seconds in words: '2 minutes'. */
export function duration(seconds) {
    if (seconds % 86400 === 0) return tn('{n} day', '{n} days', seconds / 86400);
    if (seconds % 3600 === 0) return tn('{n} hour', '{n} hours', seconds / 3600);
    if (seconds % 60 === 0) return tn('{n} minute', '{n} minutes', seconds / 60);
    return tn('{n} second', '{n} seconds', seconds);
}

/* The time left on a clock: '2:05', '3 hours', '2 days'. */
export function remaining(ms) {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    if (seconds >= 2 * 86400) return duration(Math.floor(seconds / 86400) * 86400);
    if (seconds >= 2 * 3600) return duration(Math.floor(seconds / 3600) * 3600);
    return `${number(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

/* ---- Links ---- */

export const roomLink = (id, code) =>
    `${location.origin}${location.pathname}#room=${id}${code ? `.${code}` : ''}`;

/* A field with a link, and buttons to share it and to show its QR code. */
export function linkField(link, {label, title, copied}) {
    const code = h('div', {class: 'qr', hidden: true});
    const scan = button(t('QR code'), {'aria-expanded': 'false', onclick: async () => {
        code.hidden = !code.hidden;
        scan.setAttribute('aria-expanded', String(!code.hidden));
        if (code.hidden || code.firstChild) return;
        try {
            fill(code, h('img', {alt: t('QR code of the link'), width: 200, height: 200,
                src: `data:image/svg+xml,${encodeURIComponent(await qrCode(link))}`}));
        } catch (error) {
            code.hidden = true;
            tellRefusal(error);
        }
    }});
    return h('div', {class: 'stack tight'},
        h('div', {class: 'link-field'},
            h('input', {type: 'text', readonly: true, value: link, 'aria-label': label,
                onfocus: (event) => event.target.select()}),
            button(t('Share'), {class: 'primary', onclick: () => shareLink(link, title, copied)},
                'share'),
            scan), code);
}

/* A line with the state of a link in words. update() refreshes it. */
export function stateLine(link, isSending = () => false) {
    const words = h('span', {});
    const element = h('p', {class: 'link-state', role: 'status', 'aria-live': 'polite'},
        h('span', {class: 'link-dot', 'aria-hidden': 'true'}), words);
    const update = () => {
        const text = stateWords(link, isSending());
        if (words.textContent !== text) words.textContent = text;
        element.dataset.state = link.state;
    };
    link.on('state', update);
    update();
    return {element, update};
}

/* Tags for the settings of a room. Those that are undefined have none. */
export function settingTags({open, hints, clock, watch}) {
    return [
        open !== undefined && (open ? t('Open to all') : t('By invitation')),
        clock ? t('{time} a turn', {time: duration(clock)}) : t('No clock'),
        hints !== undefined && (hints ? t('Hints allowed') : t('No hints')),
        watch !== undefined && (watch ? t('Spectators welcome') : t('No spectators')),
    ].filter(Boolean).map((text) => h('span', {class: 'tag'}, text));
}
