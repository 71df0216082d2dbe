/* Plays a random game with the C library and prints its record. In the project's folder, after
 * `make build`:
 *
 *     cc -Iinclude examples/random.c build/libendstation.a -o random
 *     ./random metro 4711 >game.record
 */
#include <endstation/record.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    /* Large things are static: stacks may be small. */
    static struct es_map map;
    static struct es_state state;
    static es_event legal[ES_LEGAL_MAX], events[ES_EVENTS_MAX], event;
    static struct es_record record = {.events = events, .capacity = ES_EVENTS_MAX};
    struct es_setup *setup = &record.setup;
    struct es_fault fault;
    struct es_random random;
    struct es_turn turn;

    /* The setup: which game, for how many, and on which sheet, where the game has sheets. */
    const struct es_game *game = es_game_named(es_str(argc > 1 ? argv[1] : es_games[0]->name));
    if (!game) {
        fprintf(stderr, "random: no such game: %s\n", argv[1]);
        return 2;
    }
    *setup = (struct es_setup){.game = game, .players = game->players_min};
    setup->map = game->has_map ? &map : NULL;
    if (es_map_read(&map, es_builtin_map(es_str("practice")), &fault) || es_setup_prepare(setup))
        return 1;

    /* Cards or tiles come from the record's seed, so that `endstation verify` can check them. */
    es_random_seed(&random, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    for (int i = 0; i < ES_SEED_BYTES; i++)
        record.seed[i] = (uint8_t)es_random_below(&random, 256);
    record.has_seed = true;

    game->start(setup, &state);
    while ((turn = game->turn(setup, &state)).kind != ES_TURN_OVER) {
        if (turn.kind == ES_TURN_CHANCE) {
            event = game->deal(setup, &state, record.seed);
        } else {
            int player = __builtin_ctz(turn.players) + 1; /* the first of those who may act */
            size_t count = game->legal(setup, &state, player, legal);
            event = legal[es_random_below(&random, (uint32_t)count)];
        }
        if (game->apply(setup, &state, event) != ES_OK)
            return 1;
        events[record.count++] = event;
    }

    struct es_out out = {malloc(es_record_bytes(&record)), es_record_bytes(&record), 0};
    if (!out.at)
        return 1;
    es_record_write(&record, &out);
    return fwrite(out.at, 1, out.used, stdout) == out.used && fflush(stdout) == 0 ? 0 : 1;
}
