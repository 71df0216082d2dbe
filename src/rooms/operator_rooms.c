/* The operator's list of rooms, also of those by invitation.
 *
 *     {"t":"rooms","after":ID,"game":GAME,"phase":"waiting","open":true,"guest":ID,"days":7}
 *
 * All fields are filters but `after`, the id of the room after which to begin. One answer looks at
 * one page of the store, and lists those of it that fit: {"rooms":[…],"after":ID}. As long as
 * `after` is not empty, there may be more. Of a room that cannot be read little is known: it has
 * the phase "unreadable", and fits no game and neither `open` nor not. */
#include "rooms/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_MS = 24 * 3600000 };

/* A page whose rooms are being read. */
struct page {
    char after[STORE_ROOM_BYTES];
    size_t waiting; /* answers that are awaited */
    bool failed;
    char *line[STORE_PAGE_MAX]; /* what is known of those that fit; NULL: not (yet) */
};

void operator_page_free(struct page *page)
{
    if (!page || --page->waiting > 0)
        return;
    for (size_t i = 0; i < STORE_PAGE_MAX; i++)
        free(page->line[i]);
    free(page);
}

/* ---- What fits ------------------------------------------------------------------------------- */

static bool has_person(struct es_str people, const char *guest)
{
    size_t size = strlen(guest);
    for (size_t i = 0; i + size < people.size; i++) {
        if (memcmp(people.at + i, guest, size) == 0 && people.at[i + size] == ' ')
            return true;
        while (i < people.size && people.at[i] != '\n')
            i++;
    }
    return false;
}

/* Returns false if the head alone says that a room is not meant. */
static bool head_fits(const struct rooms *rooms, json_t *message, const struct store_head *head)
{
    const char *guest = get_text(message, "guest"), *phase = get_text(message, "phase");
    long days = get_int(message, "days", 0);
    bool ends = strcmp(phase, "over") == 0 || strcmp(phase, "closed") == 0;
    bool any = !phase[0] || strcmp(phase, "unreadable") == 0;
    return (!guest[0] || has_person(head->people, guest)) && (any || ends == head->over) &&
           (days <= 0 || head->changed + (uint64_t)days * DAY_MS >= rooms->now);
}

static bool body_fits(const struct rooms *rooms, json_t *message, const struct body *body)
{
    long days = get_int(message, "days", 0);
    const char *game = get_text(message, "game"), *phase = get_text(message, "phase");
    return (!game[0] || strcmp(game, body->setup.game->name) == 0) &&
           (!phase[0] || strcmp(phase, stream_phase(body)) == 0) &&
           get_bool(message, "open", body->settings.open) == body->settings.open &&
           (days <= 0 || body->latest + (uint64_t)days * DAY_MS >= rooms->now);
}

static bool unreadable_fits(json_t *message)
{
    const char *phase = get_text(message, "phase");
    return !get_text(message, "game")[0] && !json_object_get(message, "open") &&
           (!phase[0] || strcmp(phase, "unreadable") == 0);
}

/* ---- Answers --------------------------------------------------------------------------------- */

struct found {
    const struct store_answer *answer;
    const struct body *body;
};

static void write_found(struct es__writer *w, const void *context)
{
    const struct found *found = context;
    const struct body *body = found->body;
    int taken = 0;
    for (int p = 0; p < body->setup.players; p++)
        taken += body->seat[p].kind != SEAT_OPEN;
    es__write_object(w, NULL);
    es__write_text(w, "room", found->answer->head.room);
    es__write_text(w, "game", body->setup.game->name);
    stream_write_settings(w, body);
    es__write_int(w, "seats", body->setup.players);
    es__write_int(w, "taken", taken);
    es__write_text(w, "host", body->host);
    es__write_int(w, "chats", (int64_t)body->chats);
    es__write_int(w, "made", (int64_t)found->answer->entry[0].time);
    es__write_int(w, "latest", (int64_t)body->latest);
    es__write_end(w);
}

