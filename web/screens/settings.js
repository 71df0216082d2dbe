/* What people like: language, looks, how moves are made; and what this browser keeps. */
import {button, dialog, fill, h, toast} from '../ui/dom.js';
import {settingsPanel} from '../online/account.js';
import {onOff, segments} from '../ui/forms.js';
import {changeLanguage, showHeader} from '../app/header.js';
import {canInstall, install} from '../app/install.js';
import {me, signOut} from '../online/connection.js';
import {exportAll} from '../share/share.js';
import {stayingLater} from '../ui/stay.js';
import {eraseAll, games, mayGoBack, safety, settings} from '../store/store.js';
import {language, languages, number, t, tn} from '../app/texts.js';

const toggle = (name, label, text) => onOff(label, text, settings.get(name),
    (on) => settings.set(name, on));

function looks() {
    return h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('Appearance')),
        h('div', {class: 'field'}, h('label', {for: 'language'}, t('Language')),
            h('select', {id: 'language', onchange: (event) => changeLanguage(event.target.value)},
                Object.entries(languages).map(([code, name]) => h('option',
                    {value: code, lang: code, selected: code === language()}, name)))),
        segments(t('Theme'), [['auto', t('System')], ['light', t('Light')],
            ['dark', t('Dark')]], settings.get('theme'), (theme) => {
            settings.set('theme', theme);
            showHeader();
        }),
        h('div', {},
            toggle('names', t('Station names'), t('On Verplant sheets.')),
            toggle('patterns', t('Line patterns'),
                t('Tell lines apart by more than their colours.')),
            toggle('motion', t('Animation'), t('Marks are drawn as if by pen; lights run along ' +
                'lines.'))),
        h('p', {}, h('a', {href: '#accessibility'}, t('Accessibility'))));
}

function playing() {
    return h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('Playing')),
        segments(t('Pace of bots'), [['slow', t('Slow')], ['usual', t('Normal')],
            ['fast', t('Fast')], ['none', t('At once')]], settings.get('pace'),
        (pace) => settings.set('pace', pace)),
        h('div', {},
            toggle('confirm', t('Skip confirmation'),
                t('One tap makes the move. When off, the first tap previews it and the second ' +
                    'makes it.')),
            onOff(t('Take back moves'),
                t('Alone or against bots you can take back your last move and get the same ' +
                    'cards again. The game says at the end that you had help.'),
                mayGoBack(), (on) => settings.set('takeBack', on)),
            toggle('keys', t('Letter and digit keys'),
                t('At a table, letters, digits and ? are shortcuts. Turn them off if you use ' +
                    'voice control or sometimes press keys by accident.')),
            toggle('pile', t('Show remaining cards and tiles'),
                t('Purists keep track themselves.')),
            toggle('sound', t('Sounds'), t('Pencil, cards, tiles, completed lines, your turn.')),
            'vibrate' in navigator && toggle('vibration', t('Vibration'),
                t('When a line is complete, and when it is your turn.')),
            toggle('speech', t('Read cards aloud'), t('With the voice of this device.'))));
}

function device() {
    const installed = matchMedia('(display-mode: standalone)').matches;
    const ask = button(t('Install'), {onclick: async () => {
        await install();
        ask.hidden = true;
    }}, 'install');
    ask.hidden = !canInstall();
    return h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('On this device')),
        h('p', {}, installed ? t('The page is installed and works offline.')
            : t('Once loaded, this page works offline. To have it among your apps, install it ' +
                'from here or with “Add to home screen” in your browser’s menu.')),
        h('div', {class: 'row'}, ask),
        'standalone' in navigator && !installed && [ /* Safari on a phone or tablet */
            h('p', {}, t('The installed page starts without your games. Save everything as a ' +
                'file first, then import it there under Games.')),
            h('div', {class: 'row'}, saveAll())]);
}

const saveAll = () => button(t('Save everything as a file'), {onclick: exportAll}, 'save');

