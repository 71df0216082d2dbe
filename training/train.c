/* Trains the network of src/games/verplant/bots_value.c by self-play on random sheets, and writes
 * it as C.
 *
 * Every iteration plays games with the network as it is, on new sheets, and then teaches it the
 * points that were still to come in each position. The first iterations take them from the end of
 * the game; the later ones, which look one card ahead when they play, mix them with the values that
 * these looks promised on the way (TD(lambda)).
 *
 * The work is divided into a fixed number of shards, each with its own random numbers, so that the
 * result depends on the course alone, not on the number of threads.
 */
#include "games/verplant/bots_entry.h"
#include "games/verplant/bots_value.h"
#include "sheets.h"
#include <endstation/bots.h>
#include <endstation/verplant/bots.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SHARDS = 16,
    SHEETS = 256,     /* per shard and iteration, at most */
    GAMES_SHEET = 16, /* on each of them, at most */
    PLAYERS_MOST = 4,
    ROUNDS_MOST = 400,
    STACK_BYTES = 1 << 20,
};

/* The size of a training course. */
struct course {
    int batch;      /* samples per step of learning, from all shards */
    int samples;    /* per shard and iteration, at least */
    int exam_games; /* per shard */
    int glances;    /* iterations played by static evaluation; the first one is greedy */
    int aheads;     /* iterations after those, looking one card ahead */
};
static const struct course whole_course = {2048, 120000, 100, 4, 8};
static const struct course tiny_course = {16 * SHARDS, 16, 1, 2, 1};

struct sample {
    struct es_sheet sheet;
    const struct es_setup *setup;
    struct es__race race;
    uint64_t pile;
    uint8_t card, player;
    float banked, promised, target;
    bool cut; /* the next move was exploration */
    uint32_t done;
};

struct shard {
    struct es_random random;
    struct es_setup setup[SHEETS];
    struct es_map *maps;
    struct sample *samples;
    int sheets, count;
    struct es__net gradient;
    double loss, line_loss, points;
    long games;
    double reached[ES__REACH_WINDOWS][ES__REACH_PLACES], asked[ES__REACH_WINDOWS][ES__REACH_PLACES];
};

static struct es__net net, moment, variance;
static struct shard shard[SHARDS];
/* The weight of what came later in the game against what was promised on the way. */
static const float LAMBDA = 0.8F;
static struct es__evaluator evaluators[SHARDS];
static struct course course;
static int threads, iteration;
static double explore;
static enum { PLAIN, GLANCE, AHEAD } manner;

/* ---- Playing ------------------------------------------------------------------------------- */

struct option {
    es_choice choice;
    float value;
    struct es_sheet sheet;
};

static float evaluated(struct es__evaluator *evaluator, const struct es_sheet *sheet, uint64_t pile,
                       int card, es_choice choice, struct es_sheet *next)
{
    memcpy(next, sheet, es_sheet_bytes(evaluator->setup->map));
    es__enter(evaluator->setup, next, card, choice);
    return es__evaluate_total(evaluator, next, pile, card);
}

/* Returns the mean, over the next card, of the best evaluation it allows. Lines completed so far
 * count as if nobody had completed them before. */
static float ahead(struct es__evaluator *evaluator, const struct es_sheet *sheet, uint64_t pile,
                   int card)
{
    const struct es_setup *setup = evaluator->setup;
    float sum = 0;
    if (sheet->windows_left == 0 || sheet->owed)
        return es__evaluate_total(evaluator, sheet, pile, card);
    for (int kind = 0; kind < ES_CARD_KINDS; kind++) {
        uint64_t copies = pile & es_verplant_deck(setup)->copies[kind];
        if (!copies)
            continue;
        uint64_t rest = es__pile_without(setup, pile, kind);
        es_choice choices[ES_CHOICES_MAX];
        float best = -1e9F;
        struct es_sheet from, next;
        memcpy(&from, sheet, es_sheet_bytes(setup->map));
        es_sheet_score(setup->map, &from, 0);
        from.owed = 1;
        size_t count = kind == ES_CARD_FREE_RIDE
                           ? es__good_rides(evaluator, &from, choices)
                           : es__candidates(setup->map, &from, kind, 1, choices);
        for (size_t i = 0; i < count; i++) {
            memcpy(&next, &from, es_sheet_bytes(setup->map));
            es__enter(setup, &next, kind, choices[i]);
            best = fmaxf(best, es__evaluate_total(evaluator, &next, rest, kind));
        }
        sum += best * (float)__builtin_popcountll(copies);
    }
    return sum / (float)__builtin_popcountll(pile);
}

