/* The functions that the WebAssembly module exports: those of page.h for one session, and the
 * buffers in which texts are passed.
 *
 *     at = input(size)          room for the text of the next call, or 0: it is too large
 *     status = open(size)       0, or the number of a status code
 *     output(), output_size()   the answer: text, SVG or JSON; after a status other than 0
 *                               {"status":"LINE_FULL","line":0,"words":"1 A3","sentence":"…"}
 *
 * The module imports nothing. A bug traps; the instance cannot be used after that. */
#include "page/exports.h"
#include "page/json.h"
#include <assert.h>
#include <string.h>

struct es_page es__exported;

/* ---- Memory --------------------------------------------------------------------------------- */

enum { WASM_PAGE = 64 << 10, OUTPUT_LEAST = 256 << 10 };

static struct es__room in, answer;
static size_t answer_size;

void es__reserve(struct es__room *room, size_t size)
{
    if (size <= room->size)
        return;
    size_t pages = ((size > 2 * room->size ? size : 2 * room->size) + WASM_PAGE - 1) / WASM_PAGE;
    size_t before = __builtin_wasm_memory_grow(0, pages);
    assert(before != (size_t)-1);
    *room = (struct es__room){(char *)(before * WASM_PAGE), pages * WASM_PAGE};
}

void *es__memory(size_t size)
{
    static struct es__room room;
    es__reserve(&room, size);
    return room.at;
}

struct es_out es__answer_begin(void)
{
    es__reserve(&answer, OUTPUT_LEAST);
    return (struct es_out){answer.at, answer.size, 0};
}

bool es__answer_keep(const struct es_out *out)
{
    answer_size = out->used;
    if (es_out_ok(out))
        return true;
    es__reserve(&answer, out->used);
    return false;
}

struct es_str es__input(size_t size)
{
    assert(size <= in.size);
    return (struct es_str){in.at, size};
}

EXPORT(output) const char *output(void)
{
    return answer.at;
}

EXPORT(output_size) size_t output_size(void)
{
    return answer_size;
}

/* ---- Faults --------------------------------------------------------------------------------- */

int es__answer_fault(const struct es_fault *fault)
{
    struct es_out out = es__answer_begin();
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, &out);
    es__write_object(w, NULL);
    es__write_text(w, "status", es_status_code(fault->status));
    es__write_int(w, "line", fault->line);
    es__write_text(w, "words", fault->words);
    es__write_text(w, "sentence", es_status_text(fault->status));
    es__write_end(w);
    es__answer_keep(&out);
    return (int)fault->status;
}

int es__answer_status(es_status status, struct es_str words)
{
    struct es_fault fault;
    answer_size = 0;
    if (status == ES_OK)
        return ES_OK;
    es_fault_set(&fault, 0, status, words);
    return es__answer_fault(&fault);
}

/* Returns true for a player's number, and for 0, a spectator. */
static bool can_look(int viewer)
{
    return viewer >= 0 && viewer <= es__exported.record.setup.players;
}

static int unknown_viewer(void)
{
    return es__answer_status(ES_PLAYER_UNKNOWN, es_str(""));
}

/* Answers with the text that a function of page.h writes. */
static int answer_with(void (*write)(struct es_page *page, struct es_out *out))
{
    struct es_out out;
    do {
        out = es__answer_begin();
        write(&es__exported, &out);
    } while (!es__answer_keep(&out));
    return ES_OK;
}

static int answer_viewer(int viewer,
                         void (*write)(struct es_page *page, int viewer, struct es_out *out))
{
    struct es_out out;
    if (!can_look(viewer))
        return unknown_viewer();
    do {
        out = es__answer_begin();
        write(&es__exported, viewer, &out);
    } while (!es__answer_keep(&out));
    return ES_OK;
}

EXPORT(input) char *input(size_t size)
{
    if (size > ES_TEXT_MAX) {
        es__answer_status(ES_TOO_LARGE, es_str(""));
        return NULL;
    }
    es__reserve(&in, size + 1);
    return in.at;
}

/* ---- The game ------------------------------------------------------------------------------- */

/* Answers with es_page_map_facts. */
EXPORT(map) int map(size_t size)
{
    struct es_fault fault;
    return es_page_map(&es__exported, es__input(size), &fault) ? es__answer_fault(&fault)
                                                               : answer_with(es_page_map_facts);
}

