/* The format of `endstation export`: everything that a store has, as lines of text. docs/formats.md
 * describes it. There is exactly one text for what a store has, so that two stores can be compared
 * by it.
 *
 *     struct archive_reader *reader = archive_open(file);
 *     while (archive_next(reader, &line) == ARCHIVE_LINE)
 *         …
 *
 * Whatever the bytes are, a reader needs no more memory than one line. It checks everything that
 * can be known without a store: each line is written as we would write it, everything is in its
 * order and at most as long as it may be, and the counts and the hash at the end are right.
 */
#ifndef ENDSTATION_STORE_ARCHIVE_H
#define ENDSTATION_STORE_ARCHIVE_H

#include "store/store.h"
#include <stdio.h>

enum {
    ARCHIVE_VERSION = 1,
    ARCHIVE_LINE_BYTES = 2 * STORE_TEXT_MAX + 1000, /* every character of a text may be escaped */
    ARCHIVE_GAPS_MAX = 1300000,                     /* one every 2 s for 30 days: see alive.c */
    ARCHIVE_FAULT_BYTES = 400,
};

/* Lines in the order in which they come. DEVICE and TICKET belong to the GUEST before them, ENTRY
 * to the ROOM. */
enum archive_kind {
    ARCHIVE_FIRST, /* the format and its version */
    ARCHIVE_STATE, /* when a server was last running; the key */
    ARCHIVE_GAP,
    ARCHIVE_GUEST,
    ARCHIVE_DEVICE,
    ARCHIVE_TICKET,
    ARCHIVE_SHEET,
    ARCHIVE_ROOM,
    ARCHIVE_ENTRY,
    ARCHIVE_NOTE,
    ARCHIVE_END, /* counts, and the hash of everything before it */
};

struct archive_counts {
    uint64_t guests, sheets, rooms, entries;
};

/* One line. Only the fields of its kind are set. Texts point into the reader, until its next line,
 * or stay the caller's. */
struct archive_line {
    enum archive_kind kind;
    uint64_t alive;               /* STATE */
    uint8_t key[ES_SHA256_BYTES]; /* STATE */
    struct store_gap gap;
    struct store_guest guest; /* without device */
    struct store_pass pass;   /* DEVICE, TICKET; without guest */
    struct store_sheet sheet;
    struct store_head head;
    uint64_t number; /* ENTRY, from 1 */
    struct store_entry entry;
    struct store_note note;
    struct archive_counts counts; /* END */
    uint8_t hash[ES_SHA256_BYTES];
};

/* Writes a line, with its line end. Returns false if it is too long, or has a text that is not
 * UTF-8 or has control characters other than tabs and line ends. */
bool archive_write(const struct archive_line *line, struct es_out *out);
/* Computes the hash of everything in a file up to and including the counts of this line. `sha` has
 * everything before the line. */
void archive_finish(struct archive_line *end, struct es_sha256 sha);

/* Returns the id of a GUEST, SHEET, ROOM or NOTE; empty of other lines. */
const char *archive_id(const struct archive_line *line);
/* Orders items as they come in the file: by kind, then by id. Both lines are a GUEST, SHEET,
 * ROOM, NOTE or END. */
int archive_compare(const struct archive_line *a, const struct archive_line *b);
/* What is known of the lines so far: their order and number. Zeros: none. */
struct archive_order {
    enum archive_kind last; /* kind of the latest line */
    bool begun;
    struct archive_counts counts;
    uint64_t gap;                  /* end of the latest gap */
    char guest[STORE_GUEST_BYTES]; /* the latest of each, also below */
    char device[STORE_DEVICE_BYTES];
    uint8_t ticket[ES_SHA256_BYTES];
    char sheet[33];
    char room[STORE_ROOM_BYTES];
    char note[STORE_NOTE_BYTES];
    uint64_t entry;
    size_t gaps;
};

/* Takes the next line into account. Returns false if it may not come here. */
bool archive_follows(struct archive_order *order, const struct archive_line *line);

enum archive_result {
    ARCHIVE_LINE,
    ARCHIVE_COMPLETE, /* the line is the END, and everything is right */
    ARCHIVE_CUT,      /* the file ends before its END */
    ARCHIVE_BAD,      /* the fault says why */
};

/* A place in a file between two items. */
struct archive_place {
    uint64_t offset;
    struct es_sha256 sha; /* of everything before */
    struct archive_order order;
};

struct archive_reader {
    FILE *file;
    uint64_t number;            /* of the latest line, from 1 */
    size_t size;                /* its bytes in `line`, with the line end */
    struct archive_place place; /* after the latest line */
    struct archive_place item;  /* before the latest GUEST, SHEET, ROOM, NOTE or END; else after
                                   the latest line */
    char fault[ARCHIVE_FAULT_BYTES];
    char line[ARCHIVE_LINE_BYTES], text[STORE_TEXT_MAX], again[ARCHIVE_LINE_BYTES];
};

/* Begins to read a file, which stays the caller's. NULL if there is no memory. */
struct archive_reader *archive_open(FILE *file);
enum archive_result archive_next(struct archive_reader *reader, struct archive_line *line);

#endif