/* Chooses an entry. Sets `promised` to its value (0 in the first iteration), and `meant` to false
 * if it is exploration. */
static es_choice decide(struct es__evaluator *evaluator, const struct es_sheet *sheet,
                        uint64_t pile, int card, struct es_random *random, float *promised,
                        bool *meant)
{
    enum { CLOSER = 3 };
    const struct es_map *map = evaluator->setup->map;
    es_choice choices[ES_CHOICES_MAX];
    struct option best[CLOSER];
    int kept = 0;
    *promised = 0;
    *meant = true;
    if (manner == PLAIN)
        return es_random_below(random, 4) ? es_bot_greedy(map, sheet, card, random)
                                          : es_bot_any_line(map, sheet, card, random);
    size_t count = es__candidates(map, sheet, card, 3, choices);
    if (es_random_below(random, 10000) < explore * 10000) {
        size_t i = es_random_below(random, (uint32_t)count);
        choices[0] = choices[i];
        count = 1;
        *meant = false;
    }
    for (size_t i = 0; i < count; i++) {
        struct option option = {.choice = choices[i]};
        option.value = evaluated(evaluator, sheet, pile, card, choices[i], &option.sheet);
        int at = kept < CLOSER ? kept++ : CLOSER;
        while (at > 0 && best[at - 1].value < option.value) {
            if (at < CLOSER)
                best[at] = best[at - 1];
            at--;
        }
        if (at < CLOSER)
            best[at] = option;
    }
    int chosen = 0;
    if (manner == AHEAD) {
        for (int i = 0; i < kept; i++)
            best[i].value = ahead(evaluator, &best[i].sheet, pile, card);
        for (int i = 1; i < kept; i++)
            chosen = best[i].value > best[chosen].value ? i : chosen;
    }
    *promised = best[chosen].value;
    return best[chosen].choice;
}

/* Counts for the reach table which empty stations the windows of their line got to. */
static void count_reach(struct shard *s, const struct sample *sample, const uint64_t *by_line)
{
    const struct es_map *map = sample->setup->map;
    for (int l = 0; l < map->lines; l++) {
        int windows = es_sheet_free(&sample->sheet, l), before = 0, gaps = 0, last = -1;
        if (windows == 0 || windows > ES__REACH_WINDOWS || map->line[l].ring)
            continue;
        for (uint64_t left = sample->sheet.open[l]; left; left &= left - 1, before++) {
            int at = __builtin_ctzll(left);
            gaps += last >= 0 && at != last + 1;
            last = at;
            int place = es__reach_place(before, gaps);
            s->asked[windows - 1][place]++;
            s->reached[windows - 1][place] += by_line[l] >> at & 1;
        }
    }
}

static void keep(struct shard *s, const struct es__evaluator *evaluator,
                 const struct es_sheet *sheet, uint64_t pile, int card, int player, float promised)
{
    struct sample *n = &s->samples[s->count++];
    n->sheet = *sheet;
    n->setup = evaluator->setup;
    n->race = evaluator->race;
    n->pile = pile;
    n->card = (uint8_t)card;
    n->player = (uint8_t)player;
    n->banked = (float)es__banked(sheet);
    uint32_t fresh = es_sheet_complete(evaluator->setup->map, sheet) & ~sheet->scored;
    for (; fresh; fresh &= fresh - 1)
        n->banked += evaluator->race.points[__builtin_ctz(fresh)];
    n->promised = promised;
    n->cut = false;
}

/* Plays one game; its positions become samples if `learning`. Returns the mean of the players'
 * points. */
