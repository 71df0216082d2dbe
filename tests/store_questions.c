/* Implementation of store_questions.h. */
#include "store_questions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOMS = 8, CODES = 6, GUESTS = 5, TOKENS = 12, TICKETS = 8, MAPS = 4, DEVICES = 4 };
enum { PROCESSES = 4 };

void asker_begin(struct asker *asker, uint64_t seed)
{
    es_random_seed(&asker->random, seed);
    asker->now = 1000;
}

static uint32_t below(struct asker *asker, uint32_t n)
{
    return es_random_below(&asker->random, n);
}

static void name_room(char *name, uint32_t number)
{
    snprintf(name, STORE_ROOM_BYTES, "room%u%s", number, number % 2 ? "aaaaaaaaaaa" : "");
}

/* One of the codes, or none. */
static void make_code(struct asker *asker, char *code, uint32_t codes)
{
    uint32_t number = below(asker, codes);
    if (below(asker, 9))
        snprintf(code, STORE_CODE_BYTES, "CODE%u", number % 10);
}

static void name_guest(char *name, uint32_t number)
{
    snprintf(name, STORE_GUEST_BYTES, "guest%u", number);
}

/* The first has no name, like the only process of a store. */
static void name_process(char *name, uint32_t number)
{
    name[0] = '\0';
    if (number)
        snprintf(name, STORE_PROCESS_BYTES, "process%u", number % 10);
}

static void name_hash(uint8_t hash[ES_SHA256_BYTES], char kind, uint32_t number)
{
    memset(hash, kind, ES_SHA256_BYTES);
    hash[7] = (uint8_t)number;
    hash[9] = 0;
}

static void name_map(char map[33], uint32_t number)
{
    snprintf(map, 33, "%032u", number);
}

/* Mostly short texts, sometimes one that fills pages, sometimes none. */
static struct es_str make_text(struct asker *asker, char *buffer, size_t most)
{
    uint32_t size = below(asker, 8) ? below(asker, 24) : below(asker, (uint32_t)most);
    for (uint32_t i = 0; i < size; i++)
        buffer[i] = (char)('a' + below(asker, 26));
    return (struct es_str){buffer, size};
}

static void make_entry(struct asker *asker, int number)
{
    static const char kinds[] = "mslahSwBebtcgkCnxCCCruu";
    struct store_entry *entry = &asker->entry[number];
    *entry = (struct store_entry){
        .time = asker->now,
        .kind = (uint8_t)kinds[below(asker, sizeof kinds - 1)],
        .seat = (uint8_t)below(asker, 3),
        .decision = below(asker, 3) ? -1 : (int32_t)below(asker, 60),
        .text = make_text(asker, asker->text[number], sizeof asker->text[number]),
    };
    if (below(asker, 4))
        name_guest(entry->guest, below(asker, GUESTS));
    if (!below(asker, 3))
        snprintf(entry->key, sizeof entry->key, "key%u", below(asker, 60));
}

static void make_people(struct asker *asker, struct store_head *head)
{
    size_t used = 0;
    for (uint32_t i = 0; i < GUESTS; i++) {
        uint32_t colour = below(asker, 8);
        if (below(asker, 2))
            used += (size_t)snprintf(asker->people + used, sizeof asker->people - used,
                                     "guest%u %s%u Name %u\n", i, below(asker, 2) ? "+" : "",
                                     colour, below(asker, 3));
    }
    head->people = (struct es_str){asker->people, used};
}

