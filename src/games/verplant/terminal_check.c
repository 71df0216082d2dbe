/* `maps --check`: prints statistics of a sheet, then warnings about play and picture. The bounds
 * are those of the four built-in cities. */
#include "cli/term_buffer.h"
#include "games/verplant/terminal.h"
#include <assert.h>
#include <endstation/verplant.h>
#include <endstation/verplant/balance.h>
#include <endstation/verplant/layout.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1, CLASHES_MOST = 100 };

/* Prints a warning; before the first one, the headline. */
static void advise(int *count, const char *format, ...)
{
    va_list args;
    puts((*count)++ == 0 ? "\nWarnings:" : "");
    fputs("  ", stdout);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

static void advise_range(int *count, const char *what, double is, double low, double high)
{
    if (is < low || is > high)
        advise(count, "%s: %.*f, not between %g and %g", what, is == (int)is ? 0 : 2, is, low,
               high);
}

/* Returns the number of stations at which at least `lines` lines call. */
static int meeting(const struct es_map *map, int lines)
{
    int count = 0;
    for (int s = 0; s < map->stations; s++)
        count += es_map_calls(map, s) >= lines;
    return count;
}

static int stations_alone(const struct es_map *map, const struct es_map_line *line)
{
    int count = 0;
    for (int i = 0; i < line->stops; i++)
        count += es_map_calls(map, line->stop[i]) == 1;
    return count;
}

static void print_lines(const struct es_map *map, const struct es_balance *any,
                        const struct es_balance *greedy)
{
    puts("\n                             stops on this      completed in games of");
    puts("line     stops windows points    line alone    any line      greedy");
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        printf("   %c%s %7d %7d %3d/%-2d %14d %9.1f %% %9.1f %%\n", line->letter,
               line->ring ? " o" : "  ", line->stops, line->windows, line->first, line->later,
               stations_alone(map, line), 100 * any->completed[l], 100 * greedy->completed[l]);
    }
}

static int advise_all(const struct es_map *map, const struct es_layout *layout,
                      const struct es_balance *any, const struct es_balance *greedy)
{
    struct es_clash clash[CLASHES_MOST];
    int count = 0, clashes = es_layout_clashes(map, layout, clash, CLASHES_MOST);
    char what[80];
    advise_range(&count, "stations", map->stations, 70, 82);
    advise_range(&count, "windows", map->windows, 22, 26);
    advise_range(&count, "stations where four lines or more meet", meeting(map, 4), 4, 82);
    advise_range(&count, "points of a player who takes any line", any->mean, -8, 6);
    advise_range(&count, "points of a greedy player", greedy->mean, 4, 24);
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        snprintf(what, sizeof what, "stops of line %c", line->letter);
        advise_range(&count, what, line->stops, 6, 19);
        snprintf(what, sizeof what, "windows of line %c", line->letter);
        advise_range(&count, what, line->windows, 1, 4);
        snprintf(what, sizeof what, "%% of the greedy player's games that complete line %c",
                 line->letter);
        advise_range(&count, what, 100 * greedy->completed[l], 3, 90);
    }
    for (int i = 0; i < clashes; i++) {
        char text[2 * ES_NAME_BYTES + 80];
        struct es_out out = {text, sizeof text - 1, 0};
        es_clash_write(map, &clash[i], &out);
        text[out.used] = '\0';
        advise(&count, "%s", term_fold(text));
    }
    if (clashes == CLASHES_MOST)
        advise(&count, "... and more like these");
    return count;
}

int es__verplant_check_map(struct cli_files *files, const char *name, const struct es_map *map,
                           int games)
{
    struct es_layout *layout = cli_alloc(sizeof *layout);
    struct es_setup setup = {.game = &es_verplant, .players = 1, .map = map};
    struct es_balance any, greedy;
    es_status status = es_setup_prepare(&setup);
    assert(!status);
    es_layout(map, false, layout);
    es_balance(&setup, es_bot_any_line, games, SEED, &any);
    es_balance(&setup, es_bot_greedy, games, SEED, &greedy);
    cli_head(files, name);
    char title[sizeof map->title];
    strcpy(title, map->title);
    printf("%s: %d stations, %d lines, %d windows. %d stations are on two lines or more,\n"
           "%d on three, %d on four.\nhash %s\n",
           term_fold(title), map->stations, map->lines, map->windows, meeting(map, 2),
           meeting(map, 3), meeting(map, 4), map->hash);
    print_lines(map, &any, &greedy);
    printf("\n%d solo games with the standard deck, special stations ordinary:\n", games);
    printf("  any line  mean %6.2f  sd %5.2f   a random line, all that can be marked\n", any.mean,
           any.deviation);
    printf("  greedy    mean %6.2f  sd %5.2f   the most marks, transfers at the largest hub\n",
           greedy.mean, greedy.deviation);
    int count = advise_all(map, layout, &any, &greedy);
    puts(count == 0 ? "\nNo warnings." : "");
    free(layout);
    return cli_flush();
}
