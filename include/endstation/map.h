/* A sheet: stations and the lines that run over them, read from a .map file.
 *
 * A map is a plain value of fixed size without pointers; read it once and share it.
 */
#ifndef ENDSTATION_MAP_H
#define ENDSTATION_MAP_H

#include <endstation/text.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_STATIONS_MAX = 128,
    ES_LINES_MAX = 26,
    ES_STOPS_MAX = 64,
    ES_LINE_WINDOWS_MAX = 8,
    ES_WINDOWS_MAX = ES_LINES_MAX * ES_LINE_WINDOWS_MAX,
    ES_BENDS_MAX = 4096, /* a limit of ours, not of the format: it keeps a map a plain value */
    ES_MAP_ID_BYTES = 33,
    ES_MAP_HASH_BYTES = 33,
    ES_STATION_ID_BYTES = 9,
    ES_MAP_TEXT_BYTES = 256 << 10, /* enough for es_map_write */
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
    uint8_t stop[ES_STOPS_MAX]; /* stations, in order from the wagon */
    uint8_t back[ES_STOPS_MAX]; /* derived: the same in backward order, for rings */
    uint32_t colour;            /* 0xrrggbb */
    struct es_point wagon;
    uint16_t bends, bends_from; /* into map->bend */
    uint8_t windows_end;        /* derived: windows of this line and all before it */
};

/* A bend of the drawing. */
struct es_map_bend {
    struct es_point at;
    uint8_t after_stop; /* the stop before it: its number on the line, from 0 */
};

/* Derived: the effect of marking a station. */
struct es_map_mark {
    uint32_t calls;   /* how many different lines call here */
    uint32_t special; /* 1 for a special station */
    uint64_t unused;
    /* AND masks for es_sheet.empty and .open, in that order: all ones except this station's
     * bits. */
    uint64_t keep[2 + ES_LINES_MAX] __attribute__((aligned(16)));
    uint64_t padding[2]; /* makes the struct 256 bytes, so that indexing is a shift */
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
    uint8_t windows;  /* of all lines */
    uint64_t all[2];  /* a bit for every station */
    uint32_t rings;   /* a bit for every ring line */
    uint64_t free[2]; /* windows, four bits a line */
    /* Bit i: the line has a stop i. All ones for lines the map does not have, so that they never
     * look complete. */
    uint64_t stop_bits[ES_LINES_MAX];
    /* The first eight entries of a line as choices (sheet.h): no marks, one, two, … */
    uint16_t run[ES_LINES_MAX][8] __attribute__((aligned(16)));
    struct es_map_mark mark[1 + ES_STATIONS_MAX]; /* row 0 marks nothing, row s + 1 station s */
    /* The first 32 hex digits of SHA-256 over the canonical text (what es_map_write writes):
     * identifies the content of the map. Last, so that it does not move the fields that search
     * reads. */
    char hash[ES_MAP_HASH_BYTES];
};

/* Reads a map. Anything outside the format is a fault with its line. After a fault the contents of
 * the map are unspecified. */
__attribute__((warn_unused_result)) es_status es_map_read(struct es_map *map, struct es_str text,
                                                          struct es_fault *fault);
/* Writes a map in its canonical form (docs/formats.md): the same bytes for every file of the same
 * content. Reading them gives the same map. */
void es_map_write(const struct es_map *map, struct es_out *out);

/* Returns true for 1 to 32 characters of a-z, 0-9 and -. */
bool es_map_id_good(struct es_str id);
/* Returns the number of the station with that id, or -1. */
int es_map_station_named(const struct es_map *map, struct es_str id);
/* Returns the number of the line with that letter, or -1. */
int es_map_line_named(const struct es_map *map, char letter);

/* Returns true if a line calls at a station. */
static inline bool es_map_stops(const struct es_map *map, int line, int station)
{
    for (int i = 0; i < map->line[line].stops; i++)
        if (map->line[line].stop[i] == station)
            return true;
    return false;
}

/* Returns the number of different lines that call at a station. */
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
    const char *hash; /* of an earlier version; else NULL */
};
extern const struct es_builtin_map es_builtin_maps[];
/* What these sheets were before they were changed: nobody is offered them, but records and rooms
 * that name their hash go on with them. */
extern const struct es_builtin_map es_earlier_maps[];
/* Returns the text of a built-in sheet; size 0 if none has that id. */
struct es_str es_builtin_map(struct es_str id);
/* Returns the text of the built-in sheet that a record names: the earlier version with that hash,
 * where there is one, else the sheet as it is today, which may have another hash. */
struct es_str es_builtin_map_named(struct es_str id, struct es_str hash);
/* Returns true if a hash is that of an earlier version of a built-in sheet. */
bool es_map_earlier(struct es_str hash);
/* Returns true if there is an earlier version of a built-in sheet: programs from before the change
 * do not know the sheet as it is today. */
bool es_map_changed(struct es_str id);

#ifdef __cplusplus
}
#endif

#endif
