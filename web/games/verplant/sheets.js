/* Sheets and cards of verplant to choose from, for new games and for the conductor. */
import {h, icon} from '../../dom.js';
import {choices, segments} from '../../forms.js';
import {setupLines} from '../../newgame.js';
import {picture} from '../../pictures.js';
import {t} from '../../texts.js';
import {cityName} from '../verplant.js';

/* The sheets that are built in; the last is for learning. */
export const CITIES = ['amsterdam', 'berlin', 'paris', 'madrid', 'practice'];
/* The header lines for a deck, '14' or '15'; the shorter one goes without saying. */
export function deckOptions(info, name) {
    const preset = info.presets.find((one) => one.option === 'deck' && one.name === name);
    return {deck: name === '14' ? '' : preset.text};
}

const emptySheet = (map) => ({begin: setupLines({game: 'verplant', map, seats: [{}]})});

function cityText(id) {
    switch (id) {
    case 'amsterdam': return t('Good for a first game');
    case 'berlin': return t('Good for a first game, with a ring');
    case 'paris': return t('Harder, with special stations');
    case 'madrid': return t('The hardest: a ring, special stations');
    default: return t('Small: a five-minute game');
    }
}

/* What a record calls an own sheet: its id and its hash. This is also its value as a choice. */
export const sheetName = ({id, hash}) => `${id} ${hash}`;

/* Where a sheet is printed; `name` as a choice. */
export const printAddress = (name) => `#print=verplant/${name.split(' ').at(-1)}`;

/* A link to there. */
export const printLink = (name = '') => h('a', {class: 'button quiet', href: printAddress(name)},
    icon('print'), h('span', {}, t('Print this sheet')));

/* Tiles with pictures: the cities, the reader's own sheets, and `more` as for forms.js. */
export function sheetChoices(own, value, change, more = []) {
    const options = CITIES.map((id) => ({value: id, name: cityName(id), text: cityText(id),
        picture: picture(emptySheet(id))}));
    for (const sheet of own)
        options.push({value: sheetName(sheet), name: sheet.title, text: t('Your own sheet'),
            picture: picture({...emptySheet(sheetName(sheet)), map: sheet.text})});
    return choices('', [...options, ...more], value, change,
        {class: 'choices sheets', 'aria-label': t('Sheet')});
}

/* The shorter deck or the longer one: '14' or '15'. */
export function deckChoice(value, change) {
    return h('div', {class: 'stack tight'},
        segments(t('Cards'), [['14', t('14 cards')], ['15', t('15 cards')]], value, change),
        h('p', {class: 'muted small'}, t('The fifteenth is another 4.')));
}
