/* What a table looks like: the big picture, the panels beside it, what is said; and the page that
 * is shown while the device changes hands. It shows what the table knows, and hands on what people
 * do (table.js). */
import {settings} from '../store/store.js';
import {announce, button, dialog, fill, h, icon, isDark, svg} from '../ui/dom.js';
import {Ending} from './ending.js';
import {Hint} from './hint.js';
import {Pane} from './pane.js';
import {factTable, logList, refill} from '../ui/parts.js';
import {t} from '../app/texts.js';
import {Tips} from '../ui/tips.js';
import {full, gameName, planned, playerName, playerNames, reason, tell} from '../ui/words.js';

const SMALL = '(max-width: 699px), (max-height: 499px)'; /* a phone, upright or on its side */
const HANDOVER_LOG_MAX = 16; /* events listed for the player who takes the device */
const HANDOVER_MS = 500; /* the button stays disabled, so that a second tap does nothing */

/* A button that is only an icon. */
function tool(label, name, act) {
    return h('button', {type: 'button', class: `button quiet square tool-${name}`, title: label,
        'aria-label': label, onclick: act}, icon(name));
}

/* The same text once more would be laid out, and perhaps read out, again. */
function setText(element, text) {
    if (element.textContent !== text) {
        element.textContent = text;
    }
}

export class View {
    #table;
    #place;
    #regions = {};
    #ending = null;
    #untip = () => {};
    #zoomed = null; /* where the picture was enlarged before it was made anew */
    #logged = null; /* the facts that the log shows */
    #handing = ''; /* which change of hands is shown */

