/* Reading records. Faults are found in the order that docs/formats.md fixes: the file is text; the
 * header line by line; lines missing in the header; the map (read by the caller); whether it is the
 * right one; the events one by one. */
#include <endstation/record.h>
#include <string.h>

struct header {
    struct es_record *record;
    unsigned named, bots; /* bit p: player p has a name, is a bot */
    bool has_rules;
    unsigned options; /* bit i: the game's own header line i was given */
};

static const struct es_str nothing = {"", 0};

static es_status read_game(struct header *h, struct es_str rest)
{
    if (h->record->setup.game)
        return ES_TWICE;
    h->record->setup.game = es_game_named(rest);
    return h->record->setup.game ? ES_OK : ES_GAME_UNKNOWN;
}

static es_status read_map(struct header *h, struct es_str rest)
{
    struct es_record *record = h->record;
    struct es_str id = {"", 0}, hash;
    uint8_t bytes[(ES_MAP_HASH_BYTES - 1) / 2];
    if (!record->setup.game->has_map)
        return ES_MAP_UNWANTED;
    if (record->map_id[0])
        return ES_TWICE;
    es_str_word(&rest, &id);
    if (!es_map_id_good(id))
        return ES_ID_BAD;
    if (es_str_word(&rest, &hash)) {
        if (!es_str_hex(hash, bytes, sizeof bytes))
            return ES_HASH_BAD;
        if (es_str_trim(rest).size > 0)
            return ES_WORD_EXTRA;
        es_str_copy(hash, record->map_hash, sizeof record->map_hash);
    }
    record->map_line = record->lines.number;
    es_str_copy(id, record->map_id, sizeof record->map_id);
    return ES_OK;
}

static es_status read_players(struct header *h, struct es_str rest)
{
    struct es_setup *setup = &h->record->setup;
    unsigned players;
    if (setup->players)
        return ES_TWICE;
    es_status status = es_str_number(rest, setup->game->players_max, &players);
    if (status)
        return status == ES_NUMBER_RANGE ? ES_PLAYERS_RANGE : status;
    if (players < setup->game->players_min)
        return ES_PLAYERS_RANGE;
    setup->players = (uint8_t)players;
    return (h->named | h->bots) >> (players + 1) ? ES_PLAYER_UNKNOWN : ES_OK;
}

static es_status read_rules(struct header *h, struct es_str rest)
{
    struct es_setup *setup = &h->record->setup;
    struct es_str word;
    if (h->has_rules)
        return ES_TWICE;
    if (rest.size == 0)
        return ES_WORD_MISSING;
    h->has_rules = true;
    while (es_str_word(&rest, &word)) {
        uint32_t rule = es_game_rule(setup->game, word);
        if (!rule)
            return ES_RULE_UNKNOWN;
        if (setup->rules & rule)
            return ES_TWICE;
        if ((rule & setup->game->exclusive) && (setup->rules & setup->game->exclusive))
            return ES_RULES_CLASH;
        setup->rules |= rule;
    }
    return ES_OK;
}

static es_status read_option(struct header *h, int option, struct es_str rest)
{
    if (h->options >> option & 1)
        return ES_TWICE;
    h->options |= 1U << option;
    return h->record->setup.game->read_option(&h->record->setup, option, rest);
}

/* Reads the player of a `player` or `bot` line and sets the bit in `given`; each may be given
 * once. */
static es_status read_seat(struct header *h, struct es_str *rest, unsigned *given, unsigned *player)
{
    struct es_setup *setup = &h->record->setup;
    struct es_str word;
    if (!es_str_word(rest, &word))
        return ES_WORD_MISSING;
    es_status status =
        es_str_number(word, setup->players ? setup->players : setup->game->players_max, player);
    if (status)
        return status == ES_NUMBER_RANGE ? ES_PLAYER_UNKNOWN : status;
    if (*player == 0)
        return ES_PLAYER_UNKNOWN;
    if (*given >> *player & 1)
        return ES_TWICE;
    *given |= 1U << *player;
    *rest = es_str_trim(*rest);
    return ES_OK;
}

static es_status read_player(struct header *h, struct es_str rest)
{
    unsigned player;
    es_status status = read_seat(h, &rest, &h->named, &player);
    if (status)
        return status;
    if (rest.size == 0 || es_str_length(rest) > ES_NAME_CHARS)
        return ES_NAME_LENGTH;
    es_str_copy(rest, h->record->name[player - 1], ES_NAME_BYTES);
    return ES_OK;
}

static es_status read_bot(struct header *h, struct es_str rest)
{
    unsigned player;
    es_status status = read_seat(h, &rest, &h->bots, &player);
    if (status)
        return status;
    for (size_t i = 0; i < rest.size; i++)
        if (rest.at[i] <= ' ' || rest.at[i] > '~')
            return ES_LEVEL_BAD;
    if (rest.size == 0 || !es_str_copy(rest, h->record->bot[player - 1], ES_LEVEL_BYTES))
        return ES_LEVEL_BAD;
    return ES_OK;
}

static es_status read_seed(struct header *h, struct es_str rest)
{
    if (h->record->has_seed)
        return ES_TWICE;
    h->record->has_seed = true;
    return es_str_hex(rest, h->record->seed, ES_SEED_BYTES) ? ES_OK : ES_SEED_BAD;
}

bool es_record_is_note(struct es_str line)
{
    static const char *const words[] = {"commit", "secret", "word", "date", "note"};
    struct es_str word;
    es_str_word(&line, &word);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (es_str_is(word, words[i]))
            return true;
    return false;
}

