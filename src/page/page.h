/* A game session for user interfaces: opens a record, describes and draws what one viewer may see,
 * turns taps and keys into a planned move, applies and takes back moves, runs bots. No I/O.
 *
 *     es_page_open(&page, text, &fault);   // a record; one without events is a new game
 *     es_page_deal(&page, entropy);        // cards and tiles that are due
 *     es_page_choose(&page, 1, es_str(""), es_str("tap station-r4"), &out);   // plans a move
 *     es_page_draw(&page, &look, &svg);    // shows it, if `look` has the pick of the answer
 *     es_page_apply(&page, es_str("1 A3"));   // makes it
 *
 * An answer for a viewer contains nothing that this viewer may not know; es_page_record(),
 * es_page_report() and es_page_moves() are about the whole game. Answers are text: records, SVG, or
 * JSON with fixed keys and no sentences, since the caller puts them into its user's language. A
 * struct es_page holds one game and is large (some megabytes); exports.c has one for WebAssembly,
 * tests have their own.
 */
#ifndef ENDSTATION_PAGE_H
#define ENDSTATION_PAGE_H

#include "page/table.h"
#include <endstation/bots.h>
#include <endstation/print.h>
#include <endstation/record.h>

enum { ES_PAGE_WORDS = 128 };
struct es_page {
    struct es_record record; /* its events are in `event` */
    es_event event[ES_EVENTS_MAX];
    struct es_state state;       /* after all events */
    struct es_map map, own;      /* the sheet in use; the caller's own, if own.lines > 0 */
    struct es_map next;          /* scratch: a sheet that is being read */
    struct es_prepared prepared; /* for pictures of the game; valid if is_prepared */
    bool is_prepared;            /* set at the first picture of a game */
    bool is_open;                /* there is a game */
    bool built_in;               /* `map` is the built-in sheet of its id */
    size_t cursor; /* number of events after which the game is shown; fewer than all in a replay */
    char label[ES_PLAYERS_MAX][ES_LABEL_BYTES]; /* what the players are called in pictures */
    char header[ES_NOTES_BYTES + (8 << 10)];    /* scratch: the record of a new game */
    es_event seen[ES_EVENTS_MAX];               /* scratch: what a viewer may know */
    char words_text[8192]; /* a translation of the titles' words, and its sorted pairs */
    struct es_word words[ES_PAGE_WORDS];
    int word_count;
    /* es_page_rerun_begin: the events of the game that a bot replays. */
    es_event old[ES_EVENTS_MAX];
    size_t old_count;
};

/* ---- The game (session.c) ------------------------------------------------------------------- */

/* Reads a map of the caller's own, for records that name it, and keeps it until the next one. On a
 * fault the previous map is kept. An empty text removes it. */
es_status es_page_map(struct es_page *page, struct es_str text, struct es_fault *fault);
/* Writes facts about the map that was read last:
 * {"id":"berlin","title":"Berlin","hash":"…","built_in":true}, or {} if there is none. built_in: it
 * has the content of the built-in sheet of that id. */
void es_page_map_facts(struct es_page *page, struct es_out *out);
/* Writes which sheet a record needs, from its header alone:
 * {"game":"NAME","map":"berlin","hash":"…" (or ""),"built_in":true}. built_in: there is a built-in
 * sheet of that id and, where the record names one, of that hash. A game without sheets: map "",
 * built_in false. */
es_status es_page_needs(struct es_page *page, struct es_str text, struct es_out *out,
                        struct es_fault *fault);
/* Opens a record or a view. Its sheet is the caller's own if that has the record's hash, or if the
 * record has none and the ids agree; otherwise the built-in one. On a fault the game stays as it
 * was. The cursor is at the end. */
