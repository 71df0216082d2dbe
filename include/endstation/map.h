/* A sheet: stations and the lines that run over them, read from a .map file.
 *
 * A map is a plain value of fixed size without pointers; read it once and share it.
 */
#ifndef ENDSTATION_MAP_H
#define ENDSTATION_MAP_H

#include <endstation/text.h>

enum {
    ES_STATIONS_MAX = 128,
    ES_LINES_MAX = 26,
    ES_STOPS_MAX = 64,
    ES_LINE_WINDOWS_MAX = 8,
    ES_WINDOWS_MAX = ES_LINES_MAX * ES_LINE_WINDOWS_MAX,
    ES_BENDS_MAX = 4096, /* the format names no limit; this one keeps a map a plain value */
    ES_MAP_ID_BYTES = 33,
    ES_MAP_HASH_BYTES = 33,
    ES_STATION_ID_BYTES = 9,
    ES_MAP_TEXT_BYTES = 256 << 10, /* es_map_write needs no more */
};

/* A place on the drawing's grid, in tenths. */
struct es_point {
    int16_t x, y;
};

struct es_map_station {
    char id[ES_STATION_ID_BYTES];
    char name[ES_NAME_BYTES]; /* may be empty */
    struct es_point at;
    bool special;
};

struct es_map_line {
    char letter;
    bool ring;
    uint8_t windows;
    uint8_t first, later; /* points */
    uint8_t stops;
    uint8_t stop[ES_STOPS_MAX]; /* stations, in the order seen from the wagon */
    uint8_t back[ES_STOPS_MAX]; /* derived: in the backward order, for rings */
    uint32_t colour;            /* 0xrrggbb */
    struct es_point wagon;
    uint16_t bends, bends_from; /* into map->bend */
    uint8_t windows_end;        /* derived: windows of this line and all before it */
};

/* A bend of the drawing behind a stop (its number on the line, from 0). */
struct es_map_bend {
    struct es_point at;
    uint8_t behind;
};

/* Derived: what marking a station does. */
struct es_map_mark {
    uint32_t calls;   /* how many different lines call here */
    uint32_t special; /* 1 for a special station */
    uint64_t unused;
    /* What stays empty: two words for the stations, then one a line for its stops; all ones but
     * for that station. */
    _Alignas(16) uint64_t keep[2 + ES_LINES_MAX];
    uint64_t padding[2]; /* a power of 2 is quickest to find */
};

struct es_map {
    char id[ES_MAP_ID_BYTES];
    char title[ES_NAME_BYTES];
    uint32_t paper;
    uint8_t stations, lines;
    uint16_t bends;
    struct es_map_station station[ES_STATIONS_MAX];
    struct es_map_line line[ES_LINES_MAX];
    struct es_map_bend bend[ES_BENDS_MAX];

    /* Derived */
    uint8_t windows;              /* of all lines */
    uint64_t all[2];              /* a bit for every station */
    uint32_t rings;               /* a bit for every ring line */
    uint64_t free[2];             /* windows, four bits a line */
    uint64_t stops[ES_LINES_MAX]; /* a bit for every stop of a line; all, past the last line */
    /* The first eight entries of a line as choices (sheet.h): no marks, one, two, … */
    _Alignas(16) uint16_t run[ES_LINES_MAX][8];
    struct es_map_mark mark[1 + ES_STATIONS_MAX]; /* row 0 marks nothing, row s + 1 station s */
    /* The first 32 hex digits of SHA-256 over the canonical text (what es_map_write writes): names
     * the very content of the map. Last, so that what search reads stays where it was. */
    char hash[ES_MAP_HASH_BYTES];
};

/* Reads a map. Strict: what is not in the format is a fault with its line. On a fault the map is
 * left in no particular state. */
es_status es_map_read(struct es_map *map, struct es_str text, struct es_fault *fault);
/* Writes a map in its canonical form (docs/formats.md): the same bytes for every file of the same
 * content. Reading them gives the same map. */
void es_map_write(const struct es_map *map, struct es_out *out);

/* True for 1 to 32 of a-z, 0-9 and -. */
bool es_map_id_good(struct es_str id);
/* The number of a station or a line, or -1. */
int es_map_station_named(const struct es_map *map, struct es_str id);
int es_map_line_named(const struct es_map *map, char letter);

/* Whether a line calls at a station. */
static inline bool es_map_stops(const struct es_map *map, int line, int station)
{
    for (int i = 0; i < map->line[line].stops; i++)
        if (map->line[line].stop[i] == station)
            return true;
    return false;
}

/* How many different lines call at a station, and whether it is special. */
static inline int es_map_calls(const struct es_map *map, int station)
{
    return (int)map->mark[station + 1].calls;
}

static inline bool es_map_special(const struct es_map *map, int station)
{
    return map->mark[station + 1].special;
}

/* The built-in sheets, as text; the list ends with an entry whose id is NULL. */
struct es_builtin_map {
    const char *id;
    struct es_str text;
};
extern const struct es_builtin_map es_builtin_maps[];
/* The text of a built-in sheet; size 0 if there is none of that id. */
struct es_str es_builtin_map(struct es_str id);

#endif
