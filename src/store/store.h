/* Storage of the rooms: an append-only list of entries for each room, and guests with their
 * devices.
 *
 * A store answers questions. Questions and answers are plain values, so that the rooms can be
 * tested without a disk. Questions are answered in groups, and the writes of a group become durable
 * together:
 *
 *     struct store_pair pair[] = {{&question[0], &answer[0]}, {&question[1], &answer[1]}};
 *     store->answer(store, pair, 2);
 *
 * A write ends in one of four ways. Stored: it is durable. Refused: nothing of it was written,
 * because it contradicts what is stored. Unknown: it may or may not have been written; read before
 * you do anything else. Failed: nothing was written, for a reason that has nothing to do with the
 * question (the disk, memory); try again later.
 *
 * Later questions of a group see what earlier ones wrote. In a group whose writes are not stored,
 * reads have failed, too: they may have seen what is not there after all.
 */
#ifndef ENDSTATION_STORE_H
#define ENDSTATION_STORE_H

#include <endstation/sha256.h>
#include <endstation/text.h>

/* Sizes include the terminating zero. */
enum {
    STORE_ROOM_BYTES = 17,    /* the public id of a room and of its game: 16 of a-z, 2-7 */
    STORE_CODE_BYTES = 13,    /* the code of an invitation: 12 of 32 characters; 8 of old rooms */
    STORE_GUEST_BYTES = 17,   /* the id of a guest, like that of a room */
    STORE_DEVICE_BYTES = 9,   /* the id of a device: 8 hex digits */
    STORE_KEY_BYTES = 41,     /* a client's key for what must not happen twice */
    STORE_LABEL_BYTES = 121,  /* what a device is called */
    STORE_PROCESS_BYTES = 17, /* the id of a server process, like that of a room */
    STORE_NOTE_BYTES = 66,    /* the id of a note: a letter, and at most 64 hex digits */
    STORE_TEXT_MAX = 65536,   /* the longest text of an entry, or of a map */
};
enum { STORE_MINE_MAX = 40, STORE_DUE_MAX = 200 };
/* Of a guest. There may be more devices from before there was a limit. */
enum { STORE_DEVICES_MAX = 32, STORE_TICKETS_MAX = 32 };
enum { STORE_PAGE_MAX = 100, STORE_PAGE_SHEETS_MAX = 16 };  /* rooms or guests; sheets */
enum { STORE_PAGE_NOTES_MAX = 50, STORE_NOTES_MAX = 5000 }; /* notes; those of a kind */
enum { STORE_PAGE_MINE_MAX = 10, STORE_OLD_MAX = 20 };      /* rooms of a guest; old things */
enum { STORE_CLEAN_MAX = 50 }; /* rooms whose chat is deleted at once */
/* Milliseconds. A process is running from its first STORE_ALIVE on, until its STORE_GONE or until a
 * STORE_ALIVE of any process whose time is STORE_AWAY_MS or more after its own latest one. A claim
 * lasts for STORE_CLAIM_MS. What was noted more than STORE_AHEAD_MS after the time of a later
 * question was noted while a clock was wrong: a process that was counts as noted at that time. */
enum { STORE_AWAY_MS = 15000, STORE_CLAIM_MS = 30000, STORE_AHEAD_MS = 60000 };

/* What an entry says. The letters are what is stored. */
enum entry_kind {
    ENTRY_MADE = 'm',    /* the room was made; text: its settings (src/rooms/settings.c) */
    ENTRY_SAT = 's',     /* a guest sat down; text: the hash of their word */
    ENTRY_LEFT = 'l',    /* the seat is open again */
    ENTRY_SEAT = 'a',    /* the host gave a seat to a bot (text: its level) or opened it (none) */
    ENTRY_HOST = 'h',    /* text: the guest who is the host now */
    ENTRY_START = 'S',   /* seats and the hashes of words are fixed */
    ENTRY_WORD = 'w',    /* a word came; text: 64 hex digits */
    ENTRY_BEGIN = 'B',   /* the game begins: words that have not come count as missing */
    ENTRY_MOVE = 'e',    /* a person's move; text, also of the next three: the event in a record */
    ENTRY_BOT = 'b',     /* the move of a bot that has the seat */
    ENTRY_CLOCK = 't',   /* a move that a bot made for somebody whose time was up */
    ENTRY_CHANCE = 'c',  /* a card or a tile */
    ENTRY_GIVEN = 'g',   /* a bot plays for the owner of the seat; text: its level */
    ENTRY_TAKEN = 'k',   /* the owner plays again */
    ENTRY_CHAT = 'C',    /* text: what a guest wrote; empty when it has been deleted */
    ENTRY_NEXT = 'n',    /* text: the id of the room of the rematch */
    ENTRY_CLOSED = 'x',  /* the room is closed; text: why */
    ENTRY_REMOVED = 'r', /* the host removed a guest from a seat, for good; text: the guest */
    ENTRY_UNSAID = 'u',  /* the operator removed chat; text: the number of its entry, one before
                            this batch, whose text is deleted with this write */
};

