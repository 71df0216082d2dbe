/* What is chosen for a new game of verplant: the sheet, the cards, special stations. */
import {button, fill, h, icon, toast} from '../../ui/dom.js';
import {routeStop} from '../../ui/forms.js';
import {importField} from '../../share/share.js';
import {sheets} from '../../store/store.js';
import {t} from '../../app/texts.js';
import {cityName} from './face.js';
import {CITIES, deckChoice, deckOptions, hasSpecial, printAddress, printLink, sheetChoices,
    sheetName, specialChoice} from './sheets.js';

/* The own sheets kept here, and the one that a game brings along. */
async function listSheets(given) {
    const all = await sheets.list();
    return given && !all.some(({hash}) => hash === given.hash) ? [...all, given] : all;
}

class Choices {
    constructor({info, engine, kept, sheet: given, keep, same}, own) {
        /* Earlier versions knew own sheets by their ids alone. */
        const sheet = own.find((one) => sheetName(one) === kept.map || one.id === kept.map);
        this.chosen = {
            map: CITIES.includes(kept.map) ? kept.map : sheet ? sheetName(sheet) : 'amsterdam',
            deck15: kept.deck15 === true,
            /* Earlier versions kept `special: true`, whether anyone had chosen it or not. */
            rules: kept.rules?.includes?.('special') ? ['special'] : [],
        };
        this.info = info;
        this.engine = engine;
        this.own = own;
        this.given = given;
        this.latest = same?.latest ?? {}; /* what importField shows */
        this.keep = (changes) => {
            Object.assign(this.chosen, changes);
            keep(changes);
        };
        this.sheets = h('div');
        this.paper = printLink();
        this.before = [routeStop(t('Sheet'), this.sheets, this.paper, this.ownMaps())];
        this.rules = this.ruleChoices();
        this.showSheets();
    }

    /* ---- Sheets ---- */

    showSheets() {
        fill(this.sheets, sheetChoices(this.own, this.chosen.map, (map) => {
            this.keep({map});
            this.showPaper();
            this.showSpecial();
        }));
        this.showPaper();
        this.showOwn();
    }

    showPaper() {
        this.paper.href = printAddress(this.chosen.map);
    }

    ownMaps() {
        this.ownList = h('ul', {class: 'own-maps'});
        return h('details', {}, h('summary', {}, t('Your own sheets')),
            h('div', {class: 'stack'},
                h('p', {class: 'muted'}, t('A sheet is a text file ending in .map. It is saved ' +
                    'in this browser.')),
                importField({label: t('Add a .map file'), accept: '.map,text/plain',
                    latest: this.latest, done: (result) => this.imported(result)}),
                this.ownList));
    }

    async imported(result) {
        if (result.sheets.length === 0) return;
        this.own = await listSheets(this.given);
        this.keep({map: sheetName(result.sheets.at(-1))});
        this.showSheets();
        this.showSpecial();
    }

    showOwn() {
        fill(this.ownList, this.own.map((sheet) => h('li', {class: 'row spread'},
            h('span', {}, sheet.title),
            h('div', {class: 'row'},
                h('a', {class: 'button quiet', href: printAddress(sheetName(sheet)),
                    'aria-label': t('Print the sheet {title}', {title: sheet.title})},
                icon('print'), h('span', {}, t('Print'))),
                button(t('Delete'), {class: 'quiet', onclick: () => this.removeSheet(sheet),
                    'aria-label': t('Delete the sheet {title}', {title: sheet.title})}, 'bin')))));
    }

    async removeSheet(sheet) {
        await sheets.remove(sheet.hash);
        if (this.chosen.map === sheetName(sheet)) this.keep({map: 'amsterdam'});
        if (this.given?.hash === sheet.hash) this.given = null;
        this.own = await listSheets(this.given);
        this.showSheets();
        this.showSpecial();
        const {title} = sheet;
        toast(t('Sheet {title} deleted. Games played on it keep their copy.', {title}), {
            label: t('Restore'), action: async () => {
                await sheets.add([sheet]);
                this.own = await listSheets(this.given);
                this.showSheets();
            },
        });
    }

    ownSheet(name) {
        return this.own.find((sheet) => sheetName(sheet) === name);
    }

    /* ---- Rules ---- */

    ruleChoices() {
        const {deck15, rules} = this.chosen;
        this.special = specialChoice(rules, (chosen) => this.keep({rules: chosen}));
        this.showSpecial();
        return [deckChoice(deck15 ? '15' : '14', (deck) => this.keep({deck15: deck === '15'})),
            this.special];
    }

    hasSpecial(name) {
        return hasSpecial(this.engine, name, this.ownSheet(name)?.text);
    }

    showSpecial() {
        this.special.hidden = !this.hasSpecial(this.chosen.map);
    }

    /* ---- Start ---- */

    begin() {
        const {map, deck15} = this.chosen;
        const own = this.ownSheet(map);
        const rules = this.hasSpecial(map) ? this.chosen.rules : [];
        const options = deckOptions(this.info, deck15 ? '15' : '14');
        return {choices: {map, rules, options}, title: own?.title ?? cityName(map),
            sheet: own?.text ?? ''};
    }
}

export const setup = {
    heading: () => t('New game: Verplant'),
    again: ({deck, map, rules}) => ({map: map.built_in ? map.id : sheetName(map),
        deck15: deck.reduce((sum, {all}) => sum + all, 0) === 15, rules}),
    open: async (form) => new Choices(form, await listSheets(form.sheet)),
};
