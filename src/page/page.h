/* A table: one game as a page shows it and plays it. Whoever shows a game to people, whatever the
 * screen, needs the same things: open a record, say in facts where it stands, draw it, turn taps
 * and keys into a planned move, make it, take it back, let bots think. They are here, in C, without
 * I/O, so that the page knows no rule and draws no map.
 *
 *     es_page_open(&page, text, &fault);           // a record; one without events is a new game
 *     es_page_deal(&page);                         // cards and tiles that are due
 *     es_page_choose(&page, 1, es_str("tap station-r4"), &out);   // plans a move
 *     es_page_draw(&page, &look, &svg);            // … and shows it
 *     es_page_apply(&page, es_str("1 A3"));        // makes it
 *
 * Answers are text: records, SVG, or JSON whose words are fixed and whose sentences are not there:
 * a page says everything in the language of its reader. A struct es_page is large (some megabytes)
 * and holds one game; exports.c keeps one for WebAssembly, tests have their own.
 */
#ifndef ENDSTATION_PAGE_H
#define ENDSTATION_PAGE_H

#include "page/table.h"
#include <endstation/bots.h>
#include <endstation/draw.h>
#include <endstation/record.h>

struct es_page {
    struct es_record record; /* its events are in `event` */
    es_event event[ES_EVENTS_MAX];
    struct es_state state;       /* after all events */
    struct es_map map, own;      /* the sheet in use; one of the caller's, or own.lines == 0 */
    struct es_map next;          /* scratch: a sheet that is being read */
    struct es_prepared prepared; /* for pictures of the game, if … */
    bool is_prepared;            /* … set at the first picture of a game */
    bool seen_ready;             /* there is a game */
    bool built_in;               /* `map` is the built-in sheet of its id */
    size_t cursor;               /* everything is shown as after so many events: a replay */
    char label[ES_PLAYERS_MAX][ES_LABEL_BYTES]; /* what the players are called in pictures */
    char header[ES_NOTES_BYTES + (8 << 10)];    /* scratch: the record of a new game */
    es_event seen[ES_EVENTS_MAX];               /* scratch: what a viewer may know */
    es_event plan[ES_PLAYERS_MAX]; /* what a player has chosen, but not made; 0: nothing */
    struct es__pick pick[ES_PLAYERS_MAX];
    char words_text[4096]; /* a translation of the titles, and where its words begin */
    const char *word[ES_SAY_COUNT];
    bool translated;
    /* A game played again by a bot: the events that it was played with. */
    es_event old[ES_EVENTS_MAX];
    size_t old_count;
};

/* ---- The game (session.c) ------------------------------------------------------------------- */

/* Reads a map of the caller's own, for records that name it; kept until the next. On a fault the
 * one before is kept. An empty text: from now on there is none. */
enum es_status es_page_map(struct es_page *page, struct es_str text, struct es_fault *fault);
/* The map that was read last: {"id":"berlin","title":"Berlin","hash":"…","built_in":true}, or {} if
 * there is none. built_in: it has the content of the built-in sheet of that id. */
void es_page_map_facts(struct es_page *page, struct es_out *out);
/* Which sheet a record needs, from its header alone: {"game":"verplant","map":"berlin","hash":"…"
 * (or ""),"built_in":true}. built_in: there is a built-in sheet of that id and, where the record
 * names one, of that hash. A game without sheets: map "", built_in false. */
enum es_status es_page_needs(struct es_page *page, struct es_str text, struct es_out *out,
                             struct es_fault *fault);
/* Opens a record or a view. Its sheet is the caller's own if that has the record's hash, or if the
 * record has none and the ids agree; otherwise the built-in one. On a fault the game stays as it
 * was. The cursor is at the end. */
