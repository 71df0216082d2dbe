/* Builds the answer of a store: lists and texts of any length in one block of memory.
 *
 *     struct answer_parts parts;
 *     answer_begin(&parts, question, answer);
 *     answer_head(&parts, &head);                 // texts are copied
 *     for each entry: answer_entry(&parts, &entry);
 *     answer_end(&parts);                         // FAILED if there was no memory
 *
 * Also functions for the list of people in a room's head.
 */
#ifndef ENDSTATION_STORE_ANSWER_H
#define ENDSTATION_STORE_ANSWER_H

#include "store/store.h"

/* How long a gap is kept after its end: thirty days, in milliseconds. */
#define STORE_GAP_KEPT (UINT64_C(30) * 24 * 3600 * 1000)
/* A day in milliseconds: how long counts are kept. */
#define STORE_COUNT_KEPT (UINT64_C(24) * 3600 * 1000)

/* An array that grows. */
struct answer_list {
    void *at;
    size_t count, room;
};

struct answer_parts {
    struct store_answer *answer;
    struct answer_list entries, rooms, devices, gaps, heres, bytes;
    struct answer_list passes, sheets, owners, notes; /* of pages */
    bool failed;                                      /* no memory */
};

void answer_begin(struct answer_parts *parts, const struct store_question *question,
                  struct store_answer *answer);
void answer_head(struct answer_parts *parts, const struct store_head *head);
void answer_map(struct answer_parts *parts, struct es_str text);
void answer_entry(struct answer_parts *parts, const struct store_entry *entry);
void answer_room(struct answer_parts *parts, const struct store_head *head);
void answer_device(struct answer_parts *parts, const struct store_device *device);
void answer_gap(struct answer_parts *parts, uint64_t from, uint64_t to);
void answer_here(struct answer_parts *parts, const char *process, struct es_str text);
void answer_pass(struct answer_parts *parts, const struct store_pass *pass);
void answer_sheet(struct answer_parts *parts, const struct store_sheet *sheet);
void answer_owner(struct answer_parts *parts, const struct store_guest *guest);
void answer_note(struct answer_parts *parts, const struct store_note *note);
/* Moves everything into the answer's memory. Without memory the answer is FAILED. */
void answer_end(struct answer_parts *parts);

/* Sets the answer to a question that is not asked: only its outcome. Frees an earlier answer. */
void answer_give_up(const struct store_pair *pair, enum store_outcome outcome);
/* Sets the answers of a group whose writes have this outcome, which is not STORED. Refused writes
 * stay refused; reads have failed. Without any writes it does nothing. */
void answers_give_up(const struct store_pair *pair, size_t count, enum store_outcome outcome);

/* Takes the next line from the front of a head's `people` and finds the guest's id in it. Returns
 * false at the end. `line` includes the newline, if there is one. */
bool people_next(struct es_str *rest, struct es_str *line, struct es_str *guest);
/* Copies the lines of `people` whose guests stay to `buffer`, which has room for `people.size`
 * bytes, and returns the number of bytes. The buffer may be `people` itself. */
size_t people_keep(struct es_str people, bool (*stays)(void *context, struct es_str guest),
                   void *context, char *buffer);
/* people_keep() without the lines of one guest. */
size_t people_without(struct es_str people, const char *guest, char *buffer);
/* Returns true if `people` marks a guest as one who sits there or hosts. */
bool people_sits(struct es_str people, const char *guest);

#endif
