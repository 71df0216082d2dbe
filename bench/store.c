/* Measures how many entries a second a store makes durable, by the size of a group: in SQLite, in a
 * new file of a folder, or in a PostgreSQL database, whose tables must be empty, also from several
 * processes (here threads, each with a connection of its own).
 *
 *     cmake --build build --target bench_store && build/bench_store FOLDER [SECONDS]
 *     build/bench_store postgres://... [SECONDS [PROCESSES]]
 *
 * Each entry is a move of another room, with its head, as when many rooms play at once, each with
 * the next deadline of its clock. The floor is the disk's sync, which is measured beside it.
 */
#include "store/store.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOMS = 4000, PROCESSES_MAX = 50 };

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

struct process {
    pthread_t thread;
    struct store *store;
    int number, group;
    double limit;
    uint64_t last[ROOMS];
    int groups; /* how many it has written */
    bool is_right;
};

/* Makes the next move of a room. */
static struct store_question make_move(struct process *process, int room, struct store_entry *entry)
{
    uint64_t number = ++process->last[room];
    struct store_question question = {
        .kind = STORE_APPEND, .entry = entry, .entries = 1, .first = number};
    *entry = (struct store_entry){.kind = ENTRY_MOVE,
                                  .seat = 1,
                                  .guest = "abcdefghijklmnop",
                                  .text = es_str("1 A3 north"),
                                  .time = number,
                                  .decision = (int32_t)(number - 1)};
    question.head.people = es_str("abcdefghijklmnop 3 Ada\nponmlkjihgfedcba 5 Bo\n");
    question.head.changed = number;
    question.head.wake = (uint64_t)(seconds() * 1000) + 30000;
    unsigned name = (unsigned)(process->number * ROOMS + room) % 10000000;
    snprintf(question.head.room, STORE_ROOM_BYTES, "room%012u", name);
    snprintf(question.head.code, STORE_CODE_BYTES, "C%07u", name);
    return question;
}

/* Writes groups until the time is over. */
static void *write_groups(void *context)
{
    struct process *process = context;
    size_t group = (size_t)process->group;
    struct store_entry *entry = calloc(group, sizeof *entry);
    struct store_question *question = calloc(group, sizeof *question);
    struct store_answer *answer = calloc(group, sizeof *answer);
    struct store_pair *pair = calloc(group, sizeof *pair);
    process->is_right = entry && question && answer && pair;
    double end = seconds() + process->limit;
    for (int room = 0; process->is_right && seconds() < end; process->groups++) {
        for (size_t i = 0; i < group; i++, room = (room + 1) % ROOMS) {
            question[i] = make_move(process, room, &entry[i]);
            pair[i] = (struct store_pair){&question[i], &answer[i]};
        }
        process->is_right = process->store->answer(process->store, pair, group) == STORE_STORED;
        for (size_t i = 0; i < group; i++)
            process->is_right &= answer[i].outcome == STORE_STORED;
    }
    free(entry);
    free(question);
    free(answer);
    free(pair);
    return NULL;
}

static bool measure(struct process *process, int count, int group, double limit)
{
    int groups = 0;
    bool is_right = true;
    clock_t before = clock();
    double start = seconds();
    for (int i = 0; i < count; i++) {
        process[i].group = group;
        process[i].limit = limit;
        process[i].groups = 0;
        if (pthread_create(&process[i].thread, NULL, write_groups, &process[i]))
            exit(1);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(process[i].thread, NULL);
        groups += process[i].groups;
        is_right = is_right && process[i].is_right;
        if (!process[i].is_right)
            fprintf(stderr, "%s\n", process[i].store->fault(process[i].store));
    }
    double time = seconds() - start, used = (double)(clock() - before) / CLOCKS_PER_SEC;
    printf("%4d a group            %8.0f groups, %8.0f entries a second; %.1f us of CPU an entry, "
           "%.1f ms for a group\n",
           group, groups / time, groups / time * group, used * 1e6 / groups / group,
           time * 1000 * count / groups);
    return is_right;
}

int main(int count, char **word)
{
    static struct process process[PROCESSES_MAX];
    static const int groups[] = {1, 10, 32, 100, 1000};
    double limit = count > 2 ? atof(word[2]) : 3;
    int processes = count > 3 ? atoi(word[3]) : 1;
    char path[300], fault[STORE_FAULT_BYTES];
    bool is_postgres = count > 1 && !strncmp(word[1], "postgres", 8), is_right = true;
    if (count < 2 || processes < 1 || processes > (is_postgres ? PROCESSES_MAX : 1)) {
        fprintf(stderr, "usage: bench_store FOLDER [SECONDS]\n"
                        "       bench_store postgres://... [SECONDS [PROCESSES]]\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/bench-store", word[1]);
    if (!is_postgres)
        measure_disk(word[1], limit);
    for (int i = 0; i < processes; i++) {
        process[i].number = i;
        process[i].store = is_postgres ? store_postgres(word[1], fault) : store_sqlite(path, fault);
        if (!process[i].store) {
            fprintf(stderr, "%s\n", fault);
            return 1;
        }
    }
    is_right = make_guests(process[0].store);
    for (int i = 0; i < (int)(sizeof groups / sizeof *groups) && is_right; i++)
        is_right = measure(process, processes, groups[i], limit);
    for (int i = 0; i < processes; i++)
        process[i].store->close(process[i].store);
    if (is_postgres)
        return !is_right;
    unlink(path);
    strcat(path, ".lock");
    unlink(path);
    return !is_right;
}
