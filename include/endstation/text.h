/* Text in and out: slices, a scanner for the project's line formats, a bounded writer, faults.
 *
 * Nothing here allocates. A slice points into text that the caller keeps.
 */
#ifndef ENDSTATION_TEXT_H
#define ENDSTATION_TEXT_H

#include <endstation/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ES_TEXT_MAX = 16 << 20, /* no file of ours is larger; readers refuse more */
    ES_NAME_CHARS = 60,
    ES_NAME_BYTES = ES_NAME_CHARS * 4 + 1, /* a name in UTF-8 with its closing zero */
    ES_LABEL_BYTES = ES_NAME_BYTES + 32,   /* a name and what tells equal ones apart */
};

/* A piece of text that somebody else owns; not closed by a zero. */
struct es_str {
    const char *at;
    size_t size;
};

struct es_str es_str(const char *text);
bool es_str_is(struct es_str a, const char *text);
bool es_str_same(struct es_str a, struct es_str b);
struct es_str es_str_trim(struct es_str s);
/* Characters (not bytes) of valid UTF-8. */
size_t es_str_length(struct es_str s);
/* Copies into a buffer and closes it with a zero; false if it does not fit (nothing is copied). */
bool es_str_copy(struct es_str s, char *buffer, size_t size);
/* Cuts the next word off the front of `rest`; false if only blanks are left. */
bool es_str_word(struct es_str *rest, struct es_str *word);
/* Decimal, no sign, no leading zeros, at most `max`. Answers ES_OK, NUMBER_BAD or NUMBER_RANGE. */
es_status es_str_number(struct es_str s, unsigned max, unsigned *value);
/* Exactly 2 * size lower-case hex digits. */
bool es_str_hex(struct es_str s, uint8_t *bytes, size_t size);

/* What is wrong with a text, and where. Line 0 stands for the file as a whole. */
struct es_fault {
    es_status status;
    int line;
    char words[80]; /* the offending text, cut to 72 bytes plus an ellipsis; may be empty */
    char reason[248];
};

/* Fills a fault in: the offending words (cut if long; size 0 for none), then the sentence.
 * Returns the status. */
es_status es_fault_set(struct es_fault *fault, int line, es_status status, struct es_str words);

/* Lines of a text: a byte-order mark at the start and one carriage return at a line's end are
 * dropped, blanks at both ends trimmed. A last line without newline counts; nothing behind the
 * last newline does not. */
struct es_lines {
    struct es_str rest;
    struct es_str line;
    int number; /* of `line`, from 1 */
};

/* Checks that all of it is UTF-8 without control characters (tab and line ends excepted) and not
 * too large, and sets the lines to the start. */
es_status es_lines_open(struct es_lines *lines, struct es_str text, struct es_fault *fault);
/* Moves on to the next line; false at the end, `line` and `number` then stay at the last. */
bool es_lines_next(struct es_lines *lines);
/* A line to be passed over wherever it stands below line 1. */
bool es_lines_comment(const struct es_lines *lines);

/* A writer into a buffer of fixed size. `used` counts on past the end, so that a caller can see
 * what would have been needed; the buffer is never overrun. */
struct es_out {
    char *at;
    size_t size;
    size_t used;
};

void es_out_char(struct es_out *out, char c);
void es_out_text(struct es_out *out, const char *text);
void es_out_str(struct es_out *out, struct es_str s);
void es_out_int(struct es_out *out, long value);
void es_out_hex(struct es_out *out, const uint8_t *bytes, size_t size);
/* True if everything fitted. */
bool es_out_ok(const struct es_out *out);

#endif
