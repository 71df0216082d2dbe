/* Draws a picture of any game state for one viewer, through a painter: SVG text (below), cairo for
 * PNG and PDF (outside the library), or one that the caller supplies.
 *
 * Games decide what is drawn, painters only how. Pictures contain no words except in the titles for
 * screen readers, which are made from a table of words that can be translated.
 *
 *     es_draw_prepare(&setup, &prepared);              // once for a setup
 *     struct es_draw draw = {.viewer = 1, .theme = ES_THEME_LIGHT, .prepared = &prepared};
 *     struct es_svg svg;
 *     es_svg_open(&svg, buffer, sizeof buffer);
 *     es_draw(&setup, &state, &draw, &svg.painter);
 *     if (es_out_ok(&svg.out)) …                      // svg.out.used bytes of SVG
 *
 * To draw for a viewer, pass the state that the viewer may know (es_view), not the full one.
 */
#ifndef ENDSTATION_DRAW_H
#define ENDSTATION_DRAW_H

#include <endstation/game.h>
#include <endstation/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Painters ------------------------------------------------------------------------------- */

/* Positions and lengths are in points of the picture; x goes to the right, y down. */
struct es_spot {
    double x, y;
};

struct es_box {
    double left, top, right, bottom;
};

#define ES_CLEAR ((uint32_t)0xffffffff) /* no colour at all */

/* How a shape is painted: filled, then stroked. */
struct es_pen {
    uint32_t fill, stroke; /* 0xrrggbb, or ES_CLEAR */
    double width;          /* of the stroke */
    double dash[4];        /* lengths on, off, on, off; all 0: no dashes */
    double opacity;        /* 0 means 1 (opaque) */
    bool butt;             /* the stroke has butt caps, not round ones */
};

enum es_align { ES_ALIGN_START, ES_ALIGN_MIDDLE, ES_ALIGN_END };

/* One line of text on its baseline. Painters scale it to exactly `width`, whatever the font. */
struct es_writing {
    struct es_str text;
    struct es_spot at;
    enum es_align align;
    double size, width;
    bool bold;
    uint32_t colour;
};

/* A named part of the picture, which a page can find and react to. The same thing has the same id
 * in every picture; data- attributes say which line, station or square it is. Strings may contain
 * anything: painters that write markup escape them. A game lists its parts in a header of its own
 * (picture.h). */
enum { ES_PART_DATA = 4, ES_PART_TEXT = 640 };
struct es_part {
    const char *kind; /* "station", "square legal", …: becomes the class in SVG */
    char id[32];      /* empty: none */
    struct {
        const char *name; /* NULL ends the list */
        struct es_str value;
    } data[ES_PART_DATA];
    struct es_str title; /* size 0: none */
};

struct es_painter {
    /* Called first and last. `title` describes the whole picture. */
    void (*begin)(struct es_painter *painter, double width, double height, uint32_t paper,
                  struct es_str title);
    void (*end)(struct es_painter *painter);
    /* Parts nest. */
    void (*begin_part)(struct es_painter *painter, const struct es_part *part);
    void (*end_part)(struct es_painter *painter);
    /* `move` begins a path or a new stroke of it, `close_path` closes the stroke; `paint` paints
     * the path and discards it. */
    void (*move)(struct es_painter *painter, struct es_spot to);
    void (*line)(struct es_painter *painter, struct es_spot to);
    void (*curve)(struct es_painter *painter, struct es_spot a, struct es_spot b,
                  struct es_spot to);
    void (*close_path)(struct es_painter *painter);
    void (*paint)(struct es_painter *painter, const struct es_pen *pen);
    void (*circle)(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen);
    void (*text)(struct es_painter *painter, const struct es_writing *writing);
};

/* A painter that writes SVG into a buffer of fixed size. `out.used` counts on past its end, so that
 * a caller can see how much was needed. Styles are presentation attributes: a strict content
 * security policy allows them, and style sheets can override them. */
struct es_svg {
    struct es_painter painter; /* must be first: the painter is cast to es_svg */
    struct es_out out;
    double width;       /* in pixels; 0: fills its container */
    const char *prefix; /* put before every id, for several pictures on one page; may be NULL */
    bool in_path;
    int depth;                    /* of the part that is open */
    const struct es_press *press; /* that the pictures are for (print.h); NULL: for the screen */
};
void es_svg_open(struct es_svg *svg, char *buffer, size_t size);
enum { ES_SVG_BYTES = 120 << 10 }; /* enough for a full sheet or board */

