/* Reads and writes metro's events and reports, in the format that docs/formats.md fixes. */
#include "games/notation.h"
#include "games/metro/rules.h"

es_status es_tile_read(struct es_str text, uint8_t *tile)
{
    for (int i = 0; i < ES_TILE_KINDS; i++)
        if (es_str_is(text, es_tile_name[i])) {
            *tile = (uint8_t)i;
            return ES_OK;
        }
    *tile = ES_TILE_UNKNOWN;
    return es_str_is(text, "?") ? ES_OK : ES_TILE_BAD;
}

void es_tile_write(int tile, struct es_out *out)
{
    es_out_text(out, tile == ES_TILE_NONE      ? "-"
                     : tile == ES_TILE_UNKNOWN ? "?"
                                               : es_tile_name[tile]);
}

es_status es_square_read(struct es_str text, uint8_t *square)
{
    if (text.size != 2 || text.at[0] < 'a' || text.at[0] > 'h' || text.at[1] < '1' ||
        text.at[1] > '8')
        return ES_SQUARE_BAD;
    *square = (uint8_t)(8 * (text.at[1] - '1') + text.at[0] - 'a');
    return ES_OK;
}

void es_square_write(int square, struct es_out *out)
{
    es_out_char(out, (char)('a' + square % 8));
    es_out_char(out, (char)('1' + square / 8));
}

bool es__metro_tile_piece(struct es_str name, uint8_t *tile, int *turns)
{
    *turns = 0;
    if (name.size == 6 && name.at[4] == '/' && name.at[5] >= '0' && name.at[5] <= '3') {
        *turns = name.at[5] - '0';
        name.size = 4;
    }
    return es_tile_read(name, tile) == ES_OK;
}

/* ---- Events --------------------------------------------------------------------------------- */

/* aacb, aacb/2 */
static es_status parse_turned(struct es_str text, uint8_t *tile, int *quarters)
{
    *quarters = 0;
    if (text.size >= 5 && text.at[4] == '/') {
        if (text.size != 6 || text.at[5] < '1' || text.at[5] > '3')
            return ES_TURN_BAD;
        *quarters = text.at[5] - '0';
        text.size = 4;
    }
    es_status status = es_tile_read(text, tile);
    return status == ES_OK && *tile == ES_TILE_UNKNOWN ? ES_TILE_BAD : status;
}

es_status es__metro_parse(const struct es_setup *setup, struct es_str text, es_event *event)
{
    struct es_str words[3] = {{0}}, extra;
    int count = 0, player, quarters;
    uint8_t tile, square;
    while (count < 3 && es_str_word(&text, &words[count]))
        count++;
    if (es_str_word(&text, &extra))
        return ES_WORD_EXTRA;
    if (count < 2)
        return ES_WORD_MISSING;
    bool deal = es_str_is(words[0], "deal");
    es_status status = es__player_read(setup, words[deal ? 1 : 0], &player);
    if (status)
        return status;
    if (deal) {
        status = count < 3 ? ES_WORD_MISSING : es_tile_read(words[2], &tile);
        if (status == ES_OK)
            *event = ES_METRO_DEAL(player, tile);
        return status;
    }
    if (es_str_is(words[1], "draw")) {
        *event = ES_METRO_DRAW(player);
        return count == 2 ? ES_OK : ES_WORD_EXTRA;
    }
    status = parse_turned(words[1], &tile, &quarters);
    if (status == ES_OK)
        status = count < 3 ? ES_WORD_MISSING : es_square_read(words[2], &square);
    if (status == ES_OK)
        *event = ES_METRO_LAY(player, tile, quarters, square);
    return status;
}

void es__metro_format(const struct es_setup *setup, es_event event, struct es_out *out)
{
    (void)setup;
    if (ES_EVENT_WHO(event) == ES_CHANCE) {
        es__report_number(out, "deal ", ES_METRO_DEAL_PLAYER(event));
        es_out_char(out, ' ');
        es_tile_write(ES_METRO_DEAL_TILE(event), out);
        return;
    }
    es_out_int(out, ES_EVENT_WHO(event));
    if (!ES_METRO_IS_LAY(event)) {
        es_out_text(out, " draw");
        return;
    }
    es_out_char(out, ' ');
    es_tile_write(ES_METRO_LAY_TILE(event), out);
    if (ES_METRO_LAY_QUARTERS(event) > 0)
        es__report_number(out, "/", ES_METRO_LAY_QUARTERS(event));
    es_out_char(out, ' ');
    es_square_write(ES_METRO_LAY_SQUARE(event), out);
}

/* ---- Reports -------------------------------------------------------------------------------- */

/* Sorted by bytes: a question mark comes before letters, but last in a state. */
static void report_hand(const struct es_metro_state *s, int player, struct es_out *out)
{
    int held = s->held[player - 1], known = held;
    const uint8_t *hand = s->hand[player - 1];
    while (known > 0 && hand[known - 1] == ES_TILE_UNKNOWN)
        known--;
    es__report_number(out, "hand ", player);
    for (int i = 0; i < held; i++) {
        es_out_char(out, ' ');
        es_tile_write(hand[(i + known) % held], out);
    }
    es_out_text(out, held ? "\n" : " -\n");
}

void es__metro_report(const struct es_setup *setup, const struct es_state *state,
                      struct es_out *out)
{
    const struct es_metro_state *s = es_metro_state(state);
    struct es_turn turn = es_metro.turn(setup, state);
    es__report_number(out, "game metro\nplayers ", setup->players);
    es__report_number(out, "\nplaced ", es_metro_laid(s));
    es_out_char(out, '\n');
    es__report_over(out, turn);
    es__report_number(out, "stock ", s->stock);
    es_out_char(out, '\n');
    es__report_to_act(out, turn);
    es_out_text(out, "drawn ");
    es_tile_write(s->drawn, out);
    es_out_char(out, '\n');
    for (int p = 1; p <= setup->players; p++)
        report_hand(s, p, out);
    for (int p = 1; p <= setup->players; p++) {
        es__report_number(out, "player ", p);
        es__report_number(out, " total ", es_board_points(&s->board, p));
        es_out_char(out, '\n');
    }
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_line line = es_board_line(&s->board, station);
        int owner = es_station_owner(setup->players, station);
        if (line.end < ES_END_RIM)
            continue;
        es__report_number(out, "line ", station);
        if (owner)
            es__report_number(out, " owner ", owner);
        else
            es_out_text(out, " owner -");
        es__report_number(out, " tiles ", line.tiles);
        es_out_text(out, line.end == ES_END_RIM ? " end edge" : " end centre");
        es__report_number(out, " points ", es_line_points(line));
        es_out_char(out, '\n');
    }
    es__report_winner(out, es_metro.winners(setup, state));
}