static double game(struct shard *s, struct es__evaluator *evaluator, const struct es_setup *setup,
                   bool learning)
{
    const struct es_map *map = setup->map;
    const uint64_t whole = ((uint64_t)1 << es_verplant_deck(setup)->size) - 1;
    struct es_sheet sheet[PLAYERS_MOST], before[PLAYERS_MOST];
    uint64_t pile = whole, by_line[PLAYERS_MOST][ES_LINES_MAX] = {{0}};
    uint32_t claimed = 0;
    int first = s->count, last[PLAYERS_MOST];
    unsigned playing = (1U << setup->players) - 1;
    for (int p = 0; p < setup->players; p++) {
        es_sheet_blank(map, &sheet[p]);
        last[p] = -1;
    }
    while (playing) {
        int at = es_verplant_draw(setup, pile, &s->random),
            card = es_verplant_deck(setup)->card[at];
        pile = card == ES_CARD_SIX ? whole : pile & ~((uint64_t)1 << at);
        memcpy(before, sheet, sizeof before);
        float promised[PLAYERS_MOST];
        for (int p = 0; p < setup->players; p++) {
            if (!(playing >> p & 1))
                continue;
            if (setup->players > 1)
                es__race(setup, before, p + 1, claimed, &evaluator->race);
            for (sheet[p].owed = 1; sheet[p].owed;) {
                bool meant;
                es_choice choice =
                    decide(evaluator, &sheet[p], pile, card, &s->random, &promised[p], &meant);
                int l = ES_CHOICE_LINE(choice);
                if (l >= 0)
                    by_line[p][l] |= es_sheet_taken(map, &sheet[p], l, ES_CHOICE_DIRECTION(choice),
                                                    ES_CHOICE_MARKS(choice));
                if (learning && last[p] >= 0 && !meant)
                    s->samples[last[p]].cut = true;
                es__enter(setup, &sheet[p], card, choice);
                if (learning && sheet[p].owed) {
                    last[p] = s->count;
                    keep(s, evaluator, &sheet[p], pile, card, p, promised[p]);
                }
            }
        }
        uint32_t fresh = 0;
        for (int p = 0; p < setup->players; p++)
            fresh |= es_sheet_score(map, &sheet[p], claimed);
        claimed |= fresh;
        for (int p = 0; p < setup->players; p++) {
            if (sheet[p].windows_left == 0)
                playing &= ~(1U << p);
            else if (learning) {
                if (setup->players > 1)
                    es__race(setup, sheet, p + 1, claimed, &evaluator->race);
                last[p] = s->count;
                keep(s, evaluator, &sheet[p], pile, 0, p, promised[p]);
            }
        }
    }
    double sum = 0;
    float goal[PLAYERS_MOST];
    for (int p = 0; p < setup->players; p++)
        sum += goal[p] = (float)(es__banked(&sheet[p]) - es__penalty(setup, &sheet[p]));
    for (int i = s->count - 1; i >= first; i--) {
        struct sample *n = &s->samples[i];
        float way = manner == AHEAD ? LAMBDA : 1;
        if (n->cut && manner == AHEAD)
            way = 0;
        goal[n->player] = way * goal[n->player] + (1 - way) * n->promised;
        n->target = goal[n->player] - n->banked;
        n->done = es_sheet_complete(map, &sheet[n->player]);
        count_reach(s, n, by_line[n->player]);
    }
    return sum / setup->players;
}

static void choose_setup(struct shard *s, struct es_map *map, uint64_t which,
                         struct es_setup *setup)
{
    training_sheet(which, map);
    *setup = (struct es_setup){.game = &es_verplant, .map = map, .players = 1};
    if (es_random_below(&s->random, 10) < 4)
        setup->players = (uint8_t)(2 + es_random_below(&s->random, PLAYERS_MOST - 1));
    bool special = false;
    for (int i = 0; i < map->stations; i++)
        special |= es_map_special(map, i);
    if (special && es_random_below(&s->random, 4))
        setup->rules = ES_VERPLANT_SPECIAL;
    if (es_random_below(&s->random, 4) == 0)
        es_verplant_deck_read(setup, es_str(es_verplant_deck_15));
    if (es_setup_prepare(setup))
        abort();
}

static void *self_play(void *argument)
{
    struct es__evaluator *evaluator = &evaluators[(long)argument];
    for (long k = (long)argument; k < SHARDS; k += threads) {
        struct shard *s = &shard[k];
        s->count = s->sheets = 0;
        s->games = 0;
        s->points = 0;
        memset(s->asked, 0, sizeof s->asked);
        memset(s->reached, 0, sizeof s->reached);
        es_random_seed(&s->random, (uint64_t)(iteration * 1000 + k) * 7919 + 17);
        while (s->count < course.samples && s->sheets < SHEETS) {
            struct es_setup *setup = &s->setup[s->sheets];
            uint64_t which = ((uint64_t)iteration * SHARDS + (uint64_t)k) * SHEETS;
            choose_setup(s, &s->maps[s->sheets], which + (uint64_t)s->sheets, setup);
            s->sheets++;
            es__evaluator_init(evaluator, setup, &net);
            for (int i = 0; i < GAMES_SHEET && s->count < course.samples; i++) {
                s->points += game(s, evaluator, setup, true);
                s->games++;
            }
        }
    }
    return NULL;
}