es_status es_page_open(struct es_page *page, struct es_str text, struct es_fault *fault);
/* Opens a new game without events, from lines in any order, except that `game` comes before `map`,
 * `rules` and the seats:
 *
 *     game NAME
 *     map berlin [HASH]
 *     rules special
 *     deck 3 3 4 5 6
 *     person Ada              one line per seat, in order; the name may be missing
 *     bot strong
 *     date 2026-11-15
 *     seed HEX
 *     note …
 *
 * Line numbers of faults count these lines; something missing is reported at the last. */
es_status es_page_begin(struct es_page *page, struct es_str words, struct es_fault *fault);
/* Starts a new game with the setup and seats of the open one: no events, no commit, secret and word
 * lines; date, notes and seed from the lines `date D`, `note …` and `seed HEX` (or `seed same`: the
 * seed that it has) of `words`, or none. A line `names none` leaves the names of people out. */
es_status es_page_rematch(struct es_page *page, struct es_str words, struct es_fault *fault);
/* Gives a seat to a bot of this level, or to a person (""). Returns ES_OK, ES_PLAYER_UNKNOWN or
 * ES_BOT_UNKNOWN.
 */
es_status es_page_seat(struct es_page *page, int player, struct es_str level);
/* Converts records of earlier versions, which marked bots by name: a player called `X (bot)` or `X
 * (bot N)`, where X is a level, becomes a bot of that level without a name. Returns the number of
 * seats changed. */
int es_page_upgrade(struct es_page *page);
/* Makes one event, as in a record. */
es_status es_page_apply(struct es_page *page, struct es_str event);
/* Applies chance events while they are due, from the record's seed; without a seed, or where its
 * event is illegal, at random by weight from `entropy`. Returns their number. */
int es_page_deal(struct es_page *page, uint64_t entropy);
/* Takes back a player's last move, unless something has been revealed since (a card, a tile,
 * another player's move); what others have entered in the same open round stays. Returns ES_OK or
 * ES_NOTHING_TO_UNDO. */
es_status es_page_take_back(struct es_page *page, int player);
/* Notes in the record that the player had help: a line `note aided`, once. */
es_status es_page_aid(struct es_page *page);
/* Takes back the last move of the only person at the table, and all that came after it, whatever
 * was revealed; the record says by `note aided` that it happened. The seed brings the same cards or
 * tiles again. Returns ES_NOTHING_TO_UNDO if there is no seed, another person plays, the game is
 * over or the player has not moved. */
es_status es_page_go_back(struct es_page *page, int player);
/* Moves the cursor to the first moment at which the viewer's view had at least `n` events; to the
 * end if it never had. */
void es_page_seek(struct es_page *page, int viewer, size_t n);
/* Cuts the game back to that moment, to be continued from there. Unless the game was over, it loses
 * its seed and its commit, secret and word lines, so that nobody can find out what comes next. */
void es_page_fork(struct es_page *page, int viewer, size_t n);
/* Computes what the viewer may see at the cursor, as a state. */
void es_page_see(struct es_page *page, int viewer, struct es_state *view);
/* Writes the whole record. */
void es_page_record(struct es_page *page, struct es_out *out);
/* Writes the record as the viewer may see it, as `endstation view` prints it. */
void es_page_view(struct es_page *page, int viewer, struct es_out *out);
/* Writes the report of the position, as `endstation replay` prints it. */
void es_page_report(struct es_page *page, struct es_out *out);
/* Writes the legal next events, as `endstation moves` prints them. */
void es_page_moves(struct es_page *page, struct es_out *out);

/* ---- Facts (facts.c, log.c) ----------------------------------------------------------------- */

/* Writes facts about all games, whatever game is open:
 *
 *     {"games":[{"name":"NAME","players":[1,6],         // fewest and most
 *       "rules":["special"],"levels":["random",…,"master"],   // of bots, weakest first
 *       "secrets":true,                // a player may know what others do not
 *       "exclusive":["hand2","hand3"],     // of these rules at most one
 *       "presets":[{"option":"deck","name":"15","text":"3 3 …"}],   // struct es_preset
 *       "prints":["sheet","cards"]}]}       // struct es_printable
 */