/* An entry of a room's list. (room, number) is unique, and so are (room, seat, decision) and
 * (room, guest, key), where there is a decision or a key. */
struct store_entry {
    uint64_t time; /* milliseconds since 1970: when the room added it to its batch */
    uint8_t kind;
    uint8_t seat;     /* 0: of no seat */
    int32_t decision; /* of moves: how many decisions of that seat came before; else -1 */
    char guest[STORE_GUEST_BYTES]; /* who did it; empty: the server */
    char key[STORE_KEY_BYTES];
    struct es_str text;
};

/* What is known of a room without reading its list; written together with each batch. */
struct store_head {
    char room[STORE_ROOM_BYTES];
    char code[STORE_CODE_BYTES]; /* unique among rooms that are not over; a room keeps it */
    char map[33];                /* the hash of a sheet that is not built in; else empty */
    bool over;        /* finished or closed: nothing more happens but chat or a rematch */
    bool listed;      /* in the lobby: open to everybody, and not yet started */
    uint64_t wake;    /* when something is due even if no message comes; 0: never */
    uint64_t changed; /* milliseconds since 1970: when this head was written */
    uint64_t since;   /* only in answers to STORE_PAGE_ROOMS and STORE_OLD: `changed` of the first
                         head with `over`; 0: not over */
    /* Everyone who has sat or written here, a line each: `GUEST COLOUR NAME`, or `GUEST +COLOUR
     * NAME` for those who sit here or host. Names are stored here and with the guests, nowhere
     * else. */
    struct es_str people;
};

struct store_guest {
    char id[STORE_GUEST_BYTES];
    char name[ES_NAME_BYTES];
    uint8_t colour;
    char device[STORE_DEVICE_BYTES]; /* the device that the token in the question belongs to */
    uint64_t muted;                  /* only in answers to WHO and DEVICES: until when they may not
                                        write to others; 0: they may */
    uint64_t seen;                   /* only in answers to WHO and DEVICES: see SEEN */
};

struct store_device {
    char id[STORE_DEVICE_BYTES];
    char label[STORE_LABEL_BYTES];
    uint64_t made;
};

/* A guest's device or ticket as it is kept: of the secret only the hash. For moving everything to
 * another store, as the next one. */
struct store_pass {
    uint8_t hash[ES_SHA256_BYTES];
    char guest[STORE_GUEST_BYTES];
    char device[STORE_DEVICE_BYTES]; /* its id; empty: this is a ticket */
    char label[STORE_LABEL_BYTES];   /* of a device */
    uint64_t time;                   /* when the device was made; when the ticket expires */
};

/* What a note is about: the first letter of its id. */
enum note_kind {
    NOTE_BLOCK = 'b',   /* a guest who was deleted and must not come back; text: "address" if those
                           they come from are blocked, too */
    NOTE_TOKEN = 't',   /* the hash of a token of such a guest, as hex digits; text as above */
    NOTE_ADDRESS = 'a', /* a keyed hash of an address they came from: nobody new from there */
    NOTE_MUTE = 'm',    /* a guest who may not write to others */
    NOTE_REPORT = 'r',  /* what somebody has reported to the operator */
};

/* Something that is kept about somebody until a time, at which it is deleted. */
struct store_note {
    char id[STORE_NOTE_BYTES];     /* unique: the letter, then whom or what it is about */
    char guest[STORE_GUEST_BYTES]; /* who is blocked or muted; who has reported */
    uint64_t made, until;          /* milliseconds since 1970 */
    struct es_str text;
};

/* Times before which things are old; 0: none are. */
struct store_old {
    uint64_t rooms, games, guests;
};

struct store_sheet {
    char map[33];
    uint64_t kept; /* when it was last uploaded */
    struct es_str text;
};

