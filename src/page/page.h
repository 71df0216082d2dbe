/* A game session for user interfaces: opens a record, describes and draws what one viewer may see,
 * turns taps and keys into a planned move, applies and takes back moves, lets bots think. No I/O.
 *
 *     es_page_open(&page, text, &fault);   // a record; one without events is a new game
 *     es_page_deal(&page, entropy);        // cards and tiles that are due
 *     es_page_choose(&page, 1, es_str(""), es_str("tap station-r4"), &out);   // plans a move
 *     es_page_draw(&page, &look, &svg);    // shows it, if `look` has the pick of the answer
 *     es_page_apply(&page, es_str("1 A3"));   // makes it
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
es_status es_page_map(struct es_page *page, struct es_str text, struct es_fault *fault);
/* The map that was read last: {"id":"berlin","title":"Berlin","hash":"…","built_in":true}, or {} if
 * there is none. built_in: it has the content of the built-in sheet of that id. */
void es_page_map_facts(struct es_page *page, struct es_out *out);
/* Which sheet a record needs, from its header alone: {"game":"NAME","map":"berlin","hash":"…"
 * (or ""),"built_in":true}. built_in: there is a built-in sheet of that id and, where the record
 * names one, of that hash. A game without sheets: map "", built_in false. */
es_status es_page_needs(struct es_page *page, struct es_str text, struct es_out *out,
                        struct es_fault *fault);
/* Opens a record or a view. Its sheet is the caller's own if that has the record's hash, or if the
 * record has none and the ids agree; otherwise the built-in one. On a fault the game stays as it
 * was. The cursor is at the end. */
es_status es_page_open(struct es_page *page, struct es_str text, struct es_fault *fault);
/* Opens a new game without events, from lines in any order but that `game` comes before `map`,
 * `rules` and the seats:
 *
 *     game NAME
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
es_status es_page_begin(struct es_page *page, struct es_str words, struct es_fault *fault);
/* The open game from its start: same setup and seats; no events, no commit, secret, word and note
 * lines; date and seed as in the lines `date D`, `seed HEX`, or none. */
es_status es_page_rematch(struct es_page *page, struct es_str words, struct es_fault *fault);
/* Gives a seat to a bot of another level, or to a person (""). ES_PLAYER_UNKNOWN, ES_BOT_UNKNOWN.
 */
es_status es_page_seat(struct es_page *page, int player, struct es_str level);
/* Records of earlier versions had bots by their names: a player called `X (bot)` or `X (bot N)`,
 * where X is a level, becomes a nameless bot of that level. Returns how many did. */
int es_page_upgrade(struct es_page *page);
/* Makes one event, as in a record; what its player had planned is forgotten. */
es_status es_page_apply(struct es_page *page, struct es_str event);
/* Makes chance events while they are due, by the record's seed; without a seed, or where the seed
 * does not fit, by weight from `entropy`. Returns how many. */
int es_page_deal(struct es_page *page, uint64_t entropy);
/* Takes back a player's last move, as long as nobody has seen anything since (a card, a tile,
 * another's move); what others have entered in the same open round stays. ES_NOTHING_TO_UNDO. */
es_status es_page_take_back(struct es_page *page, int player);
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

/* What there is, whatever game is open:
 *
 *     {"games":[{"name":"NAME","players":[1,6],         // fewest and most
 *       "rules":["special"],"levels":["random",…,"master"],   // of bots, weakest first
 *       "secrets":true,                // a player may know what others do not
 *       "player_pictures":true,        // each player has a picture of their own
 *       "sheets":["amsterdam",…]}]}    // built in; [] for a game without sheets
 */
void es_page_info(struct es_out *out);

/* Facts about a card or tile, by its game and name as es_page_draw_piece() takes them; false if
 * there is none. What they are, the game's table.h says. */
bool es_page_piece(struct es_str name, struct es_out *out);

/* Where the game stands for a viewer (0: a spectator), at the cursor:
 *
 *     {"game":"NAME","events":17,"cursor":17,"decisions":5,"date":"2025-06-30" (or ""),
 *      "over":false,"chance":false,"turn":[1,2],"rules":["special"],"seed":true,"undo":true,
 *      "winners":[],
 *      "players":[{"player":1,"name":"Ada","bot":"","score":-12,…}],
 *      "tied":[],…}                   // … see the game's table.h
 *
 * Nothing open: {}. events and cursor are lengths of the viewer's view: of all, and of what is
 * shown; decisions is how many of these are the viewer's own moves. turn: who may act now; that
 * others have entered is no secret, but what (points and sheets are as the viewer knows them).
 * undo: es_page_take_back() would take the viewer's last move back.
 * name: of the `player` line, or ""; bot: the level of the `bot` line, or "".
 * tied: players with as many points as the winners who do not win. */
