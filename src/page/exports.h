/* Declarations shared by the files whose functions the WebAssembly modules export: exports.c, which
 * both have, and exports_analysis.c, which only analysis.wasm has. */
#ifndef ENDSTATION_SRC_PAGE_EXPORTS_H
#define ENDSTATION_SRC_PAGE_EXPORTS_H

#include "page/page.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* The session of this instance. */
extern struct es_page es__exported;

/* A buffer that can be enlarged. */
struct es__room {
    char *at;
    size_t size;
};
/* Moves a buffer to new memory of at least twice the size if it is smaller than `size`; contents
 * are not kept. The abandoned blocks together are never larger than the current one. */
void es__reserve(struct es__room *room, size_t size);

/* Returns memory for functions that keep nothing in it. */
void *es__memory(size_t size);

/* Begins an answer. */
struct es_out es__answer_begin(void);
/* Begins an answer that is a picture. */
struct es_svg *es__answer_svg(void);
/* Answers with such a picture of the open game; `flags` (draw's) and the prefix of ids are added to
 * the look. */
int es__answer_look(struct es_page_look look, int flags, struct es_str id);
/* Keeps an answer. If it did not fit, enlarges the buffer and returns false: write it again. */
bool es__answer_keep(const struct es_out *out);
/* Answers with a fault; returns its status. */
int es__answer_fault(const struct es_fault *fault);
/* Answers with a status that belongs to no line; returns it. */
int es__answer_status(es_status status, struct es_str words);

/* Returns the first `size` bytes of the input. */
struct es_str es__input(size_t size);

#endif
