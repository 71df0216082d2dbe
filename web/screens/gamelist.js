/* The list of saved games: search, filter and sort them; continue, replay, share, save as files,
 * delete, import. A part of the list is in the document, and more on request; pictures are drawn
 * when they come into view. What a row says is kept with its game (outlines.js), or found while the
 * list is shown. */
import {button, fill, h, icon, toast} from '../ui/dom.js';
import {findFacts, recall} from '../store/outlines.js';
import {picture} from '../ui/thumbnails.js';
import {allPlayed, answer, byAge, describe, isEverything, keepQuery, recallQuery}
    from '../store/gamequery.js';
import {locale} from '../app/region.js';
import {exportGame, exportGames, importField, shareGame} from '../share/share.js';
import {standing} from '../ui/standing.js';
import {stayingLater} from '../ui/stay.js';
import {games} from '../store/store.js';
import {loadStyle} from '../app/stylesheets.js';
import {t, tn} from '../app/texts.js';
import {reason} from '../ui/words.js';

const FEW = 6; /* games; fewer are not searched */
const PIECE = 50; /* rows that are added to the document at once */

function small(name, label, action) {
    return h('button', {type: 'button', class: 'button quiet square', title: label,
        'aria-label': label, onclick: action}, icon(name));
}

/* Puts elements into a list, in order. Those that are there stay; focus and pictures with them. */
function arrange(list, elements) {
    const focus = document.activeElement;
    const wanted = new Set(elements);
    for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
    let next = list.firstElementChild;
    for (const element of elements) {
        if (element === next) next = next.nextElementSibling;
        else list.insertBefore(element, next);
    }
    if (list.contains(focus)) focus.focus({preventScroll: true});
}

/* ---- One game -------------------------------------------------------------------------------- */

/* The row of a game; `list` is told what is done with it. `told(state)` fills in the words. */
class Row {
    constructor(game, list) {
        this.game = game;
        this.list = list;
        this.title = h('h2', {id: `kept-${game.id}`}, game.title || t('Untitled game'));
        this.words = h('p', {class: 'muted small'});
        this.state = h('span', {class: game.over ? 'tag good' : 'tag'},
            game.over ? t('Finished') : t('In progress'));
        this.check = h('input', {type: 'checkbox', 'aria-labelledby': this.title.id,
            onchange: () => list.select(game.id, this.check.checked)});
        this.element = h('li', {class: 'panel kept', data: {game: game.id}},
            h('label', {class: 'kept-check'}, this.check),
            picture({record: game.record, map: game.map, failed: (error) => this.failed(error)}),
            h('div', {class: 'kept-words'}, this.title, this.words,
                h('p', {class: 'row small'}, this.state,
                    h('time', {class: 'muted', datetime: new Date(game.changed).toISOString()},
                        list.day.format(game.changed)))),
            this.doors());
    }

    doors() {
        const {game, list} = this;
        return h('div', {class: 'row kept-doors', role: 'group', 'aria-labelledby': this.title.id},
            game.over
                ? h('a', {class: 'button', href: `#replay=${game.id}`}, icon('replay'), t('Replay'))
                : h('a', {class: 'button primary', href: `#game=${game.id}`}, icon('play'),
                    t('Continue')),
            game.over
                ? h('a', {class: 'button quiet square', href: `#game=${game.id}`,
                    title: t('View result'), 'aria-label': t('View result')}, icon('sum'))
                : h('a', {class: 'button quiet square', href: `#replay=${game.id}`,
                    title: t('Replay'), 'aria-label': t('Replay')}, icon('replay')),
            small('share', t('Share as a link'), async () => {
                const now = await games.get(game.id) ?? game;
                shareGame(now, now.title);
            }),
            small('save', t('Save as a file'), async () =>
                exportGame(await games.get(game.id) ?? game)),
            small('bin', t('Delete'), () => {
                const {nextElementSibling: next, previousElementSibling: before} = this.element;
                list.remove([game.id], (next ?? before)?.dataset.game ?? '');
            }));
    }

    focus() {
        const {check, element, list} = this;
        (list.selected ? check : element.querySelector('.kept-doors > *')).focus();
    }

    told(state) {
        const found = standing(state);
        this.title.textContent = found.name;
        this.words.textContent = found.players;
        this.state.textContent = found.place || this.state.textContent;
    }

