/* The store of the simulation: the store in memory with a queue, which can be slow, full, broken,
 * or leave the outcome of writes unknown.
 *
 * Questions that come while a group is under way become the next group. A group is written at one
 * moment and answered at a later one; the server may crash before, between and after.
 */
#include "sim.h"

struct asked {
    struct store_question question;
    struct store_answer answer;
    struct asked *next;
};

enum trouble { FINE, SLOW, FULL, BROKEN, SHAKY, TROUBLES };

static struct store *store;
static struct asked *queue, **queue_end = &queue;
static struct asked *group; /* being written or waiting for its answer */
static bool written;        /* the group has been written, and waits to be answered */
static uint64_t generation; /* of the group that the events are about */
static enum trouble trouble;
static bool under_way;

void disk_open(void)
{
    store = store_memory();
    if (!store)
        abort();
    queue = group = NULL;
    queue_end = &queue;
    written = under_way = false;
    trouble = FINE;
}

/* ---- Questions ------------------------------------------------------------------------------- */

static struct es_str put(char **at, struct es_str text)
{
    char *copy = *at;
    if (text.size)
        memcpy(copy, text.at, text.size);
    copy[text.size] = '\0';
    *at += text.size + 1;
    return (struct es_str){copy, text.size};
}

/* Copies a question with its texts, which are valid only during the call. */
static struct asked *copy(const struct store_question *question)
{
    bool append = question->kind == STORE_APPEND;
    size_t entries = append ? question->entries : 0, size = sizeof(struct asked);
    size += entries * sizeof *question->entry + question->text.size + 1;
    size += question->head.people.size + 1;
    for (size_t i = 0; i < entries; i++)
        size += question->entry[i].text.size + 1;
    struct asked *asked = malloc(size);
    if (!asked)
        abort();
    *asked = (struct asked){.question = *question};
    struct store_entry *entry = (struct store_entry *)(asked + 1);
    char *at = (char *)(entry + entries);
    for (size_t i = 0; i < entries; i++) {
        entry[i] = question->entry[i];
        entry[i].text = put(&at, question->entry[i].text);
    }
    asked->question.entry = entry;
    asked->question.entries = entries;
    asked->question.head.people = append ? put(&at, question->head.people) : es_str("");
    asked->question.text =
        question->kind == STORE_MAP ? put(&at, question->text) : (struct es_str){NULL, 0};
    return asked;
}

static void drop_list(struct asked *list)
{
    for (struct asked *next; list; list = next) {
        next = list->next;
        free(list->answer.memory);
        free(list);
    }
}

static void next_group(void)
{
    if (under_way || !queue)
        return;
    group = queue;
    queue = NULL;
    queue_end = &queue;
    under_way = true;
    written = false;
    generation++;
    bool slow = !world.healing && (trouble == SLOW || (!world.calm && chance(100)));
    if (slow)
        count("fault", "slow store");
    after(slow ? between(100, SECONDS(30)) : below(3), EVENT_WRITE, NULL, generation);
}

static const char *const kinds[] = {"append", "guest",   "ticket", "redeem", "withdraw", "forget",
                                    "map",    "count",   "alive",  "clean",  "read",     "find",
                                    "who",    "devices", "sheet",  "mine",   "rooms"};

