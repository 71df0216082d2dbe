// The module with the analysis of games (docs/analysis.md) as an object: an Engine with more
// methods. It is larger than the module of every visit, and loaded only when somebody wants it.
//
//     const engine = await loadAnalysisEngine();
//     engine.open(record);
//     const {nodes} = engine.nodes(1);
//     const lines = nodes.map((node, i) => engine.node(1, i));   // in workers, in any order
//     engine.analysis(1, lines);                                 // objects, see docs/formats.md
//     engine.chart(1, lines, {dark: true, selected: 12});        // SVG text
//
// `lines` has the results of all nodes in order; undefined or '' where there is none yet.
import { Engine, fetchModule, flagsOf } from './engine.js';

const CHART_FLAGS = { dark: 1, print: 2, narrow: 4 };
const COUNTED = ['counted', 'unfinished', 'unknown', 'unreadable'];

let compiled = null;

/** The compiled module, fetched once; to be passed on to workers. */
export function loadAnalysisModule() {
    compiled ??= fetchModule('analysis.wasm').catch((error) => {
        compiled = null; // the next call tries again
        throw error;
    });
    return compiled;
}

/** An engine of its own; `source` (a module, or bytes) is for workers and node. */
export async function loadAnalysisEngine(source) {
    const module = source instanceof WebAssembly.Module ? source
        : await (source ? WebAssembly.compile(source) : loadAnalysisModule());
    return new AnalysisEngine(module, await WebAssembly.instantiate(module));
}

/** A line for every node. */
function joined(lines) {
    return Array.from(lines, (line) => `${line ?? ''}\n`).join('');
}

/** The look of a chart or plot as C takes it. */
function chartFlags(look) {
    return Object.entries(CHART_FLAGS).reduce((flags, [name, flag]) =>
        flags | (look[name] ? flag : 0), 0);
}

export class AnalysisEngine extends Engine {
    /** The moments to evaluate: `{ player, unit, nodes: [{ at, kind, event, open }] }`. */
    nodes(player) {
        return JSON.parse(this.askFor('nodes', '', player));
    }

    /** Evaluates a node, which takes some 10 ms; returns its result as a line. */
    node(player, index) {
        return this.askFor('node', '', player, index);
    }

    /** The whole, or as much of it as there are results. */
    analysis(player, lines) {
        return JSON.parse(this.askFor('analysis', joined(lines), player));
    }

    /** The chart as SVG text; `selected` is the number of a node. */
    chart(player, lines, { selected = -1, ...look } = {}) {
        return this.askFor('chart', joined(lines), player, chartFlags(look), selected);
    }

    /** Why a player's move is better than another one, both legal now: facts of the game's own. */
    reasons(player, better, played) {
        return JSON.parse(this.askFor('reasons', better + played, player, better.length)).why;
    }

    /** The picture before a move, with a better one and the one played in two styles: events as in
     * records, '' for none. The rest is as for draw(). */
    drawMoves({ viewer, sheet = viewer, names = true, lit = 0, prefix = '', better = '',
        played = '', ...look }) {
        return this.askFor('draw_moves', better + played + prefix, viewer, sheet,
            flagsOf(names, look), lit, better.length, played.length);
    }

    /** What was possible, had all cards been known: `{ points }`, or {} if that cannot be said. It
     * may take a second. */
    hindsight(player) {
        return JSON.parse(this.askFor('hindsight', '', player));
    }

    // ---- Statistics (src/page/stats.h); they need no open game --------------------------------

    /** Begins to count `games` games, in which the reader has one of these names. */
    countBegin(games, names) {
        this.askAny('stats_begin', names.join('\n'), games);
    }

    /** Counts a record; its own sheet is that of map(). Returns 'counted', or why it is left out:
     * 'unfinished', 'unknown' (who the reader is). One that is 'unreadable' can be tried again with
     * another sheet, or left out by countSkip(). */
    count(record) {
        return COUNTED[Number(this.askAny('stats_add', record))];
    }

    countSkip() {
        this.askAny('stats_skip', '');
    }

    /** Call it after the last record, before what follows. */
    countEnd() {
        this.askAny('stats_finish', '');
    }

    /** All figures, as text: what `endstation stats --json` prints, without its line end. */
    statistics() {
        return this.askAny('stats_json', '');
    }

    statisticsCsv() {
        return this.askAny('stats_csv', '');
    }

    /** Where the result of the n-th record that was counted stands; {}: there is none. */
    standing(n) {
        return JSON.parse(this.askAny('stats_standing', '', n));
    }

    /** The results of a group (its number in statistics()) as SVG text. */
    plot(group, look = {}) {
        return this.askAny('stats_plot', '', group, chartFlags(look));
    }
}
