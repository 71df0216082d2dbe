/* Measures how many entries a second a store makes durable, by the size of a group: in SQLite, in a
 * new file of a folder, or in a PostgreSQL database, whose tables must be empty.
 *
 *     cmake --build build --target bench_store && build/bench_store FOLDER [SECONDS]
 *     build/bench_store postgres://... [SECONDS]
 *
 * Each entry is a move of another room, with its head, as when many rooms play at once. The floor
 * is the disk's sync, which is measured beside it.
 */
#include "store/store.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOMS = 4000 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Times writes of 4 KiB, each synced. */
static void measure_disk(const char *folder, double limit)
{
    char path[300], page[4096] = "";
    snprintf(path, sizeof path, "%s/bench-page", folder);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int count = 0;
    double start = seconds(), end = start;
    for (; file >= 0 && end < start + limit; end = seconds(), count++)
        if (pwrite(file, page, sizeof page, count % 1000 * 4096) < 0 || fdatasync(file))
            break;
    printf("%-22s %8.0f a second\n", "4 KiB and fdatasync", count / (end - start));
    if (file >= 0)
        close(file);
    unlink(path);
}

/* Makes the guests of the rooms, because the store leaves out chat and names of others. */
static bool make_guests(struct store *store)
{
    static const char *const id[] = {"abcdefghijklmnop", "ponmlkjihgfedcba"};
    bool is_right = true;
    for (int i = 0; i < 2; i++) {
        struct store_question guest = {.kind = STORE_GUEST, .token = {(uint8_t)i}};
        struct store_answer answer;
        strcpy(guest.guest.id, id[i]);
        strcpy(guest.label, "bench");
        store_ask(store, &guest, &answer);
        is_right = is_right && answer.outcome == STORE_STORED;
    }
    return is_right;
}

static bool measure(struct store *store, uint64_t last[ROOMS], int group, double limit)
{
    static struct store_entry entry[ROOMS];
    static struct store_question question[ROOMS];
    static struct store_answer answer[ROOMS];
    static struct store_pair pair[ROOMS];
    int groups = 0;
    clock_t before = clock();
    double start = seconds(), end = start;
    for (int next = 0; end < start + limit; end = seconds(), groups++) {
        for (int i = 0; i < group; i++, next = (next + 1) % ROOMS) {
            struct store_question *one = &question[i];
            entry[i] = (struct store_entry){.kind = ENTRY_MOVE,
                                            .seat = 1,
                                            .guest = "abcdefghijklmnop",
                                            .text = es_str("1 A3 north")};
            *one = (struct store_question){
                .kind = STORE_APPEND, .entry = &entry[i], .entries = 1, .first = last[next] + 1};
            one->head.people = es_str("abcdefghijklmnop 3 Ada\nponmlkjihgfedcba 5 Bo\n");
            snprintf(one->head.room, STORE_ROOM_BYTES, "room%012d", next);
            snprintf(one->head.code, STORE_CODE_BYTES, "C%07u", (unsigned)next % 10000000);
            entry[i].decision = (int32_t)last[next]++;
            entry[i].time = one->head.changed = one->first;
            pair[i] = (struct store_pair){one, &answer[i]};
        }
        if (store->answer(store, pair, (size_t)group) != STORE_STORED)
            return false;
        for (int i = 0; i < group; i++)
            if (answer[i].outcome != STORE_STORED)
                return false;
    }
    double each = groups / (end - start);
    double used = (double)(clock() - before) / CLOCKS_PER_SEC;
    printf("%4d a group            %8.0f groups, %8.0f entries a second; %.1f us of CPU an entry\n",
           group, each, each * group, used * 1e6 / groups / group);
    return true;
}

int main(int count, char **word)
{
    static uint64_t last[ROOMS];
    static const int groups[] = {1, 10, 32, 100, 1000};
    double limit = count > 2 ? atof(word[2]) : 3;
    char path[300], fault[STORE_FAULT_BYTES];
    if (count < 2) {
        fprintf(stderr, "usage: bench_store FOLDER | postgres://... [SECONDS]\n");
        return 2;
    }
    bool is_postgres = !strncmp(word[1], "postgres", 8);
    snprintf(path, sizeof path, "%s/bench-store", word[1]);
    if (!is_postgres)
        measure_disk(word[1], limit);
    struct store *store = is_postgres ? store_postgres(word[1], fault) : store_sqlite(path, fault);
    if (!store) {
        fprintf(stderr, "%s\n", fault);
        return 1;
    }
    bool is_right = make_guests(store);
    for (int i = 0; i < (int)(sizeof groups / sizeof *groups) && is_right; i++)
        is_right = measure(store, last, groups[i], limit);
    if (!is_right)
        fprintf(stderr, "%s\n", store->fault(store));
    store->close(store);
    if (is_postgres)
        return !is_right;
    unlink(path);
    strcat(path, ".lock");
    unlink(path);
    return !is_right;
}
