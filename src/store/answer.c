/* Answers of a store: collects lists and texts, then moves them into one block of memory. */
#include "store/answer.h"
#include <stdlib.h>
#include <string.h>

bool store_writes(enum store_kind kind)
{
    return kind <= STORE_CLEAN || kind >= STORE_PUT_GUEST;
}

void store_ask(struct store *store, const struct store_question *question,
               struct store_answer *answer)
{
    struct store_pair pair = {question, answer};
    store->answer(store, &pair, 1);
}

void answer_begin(struct answer_parts *parts, const struct store_question *question,
                  struct store_answer *answer)
{
    *answer =
        (struct store_answer){.id = question->id, .kind = question->kind, .outcome = STORE_STORED};
    *parts = (struct answer_parts){.answer = answer};
}

/* Adds `count` elements of `each` bytes; false if there is no memory. */
static bool list_add(struct answer_parts *parts, struct answer_list *list, const void *elements,
                     size_t count, size_t each)
{
    if (parts->failed)
        return false;
    if (list->room - list->count < count) {
        size_t room = (list->count + count) * 2 + 8;
        void *at = realloc(list->at, room * each);
        if (!at) {
            parts->failed = true;
            return false;
        }
        list->at = at;
        list->room = room;
    }
    if (count)
        memcpy((char *)list->at + list->count * each, elements, count * each);
    list->count += count;
    return true;
}

/* Copies a text. As the bytes may still move, `at` of the result is an offset into them;
 * answer_end() turns it into an address. */
static struct es_str text_add(struct answer_parts *parts, struct es_str text)
{
    size_t offset = parts->bytes.count;
    if (!list_add(parts, &parts->bytes, text.at, text.size, 1))
        return (struct es_str){NULL, 0};
    return (struct es_str){(const char *)(uintptr_t)offset, text.size};
}

void answer_head(struct answer_parts *parts, const struct store_head *head)
{
    parts->answer->head = *head;
    parts->answer->head.people = text_add(parts, head->people);
}

void answer_map(struct answer_parts *parts, struct es_str text)
{
    parts->answer->map = text_add(parts, text);
}

void answer_entry(struct answer_parts *parts, const struct store_entry *entry)
{
    struct store_entry copy = *entry;
    copy.text = text_add(parts, entry->text);
    list_add(parts, &parts->entries, &copy, 1, sizeof copy);
}

void answer_room(struct answer_parts *parts, const struct store_head *head)
{
    struct store_head copy = *head;
    copy.people = text_add(parts, head->people);
    list_add(parts, &parts->rooms, &copy, 1, sizeof copy);
}

void answer_device(struct answer_parts *parts, const struct store_device *device)
{
    list_add(parts, &parts->devices, device, 1, sizeof *device);
}

void answer_gap(struct answer_parts *parts, uint64_t from, uint64_t to)
{
    struct store_gap gap = {from, to};
    list_add(parts, &parts->gaps, &gap, 1, sizeof gap);
}

void answer_here(struct answer_parts *parts, const char *process, struct es_str text)
{
    struct store_here here = {.text = text_add(parts, text)};
    strcpy(here.process, process);
    list_add(parts, &parts->heres, &here, 1, sizeof here);
}

void answer_pass(struct answer_parts *parts, const struct store_pass *pass)
{
    list_add(parts, &parts->passes, pass, 1, sizeof *pass);
}

void answer_sheet(struct answer_parts *parts, const struct store_sheet *sheet)
{
    struct store_sheet copy = *sheet;
    copy.text = text_add(parts, sheet->text);
    list_add(parts, &parts->sheets, &copy, 1, sizeof copy);
}

void answer_owner(struct answer_parts *parts, const struct store_guest *guest)
{
    list_add(parts, &parts->owners, guest, 1, sizeof *guest);
}

void answer_note(struct answer_parts *parts, const struct store_note *note)
{
    struct store_note copy = *note;
    copy.text = text_add(parts, note->text);
    list_add(parts, &parts->notes, &copy, 1, sizeof copy);
}

/* Copies a list to *to and advances *to by its size. Returns the copy. */
static void *list_move(const struct answer_list *list, size_t each, char **to)
{
    void *copy = *to;
    if (list->count)
        memcpy(copy, list->at, list->count * each);
    *to += list->count * each;
    return copy;
}

static void text_move(struct es_str *text, const char *bytes)
{
    text->at = bytes + (uintptr_t)text->at;
}

