/* Reads and writes records: one game as text, its setup and its events so far.
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

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_NOTES_BYTES = 16 << 10,
    ES_LEVEL_BYTES = 33, /* the level of a bot with its terminating zero */
};

struct es_record {
    struct es_setup setup;
    char map_id[ES_MAP_ID_BYTES];             /* empty for games without a map */
    char map_hash[ES_MAP_HASH_BYTES];         /* as given in the text; empty if it is not */
    char name[ES_PLAYERS_MAX][ES_NAME_BYTES]; /* empty for a player without a name */
    char bot[ES_PLAYERS_MAX][ES_LEVEL_BYTES]; /* the level; empty for a person's seat */
    bool has_seed;
    uint8_t seed[ES_SEED_BYTES];
    /* The header's commit, secret, word, date and note lines, uninterpreted, in their order,
     * trimmed, each ending in '\n'. If they do not fit: ES_NOTES_TOO_LONG. */
    char notes[ES_NOTES_BYTES];
    size_t notes_size;

    es_event *events; /* the caller's buffer, of `capacity` events */
    size_t capacity;
    size_t count;

    /* Private to the readers: where reading continues, and the line that names the map. */
    struct es_lines lines;
    int map_line;
    /* The text ended inside the header: write an empty line before appending events. */
    bool needs_blank_line;
};

/* Reads the header. `text` must stay valid until the events have been read. */
__attribute__((warn_unused_result)) es_status es_record_header(struct es_record *record,
                                                               struct es_str text,
                                                               struct es_fault *fault);
/* Reads the events and applies them to `state`. `map` is stored in the setup and must outlive it;
 * NULL for games without one, or if the sheet could not be found. Its id must be the record's
 * (ES_MAP_OTHER), and so must its hash where the record names one (ES_MAP_CHANGED). */
__attribute__((warn_unused_result)) es_status es_record_events(struct es_record *record,
                                                               const struct es_map *map,
                                                               struct es_state *state,
                                                               struct es_fault *fault);

/* Reads header and events. The sheet is `own` if it is not NULL, else the built-in one with the
 * record's id, which is read into `map`. Returns ES_MAP_VERSION if the record names another hash
 * than that of the built-in sheet. */
__attribute__((warn_unused_result)) es_status es_record_read(
    struct es_record *record, struct es_str text, const struct es_map *own, struct es_map *map,
    struct es_state *state, struct es_fault *fault);

/* Iterates over `notes`: sets the first word of the next line and the text after it, and advances
 * *at (0 at first). Returns false at the end. */
bool es_record_note(const struct es_record *record, size_t *at, struct es_str *word,
                    struct es_str *text);

/* Returns true for a header line that the record keeps in `notes`. */
bool es_record_is_note(struct es_str line);

/* Writes the header lines that say what is played: game, map with its hash, players, rules and the
 * game's own. */
void es_record_write_setup(const struct es_record *record, struct es_out *out);
/* Writes header and events. */
void es_record_write(const struct es_record *record, struct es_out *out);
/* Writes the record as `viewer` (0: a spectator) may see it: no seed, of the notes only commit and
 * date lines, and only the events from `observe`. `scratch` has room for record->count events. */
void es_record_write_view(const struct es_record *record, const struct es_state *state, int viewer,
                          es_event *scratch, struct es_out *out);
/* Returns an upper bound of the bytes that es_record_write and es_record_write_view write. */
size_t es_record_bytes(const struct es_record *record);

/* Writes what to call each player: the name; for a bot without one its level, `strong (bot)`, and
 * for the second of that level `strong (bot 2)`. Equal labels get the seat added, as in `Ada (1)`.
 * Empty for a person without a name. */
void es_record_labels(const struct es_record *record, char label[ES_PLAYERS_MAX][ES_LABEL_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
