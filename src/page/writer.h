/* Interface for writing facts about a game, as JSON (json.h) or as a tree that C code reads
 * (tree.h). Code that finds facts does not know which.
 *
 *     es__write_object(w, NULL);
 *     es__write_int(w, "round", 5);
 *     es__write_array(w, "cards");
 *     es__write_text(w, NULL, "x2");
 *     es__write_end(w);
 *     es__write_end(w);
 *
 * Facts in an object have names, usually string literals, which must outlive the output. Facts in
 * an array have none: NULL. Texts may be any UTF-8 and are copied.
 */
#ifndef ENDSTATION_SRC_WRITER_H
#define ENDSTATION_SRC_WRITER_H

#include <endstation/text.h>

/* The functions of an implementation, whose own struct begins with this one. */
struct es__writer {
    void (*open)(struct es__writer *w, const char *name, bool array);
    void (*close)(struct es__writer *w);
    void (*number)(struct es__writer *w, const char *name, int64_t value);
    /* `digits` (1 to 6) of them after the point. */
    void (*fixed)(struct es__writer *w, const char *name, double value, int digits);
    void (*boolean)(struct es__writer *w, const char *name, bool value);
    void (*text)(struct es__writer *w, const char *name, struct es_str value);
};

/* Nesting is at most this deep. */
enum { ES__FACTS_DEPTH = 16 };

/* Opens an object or an array; es__write_end() closes what was opened last. */
void es__write_object(struct es__writer *w, const char *name);
void es__write_array(struct es__writer *w, const char *name);
void es__write_end(struct es__writer *w);

void es__write_int(struct es__writer *w, const char *name, int64_t value);
/* Rounds to `digits` (1 to 6) after the point. */
void es__write_fixed(struct es__writer *w, const char *name, double value, int digits);
void es__write_bool(struct es__writer *w, const char *name, bool value);
void es__write_str(struct es__writer *w, const char *name, struct es_str value);
void es__write_text(struct es__writer *w, const char *name, const char *value);
/* Writes a set of players (bit 0 for player 1) as an array of their numbers. */
void es__write_set(struct es__writer *w, const char *name, unsigned set);

#endif
