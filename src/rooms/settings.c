/* A room's settings: read from a message, and kept as text in the room's first entry.
 *
 *     secret 64 hex digits
 *     invited GUEST GUEST …       (a rematch: these need no code)
 *     table open watch hints      (those words that are true)
 *     clock 0
 *     patience 600
 *
 *     endstation-record 1         (the setup: a record without events, names or notes)
 *     game …
 */
#include "rooms/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_MIN = 15, CLOCK_MAX = 259200, PATIENCE_MIN = 60, PATIENCE_USUAL = 600 };

/* Returns false if the header has what a setup must not have. */
static bool is_setup(const struct es_record *record)
{
    if (record->notes_size > 0 || record->has_seed)
        return false;
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        if (record->name[p][0])
            return false;
    return true;
}

bool settings_level(const struct es_game *game, struct es_str level)
{
    const char *name;
    for (int i = 0; (name = es_bot_level(game, i)); i++)
        if (es_str_is(level, name))
            return true;
    return false;
}

/* Every level named in a header must be one that people may choose. */
static bool levels_good(const struct es_record *record)
{
    for (int p = 0; p < record->setup.players; p++)
        if (record->bot[p][0] && !settings_level(record->setup.game, es_str(record->bot[p])))
            return false;
    return true;
}

const char *settings_of(struct rooms *rooms, json_t *message, char **text, char own[33],
                        struct es_str *shared)
{
    *text = NULL;
    *shared = es_str("");
    own[0] = 0;
    struct es_str setup = get_str(message, "setup");
    long clock = get_int(message, "clock", 0);
    long patience = get_int(message, "patience", PATIENCE_USUAL);
    if (setup.size == 0 || setup.size > 2048 ||
        (clock != 0 && (clock < CLOCK_MIN || clock > CLOCK_MAX)) || patience < PATIENCE_MIN ||
        patience > CLOCK_MAX)
        return "FIELD_BAD";
    size_t size = setup.size + 256;
    char *whole = hub_alloc(size);
    snprintf(whole, size, "endstation-record 1\n%.*s\n\n", (int)setup.size, setup.at);
    struct es_record *record = hub_alloc(sizeof *record);
    struct es_state *state = hub_alloc(sizeof *state);
    struct es_fault fault;
    const char *code = NULL;
    const struct es_map *map = NULL;
    if (es_record_header(record, es_str(whole), &fault) || !is_setup(record)) {
        code = "SETUP_BAD";
    } else if (!levels_good(record)) {
        code = "BOT_UNKNOWN";
    } else if (record->setup.game->has_map) {
        map = hub_map(rooms, record);
        if (!map && !record->map_hash[0])
            code = "MAP_UNKNOWN";
        if (!map) {
            memcpy(own, record->map_hash, sizeof record->map_hash);
        } else if (es_map_changed(es_str(map->id)) && !es_map_earlier(es_str(map->hash))) {
            memcpy(own, map->hash, sizeof map->hash);
            *shared = es_builtin_map(es_str(map->id));
        }
    }
    bool known = map || !own[0];
    if (!code && known && es_record_events(record, map, state, &fault))
        code = "SETUP_BAD";
    if (!code) {
        /* A sheet of one's own is known later; then the header is written once more. */
        char head[160];
        snprintf(head, sizeof head, "table%s%s%s\nclock %ld\npatience %ld\n\n",
                 get_bool(message, "open", false) ? " open" : "",
                 get_bool(message, "watch", true) ? " watch" : "",
                 get_bool(message, "hints", true) ? " hints" : "", clock, patience);
        size_t room = strlen(head) + strlen(whole) + 1024;
        *text = hub_alloc(room);
        struct es_out out = {*text, room - 1, 0};
        es_out_text(&out, head);
        if (known)
            es_record_write(record, &out);
        else
            es_out_text(&out, whole);
        (*text)[out.used] = 0;
    }
    free(state);
    free(record);
    free(whole);
    return code;
}

