/* Facts about a game of metro: stock, stations and their lines, hands. */
#include "games/metro/rules.h"
#include "games/metro/table.h"

void es__metro_tile_fact(struct es__writer *w, const char *name, int tile)
{
    char text[8];
    struct es_out out = {text, sizeof text, 0};
    if (tile != ES_TILE_NONE)
        es_tile_write(tile, &out);
    es__write_str(w, name, (struct es_str){text, out.used});
}

void es__metro_square_fact(struct es__writer *w, const char *name, int square)
{
    char text[4];
    struct es_out out = {text, sizeof text, 0};
    if (square >= 0)
        es_square_write(square, &out);
    es__write_str(w, name, (struct es_str){text, out.used});
}

int es__metro_finishes(const struct es_board *board, es_event lay, struct es_line lines[4])
{
    int look = es_tile_turned[ES_METRO_LAY_TILE(lay)][ES_METRO_LAY_QUARTERS(lay)];
    int count = es_board_finishes(board, ES_METRO_LAY_SQUARE(lay), look, lines);
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && lines[k].station < lines[k - 1].station; k--) {
            struct es_line line = lines[k];
            lines[k] = lines[k - 1];
            lines[k - 1] = line;
        }
    return count;
}

int es__metro_square_at(int end)
{
    int square = 0;
    while (ES_CENTRE >> square & 1 || end < es__end[square] || end > es__end[square] + 3)
        square++;
    return square;
}

void es__metro_longer_facts(struct es__writer *w, const struct es_setup *setup,
                            const struct es_board *board, es_event lay)
{
    struct es_board after = *board;
    es_board_lay(&after, setup->players, ES_METRO_LAY_SQUARE(lay),
                 es_tile_turned[ES_METRO_LAY_TILE(lay)][ES_METRO_LAY_QUARTERS(lay)]);
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        const struct es_line line = es_board_line(&after, station);
        const int more = line.tiles - es_board_line(board, station).tiles;
        if (more == 0 || line.end >= ES_END_RIM)
            continue;
        es__write_object(w, NULL);
        es__write_int(w, "station", station);
        es__write_int(w, "owner", es_station_owner(setup->players, station));
        es__write_int(w, "tiles", line.tiles);
        es__write_int(w, "more", more);
        es__metro_square_fact(w, "to", es__metro_square_at(line.end));
        es__write_end(w);
    }
}

void es__metro_line_facts(struct es__writer *w, const struct es_setup *setup, struct es_line line)
{
    es__write_int(w, "station", line.station);
    es__write_int(w, "owner", es_station_owner(setup->players, line.station));
    es__write_int(w, "tiles", line.tiles);
    es__write_text(w, "end",
                   line.end == ES_END_RIM      ? "edge"
                   : line.end == ES_END_CENTRE ? "centre"
                                               : "");
    es__write_int(w, "points", es_line_points(line));
}

void es__metro_player_facts(const struct es__looking *look, int player, struct es__writer *w)
{
    const struct es_metro_state *s = es_metro_state(look->view);
    int open = 0;
    es__write_array(w, "hand");
    for (int i = 0; i < s->held[player - 1]; i++)
        es__metro_tile_fact(w, NULL, s->hand[player - 1][i]);
    es__write_end(w);
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        open += es_station_owner(look->setup->players, station) == player &&
                es_board_line(&s->board, station).end < ES_END_RIM;
    es__write_int(w, "open", open);
}

bool es__metro_piece_facts(struct es_str name, struct es__writer *w)
{
    uint8_t tile;
    int turns;
    if (!es__metro_tile_piece(name, &tile, &turns))
        return false;
    es__metro_tile_fact(w, "tile", tile);
    es__write_int(w, "turns", turns);
    es__write_array(w, "tracks");
    for (int side = 0; side < 4 && tile < ES_TILE_KINDS; side++)
        es__write_int(w, NULL, es_tile_exit[es_tile_turned[tile][turns]][side]);
    es__write_end(w);
    return true;
}

void es__metro_facts(const struct es__looking *look, struct es__writer *w)
{
    const struct es_setup *setup = look->setup;
    const struct es_metro_state *s = es_metro_state(look->view);
    es__write_int(w, "stock", s->stock);
    es__write_int(w, "placed", es_metro_laid(s));
    es__write_int(w, "tiles", ES_METRO_TILES);
    es__metro_tile_fact(w, "drawn", s->drawn);
    es__write_bool(w, "rotate", setup->rules & ES_METRO_ROTATE);
    es__write_int(w, "hand_size", es_metro_hand_size(setup));
    es__write_array(w, "unseen");
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        if (s->unseen[tile] > 0) {
            es__write_object(w, NULL);
            es__metro_tile_fact(w, "tile", tile);
            es__write_int(w, "left", s->unseen[tile]);
            es__write_end(w);
        }
    es__write_end(w);
    es__write_bool(w, "draw",
                   s->phase == ES_METRO_TURN && s->player == look->viewer &&
                       s->drawn == ES_TILE_NONE && s->stock > 0);
    es__write_array(w, "stations");
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        es__write_object(w, NULL);
        es__metro_line_facts(w, setup, es_board_line(&s->board, station));
        es__write_end(w);
    }
    es__write_end(w);
}
