/* Bots at the table. A bot's name says what it is (es_bot_level); people may not be called so. */
#include "play.h"
#include "player.h"
#include "screen.h"
#include <assert.h>
#include <string.h>

int play_bots_count(const char *bots)
{
    int count = bots != NULL;
    for (; bots && *bots; bots++)
        count += *bots == ',';
    return count;
}

int play_bots_seat(struct es_record *record, const char *bots)
{
    struct es_str level;
    int first = record->setup.players - play_bots_count(bots) + 1;
    for (int p = 1; p <= record->setup.players; p++) {
        char *name = record->name[p - 1];
        if (es_bot_level(es_str(name), &level))
            return cli_usage("play", "only bots are called so:", name);
        if (p >= first && name[0])
            return cli_usage("play", "--names is for people; this would be a bot's:", name);
    }
    for (int p = first; bots && p <= record->setup.players; p++) {
        struct es_bot bot;
        size_t size = strcspn(bots, ",");
        int before = 0;
        level = (struct es_str){bots, size};
        enum es_status status = es_bot_named(record->setup.game, level, &bot);
        if (status) {
            fprintf(stderr, "endstation play: '%.*s' in %s: %s\n", (int)size, bots,
                    record->setup.game->name, es_status_text(status));
            return CLI_BAD_USAGE;
        }
        for (int q = first; q < p; q++) {
            struct es_str other;
            before +=
                es_bot_level(es_str(record->name[q - 1]), &other) && es_str_same(other, level);
        }
        if (before)
            snprintf(record->name[p - 1], ES_NAME_BYTES, "%s (bot %d)", bot.name, before + 1);
        else
            snprintf(record->name[p - 1], ES_NAME_BYTES, "%s (bot)", bot.name);
        bots += size + (bots[size] == ',');
    }
    return CLI_OK;
}

const char *play_bots_find(const struct es_record *record, unsigned *seats)
{
    *seats = 0;
    for (int p = 1; p <= record->setup.players; p++) {
        struct es_str level;
        struct es_bot bot;
        if (!es_bot_level(es_str(record->name[p - 1]), &level))
            continue;
        if (es_bot_named(record->setup.game, level, &bot))
            return "a player is called like a bot, but there is no bot of that level";
        *seats |= 1u << (p - 1);
    }
    return *seats + 1 == 1u << record->setup.players ? "only bots would play; see 'arena'" : NULL;
}

void play_bots_move(struct cli_game *game, int player)
{
    const struct es_record *record = &game->record;
    struct es_str level;
    struct es_bot bot;
    static struct es_thought thought;
    thought = (struct es_thought){.seed = player_seed(record->seed, player, 0, record->count)};
    bool known = es_bot_level(es_str(record->name[player - 1]), &level) &&
                 es_bot_named(record->setup.game, level, &bot) == ES_OK;
    assert(known); /* play_bots_find has been here before */
    if (bot.ms > 0)
        screen_busy(play_name(record, player));
    es_event event = player_think(&bot, game, player, bot.ms, NULL, NULL, &thought);
    screen_idle();
    enum es_status status = cli_game_apply(game, event);
    assert(status == ES_OK);
}
