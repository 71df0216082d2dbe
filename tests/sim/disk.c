/* The store of the simulation: the store in memory, shared by all processes. It can be slow, full,
 * broken, damaged, gone, or leave the outcome of writes unknown, for all processes or for one of
 * them. A damaged one fails for some rooms; one that is gone says nothing for a long time.
 *
 * Each process has its own queue. Questions that come while a group is under way become the next
 * group. A group is written at one moment and answered at a later one; groups of other processes
 * come between, and the process may crash before, between and after. When a group has been written,
 * the other processes hear of it, later; unless their listeners have lost the connection: then they
 * hear NEWS_ALL after they have connected again. Or unless the process loses its connection just
 * then: then its next group tells them NEWS_ALL, and if it crashes they have to find that out.
 */
#include "sim.h"
#include "store/transfer.h"
#include <unistd.h>

struct asked {
    struct store_question question;
    struct store_answer answer;
    size_t gaps; /* that the process knew of */
    struct asked *next;
};

enum trouble { FINE, SLOW, SHAKY, FULL, BROKEN, DAMAGED, GONE, CUT };

/* A process's connections to the store. */
static struct link {
    struct asked *queue, **queue_end;
    struct asked *group; /* being written or waiting for its answer */
    bool under_way;
    bool written;        /* the group has been written, and waits to be answered */
    bool slow;           /* the group takes long */
    uint64_t generation; /* of the group that the events are about */
    enum trouble trouble;
    bool will_cut; /* the next group will be cut off */
    bool listens;
    uint64_t listener;             /* counts its connections: news for an earlier one are lost */
    uint64_t heard[SIM_PROCESSES]; /* when the latest of the news from each process arrive */
    uint64_t left;                 /* when the latest of the news of this process leave it */
    bool owes;                     /* others were not told of something */
} links[SIM_PROCESSES];

static struct store *store;
static enum trouble trouble; /* of the whole store */
static struct store_gap latest_gap;

static struct link *link_of(const struct process *process)
{
    return &links[process->index];
}

void disk_open(void)
{
    store = store_memory();
    if (!store)
        abort();
    trouble = FINE;
    latest_gap = (struct store_gap){0, 0};
    for (int i = 0; i < SIM_PROCESSES; i++) {
        links[i] = (struct link){.trouble = FINE};
        links[i].queue_end = &links[i].queue;
    }
}

