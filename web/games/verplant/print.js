/* What can be printed of verplant: sheets, built in or of one's own, and the cards. */
import {h} from '../../dom.js';
import {Nowhere} from '../../faces.js';
import {onOff, routeStop} from '../../forms.js';
import {sheets} from '../../store.js';
import {t} from '../../texts.js';
import {cityName} from '../verplant.js';
import {CITIES, deckChoice, deckOptions, sheetChoices, sheetName} from './sheets.js';
import {stepper} from './tally.js';

const COPIES = 20; /* at most: who needs more prints them again */

/* `wanted`: the id of a built-in sheet, or the hash of an own one. */
async function open({info, wanted, change}) {
    const own = await sheets.list();
    const first = own.find(({hash}) => hash === wanted);
    if (wanted && !first && !CITIES.includes(wanted)) throw new Nowhere();
    const chosen = {deck: '14', copies: 1, names: true,
        map: first ? sheetName(first) : wanted || 'amsterdam'};
    const set = (name) => (value) => {
        chosen[name] = value;
        change();
    };
    const label = t('Copies');
    return {
        stops: {
            sheet: routeStop(t('Sheet'), sheetChoices(own, chosen.map, set('map')),
                h('div', {class: 'companion-count'}, h('span', {}, label), stepper({label, min: 1,
                    max: COPIES, value: 1, change: set('copies')})),
                onOff(t('Station names'), '', true, set('names'))),
            cards: routeStop(t('Deck'), deckChoice('14', set('deck'))),
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
