/* The game interface: one `const struct es_game` a game, whatever the game.
 *
 * A game is a setup and a list of events; the state is what comes out when the events are applied
 * one after the other. Chance is an event like any other, so that the rules need no random source
 * and every game replays exactly, everywhere.
 *
 *     struct es_setup setup = {.game = es_games[0], .players = 1, .map = map};
 *     struct es_state state;
 *     es_setup_prepare(&setup);                       // checks, and fills in what is derived
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

struct es_bots;
struct es_map;
struct es_picture;
struct es_table;

enum {
    ES_PLAYERS_MAX = 6,
    ES_LEGAL_MAX = 1024,   /* the longest list of `legal`, with room to write past its end */
    ES_EVENTS_MAX = 90000, /* more events no game can have */
    ES_STATE_BYTES = 3072,
    ES_OPTIONS_BYTES = 256,
    ES_REPORT_BYTES = 32768, /* the longest report */
    ES_EVENT_BYTES = 32,     /* the longest event as text */
};

/* An event packs into 32 bits: who in the upper four (0: chance, 1 to 6: a player), what and how
 * in the other 28, whose meaning is the game's. */
typedef uint32_t es_event;

#define ES_EVENT(who, what) ((es_event)(who) << 28 | (es_event)(what))
#define ES_EVENT_WHO(event) ((int)((event) >> 28))
#define ES_EVENT_WHAT(event) ((event)&0xfffffff)

enum { ES_CHANCE = 0 };

/* The state of any game: a plain value without pointers, copied by assignment. Games cast it to a
 * type of their own, hence may_alias. */
struct es_state {
    _Alignas(16) uint8_t bytes[ES_STATE_BYTES];
} __attribute__((may_alias));

/* What is chosen before the first event. Filled in by hand or by the record reader; then
 * es_setup_prepare(). */
struct es_setup {
    const struct es_game *game;
    const struct es_map *map; /* the sheet, for games that have one; the caller keeps it */
    uint32_t rules;           /* bit i: the i-th of the game's rule words */
    uint8_t players;
    /* What the game's own header lines choose, and what prepare() derives from it; all 0: the
     * usual choices. Games cast it to a type of their own. */
    _Alignas(8) uint8_t options[ES_OPTIONS_BYTES];
};

/* Whose turn it is. Either chance is due, or one or several players (a bit each, bit 0 for
 * player 1) may act, each without seeing what the others do. */
enum es_turn_kind { ES_TURN_OVER, ES_TURN_CHANCE, ES_TURN_PLAYERS };

struct es_turn {
    enum es_turn_kind kind;
    unsigned players;
};

struct es_game {
    const char *name;
    uint8_t players_min, players_max;
    bool has_map;
    bool has_secrets; /* a player may know what others do not: a hand, a choice not yet shown */
    /* The optional rules: at most 8 words, NULL at the end; of those in `exclusive` at most one. */
    const char *const *rules;
    uint32_t exclusive;

    /* Header lines of the game's own, like `deck`: their first words, NULL at the end; or NULL if
     * there are none. */
    const char *const *options;
    /* Reads the rest of such a line, by its number in the list; on a fault the setup stays as it
     * was. Writes it; nothing where the usual is chosen. */
    es_status (*read_option)(struct es_setup *setup, int option, struct es_str text);
    void (*write_option)(const struct es_setup *setup, int option, struct es_out *out);

    /* Checks a setup and fills in what is derived from it. */
    es_status (*prepare)(struct es_setup *setup);
    void (*start)(const struct es_setup *setup, struct es_state *state);

