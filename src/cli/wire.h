/* Line-based I/O with another process. Lines are limited to WIRE_LINE bytes and every wait can have
 * a deadline, so that a hung, flooding or dead peer cannot block us. */
#ifndef ENDSTATION_WIRE_H
#define ENDSTATION_WIRE_H

#include <endstation/text.h>

enum { WIRE_LINE = 1 << 16 }; /* longest line that is read */

struct wire {
    int in;
    size_t taken, used; /* bytes returned as lines; bytes read */
    bool ended;         /* nothing more will come */
    bool skipping;      /* in the middle of a line that is too long */
    char bytes[WIRE_LINE];
};

enum wire_status {
    WIRE_OK,
    WIRE_ENDED,
    WIRE_TOO_LONG, /* the line is longer than WIRE_LINE; its rest will be skipped */
    WIRE_LATE,
    WIRE_HALTED,
};

/* When to stop waiting: at a time of wire_now (0: never), or as soon as `halt` (may be NULL)
 * returns true; it is polled at least every tenth of a second. */
struct wire_limit {
    double until;
    bool (*halt)(void *context);
    void *context;
};

/* Returns the milliseconds of a monotonic clock. */
double wire_now(void);

void wire_open(struct wire *wire, int in);
/* Reads the next line, without its line end; valid until the next read. A last line without newline
 * counts. */
enum wire_status wire_read(struct wire *wire, const struct wire_limit *limit, struct es_str *line);
/* Reads what is there, without waiting. */
void wire_fill(struct wire *wire);
/* Returns true if a complete line with exactly these words is waiting; removes it if `take`. */
bool wire_waiting(struct wire *wire, const char *words, bool take);

/* Writes all bytes to a non-blocking file. Returns WIRE_ENDED if the reader is gone. */
enum wire_status wire_write(int out, const struct wire_limit *limit, const char *bytes,
                            size_t size);

#endif
