/* Statistics of the reader's games: figures by sheet and level, results over time as a plot and as
 * a table, wins, streaks; as CSV and on paper. Everything is counted by C (counting.js). */
import {countGames, playedName} from './counting.js';
import {button, fill, h, icon, isDark, onTheme, svg} from '../ui/dom.js';
import {faceOf} from '../games/faces.js';
import {locale, noonOf} from '../app/region.js';
import {exportFile, fileName} from '../share/share.js';
import {staying} from '../ui/stay.js';
import {games} from '../store/store.js';
import {loadStyle} from '../app/stylesheets.js';
import {number, t, tn} from '../app/texts.js';
import {levelName} from '../ui/words.js';

const days = () => new Intl.DateTimeFormat(locale(), {dateStyle: 'medium'});
const day = (date, format = days()) => (date ? format.format(noonOf(date)) : t('no date'));

const percent = (part, whole) => t('{n}%', {n: number(100 * part / whole, 0)});

/* 51.3, 52 or 52.5. */
const mean = (value) => number(value, 1);
const median = (value) => number(value, Number.isInteger(value) ? 0 : 1);

/* ---- Words ----------------------------------------------------------------------------------- */

function rivalName(rival) {
    switch (rival) {
    case 'person': return t('People');
    case 'other': return t('Other bots');
    default: return levelName(rival);
    }
}

const withGames = (name, n) => tn('{name}, {n} game', '{name}, {n} games', n, {name});

/* A group as a choice. */
function choiceName({aided, name, players: n}) {
    if (aided)
        return n === 1 ? t('{name}, alone, with help', {name})
            : t('{name}, {n} players, with help', {name, n});
    return n === 1 ? t('{name}, alone', {name}) : t('{name}, {n} players', {name, n});
}

/* What was left out, and why. */
const leftOut = ({unfinished, unknown, unreadable}) => [
    unfinished > 0 && tn('{n} game that isn’t over is not counted.',
        '{n} games that aren’t over are not counted.', unfinished),
    unknown > 0 && tn('{n} game is not counted: several people or only bots play in it, and ' +
        'nobody has your name.', '{n} games are not counted: several people or only bots play ' +
        'in them, and nobody has your name.', unknown),
    unreadable > 0 && tn('{n} game is not counted: it is damaged, or its sheet is missing.',
        '{n} games are not counted: they are damaged, or their sheets are missing.', unreadable),
].filter(Boolean);

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The first cell of a row is its heading; the others are numbers. Roles are spelled out, because
 * phones show the rows of named tables as blocks, which would lose them. */
function table(caption, heads, rows, attributes = {}) {
    return h('div', {class: 'scroll', ...attributes}, h('table', {role: 'table'},
        h('caption', {class: 'visually-hidden'}, caption),
        h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, heads.map((head, i) => h('th',
            {role: 'columnheader', scope: 'col', class: i > 0 && 'number'}, head)))),
        h('tbody', {role: 'rowgroup'}, rows.map(([first, ...cells]) => h('tr', {role: 'row'},
            h('th', {role: 'rowheader', scope: 'row'}, first),
            cells.map((cell) => h('td', {role: 'cell', class: 'number'}, cell)))))));
}

/* A table whose rows have long headings: on a phone these have a line of their own. */
const namedTable = (caption, heads, rows) => table(caption, heads, rows,
    {class: 'scroll statistics-named'});

function section(id, title, ...children) {
    return h('section', {class: 'panel stack', 'aria-labelledby': `statistics-${id}`},
        h('h2', {id: `statistics-${id}`}, title), children);
}

/* Games alone, or with others. */
function groupTable(title, groups) {
    const alone = groups[0].players === 1;
    const heads = [t('Game'), t('Games'), alone ? t('Median') : t('Win rate'), t('Mean'),
        t('Best')];
    return namedTable(title, heads, groups.map(({name, players, ...group}) => [
        alone ? name : t('{name}, {n} players', {name, n: players}), number(group.games),
        alone ? median(group.median) : percent(group.wins, group.games), mean(group.mean),
        number(group.best)]));
}

const groupSection = (id, title, groups) => groups.length > 0 &&
    section(id, title, groupTable(title, groups));

const opponentNote = () => h('p', {class: 'muted small'}, t('A game against several kinds of ' +
    'opponents counts for each. A shared win counts as won, and adds its part to the win rate.'));

function rivalSection(id, title, rivals) {
    return rivals.length > 0 && section(id, title, namedTable(title,
        [t('Opponent'), t('Games'), t('Won'), t('Win rate')],
        rivals.map(({game, rival, games: n, won, wins}) => [
            t('{game}: {rival}', {game: faceOf(game).name(), rival: rivalName(rival)}), number(n),
            number(won), percent(wins, n)])),
    opponentNote());
}