void es_page_info(struct es_out *out);

/* Writes facts about a card or tile, named as for es_page_draw_piece(); false if there is none. The
 * game's table.h lists them. */
bool es_page_piece(struct es_str name, struct es_out *out);

/* Writes the position at the cursor for a viewer (0: a spectator):
 *
 *     {"game":"NAME","events":17,"cursor":17,"decisions":5,"date":"2025-06-30" (or ""),
 *      "over":false,"chance":false,"turn":[1,2],"rules":["special"],"seed":true,"undo":true,
 *      "back":true,"aided":false,"challenge":{},"winners":[],
 *      "players":[{"player":1,"name":"Ada","bot":"","score":-12,…}],
 *      "tied":[],…}                   // … see the game's table.h
 *
 * Nothing open: {}. events and cursor are lengths of the viewer's view, at the end and at the
 * cursor; decisions counts the viewer's own moves up to the cursor. turn: who may act now; that
 * others have entered something is no secret, but what they entered is (points and sheets are as
 * the viewer knows them). undo: es_page_take_back() can take back the viewer's last move;
 * back: es_page_go_back() can. aided: the record has the line `note aided`. challenge: of a line
 * `note challenge 41 Ada`, {"points":41,"name":"Ada","own":false}: what somebody got with the same
 * seed; own: of a line `note before 41`, the same person. name: of the `player` line, or ""; bot:
 * the level of the `bot` line, or "". tied: players with as many points as the winners who do not
 * win. */
void es_page_state(struct es_page *page, int viewer, struct es_out *out);

/* Writes the log up to the cursor, as far as the viewer may know it: an array, oldest first. `n` is
 * the length of the viewer's view when the entry became known, to be passed to es_page_seek(). Only
 * entries with an `n` above `from` are written: a caller who passes the length of the view that it
 * knows misses nothing and gets nothing twice.
 *
 *     {"n":60,"what":"over","winners":[1]}
 *
 * All other entries are described in the game's table.h, or are
 *     {"n":9,"what":"event","player":1 (0: chance),"event":"1 heads"} */
void es_page_log(struct es_page *page, int viewer, size_t from, struct es_out *out);

/* Asks the game a question of its own, which its table.h describes; the answer is an object.
 * Returns ES_WORD_UNKNOWN for games that answer none, and when no game is open. */
es_status es_page_ask(struct es_page *page, struct es_str words, struct es_out *out);

/* ---- Choosing (choose.c) -------------------------------------------------------------------- */

/* Turns an action of a player into a planned move, which is always legal. The session keeps nothing
 * of it: the caller keeps the pick, a short text with what the player holds and has planned, and
 * passes it to the next call. "" is an empty pick; a pick made for another moment of the game, or a
 * malformed one, counts as empty. Actions:
 *
 *     tap ID        a part of the picture, by its id without prefix
 *     key K         A … Z, 0 … 9, Left Right Up Down, Backspace, Space
 *     move EVENT    plan this move, written as in a record
 *     clear         no plan; Backspace does the same
 *     look          changes nothing
 *
 * The answer ({} without a game; no more than here if the player is not to act):
 *     {"pick":"17;1 A3;wagon-A;0000",                // less than ES_PICK_BYTES
 *      "plan":"1 A3" (or ""),
 *      "again":true,                                 // this tap repeats the one that planned
 *      "why":"" or a code of status.h,               // why it could not be planned; what was
 *      "sentence":"",                                // planned before still is. The same in words
 *      …}                                            // more in the game's table.h; by default
 *                                                    // "options":["1 heads",…]: all that is legal
 * The game's table.h says what parts and keys mean. By default a part stands for the legal event in
 * whose text its name is a word, and arrows walk through the legal events. */
enum { ES_PICK_BYTES = 96 };
void es_page_choose(struct es_page *page, int player, struct es_str pick, struct es_str words,
                    struct es_out *out);

/* ---- Facts for any writer (facts.c, log.c, choose.c) ---------------------------------------- */