void disk_ask(const struct store_question *question)
{
    struct asked *asked = copy(question);
    count("store", kinds[question->kind]);
    trace("ask", question->kind, es_str(question->head.room));
    *queue_end = asked;
    queue_end = &asked->next;
    next_group();
    /* Let some crashes happen just when something is written. */
    if (question->kind == STORE_APPEND && !world.healing && !world.calm && chance(1000))
        after(below(5), EVENT_CRASH, NULL, 0);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Asks the store the group's questions and commits. Writes that are stored are answered with
 * `told`.
 */
static void write_group(enum store_outcome told)
{
    for (struct asked *asked = group; asked; asked = asked->next)
        store_ask(store, &asked->question, &asked->answer);
    for (struct asked *asked = group; asked; asked = asked->next) {
        if (!store_writes(asked->question.kind))
            continue;
        if (asked->answer.outcome == STORE_REFUSED)
            count("fault", "store refused");
        else {
            check_stored(&asked->question);
            asked->answer.outcome = told;
        }
    }
}

/* Writes nothing: writes are answered with `writes`; reads are answered if `reads`, else fail. */
static void fail_group(enum store_outcome writes, bool reads)
{
    for (struct asked *asked = group; asked; asked = asked->next) {
        if (!store_writes(asked->question.kind) && reads)
            store_ask(store, &asked->question, &asked->answer);
        else
            asked->answer = (struct store_answer){
                .id = asked->question.id,
                .kind = asked->question.kind,
                .outcome = store_writes(asked->question.kind) ? writes : STORE_FAILED};
    }
}

static bool group_writes(void)
{
    for (struct asked *asked = group; asked; asked = asked->next)
        if (store_writes(asked->question.kind))
            return true;
    return false;
}

/* Stores one batch of the group beforehand, as if another server process had written it first. */
static void rival(void)
{
    struct asked *asked = group;
    while (asked && (asked->question.kind != STORE_APPEND || asked->question.first == 1))
        asked = asked->next;
    if (!asked)
        return;
    struct store_answer answer;
    store_ask(store, &asked->question, &answer);
    if (answer.outcome == STORE_STORED) {
        count("fault", "another process wrote first");
        check_stored(&asked->question);
    }
    free(answer.memory);
}

/* Writes the group, or lets it fail, as the current trouble has it. */
static void decide(void)
{
    bool writes = group_writes();
    if (world.healing || world.calm) {
        write_group(STORE_STORED);
    } else if (trouble == FULL && writes) {
        count("fault", "store full");
        fail_group(STORE_FAILED, true);
    } else if (trouble == BROKEN) {
        count("fault", "store broken");
        fail_group(STORE_FAILED, false);
    } else if (writes && (trouble == SHAKY ? !chance(3) : chance(150))) {
        if (chance(2)) {
            count("fault", "unknown: it was written");
            write_group(STORE_UNKNOWN);
        } else {
            count("fault", "unknown: it was not written");
            fail_group(STORE_UNKNOWN, true);
        }
    } else {
        if (writes && chance(trouble == SHAKY ? 20 : 300))
            rival();
        write_group(STORE_STORED);
    }
}

void disk_write(uint64_t number)
{
    if (!under_way || written || number != generation)
        return;
    decide();
    written = true;
    bool slow = !world.healing && trouble == SLOW;
    after(slow ? between(0, SECONDS(10)) : below(3), EVENT_ANSWER, NULL, generation);
}

void disk_answer(uint64_t number)
{
    if (!under_way || !written || number != generation)
        return;
    struct asked *list = group;
    group = NULL;
    under_way = false;
    /* Questions that the server asks because of these answers are a later group. */
    next_group();
    for (struct asked *asked = list; asked; asked = asked->next) {
        trace("answer", asked->answer.outcome, es_str(kinds[asked->question.kind]));
        world_answer(&asked->answer);
    }
    drop_list(list);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

void disk_crash(void)
{
    if (under_way && !written && chance(2)) {
        decide();
        written = true;
    }
    if (under_way && written && group_writes())
        count("fault", "crash between write and answer");
    else if (under_way && group_writes())
        count("fault", "crash before the write");
    drop_list(group);
    drop_list(queue);
    group = queue = NULL;
    queue_end = &queue;
    under_way = false;
}

void disk_fault(void)
{
    if (world.healing)
        return;
    trouble = trouble == FINE ? 1 + below(TROUBLES - 1) : FINE;
    after(trouble == FINE ? between(MINUTES(5), HOURS(3)) : between(SECONDS(5), MINUTES(4)),
          EVENT_DISK_FAULT, NULL, 0);
}

void disk_heal(void)
{
    trouble = FINE;
}

void disk_read(const struct store_question *question, struct store_answer *answer)
{
    store_ask(store, question, answer);
}

void disk_close(void)
{
    drop_list(group);
    drop_list(queue);
    group = queue = NULL;
    queue_end = &queue;
    store->close(store);
    store = NULL;
}
