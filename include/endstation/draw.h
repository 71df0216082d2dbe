/* Pictures of any state, for any viewer: one layout, several painters.
 *
 * What is drawn is decided once, here; how, by a painter: SVG text (below), cairo for PNG and PDF
 * (outside the library), or whatever a caller brings. No word is baked into a picture: what must be
 * said is in the titles, for screen readers, and those come from a table of words.
 *
 *     es_draw_prepare(&setup, &prepared);              // once for a setup
 *     struct es_draw draw = {.viewer = 1, .theme = ES_THEME_LIGHT, .prepared = &prepared};
 *     struct es_svg svg;
 *     es_svg_open(&svg, buffer, sizeof buffer);
 *     es_draw(&setup, &state, &draw, &svg.painter);
 *     if (es_out_ok(&svg.out)) …                      // svg.out.used bytes of SVG
 *
 * Whoever draws for a viewer hands in what that viewer may know (`observe`), not the whole game.
 */
#ifndef ENDSTATION_DRAW_H
#define ENDSTATION_DRAW_H

#include <endstation/game.h>
#include <endstation/map.h>

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
    double opacity;        /* 0 means 1: not given */
    bool butt;             /* ends of the stroke are cut off, not round */
};

enum es_align { ES_ALIGN_START, ES_ALIGN_MIDDLE, ES_ALIGN_END };

/* One line of text on its baseline. It must come out `width` wide, whatever font there is. */
struct es_writing {
    struct es_str text;
    struct es_spot at;
    enum es_align align;
    double size, width;
    bool bold;
    uint32_t colour;
};

/* A part of the picture that a page can find and react to. Ids are the same for the same thing in
 * every picture; data-attributes say which line, station or square it is. Strings may hold
 * anything: painters that write markup escape them. A game says which parts it has beside its
 * pictures: endstation/NAME/.
 */
enum { ES_PART_DATA = 4, ES_PART_TEXT = 640 };
struct es_part {
    const char *kind; /* "station", "square legal", …: words by which a style finds it */
    char id[32];      /* empty: none */
    struct {
        const char *name; /* NULL ends the list */
        struct es_str value;
    } data[ES_PART_DATA];
    struct es_str title; /* size 0: none */
};

struct es_painter {
    /* The picture as a whole: its size, its background, and what it shows. */
    void (*begin)(struct es_painter *painter, double width, double height, uint32_t paper,
                  struct es_str title);
    void (*end)(struct es_painter *painter);
    /* Parts nest. */
    void (*open)(struct es_painter *painter, const struct es_part *part);
    void (*close)(struct es_painter *painter);
    /* A path is begun by `move` and painted by `paint`, which forgets it. */
    void (*move)(struct es_painter *painter, struct es_spot to);
    void (*line)(struct es_painter *painter, struct es_spot to);
    void (*curve)(struct es_painter *painter, struct es_spot a, struct es_spot b,
                  struct es_spot to);
    void (*shut)(struct es_painter *painter);
    void (*paint)(struct es_painter *painter, const struct es_pen *pen);
    void (*circle)(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen);
    void (*text)(struct es_painter *painter, const struct es_writing *writing);
};

/* SVG into a buffer of fixed size: `out.used` counts on past its end, so that a caller can see what
 * would have been needed. Styles are presentation attributes, which strict pages allow and style
 * sheets can override. */
struct es_svg {
    struct es_painter painter; /* first, so that the one can be had from the other */
    struct es_out out;
    double width;       /* in pixels, or 0: as wide as the place it is put in */
    const char *prefix; /* before every id, for several pictures on one page; or NULL */
    bool in_path;
};
void es_svg_open(struct es_svg *svg, char *buffer, size_t size);
enum { ES_SVG_BYTES = 120 << 10 }; /* a full sheet or board needs no more */

/* How much two colours differ in light, 1 to 21: text wants 4.5, other things 3 (WCAG 2.2 AA). */
double es_contrast(uint32_t a, uint32_t b);

/* How wide a text is, in the proportions of Helvetica and its kin. */
double es_text_width(struct es_str text, double size, bool bold);

/* ---- Words ---------------------------------------------------------------------------------- */