static void write_unreadable(struct es__writer *w, const void *context)
{
    const struct store_answer *answer = context;
    es__write_object(w, NULL);
    es__write_text(w, "room", answer->head.room);
    es__write_text(w, "phase", "unreadable");
    es__write_int(w, "made", answer->entries > 0 ? (int64_t)answer->entry[0].time : 0);
    es__write_int(w, "latest", (int64_t)answer->head.changed);
    es__write_end(w);
}

static void reply(struct rooms *rooms, uint64_t connection, const struct page *page)
{
    size_t size = 80;
    for (size_t i = 0; i < STORE_PAGE_MAX; i++)
        size += page->line[i] ? strlen(page->line[i]) + 1 : 0;
    char *text = hub_alloc(size);
    struct es_out out = {text, size, 0};
    const char *comma = "";
    es_out_text(&out, "{\"rooms\":[");
    for (size_t i = 0; i < STORE_PAGE_MAX; i++)
        if (page->line[i]) {
            es_out_text(&out, comma);
            es_out_text(&out, page->line[i]);
            comma = ",";
        }
    es_out_text(&out, "],\"after\":\"");
    es_out_text(&out, page->after);
    es_out_text(&out, "\"}");
    if (page->failed)
        hub_http(rooms, connection, 503, "application/json", es_str("{\"code\":\"BUSY\"}"), NULL);
    else
        hub_http(rooms, connection, 200, "application/json", (struct es_str){text, out.used}, NULL);
    free(text);
}

/* Notes the answer to one room of the page; the last one answers the operator. */
static void take_room(struct rooms *rooms, const struct pending *p,
                      const struct store_answer *answer)
{
    struct page *page = p->page;
    struct body *body = answer->outcome == STORE_STORED ? record_body(rooms, answer) : NULL;
    struct found found = {answer, body};
    page->failed |= answer->outcome != STORE_STORED;
    if (body && body_fits(rooms, p->message, body))
        page->line[p->place] = hub_copy(say(rooms, write_found, &found));
    else if (!body && answer->found && unreadable_fits(p->message)) /* else deleted meanwhile */
        page->line[p->place] = hub_copy(say(rooms, write_unreadable, answer));
    body_free(body);
    if (page->waiting == 1 && hub_connection(rooms, p->connection)) /* this one is the last */
        reply(rooms, p->connection, page);
}

static struct pending *pending_of(uint64_t connection, json_t *message, struct page *page,
                                  size_t place)
{
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = connection;
    p->why = WHY_ROOMS;
    p->message = json_incref(message);
    p->page = page;
    p->place = place;
    return p;
}

/* Asks for the rooms of a page that may fit. */
static void take_page(struct rooms *rooms, const struct pending *p,
                      const struct store_answer *answer)
{
    struct page *page = p->page;
    size_t fit = 0;
    page->failed = answer->outcome != STORE_STORED;
    if (answer->rooms == STORE_PAGE_MAX)
        memcpy(page->after, answer->heads[answer->rooms - 1].room, sizeof page->after);
    for (size_t i = 0; i < answer->rooms; i++) {
        if (!head_fits(rooms, p->message, &answer->heads[i]))
            continue;
        struct store_question question = {.kind = STORE_READ, .first = 1};
        memcpy(question.head.room, answer->heads[i].room, sizeof question.head.room);
        memcpy(question.process, rooms->options.process, sizeof question.process);
        page->waiting++;
        fit++;
        hub_ask(rooms, &question, pending_of(p->connection, p->message, page, i));
    }
    if (!fit && hub_connection(rooms, p->connection))
        reply(rooms, p->connection, page);
}

void operator_rooms_answer(struct rooms *rooms, const struct pending *p,
                           const struct store_answer *answer)
{
    if (p->kind == STORE_READ)
        take_room(rooms, p, answer);
    else
        take_page(rooms, p, answer);
}

bool operator_rooms(struct rooms *rooms, const struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_PAGE_ROOMS};
    struct es_str after = get_str(message, "after"), guest = get_str(message, "guest");
    if ((guest.size && !hub_id_good(guest)) ||
        !es_str_copy(after, question.head.room, sizeof question.head.room))
        return false;
    struct page *page = hub_alloc(sizeof *page);
    page->waiting = 1;
    hub_ask(rooms, &question, pending_of(c->id, message, page, 0));
    return true;
}
