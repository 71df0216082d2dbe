/* Geometry of a sheet's picture: paths and lanes of lines, shapes of stations, wagons, positions of
 * names. Depends on the map alone; compute it once and use it for SVG, PNG, PDF and the terminal.
 *
 * Lines that share a stretch run side by side. Each hop between two places of the grid is a track
 * bed with one lane for every line on it; at a place where beds of different width meet, a line
 * changes lanes under the station:
 *
 *         A ────────●───────────●──── A
 *         B ──╮     │           │            three lanes, then two, then one
 *             ╰─────●───────────●
 *                   │            ╲
 *         C ────────●             ╰── C
 *
 * The parts of the picture (struct es_part):
 *
 *     id             kind                             data-
 *     line-A         line, line lit                   line
 *     station-ID     station, station special         station, lines (ACF)
 *      (in it)       mark, mark fresh, mark planned
 *     wagon-A        wagon                            line
 *     value-A        value, value won                 line
 *     sum            sum
 *                    names, values: all of them
 */
#ifndef ENDSTATION_LAYOUT_H
#define ENDSTATION_LAYOUT_H

#include <endstation/draw.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_SHEET_WIDE = 1120, /* of the whole sheet, in points: A4 at 96 to the inch */
    ES_SHEET_HIGH = 790,
    ES_MAP_WIDE = 950, /* of the map at its left; the table of values is to the right of it */
    /* Places of all lines together; bends beyond that are left out of the picture. */
    ES_LAYOUT_PLACES = 6144,
    ES_LABEL_LINES = 2,
    /* A wagon: the letter in its disc, windows, and on a ring the arrows between them. */
    ES_WAGON_HIGH = 20,
    ES_WAGON_LETTER = 22,
    ES_WAGON_WINDOW = 17, /* with the gap to the next */
    ES_WAGON_ARROWS = 17,
};

#define ES_TRACK_WIDE 7.0  /* the stroke of a line */
#define ES_TRACK_PITCH 8.4 /* from lane to lane */
#define ES_BAR_WIDE 4.0    /* the stroke of the bar at a line's terminus */
#define ES_LABEL_SIZE 9.5  /* font size of stations' names */

/* A name beside its station; `lines` is 0 if the station has none or no position is free. */
struct es_name_label {
    uint8_t lines;
    struct es_str text[ES_LABEL_LINES]; /* pieces of the map's name */
    struct es_spot at[ES_LABEL_LINES];  /* on the baseline */
    enum es_align align;
    struct es_box box;
};

/* The shape of a station: a spot, a straight line or a rectangle that covers the places where its
 * lines pass, grown by a radius to a disc, a capsule or a rounded rectangle. */
struct es_layout_station {
    struct es_spot centre;
    double radius;
    double reach; /* the radius with the rays of a special station */
    int corners;  /* 1, 2 or 4 */
    struct es_spot corner[ES_LINES_MAX];
    struct es_box box; /* around all of it */
    struct es_name_label label;
};

/* A corner of a line's path, to be rounded off with a radius. */
struct es_layout_point {
    struct es_spot at;
    float radius;
    int16_t station; /* the station there, or -1 */
};

struct es_layout_line {
    int first, points; /* of its path, in `point`; for a ring, without the way from its wagon */
    struct es_box wagon;
    struct es_spot nose, start; /* where the line leaves the wagon; its first stop */
    /* Not on rings: the last stop, and the bar that marks it. The bar is across the track beyond
     * the station; or, where other lines continue there, on the station itself, at its far rim. */
    struct es_spot end, bar[2];
    bool bar_inside;
};

struct es_layout {
    double unit; /* points for one step of the grid */
    struct es_spot origin;
    struct es_layout_station station[ES_STATIONS_MAX];
    struct es_layout_line line[ES_LINES_MAX];
    struct es_layout_point point[2 * ES_LAYOUT_PLACES];
    int points;

    /* Used only while the layout is computed. */
    struct es__layout_place {
        struct es_point at;
        int16_t station; /* or -1 for a bend or wagon */
        int16_t bed;     /* to the next place */
        int16_t lane;    /* on that bed, in half pitches to the right of the direction of travel */
    } place[ES_LAYOUT_PLACES];
    struct es__layout_bed {
        struct es_point a, b;
        int16_t lines, first; /* into rider */
    } bed[ES_LAYOUT_PLACES];
    struct es__layout_rider {
        int16_t place;
        uint8_t line;
        bool back; /* travels from b to a */
    } rider[ES_LAYOUT_PLACES];
    int16_t table[2 * ES_LAYOUT_PLACES]; /* hash table of beds */
    int first_place[ES_LINES_MAX + 1];
    int beds;
};

/* Computes the layout; without names if `no_names`. The map must outlive the layout, which is too
 * large for the stack (half a megabyte). */
void es_layout(const struct es_map *map, bool no_names, struct es_layout *layout);

/* Adds a line's path to the painter's; for a ring, also the way from its wagon. */
void es_layout_trace(const struct es_map *map, const struct es_layout *layout, int line,
                     struct es_painter *painter);

/* Draws a card, 63 by 88 points; ES_CARD_NONE: its back. */
void es_verplant_draw_card(int card, const struct es_draw *draw, struct es_painter *painter);

/* Warnings for sheet authors: parts that overlap, names that could not be placed, colours that are
 * too similar or too pale. In the sentences %s stands for a station, %l for a line. */
#define ES_CLASHES(X)                                                                              \
    X(NAME, "the name of %s finds no place")                                                       \
    X(WAGONS, "the wagons of %l and %l lie on each other")                                         \
    X(WAGON_LINE, "the wagon of %l lies on %l")                                                    \
    X(WAGON_STATION, "the wagon of %l lies on %s")                                                 \
    X(STATIONS, "%s and %s lie on each other")                                                     \
    X(LINE_STATION, "%l runs over %s, but does not stop there")                                    \
    X(LINES, "%l and %l lie on each other over a part of a hop")                                   \
    X(COLOURS, "%l and %l have nearly the same colour")                                            \
    X(PALE, "%l is too pale for its paper")
enum es_clash_kind {
#define ES_CLASH(name, text) ES_CLASH_##name,
    ES_CLASHES(ES_CLASH)
#undef ES_CLASH
};
struct es_clash {
    enum es_clash_kind kind;
    int one, two; /* numbers of stations or lines, in the order of the sentence */
};
/* Lists up to `most` warnings; returns their number. */
int es_layout_clashes(const struct es_map *map, const struct es_layout *layout,
                      struct es_clash *clashes, int most);
/* Writes the sentence of a warning. */
void es_clash_write(const struct es_map *map, const struct es_clash *clash, struct es_out *out);

#ifdef __cplusplus
}
#endif

#endif