function streakSection({streaks, days}) {
    const facts = streaks.flatMap(({game, latest, longest}) => [
        [t('{game}: longest winning streak', {game: faceOf(game).name()}), number(longest)],
        [t('{game}: current winning streak', {game: faceOf(game).name()}), number(latest)]]);
    if (days.days > 0)
        facts.push([t('Days with a game'), number(days.days)],
            [t('Most days in a row'), number(days.longest)],
            [t('Days in a row, up to {day}', {day: day(days.until)}), number(days.latest)]);
    return facts.length > 0 && section('streaks', t('Streaks'), h('dl', {class: 'figures'},
        facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))));
}

/* ---- One group ------------------------------------------------------------------------------- */

function figures({best, bestDate, games: n, least, linesBest, linesMean, ...group}) {
    const facts = [[t('Games'), number(n)], [t('Mean'), mean(group.mean)],
        [t('Median'), median(group.median)],
        [bestDate ? t('Best, on {day}', {day: day(bestDate)}) : t('Best'), number(best)],
        [t('Lowest'), number(least)]];
    if (linesMean !== undefined)
        facts.push([t('Lines completed per game'), mean(linesMean)],
            [t('Most lines in a game'), number(linesBest)]);
    return h('dl', {class: 'figures'}, facts.map(([name, value]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

/* How the results compare with games of bots. */
function levelTable({levels = []}) {
    const title = t('Compared with games of bots');
    return levels.length > 0 && [h('h3', {}, title),
        namedTable(title, [t('Level'), t('Mean'), t('Below your median'), t('Below your best')],
            levels.map(({level, games: n, belowBest, belowMedian, ...results}) => [
                withGames(levelName(level), n), mean(results.mean), t('{n}%', {n: belowMedian}),
                t('{n}%', {n: belowBest})]))];
}

/* How the reader did against each kind of opponent. */
function opponentTable({players, rivals = []}) {
    const title = t('By opponent');
    return rivals.length > 0 && [h('h3', {}, title),
        namedTable(title, [t('Opponent'), t('Win rate'), t('Mean'), t('Median'), t('Best')],
            rivals.map(({rival, games: n, wins, best, ...figures}) => [
                withGames(rivalName(rival), n), percent(wins, n), mean(figures.mean),
                median(figures.median), number(best)])),
        players > 2 && opponentNote()];
}

/* The figures of the plot, the latest first. */
function resultTable({linesMean, players, results}) {
    const alone = players === 1;
    const title = t('All results');
    const format = days();
    const heads = [t('Date'), t('Points'), ...linesMean === undefined ? [] : [t('Lines completed')],
        ...alone ? [] : [t('Place')]];
    return table(title, heads, results.toReversed().map(({date, points, lines, place}) => [
        day(date, format), number(points), ...linesMean === undefined ? [] : [number(lines)],
        ...alone ? [] : [t('{place} of {players}', {place, players})]]),
    {class: 'scroll statistics-results', tabindex: 0, role: 'group', 'aria-label': title});
}

/* It is long, and made when it is opened. */
function allResults(group) {
    const element = h('details', {class: 'statistics-all', ontoggle: () => {
        if (element.childElementCount === 1) element.append(resultTable(group));
    }}, h('summary', {}, t('All results')));
    return element;
}

const keyOf = ({hash, game, rules, options, players, aided}) =>
    JSON.stringify([game, hash, rules, options, players, aided]);

class Course {
    /* `chosen`: the key of the group that was shown before. */
    constructor(counted, groups, chosen) {
        Object.assign(this, {counted, groups});
        this.paper = matchMedia('print');
        this.narrow = matchMedia('(max-width: 599px)');
        this.draw = () => this.drawPlot();
        this.select = h('select', {id: 'statistics-what', onchange: () => this.show()},
            groups.map((group, i) => h('option', {value: i}, choiceName(group))));
        /* At first what was played most. */
        const before = groups.findIndex((group) => keyOf(group) === chosen);
        this.select.value = String(before >= 0 ? before : groups.reduce((most, group, i) =>
            (group.games > groups[most].games ? i : most), 0));
        this.plot = h('div', {class: 'statistics-plot'});
        this.caption = h('figcaption', {class: 'muted small'});
        this.details = h('div', {class: 'stack'});
        this.element = section('course', t('Points over time'),
            h('div', {class: 'field statistics-what'},
                h('label', {for: 'statistics-what'}, t('Games')), this.select,
                this.printed = h('p', {class: 'statistics-printed'})),
            h('figure', {}, this.plot, this.caption), this.details);
        for (const medium of [this.paper, this.narrow])
            medium.addEventListener('change', this.draw);
        this.untheme = onTheme(this.draw);
        this.show();
    }

    end() {
        for (const medium of [this.paper, this.narrow])
            medium.removeEventListener('change', this.draw);
        this.untheme();
    }

    get chosen() {
        return keyOf(this.groups[Number(this.select.value)]);
    }

    drawPlot() {
        const picture = svg(this.counted.plot(Number(this.select.value), {
            dark: isDark() && !this.paper.matches, print: this.paper.matches,
            narrow: this.narrow.matches && !this.paper.matches}));
        picture.setAttribute('role', 'img');
        picture.setAttribute('aria-label', picture.querySelector('title').textContent);
        fill(this.plot, picture);
    }

    show() {
        const group = this.groups[Number(this.select.value)];
        this.printed.textContent = choiceName(group);
        this.caption.textContent = t('Each dot is a game, and the filled one is the best. The ' +
            'line is the mean of the last {n} games.', {n: group.window});
        this.drawPlot();
        fill(this.details, figures(group), levelTable(group), opponentTable(group),
            allResults(group));
    }
}

/* ---- The screen ------------------------------------------------------------------------------ */

function nothing(left) {
    return h('section', {class: 'panel stack'},
        h('p', {}, t('No finished games yet. Once you have finished one, its figures are here.')),
        leftOut(left).map((text) => h('p', {class: 'muted'}, text)),
        h('div', {class: 'row'}, h('a', {class: 'button primary', href: '#'}, t('Home')),
            h('a', {class: 'button', href: '#games'}, t('All games'))));
}

function lead({alone, games: n, left}) {
    return h('div', {class: 'stack tight'},
        h('p', {class: 'statistics-lead'}, tn('{n} finished game: {alone} alone, {others} with ' +
            'others.', '{n} finished games: {alone} alone, {others} with others.', n,
        {alone, others: n - alone})),
        leftOut(left).map((text) => h('p', {class: 'muted small'}, text)));
}

/* Adds a name to every group. */
async function named(statistics) {
    return Promise.all(statistics.groups.map(async (group) =>
        ({...group, name: await playedName(group)})));
}

/* Shows all figures; returns the course, null if there is nothing to show. `chosen` as for it. */
function showFigures(place, counted, statistics, groups, chosen) {
    const heading = h('h1', {tabindex: -1}, t('Statistics'));
    if (statistics.games === 0) {
        fill(place, heading, nothing(statistics.left));
        return null;
    }
    const own = (aided, alone) => groups.filter((group) => group.aided === aided &&
        (group.players === 1) === alone);
    const rivals = (aided) => statistics.rivals.filter((one) => one.aided === aided);
    const course = new Course(counted, groups, chosen);
    fill(place, heading, lead(statistics), course.element,
        h('div', {class: 'statistics-columns'},
            groupSection('alone', t('Alone'), own(false, true)),
            groupSection('others', t('With others'), own(false, false)),
            rivalSection('rivals', t('Wins against'), rivals(false)),
            streakSection(statistics),
            groupSection('aided-alone', t('Alone, with help'), own(true, true)),
            groupSection('aided-others', t('With others, with help'), own(true, false)),
            rivalSection('aided-rivals', t('Wins against, with help'), rivals(true))),
        h('div', {class: 'row statistics-actions'},
            button(t('Save as CSV'), {onclick: () => exportFile(
                fileName({title: 'endstation'}, 'csv'), counted.csv(), 'text/csv')}, 'save'),
            button(t('Print'), {onclick: () => window.print()}, 'print'),
            h('a', {class: 'button', href: '#games'}, icon('games'), t('All games'))));
    return course;
}

export async function show(place) {
    let course = null;
    let shown = '';
    let counted = null;
    let ended = false;
    const count = async () => {
        const now = await countGames();
        const statistics = now.statistics();
        const groups = await named(statistics);
        if (ended) return;
        counted = now;
        if (JSON.stringify(statistics) === shown) return;
        shown = JSON.stringify(statistics);
        staying(place, () => {
            course?.end();
            course = showFigures(place, counted, statistics, groups, course?.chosen);
        });
    };
    await loadStyle('review/statistics.css');
    await count();
    /* Another tab has changed something: most often a game is played there. One change is looked at
     * after the other, because counting may have included the next ones. */
    let looking = Promise.resolve();
    const unwatch = games.watchAll((ids) => {
        const look = async () => {
            if (!ended && await counted.differs(ids)) await count();
        };
        looking = looking.then(look, look);
    });
    return () => {
        ended = true;
        unwatch();
        course?.end();
    };
}
