/* Reading a room over HTTP: what a spectator sees, or with a token what that guest sees. */
#include "page/page.h"
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

/* A picture that has to be drawn counts as one request for so many of its bytes, but as so many
 * requests at least: that of the largest sheet takes thirty times as long as that of a city. */
enum { PICTURE_REQUESTS = 4, PICTURE_BYTES = 12 << 10 };

struct asking {
    const struct rooms *rooms;
    const struct room *room;
    const char *guest;
    bool invited;
};

static void write_room(struct es__writer *w, const void *context)
{
    const struct asking *asking = context;
    stream_write_room(w, asking->rooms, asking->room, asking->guest, asking->invited);
}

/* Returns the place of a picture: of this one, if it is kept, or of the one that was asked for
 * longest ago. */
static struct picture *picture_of(struct rooms *rooms, const struct room *room,
                                  const struct es_page_look *look, struct es_str record)
{
    const uint8_t looks[] = {(uint8_t)look->viewer, (uint8_t)look->sheet, look->dark};
    struct es_sha256 sha;
    uint8_t hash[ES_SHA256_BYTES];
    es_sha256_init(&sha);
    es_sha256_update(&sha, room->id, sizeof room->id); /* stands for the map */
    es_sha256_update(&sha, looks, sizeof looks);
    es_sha256_update(&sha, record.at, record.size);
    es_sha256_final(&sha, hash);
    struct picture *oldest = rooms->picture;
    for (struct picture *one = rooms->picture; one < rooms->picture + PICTURES_KEPT; one++) {
        if (one->text && memcmp(one->hash, hash, sizeof hash) == 0)
            return one;
        if (one->used < oldest->used)
            oldest = one;
    }
    free(oldest->text);
    oldest->text = NULL;
    memcpy(oldest->hash, hash, sizeof hash);
    return oldest;
}

/* Returns false if there is no picture of this record. */
static bool draw(struct rooms *rooms, const struct body *body, const struct es_page_look *look,
                 struct es_str record, struct picture *picture)
{
    struct es_fault fault;
    if (!rooms->page)
        rooms->page = hub_alloc(sizeof *rooms->page);
    if ((body->map_text && es_page_map(rooms->page, es_str(body->map_text), &fault) != ES_OK) ||
        es_page_open(rooms->page, record, &fault) != ES_OK)
        return false;
    struct es_svg svg;
    for (;;) {
        es_svg_open(&svg, rooms->buffer, rooms->buffer_size);
        es_page_draw(rooms->page, look, &svg);
        if (es_out_ok(&svg.out))
            break;
        rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, svg.out.used + 1, 1);
    }
    picture->text = hub_copy((struct es_str){rooms->buffer, svg.out.used});
    picture->size = svg.out.used;
    rooms->counts.pictures++;
    return true;
}

static void get_picture(struct rooms *rooms, struct room *room, struct item *item, int viewer)
{
    struct body *body = room->body;
    long sheet = get_int(item->message, "seat", 0);
    const struct es_page_look look = {
        .viewer = body->phase >= PHASE_OVER ? 0 : viewer,
        .sheet = sheet >= 1 && sheet <= body->setup.players ? (int)sheet : 1,
        .dark = get_bool(item->message, "dark", false),
        .prefix = "",
    };
    struct es_str record;
    char *text = stream_text(rooms, body, viewer, &record.size);
    record.at = text;
    struct picture *picture = picture_of(rooms, room, &look, record);
    bool is_new = !picture->text;
    bool drawn = !is_new || draw(rooms, body, &look, record, picture);
    if (is_new) { /* drawing holds up everybody else */
        uint32_t requests = drawn ? (uint32_t)(picture->size / PICTURE_BYTES) : 0;
        if (requests < PICTURE_REQUESTS)
            requests = PICTURE_REQUESTS;
        rooms_count_requests(rooms, item->address, item->network, requests - 1);
    }
    if (!drawn) {
        room_refuse(rooms, room, item, "NO_PICTURE");
    } else {
        picture->used = ++rooms->pictures;
        room_reply_http(rooms, room, item->connection, 200, "image/svg+xml",
                        (struct es_str){picture->text, picture->size});
    }
    free(text);
}

static void get_state(struct rooms *rooms, struct room *room, struct item *item, int viewer)
{
    struct body *body = room->body;
    const struct es_setup *setup = &body->setup;
    stream_update(rooms, body, viewer);
    rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, ES_REPORT_BYTES, 1);
    struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
    setup->game->report(
        setup, body->phase >= PHASE_OVER ? &body->game->state : &body->game->stream[viewer].view,
        &out);
    room_reply_http(rooms, room, item->connection, 200, "text/plain; charset=utf-8",
                    (struct es_str){rooms->buffer, out.used});
}

void api_get(struct rooms *rooms, struct room *room, struct item *item)
{
    struct body *body = room->body;
    const char *what = get_text(item->message, "what");
    char code[STORE_CODE_BYTES];
    hub_code(get_str(item->message, "code"), code);
    const char *guest = item->guest.id;
    int viewer = body_seat(body, guest);
    const char *fault = room_shut(rooms, room, item, code);
    if (fault) {
        room_refuse(rooms, room, item, fault);
    } else if (strcmp(what, "room") == 0) {
        struct asking asking = {rooms, room, guest, code[0] && strcmp(code, room->code) == 0};
        room_reply_http(rooms, room, item->connection, 200, "application/json",
                        say(rooms, write_room, &asking));
    } else if (strcmp(what, "map") == 0) {
        if (body->map_text)
            room_reply_http(rooms, room, item->connection, 200, "text/plain; charset=utf-8",
                            es_str(body->map_text));
        else
            room_refuse(rooms, room, item, "BUILT_IN");
    } else if (!body->moved) {
        room_refuse(rooms, room, item, "NOT_STARTED");
    } else if (strcmp(what, "record") == 0) {
        size_t size;
        char *text = stream_text(rooms, body, viewer, &size);
        room_reply_http(rooms, room, item->connection, 200, "text/plain; charset=utf-8",
                        (struct es_str){text, size});
        free(text);
    } else if (strcmp(what, "state") == 0) {
        get_state(rooms, room, item, viewer);
    } else if (strcmp(what, "picture") == 0) {
        get_picture(rooms, room, item, viewer);
    } else {
        room_refuse(rooms, room, item, "UNKNOWN");
    }
}