enum es_status es_page_open(struct es_page *page, struct es_str text, struct es_fault *fault);
/* Opens a new game without events, from lines in any order but that `game` comes before `map`,
 * `rules` and the seats:
 *
 *     game verplant
 *     map berlin [HASH]
 *     rules special
 *     deck 3 3 4 5 6
 *     person Ada              one line a seat, in order; the name may be missing
 *     bot strong
 *     date 2026-11-15
 *     seed HEX
 *     note …
 *
 * A fault has the line of these words; what they lack, their last. */
enum es_status es_page_begin(struct es_page *page, struct es_str words, struct es_fault *fault);
/* The open game from its start: same setup and seats; no events, no commit, secret, word and note
 * lines; date and seed as in the lines `date D`, `seed HEX`, or none. */
enum es_status es_page_rematch(struct es_page *page, struct es_str words, struct es_fault *fault);
/* Gives a seat to a bot of another level, or to a person (""). ES_PLAYER_UNKNOWN, ES_BOT_UNKNOWN.
 */
enum es_status es_page_seat(struct es_page *page, int player, struct es_str level);
/* Records of earlier versions had bots by their names: a player called `X (bot)` or `X (bot N)`,
 * where X is a level, becomes a nameless bot of that level. Returns how many did. */
int es_page_upgrade(struct es_page *page);
/* Makes one event, as in a record; what its player had planned is forgotten. */
enum es_status es_page_apply(struct es_page *page, struct es_str event);
/* Makes chance events while they are due, by the record's seed; without a seed, or where the seed
 * does not fit, by weight from `entropy`. Returns how many. */
int es_page_deal(struct es_page *page, uint64_t entropy);
/* Takes back a player's last move, as long as nobody has seen anything since (a card, a tile,
 * another's move); what others have entered in the same open round stays. ES_NOTHING_TO_UNDO. */
enum es_status es_page_take_back(struct es_page *page, int player);
/* Shows the game as at the first moment at which the viewer's view had at least `n` events; more
 * than there are: all. */
void es_page_seek(struct es_page *page, int viewer, size_t n);
/* Makes the game the one of that moment, to be played on. Unless it was over it loses its seed, and
 * the lines commit, secret and word with it: nobody may try out what comes next. */
void es_page_fork(struct es_page *page, int viewer, size_t n);
/* What the viewer may see at the cursor, as a state. */
void es_page_see(struct es_page *page, int viewer, struct es_state *view);
/* The record; what a viewer may see of it; where it stands; what may come: as the commands of those
 * names print them. */
void es_page_record(struct es_page *page, struct es_out *out);
void es_page_view(struct es_page *page, int viewer, struct es_out *out);
void es_page_report(struct es_page *page, struct es_out *out);
void es_page_moves(struct es_page *page, struct es_out *out);

/* ---- Facts (facts.c, log.c) ----------------------------------------------------------------- */

