/* Implementation of wire.h on poll(). */
#include "cli/wire.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double wire_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

void wire_open(struct wire *wire, int in)
{
    *wire = (struct wire){.in = in};
}

/* Waits until a file can be read or written. */
static enum wire_status await(int file, short what, const struct wire_limit *limit)
{
    enum { SLICE = 100 };
    for (;;) {
        int wait = limit->halt ? SLICE : -1;
        if (limit->halt && limit->halt(limit->context))
            return WIRE_HALTED;
        if (limit->until > 0) {
            double left = limit->until - wire_now();
            if (left <= 0)
                return WIRE_LATE;
            if (wait < 0 || left < wait)
                wait = left < 3600e3 ? (int)left + 1 : 3600000;
        }
        struct pollfd one = {.fd = file, .events = what};
        int ready = poll(&one, 1, wait);
        if (ready > 0)
            return WIRE_OK; /* errors too: reading or writing reports them */
        if (ready < 0 && errno != EINTR)
            return WIRE_ENDED;
    }
}

/* Reads once into the free part of the buffer, which must not be empty. */
static void read_some(struct wire *wire)
{
    ssize_t got = read(wire->in, wire->bytes + wire->used, sizeof wire->bytes - wire->used);
    if (got > 0)
        wire->used += (size_t)got;
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        wire->ended = true;
}

/* Removes the lines already returned from the buffer. */
static void move_up(struct wire *wire)
{
    if (wire->taken == 0)
        return;
    memmove(wire->bytes, wire->bytes + wire->taken, wire->used - wire->taken);
    wire->used -= wire->taken;
    wire->taken = 0;
}

/* Discards the rest of a line that was too long. */
static void skip(struct wire *wire)
{
    const char *newline = memchr(wire->bytes + wire->taken, '\n', wire->used - wire->taken);
    wire->taken = newline ? (size_t)(newline + 1 - wire->bytes) : wire->used;
    wire->skipping = !newline;
}

enum wire_status wire_read(struct wire *wire, const struct wire_limit *limit, struct es_str *line)
{
    for (size_t seen = wire->taken;;) {
        if (wire->skipping) {
            skip(wire);
            seen = wire->taken;
        }
        const char *newline = memchr(wire->bytes + seen, '\n', wire->used - seen);
        if (newline || (wire->ended && wire->used > wire->taken)) {
            const char *end = newline ? newline : wire->bytes + wire->used;
            *line = (struct es_str){wire->bytes + wire->taken,
                                    (size_t)(end - wire->bytes) - wire->taken};
            wire->taken += line->size + (newline != NULL);
            if (line->size > 0 && end[-1] == '\r')
                line->size--;
            return WIRE_OK;
        }
        if (wire->ended)
            return WIRE_ENDED;
        move_up(wire);
        if (wire->used == sizeof wire->bytes) {
            wire->skipping = true;
            return WIRE_TOO_LONG;
        }
        seen = wire->used;
        enum wire_status status = await(wire->in, POLLIN, limit);
        if (status)
            return status;
        read_some(wire);
    }
}

void wire_fill(struct wire *wire)
{
    struct pollfd one = {.fd = wire->in, .events = POLLIN};
    move_up(wire);
    while (!wire->ended && wire->used < sizeof wire->bytes && poll(&one, 1, 0) > 0)
        read_some(wire);
}

bool wire_waiting(struct wire *wire, const char *words, bool take)
{
    struct es_str rest = {wire->bytes + wire->taken, wire->used - wire->taken};
    const char *newline;
    while ((newline = memchr(rest.at, '\n', rest.size))) {
        struct es_str line = {rest.at, (size_t)(newline - rest.at)};
        size_t whole = line.size + 1;
        if (line.size > 0 && line.at[line.size - 1] == '\r')
            line.size--;
        rest.at += whole;
        rest.size -= whole;
        if (!es_str_is(es_str_trim(line), words))
            continue;
        if (take) {
            memmove((char *)line.at, rest.at, rest.size);
            wire->used -= whole;
        }
        return true;
    }
    return false;
}

enum wire_status wire_write(int out, const struct wire_limit *limit, const char *bytes, size_t size)
{
    while (size > 0) {
        enum wire_status status = await(out, POLLOUT, limit);
        if (status)
            return status;
        ssize_t done = write(out, bytes, size);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return WIRE_ENDED;
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
    return WIRE_OK;
}