enum store_kind {
    /* Writes. */
    STORE_APPEND,   /* room's entries from `first` on, and its head; refused if one of the numbers,
                       decisions or keys is taken, or the code, if `first` is not the next number,
                       or if the sheet of a new room is not there. Without entries writes only the
                       head, under the same conditions. For guests who do not exist (any more), the
                       text of chat and the lines in `people` are not written; `dropped` says that
                       there were such */
    STORE_GUEST,    /* with a label: makes a guest, if there is none, and a device, made at `time`;
                       refused if the token or the guest's device is there already. Without one:
                       changes name and colour; answers whether there is such a guest */
    STORE_TICKET,   /* a single-use ticket of a guest, valid before `time`; refused if there is no
                       such guest, or the ticket is there already. Of the guest's other tickets stay
                       the STORE_TICKETS_MAX - 1 that are valid longest */
    STORE_REDEEM,   /* uses up a ticket valid at `time` and makes a device with `token`; answers the
                       guest, or nothing if there is no such ticket. Refused as GUEST is, and if the
                       guest has STORE_DEVICES_MAX devices or more */
    STORE_SEEN,     /* notes that a guest was here at `time`, if that is later than what is noted.
                       A new guest was here when they were made */
    STORE_WITHDRAW, /* removes a device of a guest; answers whether there was one */
    STORE_FORGET,   /* removes a guest: name, devices, tickets, the text of chat, and their line in
                       the heads; answers whether there was one. With `time`: only if they were not
                       seen from then on. Questions that come later bring
                       nothing of it back: see APPEND and GUEST. With `note.until` keeps a
                       NOTE_BLOCK of the guest and a NOTE_TOKEN of each device, with that time,
                       `note.made` and `note.text` */
    STORE_NOTE,     /* keeps a note instead of any that has its id. If `first` is not 0, and there
                       was none: only if there are less than `first` of its letter and guest, and
                       less than STORE_NOTES_MAX of its letter. Answers whether it is kept */
    STORE_UNNOTE,   /* removes the note with this id; if the id is only a letter, all of that
                       letter and this guest. Answers whether there was one */
    STORE_MAP,      /* keeps the text of a sheet under its hash, from `time` on. If there is one it
                       stays: the same sheet, perhaps in other words, since the hash is that of the
                       canonical text */
    STORE_COUNT,    /* counts `tally` once more at `time`, unless its limit is reached; answers
                       whether it did. With `tally.back` takes one of this span back, if there is
                       one; answers whether there was */
    STORE_HERE,     /* notes what `process` says about a room: `text`, or nothing any more if that
                       is empty. A process that is not running says nothing; answers whether it is.
                       When a database fails, it may forget all processes, with what they say */
    STORE_ALIVE,    /* notes that `process` (empty: the only one) was running at `time`. If no other
                       one is running, and the latest note is `first` milliseconds old or older,
                       there is a gap, from that note to `time`; the first note ever follows no gap.
                       Claims up to STORE_DUE_MAX rooms that are not over and whose `wake` is not 0
                       and not after `head.wake`, the earliest first, except those that a running
                       process has claimed less than STORE_CLAIM_MS before `time`; its own claims do
                       not count if it is `fresh`. Deletes gaps that ended 30 days before `time` or
                       earlier, counts that began a day before, and processes that were last noted
                       STORE_AWAY_MS before `time` or earlier, with what they said about rooms. One
                       that was noted more than STORE_AHEAD_MS after `time` counts as noted at
                       `time`: if it runs it notes itself again, else it is gone soon. If no other
                       such process is running, and the latest note is more than
                       STORE_AHEAD_MS after `time`, a clock was ahead: then it is set to `time`;
                       gaps that end so much later end at `time`, or are deleted if they begin
                       later; counts that began, and claims that were made, so much later are
                       deleted; and the `wake` of rooms that are not over and were changed so much
                       later is put back by as much, but not before `time`. Answers gaps,
                       processes, the claimed rooms, how many are not over, and whether this
                       process was running already: if not, it says nothing about any room now */
    STORE_GONE,     /* `process` ends: it is not running any more, and says nothing about any room.
                       Answers whether it was running */
    STORE_DELETE,   /* deletes a room that is over, or with `even_open` any room, with its entries;
                       answers whether there was such a room */
    STORE_CLEAN,    /* deletes tickets that expired at `time` or before, sheets that no room names
                       and that were last uploaded before `first`, notes whose `until` is
                       `note.until` or earlier, and the text of chat in some rooms that were over
                       before `time`: at most STORE_CLEAN_MAX, the longest over first. Answers
                       whether there were so many: then ask again. A room is over from `changed`
                       of its first head with `over` */
    /* Reads. */
    STORE_READ,    /* a room's head, map, entries from `first` on, and what running processes other
                      than `process` say about it */
    STORE_FIND,    /* the head of the room that is not over and has this code */
    STORE_WHO,     /* the guest with a device of this token */
    STORE_DEVICES, /* a guest (without `device`), and their devices; answers whether there is one */
    STORE_SHEET,   /* the text of a sheet, by its hash */
    STORE_MINE,    /* heads of rooms that are not over and in which a guest sits or hosts: the
                      STORE_MINE_MAX that have changed latest */
    STORE_ROOMS,   /* heads of all listed rooms */
    STORE_NOTED,   /* the note with this id, if its `until` is after `time` */
    STORE_NOTES,   /* up to STORE_PAGE_NOTES_MAX notes after `note.id`, in the order of bytes; with
                      `note.guest` only those of that guest */
    STORE_OLD,     /* what can be deleted, STORE_OLD_MAX of each: rooms whose game never began that
                      were over before `old.rooms`; then rooms with a game that were over before
                      `old.games`, after `head.since` and `head.room`, in this order; and guests who
                      were last seen before `old.guests` and are not among the people of a room that
                      is not over. A game has begun if there is an ENTRY_BEGIN */
    STORE_PAGE_MINE, /* heads of rooms after `head.room` with a guest among their people, also of
                        those that are over: up to STORE_PAGE_MINE_MAX, by id */
    STORE_KEY,       /* a key of this store for hashes of addresses; the same for all processes */
    /* Moving everything to another store (transfer.h). Pages are in the order of bytes; an empty
     * id begins with the first. Four reads, then two writes. */
    STORE_PAGE_ROOMS,  /* the heads of up to STORE_PAGE_MAX rooms after `head.room`, by id */
    STORE_PAGE_GUESTS, /* up to STORE_PAGE_MAX guests after `guest.id`, by id, with their devices
                          and tickets */
    STORE_PAGE_SHEETS, /* up to STORE_PAGE_SHEETS_MAX sheets after `map`, by hash */
    STORE_STATE,       /* the rest: gaps, the time of the latest note, the key, and the processes
                          that were noted in the STORE_AWAY_MS before `time`. Also how many rooms,
                          guests and sheets there are */
    STORE_PUT_GUEST,   /* makes a guest with all their devices and tickets; refused if there is such
                          a guest, or somebody has one of the tokens or tickets, or two of the
                          devices have the same id */
    STORE_PUT_STATE,   /* replaces the gaps, the time of the latest note (0: there was none) and the
                          key */
};

