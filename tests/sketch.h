/* A painter that records what is painted, so that tests can measure it: every name with its box,
 * every line, station and wagon as spots with a radius, a point apart, and every pen stroke. It
 * does not use the layout. */
#ifndef ENDSTATION_SKETCH_H
#define ENDSTATION_SKETCH_H

#include <endstation/draw.h>

enum {
    SKETCH_SPOTS = 400000,
    SKETCH_RUNS = 20000,
    SKETCH_TEXTS = 512,
    SKETCH_DEPTH = 16,
    SKETCH_PARTS = 2048,
};

struct sketch_spot {
    struct es_spot at;
    double radius;
    int part; /* the nearest part around it that has an id */
    int run;  /* spots of one path have the same number */
};

/* What one call paints: a path, or a circle. */
struct sketch_run {
    struct es_pen pen;
    struct es_box box; /* around it, without the width of the pen */
    int first, end;    /* its spots */
    int moves;         /* strokes that it consists of; 0: a circle */
};

struct sketch_text {
    char text[256];
    struct es_box box;
    int part;
    char kind[32]; /* of the innermost part */
};

struct sketch_part {
    char kind[32], id[32], title[ES_PART_TEXT];
    struct es_box box; /* around all of it */
    int first, end;    /* its spots */
};

struct sketch {
    struct es_painter painter;
    double wide, high;
    int begun, ended;
    int parts, depth, stack[SKETCH_DEPTH]; /* numbers of the open parts */
    int texts, spots, runs, first;         /* first: the first spot of the path under way */
    int moves;                             /* strokes of it */
    char title[ES_PART_TEXT];              /* of the picture */
    struct es_spot last, start;
    /* Arrays come last: they need not be cleared. */
    struct sketch_part part[SKETCH_PARTS];
    struct sketch_text text[SKETCH_TEXTS];
    struct sketch_spot spot[SKETCH_SPOTS];
    struct sketch_run run[SKETCH_RUNS];
};

/* Makes the sketch ready to paint; everything painted before is forgotten. */
void sketch_open(struct sketch *sketch);
/* Returns the number of the part with that id, or -1. */
int sketch_part(const struct sketch *sketch, const char *id);
/* Returns the next run of a part after number `run` (-1: the first of all); -1 if there is none. */
int sketch_next_run(const struct sketch *sketch, int part, int run);

#endif
