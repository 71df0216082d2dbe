/* A game's part of a session (page.h): how taps and keys become a planned move, facts and log
 * entries beyond those of every game, what can be taken back. A game fills in a struct es_table;
 * each function may be NULL, and its comment names the default. */
#ifndef ENDSTATION_SRC_PAGE_TABLE_H
#define ENDSTATION_SRC_PAGE_TABLE_H

#include "page/writer.h"
#include <endstation/game.h>

struct es_record;

/* ---- Choosing ------------------------------------------------------------------------------- */

/* Keys as numbers: letters and digits are themselves. */
enum { KEY_NONE, KEY_LEFT = 1, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_BACKSPACE, KEY_SPACE };

/* What a player holds while choosing, apart from the planned move. */
struct es__pick {
    uint8_t own[4];  /* private to the game; all 0: nothing */
    char tapped[32]; /* the part tapped last: a second tap confirms */
};

struct es__choosing {
    const struct es_setup *setup;
    int player;
    const struct es_state *view; /* what the player knows */
    es_event *plan;              /* 0: none */
    struct es__pick *pick;
    es_status why; /* why nothing was planned; the plan is then as before */
};

/* Plans a move if it is legal; else sets c->why and returns false. */
bool es__plan(struct es__choosing *c, es_event event);
/* Sets *name to "A" for the part "wagon-A" and the kind "wagon-"; false for other kinds. */
bool es__part_of(struct es_str part, const char *kind, struct es_str *name);

/* ---- Facts ---------------------------------------------------------------------------------- */

/* A viewer and the position they look at; filled in by es__look() (page.h). */
struct es__looking {
    const struct es_record *record;
    const struct es_setup *setup;      /* the record's */
    int viewer;                        /* 0: a spectator */
    const struct es_state *now, *view; /* the full state, and what the viewer knows */
    const es_event *seen;              /* the events of the viewer's view */
    size_t count;
    size_t latest; /* length of the view at the end of the record; larger than here in a replay */
    bool can_undo; /* the viewer can take back their last move */
    bool can_go_back; /* even if something was revealed since (es_page_go_back) */
    bool built_in;    /* the sheet is the built-in one with its id */
    bool is_report;   /* for programs: also what only pictures show, nothing of a user interface */
};

void es__write_event(struct es__writer *w, const char *name, const struct es_setup *setup,
                     es_event event);

/* ---- The log -------------------------------------------------------------------------------- */

/* One event of a viewer's view, and where its facts go. */
struct es__telling {
    struct es__writer *w;
    const struct es_setup *setup;
    const struct es_state *before, *after;
    es_event event;
    size_t place; /* the event's number in the view, from 1 */
    size_t n;     /* the length of the view when the event became known */
    size_t from;  /* only what became known after that is written */
};

/* Opens a log entry of kind `what` that became known when the view had `n` events. Returns false if
 * it is not to be written, because the caller knows it already. */
bool es__tell(struct es__telling *t, size_t n, const char *what);
/* Does the same for an entry about a player. */
bool es__tell_of(struct es__telling *t, size_t n, const char *what, int player);
/* Closes the entry. */
void es__told(struct es__telling *t);

/* ---- The table ------------------------------------------------------------------------------ */

struct es_table {
    /* Handles a tap on the part with this id. Returns true if the part stands for a move, so that a
     * second tap makes it. Default: plans the legal event whose text has the part's name as a
     * word. */
    bool (*tap)(struct es__choosing *c, struct es_str part);
    /* Default: arrows walk through the legal events. */
    void (*key)(struct es__choosing *c, int key);
    /* Handles an action beyond those of page.h; false if the game does not know it. Default:
     * none. */
    bool (*word)(struct es__choosing *c, struct es_str word);
    /* Called when the plan was set by its text: sets what is in hand to match. Default: nothing. */
    void (*planned)(struct es__choosing *c);
    /* Validates pick.own, which comes from outside; called before all other functions. Default:
     * true only if all of it is 0. */
    bool (*can_hold)(const struct es__choosing *c);
    /* Writes the game's own facts of the answer. Default: the legal events as "options". */
    void (*answer)(const struct es__choosing *c, struct es__writer *w);
    /* Sets where the piece in hand may go, for es_draw.targets; false if none is in hand. Default:
     * false. */
    bool (*targets)(const struct es__choosing *c, uint64_t *targets);

    /* More facts about the game, and about each of its players. Default: none. */
    void (*facts)(const struct es__looking *look, struct es__writer *w);
    void (*player_facts)(const struct es__looking *look, int player, struct es__writer *w);
    /* Writes the log entries of an event. Default: {"what":"event","player":1,"event":"1 A3"}. A
     * user interface that has no words for an entry shows its "event". */
    void (*tell)(struct es__telling *t);
    /* Returns the length of the viewer's view when its event number `at` (from 0) became known.
     * `events` are those of the game. Default: at + 1. */
    size_t (*known_at)(const struct es__looking *look, const es_event *events, size_t at);

    /* Writes facts about a single piece, named as for es_draw_piece(); false if there is none.
     * Default: false. */
    bool (*piece_facts)(struct es_str name, struct es__writer *w);

    /* Returns the index of a player's last move if it can be taken back, or -1. Default: it can as
     * long as the player has seen nothing since, and the game is legal without it. */
    long (*undo)(const struct es_setup *setup, const struct es_state *state, const es_event *events,
                 size_t count, int player);

    /* In a rerun (es_page_rerun_step): replaces a chance event of the old game by the one that is
     * due now; false if it cannot be known. Default: the same event. */
    bool (*deal_again)(const struct es_setup *setup, const struct es_state *state, es_event *event);
    /* In a rerun the other players repeat their moves, which do not depend on the player's. */
    bool others_repeat;

    /* Writes why `better` is better than `played`, both of them events of `player` in `view`, as at
     * most two objects in the array that is open, {"what":"…", …}, the most telling first. Each is
     * exactly true and follows from the rules: no estimates. Nothing, if an event is illegal.
     * Default: nothing. */
    void (*compare)(const struct es_setup *setup, const struct es_state *view, int player,
                    es_event played, es_event better, struct es__writer *w);

    /* Answers a question of the game's own; see es_page_ask(). Default: ES_WORD_UNKNOWN. */
    es_status (*ask)(const struct es_setup *setup, struct es_str words, struct es__writer *w);
};

#endif