/* ---- Learning ------------------------------------------------------------------------------ */

static float squash(float x)
{
    return x / (1 + fabsf(x));
}

static void add(int inputs, int width, const float *x, const float *weights, float *sums)
{
    for (int i = 0; i < inputs; i++)
        if (x[i] != 0)
            for (int h = 0; h < width; h++)
                sums[h] += x[i] * weights[i * width + h];
}

/* Back-propagates an error to the weights. */
static void add_gradient(int inputs, int width, const float *x, const float *error, float *gradient)
{
    for (int i = 0; i < inputs; i++)
        if (x[i] != 0)
            for (int h = 0; h < width; h++)
                gradient[i * width + h] += x[i] * error[h];
}

static void teach(struct shard *s, struct es__evaluator *evaluator, const struct sample *sample)
{
    enum { H = ES__HIDDEN, K = ES__HEAD };
    struct es__features f;
    struct es__net *g = &s->gradient;
    evaluator->setup = sample->setup;
    evaluator->special = sample->setup->rules & ES_VERPLANT_SPECIAL;
    evaluator->race = sample->race;
    es__features(evaluator, &sample->sheet, sample->pile, sample->card, &f);

    float shared[H], hidden[ES_LINES_MAX][H], pool[H] = {0}, sum[ES_LINES_MAX];
    float chance[ES_LINES_MAX], head[K], value = net.out_bias;
    memcpy(shared, net.bias, sizeof shared);
    add(ES__PILE, H, f.pile, &net.pile[0][0], shared);
    add(ES__SHEET, H, f.sheet, &net.sheet[0][0], shared);
    for (int n = 0; n < f.lines; n++) {
        memcpy(hidden[n], shared, sizeof shared);
        add(ES__LOCAL, H, f.local[n], &net.local[0][0], hidden[n]);
        add(ES__CROSS, H, f.cross[n], &net.cross[0][0], hidden[n]);
        sum[n] = net.line_bias;
        for (int h = 0; h < H; h++) {
            hidden[n][h] = hidden[n][h] > 0 ? hidden[n][h] : 0;
            pool[h] += hidden[n][h];
            sum[n] += hidden[n][h] * net.line[h];
        }
        chance[n] = 0.5F + 0.5F * squash(sum[n]);
        value += f.points[n] * chance[n];
    }
    memcpy(head, net.head_bias, sizeof head);
    add(H, K, pool, &net.head_pool[0][0], head);
    add(ES__PILE, K, f.pile, &net.head_pile[0][0], head);
    add(ES__SHEET, K, f.sheet, &net.head_sheet[0][0], head);
    for (int h = 0; h < K; h++) {
        head[h] = head[h] > 0 ? head[h] : 0;
        value += head[h] * net.out[h];
    }

    float error = value - sample->target, d_pool[H] = {0}, d_shared[H] = {0}, d_head[K];
    s->loss += error * error;
    g->out_bias += error;
    for (int h = 0; h < K; h++) {
        g->out[h] += error * head[h];
        d_head[h] = head[h] > 0 ? error * net.out[h] : 0;
        g->head_bias[h] += d_head[h];
    }
    for (int i = 0; i < H; i++)
        for (int h = 0; h < K; h++)
            d_pool[i] += d_head[h] * net.head_pool[i][h];
    add_gradient(H, K, pool, d_head, &g->head_pool[0][0]);
    add_gradient(ES__PILE, K, f.pile, d_head, &g->head_pile[0][0]);
    add_gradient(ES__SHEET, K, f.sheet, d_head, &g->head_sheet[0][0]);
    for (int n = 0; n < f.lines; n++) {
        float done = (float)(sample->done >> f.line[n] & 1), miss = chance[n] - done;
        float steep = 1 / (1 + fabsf(sum[n])), d_hidden[H];
        bool open = sample->sheet.open[f.line[n]] != 0;
        s->line_loss += open ? miss * miss : 0;
        float d_sum = 0.5F * steep * steep * (error * f.points[n] + (open ? 4 * miss : 0));
        g->line_bias += d_sum;
        for (int h = 0; h < H; h++) {
            g->line[h] += d_sum * hidden[n][h];
            d_hidden[h] = hidden[n][h] > 0 ? d_pool[h] + d_sum * net.line[h] : 0;
            d_shared[h] += d_hidden[h];
        }
        add_gradient(ES__LOCAL, H, f.local[n], d_hidden, &g->local[0][0]);
        add_gradient(ES__CROSS, H, f.cross[n], d_hidden, &g->cross[0][0]);
    }
    for (int h = 0; h < H; h++)
        g->bias[h] += d_shared[h];
    add_gradient(ES__PILE, H, f.pile, d_shared, &g->pile[0][0]);
    add_gradient(ES__SHEET, H, f.sheet, d_shared, &g->sheet[0][0]);
}

