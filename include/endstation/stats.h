/* Statistics of many games of one person, "you": a row for each game that is over, and what follows
 * from all rows: means, medians, bests, wins, streaks, and how a result compares with games of
 * bots.
 *
 *     struct es_stats stats;
 *     void *memory = malloc(es_stats_bytes(1000));
 *     es_stats_begin(&stats, 1000, memory);
 *     es_stats_add(&stats, &record, &state, es_str("Ada"));    // for each game
 *     es_stats_finish(&stats);
 *     es_stats_csv(&stats, &out);
 *     for (size_t at = 0; es_stats_group(&stats, &at, &group);) …
 *
 * Nothing here allocates, and nothing depends on the day on which it runs: the same games give the
 * same statistics everywhere. */
#ifndef ENDSTATION_STATS_H
#define ENDSTATION_STATS_H

#include <endstation/record.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_STATS_ROWS_MAX = 20000,
    ES_STATS_DATE_BYTES = 11,     /* 2026-11-17 with its terminating zero */
    ES_STATS_OPTIONS_BYTES = 320, /* the header lines of a game's own */
    ES_STATS_LEVELS_MAX = 8,      /* levels that a game offers, at most */
};

/* Who sits in another seat: the number of a bot's level (es_bot_level), or one of these. */
enum { ES_STATS_PERSON = ES_STATS_LEVELS_MAX, ES_STATS_OTHER_BOT, ES_STATS_RIVALS };

/* One game that is over. */
struct es_stats_row {
    const struct es_game *game;
    char date[ES_STATS_DATE_BYTES]; /* empty if the record has none */
    char sheet[ES_MAP_ID_BYTES], hash[ES_MAP_HASH_BYTES], title[ES_NAME_BYTES]; /* or empty */
    uint32_t rules;
    /* Header lines of the game's own, with the names of presets; empty: the defaults. */
    char options[ES_STATS_OPTIONS_BYTES];
    bool built_in; /* for the caller: the sheet is built in */
    uint8_t players, seat;
    char name[ES_NAME_BYTES];      /* yours, as in the record; may be empty */
    uint8_t rival[ES_PLAYERS_MAX]; /* of the other seats in their order: players - 1 of them */
    int16_t points;
    uint8_t place;   /* 1: you have won */
    uint8_t winners; /* who share the win */
    int16_t lines;   /* that you have completed; -1: the game has none */
    bool aided;
};

/* Why a game is left out; ES_STATS_COUNTED: it is not. */
enum es_stats_kind {
    ES_STATS_COUNTED,
    ES_STATS_UNFINISHED, /* it is not over */
    ES_STATS_UNKNOWN,    /* nobody can tell which player you are */
    ES_STATS_UNREADABLE, /* the record is damaged, or its sheet is missing; counted by the caller */
    ES_STATS_KINDS
};

struct es_stats {
    struct es_stats_row *rows; /* as they were added */
    uint32_t *order;           /* es_stats_finish: rows by date */
    uint32_t *grouped;         /* … and by group, those of a group by date */
    uint32_t *scratch, *sorted;
    size_t count, capacity;
    unsigned left[ES_STATS_KINDS]; /* games left out, by reason; the caller may add to it */
    /* Set by the caller: where only bots sit, you are the one with your name, or, if it has none,
     * of that level. */
    bool bots;
};

/* ---- Rows (rows.c) -------------------------------------------------------------------------- */

/* Returns the size of the memory for that many rows, at most ES_STATS_ROWS_MAX. */
size_t es_stats_bytes(size_t rows);
/* Begins with no games. `memory` is aligned like malloc's. */
void es_stats_begin(struct es_stats *stats, size_t rows, void *memory);

/* Makes the row of a game. You are the only seat without a bot, otherwise the seat with one of your
 * names: `names` has one a line, the first that exactly one person of the game has counts. Returns
 * ES_STATS_COUNTED, or why there is no row. */
enum es_stats_kind es_stats_row(const struct es_record *record, const struct es_state *state,
                                struct es_str names, struct es_stats_row *row);
