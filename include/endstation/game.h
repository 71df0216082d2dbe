/* The game interface: one `const struct es_game` for each game.
 *
 * A game is a setup and a list of events; applying the events one after the other gives the state.
 * Chance is an event like any other, so the rules need no random source and every game replays
 * exactly, everywhere.
 *
 *     struct es_setup setup = {.game = es_games[0], .players = 1, .map = map};
 *     struct es_state state;
 *     es_setup_prepare(&setup);                       // validates, and fills in derived fields
 *     setup.game->start(&setup, &state);
 *     while (setup.game->turn(&setup, &state).kind != ES_TURN_OVER) {
 *         es_event event = …;                         // one of setup.game->legal(…)
 *         setup.game->apply(&setup, &state, event);
 *     }
 */
#ifndef ENDSTATION_GAME_H
#define ENDSTATION_GAME_H

#include <endstation/random.h>
#include <endstation/text.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct es_analysis;
struct es_bots;
struct es_map;
struct es_picture;
struct es_printable;
struct es_table;

enum {
    ES_PLAYERS_MAX = 6,
    ES_LEGAL_MAX = 1024,    /* the longest list of `legal`, with room to write past its end */
    ES_EVENTS_MAX = 90000,  /* no game can have more */
    ES_STACK_BYTES = 65536, /* of stack, the most that anything in the library needs */
    ES_STATE_BYTES = 3072,
    ES_OPTIONS_BYTES = 256,
    ES_REPORT_BYTES = 32768, /* the longest report */
    ES_EVENT_BYTES = 32,     /* the longest event as text */
};

/* An event in 32 bits: who acts in the upper four (0: chance, 1 to 6: a player); the other 28 have
 * a meaning of the game's own. */
typedef uint32_t es_event;

#define ES_EVENT(who, what) ((es_event)(who) << 28 | (es_event)(what))
#define ES_EVENT_WHO(event) ((int)((event) >> 28))
#define ES_EVENT_WHAT(event) ((event)&0xfffffff)

enum { ES_CHANCE = 0 };

/* The state of any game: a plain value without pointers, copied by assignment. Games cast it to a
 * type of their own, hence may_alias. */
struct es_state {
    uint8_t bytes[ES_STATE_BYTES] __attribute__((aligned(16)));
} __attribute__((may_alias));

/* The choices made before the first event. Filled in by hand or by the record reader; then call
 * es_setup_prepare(). */
struct es_setup {
    const struct es_game *game;
    const struct es_map *map; /* the sheet, for games that have one; owned by the caller */
    uint32_t rules;           /* bit i: the i-th of the game's rule words */
    uint8_t players;
    /* What the game's own header lines choose, and what prepare() derives from it; all 0: the
     * defaults. Games cast it to a type of their own. */
    uint8_t options[ES_OPTIONS_BYTES] __attribute__((aligned(8)));
};

/* Whose turn it is. Either chance is due, or one or several players (a bit each, bit 0 for
 * player 1) may act, each without seeing what the others do. */
enum es_turn_kind { ES_TURN_OVER, ES_TURN_CHANCE, ES_TURN_PLAYERS };

struct es_turn {
    enum es_turn_kind kind;
    unsigned players;
};

/* A name for something that one of a game's own header lines can say: deck, 15, "3 3 3 4 …". People
 * may choose by that name; records have the text. */
struct es_preset {
    const char *option, *name, *text;
};

struct es_game {
    const char *name;
    uint8_t players_min, players_max;
    bool has_map;
    bool has_secrets; /* a player may know things that others do not: a hand, a choice not yet shown
                       */
    /* The words of the optional rules: at most 8, NULL at the end. A setup may have at most one of
     * the rules in `exclusive` (bit i: the i-th word). */
    const char *const *rules;
    uint32_t exclusive;

    /* Header lines of the game's own, like `deck`: their first words, NULL at the end; or NULL if
     * there are none. */
    const char *const *options;
    /* Names for what such lines can say; the last has no option. NULL: there are none. */
    const struct es_preset *presets;
    /* Reads the rest of such a line into the setup; `option` is its number in the list. On a fault
     * the setup stays as it was. */
    es_status (*read_option)(struct es_setup *setup, int option, struct es_str text);
    /* Writes the rest of such a line; nothing if the setup has the default. */
    void (*write_option)(const struct es_setup *setup, int option, struct es_out *out);

    /* Validates the game's own part of a setup and fills in its derived fields. */
    es_status (*prepare)(struct es_setup *setup);
    void (*start)(const struct es_setup *setup, struct es_state *state);

