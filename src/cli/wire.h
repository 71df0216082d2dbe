/* Lines to and from another program that may be slow, mad or gone: bounded, and with a deadline. */
#ifndef ENDSTATION_WIRE_H
#define ENDSTATION_WIRE_H

#include <endstation/text.h>

enum { WIRE_LINE = 1 << 16 }; /* no line that we read is longer */

struct wire {
    int in;
    size_t taken, used; /* how much was made lines of, and how much was read */
    bool ended;         /* nothing more will come */
    bool skipping;      /* in the middle of a line that is too long */
    char bytes[WIRE_LINE];
};

enum wire_status {
    WIRE_OK,
    WIRE_ENDED,
    WIRE_TOO_LONG, /* a line is; the rest of it will be passed over */
    WIRE_LATE,
    WIRE_HALTED,
};

/* When to stop waiting: at a time of wire_now (0: never), or as soon as `halt` (if there is one)
 * says so; it is asked at least every tenth of a second. */
struct wire_limit {
    double until;
    bool (*halt)(void *context);
    void *context;
};

/* Milliseconds of a clock that only goes forwards. */
double wire_now(void);

void wire_open(struct wire *wire, int in);
/* The next line, without its line end; it stays until the wire is read again. A last line without
 * newline counts. */
enum wire_status wire_read(struct wire *wire, const struct wire_limit *limit, struct es_str *line);
/* Takes in what is there, without waiting. */
void wire_fill(struct wire *wire);
/* Whether a whole line that says just this waits to be read; if `take`, it is removed. */
bool wire_waiting(struct wire *wire, const char *words, bool take);

/* Writes all of it to a file that does not block. WIRE_ENDED: nobody reads it any more. */
enum wire_status wire_write(int out, const struct wire_limit *limit, const char *bytes,
                            size_t size);

#endif