/* Adds the row of a game, or counts why there is none. More rows than es_stats_begin() was told of
 * are ES_STATS_UNREADABLE, for the caller to count. */
enum es_stats_kind es_stats_add(struct es_stats *stats, const struct es_record *record,
                                const struct es_state *state, struct es_str names);

/* Writes all rows as CSV, by date, after a line with the names of the columns (docs/formats.md).
 * Call es_stats_finish() first. */
void es_stats_csv(const struct es_stats *stats, struct es_out *out);
/* Returns what a rival is called: a level, "person", or "other" for a bot of no level. */
const char *es_stats_rival(const struct es_game *game, int rival);

/* ---- Sums (sum.c) --------------------------------------------------------------------------- */

/* Sorts the rows; call it after the last one was added, and before everything below. Rows without a
 * date come first, those of a day in the order in which they were added. */
void es_stats_finish(struct es_stats *stats);

/* What a number of games, at least one, comes to. Points say something only of games that can be
 * compared. */
struct es_stats_figures {
    size_t games;
    long sum;           /* of points */
    int median_doubled; /* twice the median, which may be half a point */
    int best, least;
    const struct es_stats_row *best_row; /* the first with the most points */
    size_t won, shared;                  /* wins, and how many of these are shared */
    long wins_60;                        /* shares of the win, in sixtieths */
    long lines;                          /* completed in all games; -1: the game has none */
    int lines_best;
};
/* Returns the median in whole points, half a point rounded up: the same results are below both. */
int es_stats_median_up(const struct es_stats_figures *figures);

/* Games that can be compared: of the same game, sheet and rules, for the same number of players,
 * all with or all without help. */
struct es_stats_group {
    const struct es_stats_row *first; /* one of them: game, sheet, rules, options, players, aided */
    const uint32_t *rows;             /* numbers of rows, by date: all.games of them */
    struct es_stats_figures all;
};
/* Fills in the next group and advances *at (0 at first); false after the last. Groups come in the
 * order of games, then by sheet, rules and number of players, without help before with. */
bool es_stats_group(const struct es_stats *stats, size_t *at, struct es_stats_group *group);
/* Returns true if two games are of one group. */
bool es_stats_together(const struct es_stats_row *a, const struct es_stats_row *b);

/* Sums up the games of a group against a kind of rival: those in which at least one of them sat;
 * false if there are none. */
bool es_stats_group_against(const struct es_stats *stats, const struct es_stats_group *group,
                            int rival, struct es_stats_figures *figures);
/* Sums up all games of `game` against a kind of rival, for their wins; false if there are none. */
bool es_stats_against(const struct es_stats *stats, const struct es_game *game, int rival,
                      bool aided, struct es_stats_figures *figures);

/* Wins one after the other, in games with others and without help. */
struct es_stats_streak {
    size_t latest, longest; /* latest: up to the last game; 0 if that was not won */
};
struct es_stats_streak es_stats_wins(const struct es_stats *stats, const struct es_game *game);

/* Days on which you have finished a game, one after the other. */
struct es_stats_days {
    size_t days, latest, longest;
    const char *until; /* the last day: of `latest`; "" if no game has a date */
};
struct es_stats_days es_stats_days(const struct es_stats *stats);

/* ---- Results of bots (results.c) ------------------------------------------------------------ */

/* Points of one level's games alone. */
struct es_results {
    struct es_str counts; /* POINTS:COUNT …, ascending */
    unsigned games;
    int64_t sum;
    int median_doubled;
};
/* Finds the results of a level for what was played in a row; false if there are none: with others,
 * with a deck of one's own, on a sheet that is not built in. */
bool es_results(const struct es_stats_row *row, int level, struct es_results *results);
/* Returns how many of the games have fewer points. */
unsigned es_results_below(const struct es_results *results, int points);
/* Returns it in per cent, rounded down: 100 only if all have. */
unsigned es_results_percent(const struct es_results *results, int points);

/* The results of all games, as text (docs/formats.md); the list ends with an entry whose id is
 * NULL. */
extern const struct es_builtin_map es_builtin_results[];

#ifdef __cplusplus
}
#endif

#endif
