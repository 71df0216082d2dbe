/* Print and play: what of a game is printed, and the pages as C lays them out, in their true size.
 * The address is #print=GAME; in #print=GAME/WORDS the words are for the game's part of the form: a
 * sheet, and how many of it. */
import {button, fill, h, svg} from '../ui/dom.js';
import {loadEngine} from '../engine/engine.js';
import {faceOf, loadPart, Nowhere} from '../games/faces.js';
import {onOff, routeStop, segments} from '../ui/forms.js';
import {setupLines} from '../table/newgame.js';
import {country} from '../app/region.js';
import {settings} from '../store/store.js';
import {t, tn, words} from '../app/texts.js';
import {reason} from '../ui/words.js';

/* Where paper is sold in the American sizes. */
const LETTER = 'BZ CA CL CO CR DO GT MX NI PA PH PR SV US VE'.split(' ');

function usualPaper() {
    const kept = settings.get('paper');
    return ['a4', 'letter'].includes(kept) ? kept : LETTER.includes(country()) ? 'letter' : 'a4';
}

class Print {
    /* `info`: what C says about the game; `part`: the part `print` of its face, and `own`, which it
     * has opened. */
    constructor(place, {info, engine, part, own, games}) {
        Object.assign(this, {info, engine, own});
        this.paper = usualPaper();
        this.things = info.prints.map((name) => ({name, title: name, text: '', exact: true,
            wanted: true, ...part.things()[name]}));
        this.status = h('p', {role: 'status'});
        this.hint = h('p', {class: 'muted'}, t('In the print dialog choose 100 %, or actual ' +
            'size: then everything fits together.'));
        this.preview = h('ol', {class: 'print-pages'});
        this.sheets = h('div', {class: 'print-paper', 'aria-hidden': 'true'});
        this.go = button(t('Print'), {class: 'primary large', onclick: () => window.print()},
            'print');
        fill(place, h('h1', {}, t('Print and play')),
            h('p', {class: 'lead'}, t('What you need to play on paper: print it, cut it out, ' +
                'fetch a pencil.')),
            h('div', {class: `route route-${info.name}`}, routeStop(t('Game'), games),
                routeStop(t('Pages'), h('div', {}, this.things.map((thing) =>
                    onOff(thing.title, thing.text, thing.wanted, (on) => {
                        thing.wanted = on;
                        this.show();
                    })))),
                this.things.map(({name}) => own.stops?.[name]),
                routeStop(t('Paper'), segments(t('Size'), [['a4', 'A4'],
                    ['letter', t('US Letter')]], this.paper, (paper) => {
                    settings.set('paper', paper);
                    this.paper = paper;
                    this.show();
                })),
                routeStop(t('Preview'), this.status, this.hint, this.preview),
                h('div', {class: 'route-end'}, this.go)),
            this.sheets);
        this.show();
    }

    /* The pages of a thing, as elements. */
    pages({name}) {
        const {choices = {}, sheet = '', names = true} = this.own.wish?.(name) ?? {};
        const seats = Array.from({length: this.info.players[0]}, () => ({}));
        this.engine.map(sheet);
        this.engine.begin(setupLines({game: this.info.name, seats, ...choices}));
        return this.engine.print(name, {paper: this.paper, names}).map(svg);
    }

    show() {
        const small = [];
        const large = [];
        let fault = '';
        for (const thing of this.things) {
            const stop = this.own.stops?.[thing.name];
            if (stop) stop.hidden = !thing.wanted;
            if (!thing.wanted) continue;
            try {
                const {copies = 1, title = thing.title} = this.own.wish?.(thing.name) ?? {};
                this.add(this.pages(thing), title, copies, small, large);
            } catch (error) {
                if (!error.status) throw error;
                fault = reason(error.sentence);
            }
        }
        fill(this.preview, small);
        fill(this.sheets, large);
        this.status.textContent = fault || (large.length
            ? tn('{n} page', '{n} pages', large.length) : t('Choose at least one thing to print.'));
        this.status.className = fault ? 'warn-text' : '';
        this.hint.hidden = !this.things.some(({wanted, exact}) => wanted && exact);
        this.go.disabled = large.length === 0;
    }

    /* Adds pages to the preview, and to what is printed, as often as they are wanted. */
    add(pages, title, copies, small, large) {
        const text = copies > 1 ? t('{what} × {n}', {what: title, n: copies}) : title;
        for (const page of pages) {
            page.setAttribute('aria-hidden', 'true');
            small.push(h('li', {}, page, h('span', {class: 'small'}, text)));
        }
        for (let i = 0; i < copies; i++) {
            for (const page of pages) {
                const {width, height} = page.viewBox.baseVal;
                large.push(h('div', {class: width > height ? `${this.paper} landscape`
                    : this.paper}, page.cloneNode(true)));
            }
        }
    }
}

/* Links to the games of which something can be printed. */
function gameLinks(all, current) {
    return h('nav', {class: 'segments print-games', 'aria-label': t('Game')}, all.map(({name}) =>
        h('a', {href: `#print=${name}`, 'aria-current': name === current ? 'page' : null},
            h('span', {}, faceOf(name).name()))));
}

export async function show(place, parameter) {
    const engine = await loadEngine();
    const all = engine.info().games.filter(({prints}) => prints.length > 0);
    const [name, ...wanted] = parameter.split('/');
    const info = name ? all.find((one) => one.name === name) : all[0];
    if (!info) throw new Nowhere();
    engine.words(words());
    const part = await loadPart(info.name, 'print');
    let print = null;
    const own = await part.open({info, wanted, change: () => print.show()});
    print = new Print(place, {info, engine, part, own, games: gameLinks(all, info.name)});
}