enum { TRAINED = offsetof(struct es__net, reach) / sizeof(float) };
static int batch_from; /* in every shard, the first of its batch / SHARDS samples for this step */
static int least;      /* samples that every shard has, at least */
static pthread_barrier_t barrier;
static double rate;
static double fading[2] = {1, 1};

/* One step of Adam with the gradients of all shards. */
static void update(void)
{
    float *w = (float *)&net, *m = (float *)&moment, *v = (float *)&variance;
    fading[0] *= 0.9;
    fading[1] *= 0.999;
    double c1 = 1 - fading[0], c2 = 1 - fading[1];
    for (int i = 0; i < TRAINED; i++) {
        double g = 0;
        for (int k = 0; k < SHARDS; k++)
            g += ((float *)&shard[k].gradient)[i];
        g /= course.batch;
        m[i] = (float)(0.9 * m[i] + 0.1 * g);
        v[i] = (float)(0.999 * v[i] + 0.001 * g * g);
        w[i] -= (float)(rate * (m[i] / c1 / (sqrt(v[i] / c2) + 1e-8) + 1e-5 * w[i]));
    }
    batch_from += course.batch / SHARDS;
}

static void shuffle(struct shard *s)
{
    for (uint32_t i = (uint32_t)s->count - 1; i > 0; i--) {
        uint32_t j = es_random_below(&s->random, i + 1);
        struct sample kept = s->samples[i];
        s->samples[i] = s->samples[j];
        s->samples[j] = kept;
    }
}

