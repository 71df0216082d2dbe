/* The reader's identity online: name and colour, the list of devices, the link that adds a device,
 * and deletion. */
import {button, dialog, fill, h, toast} from '../ui/dom.js';
import {Connection, changes, everything, me, redeem} from './connection.js';
import {once} from '../table/newgame.js';
import {connected, followGuest, linkField, loadStyle, refusal, suggestion, tellRefusal, whoFields}
    from './people.js';
import {locale} from '../app/region.js';
import {exportFile} from '../share/share.js';
import {t} from '../app/texts.js';

/* ---- In the settings ---- */

async function showDevices(link, place) {
    const answer = await link.request({t: 'devices'});
    if (answer.t !== 'devices') return;
    const day = (ms) => new Date(ms).toLocaleDateString(locale());
    fill(place, answer.devices.map(({device, label, made, this: isThis}) =>
        h('li', {class: 'row spread'},
            h('span', {}, label === '?' ? t('A browser') : label, h('small', {class: 'muted'}, ' ',
                isThis ? t('this one') : day(made))),
            !isThis && button(t('Sign out'), {class: 'quiet',
                'aria-label': t('Sign out: {device}', {device: label}), onclick: async () => {
                    const done = await link.request({t: 'withdraw', device});
                    if (done.t === 'no' && done.code !== 'NO_DEVICE') tellRefusal(done);
                    else toast(t('Device signed out.'));
                    await showDevices(link, place);
                }}))));
}

async function saveAll({currentTarget: own}) {
    own.disabled = true; /* one after the other */
    try {
        exportFile('endstation-online.json', JSON.stringify(await everything(), null, 2),
            'application/json');
    } catch (error) {
        tellRefusal(error);
    }
    own.disabled = false;
}

async function forget(link, again) {
    const answer = await dialog({title: t('Delete yourself online?'),
        body: [h('p', {}, t('Your name, your devices and what you wrote will be deleted from ' +
            'the server. Bots will play for you. Your moves stay, and so do the games saved in ' +
            'this browser.'))],
        actions: [{label: t('Keep me'), value: ''},
            {label: t('Delete me'), value: 'yes', danger: true}]});
    if (!answer) return;
    const done = await link.request({t: 'forget'});
    if (done.t === 'no') {
        tellRefusal(done);
        return;
    }
    me.clear();
    link.close();
    toast(t('You were deleted from the server.'));
    again();
}

/* The part of the settings about playing online. It connects only if this browser is a guest.
 * Returns {element, end}. */
export function settingsPanel(again) {
    if (!me.get()?.guest) {
        return {end: () => {}, element: h('section', {class: 'panel stack'},
            h('h2', {class: 'stop'}, t('Online')),
            h('p', {}, t('You have not played online yet. Once you have, your name and your ' +
                'other devices are here.')),
            h('p', {}, h('a', {href: '#online'}, t('Play online'))))};
    }
    const link = new Connection('lobby', {hello: changes});
    const devices = h('ul', {class: 'devices'});
    const place = h('div', {class: 'stack tight'});
    const say = h('p', {class: 'muted small', role: 'status'}, t('Connecting…'));
    followGuest(link);
    link.on('state', () => {
        say.textContent = t('No connection. Trying again…');
        say.hidden = link.state === 'connected';
        if (link.state === 'connected') showDevices(link, devices);
    });
    const element = h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('Online')), say,
        whoFields(suggestion(), async ({name, colour}) => {
            if (!name) return;
            me.set({name, colour});
            const answer = await link.request({t: 'name', name, colour});
            if (answer.t === 'no') tellRefusal(answer);
        }),
        h('h3', {}, t('Your devices')), devices,
        h('div', {class: 'row'},
            button(t('Add a device'), {onclick: async () => {
                const answer = await link.request({t: 'ticket'});
                if (answer.t !== 'ticket') {
                    tellRefusal(answer);
                    return;
                }
                fill(place, h('p', {class: 'small'}, t('For you alone: whoever opens this link ' +
                    'within ten minutes is you. It works once.')),
                linkField(`${location.origin}${location.pathname}#device=${answer.ticket}`,
                    {label: t('Link for another device'), title: t('Another device'),
                        copied: t('Link copied. It is for you alone.')}));
            }}, 'plus'),
            button(t('Everything about me as a file'), {onclick: saveAll}, 'save'),
            button(t('Delete me online'), {class: 'danger', onclick: () => forget(link, again)},
                'bin')),
        place);
    loadStyle();
    return {element, end: () => link.close()};
}

/* ---- The link for another device ---- */

/* The screen '#device=TICKET' or '#device=TICKET.ROOM'. Moves the ticket from the address into the
 * state of this entry of the history right away, so that nobody sees it later. Until it has been
 * used it is there when the screen is shown again: in another language, or after a reload. */
export async function show(place, parameter) {
    const invited = parameter || String(history.state?.invited ?? '');
    const [, ticket = '', room = ''] = /^(\w*)(?:\.([a-z0-9]+))?$/.exec(invited) ?? [];
    history.replaceState({invited}, '', '#device');
    await loadStyle();
    const before = me.get();
    const heading = h('h1', {}, t('This device'));
    const forgetTicket = () =>
        location.hash === '#device' && history.replaceState(null, '', '#device');
    const go = once(async () => {
        try {
            await redeem(ticket);
            forgetTicket();
        } catch (error) {
            /* Otherwise the server was not reached, or it can be used later. */
            if (error.code && error.code !== 'TOO_MANY_DEVICES') forgetTicket();
            fill(body, h('p', {role: 'alert'}, refusal(error.code ?? '')), h('div', {class: 'row'},
                h('a', {class: 'button primary', href: '#online'}, t('Play online'))));
            return;
        }
        const link = new Connection('lobby', {hello: changes});
        followGuest(link);
        await connected(link);
        link.close();
        toast(t('You are {name} on this device now.', {name: me.get()?.name ?? ''}));
        location.hash = room ? `#room=${room}` : '#online';
    });
    const body = h('div', {class: 'stack'},
        before?.guest && h('p', {}, t('At the moment you are {name} on this device. ' +
            'That will change.', {name: before.name ?? ''})),
        h('p', {}, t('You will be the same person on this device: the same name, the same seats.')),
        h('div', {class: 'row'}, button(t('Continue here'), {class: 'primary', onclick: go},
            'next')));
    fill(place, h('section', {class: 'panel message'}, heading, ticket ? body
        : h('p', {}, refusal('TICKET_BAD'))));
}
