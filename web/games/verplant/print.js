/* What can be printed of verplant: sheets, built in or of one's own, and the cards. */
import {h} from '../../ui/dom.js';
import {Nowhere} from '../faces.js';
import {onOff, routeStop} from '../../ui/forms.js';
import {settings, sheets} from '../../store/store.js';
import {t} from '../../app/texts.js';
import {cityName} from './face.js';
import {CITIES, deckChoice, deckOptions, printAddress, sheetChoices, sheetName}
    from './sheets.js';
import {stepper} from './tally.js';

const COPIES = 20; /* at most: who needs more prints them again */

const KEPT_AS = 'verplant print'; /* the latest choices, among the settings */

/* `wanted`: the id of a built-in sheet, or the hash of an own one, and how many copies. Both stay
 * in the address, for whoever goes away and comes back; what else was chosen is kept. */
async function open({info, wanted: [sheet = '', count = '1'], change}) {
    const own = await sheets.list();
    const first = own.find(({hash}) => hash === sheet);
    const copies = /^[1-9]\d?$/.test(count) ? Math.min(Number(count), COPIES) : 0;
    if ((sheet && !first && !CITIES.includes(sheet)) || !copies) throw new Nowhere();
    const {deck, names} = settings.get('setup')[KEPT_AS] ?? {};
    const chosen = {deck: deck === '15' ? '15' : '14', names: names !== false, copies,
        map: first ? sheetName(first) : sheet || 'amsterdam'};
    const set = (name) => (value) => {
        chosen[name] = value;
        settings.set('setup', {...settings.get('setup'),
            [KEPT_AS]: {deck: chosen.deck, names: chosen.names}});
        history.replaceState(null, '', printAddress(chosen.map, chosen.copies));
        change();
    };
    const label = t('Copies');
    return {
        stops: {
            sheet: routeStop(t('Sheet'), sheetChoices(own, chosen.map, set('map')),
                h('div', {class: 'companion-count'}, h('span', {}, label), stepper({label, min: 1,
                    max: COPIES, value: copies, change: set('copies')})),
                onOff(t('Station names'), '', chosen.names, set('names'))),
            cards: routeStop(t('Deck'), deckChoice(chosen.deck, set('deck'))),
        },
        wish: (thing) => {
            const {map, names, copies} = chosen;
            if (thing === 'cards') return {choices: {map: CITIES[0], options: deckOptions(info,
                chosen.deck)}};
            const mine = own.find((sheet) => sheetName(sheet) === map);
            return {choices: {map}, names, copies, sheet: mine?.text,
                title: mine?.title ?? cityName(map)};
        },
    };
}

export const print = {
    things: () => ({
        sheet: {title: t('Sheets'), text: t('One a page; every player needs one.'), exact: false},
        cards: {title: t('Cards'), text: t('63 × 88 mm, to cut out. The conductor can ' +
            'flip them, too.'), wanted: false},
    }),
    open,
};