    struct es_turn (*turn)(const struct es_setup *setup, const struct es_state *state);
    /* Every legal event of one player (1 …) or of chance (0), ascending, each once. `events` has
     * room for ES_LEGAL_MAX. Returns how many; 0 if it is not theirs to act. */
    size_t (*legal)(const struct es_setup *setup, const struct es_state *state, int who,
                    es_event *events);
    /* Trusts nothing: an illegal event, also one that is no event at all, gets its reason and
     * leaves the state as it was. */
    es_status (*apply)(const struct es_setup *setup, struct es_state *state, es_event event);
    /* In how many equally likely ways a chance event that `legal` lists can come. */
    unsigned (*weight)(const struct es_setup *setup, const struct es_state *state, es_event event);
    /* The chance event that the fair shuffle of a seed brings next; chance must be due. It may
     * still be illegal where the game so far did not come from that seed. */
    es_event (*deal)(const struct es_setup *setup, const struct es_state *state,
                     const uint8_t seed[ES_SEED_BYTES]);

    /* What one player (or a spectator: 0) may know of a game: writes that list of events, never
     * longer than the whole, and returns its length. `state` is what `events` lead to. This is all
     * that bots, clients and spectators are ever given. */
    size_t (*observe)(const struct es_setup *setup, const struct es_state *state,
                      const es_event *events, size_t count, int viewer, es_event *seen);

    int (*score)(const struct es_setup *setup, const struct es_state *state, int player);
    /* Bit 0 for player 1; 0 until the game is over. */
    unsigned (*winners)(const struct es_setup *setup, const struct es_state *state);
    /* Where the game stands, as `endstation replay` prints it; at most ES_REPORT_BYTES. */
    void (*report)(const struct es_setup *setup, const struct es_state *state, struct es_out *out);

    /* One event from and to its text, without the line end. parse checks the form and that what is
     * named exists; whether the event is legal is for apply to say. */
    es_status (*parse)(const struct es_setup *setup, struct es_str text, es_event *event);
    void (*format)(const struct es_setup *setup, es_event event, struct es_out *out);

    /* ES_OK if every invariant holds; for tests. */
    es_status (*check)(const struct es_setup *setup, const struct es_state *state);

    /* What a game may offer beside its rules; where it is NULL, there is a default that works. */
    const struct es_picture *picture; /* how it is drawn (draw.h); default: its report as text */
    const struct es_bots *bots;       /* its players; every game has the level `random` */
    const struct es_table *table;     /* how it is chosen, told and taken back by people */
};

/* The smallest game there is: nothing but rules, so that tests use every default. Only test builds
 * have it. */
extern const struct es_game es_null;

/* Every game that a record can name; NULL at the end. */
extern const struct es_game *const es_games[];

/* The game of that name, or NULL. */
const struct es_game *es_game_named(struct es_str name);
/* The rule of that name as a bit, or 0. */
uint32_t es_game_rule(const struct es_game *game, struct es_str word);

/* The number of a header line of the game's own by its first word, or -1. */
int es_game_option(const struct es_game *game, struct es_str word);

/* Checks everything in a setup: players, rules, map, options. */
es_status es_setup_prepare(struct es_setup *setup);

/* Computes the state after a list of events. At the first illegal one it stops and returns the
 * reason; *state is then the state before that event. */
__attribute__((warn_unused_result)) es_status es_fold(const struct es_setup *setup,
                                                      const es_event *events, size_t count,
                                                      struct es_state *state);
/* What one player (or a spectator: 0) may see of a game, as a state: all that a bot is ever given.
 * `scratch` has room for `count` events. */
void es_view(const struct es_setup *setup, const struct es_state *state, const es_event *events,
             size_t count, int viewer, es_event *scratch, struct es_state *view);

/* A chance event (one must be due), each as likely as its weight says: for games that are not dealt
 * from a seed. */
es_event es_chance(const struct es_setup *setup, const struct es_state *state,
                   struct es_random *random);

/* Writes every legal next event, one a line, sorted by bytes: what `endstation moves` prints. */
enum { ES_MOVES_BYTES = (ES_PLAYERS_MAX + 1) * ES_LEGAL_MAX * (ES_EVENT_BYTES + 1) };
void es_moves_write(const struct es_setup *setup, const struct es_state *state, struct es_out *out);

/* Counts the event sequences of a length from a state on, every distinct chance event once. */
uint64_t es_perft(const struct es_setup *setup, const struct es_state *state, int depth);

#endif
