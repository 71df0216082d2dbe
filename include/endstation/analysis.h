/* Analysis: how well a player played a game, and how lucky they were.
 *
 * Everything is seen from one player, P, and from P's view alone: what P could not know at a moment
 * is sampled, never read. The value of a position is the mean over samples in which quick players
 * play on for some rounds, and is measured in P's final points alone, in P's share of the win with
 * others. docs/analysis.md has the definitions.
 *
 *     list the nodes   es_nodes()         cards and tiles that P saw, and P's decisions
 *     run each node    es_node_run()      in any order, by any number of threads or workers
 *     add them up      es_nodes_add_up()  luck, loss and the rest of the way to the result
 *
 * A node's result depends on the setup, on P's view up to the node and on the event there, and on
 * nothing else; its random numbers are derived from them. All sums are integers, so the result is
 * the same on every machine and for every order of the nodes. A result can be sent as one line of
 * text (es_node_write).
 *
 * Nothing here allocates: callers give memory, of a size that a function tells. Running a node
 * takes some milliseconds.
 */
#ifndef ENDSTATION_ANALYSIS_H
#define ENDSTATION_ANALYSIS_H

#include <endstation/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_VALUE_ONE = 65536, /* values are fixed-point numbers: a point, or the whole win */
    ES_VALUES_MAX = 24,   /* events of one evaluation: every kind of tile */
    ES_SAMPLES_MAX = 4096,
    ES_SHORTLIST = 16,    /* events of a decision that are compared by samples, at most */
    ES_ALTERNATIVES = 4,  /* of which so many are measured */
    ES_NODE_BYTES = 2048, /* the longest result of a node as text */
    ES_BATCH = 64,        /* samples that a game plays in one call, at most */
    ES_CONSIDERED = 4,    /* events that a game tries after each card or tile, at most */
};

/* ---- Evaluation (evaluate.c) ---------------------------------------------------------------- */

/* Returns the size of the memory that evaluating needs, at least 1; with NULL instead of a game, of
 * any game. It is aligned like malloc's, serves one call at a time, and nothing is kept there. */
size_t es_analysis_bytes(const struct es_game *game);

/* How to evaluate. */
struct es_sampling {
    void *memory; /* es_analysis_bytes() */
    uint64_t seed;
    uint32_t samples; /* 1 to ES_SAMPLES_MAX */
    /* Play on more carefully: better for comparing events, but values are too high or low by what
     * all of them have in common. False: values that can be compared between positions. */
    bool careful;
    /* Correct each sample by what the quick players are known to misjudge on average
     * (es_analysis.calibration), as nodes do. False: what the quick players get. */
    bool calibrated;
};

/* The value of one event. */
struct es_value {
    es_event event;
    uint32_t weight;            /* of a chance event, es_game.weight; else 0 */
    int32_t mean, error;        /* the mean over all samples, and its standard error */
    int32_t behind, difference; /* the first event's mean less this one's on the same samples, and
                                   the standard error of that */
};

/* Evaluates `count` events (1 to ES_VALUES_MAX), all of them legal in `view`: chance events, or
 * events of `player`. All are tried on the same samples. Returns ES_OK, or why that cannot be done:
 * ES_ANALYSIS_NONE, ES_PLAYER_UNKNOWN, ES_VIEW_BLIND, or the reason why an event is illegal. */
__attribute__((warn_unused_result)) es_status es_evaluate(const struct es_setup *setup,
                                                          const struct es_state *view, int player,
                                                          const es_event *events, size_t count,
                                                          const struct es_sampling *sampling,
                                                          struct es_value values[ES_VALUES_MAX]);

/* Sorts at most ES_LEGAL_MAX events of a player, the most promising first, by what the game can say
 * at a glance. `memory` has es_analysis_bytes(). */
void es_sort_events(const struct es_setup *setup, const struct es_state *view, int player,
                    void *memory, es_event *events, size_t count);

/* ---- Nodes (nodes.c, run.c) ----------------------------------------------------------------- */

/* A point of the game to be evaluated: a card or tile that P sees come, of several possible kinds,
 * or a decision of P between several events. */
struct es_node {
    uint32_t at;    /* events of the view before it */
    bool chance;    /* else a decision */
    bool open;      /* it has not happened yet: the last node of a game that is not over */
    es_event event; /* what came or was played; 0 if open */
};

/* Writes P's view of a game to `seen` (room for `count` events), and its nodes in order. Sets
 * *events to the length of the view and *found to the number of nodes, of which at most `room` are
 * written. `events` of a view have no more nodes than events, plus one. Returns ES_OK or why the
 * game cannot be analysed. */
__attribute__((warn_unused_result)) es_status es_nodes(const struct es_setup *setup,
                                                       const es_event *events, size_t count,
                                                       int player, es_event *seen,
                                                       size_t *seen_count, struct es_node *nodes,
                                                       size_t room, size_t *found);