void es_page_state(struct es_page *page, int viewer, struct es_out *out);

/* What happened up to the cursor, as far as the viewer may know it: an array, oldest first. `n` is
 * the length of the viewer's view when it became known: es_page_seek() leads there. Only what has
 * an `n` above `from` is told, so that nobody who asks again with the length of what they know
 * misses anything or hears it twice.
 *
 *     {"n":60,"what":"over","winners":[1]}
 *
 * Everything else is told as the game's table.h says, or as
 *     {"n":9,"what":"event","player":1 (0: chance),"event":"1 heads"} */
void es_page_log(struct es_page *page, int viewer, size_t from, struct es_out *out);

/* A sum as on the paper sheet, from what people have written down: the companion's form. In words
 * "players 3 first A C later D transfers 7 empty 12" (framed numbers added up, empty stations
 * counted; every part may be missing, players is then 1); out {"lines":16,"transfers":14,
 * "penalty":6,"total":24,"grade":3,"order":6132}. order: the most wins, equals share the win. */
es_status es_page_tally(struct es_page *page, struct es_str words, struct es_out *out);

/* ---- Choosing (choose.c) -------------------------------------------------------------------- */

/* Turns what a player does into a planned move, which is always legal. Nothing is kept here: the
 * caller holds the pick, a short text that says what the player has in hand and has planned, and
 * hands it in again. "" is an empty pick; so is one that was made for another moment of the game
 * or that makes no sense. What is done:
 *
 *     tap ID        a part of the picture, by its id without prefix
 *     key K         A … Z, 0 … 9, Left Right Up Down, Backspace, Space
 *     move EVENT    that very move, as in a record
 *     clear         no plan; Backspace does the same
 *     look          changes nothing
 *
 * The answer ({} without a game; no more than here if the player is not to act):
 *     {"pick":"17;1 A3;wagon-A;0000",                // less than ES_PICK_BYTES
 *      "plan":"1 A3" (or ""),"again":true,           // the very same tap as planned: confirm it
 *      "why":"" or a code of status.h,"sentence":"", // why it could not be planned, and in words;
 *                                                    // what was planned before still is
 *      …}                                            // more in the game's table.h; by default
 *                                                    // "options":["1 heads",…]: all that is legal
 * What parts and keys mean, the game's table.h says. By default a part stands for the legal event
 * in whose text its name is a word, and arrows walk through the legal events. */
enum { ES_PICK_BYTES = 96 };
void es_page_choose(struct es_page *page, int player, struct es_str pick, struct es_str words,
                    struct es_out *out);

/* ---- Facts for any writer (facts.c, log.c, choose.c) ---------------------------------------- */

/* Looks at a game after `count` of the record's events, when its state is `now`, with the eyes of a
 * viewer (0: a spectator): fills in `look`, whose events go to `seen` (room for `count`) and whose
 * state goes to `view`. All of them have to stay as long as `look`. */
void es__look(struct es__looking *look, const struct es_record *record, const struct es_state *now,
              size_t count, int viewer, es_event *seen, struct es_state *view);
/* Writes what es_page_state() answers. */
void es__write_state(struct es__writer *w, const struct es__looking *look);
/* Writes what es_page_log() answers. */
void es__write_log(struct es__writer *w, const struct es__looking *look, size_t from);
/* Writes an object with what the game answers to a planned move in es_page_choose(): what the move
 * would do. `view` is what the player knows. Writes nothing if the move is not legal, and returns
 * why. */
es_status es__write_plan(struct es__writer *w, const struct es_setup *setup,
                         const struct es_state *view, int player, es_event event);

/* ---- Pictures (picture.c) ------------------------------------------------------------------- */

struct es_page_look {
    int viewer; /* who looks: what they may know is drawn */
    int sheet;  /* whose sheet, where each player has one */
    bool dark, no_names, bare, patterns, print;
    struct es_str pick; /* of the viewer: with what they have planned; size 0: without */
    bool fresh;         /* what came with the latest round or tile is marked */
    int lit;            /* a line, in the game's own numbers; 0: none */
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
es_status es_page_think(struct es_page *page, int player, struct es_str level, uint32_t seed,
                        struct es_out *out);
/* What a bot would have got with the same cards: begins the open game anew … */
void es_page_again(struct es_page *page);
/* … and plays one event of it. The others do as they did, or play at the bot's level where their
 * moves depended on the player's (es_table.others_repeat). False when the game is over. */
bool es_page_again_step(struct es_page *page, int player, struct es_str level);

#endif
