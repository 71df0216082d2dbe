/* Text input and output: slices, a scanner for the project's line formats, a bounded writer, and
 * faults in texts.
 *
 * Nothing here allocates. A slice points into text that the caller keeps.
 */
#ifndef ENDSTATION_TEXT_H
#define ENDSTATION_TEXT_H

#include <endstation/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_TEXT_MAX = 16 << 20, /* readers reject larger texts */
    ES_NAME_CHARS = 60,
    ES_NAME_BYTES = ES_NAME_CHARS * 4 + 1, /* a name in UTF-8 with its terminating zero */
    ES_LABEL_BYTES = ES_NAME_BYTES + 32,   /* a name, and a suffix where two are equal */
};

/* A slice of text owned by the caller; not zero-terminated. */
struct es_str {
    const char *at;
    size_t size;
};

struct es_str es_str(const char *text);
bool es_str_is(struct es_str a, const char *text);
bool es_str_same(struct es_str a, struct es_str b);
struct es_str es_str_trim(struct es_str s);
/* Returns the number of characters (not bytes) of valid UTF-8. */
size_t es_str_length(struct es_str s);
/* Copies into a buffer and adds a terminating zero. If it does not fit, returns false and copies
 * nothing. */
bool es_str_copy(struct es_str s, char *buffer, size_t size);
/* Removes the next word from the front of `rest`; false if only blanks are left. */
bool es_str_word(struct es_str *rest, struct es_str *word);
/* Reads a decimal number without sign or leading zeros, at most `max`. Returns ES_OK, ES_NUMBER_BAD
 * or ES_NUMBER_RANGE. */
es_status es_str_number(struct es_str s, unsigned max, unsigned *value);
/* Reads exactly 2 * size lower-case hex digits; false if `s` is anything else. */
bool es_str_hex(struct es_str s, uint8_t *bytes, size_t size);

/* What is wrong with a text, and where. Line 0 stands for the file as a whole. */
struct es_fault {
    es_status status;
    int line;
    char words[80]; /* the offending text, cut to 72 bytes plus an ellipsis; may be empty */
    char reason[248];
};

/* Fills in a fault: status, line, the offending words (size 0: none) and the status's sentence as
 * reason. Returns the status. */
es_status es_fault_set(struct es_fault *fault, int line, es_status status, struct es_str words);

/* Lines of a text: a byte-order mark at the start and one carriage return at a line's end are
 * dropped, blanks at both ends trimmed. Text after the last newline is a line only if it is not
 * empty. */
struct es_lines {
    struct es_str rest;
    struct es_str line;
    int number; /* of `line`, from 1 */
};

/* Checks that the text is UTF-8 without control characters (except tab and line ends) and not too
 * large, and starts before the first line. */
es_status es_lines_open(struct es_lines *lines, struct es_str text, struct es_fault *fault);
/* Moves on to the next line; false at the end, `line` and `number` then stay at the last. */
bool es_lines_next(struct es_lines *lines);
/* True if the current line is a comment: any line but the first that begins with '#'. */
bool es_lines_comment(const struct es_lines *lines);

/* A writer into a buffer of fixed size. The buffer is never overrun; `used` counts on past its end,
 * so that a caller can see how much was needed. */
struct es_out {
    char *at;
    size_t size;
    size_t used;
};

void es_out_char(struct es_out *out, char c);
void es_out_text(struct es_out *out, const char *text);
void es_out_str(struct es_out *out, struct es_str s);
void es_out_int(struct es_out *out, int64_t value);
void es_out_hex(struct es_out *out, const uint8_t *bytes, size_t size);
/* Returns true if everything fitted. */
bool es_out_ok(const struct es_out *out);

#ifdef __cplusplus
}
#endif

#endif