bool disk_troubled(const struct process *process)
{
    const struct link *link = link_of(process);
    bool behind = process->id[0] && !link->listens;
    for (int i = 0; i < world.processes && process->id[0]; i++)
        behind |= links[i].owes || link->heard[i] > world.now + SECONDS(2);
    return trouble != FINE || link->trouble != FINE || link->slow || behind;
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
    bool text = question->kind == STORE_MAP || question->kind == STORE_HERE;
    size_t entries = append ? question->entries : 0, size = sizeof(struct asked);
    size += entries * sizeof *question->entry + (text ? question->text.size : 0) + 1;
    size += (append ? question->head.people.size : 0) + 1;
    size += question->note.text.size + 1;
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
    asked->question.text = text ? put(&at, question->text) : (struct es_str){NULL, 0};
    asked->question.note.text = put(&at, question->note.text);
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

static bool faulty(void)
{
    return !world.healing && !world.calm;
}

static void next_group(struct process *process)
{
    struct link *link = link_of(process);
    if (link->under_way || !link->queue)
        return;
    link->group = link->queue;
    link->queue = NULL;
    link->queue_end = &link->queue;
    link->under_way = true;
    link->written = false;
    link->generation++;
    uint64_t ms = below(3);
    link->slow = faulty() && (trouble == SLOW || link->trouble == SLOW || chance(200));
    if (link->slow) {
        count("fault", "slow store");
        ms = between(100, SECONDS(30));
    } else if (faulty() && trouble == GONE) {
        count("fault", "store gone");
        ms = between(SECONDS(5), SECONDS(80));
        link->slow = true;
    } else if (faulty() && link->trouble == CUT) { /* tries to connect, or waits for that */
        ms = chance(2) ? below(10) : between(10, SECONDS(5));
    }
    after(ms, EVENT_WRITE, process, link->generation);
}

static const char *const kinds[] = {
    [STORE_APPEND] = "append",   [STORE_GUEST] = "guest",       [STORE_TICKET] = "ticket",
    [STORE_REDEEM] = "redeem",   [STORE_WITHDRAW] = "withdraw", [STORE_FORGET] = "forget",
    [STORE_MAP] = "map",         [STORE_COUNT] = "count",       [STORE_HERE] = "here",
    [STORE_ALIVE] = "alive",     [STORE_GONE] = "gone",         [STORE_CLEAN] = "clean",
    [STORE_READ] = "read",       [STORE_FIND] = "find",         [STORE_WHO] = "who",
    [STORE_DEVICES] = "devices", [STORE_SHEET] = "sheet",       [STORE_MINE] = "mine",
    [STORE_ROOMS] = "rooms",     [STORE_KEY] = "key",           [STORE_NOTE] = "note",
    [STORE_UNNOTE] = "unnote",   [STORE_NOTED] = "noted",       [STORE_NOTES] = "notes",
    [STORE_SEEN] = "seen",       [STORE_DELETE] = "delete",     [STORE_OLD] = "old",
    [STORE_PAGE_MINE] = "page"};

static bool names_process(enum store_kind kind)
{
    return kind == STORE_READ || kind == STORE_HERE || kind == STORE_ALIVE || kind == STORE_GONE;
}

void disk_ask(struct process *process, const struct store_question *question)
{
    struct link *link = link_of(process);
    if (question->kind > STORE_KEY)
        violated("asks what only a transfer to another store needs");
    struct asked *asked = copy(question);
    asked->gaps = process->gaps;
    count("store", kinds[question->kind]);
    if (verbose || question->kind != STORE_ALIVE)
        trace("ask", (uint64_t)process->index << 8 | question->kind, es_str(question->head.room));
    if (names_process(question->kind) && strcmp(question->process, process->id))
        violated("asks '%s' in the name of another process", kinds[question->kind]);
    *link->queue_end = asked;
    link->queue_end = &asked->next;
    next_group(process);
    /* Let some crashes happen just when something is written, or before others hear of it. */
    if (question->kind == STORE_APPEND && faulty() && chance(process->id[0] ? 300 : 1000))
        after(below(5), EVENT_CRASH, process, 0);
}

/* ---- News ------------------------------------------------------------------------------------ */

struct note {
    const struct process *from;
    unsigned life; /* its `starts` */
    struct process *process;
    uint64_t listener;
    uint64_t sent;   /* when it was stored */
    uint64_t leaves; /* when it leaves `from`: a little later, in a transaction of its own */
    struct store_news news;
};

static const char *const news_kinds[] = {[NEWS_ROOM] = "room",
                                         [NEWS_HERE] = "here",
                                         [NEWS_GUEST] = "guest",
                                         [NEWS_GAPS] = "gaps",
                                         [NEWS_ALL] = "all"};

/* News of the same process come in their order. */
static void send_news(const struct process *from, struct process *to, const struct store_news *news)
{
    struct link *link = link_of(to);
    uint64_t ms = between(1, 30), *heard = &link->heard[from->index];
    if (faulty() && chance(100)) {
        count("fault", "late news");
        ms = between(500, SECONDS(20));
    }
    if (world.now + ms > *heard)
        *heard = world.now + ms;
    struct note *note = sim_alloc(sizeof *note);
    *note = (struct note){.from = from,
                          .life = from->starts,
                          .process = to,
                          .listener = link->listener,
                          .sent = world.now,
                          .leaves = world.now + below(4),
                          .news = *news};
    if (note->leaves > links[from->index].left)
        links[from->index].left = note->leaves;
    if (note->leaves > *heard)
        *heard = note->leaves;
    after(*heard - world.now, EVENT_NEWS, note, 0);
}

/* Tells all other processes. */
static void spread(const struct process *from, const struct store_news *news)
{
    for (int i = 0; i < world.processes; i++) {
        struct process *to = &world.process[i];
        if (to == from || !to->rooms || !to->id[0])
            continue;
        if (link_of(to)->listens)
            send_news(from, to, news);
        else
            count("fault", "lost news");
    }
}

/* Tells the others what a write has changed. */
static void announce(const struct process *from, const struct asked *asked)
{
    const struct store_question *q = &asked->question;
    struct store_news news = {.kind = NEWS_ALL};
    if (q->kind == STORE_APPEND) {
        news.kind = NEWS_ROOM;
        memcpy(news.room, q->head.room, sizeof news.room);
        news.next = q->first + q->entries;
        news.listed = q->head.listed;
    } else if (q->kind == STORE_DELETE) {
        news.kind = NEWS_ROOM;
        memcpy(news.room, q->head.room, sizeof news.room);
    } else if (q->kind == STORE_HERE) {
        news.kind = NEWS_HERE;
        memcpy(news.room, q->head.room, sizeof news.room);
    } else if ((q->kind == STORE_GUEST && !q->label[0]) || q->kind == STORE_WITHDRAW ||
               q->kind == STORE_FORGET) {
        if (!asked->answer.found)
            return;
        news.kind = NEWS_GUEST;
        memcpy(news.guest, q->guest.id, sizeof news.guest);
    } else if ((q->kind == STORE_NOTE || q->kind == STORE_UNNOTE) && q->note.id[0] == NOTE_MUTE) {
        news.kind = NEWS_GUEST;
        memcpy(news.guest, q->note.guest, sizeof news.guest);
    } else if (q->kind == STORE_ALIVE && asked->answer.gaps) {
        struct store_gap last = asked->answer.gap[asked->answer.gaps - 1];
        if (last.from == latest_gap.from && last.to == latest_gap.to)
            return;
        latest_gap = last;
        count("fault", "gap");
        news.kind = NEWS_GAPS;
    } else {
        return;
    }
    spread(from, &news);
}

struct process *disk_hearer(const struct note *note)
{
    return note->process;
}

void disk_news(const struct note *note)
{
    struct process *process = note->process;
    struct link *link = link_of(process);
    const struct process *from = note->from;
    bool crashed = from->starts != note->life || !from->rooms;
    bool unsent = crashed && note->leaves > from->crashed;
    if (unsent || !process->rooms || !link->listens || link->listener != note->listener) {
        if (process->rooms)
            count("fault", "lost news");
        return;
    }
    if (world.now > note->sent + SECONDS(2))
        process_troubled(process, 0);
    count("news", news_kinds[note->news.kind]);
    trace("news", (uint64_t)process->index << 8 | note->news.kind, es_str(note->news.room));
    world_news(process, &note->news);
}

void disk_listen(struct process *process, uint64_t number)
{
    struct link *link = link_of(process);
    if (!process->rooms || link->listener != number || link->listens)
        return;
    if (trouble == BROKEN || link->trouble == CUT) {
        after(between(100, SECONDS(5)), EVENT_LISTEN, process, number);
        return;
    }
    link->listens = true;
    memset(link->heard, 0, sizeof link->heard);
    trace("listen", (uint64_t)process->index, es_str(""));
    process_troubled(process, 0);
    send_news(process, process, &(struct store_news){.kind = NEWS_ALL});
}

/* The listener has no connection, and tries to connect again. */
static void reconnect(struct process *process, uint64_t ms)
{
    struct link *link = link_of(process);
    trace("deaf", (uint64_t)process->index, es_str(""));
    link->listens = false;
    link->listener++;
    after(ms, EVENT_LISTEN, process, link->listener);
}

void disk_deaf(struct process *process)
{
    if (world.healing)
        return;
    if (process->rooms && link_of(process)->listens) {
        count("fault", "listener lost its connection");
        reconnect(process, chance(3) ? between(SECONDS(5), MINUTES(3)) : between(50, SECONDS(5)));
    }
    after(between(MINUTES(5), HOURS(4)), EVENT_DEAF, process, 0);
}

void disk_start(struct process *process)
{
    if (process->id[0])
        reconnect(process, faulty() && chance(4) ? between(10, SECONDS(10)) : between(1, 50));
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void check_refused(const struct store_question *q)
{
    count("fault", "store refused");
    const struct mirror *m = q->kind == STORE_APPEND ? mirror_of(q->head.room) : NULL;
    if (m && m->entries + 1 != q->first)
        count("fault", "another process was first");
}

static bool group_writes(const struct link *link)
{
    for (const struct asked *asked = link->group; asked; asked = asked->next)
        if (store_writes(asked->question.kind))
            return true;
    return false;
}

/* The connection is lost before the others are told of a group. */
static void owe_news(struct process *process)
{
    count("fault", "stored, but the others are not told");
    link_of(process)->owes = true;
}

/* Tells the others that they may have missed something. */
static void pay_news(struct process *process)
{
    struct link *link = link_of(process);
    if (!link->owes)
        return;
    link->owes = false;
    for (int i = 0; i < world.processes; i++)
        process_troubled(&world.process[i], 0);
    spread(process, &(struct store_news){.kind = NEWS_ALL});
}

/* Asks the store the group's questions and commits. Writes that are stored are answered with
 * `told`; if that is not STORED, reads have failed, and the others may not be told. */
static void write_group(struct process *process, enum store_outcome told)
{
    struct link *link = link_of(process);
    bool tells = told == STORE_STORED || chance(2);
    if (told == STORE_STORED)
        pay_news(process);
    for (struct asked *asked = link->group; asked; asked = asked->next) {
        store_ask(store, &asked->question, &asked->answer);
        bool notes = asked->question.kind == STORE_ALIVE;
        if (notes && asked->question.time + STORE_AHEAD_MS < world.now) {
            /* It cannot be told from one of a clock that is right after another was ahead: until
             * they note themselves again, the others seem to be gone. */
            count("fault", "a note that came more than a minute late");
            for (int i = 0; i < world.processes; i++)
                process_troubled(&world.process[i], 2 * STORE_AWAY_MS);
        }
    }
    for (struct asked *asked = link->group; asked; asked = asked->next) {
        struct store_answer *answer = &asked->answer;
        if (!store_writes(asked->question.kind)) {
            if (told != STORE_STORED)
                answer->outcome = STORE_FAILED;
        } else if (answer->outcome == STORE_REFUSED) {
            check_refused(&asked->question);
            if (tells && chance(4))
                announce(process, asked); /* for nothing */
        } else {
            check_stored(process, &asked->question, asked->gaps);
            if (tells)
                announce(process, asked);
            else if (process->id[0] && asked->question.kind != STORE_ALIVE)
                owe_news(process); /* (everybody hears of gaps soon) */
            answer->outcome = told;
        }
    }
}

/* Writes nothing: writes are answered with `told`, and reads fail. */
static void fail_group(struct process *process, enum store_outcome told)
{
    for (struct asked *asked = link_of(process)->group; asked; asked = asked->next)
        asked->answer = (struct store_answer){
            .id = asked->question.id,
            .kind = asked->question.kind,
            .outcome = store_writes(asked->question.kind) ? told : STORE_FAILED};
    process_troubled(process, 0);
}

/* Nobody knows what becomes of the group. */
static void lose_group(struct process *process)
{
    if (trouble != FULL && trouble != BROKEN && link_of(process)->trouble != CUT && chance(2)) {
        count("fault", "unknown: it was written");
        write_group(process, STORE_UNKNOWN);
        process_troubled(process, 0);
    } else {
        count("fault", "unknown: it was not written");
        fail_group(process, STORE_UNKNOWN);
    }
}

/* A damaged store cannot read some rooms, nor write to them. */
static bool is_damaged(const struct asked *asked)
{
    const struct store_question *q = &asked->question;
    return (q->kind == STORE_READ || q->kind == STORE_APPEND) && q->head.room[0] % 3 == 0;
}

/* Writes a group to a damaged store. One write that fails undoes the others. */
static void write_damaged(struct process *process)
{
    for (struct asked *asked = link_of(process)->group; asked; asked = asked->next)
        if (asked->question.kind == STORE_APPEND && is_damaged(asked)) {
            count("fault", "store damaged: a write");
            fail_group(process, STORE_FAILED);
            return;
        }
    write_group(process, STORE_STORED);
    for (struct asked *asked = link_of(process)->group; asked; asked = asked->next)
        if (is_damaged(asked)) {
            count("fault", "store damaged: a read");
            asked->answer.outcome = STORE_FAILED;
            process_troubled(process, 0);
        }
}

/* Writes the group, or lets it fail, as the current trouble has it. */
static void decide(struct process *process)
{
    const struct link *link = link_of(process);
    bool writes = group_writes(link);
    bool shaky = trouble == SHAKY || link->trouble == SHAKY;
    if (!faulty()) {
        write_group(process, STORE_STORED);
    } else if (link->trouble == CUT) {
        count("fault", "cut off from the store");
        fail_group(process, STORE_FAILED);
    } else if (trouble == FULL && writes) {
        count("fault", "store full");
        fail_group(process, STORE_FAILED);
    } else if (trouble == BROKEN) {
        count("fault", "store broken");
        fail_group(process, STORE_FAILED);
    } else if (trouble == GONE) {
        lose_group(process);
    } else if (trouble == DAMAGED) {
        write_damaged(process);
    } else if (writes && (shaky ? !chance(3) : chance(150))) {
        lose_group(process);
    } else {
        write_group(process, STORE_STORED);
    }
}

/* A process is cut off: the answer to the group under way is lost, if it was written at all. The
 * process notices only after a while. */
static void cut_off(struct process *process)
{
    struct link *link = link_of(process);
    if (link->written) {
        count("fault", "cut off before the answer");
        for (struct asked *asked = link->group; asked; asked = asked->next)
            if (!store_writes(asked->question.kind))
                asked->answer.outcome = STORE_FAILED;
            else if (asked->answer.outcome == STORE_STORED)
                asked->answer.outcome = STORE_UNKNOWN;
    } else {
        count("fault", "cut off during a group");
        lose_group(process);
        link->written = true;
    }
    link->trouble = CUT;
    link->will_cut = false;
    if (link->listens)
        reconnect(process, between(100, SECONDS(5)));
    link->generation++;
    link->slow = true;
    after(between(0, SECONDS(20)), EVENT_ANSWER, process, link->generation);
}

void disk_write(struct process *process, uint64_t number)
{
    struct link *link = link_of(process);
    if (!link->under_way || link->written || number != link->generation)
        return;
    if (link->will_cut && chance(2)) {
        cut_off(process);
        return;
    }
    decide(process);
    link->written = true;
    if (link->will_cut) {
        cut_off(process);
        return;
    }
    bool slow = faulty() && (trouble == SLOW || link->trouble == SLOW);
    link->slow = link->slow || slow;
    after(slow ? between(0, SECONDS(10)) : below(3), EVENT_ANSWER, process, link->generation);
}

/* The process learns of gaps, and of rooms that are due and that nobody has acted on: others have
 * had some seconds for that. */
static void note_alive(struct process *process, const struct asked *asked)
{
    const struct store_answer *answer = &asked->answer;
    if (answer->kind != STORE_ALIVE || answer->outcome != STORE_STORED)
        return;
    if (answer->gaps > SIM_GAPS)
        violated("%zu gaps are more than the checks know of", answer->gaps);
    process->gaps = answer->gaps < SIM_GAPS ? answer->gaps : SIM_GAPS;
    if (process->gaps)
        memcpy(process->gap, answer->gap, process->gaps * sizeof *answer->gap);
    for (size_t i = 0; i < answer->rooms && process->id[0]; i++)
        if (answer->heads[i].wake + SECONDS(5) > asked->question.time)
            violated("takes the room %s before the process that has it could act",
                     answer->heads[i].room);
    for (size_t i = 0; i < answer->rooms; i++)
        trace("claim", answer->heads[i].wake - world.begin, es_str(answer->heads[i].room));
    if (answer->rooms)
        count("fault", process->id[0] ? "due room claimed from another process"
                                      : "due room claimed by the only process");
}

void disk_answer(struct process *process, uint64_t number)
{
    struct link *link = link_of(process);
    if (!link->under_way || !link->written || number != link->generation)
        return;
    struct asked *list = link->group;
    link->group = NULL;
    link->under_way = false;
    if (link->slow)
        process_troubled(process, 0);
    link->slow = false;
    /* Questions that the server asks because of these answers are a later group. */
    next_group(process);
    for (struct asked *asked = list; asked; asked = asked->next) {
        if (verbose || asked->question.kind != STORE_ALIVE)
            trace("answer", (uint64_t)process->index << 8 | asked->answer.outcome,
                  es_str(kinds[asked->question.kind]));
        note_alive(process, asked);
        world_answer(process, &asked->answer);
    }
    drop_list(list);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

void disk_crash(struct process *process)
{
    struct link *link = link_of(process);
    if (link->under_way && !link->written && chance(2)) {
        lose_group(process);
        link->written = true;
    }
    if (link->under_way && link->written && group_writes(link))
        count("fault", "crash between write and answer");
    else if (link->under_way && group_writes(link))
        count("fault", "crash before the write");
    drop_list(link->group);
    drop_list(link->queue);
    link->group = link->queue = NULL;
    link->queue_end = &link->queue;
    link->under_way = link->slow = link->will_cut = false;
    link->listens = false;
    link->listener++;
    process->crashed = world.now;
    if (link->left > world.now)
        owe_news(process);
    /* The others find out that it is gone, and read everything again. */
    for (int i = 0; i < world.processes && link->owes; i++)
        process_troubled(&world.process[i], STORE_AWAY_MS + SECONDS(6));
    link->owes = false;
}

/* The database has crashed. Who is running, and what they say about rooms, is not durable, and is
 * lost. */
static void lose_processes(void)
{
    for (int i = 0; i < world.processes; i++) {
        struct store_question q = {.kind = STORE_GONE};
        struct store_answer answer;
        memcpy(q.process, world.process[i].id, sizeof q.process);
        store_ask(store, &q, &answer);
        free(answer.memory);
    }
}

void disk_fault(void)
{
    static const enum trouble all[] = {SLOW, SHAKY, FULL, BROKEN, DAMAGED, GONE};
    if (world.healing)
        return;
    bool broken = trouble == BROKEN;
    trouble = trouble == FINE ? all[below(6)] : FINE;
    trace("store", trouble, es_str(""));
    for (int i = 0; i < world.processes; i++) {
        struct process *process = &world.process[i];
        if (trouble == FINE)
            process_troubled(process, 0);
        if (trouble == BROKEN && process->id[0] && link_of(process)->listens)
            reconnect(process, between(100, SECONDS(5)));
    }
    if (broken && world.process[0].id[0] && chance(2)) {
        count("fault", "the database forgot who is where");
        lose_processes();
    }
    uint64_t fine =
        world.failing ? between(SECONDS(20), MINUTES(10)) : between(MINUTES(5), HOURS(3));
    uint64_t failing = between(SECONDS(5), MINUTES(world.failing ? 20 : 4));
    after(trouble == FINE ? fine : failing, EVENT_STORE_FAULT, NULL, 0);
}

void disk_link_fault(struct process *process)
{
    struct link *link = link_of(process);
    if (world.healing)
        return;
    if (link->trouble != FINE || link->will_cut) {
        link->trouble = FINE;
        link->will_cut = false;
        trace("link", (uint64_t)process->index << 8, es_str(""));
        process_troubled(process, 0);
        after(between(MINUTES(5), HOURS(4)), EVENT_LINK_FAULT, process, 0);
        return;
    }
    static const enum trouble all[] = {SLOW, SHAKY, CUT, CUT};
    enum trouble next = all[below(4)];
    trace("link", (uint64_t)process->index << 8 | next, es_str(""));
    if (next == CUT && link->under_way)
        cut_off(process);
    else if (next == CUT)
        link->will_cut = true;
    else
        link->trouble = next;
    after(between(SECONDS(2), chance(4) ? MINUTES(5) : SECONDS(40)), EVENT_LINK_FAULT, process, 0);
}

void disk_heal(void)
{
    trouble = FINE;
    for (int i = 0; i < world.processes; i++) {
        links[i].trouble = FINE;
        links[i].will_cut = false;
        process_troubled(&world.process[i], 0);
    }
}

void disk_read(const struct store_question *question, struct store_answer *answer)
{
    store_ask(store, question, answer);
}

void disk_move(void)
{
    const char *folder = getenv("TMPDIR");
    char path[300];
    struct store *copy = store_memory();
    struct transfer from = {.store = store}, to = {.store = copy};
    snprintf(path, sizeof path, "%.200s/endstation-sim-%d", folder ? folder : "/tmp",
             (int)getpid());
    bool is_moved =
        transfer_export(&from, path) && transfer_check(&to, path) && transfer_import(&to, path);
    unlink(path);
    copy->close(copy);
    if (!is_moved)
        violated("what is durable cannot be moved: %s%s", from.fault, to.fault);
}

void disk_close(void)
{
    for (int i = 0; i < SIM_PROCESSES; i++) {
        drop_list(links[i].group);
        drop_list(links[i].queue);
        links[i] = (struct link){.trouble = FINE};
        links[i].queue_end = &links[i].queue;
    }
    store->close(store);
    store = NULL;
}