static void make_append(struct asker *asker, struct store *model)
{
    struct store_question *question = &asker->question;
    struct store_head *head = &question->head;
    struct store_answer answer;
    name_room(head->room, below(asker, ROOMS));
    struct store_question read = {.kind = STORE_READ, .head = *head};
    store_ask(model, &read, &answer);
    question->first = answer.entries + 1;
    /* A room's head mostly stays as it is until the room is over, as in real ones. */
    bool was_over = answer.head.over;
    if (answer.found && below(asker, 3)) {
        *head = answer.head;
        if (head->people.size)
            memcpy(asker->people, head->people.at, head->people.size);
        head->people.at = asker->people;
    } else {
        if (answer.found)
            memcpy(head->code, answer.head.code, sizeof head->code);
        else
            make_code(asker, head->code, CODES);
        if (!below(asker, 3))
            name_map(head->map, below(asker, MAPS));
        head->listed = below(asker, 2);
        head->wake = below(asker, 2) ? asker->now + below(asker, 1000) : 0;
        make_people(asker, head);
    }
    head->over = was_over ? below(asker, 12) : !below(asker, 10);
    head->changed = asker->now;
    free(answer.memory);
    if (!below(asker, 12))
        question->first += below(asker, 5) - 2u;
    question->entries = below(asker, 5);
    question->entry = asker->entry;
    for (int i = 0; i < (int)question->entries; i++) {
        make_entry(asker, i);
        if (asker->entry[i].kind == ENTRY_UNSAID && question->first > 1) /* one before these */
            asker->entry[i].text.size = (size_t)snprintf(
                asker->text[i], sizeof asker->text[i], "%u",
                1 + below(asker, (uint32_t)(question->first < 1000 ? question->first - 1 : 1)));
    }
}

/* One of a few ids, of the kinds that matter most. */
static void make_note(struct asker *asker)
{
    struct store_note *note = &asker->question.note;
    uint32_t guest = below(asker, GUESTS);
    name_guest(note->guest, guest);
    snprintf(note->id, sizeof note->id, "%cguest%u", "mmbra"[below(asker, 5)],
             below(asker, 3) ? guest : below(asker, 9));
    note->made = asker->now;
    note->until = asker->now + below(asker, 9000);
    note->text = make_text(asker, asker->text[0], 300);
}

static enum store_kind make_kind(struct asker *asker)
{
    static const uint8_t likely[] = {
        STORE_APPEND, STORE_APPEND, STORE_APPEND,   STORE_APPEND, STORE_APPEND, STORE_APPEND,
        STORE_APPEND, STORE_APPEND, STORE_GUEST,    STORE_GUEST,  STORE_TICKET, STORE_TICKET,
        STORE_REDEEM, STORE_REDEEM, STORE_WITHDRAW, STORE_MAP,    STORE_ALIVE,  STORE_READ,
        STORE_FIND,   STORE_WHO,    STORE_DEVICES,  STORE_SHEET,  STORE_ROOMS,  STORE_MINE,
        STORE_HERE,   STORE_HERE,   STORE_ALIVE,    STORE_READ,   STORE_NOTE,   STORE_NOTED,
    };
    static const uint8_t moving[] = {STORE_PAGE_ROOMS, STORE_PAGE_GUESTS, STORE_PAGE_SHEETS,
                                     STORE_STATE,      STORE_PUT_GUEST,   STORE_PUT_GUEST,
                                     STORE_PUT_GUEST,  STORE_PUT_STATE};
    if (asker->counts && !below(asker, 20))
        return STORE_COUNT;
    if (asker->moves && !below(asker, 5))
        return (enum store_kind)moving[below(asker, sizeof moving)];
    uint32_t choice = below(asker, sizeof likely + 1);
    if (choice < sizeof likely)
        return (enum store_kind)likely[choice];
    static const uint8_t rare[] = {STORE_FORGET, STORE_CLEAN, STORE_GONE,     STORE_KEY,
                                   STORE_UNNOTE, STORE_NOTES, STORE_DELETE,   STORE_SEEN,
                                   STORE_OLD,    STORE_OLD,   STORE_PAGE_MINE};
    return (enum store_kind)rare[below(asker, sizeof rare)];
}

/* Mostly a little later than the latest note; sometimes after processes have gone, claims have
 * ended, or gaps have grown old. */
