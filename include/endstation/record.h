/* Records: one game as text, from its setup to where it stands.
 *
 * Reading takes two steps, because a record only names its map: the header first, then, with the
 * map at hand, the events.
 *
 *     struct es_record record = {.events = buffer, .capacity = ES_EVENTS_MAX};
 *     if (es_record_header(&record, text, &fault)) …
 *     map = …the sheet named record.map_id, where the game has one…
 *     if (es_record_events(&record, map, &state, &fault)) …
 */
#ifndef ENDSTATION_RECORD_H
#define ENDSTATION_RECORD_H

#include <endstation/game.h>
#include <endstation/map.h>

enum {
    ES_NOTES_BYTES = 16 << 10,
    ES_LEVEL_BYTES = 33, /* the level of a bot with its closing zero */
};

struct es_record {
    struct es_setup setup;
    char map_id[ES_MAP_ID_BYTES];             /* empty for games without a map */
    char map_hash[ES_MAP_HASH_BYTES];         /* as the text names it; empty if it does not */
    char name[ES_PLAYERS_MAX][ES_NAME_BYTES]; /* empty where nobody is named */
    char bot[ES_PLAYERS_MAX][ES_LEVEL_BYTES]; /* the level; empty for a person's seat */
    bool has_seed;
    uint8_t seed[ES_SEED_BYTES];
    /* The header's commit, secret, word, date and note lines in their order, trimmed, each with its
     * line end. More than this is ES_NOTES_TOO_LONG. */
    char notes[ES_NOTES_BYTES];
    size_t notes_size;

    es_event *events; /* the caller's buffer and its size */
    size_t capacity;
    size_t count;

    /* Where reading goes on, and where the map was named. */
    struct es_lines lines;
    int map_line;
    bool ends_in_header; /* an empty line has to come before the first event */
};

/* Reads the header. The record's text must stay until the events have been read. */
es_status es_record_header(struct es_record *record, struct es_str text, struct es_fault *fault);
/* Reads the events and applies them: `state` is then where the game stands. `map` is kept in the
 * setup; NULL for games without one, or if the sheet could not be found. Its id must be the
 * record's (ES_MAP_OTHER), and so must its hash where the record names one (ES_MAP_CHANGED). */
es_status es_record_events(struct es_record *record, const struct es_map *map,
                           struct es_state *state, struct es_fault *fault);

/* Both at once: the sheet is `own` if it is not NULL, else the built-in one of that id, which is
 * then read into `map`. Where the record names another hash than that of the built-in sheet:
 * ES_MAP_VERSION. */
es_status es_record_read(struct es_record *record, struct es_str text, const struct es_map *own,
                         struct es_map *map, struct es_state *state, struct es_fault *fault);

/* The next of the header's commit, secret, word, date and note lines from `*at` on (0 at first):
 * its first word and what follows it. False at the end. */
bool es_record_note(const struct es_record *record, size_t *at, struct es_str *word,
                    struct es_str *text);

/* Writes header and events. */
void es_record_write(const struct es_record *record, struct es_out *out);
/* Writes what one player (or a spectator: 0) may see of it: no seed, of the notes only commit and
 * date lines, and only the events that `observe` gives. `scratch` has room for record->count
 * events. */
void es_record_write_view(const struct es_record *record, const struct es_state *state, int viewer,
                          es_event *scratch, struct es_out *out);
/* An upper bound for what either of them writes. */
size_t es_record_bytes(const struct es_record *record);

/* What to call each player: the name; a bot without one by its level, `strong (bot)`, and the
 * second of that level `strong (bot 2)`. Where two would be called the same, their seat tells them
 * apart: `Ada (1)`, `Ada (3)`. Empty for a person without a name. */
void es_record_labels(const struct es_record *record, char label[ES_PLAYERS_MAX][ES_LABEL_BYTES]);

#endif