static void *learn(void *argument)
{
    for (long k = (long)argument; k < SHARDS; k += threads)
        shuffle(&shard[k]);
    es__evaluator_init(&evaluators[(long)argument], &shard[0].setup[0], &net);
    pthread_barrier_wait(&barrier);
    while (batch_from + course.batch / SHARDS <= least) {
        for (long k = (long)argument; k < SHARDS; k += threads) {
            memset(&shard[k].gradient, 0, sizeof shard[k].gradient);
            for (int i = 0; i < course.batch / SHARDS; i++)
                teach(&shard[k], &evaluators[(long)argument], &shard[k].samples[batch_from + i]);
        }
        pthread_barrier_wait(&barrier);
        if ((long)argument == 0)
            update();
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void learn_reach(void)
{
    for (int w = 0; w < ES__REACH_WINDOWS; w++)
        for (int i = 0; i < ES__REACH_PLACES; i++) {
            double asked = 2, reached = net.reach[w][i] * 2;
            for (int k = 0; k < SHARDS; k++) {
                asked += shard[k].asked[w][i];
                reached += shard[k].reached[w][i];
            }
            net.reach[w][i] = (float)(reached / asked);
        }
}

/* ---- The course ---------------------------------------------------------------------------- */

static void in_threads(void *(*work)(void *))
{
    pthread_t thread[SHARDS];
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    for (long t = 0; t < threads; t++)
        if (pthread_create(&thread[t], &how, work, (void *)t))
            abort();
    pthread_attr_destroy(&how);
    for (long t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Plays the cities, which the network never learns from, by static evaluation. */
static void *examine(void *argument)
{
    static const char *const names[] = {"amsterdam", "berlin", "paris", "madrid"};
    struct es__evaluator *evaluator = &evaluators[(long)argument];
    for (long k = (long)argument; k < SHARDS; k += threads) {
        struct shard *s = &shard[k];
        struct es_fault fault;
        if (es_map_read(&s->maps[0], es_builtin_map(es_str(names[k % 4])), &fault))
            abort();
        struct es_setup setup = {.game = &es_verplant, .map = &s->maps[0], .players = 1};
        if (es_setup_prepare(&setup))
            abort();
        es__evaluator_init(evaluator, &setup, &net);
        es_random_seed(&s->random, 4711 + (uint64_t)k / 4);
        s->points = 0;
        for (int i = 0; i < course.exam_games; i++)
            s->points += game(s, evaluator, &setup, false) / (course.exam_games * SHARDS / 4.0);
    }
    return NULL;
}

static void report(double start)
{
    double points = 0, loss = 0, line_loss = 0, city[4] = {0}, taught = (double)batch_from * SHARDS;
    long games = 0;
    for (int k = 0; k < SHARDS; k++) {
        points += shard[k].points;
        games += shard[k].games;
        loss += shard[k].loss;
        line_loss += shard[k].line_loss;
    }
    printf("%3d %6.0f s  %ld games, mean %.2f, loss %.3f, lines %.4f", iteration, now() - start,
           games, points / (double)games, loss / taught, line_loss / taught);
    int kept = manner;
    double kept_explore = explore;
    manner = GLANCE;
    explore = 0;
    in_threads(examine);
    explore = kept_explore;
    manner = kept;
    for (int k = 0; k < SHARDS; k++)
        city[k % 4] += shard[k].points;
    printf(", cities %.2f %.2f %.2f %.2f: %.3f\n", city[0], city[1], city[2], city[3],
           (city[0] + city[1] + city[2] + city[3]) / 4);
    fflush(stdout);
}

/* Writes the network as C. Four digits are enough. */
static int save(const char *path)
{
    enum { COUNT = sizeof net / sizeof(float) };
    FILE *file = fopen(path, "w");
    if (!file)
        return 1;
    fputs("/* The trained weights of the network in bots_value.h, written by training/train.c. */\n"
          "#include \"games/verplant/bots_value.h\"\n\n"
          "/* clang-format off */\n"
          "const union es__numbers es__trained = {{\n",
          file);
    for (int i = 0; i < COUNT; i++)
        fprintf(file, "%s%.4g,%s", i % 8 ? " " : "    ", (double)((float *)&net)[i],
                i % 8 == 7 || i + 1 == COUNT ? "\n" : "");
    fputs("}};\n", file);
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    bool tiny = argc == 4 && strcmp(argv[3], "tiny") == 0;
    if (argc < 2 || argc > 4 || (argc == 4 && !tiny)) {
        fputs("usage: train FILE [THREADS [tiny]]\n"
              "tiny: a course of seconds that only tries the program out\n",
              stderr);
        return 2;
    }
    const char *path = argv[1];
    course = tiny ? tiny_course : whole_course;
    const int iterations = course.glances + course.aheads;
    threads = argc > 2 ? atoi(argv[2]) : 1;
    threads = threads < 1 ? 1 : threads > SHARDS ? SHARDS : threads;
    struct es_random random;
    es_random_seed(&random, 1);
    for (int i = 0; i < TRAINED; i++)
        ((float *)&net)[i] = ((float)es_random_below(&random, 20001) / 10000 - 1) * 0.15F;
    for (int w = 0; w < ES__REACH_WINDOWS; w++)
        for (int i = 0; i < ES__REACH_PLACES; i++)
            net.reach[w][i] = 0.5F + 0.5F * squash((float)(w + 1) * 3.6F - (float)i / 2);
    for (int k = 0; k < SHARDS; k++) {
        shard[k].samples =
            malloc((size_t)(course.samples + PLAYERS_MOST * ROUNDS_MOST) * sizeof(struct sample));
        shard[k].maps = malloc(SHEETS * sizeof(struct es_map));
    }
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    double start = now();
    for (iteration = 0; iteration < iterations; iteration++) {
        manner = iteration == 0 ? PLAIN : iteration < course.glances ? GLANCE : AHEAD;
        explore = 0.05;
        in_threads(self_play);
        least = course.samples;
        for (int k = 0; k < SHARDS; k++)
            least = shard[k].count < least ? shard[k].count : least;
        if (iteration < 3)
            learn_reach();
        for (int epoch = 0; epoch < 2; epoch++) {
            double share = (iteration + epoch / 2.0) / iterations;
            rate = 0.002 * (1 - share) * (1 - share) + 0.00003;
            batch_from = 0;
            for (int k = 0; k < SHARDS; k++)
                shard[k].loss = shard[k].line_loss = 0;
            in_threads(learn);
        }
        report(start);
        if (save(path))
            return 1;
    }
    return 0;
}
