/* Writes records, in full or as one player may see them. */
#include <endstation/record.h>
#include <string.h>

/* `player 2 Ada`, or nothing if there is no text. */
static void write_seat(struct es_out *out, const char *word, int player, const char *text)
{
    if (!text[0])
        return;
    es_out_text(out, word);
    es_out_int(out, player + 1);
    es_out_char(out, ' ');
    es_out_text(out, text);
    es_out_char(out, '\n');
}

bool es_record_note(const struct es_record *record, size_t *at, struct es_str *word,
                    struct es_str *text)
{
    if (*at >= record->notes_size)
        return false;
    const char *line = record->notes + *at;
    const char *end = memchr(line, '\n', record->notes_size - *at);
    *text = (struct es_str){line, (size_t)(end - line)};
    *at += text->size + 1;
    es_str_word(text, word);
    *text = es_str_trim(*text);
    return true;
}

/* Writes all notes if `whole`, else those that everybody may see at any time. */
static void write_notes(const struct es_record *record, bool whole, struct es_out *out)
{
    struct es_str word, text;
    for (size_t from = 0, at = 0; es_record_note(record, &at, &word, &text); from = at)
        if (whole || es_str_is(word, "commit") || es_str_is(word, "date"))
            es_out_str(out, (struct es_str){record->notes + from, at - from});
}

static void write_option(const struct es_setup *setup, int option, struct es_out *out)
{
    struct es_out before = *out;
    es_out_text(out, setup->game->options[option]);
    es_out_char(out, ' ');
    size_t word = out->used;
    setup->game->write_option(setup, option, out);
    if (out->used == word)
        *out = before; /* the default needs no line */
    else
        es_out_char(out, '\n');
}

void es_record_write_setup(const struct es_record *record, struct es_out *out)
{
    const struct es_setup *setup = &record->setup;
    es_out_text(out, "game ");
    es_out_text(out, setup->game->name);
    if (setup->game->has_map) {
        es_out_text(out, "\nmap ");
        es_out_text(out, setup->map->id);
        es_out_char(out, ' ');
        es_out_text(out, setup->map->hash);
    }
    es_out_text(out, "\nplayers ");
    es_out_int(out, setup->players);
    if (setup->rules)
        es_out_text(out, "\nrules");
    for (int i = 0; setup->game->rules[i]; i++)
        if (setup->rules >> i & 1) {
            es_out_char(out, ' ');
            es_out_text(out, setup->game->rules[i]);
        }
    es_out_char(out, '\n');
    for (int i = 0; setup->game->options && setup->game->options[i]; i++)
        write_option(setup, i, out);
}

/* Writes the header; if `whole`, with the lines that no player may see during the game. */
static void write_header(const struct es_record *record, bool whole, struct es_out *out)
{
    const struct es_setup *setup = &record->setup;
    es_out_text(out, "endstation-record 1\n");
    es_record_write_setup(record, out);
    for (int p = 0; p < setup->players; p++)
        write_seat(out, "player ", p, record->name[p]);
    for (int p = 0; p < setup->players; p++)
        write_seat(out, "bot ", p, record->bot[p]);
    write_notes(record, whole, out);
    if (whole && record->has_seed) {
        es_out_text(out, "seed ");
        es_out_hex(out, record->seed, sizeof record->seed);
        es_out_char(out, '\n');
    }
    es_out_char(out, '\n');
}

static void write_events(const struct es_setup *setup, const es_event *events, size_t count,
                         struct es_out *out)
{
    for (size_t i = 0; i < count; i++) {
        setup->game->format(setup, events[i], out);
        es_out_char(out, '\n');
    }
}

void es_record_write(const struct es_record *record, struct es_out *out)
{
    write_header(record, true, out);
    write_events(&record->setup, record->events, record->count, out);
}

void es_record_write_view(const struct es_record *record, const struct es_state *state, int viewer,
                          es_event *scratch, struct es_out *out)
{
    const struct es_setup *setup = &record->setup;
    size_t seen =
        setup->game->observe(setup, state, record->events, record->count, viewer, scratch);
    write_header(record, false, out);
    write_events(setup, scratch, seen, out);
}

size_t es_record_bytes(const struct es_record *record)
{
    return 4096 + record->notes_size + record->count * (ES_EVENT_BYTES + 1);
}

/* ---- Labels -------------------------------------------------------------------------------- */

/* Writes the name, or the level of a bot without one; returns false if there is neither. */
static bool plain_label(const struct es_record *record, int player, struct es_out *out)
{
    const char *level = record->bot[player];
    int same = 1;
    if (record->name[player][0]) {
        es_out_text(out, record->name[player]);
        return true;
    }
    if (!level[0])
        return false;
    for (int p = 0; p < player; p++)
        same += !record->name[p][0] && strcmp(record->bot[p], level) == 0;
    es_out_text(out, level);
    es_out_text(out, " (bot");
    if (same > 1) {
        es_out_char(out, ' ');
        es_out_int(out, same);
    }
    es_out_char(out, ')');
    return true;
}

/* Returns the players whose label another one shares, a bit each; empty labels do not count. */
static unsigned shared_labels(const struct es_out out[ES_PLAYERS_MAX])
{
    unsigned shared = 0;
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        for (int q = 0; q < p && out[p].used > 0; q++)
            if (out[q].used == out[p].used && memcmp(out[q].at, out[p].at, out[p].used) == 0)
                shared |= 1U << p | 1U << q;
    return shared;
}

void es_record_labels(const struct es_record *record, char label[ES_PLAYERS_MAX][ES_LABEL_BYTES])
{
    struct es_out out[ES_PLAYERS_MAX];
    unsigned shared;
    for (int p = 0; p < ES_PLAYERS_MAX; p++) {
        out[p] = (struct es_out){label[p], ES_LABEL_BYTES - 1, 0};
        plain_label(record, p, &out[p]);
    }
    /* Repeated, since a player may be called `Ada (1)`. Labels that got their seats in the same
     * round stay different, so there are fewer rounds than players. */
    while ((shared = shared_labels(out)) != 0)
        for (int p = 0; p < ES_PLAYERS_MAX; p++)
            if (shared >> p & 1) {
                es_out_text(&out[p], " (");
                es_out_int(&out[p], p + 1);
                es_out_char(&out[p], ')');
            }
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        label[p][out[p].used] = '\0';
}