EXPORT(needs) int needs(size_t size)
{
    struct es_fault fault;
    struct es_out out = es__answer_begin();
    if (es_page_needs(&es__exported, es__input(size), &out, &fault))
        return es__answer_fault(&fault);
    es__answer_keep(&out);
    return ES_OK;
}

EXPORT(open) int open(size_t size)
{
    struct es_fault fault;
    answer_size = 0;
    return es_page_open(&es__exported, es__input(size), &fault) ? es__answer_fault(&fault) : ES_OK;
}

EXPORT(begin) int begin_game(size_t size)
{
    struct es_fault fault;
    answer_size = 0;
    return es_page_begin(&es__exported, es__input(size), &fault) ? es__answer_fault(&fault) : ES_OK;
}

EXPORT(rematch) int rematch(size_t size)
{
    struct es_fault fault;
    answer_size = 0;
    return es_page_rematch(&es__exported, es__input(size), &fault) ? es__answer_fault(&fault)
                                                                   : ES_OK;
}

EXPORT(seat) int seat(int player, size_t level_size)
{
    return es__answer_status(es_page_seat(&es__exported, player, es__input(level_size)),
                             es__input(level_size));
}

/* Returns how many seats were changed. */
EXPORT(upgrade) int upgrade(void)
{
    return es_page_upgrade(&es__exported);
}

EXPORT(apply) int apply(size_t size)
{
    return es__answer_status(es_page_apply(&es__exported, es__input(size)), es__input(size));
}

/* Returns the number of events. */
EXPORT(deal) int deal(uint32_t entropy, uint32_t more)
{
    return es_page_deal(&es__exported, (uint64_t)more << 32 | entropy);
}

EXPORT(take_back) int take_back(int player)
{
    return es__answer_status(es_page_take_back(&es__exported, player), es_str(""));
}

EXPORT(aid) int aid(void)
{
    return es__answer_status(es_page_aid(&es__exported), es_str(""));
}

EXPORT(go_back) int go_back(int player)
{
    return es__answer_status(es_page_go_back(&es__exported, player), es_str(""));
}

EXPORT(seek) int seek(int viewer, size_t n)
{
    if (!can_look(viewer))
        return unknown_viewer();
    answer_size = 0;
    es_page_seek(&es__exported, viewer, n);
    return ES_OK;
}

EXPORT(fork) int fork_game(int viewer, size_t n)
{
    if (!can_look(viewer))
        return unknown_viewer();
    answer_size = 0;
    es_page_fork(&es__exported, viewer, n);
    return ES_OK;
}

EXPORT(record) int record(void)
{
    return answer_with(es_page_record);
}

EXPORT(view) int view(int viewer)
{
    return answer_viewer(viewer, es_page_view);
}

EXPORT(report) int report(void)
{
    return answer_with(es_page_report);
}

EXPORT(moves) int moves(void)
{
    return answer_with(es_page_moves);
}

/* ---- Facts and plans ------------------------------------------------------------------------ */

EXPORT(info) int info(void)
{
    struct es_out out = es__answer_begin();
    es_page_info(&out);
    es__answer_keep(&out);
    return ES_OK;
}

EXPORT(piece_facts) int piece_facts(size_t size)
{
    struct es_out out = es__answer_begin();
    if (!es_page_piece(es__input(size), &out))
        return es__answer_status(ES_WORD_UNKNOWN, es__input(size));
    es__answer_keep(&out);
    return ES_OK;
}

EXPORT(state) int state(int viewer)
{
    return answer_viewer(viewer, es_page_state);
}

EXPORT(log) int history(int viewer, size_t from)
{
    struct es_out out;
    if (!can_look(viewer))
        return unknown_viewer();
    do {
        out = es__answer_begin();
        es_page_log(&es__exported, viewer, from, &out);
    } while (!es__answer_keep(&out));
    return ES_OK;
}

EXPORT(ask) int ask(size_t size)
{
    struct es_out out = es__answer_begin();
    es_status status = es_page_ask(&es__exported, es__input(size), &out);
    if (status)
        return es__answer_status(status, es__input(size));
    es__answer_keep(&out);
    return ES_OK;
}

/* The input is the pick and, right after it, the action. */
EXPORT(choose) int choose(int player, size_t pick_size, size_t size)
{
    struct es_out out;
    if (!can_look(player) || player == 0)
        return unknown_viewer();
    assert(pick_size <= size);
    struct es_str all = es__input(size), pick = {all.at, pick_size};
    struct es_str words = {all.at + pick_size, size - pick_size};
    do {
        out = es__answer_begin();
        es_page_choose(&es__exported, player, pick, words, &out);
    } while (!es__answer_keep(&out));
    return ES_OK;
}

