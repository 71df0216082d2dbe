/* Facts for the games' terminal.c, in memory that grows as needed. */
#include "cli/play.h"
#include "page/page.h"
#include <stdlib.h>

/* Memory for one tree of facts, reused for the next one. */
struct memory {
    struct es__fact *fact;
    size_t capacity;
    char *text;
    size_t bytes;
};

/* Enlarges the memory for a tree that did not fit; false if it fitted. */
static bool grow(struct memory *memory, const struct es__tree *tree)
{
    if (es__tree_ok(tree))
        return false;
    if (tree->count > memory->capacity) {
        free(memory->fact);
        memory->capacity = tree->count;
        memory->fact = cli_alloc(memory->capacity * sizeof *memory->fact);
    }
    if (!es_out_ok(&tree->text)) {
        free(memory->text);
        memory->bytes = tree->text.used;
        memory->text = cli_alloc(memory->bytes);
    }
    return true;
}

static struct es__writer *begin(struct es__tree *tree, const struct memory *memory)
{
    return es__tree_begin(tree, memory->fact, memory->capacity, memory->text, memory->bytes);
}

/* Returns true if any event of the list is a player's. */
static bool has_moves(const es_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ES_EVENT_WHO(events[i]) != ES_CHANCE)
            return true;
    return false;
}

void play_news(const struct cli_game *game, size_t from, struct cli_news *news)
{
    static struct memory log, state;
    static es_event *seen;
    static struct es_state view;
    struct es__looking look;
    struct es__tree tree;
    free(seen);
    seen = cli_alloc((game->record.count + 1) * sizeof *seen);
    es__look(&look, &game->record, &game->state, game->record.count, 0, seen, &view);
    *news = (struct cli_news){
        .record = &game->record,
        .view = &view,
        .seen = seen,
        .count = look.count,
        .from = from,
        .moved = from < look.count && has_moves(seen + from, look.count - from),
    };
    do
        es__write_log(begin(&tree, &log), &look, from);
    while (grow(&log, &tree));
    news->log = es__tree_root(&tree);
    do
        es__write_state(begin(&tree, &state), &look);
    while (grow(&state, &tree));
    news->state = es__tree_root(&tree);
}

es_status play_plan(const struct es_setup *setup, const struct es_state *view, int player,
                    es_event event, const struct es__fact **plan)
{
    static struct memory memory;
    struct es__tree tree;
    es_status status;
    do
        status = es__write_plan(begin(&tree, &memory), setup, view, player, event);
    while (grow(&memory, &tree));
    *plan = status ? NULL : es__tree_root(&tree);
    return status;
}
