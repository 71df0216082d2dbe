/* Plays one game of the arena. It depends only on the arena's seed, the number of the game and the
 * players' moves, not on the thread that plays it or when. */
#include "cli/arena.h"
#include "cli/dialogue.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void arena_seed(const char *text, uint8_t seed[32])
{
    /* Each piece of the text is mixed into the key of a block, whose first half is the next key. */
    static const uint8_t nonce[12] = "arena text";
    uint8_t block[64];
    size_t size = strlen(text);
    uint32_t counter = (uint32_t)size;
    memset(seed, 0, 32);
    do {
        for (int i = 0; i < 32 && size > 0; i++, size--)
            seed[i] ^= (uint8_t)*text++;
        es_chacha20_block(seed, counter++, nonce, block);
        memcpy(seed, block, 32);
    } while (size > 0);
}

/* The seed of a group's cards. */
static void group_seed(const struct arena *arena, unsigned group, uint8_t seed[32])
{
    static const uint8_t nonce[12] = "arena group";
    uint8_t block[64];
    es_chacha20_block(arena->seed, group, nonce, block);
    memcpy(seed, block, 32);
}

/* Writes a file that must be new, completely or not at all. */
static bool write_new(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool good = cli_write_all(file, bytes, size);
    int reason = errno;
    good = close(file) == 0 && good;
    if (!good)
        unlink(path);
    errno = reason;
    return good;
}

static void write_record(struct arena *arena, const struct cli_game *game, unsigned number,
                         const char *remark)
{
    const struct es_record *record = &game->record;
    size_t room = es_record_bytes(record) + PLAYER_FAULT_BYTES + SEAT_BYTES;
    size_t length = strlen(arena->records) + 32;
    char *text = cli_alloc(room), *path = cli_alloc(length);
    struct es_out out = {text, room, 0};
    es_record_write(record, &out);
    if (remark[0]) {
        es_out_text(&out, "# ");
        es_out_text(&out, remark);
        es_out_char(&out, '\n');
    }
    snprintf(path, length, "%s/%04u.record", arena->records, number + 1);
    if (!write_new(path, text, out.used)) {
        pthread_mutex_lock(&arena->lock);
        if (!arena->failed)
            fprintf(stderr, "%sendstation arena: cannot write %s: %s\n", arena->clear, path,
                    strerror(errno));
        arena->failed = true;
        pthread_mutex_unlock(&arena->lock);
    }
    free(text);
    free(path);
}

/* Sets who sits where: sits[p] is the seat at place p. Returns the number of places. */
static int take_places(const struct arena *arena, unsigned turn, int sits[ES_PLAYERS_MAX])
{
    if (arena->solo) {
        sits[0] = (int)turn;
        return 1;
    }
    for (int s = 0; s < arena->seats; s++)
        sits[(s + (int)turn) % arena->seats] = s;
    return arena->seats;
}

static void deal(struct cli_game *game)
{
    bool dealt = cli_game_deal(game) == ES_OK;
    assert(dealt); /* the arena's records have room for the longest game */
}

static void begin(const struct arena *arena, struct cli_game *game, const uint8_t seed[32],
                  const int *sits, int places)
{
    es_event *events = game->record.events;
    game->record = arena->setup.record;
    game->record.events = events;
    game->record.count = 0;
    memcpy(game->record.seed, seed, sizeof game->record.seed);
    game->record.has_seed = true;
    for (int p = 0; p < places; p++)
        seat_sign(&arena->seat[sits[p]], game->record.bot[p], game->record.name[p]);
    game->record.setup.game->start(&game->record.setup, &game->state);
    deal(game);
}

/* Fills in the outcome of a game that was played to its end. */
static void count(const struct cli_game *game, const int *sits, int places,
                  struct arena_outcome *outcome)
{
    const struct es_setup *setup = &game->record.setup;
    unsigned winners = setup->game->winners(setup, &game->state);
    outcome->end = ARENA_PLAYED;
    for (int p = 0; p < places; p++) {
        outcome->points[sits[p]] = (int16_t)setup->game->score(setup, &game->state, p + 1);
        if (winners >> p & 1)
            outcome->winners |= (uint8_t)(1 << sits[p]);
    }
}

void arena_match(struct arena *arena, struct player *players, struct cli_game *game,
                 unsigned number)
{
    unsigned turn = number % (unsigned)arena->seats;
    uint8_t seed[32];
    int sits[ES_PLAYERS_MAX], places = take_places(arena, turn, sits);
    struct arena_outcome outcome = {0};
    struct arena_time time[ES_PLAYERS_MAX] = {0};
    char remark[PLAYER_FAULT_BYTES + SEAT_BYTES + 64] = "";
    for (int p = 0; p < places; p++) {
        outcome.seated |= (uint8_t)(1 << sits[p]);
        dialogue_remark(players[sits[p]].log, "game %u, as player %d", number + 1, p + 1);
    }
    group_seed(arena, number / (unsigned)arena->seats, seed);
    begin(arena, game, seed, sits, places);

    const struct es_setup *setup = &game->record.setup;
    struct es_turn now;
    while ((now = setup->game->turn(setup, &game->state)).kind == ES_TURN_PLAYERS) {
        int place = __builtin_ctz(now.players), seat = sits[place];
        char fault[PLAYER_FAULT_BYTES];
        es_event event;
        bool started = player_start(&players[seat], arena_halted, NULL, fault);
        double before = wire_now(); /* starting a program is not thinking */
        bool good = started && player_ask(&players[seat], game, place + 1,
                                          player_seed(seed, seat, turn, game->record.count),
                                          arena_halted, NULL, &event, fault);
        double ms = wire_now() - before;
        if (started) {
            time[seat].ms += ms;
            time[seat].longest = ms > time[seat].longest ? ms : time[seat].longest;
            time[seat].moves++;
        }
        if (!good && fault[0] == '\0')
            return; /* interrupted: the game does not count */
        if (good && cli_game_apply(game, event) != ES_OK) {
            good = false; /* only a bug of ours leads here */
            snprintf(fault, sizeof fault, "an illegal event");
        }
        if (!good) {
            outcome.end = ARENA_FORFEITED;
            outcome.loser = (uint8_t)seat;
            outcome.winners = (uint8_t)(outcome.seated & ~(1 << seat));
            snprintf(remark, sizeof remark, "seat %d (%s) loses game %u: %s", seat + 1,
                     seat_label(&arena->seat[seat]), number + 1, fault);
            break;
        }
        deal(game);
    }
    if (outcome.end != ARENA_FORFEITED)
        count(game, sits, places, &outcome);
    for (int p = 0; p < places && outcome.end == ARENA_PLAYED; p++)
        dialogue_remark(players[sits[p]].log, "game %u is over: %d points%s", number + 1,
                        outcome.points[sits[p]],
                        outcome.winners >> sits[p] & 1 ? ", a winner" : "");
    if (arena->records)
        write_record(arena, game, number, remark);

    pthread_mutex_lock(&arena->lock);
    if (remark[0])
        fprintf(stderr, "%sendstation arena: %s\n", arena->clear, remark);
    for (int s = 0; s < arena->seats; s++) {
        arena->time[s].ms += time[s].ms;
        arena->time[s].moves += time[s].moves;
        if (time[s].longest > arena->time[s].longest)
            arena->time[s].longest = time[s].longest;
    }
    arena->outcome[number] = outcome;
    arena->done++;
    pthread_mutex_unlock(&arena->lock);
}