    failed(error) {
        this.words.className = 'warn-text small';
        this.words.textContent = error.status ? reason(error.sentence)
            : t('The page didn’t load completely. Reload it to try again.');
        if (!error.status) return; /* the error is not about this game */
        for (const door of this.element.querySelectorAll('.kept-doors a')) door.remove();
    }
}

/* ---- The list -------------------------------------------------------------------------------- */

const option = (chosen) => ([value, name]) =>
    h('option', {value, selected: value === chosen}, name);

class List {
    /* `before`: the list in another language. */
    constructor(screen, before) {
        this.screen = screen;
        this.query = recallQuery();
        this.day = new Intl.DateTimeFormat(locale(), {dateStyle: 'medium', timeStyle: 'short'});
        this.kept = new Map(); /* by id: {game, state, isKnown, about, row}; see newEntry() */
        this.found = []; /* the ids that the query asks for, in order */
        this.most = before?.most ?? PIECE; /* rows in the document */
        this.selected = before?.selected ?? null; /* ids while games are being selected */
        this.imported = before?.imported ?? {}; /* what importField shows */
        this.unread = 0; /* games whose facts are not known yet */
        this.reading = null; /* ends the search for facts */
        this.make();
    }

    make() {
        const {query} = this;
        this.search = h('input', {id: 'kept-search', type: 'search', value: query.words,
            autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'search',
            placeholder: t('Player, game or sheet'),
            oninput: () => this.ask({words: this.search.value})});
        this.played = this.choice('played', t('Game or sheet'), [['', t('All games')]]);
        this.tools = h('div', {class: 'kept-tools', role: 'search', 'aria-label': t('Find games')},
            h('div', {class: 'field kept-search'},
                h('label', {for: 'kept-search'}, t('Search')), this.search),
            this.played,
            this.choice('state', t('State'), [['', t('Finished or not')],
                ['open', t('In progress')], ['over', t('Finished')]]),
            this.choice('company', t('Players'), [['', t('Any players')], ['solo', t('Solo')],
                ['bots', t('Against bots')], ['people', t('With other people')]]),
            this.choice('order', t('Sort by'), [['changed', t('Last change')],
                ['newest', t('Newest game')], ['oldest', t('Oldest game')],
                ['score', t('Highest score')], ['name', t('Name')]]));
        this.count = h('p', {class: 'muted kept-count', role: 'status'});
        this.all = button(t('Show all games'), {class: 'quiet', onclick: () => this.askAll()});
        this.several = button(t('Select several'), {class: 'quiet',
            onclick: () => this.startSelecting()});
        this.line = h('div', {class: 'row kept-line'}, this.count, this.all, this.several);
        this.makeBar();
        this.list = h('ul', {class: 'kept-list'});
        this.more = button('', {class: 'kept-more', onclick: () => this.showMore()});
        this.none = h('section', {class: 'panel stack'},
            h('p', {}, t('No saved games yet. Every game you start is saved here automatically, ' +
                'move by move.')),
            h('div', {class: 'row'}, h('a', {class: 'button primary', href: '#'}, t('Home'))));
    }

    choice(name, label, options) {
        return h('div', {class: 'field'}, h('label', {for: `kept-${name}`}, label),
            h('select', {id: `kept-${name}`,
                onchange: (event) => this.ask({[name]: event.target.value})},
            options.map(option(this.query[name]))));
    }

    /* What can be done with selected games. */
    makeBar() {
        this.selectedCount = h('p', {class: 'kept-count', role: 'status'});
        this.selectAll = button('', {class: 'quiet', onclick: () => this.changeAll()});
        this.save = button(t('Export'), {onclick: () => this.saveSelected()}, 'save');
        this.delete = button(t('Delete'), {class: 'danger',
            onclick: () => this.remove([...this.selected])}, 'bin');
        this.bar = h('div', {class: 'panel kept-bar', role: 'group', hidden: true,
            'aria-label': t('Selected games')}, this.selectedCount, this.selectAll, this.save,
        this.delete, small('close', t('Stop selecting'), () => this.stopSelecting()));
    }

    /* ---- What is shown ---- */

    /* Reads all games again and shows them; focuses the game `focus`, or the heading if it is ''.
     */
    async again(focus) {
        const kept = await games.list();
        this.kept = new Map(kept.map((game) => [game.id, this.entryOf(game)]));
        this.show();
        this.read();
        if (focus !== undefined) this.focus(focus);
    }

