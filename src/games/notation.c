/* Players, turns and winners as text, the same in all games. */
#include "games/notation.h"

es_status es__player_read(const struct es_setup *setup, struct es_str word, int *player)
{
    unsigned number;
    es_status status = es_str_number(word, setup->players, &number);
    if (status)
        return status == ES_NUMBER_RANGE ? ES_PLAYER_UNKNOWN : ES_EVENT_BAD;
    *player = (int)number;
    return number == 0 ? ES_PLAYER_UNKNOWN : ES_OK;
}

void es__report_number(struct es_out *out, const char *before, int value)
{
    es_out_text(out, before);
    es_out_int(out, value);
}

static void report_players(struct es_out *out, unsigned players)
{
    for (int p = 1; p <= ES_PLAYERS_MAX; p++)
        if (players >> (p - 1) & 1)
            es__report_number(out, " ", p);
    es_out_char(out, '\n');
}

void es__report_over(struct es_out *out, struct es_turn turn)
{
    es_out_text(out, turn.kind == ES_TURN_OVER ? "over yes\n" : "over no\n");
}

void es__report_to_act(struct es_out *out, struct es_turn turn)
{
    es_out_text(out, turn.kind == ES_TURN_OVER     ? "to-act -"
                     : turn.kind == ES_TURN_CHANCE ? "to-act chance"
                                                   : "to-act");
    report_players(out, turn.players);
}

void es__report_winner(struct es_out *out, unsigned winners)
{
    es_out_text(out, winners ? "winner" : "winner -");
    report_players(out, winners);
}
