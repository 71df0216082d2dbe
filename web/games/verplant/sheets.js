/* Sheets and cards of verplant to choose from, for new games and for the conductor. */
import {h, icon} from '../../ui/dom.js';
import {choices, onOff, segments} from '../../ui/forms.js';
import {setupLines} from '../../table/newgame.js';
import {picture} from '../../ui/thumbnails.js';
import {t} from '../../app/texts.js';
import {cityName} from './face.js';

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

/* Where a sheet is printed, once or as often as is wanted; `name` as a choice. */
export const printAddress = (name, copies = 1) =>
    `#print=verplant/${name.split(' ').at(-1)}${copies > 1 ? `/${copies}` : ''}`;

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

/* Whether a sheet, by its name as a choice, has special stations; `text`: that of an own one. */
export function hasSpecial(engine, name, text = '') {
    try {
        if (text) engine.map(text);
        engine.begin(emptySheet(name).begin);
        return engine.state(0).map.special > 0;
    } catch {
        return false; /* it was kept by another version; the table will say what is wrong */
    }
}

/* The rule for special stations, which is off unless somebody turns it on; change(rules). */
export function specialChoice(rules, change) {
    return onOff(t('Special stations'),
        t('Optional, for experienced players: whoever marks one uses the same card again.'),
        rules.includes('special'), (on) => change(on ? ['special'] : []));
}
