/* Random questions to a store, and comparing what two stores answer: for tests of src/store.
 *
 * Ids, codes, keys and tokens come from small sets, so that everything that has to be unique is
 * often asked for twice.
 */
#ifndef ENDSTATION_STORE_QUESTIONS_H
#define ENDSTATION_STORE_QUESTIONS_H

#include "store/store.h"
#include <endstation/random.h>

struct asker {
    struct es_random random;
    uint64_t now;
    struct store_question question;
    struct store_entry entry[4];
    char text[4][6000];
    char people[400];
    struct store_pass pass[4];
    struct store_gap gap[3];
    bool counts; /* also asks COUNT, whose effect no read shows */
    bool moves;  /* also asks what is for moving everything to another store */
};

void asker_begin(struct asker *asker, uint64_t seed);
/* Makes the next question, which is valid until the next call. Appends mostly follow what `model`,
 * a store in memory, has of the room. */
const struct store_question *asker_next(struct asker *asker, struct store *model);

/* Makes questions that find out what no read can, by changing it: whether tickets are there (by
 * using them up), what is claimed, and when a process was last noted (by noting another one after
 * all have gone). Returns false if there are no more of them than `number`. */
bool asker_probe(struct asker *asker, uint32_t number, struct store_question *question);

/* Questions that are copies, to be asked as one group, with the answers of the model to each. */
enum { GROUP_MAX = 50 };
struct group {
    size_t count;
    struct store_pair pair[GROUP_MAX]; /* the answers are those of the store that is tested */
    struct store_answer expected[GROUP_MAX];
};

/* Asks the model at once, so that the next question can follow from it, and adds the question. */
void group_add(struct group *group, struct store *model, const struct store_question *question);
/* Asks the store that is tested. */
enum store_outcome group_ask(struct group *group, struct store *store);
/* Empties the group. Returns NULL if all answers of the store are the same as the model's, else
 * what differs; only those count that are not FAILED or UNKNOWN. */
const char *group_end(struct group *group);

/* Returns NULL if the answers are the same, else what differs. */
const char *answers_differ(const struct store_answer *a, const struct store_answer *b);
/* Reads from both stores everything that an asker can have written, in a group of its own. Returns
 * NULL if they have the same, "failed" if the second could not be read, else what differs. */
const char *stores_differ(struct store *model, struct store *other);

#endif