    /* Calls again() when everything has to be shown in another way. */
    constructor(table, place, again) {
        const small = matchMedia(SMALL);
        this.#table = table;
        this.#place = place;
        small.addEventListener('change', again);
        const tips = new Tips(place);
        this.#untip = () => tips.hide();
        const onPaper = () => this.#showOnPaper();
        const onScreen = () => this.#canShow() && this.showPicture();
        window.addEventListener('beforeprint', onPaper);
        window.addEventListener('afterprint', onScreen);
        this.end = () => {
            tips.end();
            window.removeEventListener('beforeprint', onPaper);
            window.removeEventListener('afterprint', onScreen);
            small.removeEventListener('change', again);
            this.#endParts();
            this.hint.end();
        };
        this.hint = new Hint(this.#region('hint', ''), {
            choose: (event) => table.choose(`move ${event}`),
            words: (event) => table.words(event),
        });
    }

    #endParts() {
        this.pane?.end();
        this.#ending?.end();
        this.#ending = null;
    }

    /* ---- Panels ---- */

    #region(name, label, more = {}) {
        return (this.#regions[name] =
            h('section', {class: `${name}-region`, 'aria-label': label, ...more}));
    }

    /* Rebuilds all panels but the hint, which is shown anew; show() fills them. */
    build() {
        const table = this.#table;
        const zoomed = this.pane?.zoom.place();
        this.#endParts();
        this.#untip();
        this.#logged = null;
        this.#handing = '';
        this.small = matchMedia(SMALL).matches;
        this.pane = new Pane(t('Picture of the game'), {
            tap: (spot) => table.tapped(spot),
            untap: () => table.untap(),
            point: (spot) => table.pointed(spot),
        });
        const region = (...about) => this.#region(...about);
        this.titleText = h('h1', {});
        this.statusText = h('p', {class: 'table-status'});
        this.sayText = h('p', {class: 'say', role: 'status'});
        this.howText = h('p', {class: 'how muted small'});
        this.#regions.hint.setAttribute('aria-label', t('Hint'));
        this.hint.again();
        this.root = h('div', {class: `table table-${table.state.game}`},
            h('header', {class: 'table-head'}, this.titleText, this.statusText,
                h('div', {class: 'table-tools'},
                    this.pane.zoom.buttons,
                    tool(t('As text'), 'text', () => this.showText()),
                    tool(t('Keyboard shortcuts'), 'keys', () => this.showKeys()))),
            region('standing', t('Points')),
            this.pane.element,
            h('div', {class: 'table-side'},
                region('now', t('Open now')),
                region('end', t('Result')),
                h('section', {class: 'act-region', 'aria-label': t('Your move')},
                    this.sayText, region('buttons', t('Confirm or undo')), this.howText),
                region('controls', t('Ways to choose')),
                this.#regions.hint,
                region('others', t('Players')),
                region('log', t('Log'), {tabindex: 0, 'data-guide': 'log',
                    onkeydown: (event) => this.#walkLog(event)})));
        fill(this.#place, this.root);
        this.#zoomed = zoomed;
    }

    /* After something has happened, if only that somebody else looks; `news` are facts of the log
     * that the viewer has not been told. */
    show(news) {
        const table = this.#table;
        const {over} = table.state;
        setText(this.titleText, gameName(table.state));
        if (this.#logged !== table.facts || over) {
            this.#logged = table.facts;
            refill(this.#regions.log, h('h2', {}, t('Log')), logList(table.facts, table.state,
                (fact, text) => this.#logLine(fact, text)));
        }
        this.root.classList.toggle('table-over', over);
        if (over) {
            this.#ending ??= new Ending(this.#regions.end, table);
        }
        this.redraw(news);
        refill(this.#regions.standing, table.face.standing?.(table) ?? []);
        refill(this.#regions.others, table.face.others?.(table) ?? []);
        if (over && news.length > 0) {
            this.#arriveAtEnd();
            if (table.viewer && !table.guide && !settings.get('finished')) {
                settings.set('finished', true);
            }
        }
    }

    /* After the end a line of the log leads into the replay. Before, pointing at it shows how it
     * came about; a click leaves that on. By keys: arrows go from line to line. */
    #logLine(fact, text) {
        const table = this.#table;
        if (table.state.over) {
            return h('a', {href: `#replay=${table.id}@${fact.n}`}, text);
        }
        return h('button', {type: 'button', class: 'log-line', tabindex: -1,
            'data-key': `log-${table.facts.indexOf(fact)}`,
            /* it moves: a new line may come under a pointer that rests */
            onpointermove: ({pointerType}) => pointerType === 'mouse' && table.peek(fact),
            onpointerleave: () => table.peek(null),
            onfocus: ({target}) => target.matches(':focus-visible') && table.peek(fact),
            onblur: () => table.peek(null),
            onclick: () => {
                table.pin(fact);
                this.pane.element.scrollIntoView({block: 'nearest'});
            }}, text);
    }

    #walkLog(event) {
        const lines = [...this.#regions.log.querySelectorAll('.log-line')];
        const at = lines.indexOf(document.activeElement);
        const next = {ArrowDown: at + 1, ArrowUp: at - 1}[event.key];
        if (next !== undefined && lines[Math.max(0, next)]) {
            lines[Math.max(0, next)].focus();
            event.preventDefault();
        }
    }

    /* Moves the focus, since the buttons are gone. */
    #arriveAtEnd() {
        const heading = this.#regions.end.querySelector('h2');
        heading.tabIndex = -1;
        heading.focus({preventScroll: true});
        this.#regions.end.scrollIntoView({block: 'nearest'});
    }

    /* The big picture and the panels that depend on the plan. */
    redraw(news = []) {
        const table = this.#table;
        const {face, acting, plan, state} = table;
        this.showPicture(news);
        setText(this.statusText, face.status?.(table) ?? '');
        refill(this.#regions.now, face.now?.(table, news) ?? []);
        refill(this.#regions.controls, state.over || !table.viewer ? []
            : face.controls?.(table) ?? []);
        setText(this.sayText, this.say());
        this.sayText.classList.toggle('why', Boolean(plan?.why));
        setText(this.howText, this.#how());
        refill(this.#regions.buttons, state.over ? [] : table.people.length ? this.#buttons()
            : this.#stillButton());
        table.guide?.changed({state, plan});
        this.pane.zoom.goTo(this.#zoomed);
        this.#zoomed = null;
    }

    /* The big picture alone: what is now, or how something came about, which is said over it.
     * Nothing else moves, least of all the log. */
    showPicture(news = []) {
        const {acting, face, lit, peeked, plan, state} = this.#table;
        this.pane.show(peeked ? this.#drawPast(peeked)
            : this.#drawText({pick: acting ? plan.pick : '', fresh: true, bare: this.small, lit,
                ...face.look?.(this.#table)}), news.length > 0);
        this.pane.caption(peeked ? full(tell(peeked, state)) : '');
    }

    /* Whether the viewer's picture is on the screen, and not the page between two players. */
    #canShow() {
        return Boolean(this.root) && !this.#handing;
    }

    /* For a printer: in black on white, with everything that belongs beside a sheet or board. */
    #showOnPaper() {
        if (this.#canShow()) {
            this.pane.show(this.#drawText({...this.#table.face.look?.(this.#table), fresh: false,
                lit: 0, bare: false, print: true}), false);
        }
    }

    #drawText(options) {
        const {engine, viewer} = this.#table;
        return engine.draw({viewer, sheet: viewer || 1, dark: isDark(),
            names: settings.get('names'), patterns: settings.get('patterns'), ...options});
    }

    draw(options = {}) {
        return svg(this.#drawText(options));
    }

    /* The big picture as it was when that had happened. */
    #drawPast(fact) {
        const {engine, face, viewer} = this.#table;
        engine.seek(viewer, fact.n);
        try {
            return this.#drawText({latest: true, bare: this.small, ...face.look?.(this.#table),
                ...face.peek?.(this.#table, fact)});
        } finally {
            engine.seek(viewer, Infinity);
        }
    }

    /* What people need to know once, one thing at a time; or ''. */
    #how() {
        const {acting, face, guide} = this.#table;
        if (!acting || guide) {
            return '';
        }
        if (!settings.get('confirmed') && !settings.get('confirm')) {
            return t('A tap shows what a move would do. Tap again, or press Confirm, to make it.');
        }
        return settings.get('finished') ? '' : face.how?.(this.#table) ?? '';
    }

    say() {
        const {acting, face, plan, state} = this.#table;
        if (acting && plan.why) {
            return reason(plan.sentence);
        }
        const said = face.say?.(this.#table);
        if (said) {
            return said;
        }
        if (acting) {
            return plan.plan ? full(planned(plan, state)) : '';
        }
        return state.over ? '' : this.#waiting();
    }

    #waiting() {
        const {paused, state, viewer} = this.#table;
        if (paused) {
            return t('Paused.');
        }
        const others = state.turn.filter((player) => player !== viewer);
        return others.length ? t('Waiting for {players}.', {
            players: playerNames(state, others)}) : t('Just a moment.');
    }

    /* While bots play alone. */
    #stillButton() {
        const table = this.#table;
        return table.source.hold ? [button(table.paused ? t('Continue') : t('Pause'),
            {'data-key': 'still', onclick: () => table.setPaused(!table.paused)},
            table.paused ? 'play' : 'pause')] : [];
    }

    #buttons() {
        const table = this.#table;
        const {acting, plan, state} = table;
        /* One that cannot be pressed keeps the focus, so that Enter never presses its neighbour. */
        const one = (label, key, name, may, act) => button(label, {
            class: key === 'confirm' ? 'confirm primary' : key, 'data-key': key,
            'data-guide': key, title: label, 'aria-label': label,
            'aria-disabled': may ? null : 'true',
            onclick: () => may && act()}, name);
        return [
            one(t('Confirm'), 'confirm', 'check', acting && plan.plan, () => table.confirm()),
            one(t('Undo'), 'undo', 'undo', plan?.plan || state.undo || state.back,
                () => table.undo(table.quick)),
            table.source.hints !== false &&
                one(t('Hint'), 'hint', 'hint', acting, () => table.askHint()),
        ];
    }

    /* ---- Dialogs ---- */

    showText() {
        const body = this.#table.face.text?.(this.#table) ?? [];
        dialog({title: t('The game as text'), body: [h('div', {class: 'as-text'}, body)],
            wide: true});
    }

    showKeys() {
        const rows = [...(this.#table.face.keys?.(this.#table) ?? []),
            [t('Enter'), t('Confirm')],
            [t('Backspace'), t('Undo')],
            [t('Escape'), t('Clear the move')],
            ['?', t('Show this list')]];
        dialog({title: t('Keyboard shortcuts'), body: [
            factTable(t('Keyboard shortcuts'), [t('Key'), t('What it does')], rows),
            h('p', {class: 'muted small'}, settings.get('keys')
                ? t('The letter, digit and ? keys can be turned off in the settings.')
                : t('The letter, digit and ? keys are turned off in the settings.'))]});
    }

    /* ---- The device changes hands ---- */

    /* Nobody's view is shown until `next` takes the device from `holder` (0: from nobody). `since`:
     * what everybody may know and `next` has not been told; `back`: the latest move of `holder` can
     * be taken back. */
    handOver({next, holder, since, back}) {
        const table = this.#table;
        const handing = `${next} ${holder} ${since.length}`;
        if (this.#handing === handing) {
            return; /* a bot has chosen, which nobody sees */
        }
        this.#handing = handing;
        this.#untip();
        this.pane.zoom.reset();
        const name = playerName(table.state, next);
        fill(this.root, h('section', {class: 'panel handover', 'aria-labelledby': 'handover'},
            h('h1', {id: 'handover', tabindex: -1}, t('Pass the device to {name}', {name})),
            h('p', {}, t('Nothing secret is shown until then.')),
            h('div', {class: 'row'}, this.#takeButton(t('I’m {name}', {name})),
                back && button(t('Undo {name}’s move', {
                    name: playerName(table.state, holder)}), {
                    'data-key': 'back', onclick: () => table.takeBack(holder)}, 'undo')),
            table.face.neutral?.(table) ?? [],
            since.length > 0 && h('div', {class: 'since'}, h('h2', {}, t('Since your last turn')),
                logList(since.slice(-HANDOVER_LOG_MAX), table.state))));
        document.getElementById('live').replaceChildren(); /* of the one before */
        announce(t('Pass the device to {name}', {name}));
        document.getElementById('handover').focus({preventScroll: true});
    }

    /* A second tap, or a key held down, comes from the player before and must open nothing. */
    #takeButton(label) {
        const take = button(label, {class: 'primary take', 'data-key': 'take', disabled: true,
            onkeydown: (event) => event.repeat && event.preventDefault(),
            onclick: () => this.#table.take()});
        setTimeout(() => {
            take.disabled = false;
            if (document.activeElement?.id === 'handover') {
                take.focus({preventScroll: true});
            }
        }, HANDOVER_MS);
        return take;
    }

    /* The player who has taken the device starts reading at the top. */
    focusTitle() {
        this.titleText.tabIndex = -1;
        this.titleText.focus({preventScroll: true});
    }
}