/* What titles are made of, in English; a translation is a table of the same order. */
#define ES_WORDS(X)                                                                                \
    X(LINE, "line")                                                                                \
    X(LINES, "lines")                                                                              \
    X(RING, "ring line")                                                                           \
    X(STATION, "station")                                                                          \
    X(SPECIAL, "special station")                                                                  \
    X(EMPTY, "empty")                                                                              \
    X(PENALTY, "penalty")                                                                          \
    X(CROSSED, "crossed")                                                                          \
    X(TRANSFER, "transfer")                                                                        \
    X(TRANSFERS, "transfers")                                                                      \
    X(WAGON, "wagon")                                                                              \
    X(WINDOWS, "free windows")                                                                     \
    X(FIRST, "first")                                                                              \
    X(LATER, "later")                                                                              \
    X(WON, "won")                                                                                  \
    X(LOST, "lost")                                                                                \
    X(TOTAL, "total")                                                                              \
    X(PLANNED, "planned")                                                                          \
    X(CARD, "card")                                                                                \
    X(EXPRESS, "express")                                                                          \
    X(FREE_RIDE, "free ride")                                                                      \
    X(SHUFFLE, "all cards are shuffled after it")                                                  \
    X(BOARD, "board")                                                                              \
    X(SQUARE, "square")                                                                            \
    X(TILE, "tile")                                                                                \
    X(CENTRE, "central station")                                                                   \
    X(PLAYER, "player")                                                                            \
    X(NOBODY, "nobody's")                                                                          \
    X(POINTS, "points")                                                                            \
    X(FINISHED, "finished")                                                                        \
    X(HAND, "hand")                                                                                \
    X(STOCK, "stock")                                                                              \
    X(UNKNOWN, "unknown")                                                                          \
    X(TILES, "tiles")                                                                              \
    X(LEGAL, "may be laid here")                                                                   \
    X(FRESH, "new")                                                                                \
    X(TURN, "to play")
enum es_word {
#define ES_WORD(name, english) ES_SAY_##name,
    ES_WORDS(ES_WORD)
#undef ES_WORD
        ES_SAY_COUNT
};

/* ---- Pictures ------------------------------------------------------------------------------- */

enum es_theme { ES_THEME_LIGHT, ES_THEME_DARK, ES_THEME_PRINT };

/* What a game's pictures need and what depends on the setup alone, such as where everything on a
 * sheet lies: computed once by es_draw_prepare(), then used by all pictures. Large; not for the
 * stack. Games cast it to a type of their own, hence may_alias. */
enum { ES_PREPARED_BYTES = 640 << 10 };
struct es_prepared {
    _Alignas(16) uint8_t bytes[ES_PREPARED_BYTES];
} __attribute__((may_alias));

struct es_draw {
    const void *prepared; /* an es_prepared; NULL where picture->bytes is 0 */
    /* Whose sheet where each player has one, else whose hand: a player, or 0 for nobody's. */
    int viewer;
    enum es_theme theme;
    bool no_names; /* of stations */
    bool bare;     /* only the map or board: no table of values, no hands */
    bool patterns; /* lines told apart without colours; always so in print */
    /* The state some moves ago, or NULL: what has come since is marked as fresh. */
    const struct es_state *before;
    /* The state after moves that are not yet made, or NULL: what they would bring is shown. */
    const struct es_state *planned;
    /* Where what the viewer has picked up may go, in the game's own numbers; NULL: where anything
     * of theirs may. */
    const uint64_t *targets;
    int lit;                            /* a line, in the game's own numbers; 0: none */
    const char (*name)[ES_LABEL_BYTES]; /* what es_record_labels() writes, or NULL */
    const char *const *words;           /* ES_SAY_COUNT of them, or NULL: English */
};

/* How a game is drawn. `draw` is always there, the others may be NULL. */
struct es_picture {
    size_t bytes; /* of what prepare() fills in, at most ES_PREPARED_BYTES; 0: nothing */
    void (*prepare)(const struct es_setup *setup, void *prepared);
    bool sheets; /* each player has a picture of their own, not all the same board */
    void (*draw)(const struct es_setup *setup, const struct es_state *state,
                 const struct es_draw *draw, struct es_painter *painter);
    /* See es_before_latest(). Default: before the last event of a player. */
    size_t (*before_latest)(const struct es_setup *setup, const es_event *events, size_t count);
    /* See es_draw_piece(). */
    bool (*piece)(struct es_str name, const struct es_draw *draw, struct es_painter *painter);
    /* The number (es_draw.lit) of a line that a person names; 0: there is no such line. */
    int (*line_named)(const struct es_setup *setup, struct es_str name);
};

/* Fills in what the game's pictures need for this setup, which is prepared and outlives it. */
void es_draw_prepare(const struct es_setup *setup, struct es_prepared *prepared);
/* Draws the viewer's sheet, or the board; of a game without a picture, its report as text. The
 * setup is prepared. */
void es_draw(const struct es_setup *setup, const struct es_state *state, const struct es_draw *draw,
             struct es_painter *painter);

/* How many of the events had come before the latest move, or round of moves: the state after those
 * is what `before` wants. */
size_t es_before_latest(const struct es_setup *setup, const es_event *events, size_t count);

/* Draws a single piece of a game, a card or a tile, by the name that the game gives it. False, and
 * nothing drawn, if there is no such piece. */
bool es_draw_piece(const struct es_game *game, struct es_str name, const struct es_draw *draw,
                   struct es_painter *painter);

#endif