/* Where the game stands for a viewer (0: a spectator), at the cursor:
 *
 *     {"game":"verplant","events":17,"cursor":17,"decisions":5,"date":"2025-06-30" (or ""),
 *      "over":false,"chance":false,"turn":[1,2],"rules":["special"],"seed":true,"undo":true,
 *      "winners":[],
 *      "players":[{"player":1,"name":"Ada","bot":"","score":-12,…}],…}
 *
 * Nothing open: {}. events and cursor are lengths of the viewer's view: of all, and of what is
 * shown; decisions is how many of these are the viewer's own moves. turn: who may act now; that
 * others have entered is no secret, but what (points and sheets are as the viewer knows them).
 * undo: es_page_take_back() would take the viewer's last move back.
 * name: of the `player` line, or ""; bot: the level of the `bot` line, or "".
 *
 * verplant adds
 *     "map":{"id":"amsterdam","title":"Amsterdam","hash":"…","built_in":true,"stations":62,
 *       "special":0 (of the stations),
 *       "lines":[{"letter":"A","colour":"e2001a","ring":false,"windows":3,"first":7,"later":4,
 *                 "stops":["r1",…]}]},                // stations, in order from the wagon
 *     "round":5,"card":"4" (or ""),"last":"x2" (the card before, or ""),"left":9,"shuffles":1,
 *     "windows":24 (of a sheet),
 *     "deck":[{"card":"3","left":2,"all":3}],       // in the pile, by kind, sorted
 *     "cards":["4","x2",…],                          // all that came, oldest first
 *     "owed":1,                                      // entries the viewer still owes
 *   and to each player
 *     "sum":{"lines":7,"transfers":6,"empty":31,"penalty":15,"total":-2},"grade":6,
 *     "free":12,                                     // windows
 *     "entered":true,                                // this round's entries are in
 *     "lines":[{"letter":"A","written":["4","x2"],"free":1,"left":5,"done":false,"won":0,
 *               "first":false,"claimed":false}]      // left: empty stations; done: its points
 *                                                    // are given; claimed: only `later` is left
 *
 * metro adds
 *     "stock":41,"placed":17,"tiles":60 (in all),
 *     "phase":"turn" (dealing turn drawing refilling over),
 *     "drawn":"aacb" (or "" or "?"),"rotate":false,"hand_size":1,
 *     "unseen":[{"tile":"aacb","left":3}],           // in the stock or in others' hands
 *     "draw":true,                                   // the viewer may draw
 *     "stations":[{"station":5,"owner":1 (0: nobody),"tiles":6,"end":"" "edge" "centre",
 *                  "points":12}]                     // all 32; tiles so far
 *   and to each player
 *     "hand":["aacb","?"],"open":4 (lines not finished)
 */
void es_page_state(struct es_page *page, int viewer, struct es_out *out);

/* What happened up to the cursor, as far as the viewer may know it: an array, oldest first. `n` is
 * the length of the viewer's view when it became known: es_page_seek() leads there. Only what has
 * an `n` above `from` is told, so that nobody who asks again with the length of what they know
 * misses anything or hears it twice.
 *
 *     verplant  {"n":1,"what":"card","card":"4","shuffled":false}   // shuffled: before this card
 *               {"n":2,"what":"entry","player":1,"line":"A","card":"4","marks":["Plaza",…],
 *                "framed":3}                          // a transfer: the number; else 0
 *               {"n":2,"what":"ride","player":1,"station":"Plaza"} // "" for none
 *               {"n":2,"what":"done","player":1,"line":"A","points":7,"first":true}
 *     metro     {"n":1,"what":"deal","player":1,"tile":"aacb"}       // or "?"
 *               {"n":9,"what":"draw","player":1}
 *               {"n":9,"what":"lay","player":1,"tile":"aacb","turns":0,"square":"d8"}
 *               {"n":9,"what":"finish","station":5,"owner":1,"tiles":6,"end":"centre","points":12}
 *     both      {"n":60,"what":"over","winners":[1]}
 *
 * Stations without a name are called by their id. */
void es_page_log(struct es_page *page, int viewer, size_t from, struct es_out *out);

/* A sum as on the paper sheet, from what people have written down: the companion's form. In words
 * "players 3 first A C later D transfers 7 empty 12" (framed numbers added up, empty stations
 * counted; every part may be missing, players is then 1); out {"lines":16,"transfers":14,
 * "penalty":6,"total":24,"grade":3,"order":6132}. order: the most wins, equals share the win. */
enum es_status es_page_tally(struct es_page *page, struct es_str words, struct es_out *out);

/* ---- Choosing (choose.c) -------------------------------------------------------------------- */

