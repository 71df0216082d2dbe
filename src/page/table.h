/* What a game offers to the people who play it: turning taps and keys into a planned move, facts
 * and log entries beyond those of every game, what can be taken back. A game fills in a struct
 * es_table; each function may be NULL, and its default is named beside it. */
#ifndef ENDSTATION_SRC_PAGE_TABLE_H
#define ENDSTATION_SRC_PAGE_TABLE_H

#include "page/writer.h"
#include <endstation/game.h>

struct es_record;

/* ---- Choosing ------------------------------------------------------------------------------- */

/* Keys as numbers: letters and digits are themselves. */
enum { KEY_NONE, KEY_LEFT = 1, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_BACKSPACE, KEY_SPACE };

/* What a player has in hand while choosing, beyond the planned move itself. */
struct es__pick {
    uint8_t own[4];  /* the game's; all 0: nothing special */
    char tapped[32]; /* the part tapped last: a second tap confirms */
};

struct es__choosing {
    const struct es_setup *setup;
    int player;
    const struct es_state *view; /* what the player knows */
    es_event *plan;              /* 0: none */
    struct es__pick *pick;
    es_status why; /* nothing was planned because of this; the plan is then as before */
};

/* Plans a move if it is legal; else says why not. */
bool es__plan(struct es__choosing *c, es_event event);
/* Cuts "wagon-" off "wagon-A"; false if it does not begin so. */
bool es__part_of(struct es_str part, const char *kind, struct es_str *name);

/* ---- Facts ---------------------------------------------------------------------------------- */

/* Who looks at what; es__look() in page.h fills it in. */
struct es__looking {
    const struct es_record *record;
    const struct es_setup *setup;      /* the record's */
    int viewer;                        /* 0: a spectator */
    const struct es_state *now, *view; /* all of it, and what the viewer knows */
    const es_event *seen;              /* the events of the viewer's view */
    size_t count;
    size_t latest; /* how many the view has at the end of the record: more if this is earlier */
    bool can_undo; /* the viewer can take back their last move */
    bool built_in; /* the sheet is known to be the built-in one of its id */
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
    size_t from;  /* only what became known after that is told */
};

/* Opens a fact that became known when the view had `n` events, and names its kind; false: it is
 * not to be told. es__tell_of() names the player, too. es__told() closes it. */
bool es__tell(struct es__telling *t, size_t n, const char *what);
bool es__tell_of(struct es__telling *t, size_t n, const char *what, int player);
void es__told(struct es__telling *t);

/* ---- The table ------------------------------------------------------------------------------ */

struct es_table {
    /* A part of the picture was tapped, by its id; true if it stands for a move, so that a second
     * tap means to make it. Default: the legal event in whose text the part's name is a word. */
    bool (*tap)(struct es__choosing *c, struct es_str part);
    /* Default: arrows walk through the legal events. */
    void (*key)(struct es__choosing *c, int key);
    /* A word beyond those of page.h; false if the game does not know it. Default: none. */
    bool (*word)(struct es__choosing *c, struct es_str word);
    /* The plan was set by its text: what is in hand follows. Default: nothing. */
    void (*planned)(struct es__choosing *c);
    /* Whether pick.own can be what a player of this game has in hand: picks come from outside.
     * Asked before all others. Default: only if all of it is 0. */
    bool (*can_hold)(const struct es__choosing *c);
    /* More for the answer. Default: the legal events as "options". */
    void (*answer)(const struct es__choosing *c, struct es__writer *w);
    /* Where what is in hand may go, for es_draw.targets; false if nothing is. Default: false. */
    bool (*targets)(const struct es__choosing *c, uint64_t *targets);

    /* More facts about the game, and about each of its players. Default: none. */
    void (*facts)(const struct es__looking *look, struct es__writer *w);
    void (*player_facts)(const struct es__looking *look, int player, struct es__writer *w);
    /* Writes what an event did. Default: {"what":"event","player":1,"event":"1 A3"}. Where a game
     * has no words of its own, facts with an "event" are told by it. */
    void (*tell)(struct es__telling *t);
    /* The length of the viewer's view when the event at place `at` of it, from 0, became known.
     * `events` are those of the game. Default: at + 1. */
    size_t (*known_at)(const struct es__looking *look, const es_event *events, size_t at);

    /* Facts about a single piece of the game, by the name that es_draw_piece() takes; false if
     * there is none. Default: false. */
    bool (*piece_facts)(struct es_str name, struct es__writer *w);

    /* The place among the events of a player's last move if it can be taken back, or -1. Default:
     * it is the last event. */
    long (*undo)(const struct es_setup *setup, const struct es_state *state, const es_event *events,
                 size_t count, int player);

    /* A game played again: an earlier chance event becomes the one that is due now; false if that
     * is not known. Default: it is the same event. */
    bool (*deal_again)(const struct es_setup *setup, const struct es_state *state, es_event *event);
    /* … and others do what they did, since nothing that one player does stands in their way. */
    bool others_repeat;

    /* A sum from what people have written down on paper, as an object; see es_page_tally().
     * Default: the answer is ES_MAP_MISSING. */
    es_status (*tally)(const struct es_setup *setup, struct es_str words, struct es__writer *w);
};

#endif