static void make_alive(struct asker *asker)
{
    static const uint64_t later[] = {5000, STORE_AWAY_MS, STORE_CLAIM_MS,
                                     UINT64_C(9) * 24 * 3600 * 1000};
    struct store_question *question = &asker->question;
    if (!below(asker, 3))
        asker->now += later[below(asker, 4)];
    question->time = asker->now - below(asker, 50);
    question->first = below(asker, 3) * UINT64_C(6000);
    question->head.wake = asker->now + below(asker, 1000);
}

/* Devices and tickets, some of which somebody has already. */
static void make_passes(struct asker *asker)
{
    struct store_question *question = &asker->question;
    question->pass = asker->pass;
    question->passes = below(asker, 4);
    for (size_t i = 0; i < question->passes; i++) {
        struct store_pass *pass = &asker->pass[i];
        *pass = (struct store_pass){.time = asker->now + below(asker, 400)};
        if (below(asker, 2)) {
            name_hash(pass->hash, 't', below(asker, TOKENS));
            snprintf(pass->device, sizeof pass->device, "device%u", below(asker, DEVICES));
            snprintf(pass->label, sizeof pass->label, "Put %u", below(asker, 9));
        } else {
            name_hash(pass->hash, 'k', below(asker, TICKETS));
        }
    }
}

/* Gaps, and a latest note, before now; sometimes none. */
static void make_state(struct asker *asker)
{
    struct store_question *question = &asker->question;
    question->time = below(asker, 3) ? asker->now - below(asker, 1000) : 0;
    question->gap = asker->gap;
    question->gaps = question->time ? below(asker, 4) : 0;
    for (size_t i = 0; i < question->gaps; i++)
        asker->gap[i] = (struct store_gap){10 * (i + 1), question->time / 2};
    memset(question->key, 'x', sizeof question->key);
}

static struct store_tally make_tally(struct asker *asker)
{
    return (struct store_tally){.kind = (uint8_t)below(asker, 3),
                                .who = UINT64_MAX - below(asker, 3),
                                .limit = below(asker, 4),
                                .span = 1000,
                                .back = below(asker, 3) == 0};
}

static bool is_there(struct store *model, const char *room)
{
    struct store_question read = {.kind = STORE_READ};
    struct store_answer answer;
    strcpy(read.head.room, room);
    store_ask(model, &read, &answer);
    free(answer.memory);
    return answer.found;
}