/* The result of a node. */
struct es_node_result {
    int32_t before, error; /* the value before: of all kinds by weight, or of the best event */
    int32_t after;         /* with luck or less the loss; `before`, if the node is open */
    /* Of a decision: what the event played gives away against the best one, which was chosen on
     * other samples. Not clipped: below 0 the event played may be better. */
    int32_t loss, loss_error;
    int32_t luck, luck_error; /* of a chance node: `after` less `before` */
    uint32_t samples;         /* on which `value` was measured */
    uint32_t legal;           /* events that were possible */
    uint8_t count;            /* of values */
    uint8_t played;           /* index of what came or was played; `count` if the node is open */
    /* Every kind, or the best event first and then some others, by `behind` in points or share. */
    struct es_value value[ES_VALUES_MAX];
};

/* Evaluates one node of a view, which must come from es_nodes(). `memory` has
 * es_analysis_bytes(). */
void es_node_run(const struct es_setup *setup, const es_event *seen, const struct es_node *node,
                 int player, void *memory, struct es_node_result *result);

/* Writes a result as one line without its end; reads it again. Reading returns false for anything
 * else. */
void es_node_write(const struct es_node_result *result, struct es_out *out);
__attribute__((warn_unused_result)) bool es_node_read(struct es_str line,
                                                      struct es_node_result *result);
/* Returns true if a result that was read can be that of a node: its events are the kinds that can
 * come, or legal moves with the one played among them, and its numbers agree with each other.
 * `view` is the state at the node. (Nothing but running the node tells whether they are right.) */
bool es_node_fits(const struct es_setup *setup, const struct es_state *view,
                  const struct es_node *node, int player, const struct es_node_result *result);

/* ---- The sum (sum.c) ------------------------------------------------------------------------ */

enum es_label {
    ES_LABEL_NONE,
    ES_LABEL_GOOD,
    ES_LABEL_INACCURACY,
    ES_LABEL_MISTAKE,
    ES_LABEL_BLUNDER
};

/* One node on the way to the result: value + luck - loss + others + correction is the next node's
 * value, and after the last the result. */
struct es_step {
    int32_t value; /* before the node */
    int32_t luck, loss, others, correction;
    enum es_label label;
};

/* result = start + luck - loss + others + correction, exactly. */
struct es_analysis_sum {
    int64_t start, luck, loss, others, correction, result;
    int64_t without_luck; /* result - luck */
    int64_t loss_error;   /* the standard error of `loss` */
    bool over;            /* else `result` is what is expected */
    int decisions, labels[ES_LABEL_BLUNDER + 1];
};

/* Adds up the results of all nodes: results[i] belongs to nodes[i]. `steps` has room for `found`
 * steps, or is NULL. */
void es_nodes_add_up(const struct es_setup *setup, const es_event *seen, size_t seen_count,
                     int player, const struct es_node *nodes, const struct es_node_result *results,
                     size_t found, struct es_step *steps, struct es_analysis_sum *sum);

/* Returns the label of a decision: by its loss, if that is above two standard errors; or good if
 * it was the best event and the next best one is behind by more than two. */
enum es_label es_node_label(const struct es_setup *setup, const struct es_node_result *result);
/* Returns the least loss for a label (inaccuracy to blunder). */
int32_t es_label_least(const struct es_setup *setup, enum es_label label);

/* ---- A game's part -------------------------------------------------------------------------- */

/* How a game plays on; es_game.analysis. */
struct es_analysis {
    size_t bytes; /* of memory that glance and play_on need */
    /* Rates a player's events without playing on: the more promising, the higher. */
    void (*glance)(const struct es_setup *setup, const struct es_state *view, int player,
                   const es_event *events, size_t count, void *memory, float *ratings);
    /* Plays `samples` samples, at most ES_BATCH, with each event and writes the values: of event e
     * in sample i to values[i * count + e]. Sample i uses the same random numbers for all events.
     */
    void (*play_on)(const struct es_setup *setup, const struct es_state *view, int player,
                    const es_event *events, size_t count, const struct es_sampling *sampling,
                    int32_t *values);
    /* Returns what to add to the value that an event has in a sample, so that the mean correction
     * is about 0; found on other games. NULL: nothing. */
    int32_t (*calibration)(const struct es_setup *setup, const struct es_state *view, int player,
                           es_event event, int32_t value);
    /* Finds what the player could have scored in a game that is over, had all cards been known, as
     * far as a search finds it; false if the game is too long. `memory` has as many bytes as
     * hindsight_bytes says. Both NULL: nothing can be said about that. */
    size_t (*hindsight_bytes)(const struct es_setup *setup, size_t count);
    bool (*hindsight)(const struct es_setup *setup, const es_event *events, size_t count,
                      int player, void *memory, int *points);
    /* Returns how many lines a player has completed, for statistics. NULL: the game counts none. */
    int (*completed)(const struct es_setup *setup, const struct es_state *state, int player);
    /* Samples of a chance node; of a decision, to choose and to measure. */
    uint16_t chance_samples, choose_samples, measure_samples;
};

/* Writes the values of the best of some events, `u` by event and sample, to every `step`-th place.
 * The best is chosen on one half of the samples and takes its values from the other half: otherwise
 * chance would make the best look better than it is. */
void es_best_of_halves(int32_t u[ES_CONSIDERED][ES_BATCH], size_t events, uint32_t samples,
                       size_t step, int32_t *values);

#ifdef __cplusplus
}
#endif

#endif