function size(bytes) {
    if (bytes < 1 << 20) return t('{n} KiB', {n: Math.ceil(bytes / 1024)});
    return bytes < 1 << 30 ? t('{n} MiB', {n: number(Math.round(bytes / (1 << 20) * 10) / 10)})
        : t('{n} GiB', {n: number(Math.round(bytes / (1 << 30) * 10) / 10)});
}

/* How safe what is kept is from the browser itself, and a button to make it safer. */
function promise(promised, again) {
    if (promised === null)
        return h('p', {}, t('The browser may delete this when space runs out. Save a backup from ' +
            'time to time.'));
    if (promised)
        return h('p', {}, t('The browser has promised to keep this.'));
    return h('div', {class: 'stack tight'},
        h('p', {}, t('The browser may delete this when space runs out, unless it promises ' +
            'not to.')),
        h('p', {}, t('Safari deletes this after seven days of use without a visit here, except ' +
            'in an installed page.')),
        h('div', {class: 'row'}, button(t('Ask it to promise'), {onclick: async () => {
            const answer = await safety.ask();
            toast(answer ? t('The browser will keep your games.')
                : t('The browser didn’t promise. Save a backup from time to time.'));
            again();
        }})));
}

async function kept(again, pause) {
    const count = await games.count();
    const [space, promised] = [await safety.space(), await safety.promised()];
    return h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('Saved data')),
        h('p', {}, tn('{n} game is saved in this browser and nowhere else.',
            '{n} games are saved in this browser and nowhere else.', count)),
        promise(promised, again),
        space && h('p', {class: 'muted'}, t('Used: {size} of {most}.', {size: size(space.used),
            most: size(space.most)})),
        h('div', {class: 'row'},
            saveAll(),
            button(t('Delete everything'),
                {class: 'danger', onclick: () => erase(again, pause)}, 'bin')),
        h('p', {class: 'muted'}, t('The file holds all games, sheets and settings. Import it ' +
            'under Games, here or in another browser.')),
        h('p', {}, h('a', {href: '#privacy'}, t('Privacy'))));
}

/* Signs this device out online, so that the next visit is nobody's. False: the server could not be
 * reached, and so the reader is still who they were. (Its cookie may be all that is left.) */
async function leaveServer() {
    try {
        await signOut();
        return true;
    } catch (error) {
        console.info('signing out', error);
        return !me.get()?.guest;
    }
}

/* `pause()`: nothing must come from the server meanwhile. */
async function erase(again, pause) {
    const {guest, name} = me.get() ?? {};
    const answer = await dialog({
        title: t('Delete everything?'),
        body: [h('p', {}, t('All games, sheets and settings saved in this browser will be ' +
            'deleted. This can’t be undone.')),
        guest && h('p', {}, t('This browser will also be signed out online: unless another ' +
            'device is signed in, you can’t be {name} again. The server keeps the name; to ' +
            'delete it too, choose “Delete me online” first.', {name: name ?? ''}))],
        actions: [{label: t('Keep everything'), value: ''},
            {label: t('Delete everything'), value: 'yes', danger: true}],
    });
    if (answer !== 'yes') return;
    await eraseAll({except: 'endstation.guest'});
    pause();
    const hasLeft = await leaveServer();
    await again();
    if (hasLeft) toast(t('Everything was deleted.'));
    else toast(t('Everything was deleted, but you’re still signed in online: the server can’t be ' +
        'reached. Once you’re back online, delete everything again.'), {warn: true, stay: true});
}

export async function show(screen) {
    const place = h('div', {'data-follows': true});
    let online = null;
    screen.append(place);
    const again = () => stayingLater(place, make);
    async function make() {
        showHeader();
        const what = await kept(again, () => online.end());
        online?.end();
        online = settingsPanel(again);
        fill(place, h('h1', {tabindex: -1}, t('Settings')), h('div', {class: 'columns settings'},
            looks(), playing(), what, device(), online.element));
    }
    await again();
    return () => online.end();
}
