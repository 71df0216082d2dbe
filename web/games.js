/* The list of saved games: continue, replay, share, save as a file, delete, import. */
import {fill, h, icon, toast} from './dom.js';
import {picture} from './pictures.js';
import {exportGame, importField, shareGame} from './share.js';
import {standing} from './standing.js';
import {games} from './store.js';
import {language, t} from './texts.js';
import {reason} from './words.js';

/* The browser's variant of the page's language, for dates: British or American English. */
const place = () => navigator.languages.find((tag) => tag.split('-')[0] === language()) ??
    language();
const day = (time) => new Intl.DateTimeFormat(place(), {dateStyle: 'medium', timeStyle: 'short'})
    .format(time);

function small(name, label, action) {
    return h('button', {type: 'button', class: 'button quiet square', title: label,
        'aria-label': label, onclick: action}, icon(name));
}

function entry(game, again) {
    const title = h('h2', {id: `kept-${game.id}`}, game.title || t('Untitled game'));
    const words = h('p', {class: 'muted small'});
    const place = h('span', {class: game.over ? 'tag good' : 'tag'},
        game.over ? t('Finished') : t('In progress'));
    const shown = picture({record: game.record, map: game.map, told: (state) => {
        const found = standing(state);
        title.textContent = found.name;
        words.textContent = found.players;
        place.textContent = found.place || place.textContent;
    }, failed: (error) => {
        words.className = 'warn-text small';
        words.textContent = error.status ? reason(error.sentence)
            : t('The page didn’t load completely. Reload it to try again.');
        if (!error.status) return; /* the error is not about this game */
        for (const door of item.querySelectorAll('.kept-doors a')) door.remove();
    }});
    const item = h('li', {class: 'panel kept', data: {game: game.id}}, shown,
        h('div', {class: 'kept-words'}, title, words,
            h('p', {class: 'row small'}, place,
                h('time', {class: 'muted', datetime: new Date(game.changed).toISOString()},
                    day(game.changed)))),
        h('div', {class: 'row kept-doors', role: 'group', 'aria-labelledby': title.id},
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
            small('bin', t('Delete'), async () => {
                const next = (item.nextElementSibling ?? item.previousElementSibling)?.dataset.game;
                const gone = await games.remove(game.id);
                await again(next ?? '');
                toast(t('Game deleted.'), {label: t('Restore'), action: async () => {
                    await games.restore(gone);
                    await again(game.id);
                }});
            })));
    return item;
}

export async function show(place) {
    const list = h('ul', {class: 'kept-list'});
    const none = h('section', {class: 'panel stack'},
        h('p', {}, t('No saved games yet. Every game you start is saved here automatically, ' +
            'move by move.')),
        h('div', {class: 'row'}, h('a', {class: 'button primary', href: '#'}, t('Home'))));

    /* Shows the list again and focuses the game `focus`, or the heading if it is ''. */
    async function again(focus) {
        const kept = await games.list();
        fill(list, kept.map((game) => entry(game, again)));
        none.hidden = kept.length > 0;
        if (focus === undefined) return;
        const there = focus && list.querySelector(`[data-game="${focus}"] a`);
        (there || place.querySelector('h1')).focus();
    }

    const heading = h('h1', {tabindex: -1}, t('Games'));
    fill(place, heading, none, list,
        h('div', {class: 'row'},
            h('a', {class: 'button', href: '#statistics'}, icon('chart'), t('Statistics')),
            h('a', {class: 'button', href: '#problems'}, t('Solve problems'))),
        h('section', {class: 'stack tight', 'aria-labelledby': 'import-title'},
            h('h2', {id: 'import-title'}, t('Import games')),
            h('p', {class: 'muted'}, t('Files ending in .record, with the .map file of a sheet ' +
                'of your own; or a backup of everything.')),
            importField({label: t('Choose files'),
                accept: '.record,.map,.txt,.json,text/plain,application/json',
                done: (result) => result.fresh.length > 0 && again(result.games[0].id)})));
    await again();
    /* Another tab has changed something: the focus stays where it is. */
    return games.watchAll(() => again(list.contains(document.activeElement)
        ? document.activeElement.closest('[data-game]')?.dataset.game : undefined));
}
