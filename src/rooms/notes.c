/* Notes about people: who is blocked, what players report. Who is muted comes with every answer
 * about a guest (`muted` in store.h).
 *
 * A blocked guest was deleted. What is left of them is a note of their id, one for each token they
 * had, and, if the operator wants that, one for each address they come from: first those of their
 * connections, at whichever process, and later those from which somebody comes with a token of
 * theirs. Whoever has such a token gets nowhere, and nobody new is made at such an address. */
#include "rooms/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DAY_MS = 24 * 3600000,
    ADDRESSES_MAX = 5,        /* of a blocked guest; more would be others' */
    REPORTS_MAX = 20,         /* of a guest, that the operator has not dealt with */
    REPORTS_OF_GUEST = 10,    /* in an hour */
    REPORTS_OF_ADDRESS = 50,  /* in a day */
    REPORTS_OF_NETWORK = 150, /* in a day */
};
#define ADDRESS_MS (UINT64_C(30) * DAY_MS) /* that long an address is kept, as the page says */
#define REPORT_MS (UINT64_C(30) * DAY_MS)  /* … and a report */
/* The store has a place for so many: one network must not take them all. */
_Static_assert((REPORT_MS / DAY_MS + 1) * REPORTS_OF_NETWORK < STORE_NOTES_MAX, "room for others");

/* ---- Asking ---------------------------------------------------------------------------------- */

static void name_note(struct store_note *note, enum note_kind kind, const char *rest)
{
    snprintf(note->id, sizeof note->id, "%c%s", kind, rest);
}

static void name_address(struct store_note *note, uint64_t address)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)address);
    name_note(note, NOTE_ADDRESS, text);
}

/* Names the note of a device's token; false if the text has not the form of one. */
static bool name_token(struct store_note *note, struct es_str token)
{
    uint8_t hash[ES_SHA256_BYTES];
    char text[2 * ES_SHA256_BYTES + 1];
    struct es_out out = {text, sizeof text, 0};
    if (token.size != 2 * ES_SHA256_BYTES)
        return false;
    hub_hash(token, hash);
    es_out_hex(&out, hash, sizeof hash);
    text[out.used] = 0;
    name_note(note, NOTE_TOKEN, text);
    return true;
}

/* Asks whether there is a note that `p` names, which is not over. */
static void look_up(struct rooms *rooms, struct pending *p)
{
    struct store_question question = {.kind = STORE_NOTED, .note = p->note, .time = rooms->now};
    hub_ask(rooms, &question, p);
}

static struct pending *pending_of(const struct connection *c, enum pending_why why, json_t *message)
{
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->address = c->address;
    p->why = why;
    p->message = json_incref(message);
    return p;
}

bool notes_ask_hello(struct rooms *rooms, const struct connection *c, const char *token)
{
    struct pending *p = pending_of(c, WHY_HELLO, c->hello);
    if (name_token(&p->note, es_str(token))) {
        look_up(rooms, p);
        return true;
    }
    json_decref(p->message);
    free(p);
    return false;
}

/* The same for the next question about a new guest, who is taken back if nothing comes of it. */
static struct pending *pending_after(const struct connection *c, enum pending_why why,
                                     const struct pending *before)
{
    struct pending *p = pending_of(c, why, before->message);
    memcpy(p->tally, before->tally, sizeof p->tally);
    p->counted = before->counted;
    return p;
}

void notes_ask_new(struct rooms *rooms, const struct connection *c, const struct pending *before)
{
    struct pending *p = pending_after(c, WHY_ADDRESS, before);
    name_address(&p->note, c->address);
    look_up(rooms, p);
}

