/* Chooses problems from a file of candidates: easy and hard ones, of all kinds. */
#include "problems.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KINDS = 8,
    STAGES = 3,
    BANDS = 5, /* of difficulty; the first is for what everybody finds */
    OF_A_GAME = 2,
};

struct candidate {
    const char *text; /* without the first line */
    size_t size;
    unsigned game, set, kind, stage, trivial, difficulty;
    unsigned order; /* in the file */
    bool chosen;
};

char *problems_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0 && (text = malloc((size_t)size + 1))) {
        size_t got = fread(text, 1, (size_t)size, file);
        text[got] = '\0';
    }
    fclose(file);
    return text;
}

/* Reads the candidates of a text; returns their number. */
static size_t read_candidates(const char *text, struct candidate *list)
{
    size_t count = 0;
    while (*text) {
        struct candidate *one = &list[count];
        const char *line = strchr(text, '\n'), *end = strstr(text, PROBLEM_END);
        *one = (struct candidate){.order = (unsigned)count};
        if (!line || !end || line > end ||
            sscanf(text, PROBLEM_ABOUT, &one->game, &one->set, &one->kind, &one->stage,
                   &one->trivial, &one->difficulty) != 6 ||
            one->kind >= KINDS || one->stage >= STAGES)
            break;
        one->text = line + 1;
        text = end + strlen(PROBLEM_END);
        one->size = (size_t)(text - one->text);
        count++;
    }
    return count;
}

static int by_difficulty(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->difficulty != y->difficulty)
        return x->difficulty < y->difficulty ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* What has been chosen so far, and the most of each. */
struct choice {
    unsigned count, trivial, kind[KINDS], stage[STAGES], *set, *game;
    unsigned most, most_trivial, most_kind, most_stage, most_set;
};

/* Chooses a candidate if it leaves room for others. */
static bool take(struct choice *c, struct candidate *one, const struct candidate *all, size_t count)
{
    if (one->chosen || c->count == c->most || c->kind[one->kind] == c->most_kind ||
        c->stage[one->stage] == c->most_stage || c->set[one->set] == c->most_set ||
        c->game[one->game] == OF_A_GAME || (one->trivial && c->trivial == c->most_trivial))
        return false;
    /* Two of one game are of another kind or stage. */
    for (size_t i = 0; i < count; i++)
        if (all[i].chosen && all[i].game == one->game && all[i].kind == one->kind &&
            all[i].stage == one->stage)
            return false;
    one->chosen = true;
    c->count++;
    c->trivial += one->trivial;
    c->kind[one->kind]++;
    c->stage[one->stage]++;
    c->set[one->set]++;
    c->game[one->game]++;
    return true;
}

/* Whether a file of problems has that of a candidate: by its game and event, since figures and
 * sheet may have changed. */
static bool is_in(const char *problems, const struct candidate *one)
{
    char line[64];
    const char *from = strstr(one->text, PROBLEM_FROM), *end = from ? strchr(from, '\n') : NULL;
    if (!end || end - from >= (int)sizeof line - 1)
        return false;
    snprintf(line, sizeof line, "%.*s", (int)(end - from) + 1, from);
    return strstr(problems, line) != NULL;
}

/* Takes candidates from `first` on, spread evenly over them, until `wanted` are chosen. */
static void take_from(struct choice *c, struct candidate *list, size_t all, size_t first,
                      size_t count, unsigned wanted, bool trivial)
{
    size_t step = count / (wanted ? wanted : 1);
    unsigned taken = 0;
    for (size_t i = first; i < first + count; i++)
        taken += list[i].chosen && (bool)list[i].trivial == trivial;
    step = step ? step : 1;
    for (size_t offset = 0; offset < step; offset++)
        for (size_t i = offset; i < count && taken < wanted; i += step)
            if ((bool)list[first + i].trivial == trivial)
                taken += take(c, &list[first + i], list, all);
}

int problems_select(const char *path, const char *kept, unsigned wanted, unsigned sets)
{
    char *text = problems_read(path), *problems = kept ? problems_read(kept) : NULL;
    size_t room = text ? strlen(text) / 64 + 1 : 1, count;
    struct candidate *list = calloc(room, sizeof *list);
    struct choice c = {.most = wanted,
                       .most_trivial = wanted / BANDS,
                       .most_kind = wanted * 2 / 5,
                       .most_stage = wanted / 2,
                       .most_set = wanted * 3 / 2 / sets};
    unsigned games = 0;
    if (!text || !list || (kept && !problems)) {
        fprintf(stderr, "problems: %s: cannot be read\n", text ? kept : path);
        free(text);
        free(problems);
        free(list);
        return 1;
    }
    count = read_candidates(text, list);
    for (size_t i = 0; i < count; i++)
        games = list[i].game > games ? list[i].game : games;
    c.set = calloc(sets, sizeof *c.set);
    c.game = calloc(games + 1, sizeof *c.game);
    if (!c.set || !c.game)
        abort();
    qsort(list, count, sizeof *list, by_difficulty);
    for (size_t i = 0; i < count && problems; i++)
        if (is_in(problems, &list[i]))
            take(&c, &list[i], list, count);
    /* A fifth each: of what everybody finds; then of the others, in four parts by difficulty. The
     * hardest are chosen first, since they are rare. */
    size_t hard = 0, seen = 0, bounds[BANDS] = {0};
    for (size_t i = 0; i < count; i++)
        hard += !list[i].trivial;
    for (size_t i = 0; i < count; i++) {
        seen += !list[i].trivial;
        for (size_t band = 1; band < BANDS - 1; band++)
            if (bounds[band] == 0 && seen >= hard * band / (BANDS - 1))
                bounds[band] = i + 1;
    }
    bounds[BANDS - 1] = count;
    for (int band = BANDS - 1; band > 0; band--)
        take_from(&c, list, count, bounds[band - 1], bounds[band] - bounds[band - 1],
                  wanted / BANDS, false);
    take_from(&c, list, count, 0, count, wanted / BANDS, true);
    take_from(&c, list, count, 0, count, wanted, false); /* where a part had too few */
    for (size_t i = 0; i < count; i++)
        if (list[i].chosen)
            fwrite(list[i].text, 1, list[i].size, stdout);
    fprintf(stderr, "problems: %u of %zu candidates; by kind", c.count, count);
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(stderr, " %u", c.kind[kind]);
    fprintf(stderr, "; by stage %u %u %u; trivial %u; by set", c.stage[0], c.stage[1], c.stage[2],
            c.trivial);
    for (unsigned set = 0; set < sets; set++)
        fprintf(stderr, " %u", c.set[set]);
    fputc('\n', stderr);
    free(c.set);
    free(c.game);
    free(list);
    free(problems);
    free(text);
    return fflush(stdout) ? 1 : 0;
}