/* ---- Pictures ------------------------------------------------------------------------------- */

struct es_svg *es__answer_svg(void)
{
    static struct es_svg svg;
    es__answer_begin();
    es_svg_open(&svg, answer.at, answer.size);
    return &svg;
}

/* The bits of `flags`. */
enum { DARK = 1, NO_NAMES = 2, BARE = 4, PATTERNS = 8, PRINT = 16, FRESH = 32, LATEST = 64 };

int es__answer_look(struct es_page_look look, int flags, struct es_str id)
{
    static char prefix[64];
    struct es_svg *svg;
    if (!can_look(look.viewer) || !can_look(look.sheet))
        return unknown_viewer();
    if (!es_str_copy(id, prefix, sizeof prefix))
        return es__answer_status(ES_NAME_LENGTH, id);
    look.dark = flags & DARK;
    look.no_names = flags & NO_NAMES;
    look.bare = flags & BARE;
    look.patterns = flags & PATTERNS;
    look.print = flags & PRINT;
    look.fresh = flags & (FRESH | LATEST);
    look.latest = flags & LATEST;
    look.prefix = id.size > 0 ? prefix : NULL;
    do {
        svg = es__answer_svg();
        es_page_draw(&es__exported, &look, svg);
    } while (!es__answer_keep(&svg->out));
    return ES_OK;
}

/* The input is the viewer's pick and, right after it, the prefix of ids. */
EXPORT(draw) int draw(int viewer, int sheet, int flags, int lit, size_t pick_size, size_t size)
{
    struct es_str all = es__input(size);
    assert(pick_size <= size);
    return es__answer_look(
        (struct es_page_look){
            .viewer = viewer, .sheet = sheet, .lit = lit, .pick = {all.at, pick_size}},
        flags, (struct es_str){all.at + pick_size, size - pick_size});
}

EXPORT(piece) int piece(size_t size, int dark)
{
    struct es_svg *svg = es__answer_svg();
    if (!es_page_draw_piece(&es__exported, es__input(size), dark, svg))
        return es__answer_status(ES_WORD_UNKNOWN, es__input(size));
    es__answer_keep(&svg->out);
    return ES_OK;
}

/* The input is the name of what is printed. */
EXPORT(print) int print(size_t size, int letter, int no_names)
{
    const enum es_paper paper = letter ? ES_PAPER_LETTER : ES_PAPER_A4;
    struct es_svg *svg;
    do {
        svg = es__answer_svg();
        if (!es_page_print(&es__exported, es__input(size), paper, no_names, svg))
            return es__answer_status(ES_WORD_UNKNOWN, es__input(size));
    } while (!es__answer_keep(&svg->out));
    return ES_OK;
}

EXPORT(words) int words(size_t size)
{
    return es__answer_status(
        es_page_words(&es__exported, es__input(size)) ? ES_OK : ES_WORD_MISSING, es_str(""));
}

/* ---- Thinking ------------------------------------------------------------------------------- */

static void *bot_memory(void)
{
    return es__memory(es_bot_bytes(es__exported.record.setup.game));
}

EXPORT(think) int think(int player, uint32_t seed, size_t level_size)
{
    struct es_out out = es__answer_begin();
    es_status status =
        es_page_think(&es__exported, player, es__input(level_size), seed, bot_memory(), &out);
    if (status)
        return es__answer_status(status, es__input(level_size));
    es__answer_keep(&out);
    return ES_OK;
}

/* Returns the number of events of the old game. */
EXPORT(again) size_t again(void)
{
    es_page_rerun_begin(&es__exported);
    return es__exported.old_count;
}

/* 0: the game is over, or -1: there is no such bot or player. */
EXPORT(again_step) int again_step(int player, size_t level_size)
{
    struct es_bot bot;
    es_status status = es_bot_named(es__exported.record.setup.game, es__input(level_size), &bot);
    if (status == ES_OK && (!can_look(player) || player == 0))
        status = ES_PLAYER_UNKNOWN;
    if (es__answer_status(status, es__input(level_size)))
        return -1;
    return es_page_rerun_step(&es__exported, player, es__input(level_size), bot_memory());
}