void notes_learn(struct rooms *rooms, struct connection *c, const struct pending *p)
{
    struct pending *own = pending_of(c, WHY_LEARN, NULL);
    name_note(&own->note, NOTE_BLOCK, p->guest.id);
    look_up(rooms, own);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Somebody who is blocked came from this address. */
static void block_address(struct rooms *rooms, const struct store_note *block, uint64_t address)
{
    struct store_question question = {.kind = STORE_NOTE, .first = ADDRESSES_MAX};
    struct store_note *note = &question.note;
    if (!es_str_is(block->text, "address"))
        return;
    name_address(note, address);
    memcpy(note->guest, block->guest, sizeof note->guest);
    note->made = rooms->now;
    note->until = block->until < rooms->now + ADDRESS_MS ? block->until : rooms->now + ADDRESS_MS;
    note->text = es_str("");
    hub_ask(rooms, &question, NULL);
}

/* Nobody new comes from a blocked address, or with a cookie of somebody who is blocked. */
static void answer_new(struct rooms *rooms, struct connection *c, const struct pending *p,
                       bool found)
{
    struct pending *next = pending_after(c, WHY_COOKIE, p);
    if (!found && p->why == WHY_ADDRESS && name_token(&next->note, es_str(c->cookie))) {
        look_up(rooms, next);
        return;
    }
    json_decref(next->message);
    free(next);
    if (found)
        people_refuse(rooms, c, 403, "BLOCKED");
    else
        people_make_guest(rooms, c, p->message);
}

void notes_answer(struct rooms *rooms, const struct pending *p, const struct store_answer *answer)
{
    struct connection *c = hub_connection(rooms, p->connection);
    bool stored = answer->outcome == STORE_STORED, found = stored && answer->found;
    if (found && p->why != WHY_ADDRESS)
        block_address(rooms, &answer->note[0], p->address);
    if (!c || !stored)
        count_back(rooms, p);
    if (!c || p->why == WHY_LEARN)
        return;
    if (p->why == WHY_HELLO) {
        people_unknown(rooms, c, !stored ? "BUSY" : found ? "BLOCKED" : NULL);
    } else if (!stored) {
        people_refuse(rooms, c, 503, "BUSY");
    } else {
        answer_new(rooms, c, p, found);
    }
}

/* ---- Reports --------------------------------------------------------------------------------- */

void notes_report(struct rooms *rooms, const struct item *item, struct es_str text)
{
    struct pending *p = hub_alloc(sizeof *p);
    uint8_t hash[ES_SHA256_BYTES];
    char id[STORE_ROOM_BYTES];
    struct es_sha256 sha;
    es_sha256_init(&sha);
    es_sha256_update(&sha, item->guest.id, strlen(item->guest.id));
    es_sha256_update(&sha, text.at, text.size);
    es_sha256_final(&sha, hash);
    hub_id(hash, id, STORE_ROOM_BYTES - 1); /* the same report again changes nothing */
    p->connection = item->connection;
    p->why = WHY_REPORT;
    p->since = item->since;
    p->message = json_incref(item->message);
    p->text = hub_copy(text);
    name_note(&p->note, NOTE_REPORT, id);
    memcpy(p->note.guest, item->guest.id, sizeof p->note.guest);
    p->note.text = (struct es_str){p->text, text.size};
    count_towards(p, TALLY_REPORTS_GUEST, hub_key(item->guest.id), REPORTS_OF_GUEST);
    count_in_day(p, TALLY_REPORTS_ADDRESS, item->address, REPORTS_OF_ADDRESS);
    count_in_day(p, TALLY_REPORTS_NETWORK, item->network, REPORTS_OF_NETWORK);
    count_ask(rooms, p);
}

/* The same report, for the next question. */
static struct pending *report_of(const struct pending *p)
{
    struct pending *next = hub_alloc(sizeof *next);
    next->connection = p->connection;
    next->why = WHY_REPORT;
    next->since = p->since;
    next->message = json_incref(p->message);
    next->text = hub_copy(p->note.text);
    next->note = p->note;
    next->note.text.at = next->text;
    return next;
}

static void keep_report(struct rooms *rooms, const struct pending *p)
{
    struct pending *next = report_of(p);
    struct store_question question = {.kind = STORE_NOTE, .first = REPORTS_MAX, .note = next->note};
    question.note.made = rooms->now;
    question.note.until = rooms->now + REPORT_MS;
    hub_ask(rooms, &question, next);
}

/* Asks whether there is the same report already, which then stays as it is. */
void notes_counted(struct rooms *rooms, struct pending *p, bool limited)
{
    struct connection *c = hub_connection(rooms, p->connection);
    if (limited) {
        if (c)
            people_no(rooms, c, p->message, "TOO_MANY");
        return;
    }
    look_up(rooms, report_of(p));
}

void notes_reported(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    struct connection *c = hub_connection(rooms, p->connection);
    bool stored = answer->outcome == STORE_STORED;
    if (stored && !answer->found && p->kind == STORE_NOTED) {
        keep_report(rooms, p);
        return;
    }
    if (stored && answer->found && p->kind == STORE_NOTE)
        hub_event(rooms, &(struct rooms_event){ROOMS_EVENT_REPORTED, .guest = p->note.guest});
    if (stored && !answer->found)
        hub_limited(rooms, ROOMS_LIMIT_reports_open);
    if (c && !stored)
        people_late(rooms, c, p);
    else if (c && answer->found)
        hub_send(rooms, c->id, say_ok(rooms, p->message, NULL, es_str(""), 0));
    else if (c)
        people_no(rooms, c, p->message, "TOO_MANY");
}