void answer_end(struct answer_parts *parts)
{
    struct store_answer *answer = parts->answer;
    size_t size = parts->entries.count * sizeof(struct store_entry) +
                  parts->rooms.count * sizeof(struct store_head) +
                  parts->devices.count * sizeof(struct store_device) +
                  parts->gaps.count * sizeof(struct store_gap) +
                  parts->heres.count * sizeof(struct store_here) +
                  parts->passes.count * sizeof(struct store_pass) +
                  parts->sheets.count * sizeof(struct store_sheet) +
                  parts->notes.count * sizeof(struct store_note) +
                  parts->owners.count * sizeof(struct store_guest) + parts->bytes.count;
    char *memory = NULL;
    if (!parts->failed && size) {
        memory = malloc(size);
        parts->failed = !memory;
    }
    if (parts->failed) {
        *answer =
            (struct store_answer){.id = answer->id, .kind = answer->kind, .outcome = STORE_FAILED};
    } else if (memory) {
        char *to = memory;
        struct store_entry *entry = list_move(&parts->entries, sizeof *entry, &to);
        struct store_head *heads = list_move(&parts->rooms, sizeof *heads, &to);
        answer->device = list_move(&parts->devices, sizeof *answer->device, &to);
        answer->gap = list_move(&parts->gaps, sizeof *answer->gap, &to);
        struct store_here *here = list_move(&parts->heres, sizeof *here, &to);
        answer->pass = list_move(&parts->passes, sizeof *answer->pass, &to);
        struct store_sheet *sheet = list_move(&parts->sheets, sizeof *sheet, &to);
        struct store_note *note = list_move(&parts->notes, sizeof *note, &to);
        answer->owner = list_move(&parts->owners, sizeof *answer->owner, &to); /* not aligned */
        const char *bytes = list_move(&parts->bytes, 1, &to);
        answer->entries = parts->entries.count;
        for (size_t i = 0; i < answer->entries; i++)
            text_move(&entry[i].text, bytes);
        answer->entry = entry;
        answer->rooms = parts->rooms.count;
        for (size_t i = 0; i < answer->rooms; i++)
            text_move(&heads[i].people, bytes);
        answer->heads = heads;
        answer->devices = parts->devices.count;
        answer->gaps = parts->gaps.count;
        answer->heres = parts->heres.count;
        for (size_t i = 0; i < answer->heres; i++)
            text_move(&here[i].text, bytes);
        answer->here = here;
        answer->passes = parts->passes.count;
        answer->sheets = parts->sheets.count;
        for (size_t i = 0; i < answer->sheets; i++)
            text_move(&sheet[i].text, bytes);
        answer->sheet = sheet;
        answer->owners = parts->owners.count;
        answer->notes = parts->notes.count;
        for (size_t i = 0; i < answer->notes; i++)
            text_move(&note[i].text, bytes);
        answer->note = note;
        text_move(&answer->head.people, bytes);
        text_move(&answer->map, bytes);
        answer->memory = memory;
    }
    free(parts->entries.at);
    free(parts->rooms.at);
    free(parts->devices.at);
    free(parts->gaps.at);
    free(parts->heres.at);
    free(parts->passes.at);
    free(parts->sheets.at);
    free(parts->owners.at);
    free(parts->notes.at);
    free(parts->bytes.at);
}

void answer_give_up(const struct store_pair *pair, enum store_outcome outcome)
{
    free(pair->answer->memory);
    *pair->answer = (struct store_answer){
        .id = pair->question->id, .kind = pair->question->kind, .outcome = outcome};
}

void answers_give_up(const struct store_pair *pair, size_t count, enum store_outcome outcome)
{
    bool has_writes = false;
    for (size_t i = 0; i < count; i++)
        has_writes |= store_writes(pair[i].question->kind);
    for (size_t i = 0; i < count && has_writes; i++) {
        if (!store_writes(pair[i].question->kind))
            answer_give_up(&pair[i], STORE_FAILED);
        else if (pair[i].answer->outcome != STORE_REFUSED)
            answer_give_up(&pair[i], outcome);
    }
}

/* ---- People ---------------------------------------------------------------------------------- */

bool people_next(struct es_str *rest, struct es_str *line, struct es_str *guest)
{
    if (!rest->size)
        return false;
    const char *end = memchr(rest->at, '\n', rest->size);
    *line = (struct es_str){rest->at, end ? (size_t)(end - rest->at) + 1 : rest->size};
    const char *blank = memchr(line->at, ' ', line->size);
    *guest = (struct es_str){line->at, blank ? (size_t)(blank - line->at) : 0};
    rest->at += line->size;
    rest->size -= line->size;
    return true;
}

size_t people_keep(struct es_str people, bool (*stays)(void *context, struct es_str guest),
                   void *context, char *buffer)
{
    size_t used = 0;
    struct es_str line, guest;
    while (people_next(&people, &line, &guest)) {
        if (!stays(context, guest))
            continue;
        memmove(buffer + used, line.at, line.size);
        used += line.size;
    }
    return used;
}

static bool is_another(void *context, struct es_str guest)
{
    return !es_str_is(guest, context);
}

size_t people_without(struct es_str people, const char *guest, char *buffer)
{
    return people_keep(people, is_another, (void *)guest, buffer);
}

bool people_sits(struct es_str people, const char *guest)
{
    struct es_str line, who;
    while (people_next(&people, &line, &who))
        if (es_str_is(who, guest))
            return line.size > who.size + 1 && line.at[who.size + 1] == '+';
    return false;
}