/* A limit on something that happens at most `limit` times in a span of time, such as new rooms of
 * one address. The span begins with the first count; the first count after it begins the next one.
 */
struct store_tally {
    uint8_t kind; /* what is counted; chosen by the caller */
    uint64_t who; /* a keyed hash of an address or an id */
    uint32_t limit;
    uint32_t span; /* milliseconds; at most a day */
    bool back;     /* what was counted did not happen */
};

/* A time in which no server was running. */
struct store_gap {
    uint64_t from, to;
};

/* Each field names the kinds that use it. Texts stay the caller's. */
struct store_question {
    uint64_t id; /* chosen by the caller; the answer has it too */
    enum store_kind kind;
    struct store_head head; /* APPEND: all of it; READ, HERE, DELETE, PAGE_MINE: room; FIND: code;
                               ALIVE: wake; OLD: room and since */
    uint64_t first;         /* APPEND, READ: an entry's number, from 1; CLEAN: a time; ALIVE:
                               milliseconds */
    const struct store_entry *entry; /* APPEND */
    size_t entries;
    struct store_guest guest; /* GUEST: all of it; id alone: TICKET, WITHDRAW (and device), FORGET,
                                 SEEN, DEVICES, MINE, PAGE_MINE; REDEEM: device */
    uint8_t token[ES_SHA256_BYTES];    /* the hash of one. GUEST (if `label` is not empty), REDEEM,
                                          WHO */
    uint8_t ticket[ES_SHA256_BYTES];   /* the hash of one. TICKET, REDEEM */
    char label[STORE_LABEL_BYTES];     /* of a new device. GUEST, REDEEM */
    char map[33];                      /* MAP, SHEET */
    struct es_str text;                /* MAP, HERE: at most STORE_TEXT_MAX */
    struct store_tally tally;          /* COUNT */
    char process[STORE_PROCESS_BYTES]; /* HERE, ALIVE, GONE, READ */
    bool even_open;                    /* DELETE */
    bool fresh;    /* ALIVE: the process knows of no claims, since it has started, or an answer was
                      lost */
    uint64_t time; /* GUEST, TICKET, REDEEM, SEEN, FORGET, MAP, COUNT, ALIVE, CLEAN, NOTED, STATE;
                      PUT_GUEST: when they count as seen; PUT_STATE: the latest note */
    struct store_old old;          /* OLD */
    const struct store_pass *pass; /* PUT_GUEST; those of others are put in for `guest`, too */
    size_t passes;
    const struct store_gap *gap; /* PUT_STATE: ascending */
    size_t gaps;
    uint8_t key[ES_SHA256_BYTES]; /* PUT_STATE */
    struct store_note note;       /* NOTE: all of it; UNNOTE, NOTES: id and guest; NOTED: id;
                                     FORGET: made, until, text; CLEAN: until */
};

