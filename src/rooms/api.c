/* Reading a room over HTTP: what a spectator sees, or with a token what that guest sees. */
#include "page/page.h"
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

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

static void get_picture(struct rooms *rooms, struct room *room, struct item *item, int viewer)
{
    struct body *body = room->body;
    struct es_fault fault;
    size_t size;
    if (!rooms->page)
        rooms->page = hub_alloc(sizeof *rooms->page);
    char *text = stream_text(rooms, body, viewer, &size);
    bool good =
        (!body->map_text || es_page_map(rooms->page, es_str(body->map_text), &fault) == ES_OK) &&
        es_page_open(rooms->page, (struct es_str){text, size}, &fault) == ES_OK;
    free(text);
    if (!good) {
        room_refuse(rooms, room, item, "NO_PICTURE");
        return;
    }
    long sheet = get_int(item->message, "seat", 0);
    struct es_page_look look = {
        .viewer = body->phase >= PHASE_OVER ? 0 : viewer,
        .sheet = sheet >= 1 && sheet <= body->record.setup.players ? (int)sheet : 1,
        .dark = get_bool(item->message, "dark", false),
        .prefix = "",
    };
    for (;;) {
        struct es_svg svg;
        es_svg_open(&svg, rooms->buffer, rooms->buffer_size);
        es_page_draw(rooms->page, &look, &svg);
        if (es_out_ok(&svg.out)) {
            room_reply_http(rooms, room, item->connection, 200, "image/svg+xml",
                            (struct es_str){rooms->buffer, svg.out.used});
            return;
        }
        rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, svg.out.used + 1, 1);
    }
}

static void get_state(struct rooms *rooms, struct room *room, struct item *item, int viewer)
{
    struct body *body = room->body;
    const struct es_setup *setup = &body->record.setup;
    stream_update(rooms, body, viewer);
    rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, ES_REPORT_BYTES, 1);
    struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
    setup->game->report(
        setup, body->phase >= PHASE_OVER ? &body->state : &body->stream[viewer].view, &out);
    room_reply_http(rooms, room, item->connection, 200, "text/plain; charset=utf-8",
                    (struct es_str){rooms->buffer, out.used});
}

void api_get(struct rooms *rooms, struct room *room, struct item *item)
{
    struct body *body = room->body;
    const char *what = get_text(item->message, "what"), *code = get_text(item->message, "code");
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
