/* Facts about a game of metro: stock, stations and their lines, hands. */
#include "games/metro/rules.h"
#include "games/metro/table.h"

void es__metro_tile_fact(struct es__json *json, const char *name, int tile)
{
    char text[8];
    struct es_out out = {text, sizeof text, 0};
    if (tile != ES_TILE_NONE)
        es_tile_write(tile, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

void es__metro_square_fact(struct es__json *json, const char *name, int square)
{
    char text[4];
    struct es_out out = {text, sizeof text, 0};
    if (square >= 0)
        es_square_write(square, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

void es__metro_line_facts(struct es__json *json, const struct es_setup *setup, struct es_line line)
{
    es__json_int(json, "station", line.station);
    es__json_int(json, "owner", es_station_owner(setup->players, line.station));
    es__json_int(json, "tiles", line.tiles);
    es__json_text(json, "end",
                  line.end == ES_END_RIM      ? "edge"
                  : line.end == ES_END_CENTRE ? "centre"
                                              : "");
    es__json_int(json, "points", es_line_points(line));
}

void es__metro_player_facts(const struct es__looking *look, int player, struct es__json *json)
{
    const struct es_metro_state *s = es_metro_view(look->view);
    int open = 0;
    es__json_open(json, "hand", '[');
    for (int i = 0; i < s->held[player - 1]; i++)
        es__metro_tile_fact(json, NULL, s->hand[player - 1][i]);
    es__json_close(json, ']');
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        open += es_station_owner(look->setup->players, station) == player &&
                es_board_line(&s->board, station).end < ES_END_RIM;
    es__json_int(json, "open", open);
}

bool es__metro_piece_facts(struct es_str name, struct es__json *json)
{
    uint8_t tile;
    int turns;
    if (!es__metro_tile_piece(name, &tile, &turns))
        return false;
    es__metro_tile_fact(json, "tile", tile);
    es__json_int(json, "turns", turns);
    es__json_open(json, "tracks", '[');
    for (int side = 0; side < 4 && tile < ES_TILE_KINDS; side++)
        es__json_int(json, NULL, es_tile_exit[es_tile_turned[tile][turns]][side]);
    es__json_close(json, ']');
    return true;
}

void es__metro_facts(const struct es__looking *look, struct es__json *json)
{
    const struct es_setup *setup = look->setup;
    const struct es_metro_state *s = es_metro_view(look->view);
    static const char *const phases[] = {"dealing", "turn", "drawing", "refilling", "over"};
    es__json_int(json, "stock", s->stock);
    es__json_int(json, "placed", es_metro_laid(s));
    es__json_int(json, "tiles", ES_METRO_TILES);
    es__json_text(json, "phase", phases[s->phase]);
    es__metro_tile_fact(json, "drawn", s->drawn);
    es__json_bool(json, "rotate", setup->rules & ES_METRO_ROTATE);
    es__json_int(json, "hand_size", es_metro_hand_size(setup));
    es__json_open(json, "unseen", '[');
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        if (s->unseen[tile] > 0) {
            es__json_open(json, NULL, '{');
            es__metro_tile_fact(json, "tile", tile);
            es__json_int(json, "left", s->unseen[tile]);
            es__json_close(json, '}');
        }
    es__json_close(json, ']');
    es__json_bool(json, "draw",
                  s->phase == ES_METRO_TURN && s->player == look->viewer &&
                      s->drawn == ES_TILE_NONE && s->stock > 0);
    es__json_open(json, "stations", '[');
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        es__json_open(json, NULL, '{');
        es__metro_line_facts(json, setup, es_board_line(&s->board, station));
        es__json_close(json, '}');
    }
    es__json_close(json, ']');
}