enum store_outcome { STORE_STORED, STORE_REFUSED, STORE_UNKNOWN, STORE_FAILED };

/* A process, and what it says about a room. */
struct store_here {
    char process[STORE_PROCESS_BYTES];
    struct es_str text;
};

/* STORED with `found` false: there is no such thing. FAILED: a read could not be answered; ask
 * again. Everything that the answer points to is in `memory`, one block for free(). */
struct store_answer {
    uint64_t id;
    enum store_kind kind;
    enum store_outcome outcome;
    bool found;
    bool dropped; /* APPEND: something of a guest that does not exist was left out */
    struct store_head head;
    const struct store_entry *entry; /* READ */
    size_t entries;
    struct es_str map;                 /* READ, SHEET: the text of the sheet, where there is one */
    struct store_guest guest;          /* WHO, REDEEM, DEVICES */
    const struct store_device *device; /* DEVICES: by `made`, then by id */
    size_t devices;
    const struct store_head *heads; /* ROOMS, PAGE_ROOMS, PAGE_MINE: by id; MINE: the latest first,
                                       then by id; ALIVE: the claimed ones, by `wake`, then by id;
                                       OLD: by `since`, then by id, with `since` */
    size_t rooms;
    uint64_t open;               /* ALIVE: how many rooms are not over */
    const struct store_gap *gap; /* ALIVE, STATE: ascending */
    size_t gaps;
    const struct store_here *here; /* READ: by process, those that are running; ALIVE: the
                                      processes that are running, this one too, without texts */
    size_t heres;
    uint8_t key[ES_SHA256_BYTES]; /* KEY, STATE */
    uint64_t clock;               /* KEY, ALIVE: the time by the store's own clock, which is the
                                     same for all processes; 0: it has none */
    uint64_t alive;               /* STATE: the time of the latest note; 0: there was none */
    struct {
        uint64_t rooms, guests, sheets;
    } total;                         /* STATE */
    const struct store_guest *owner; /* PAGE_GUESTS; OLD: by when they were seen, then by id; only
                                        their ids */
    size_t owners;
    const struct store_pass *pass; /* PAGE_GUESTS: in the order of guests; of each the devices, by
                                      id, then the tickets, by hash */
    size_t passes;
    const struct store_sheet *sheet; /* PAGE_SHEETS */
    size_t sheets;
    const struct store_note *note; /* NOTED, NOTES */
    size_t notes;
    void *memory; /* to be freed by the receiver; may be NULL */
};

/* A question, and where its answer goes. */
struct store_pair {
    const struct store_question *question;
    struct store_answer *answer;
};

/* An implementation, whose own struct begins with this one. All functions are called by one
 * thread. */
struct store {
    /* Answers a group of questions, each as if the ones before it had been answered. Returns the
     * outcome of its writes that were not refused: STORED, UNKNOWN or FAILED; the worst one if they
     * differ. STORED if there were none. */
    enum store_outcome (*answer)(struct store *store, const struct store_pair *pair, size_t count);
    void (*close)(struct store *store);
    /* Returns the latest error of the group as a sentence for the log; empty: none. Valid until the
     * next call. */
    const char *(*fault)(struct store *store);
    /* Something could not be read because it is damaged. Stays so. */
    bool is_damaged;
};

/* Returns true if this kind of question writes. */
bool store_writes(enum store_kind kind);
/* Asks one question, in a group of its own. */
void store_ask(struct store *store, const struct store_question *question,
               struct store_answer *answer);