    /* Reads these games again, which may be new, or gone. */
    async follow(ids) {
        if (ids.length > PIECE) {
            await this.again();
            return;
        }
        const found = await Promise.all(ids.map((id) => games.get(id)));
        for (const [i, id] of ids.entries()) {
            if (found[i]) this.kept.set(id, this.entryOf(found[i]));
            else this.kept.delete(id);
        }
        this.show();
        this.read();
    }

    entryOf(game) {
        const old = this.kept.get(game.id);
        const isSame = old?.game.revision === game.revision && old.game.changed === game.changed;
        return isSame ? old : this.newEntry(game, old?.state);
    }

    /* Focuses a game, with as much of the list as that needs, or the heading if it is not in it. */
    focus(id) {
        const at = this.found.indexOf(id);
        if (at >= this.most) {
            this.most = (Math.floor(at / PIECE) + 1) * PIECE;
            this.showList();
        }
        (at < 0 ? this.screen.querySelector('h1') : this.kept.get(id).row).focus();
    }

    /* Until more is known, a game that has changed counts as the one that it was: `before`. */
    newEntry(game, before = null) {
        const known = recall(game);
        const state = known ?? before;
        return {game, state, isKnown: known !== null, about: describe(game, state), row: null};
    }

    rowOf(id) {
        const entry = this.kept.get(id);
        if (!entry.row) {
            entry.row = new Row(entry.game, this);
            if (entry.state) entry.row.told(entry.state);
        }
        entry.row.check.checked = this.selected?.has(id) ?? false;
        return entry.row.element;
    }

    show() {
        const all = [...this.kept.values()].map(({about}) => about);
        const options = this.dropGone(allPlayed(all));
        this.found = answer(this.query, all).map(({game}) => game.id);
        if (this.selected) {
            const found = new Set(this.found);
            this.selected = new Set([...this.selected].filter((id) => found.has(id)));
        }
        this.showPlayed(options);
        this.showList();
    }

    showList() {
        const {found, kept, most, query} = this;
        arrange(this.list, found.slice(0, most).map((id) => this.rowOf(id)));
        this.list.classList.toggle('selecting', this.selected !== null);
        const isAll = isEverything(query);
        this.none.hidden = kept.size > 0;
        this.tools.hidden = kept.size < FEW && isAll;
        this.line.hidden = kept.size < 2 || this.selected !== null;
        this.all.hidden = isAll;
        this.several.hidden = found.length === 0;
        this.more.hidden = found.length <= most;
        const next = Math.min(PIECE, found.length - most);
        this.more.lastChild.textContent = tn('Show {n} more game', 'Show {n} more games', next);
        this.tell();
        this.showBar();
    }

    /* Says how many there are; only a change, so that screen readers are quiet otherwise. */
    tell() {
        const {found, kept, unread} = this;
        const isAll = found.length === kept.size;
        const shown = isAll ? tn('{n} game', '{n} games', kept.size)
            : t('{n} of {all} games', {n: found.length, all: kept.size});
        const text = unread > 0 && !isAll ? t('{shown}, still searching…', {shown}) : shown;
        if (this.count.textContent !== text) this.count.textContent = text;
        this.count.toggleAttribute('data-reading', unread > 0);
    }

    /* If the last of the games that are asked for is gone, all are. Returns the options. */
    dropGone(options) {
        const {kept, query} = this;
        const isGone = query.played && [...kept.values()].every(({isKnown}) => isKnown) &&
            !options.some(({value}) => value === query.played);
        if (isGone) {
            query.played = '';
            keepQuery(query);
        }
        return options;
    }

    showPlayed(options) {
        const select = this.played.querySelector('select');
        const {query} = this;
        const wanted = ['', ...options.map(({value}) => value)];
        if (wanted.join('\n') === [...select.options].map(({value}) => value).join('\n')) return;
        fill(select, [['', t('All games')], ...options.map(({value, name}) => [value, name])]
            .map(option(query.played)));
    }

    /* ---- Finding games ---- */

    ask(changes) {
        Object.assign(this.query, changes);
        keepQuery(this.query);
        this.most = PIECE;
        this.show();
    }

    askAll() {
        this.search.value = '';
        for (const name of ['played', 'state', 'company'])
            this.tools.querySelector(`#kept-${name}`).value = '';
        this.ask({words: '', played: '', state: '', company: ''});
        if (this.tools.hidden) this.focus('');
        else this.search.focus();
    }

    showMore() {
        this.focus(this.found[this.most]);
    }

