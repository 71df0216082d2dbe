/* Included by all C tests: cmocka, maps from text, files. */
#ifndef ENDSTATION_CHECK_H
#define ENDSTATION_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <endstation/analysis.h>
#include <endstation/bots.h>
#include <endstation/map.h>
#include <endstation/metro.h>
#include <endstation/record.h>
#include <endstation/verplant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a map from text; a fault fails the test. */
static inline void check_map(struct es_map *map, const char *text)
{
    struct es_fault fault;
    if (es_map_read(map, es_str(text), &fault))
        fail_msg("map line %d: %s", fault.line, fault.reason);
}

/* Reads a built-in sheet. */
static inline void check_builtin(struct es_map *map, const char *id)
{
    struct es_fault fault;
    if (es_map_read(map, es_builtin_map(es_str(id)), &fault))
        fail_msg("%s: line %d: %s", id, fault.line, fault.reason);
}

/* Returns memory for the bots and the analysis of any game. */
static inline void *check_memory(void)
{
    static void *memory;
    size_t bot_bytes = es_bot_bytes(NULL), bytes = es_analysis_bytes(NULL);
    if (!memory)
        memory = malloc(bytes > bot_bytes ? bytes : bot_bytes);
    assert_non_null(memory);
    return memory;
}

/* Applies an event, given as text, which must be legal. */
static inline void check_apply(const struct es_setup *setup, struct es_state *state,
                               const char *text)
{
    es_event event;
    assert_int_equal(setup->game->parse(setup, es_str(text), &event), ES_OK);
    assert_int_equal(setup->game->apply(setup, state, event), ES_OK);
}

/* Returns an event as text. */
static inline const char *check_event(const struct es_setup *setup, es_event event)
{
    static char text[ES_EVENT_BYTES + 1];
    struct es_out out = {text, sizeof text - 1, 0};
    setup->game->format(setup, event, &out);
    assert_true(es_out_ok(&out));
    text[out.used] = '\0';
    return text;
}

/* Returns the title of a metro tile in pictures, from the letters of its name: for each side, the
 * side by which a train that enters there leaves (a: opposite, b: next clockwise, c: next
 * anticlockwise, d: the same). */
static inline const char *tile_title(const char *name)
{
    static const char *const sides[] = {"top", "right", "bottom", "left"};
    static char title[128];
    int used = snprintf(title, sizeof title, "tile");
    for (int side = 0; side < 4; side++) {
        int steps = name[side] == 'a' ? 2 : name[side] == 'b' ? 1 : name[side] == 'c' ? 3 : 0;
        used += snprintf(title + used, sizeof title - (size_t)used, ", %s–%s", sides[side],
                         sides[(side + steps) % 4]);
    }
    return title;
}

#endif