/* Fills in `look` for a viewer (0: a spectator) of a game after `count` of the record's events,
 * with state `now`. The viewer's events go to `seen` (room for `count`), their state to `view`.
 * `look` points to all of these: they must outlive it. */
void es__look(struct es__looking *look, const struct es_record *record, const struct es_state *now,
              size_t count, int viewer, es_event *seen, struct es_state *view);
/* Writes the members of es_page_state() into the object that is open; of a report (look->is_report)
 * without cursor, decisions, undo and back. */
void es__write_position(struct es__writer *w, const struct es__looking *look);
/* Writes the facts of es_page_state(). */
void es__write_state(struct es__writer *w, const struct es__looking *look);
/* Writes the facts of es_page_log(). */
void es__write_log(struct es__writer *w, const struct es__looking *look, size_t from);
/* Writes an object with the facts that the game adds to the answer of es_page_choose() for a
 * planned move: its effect. `view` is what the player knows. If the move is illegal, writes nothing
 * and returns why. */
es_status es__write_plan(struct es__writer *w, const struct es_setup *setup,
                         const struct es_state *view, int player, es_event event);

/* ---- Pictures (picture.c) ------------------------------------------------------------------- */

struct es_page_look {
    int viewer; /* only what they may know is drawn */
    int sheet;  /* whose sheet, where each player has one */
    bool dark, no_names, bare, patterns, print;
    struct es_str pick; /* the viewer's, to draw what they have planned; size 0: none */
    /* Events of the viewer, as text: a better move, and the one that was played (es_draw.instead);
     * size 0: none. With either, `pick` is not drawn. One that is illegal is not drawn. */
    struct es_str better, played;
    bool fresh;         /* mark what is new to the viewer (es_before_latest) */
    bool latest;        /* … only the latest round or move */
    int lit;            /* a line to highlight, in the game's own numbering; 0: none */
    const char *prefix; /* of ids */
};
void es_page_draw(struct es_page *page, const struct es_page_look *look, struct es_svg *svg);
/* Draws a single card or tile; `name` is the game's name, then the piece's as for es_draw_piece().
 * Returns false if there is no such game or piece. No game needs to be open. */
bool es_page_draw_piece(struct es_page *page, struct es_str name, bool dark, struct es_svg *svg);
/* Prints what the open game's setup calls `name` (print.h), each page as a line of SVG. Returns
 * false if there is no such thing, or no game. */
bool es_page_print(struct es_page *page, struct es_str name, enum es_paper paper, bool no_names,
                   struct es_svg *svg);
/* Sets the words of titles in another language: an English word (see ES_SAY) and on the next line
 * its translation, in any order; nothing: English. Returns false, and titles are in English, if a
 * line is missing, empty or not text, a word comes twice, or there are too many. */
bool es_page_words(struct es_page *page, struct es_str words);

/* ---- Thinking (think.c) --------------------------------------------------------------------- */

/* Asks a bot for a player's move in the open game, and writes it. (A page opens only that player's
 * view in its worker.) {"event":"1 A3","done":1500,"candidates":[{"event":"1 A3",
 * "points":41.2,"win":0.62,"samples":300}]}, best first; bots that do not search list none. The
 * answer is the same for the same game and seed. `memory` has es_bot_bytes() of the game. */
es_status es_page_think(struct es_page *page, int player, struct es_str level, uint32_t seed,
                        void *memory, struct es_out *out);
/* Keeps the open game's events aside and cuts the game to its start, to replay it with a bot. */
void es_page_rerun_begin(struct es_page *page);
/* Plays one event of a rerun. Chance repeats the old game as far as it can. If
 * es_table.others_repeat, the other players repeat their moves too (greedy where they cannot);
 * otherwise every seat plays at `level`. Returns false when the game is over. `memory` has
 * es_bot_bytes() of the game. */
bool es_page_rerun_step(struct es_page *page, int player, struct es_str level, void *memory);

#endif