/* Returns the contrast ratio of two colours, 1 to 21. WCAG 2.2 AA asks for 4.5 for text and 3 for
 * other things. */
double es_contrast(uint32_t a, uint32_t b);

/* Returns the width of a text in the proportions of Helvetica. */
double es_text_width(struct es_str text, double size, bool bold);

/* ---- Words ---------------------------------------------------------------------------------- */

/* Titles are made of words that are written in English, ES_SAY("station"), and looked up in a
 * translation; a word that it lacks stays English. The macro marks them for the translators. */
#define ES_SAY(english) english
struct es_word {
    const char *english, *translated;
};

/* ---- Pictures ------------------------------------------------------------------------------- */

enum es_theme { ES_THEME_LIGHT, ES_THEME_DARK, ES_THEME_PRINT };

/* Data for a game's pictures that depend on the setup alone, such as a sheet's layout: computed
 * once by es_draw_prepare(), then used by all pictures. Too large for the stack. Games cast it to a
 * type of their own, hence may_alias. */
enum { ES_PREPARED_BYTES = 640 << 10 };
struct es_prepared {
    uint8_t bytes[ES_PREPARED_BYTES] __attribute__((aligned(16)));
} __attribute__((may_alias));

struct es_draw {
    const void *prepared; /* an es_prepared; not read where picture->bytes is 0 */
    /* The player whose sheet (where each has one) or hand is drawn; 0: nobody's. */
    int viewer;
    enum es_theme theme;
    bool no_names; /* leave out the names of stations */
    bool bare;     /* only the map or board: no table of values, no hands */
    bool patterns; /* distinguish lines by patterns as well as colours; always on in print */
    /* An earlier state, or NULL: what has changed since then is marked as fresh; and the events
     * from there on. */
    const struct es_state *before;
    const es_event *since;
    size_t since_count;
    /* The state after moves not yet made, or NULL: what they would change is shown as planned. */
    const struct es_state *planned;
    /* The state after a move that was played where `planned` is a better one, or NULL: drawn in a
     * second style, and titles say which is which. A game may draw nothing of it. */
    const struct es_state *instead;
    /* Where the piece that the viewer has picked up may go, in the game's own numbering; NULL:
     * where any of their pieces may go. */
    const uint64_t *targets;
    int lit; /* a line to highlight, in the game's own numbering; 0: none */
    const char (*name)[ES_LABEL_BYTES]; /* the labels from es_record_labels(), or NULL */
    const struct es_word *words;        /* a translation, sorted by the English words, or NULL */
    int word_count;
};

/* How a game is drawn. Only `draw` is required; the others may be NULL. */
struct es_picture {
    size_t bytes; /* that prepare() fills in, at most ES_PREPARED_BYTES; 0: none */
    void (*prepare)(const struct es_setup *setup, void *prepared);
    bool sheets; /* each player has a picture of their own; false: all share one board */
    void (*draw)(const struct es_setup *setup, const struct es_state *state,
                 const struct es_draw *draw, struct es_painter *painter);
    /* See es_before_latest(). Default: every event of a player is a move. */
    size_t (*before_latest)(const struct es_setup *setup, const es_event *events, size_t count,
                            int viewer);
    /* See es_draw_piece(). */
    bool (*piece)(struct es_str name, const struct es_draw *draw, struct es_painter *painter);
    /* Returns the number (es_draw.lit) of the line that a person calls `name`; 0: there is none. */
    int (*line_named)(const struct es_setup *setup, struct es_str name);
};

/* Computes what the game's pictures need for this setup. The setup must be prepared and outlive
 * `prepared`. */
void es_draw_prepare(const struct es_setup *setup, struct es_prepared *prepared);
/* Draws the viewer's sheet, or the board; for a game without a picture, its report as text. The
 * setup must be prepared. */
void es_draw(const struct es_setup *setup, const struct es_state *state, const struct es_draw *draw,
             struct es_painter *painter);

/* Returns the number of events before what is new to a viewer: all moves since their own latest; if
 * there are none, or for a spectator (0), the latest move. Where all move at once, it is the latest
 * round. Fold that many to get es_draw.before. */
size_t es_before_latest(const struct es_setup *setup, const es_event *events, size_t count,
                        int viewer);

/* Draws one piece of a game, such as a card or a tile, by the game's name for it. Returns false and
 * draws nothing if there is no such piece. */
bool es_draw_piece(const struct es_game *game, struct es_str name, const struct es_draw *draw,
                   struct es_painter *painter);

#ifdef __cplusplus
}
#endif

#endif