/* A store in memory, for tests; NULL if there is no memory. Its groups are always STORED. */
struct store *store_memory(void);
/* A copy of a store made by store_memory(); NULL if there is no memory. For simulations: the state
 * that was durable when the machine stopped. */
struct store *store_memory_copy(const struct store *store);
/* Opens a store in an SQLite database, which is created if it is missing. Fails if another store
 * has it open, also if the files have been removed since; other programs can still read it. If the
 * files are removed or replaced while it is open, all questions fail. On failure returns NULL and
 * writes the reason to `fault`. */
enum { STORE_FAULT_BYTES = 300 };
struct store *store_sqlite(const char *path, char fault[STORE_FAULT_BYTES]);
/* Looks for damage in a store opened by store_sqlite(), for at most `ms` milliseconds: a large one
 * is only looked at in part. Returns false, with what is wrong in `fault`, if there is some. */
bool store_look(struct store *store, unsigned ms, char fault[STORE_FAULT_BYTES]);
/* Copies a database, also one that is in use, to a new file. Until the copy is complete and durable
 * it is in the target's folder under a name of STORE_PART; such files of backups that were killed
 * are removed. Calls `begins` with that name before it makes the file, unless that is NULL. On
 * failure returns false and writes the reason to `fault`; then there is no new file. */
bool store_backup(const char *path, const char *target, void (*begins)(const char *part),
                  char fault[STORE_FAULT_BYTES]);
/* Removes what backups into a folder have left that were killed. */
void store_backup_clean(const char *folder);
/* How these names begin; a process id and .part follow. */
#define STORE_PART ".endstation-backup-"
/* Looks for all damage in the file of a database, also while a server uses it, and calls `found`
 * for each. Returns false, with the reason in `fault`, if it cannot be read at all. */
bool store_integrity(const char *path, void (*found)(void *context, const char *what),
                     void *context, char fault[STORE_FAULT_BYTES]);
/* Opens a store in an SQLite database for reading, also while another store has it open. All writes
 * FAIL. On failure returns NULL and writes the reason to `fault`. */
struct store *store_sqlite_reader(const char *path, char fault[STORE_FAULT_BYTES]);

/* ---- Shared by several processes ------------------------------------------------------------- */

/* Opens a store in a PostgreSQL database, by its address (postgres://...). Other processes can use
 * the same database at the same time. While the database is away all questions fail, and fault()
 * gives the reason; the store reconnects automatically. On failure returns NULL and writes the
 * reason to `fault`; always fails if the program was built without libpq. */
struct store *store_postgres(const char *address, char fault[STORE_FAULT_BYTES]);

/* A change made by another process; or one that it has tried to make, for there is no harm in
 * looking. */
enum store_news_kind {
    NEWS_ROOM, /* `room` has entries up to `next` - 1, or a new head; it is `listed`, or not; `next`
                  0: it may have been deleted */
    NEWS_HERE, /* a process says something else about `room`; not for a process that has ended:
                  STORE_ALIVE answers who is running */
    NEWS_GUEST, /* `guest` has a new name, lost a device, was forgotten, muted or unmuted */
    NEWS_GAPS,  /* there is a new gap */
    NEWS_ALL,   /* changes may have been missed: read again whatever is in memory */
};
struct store_news {
    enum store_news_kind kind;
    union {
        char room[STORE_ROOM_BYTES];
        char guest[STORE_GUEST_BYTES];
    };
    uint64_t next; /* ROOM */
    bool listed;   /* ROOM */
};

/* Makes a listener for the changes that other processes make in the database of a store opened by
 * store_postgres(). It has its own connection, so another thread than the store's may use it.
 * Connects at the first store_hear(). NULL if there is no memory, or no libpq. */
struct store_listener *store_listen(const struct store *store);
/* Waits for changes and calls `hear` for each. Those of two processes may come in another order
 * than they were stored in. Returns when there were some, after `ms` milliseconds, or when `wake`,
 * a descriptor (-1: none), can be read. Reports NEWS_ALL each time it has connected. While the
 * database is away, tries to connect after 0.1 s, then at doubled intervals up to 0.5 s; one
 * attempt takes at most 5 s. */
void store_hear(struct store_listener *listener, int wake, int ms,
                void (*hear)(void *context, const struct store_news *news), void *context);
/* Returns why the listener is not connected, as a sentence for the log; empty: it is. */
const char *store_listener_fault(const struct store_listener *listener);
void store_listener_close(struct store_listener *listener);

#endif