static bool read_hex_line(struct es_str rest, uint8_t *bytes, size_t size)
{
    return es_str_hex(es_str_trim(rest), bytes, size);
}

static bool read_line(struct settings *settings, struct es_str line)
{
    struct es_str word;
    unsigned value;
    if (!es_str_word(&line, &word))
        return false;
    if (es_str_is(word, "secret"))
        return read_hex_line(line, settings->secret, sizeof settings->secret);
    if (es_str_is(word, "invited")) {
        free(settings->invited);
        settings->invited = hub_copy(es_str_trim(line));
        return true;
    }
    if (es_str_is(word, "table")) {
        while (es_str_word(&line, &word))
            if (es_str_is(word, "open"))
                settings->open = true;
            else if (es_str_is(word, "watch"))
                settings->watch = true;
            else if (es_str_is(word, "hints"))
                settings->hints = true;
        return true;
    }
    bool clock = es_str_is(word, "clock");
    if (!clock && !es_str_is(word, "patience"))
        return false;
    if (es_str_number(es_str_trim(line), CLOCK_MAX, &value))
        return false;
    *(clock ? &settings->clock : &settings->patience) = value;
    return true;
}

struct es_str settings_setup(const char *text)
{
    const char *empty = strstr(text, "\n\n");
    return es_str(empty ? empty + 2 : "");
}

char *settings_header(const struct es_record *record)
{
    char text[ES_FAIR_SETUP_BYTES];
    struct es_out out = {text, sizeof text, 0};
    es_record_write_setup(record, &out);
    return hub_copy((struct es_str){text, out.used});
}

/* Reads the setup into a body. */
static bool read_setup(struct rooms *rooms, struct body *body, struct es_str setup,
                       struct es_str own, struct es_record *record)
{
    struct es_fault fault;
    if (es_record_header(record, setup, &fault) || !is_setup(record))
        return false;
    const struct es_map *map = record->setup.game->has_map ? hub_map(rooms, record) : NULL;
    if (own.size > 0)
        body->map_text = hub_copy(own);
    if (own.size > 0 && !map) {
        body->own_map = hub_alloc(sizeof *body->own_map);
        if (es_map_read(body->own_map, own, &fault))
            return false;
        map = body->own_map;
    }
    struct es_state *state = hub_alloc(sizeof *state);
    bool good = es_record_events(record, map, state, &fault) == ES_OK;
    free(state);
    if (!good)
        return false;
    body->setup = record->setup;
    body->setup_text = settings_header(record);
    for (int p = 0; p < body->setup.players; p++)
        if (record->bot[p][0]) {
            body->seat[p].kind = SEAT_BOT;
            memcpy(body->seat[p].level, record->bot[p], sizeof body->seat[p].level);
        }
    return true;
}

bool settings_read(struct rooms *rooms, struct body *body, struct es_str text, struct es_str own)
{
    const char *empty = NULL;
    for (size_t i = 0; i + 1 < text.size && !empty; i++)
        if (text.at[i] == '\n' && text.at[i + 1] == '\n')
            empty = text.at + i;
    if (!empty)
        return false;
    struct es_str head = {text.at, (size_t)(empty - text.at)};
    struct es_str setup = {empty + 2, text.size - head.size - 2};
    struct es_lines lines;
    struct es_fault fault;
    if (es_lines_open(&lines, head, &fault))
        return false;
    struct es_out made = {hub_alloc(text.size + 1), text.size + 1, 0};
    free(body->made);
    body->made = made.at;
    while (es_lines_next(&lines)) {
        struct es_str line = lines.line, word;
        if (!read_line(&body->settings, line))
            return false;
        es_str_word(&line, &word);
        if (!es_str_is(word, "secret")) {
            es_out_str(&made, lines.line);
            es_out_char(&made, '\n');
        }
    }
    es_out_char(&made, '\n');
    es_out_str(&made, setup);
    made.at[made.used] = 0;
    struct es_record *record = hub_alloc(sizeof *record);
    bool good = read_setup(rooms, body, setup, own, record);
    free(record);
    return good;
}