/* Keeps a line that the rules do not need. */
static es_status read_note(struct header *h, struct es_str line)
{
    struct es_record *record = h->record;
    if (line.size + 1 > sizeof record->notes - record->notes_size)
        return ES_NOTES_TOO_LONG;
    memcpy(record->notes + record->notes_size, line.at, line.size);
    record->notes_size += line.size;
    record->notes[record->notes_size++] = '\n';
    return ES_OK;
}

static es_status read_header_line(struct header *h, struct es_str line)
{
    static const struct {
        const char *word;
        es_status (*read)(struct header *h, struct es_str rest);
    } lines[] = {
        {"game", read_game},   {"map", read_map}, {"players", read_players},
        {"rules", read_rules}, {"bot", read_bot}, {"player", read_player},
        {"seed", read_seed},
    };
    struct es_str word;
    if (es_record_is_note(line))
        return read_note(h, line);
    es_str_word(&line, &word);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (es_str_is(word, lines[i].word)) {
            if (!h->record->setup.game && lines[i].read != read_game)
                return ES_GAME_FIRST;
            return lines[i].read(h, es_str_trim(line));
        }
    if (!h->record->setup.game)
        return ES_GAME_FIRST;
    int option = es_game_option(h->record->setup.game, word);
    return option < 0 ? ES_WORD_UNKNOWN : read_option(h, option, es_str_trim(line));
}

es_status es_record_header(struct es_record *record, struct es_str text, struct es_fault *fault)
{
    *record = (struct es_record){.events = record->events, .capacity = record->capacity};
    struct es_lines *lines = &record->lines;
    struct es_setup *setup = &record->setup;
    struct header h = {.record = record};
    struct es_str rest, word;

    if (es_lines_open(lines, text, fault))
        return fault->status;
    bool any = es_lines_next(lines);
    rest = lines->line;
    if (!any || !es_str_word(&rest, &word) || !es_str_is(word, "endstation-record") ||
        !es_str_is(es_str_trim(rest), "1"))
        return es_fault_set(fault, 1, ES_NOT_A_RECORD, nothing);
    while (es_lines_next(lines) && lines->line.size > 0) {
        if (es_lines_comment(lines))
            continue;
        es_status status = read_header_line(&h, lines->line);
        if (status)
            return es_fault_set(fault, lines->number, status, lines->line);
    }
    record->needs_blank_line = lines->line.size > 0;
    es_status lacks = !setup->game                                 ? ES_GAME_FIRST
                      : !setup->players                            ? ES_PLAYERS_MISSING
                      : setup->game->has_map && !record->map_id[0] ? ES_MAP_MISSING
                                                                   : ES_OK;
    return lacks ? es_fault_set(fault, lines->number, lacks, nothing) : ES_OK;
}

static es_status hash_fault(const struct es_record *record, const struct es_map *map,
                            es_status status, struct es_fault *fault)
{
    char both[2 * ES_MAP_HASH_BYTES + 2];
    struct es_out out = {both, sizeof both, 0};
    es_out_text(&out, record->map_hash);
    es_out_text(&out, ", ");
    es_out_text(&out, map->hash);
    return es_fault_set(fault, record->map_line, status, (struct es_str){both, out.used});
}

static bool hash_fits(const struct es_record *record, const struct es_map *map)
{
    return !record->map_hash[0] || es_str_is(es_str(map->hash), record->map_hash);
}

es_status es_record_events(struct es_record *record, const struct es_map *map,
                           struct es_state *state, struct es_fault *fault)
{
    struct es_setup *setup = &record->setup;
    const struct es_game *game = setup->game;
    struct es_lines *lines = &record->lines;
    if (game->has_map && !map)
        return es_fault_set(fault, record->map_line, ES_MAP_ELSEWHERE, es_str(record->map_id));
    if (game->has_map && !es_str_is(es_str(map->id), record->map_id))
        return es_fault_set(fault, record->map_line, ES_MAP_OTHER, es_str(map->id));
    if (game->has_map && !hash_fits(record, map))
        return hash_fault(record, map, ES_MAP_CHANGED, fault);
    setup->map = map;
    es_status status = es_setup_prepare(setup);
    if (status)
        return es_fault_set(fault, lines->number, status, nothing);
    game->start(setup, state);
    while (es_lines_next(lines)) {
        if (lines->line.size == 0 || es_lines_comment(lines))
            continue;
        es_event event;
        status = game->parse(setup, lines->line, &event);
        if (status == ES_OK)
            status = game->apply(setup, state, event);
        if (status == ES_OK && record->count == record->capacity)
            status = ES_EVENTS_TOO_MANY;
        if (status)
            return es_fault_set(fault, lines->number, status, lines->line);
        record->events[record->count++] = event;
    }
    return ES_OK;
}

es_status es_record_read(struct es_record *record, struct es_str text, const struct es_map *own,
                         struct es_map *map, struct es_state *state, struct es_fault *fault)
{
    if (es_record_header(record, text, fault))
        return fault->status;
    const struct es_map *sheet = record->setup.game->has_map ? own : NULL;
    struct es_str built_in = es_builtin_map_named(es_str(record->map_id), es_str(record->map_hash));
    if (!sheet && built_in.size > 0 && es_map_read(map, built_in, fault) == ES_OK) {
        sheet = map;
        if (!hash_fits(record, map))
            return hash_fault(record, map, ES_MAP_VERSION, fault);
    }
    return es_record_events(record, sheet, state, fault);
}