const struct store_question *asker_next(struct asker *asker, struct store *model)
{
    static const char letters[] = "one sheet another sheet";
    struct store_question *question = &asker->question;
    asker->now += below(asker, 100);
    *question = (struct store_question){
        .id = es_random_next(&asker->random), .kind = make_kind(asker), .time = asker->now};
    name_guest(question->guest.id, below(asker, GUESTS));
    name_hash(question->token, 't', below(asker, TOKENS));
    name_hash(question->ticket, 'k', below(asker, TICKETS));
    name_process(question->process, below(asker, PROCESSES));
    snprintf(question->guest.device, STORE_DEVICE_BYTES, "device%u", below(asker, DEVICES));
    switch (question->kind) {
    case STORE_APPEND:
        make_append(asker, model);
        break;
    case STORE_GUEST:
        snprintf(question->guest.name, ES_NAME_BYTES, "Näme %u", below(asker, 100));
        question->guest.colour = (uint8_t)below(asker, 8);
        if (below(asker, 2))
            snprintf(question->label, sizeof question->label, "Device %u", below(asker, 9));
        break;
    case STORE_TICKET:
        question->time += below(asker, 400);
        break;
    case STORE_REDEEM:
        snprintf(question->label, sizeof question->label, "Other %u", below(asker, 9));
        break;
    case STORE_MAP:
        name_map(question->map, below(asker, MAPS));
        question->text = (struct es_str){letters, below(asker, 6) ? sizeof letters - 1 : 9};
        break;
    case STORE_COUNT:
        question->tally = make_tally(asker);
        break;
    case STORE_HERE:
        name_room(question->head.room, below(asker, ROOMS));
        question->text = make_text(asker, asker->text[0], 300);
        if (!is_there(model, question->head.room)) /* no read would show what is said */
            question->kind = STORE_READ;
        break;
    case STORE_ALIVE:
        question->fresh = below(asker, 4) == 0;
        make_alive(asker);
        break;
    case STORE_CLEAN:
        question->time -= below(asker, 800);
        question->first = asker->now - below(asker, 800);
        question->note.until = asker->now - below(asker, 800);
        break;
    case STORE_READ:
        name_room(question->head.room, below(asker, ROOMS + 1));
        question->first = below(asker, 9);
        break;
    case STORE_FIND:
        make_code(asker, question->head.code, CODES + 1);
        break;
    case STORE_SHEET:
    case STORE_PAGE_SHEETS:
        name_map(question->map, below(asker, MAPS + 1));
        break;
    case STORE_PAGE_ROOMS:
        name_room(question->head.room, below(asker, ROOMS + 1));
        break;
    case STORE_PUT_GUEST:
        snprintf(question->guest.name, ES_NAME_BYTES, "Näme %u", below(asker, 100));
        question->guest.colour = (uint8_t)below(asker, 8);
        make_passes(asker);
        break;
    case STORE_PUT_STATE:
        make_state(asker);
        break;
    case STORE_NOTE:
        question->first = below(asker, 3);
        /* fall through */
    case STORE_UNNOTE:
    case STORE_NOTED:
    case STORE_NOTES:
        make_note(asker);
        if (question->kind == STORE_UNNOTE && below(asker, 2))
            question->note.id[1] = 0;
        if (question->kind == STORE_NOTES && below(asker, 2))
            question->note.guest[0] = 0;
        break;
    case STORE_FORGET:
        question->time = below(asker, 2) ? 0 : asker->now - below(asker, 800);
        if (!question->time && below(asker, 2))
            make_note(asker);
        break;
    case STORE_OLD:
        question->old = (struct store_old){.rooms = asker->now - below(asker, 800),
                                           .games = asker->now - below(asker, 800),
                                           .guests = asker->now - below(asker, 800)};
        question->head.since = below(asker, 2) ? asker->now - below(asker, 800) : 0;
        name_room(question->head.room, below(asker, ROOMS));
        break;
    case STORE_DELETE:
        question->even_open = below(asker, 4) == 0;
        /* fall through */
    case STORE_PAGE_MINE:
        name_room(question->head.room, below(asker, ROOMS));
        break;
    default:
        break;
    }
    return question;
}