/* Turns what a player does into a planned move, which is always legal:
 *
 *     tap ID        a part of the picture, by its id without prefix: wagon-A, line-A, value-A,
 *                   station-r4, square-d8, hand-2, drawn, stock
 *     key K         A … Z, 0 … 9, Left Right Up Down, Backspace, Space (turns a tile), D (draws)
 *     move EVENT    that very move, as in a record
 *     blank         the first entry that marks nothing: the companion's
 *     clear         no plan; Backspace does the same
 *     look          changes nothing
 *
 * verplant: a wagon, a line or a value plans all marks of the line; a station those up to it, on
 * the planned line if that gets there, else on the line that marks most; a station that no line can
 * reach, the most that its line can get. Round a ring the shorter way is meant. A letter is a line,
 * a digit the number of marks, Left and Right are the directions of a ring and otherwise fewer or
 * more marks, Up and Down other lines; on a free ride a station is itself, a letter the line whose
 * empty stations Left and Right walk along, 0 the ride to nowhere.
 * metro: hand-N or a digit picks the tile up; a square lays it there; arrows walk over the legal
 * squares, row by row or column by column; Space, or a tap on the tile picked up, turns it, and it
 * stays on its square if it may; the stock or D plans to draw.
 *
 * The answer ({} without a game; only plan, again and why if the player is not to act):
 *     {"plan":"1 A3" (or ""),"again":true,           // the very same tap as planned: confirm it
 *      "why":"" or a sentence of status.h,           // why it could not be planned; what was
 *                                                    // planned before still is
 *      verplant: "options":[{"event":"1 C>3","line":"C","direction":">","marks":3}],
 *                                                    // the most of each line that has a window,
 *                                                    // both ways round a ring; on a free ride
 *                                                    // only "1 @-", with line ""
 *             "least":0,"most":3,                    // marks of the planned line
 *             "line":"A","direction":"" "<" ">","marks":["Plaza",…],
 *             "gain":3,"done":["A"],                 // of the score, with lines that it completes
 *             "framed":0,                            // a transfer: the number
 *             "owed":0                               // entries that special stations then call for
 *      metro: "tile":"aacb","turns":0,"hand":1 (0: drawn),"square":"d8" (or ""),
 *             "squares":["a1",…],                    // where it may lie as it is turned
 *             "finish":[{"station":5,"owner":1,"tiles":6,"end":"centre","points":12}],"gain":12}
 * In metro a tile is always picked up while a player may lay one: the first, if none was chosen. A
 * plan and what was picked up are forgotten when what they were made for is over. */
void es_page_choose(struct es_page *page, int player, struct es_str words, struct es_out *out);

/* ---- Pictures (picture.c) ------------------------------------------------------------------- */

struct es_page_look {
    int viewer; /* who looks: what they may know is drawn */
    int sheet;  /* whose sheet (verplant) */
    bool dark, no_names, bare, patterns, print;
    bool plan;          /* with the viewer's planned move */
    bool fresh;         /* what came with the latest round or tile is marked */
    int lit;            /* verplant: a line, from 1; metro: a station; 0: none */
    const char *prefix; /* of ids */
};
void es_page_draw(struct es_page *page, const struct es_page_look *look, struct es_svg *svg);
/* Draws a single card or tile: the game's name, then the piece as es_draw_piece() takes it. False
 * if there is no such game or piece. No game needs to be open. */
bool es_page_draw_piece(struct es_page *page, struct es_str name, bool dark, struct es_svg *svg);
/* The words of titles in another language, one a line, in the order of ES_WORDS; empty: English. */
bool es_page_words(struct es_page *page, struct es_str words);

/* ---- Thinking (think.c) --------------------------------------------------------------------- */

/* What a bot would do for a player in the game as it is open here (a page gives its worker the view
 * of that player, nothing more). {"event":"1 A3","done":1500,"candidates":[{"event":"1 A3",
 * "points":41.2,"win":0.62,"samples":300}]}, best first; those who do not search name none. The
 * same every time for the same game and seed. */
enum es_status es_page_think(struct es_page *page, int player, struct es_str level, uint32_t seed,
                             struct es_out *out);
/* What a bot would have got with the same cards: begins the open game anew … */
void es_page_again(struct es_page *page);
/* … and plays one event of it: in verplant the others do as they did, in metro everybody plays at
 * the bot's level. False when the game is over. */
bool es_page_again_step(struct es_page *page, int player, struct es_str level);

#endif