    /* Finds the facts that are not kept yet, those of the latest games first. */
    async read() {
        this.end();
        const unread = [...this.kept.values()].filter(({isKnown}) => !isKnown);
        this.unread = unread.length;
        this.tell();
        if (unread.length === 0) return;
        const reading = new AbortController();
        this.reading = reading;
        await findFacts(unread.map(({game}) => game), {
            signal: reading.signal,
            found: (game, state) => this.learn(game, state),
            paused: () => this.show(),
        }).catch((error) => {
            console.info('facts', error); /* the pictures say it */
            this.unread = 0;
            this.tell();
        });
    }

    learn(game, state) {
        const entry = this.kept.get(game.id);
        this.unread--;
        entry.isKnown = true;
        if (!state) return;
        entry.state = state;
        entry.about = describe(game, state);
        entry.row?.told(state);
    }

    end() {
        this.reading?.abort();
        this.reading = null;
    }

    /* ---- Several at once ---- */

    startSelecting() {
        this.selected = new Set();
        this.showList();
        this.selectAll.focus();
    }

    stopSelecting() {
        this.selected = null;
        this.showList();
        if (!this.several.hidden) this.several.focus();
        else this.search.focus();
    }

    select(id, isSelected) {
        if (isSelected) this.selected.add(id);
        else this.selected.delete(id);
        this.showBar();
    }

    /* Selects all games that are found, whether they are in the document or not; or none. */
    changeAll() {
        this.selected = new Set(this.selected.size < this.found.length ? this.found : []);
        this.showList();
    }

    showBar() {
        const {selected, found} = this;
        this.bar.hidden = selected === null;
        if (!selected) return;
        const text = t('{n} of {all} selected', {n: selected.size, all: found.length});
        if (this.selectedCount.textContent !== text) this.selectedCount.textContent = text;
        const isWhole = found.length > 0 && selected.size === found.length;
        this.selectAll.lastChild.textContent = isWhole ? t('Select none') : t('Select all');
        for (const act of [this.save, this.delete]) act.disabled = selected.size === 0;
    }

    async saveSelected() {
        const {selected} = this;
        const list = (await games.list()).filter(({id}) => selected.has(id)).sort(byAge);
        if (list.length === 1) exportGame(list[0]);
        else exportGames(list);
        toast(tn('{n} game saved in one file.', '{n} games saved in one file.', list.length));
    }

    /* Deletes games, and offers to bring them back; focuses the game `next` then. */
    async remove(ids, next = '') {
        const gone = await games.remove(ids);
        this.selected = null;
        await this.again(next);
        const isOne = ids.length === 1;
        toast(isOne ? t('Game deleted.')
            : tn('{n} game deleted.', '{n} games deleted.', gone.length), {
            label: t('Restore'), stay: !isOne, action: async () => {
                await games.restore(gone);
                if (this.screen.isConnected) await this.again(gone[0]?.id ?? '');
            }});
    }
}

function makeList(screen, before) {
    const list = new List(screen, before);
    fill(screen, h('div', {class: 'row kept-head'}, h('h1', {tabindex: -1}, t('Games')),
        h('a', {class: 'button quiet', href: '#statistics'}, t('Statistics')),
        h('a', {class: 'button quiet', href: '#problems'}, t('Solve problems'))),
    list.none, list.tools, list.line, list.bar, list.list, list.more,
    h('section', {class: 'stack tight', 'aria-labelledby': 'import-title'},
        h('h2', {id: 'import-title'}, t('Import games')),
        h('p', {class: 'muted'}, t('Files ending in .record, with the .map file of a sheet ' +
            'of your own; or a backup of everything.')),
        importField({label: t('Choose files'),
            accept: '.record,.map,.txt,.json,text/plain,application/json',
            latest: list.imported,
            done: (result) => result.fresh.length > 0 && list.again(result.games[0].id)})));
    return list;
}

/* `before` is the address of the last screen: someone who comes from a game finds the list at that
 * game. */
export async function show(screen, parameter, before) {
    await loadStyle('screens/gamelist.css');
    let list = makeList(screen);
    await list.again(/^#(?:game|replay|analysis)=(\w+)/.exec(before)?.[1]);
    /* Another tab has changed something: the focus stays where it is. */
    const ignore = games.watchAll(async (ids) => {
        const focused = document.activeElement.closest('[data-game]')?.dataset.game;
        await list.follow(ids);
        if (focused && document.activeElement === document.body) list.focus(focused);
    });
    return Object.assign(() => {
        ignore();
        list.end();
    }, {again: () => stayingLater(screen, () => {
        list.end();
        list = makeList(screen, list);
        return list.again();
    })});
}