bool asker_probe(struct asker *asker, uint32_t number, struct store_question *question)
{
    if (number == TICKETS) {
        /* A claim of the latest questions still lasts then. */
        asker->now += STORE_AWAY_MS;
        *question = (struct store_question){
            .kind = STORE_ALIVE, .process = "probe", .time = asker->now, .head.wake = INT64_MAX};
        return true;
    }
    *question = (struct store_question){.kind = STORE_REDEEM, .time = 1};
    name_hash(question->ticket, 'k', number);
    name_hash(question->token, 'p', number);
    snprintf(question->guest.device, STORE_DEVICE_BYTES, "probe%u", number);
    snprintf(question->label, sizeof question->label, "Probe");
    return number < TICKETS;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool heads_same(const struct store_head *a, const struct store_head *b)
{
    return !strcmp(a->room, b->room) && !strcmp(a->code, b->code) && !strcmp(a->map, b->map) &&
           a->over == b->over && a->listed == b->listed && a->wake == b->wake &&
           a->changed == b->changed && a->since == b->since && es_str_same(a->people, b->people);
}

static bool entries_same(const struct store_entry *a, const struct store_entry *b)
{
    return a->time == b->time && a->kind == b->kind && a->seat == b->seat &&
           a->decision == b->decision && !strcmp(a->guest, b->guest) && !strcmp(a->key, b->key) &&
           es_str_same(a->text, b->text);
}

static bool guests_same(const struct store_guest *a, const struct store_guest *b)
{
    return !strcmp(a->id, b->id) && !strcmp(a->name, b->name) && a->colour == b->colour &&
           !strcmp(a->device, b->device) && a->muted == b->muted && a->seen == b->seen;
}

static bool notes_same(const struct store_note *a, const struct store_note *b)
{
    return !strcmp(a->id, b->id) && !strcmp(a->guest, b->guest) && a->made == b->made &&
           a->until == b->until && es_str_same(a->text, b->text);
}

static bool passes_same(const struct store_pass *a, const struct store_pass *b)
{
    return !memcmp(a->hash, b->hash, sizeof a->hash) && !strcmp(a->guest, b->guest) &&
           !strcmp(a->device, b->device) && !strcmp(a->label, b->label) && a->time == b->time;
}

/* What only answers to questions for moving everything have. */
static const char *pages_differ(const struct store_answer *a, const struct store_answer *b)
{
    if (a->alive != b->alive || memcmp(&a->total, &b->total, sizeof a->total))
        return "state";
    if (a->owners != b->owners || a->passes != b->passes || a->sheets != b->sheets)
        return "number of guests, passes or sheets";
    for (size_t i = 0; i < a->owners; i++)
        if (!guests_same(&a->owner[i], &b->owner[i]))
            return "a guest of a page";
    for (size_t i = 0; i < a->passes; i++)
        if (!passes_same(&a->pass[i], &b->pass[i]))
            return "a pass of a page";
    for (size_t i = 0; i < a->sheets; i++)
        if (strcmp(a->sheet[i].map, b->sheet[i].map) || a->sheet[i].kept != b->sheet[i].kept ||
            !es_str_same(a->sheet[i].text, b->sheet[i].text))
            return "a sheet of a page";
    return NULL;
}

const char *answers_differ(const struct store_answer *a, const struct store_answer *b)
{
    if (a->id != b->id || a->kind != b->kind)
        return "id or kind";
    if (a->outcome != b->outcome)
        return "outcome";
    if (a->found != b->found)
        return "found";
    if (a->dropped != b->dropped)
        return "dropped";
    if (!heads_same(&a->head, &b->head))
        return "head";
    if (a->entries != b->entries)
        return "number of entries";
    for (size_t i = 0; i < a->entries; i++)
        if (!entries_same(&a->entry[i], &b->entry[i]))
            return "entry";
    if (!es_str_same(a->map, b->map))
        return "map";
    if (!guests_same(&a->guest, &b->guest))
        return "guest";
    if (a->devices != b->devices)
        return "number of devices";
    for (size_t i = 0; i < a->devices; i++)
        if (strcmp(a->device[i].id, b->device[i].id) ||
            strcmp(a->device[i].label, b->device[i].label) ||
            a->device[i].made != b->device[i].made)
            return "device";
    if (a->rooms != b->rooms)
        return "number of rooms";
    for (size_t i = 0; i < a->rooms; i++)
        if (!heads_same(&a->heads[i], &b->heads[i]))
            return "a room's head";
    if (a->gaps != b->gaps)
        return "number of gaps";
    for (size_t i = 0; i < a->gaps; i++)
        if (a->gap[i].from != b->gap[i].from || a->gap[i].to != b->gap[i].to)
            return "gap";
    if (a->open != b->open)
        return "number of rooms not over";
    if (a->heres != b->heres)
        return "number of processes";
    for (size_t i = 0; i < a->heres; i++)
        if (strcmp(a->here[i].process, b->here[i].process) ||
            !es_str_same(a->here[i].text, b->here[i].text))
            return "process";
    if (a->notes != b->notes)
        return "number of notes";
    for (size_t i = 0; i < a->notes; i++)
        if (!notes_same(&a->note[i], &b->note[i]))
            return "note";
    /* Each store has a key of its own. */
    static const uint8_t none[ES_SHA256_BYTES];
    if (!memcmp(a->key, none, sizeof none) != !memcmp(b->key, none, sizeof none))
        return "key";
    return pages_differ(a, b);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static void *copy_bytes(const void *bytes, size_t size)
{
    void *copy = malloc(size + 1);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

static struct es_str copy_text(struct es_str text)
{
    return (struct es_str){copy_bytes(text.at, text.size), text.size};
}

void group_add(struct group *group, struct store *model, const struct store_question *question)
{
    struct store_question *copy = malloc(sizeof *copy);
    struct store_entry *entry = malloc((question->entries + 1) * sizeof *entry);
    *copy = *question;
    copy->entry = entry;
    copy->head.people = copy_text(question->head.people);
    copy->text = copy_text(question->text);
    copy->note.text = copy_text(question->note.text);
    copy->pass = copy_bytes(question->pass, question->passes * sizeof *question->pass);
    copy->gap = copy_bytes(question->gap, question->gaps * sizeof *question->gap);
    for (size_t i = 0; i < question->entries; i++) {
        entry[i] = question->entry[i];
        entry[i].text = copy_text(question->entry[i].text);
    }
    store_ask(model, copy, &group->expected[group->count]);
    group->pair[group->count++] = (struct store_pair){copy, malloc(sizeof(struct store_answer))};
}

enum store_outcome group_ask(struct group *group, struct store *store)
{
    return store->answer(store, group->pair, group->count);
}

const char *group_end(struct group *group)
{
    const char *what = NULL;
    for (size_t i = 0; i < group->count; i++) {
        struct store_question *question = (struct store_question *)group->pair[i].question;
        struct store_answer *answer = group->pair[i].answer;
        if (!what && answer->outcome != STORE_FAILED && answer->outcome != STORE_UNKNOWN)
            what = answers_differ(&group->expected[i], answer);
        for (size_t k = 0; k < question->entries; k++)
            free((char *)question->entry[k].text.at);
        free((struct store_entry *)question->entry);
        free((char *)question->head.people.at);
        free((char *)question->text.at);
        free((char *)question->note.text.at);
        free((struct store_pass *)question->pass);
        free((struct store_gap *)question->gap);
        free(question);
        free(group->expected[i].memory);
        free(answer->memory);
        free(answer);
    }
    group->count = 0;
    return what;
}

/* Adds questions that read everything. */
static void add_all(struct group *group, struct store *model)
{
    struct store_question question = {.kind = STORE_ROOMS, .process = "reader"};
    group_add(group, model, &question);
    question.kind = STORE_READ;
    for (uint32_t i = 0; i < ROOMS; i++) {
        name_room(question.head.room, i);
        group_add(group, model, &question);
    }
    question.kind = STORE_DEVICES;
    for (uint32_t i = 0; i < GUESTS; i++) {
        name_guest(question.guest.id, i);
        group_add(group, model, &question);
    }
    question.kind = STORE_MINE;
    for (uint32_t i = 0; i < GUESTS; i++) {
        name_guest(question.guest.id, i);
        group_add(group, model, &question);
    }
    question.kind = STORE_WHO;
    for (uint32_t i = 0; i < TOKENS; i++) {
        name_hash(question.token, 't', i);
        group_add(group, model, &question);
    }
    question.kind = STORE_SHEET;
    for (uint32_t i = 0; i < MAPS; i++) {
        name_map(question.map, i);
        group_add(group, model, &question);
    }
    static const enum store_kind pages[] = {STORE_PAGE_ROOMS, STORE_PAGE_GUESTS, STORE_PAGE_SHEETS,
                                            STORE_STATE,      STORE_NOTES,       STORE_OLD};
    const struct store_old all = {INT64_MAX, INT64_MAX, INT64_MAX};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        group_add(group, model, &(struct store_question){.kind = pages[i], .old = all});
}

const char *stores_differ(struct store *model, struct store *other)
{
    struct group group = {0};
    add_all(&group, model);
    group_ask(&group, other);
    bool has_failed = false;
    for (size_t i = 0; i < group.count; i++)
        has_failed |= group.pair[i].answer->outcome == STORE_FAILED;
    const char *what = group_end(&group);
    return what ? what : has_failed ? "failed" : NULL;
}