    struct es_turn (*turn)(const struct es_setup *setup, const struct es_state *state);
    /* Lists every legal event of one player (1 …) or of chance (0), ascending, each once. `events`
     * has room for ES_LEGAL_MAX. Returns their number; 0 if `who` is not to act. */
    size_t (*legal)(const struct es_setup *setup, const struct es_state *state, int who,
                    es_event *events);
    /* Applies an event from any source. If it is illegal or malformed, returns the reason and
     * leaves *state unchanged. */
    es_status (*apply)(const struct es_setup *setup, struct es_state *state, es_event event);
    /* Returns the relative probability of a chance event from `legal`: for example the number of
     * copies of that card in the pile, or of that tile not yet seen. */
    unsigned (*weight)(const struct es_setup *setup, const struct es_state *state, es_event event);
    /* Returns the chance event that the fair shuffle of a seed brings next; chance must be due. It
     * may be illegal if the game so far was not dealt from that seed. */
    es_event (*deal)(const struct es_setup *setup, const struct es_state *state,
                     const uint8_t seed[ES_SEED_BYTES]);

    /* Copies to `seen` the events that `viewer` (0: a spectator) may know, leaving out or masking
     * the rest, and returns their number (at most `count`). `state` is the state after `events`.
     * Bots, clients and spectators get nothing else. */
    size_t (*observe)(const struct es_setup *setup, const struct es_state *state,
                      const es_event *events, size_t count, int viewer, es_event *seen);

    int (*score)(const struct es_setup *setup, const struct es_state *state, int player);
    /* Bit p - 1: player p has won. 0 until the game is over. */
    unsigned (*winners)(const struct es_setup *setup, const struct es_state *state);
    /* Writes the position and the scores as `endstation replay` prints them; at most
     * ES_REPORT_BYTES. */
    void (*report)(const struct es_setup *setup, const struct es_state *state, struct es_out *out);

    /* Reads one event without its line end. Checks its form, and that the stations, lines or tiles
     * it names exist; whether it is legal is left to `apply`. */
    es_status (*parse)(const struct es_setup *setup, struct es_str text, es_event *event);
    /* Writes one event without a line end. */
    void (*format)(const struct es_setup *setup, es_event event, struct es_out *out);

    /* Returns ES_OK if every invariant holds; for tests. */
    es_status (*check)(const struct es_setup *setup, const struct es_state *state);

    /* Optional parts beside the rules; NULL: the default. */
    const struct es_picture *picture;   /* how it is drawn (draw.h); default: its report as text */
    const struct es_bots *bots;         /* its bots; default: only the level `random` */
    const struct es_analysis *analysis; /* how positions are evaluated (analysis.h); default: games
                                           cannot be analysed */
    const struct es_table *table; /* its part of a session (src/page/table.h): how people choose
                                     moves, the facts, the log */
    const struct es_printable *prints; /* what can be printed of it (print.h); the last has no name;
                                          default: nothing */
};

/* Every game that a record can name; NULL at the end. */
extern const struct es_game *const es_games[];

/* Returns the game of that name, or NULL. */
const struct es_game *es_game_named(struct es_str name);
/* Returns the bit of the rule called `word`, or 0. */
uint32_t es_game_rule(const struct es_game *game, struct es_str word);

/* Returns the number of the game's own header line that begins with `word`, or -1. */
int es_game_option(const struct es_game *game, struct es_str word);
/* Returns the text that a name for such a line stands for, or NULL. */
const char *es_game_preset(const struct es_game *game, const char *option, struct es_str name);

/* Validates a setup (players, rules, map, options) and fills in its derived fields. Returns ES_OK
 * or the first fault. */
__attribute__((warn_unused_result)) es_status es_setup_prepare(struct es_setup *setup);

/* Computes the state after a list of events. At the first illegal one it stops and returns the
 * reason; *state is then the state before that event. */
__attribute__((warn_unused_result)) es_status es_fold(const struct es_setup *setup,
                                                      const es_event *events, size_t count,
                                                      struct es_state *state);
/* Computes what `viewer` (0: a spectator) may know of a game, as a state; bots get nothing else.
 * `scratch` has room for `count` events. */
void es_view(const struct es_setup *setup, const struct es_state *state, const es_event *events,
             size_t count, int viewer, es_event *scratch, struct es_state *view);

/* Returns a random chance event (one must be due), with probabilities in proportion to the weights:
 * for games that are not dealt from a seed. */
es_event es_chance(const struct es_setup *setup, const struct es_state *state,
                   struct es_random *random);

/* Writes every legal next event, one per line, sorted by bytes, as `endstation moves` prints
 * them. */
enum { ES_MOVES_BYTES = (ES_PLAYERS_MAX + 1) * ES_LEGAL_MAX * (ES_EVENT_BYTES + 1) };
void es_moves_write(const struct es_setup *setup, const struct es_state *state, struct es_out *out);

/* Returns the number of legal event sequences of length `depth` from a state; each distinct chance
 * event counts once, whatever its weight. `memory`: es_perft_bytes(), aligned like malloc's. */
uint64_t es_perft(const struct es_setup *setup, const struct es_state *state, int depth,
                  void *memory);
size_t es_perft_bytes(int depth);

#ifdef __cplusplus
}
#endif

#endif
