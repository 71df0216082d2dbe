/* A store in a PostgreSQL database that several processes can share.
 *
 * A group is one transaction and takes one round trip: all its statements and the COMMIT are sent
 * in a pipeline before the first result is read. So the program cannot decide anything in the
 * middle of a group. Each statement checks the conditions of its write and changes nothing if one
 * is violated; an error would end the transaction for the whole group. If there is an error of one
 * statement nevertheless (two processes use the same new code at the same time; a deadlock), the
 * questions are asked again one by one.
 *
 * Locks: first the rooms of the group, in the order of their ids, so that two processes do not
 * deadlock; then its counts, in the order of their keys; then, in the statements, guests.
 * Statements that write a guest's chat or name lock the guest shared, FORGET locks it exclusively.
 * What a process says about rooms (HERE) is in rows of its own, under a shared lock of its row in
 * `process`. ALIVE, for which processes may have to wait for each other, is a transaction of its
 * own, also in a group; it does not wait for any other lock. The isolation level is READ COMMITTED,
 * so a statement sees everything that was committed before it began, in particular by the last
 * owner of its locks.
 *
 * If the connection is lost, the outcome of the group is unknown; the server may even still be
 * committing it. See settle().
 */
#include "store/postgres.h"
#include "store/answer.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define HEAD "id, code, map, over, listed, wake, changed, people"
/* Between them a text: its lines with their line ends, and whose each is. */
#define LINES_OF                                                                                   \
    "(SELECT place, words[1] AS line, split_part(words[1], ' ', 1) AS guest FROM regexp_matches("
#define LINES_END ", E'[^\\n]*\\n|[^\\n]+', 'g') WITH ORDINALITY AS m (words, place)) AS l"

/* A page of rows, in the order of bytes. */
#define PAGE(id) id " COLLATE \"C\" > $1 ORDER BY " id " COLLATE \"C\" LIMIT $2"
#define GUESTS "(SELECT id FROM guest WHERE " PAGE("id") ") AS g"

/* The guest $1 was not seen from $2 on. */
#define UNSEEN "AND NOT EXISTS (SELECT FROM guest WHERE id = $1 AND seen >= $2::int8 OFFSET 0)"

/* Until when a guest is muted, or 0. */
#define MUTED "coalesce((SELECT until FROM note WHERE note.id = 'm' || guest.id OFFSET 0), 0)"

/* The time by the database's clock, in milliseconds. */
#define CLOCK "(extract(epoch FROM clock_timestamp()) * 1000)::int8"

#define STATEMENTS(X)                                                                              \
    X(BEGIN, "BEGIN ISOLATION LEVEL READ COMMITTED")                                               \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(LOCK, "SELECT 1 FROM room WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE")        \
    X(LOCK_MORE,                                                                                   \
      "SELECT 1 FROM room WHERE id IN (SELECT unnest($1::text[]) UNION SELECT id FROM "            \
      "person JOIN room ON n = person.room WHERE guest = ANY ($2::text[])) ORDER BY id "           \
      "FOR NO KEY UPDATE")                                                                         \
    X(APPEND, append_sql)                                                                          \
    X(GUEST_MAKE,                                                                                  \
      "WITH made AS (INSERT INTO device (token, guest, id, label, made) VALUES ($4, $1, $5, $6, "  \
      "$7) ON CONFLICT DO NOTHING RETURNING 1) INSERT INTO guest (id, name, colour, seen) "        \
      "SELECT $1, $2, $3::int8, $7::int8 FROM made ON CONFLICT (id) DO UPDATE "                    \
      "SET name = excluded.name, colour = excluded.colour")                                        \
    X(GUEST_NAME, "UPDATE guest SET name = $2, colour = $3::int8 WHERE id = $1")                   \
    X(GUEST_SEEN, "UPDATE guest SET seen = $2::int8 WHERE id = $1 AND seen < $2")                  \
    X(GUEST_LOCK, "SELECT 1 FROM guest WHERE id = $1 FOR UPDATE")                                  \
    X(CHAT_FORGET,                                                                                 \
      "UPDATE entry SET text = '' WHERE kind = 67 AND text <> '' AND guest = $1 " UNSEEN)          \
    X(PEOPLE_FORGET, "UPDATE room SET people = coalesce((SELECT string_agg(line, '' ORDER BY "     \
                     "place) FROM " LINES_OF "people" LINES_END " WHERE guest <> $1), '') "        \
                     "WHERE n IN (SELECT room FROM person WHERE guest = $1) " UNSEEN)              \
    X(PERSON_FORGET, "DELETE FROM person WHERE guest = $1 " UNSEEN)                                \
    X(DEVICE_FORGET, "DELETE FROM device WHERE guest = $1 " UNSEEN)                                \
    X(TICKET_FORGET, "DELETE FROM ticket WHERE guest = $1 " UNSEEN)                                \
    X(GUEST_FORGET, "DELETE FROM guest WHERE id = $1 " UNSEEN)                                     \
    X(ROOM_DELETE,                                                                                 \
      "WITH gone AS MATERIALIZED (DELETE FROM room WHERE id = $1 AND (over OR $2::int8 = 1) "      \
      "RETURNING n), "                                                                             \
      "people AS (DELETE FROM person USING gone WHERE room = gone.n), "                            \
      "entries AS (DELETE FROM entry USING gone WHERE room = gone.n) SELECT FROM gone")            \
    X(ROOM_OLD, "SELECT " HEAD ", over_since FROM room WHERE over AND begun = $1::bool AND "       \
                "over_since < $2 AND (over_since, id COLLATE \"C\") > ($3::int8, $4) "             \
                "ORDER BY over_since, id COLLATE \"C\" LIMIT $5")                                  \
    X(GUEST_OLD,                                                                                   \
      "SELECT id FROM guest WHERE seen < $1 AND NOT EXISTS (SELECT FROM person JOIN room ON n = "  \
      "person.room WHERE person.guest = guest.id AND NOT over OFFSET 0) "                          \
      "ORDER BY seen, id COLLATE \"C\" LIMIT $2")                                                  \
    X(TICKET_ADD, "WITH gone AS (DELETE FROM ticket WHERE guest = $2 AND ticket NOT IN (SELECT "   \
                  "ticket FROM ticket WHERE guest = $2 ORDER BY until DESC, ticket LIMIT $4) AND " \
                  "NOT EXISTS (SELECT FROM ticket WHERE ticket = $1)) "                            \
                  "INSERT INTO ticket (ticket, guest, until) SELECT $1::bytea, id, $3::int8 FROM " \
                  "guest WHERE id = $2 FOR KEY SHARE ON CONFLICT DO NOTHING")                      \
    X(TICKET_LOCK, "SELECT 1 FROM guest WHERE id = (SELECT guest FROM ticket WHERE ticket = $1) "  \
                   "FOR NO KEY UPDATE")                                                            \
    X(REDEEM,                                                                                      \
      "WITH valid AS MATERIALIZED (SELECT guest.id, name, colour FROM ticket JOIN guest "          \
      "ON guest.id = ticket.guest WHERE ticket = $1 AND until > $2 "                               \
      "FOR UPDATE OF ticket FOR KEY SHARE OF guest), "                                             \
      "made AS (INSERT INTO device (token, guest, id, label, made) "                               \
      "SELECT $3::bytea, id, $4, $5, $2::int8 FROM valid WHERE (SELECT count(*) FROM device "      \
      "WHERE guest = valid.id) < $6 ON CONFLICT DO NOTHING RETURNING 1), "                         \
      "used AS (DELETE FROM ticket USING made WHERE ticket = $1) "                                 \
      "SELECT id, name, colour, EXISTS (SELECT FROM made) FROM valid")                             \
    X(DEVICE_REMOVE, "DELETE FROM device WHERE guest = $1 AND id = $2")                            \
    X(MAP_SET, "INSERT INTO map (hash, text, kept) VALUES ($1, $2, $3) ON CONFLICT (hash) DO "     \
               "UPDATE SET kept = excluded.kept")                                                  \
    X(MAP_LOCK, "SELECT 1 FROM map WHERE kept < $1 AND NOT EXISTS (SELECT FROM room WHERE map = "  \
                "hash AND map <> '' OFFSET 0) ORDER BY hash FOR UPDATE OF map")                    \
    X(MAP_CLEAN, "DELETE FROM map WHERE kept < $1 AND NOT EXISTS (SELECT FROM room WHERE map = "   \
                 "hash AND map <> '' OFFSET 0)")                                                   \
    X(COUNT,                                                                                       \
      "INSERT INTO tally (kind, who, start, count) SELECT $1::int8, $2::int8, $3::int8, 1 WHERE "  \
      "$4::int8 > 0 ON CONFLICT (kind, who) DO UPDATE SET start = CASE WHEN $3 - tally.start >= "  \
      "$5::int8 THEN $3 ELSE tally.start END, count = CASE WHEN $3 - tally.start >= $5 THEN 1 "    \
      "ELSE tally.count + 1 END WHERE $3 - tally.start >= $5 OR tally.count < $4")                 \
    X(COUNT_BACK,                                                                                  \
      "UPDATE tally SET count = count - 1 WHERE kind = $1::int8 AND who = $2::int8 AND count > 0 " \
      "AND $3::int8 - start < $4::int8")                                                           \
    X(COUNT_CLEAN, "DELETE FROM tally WHERE (kind, who) IN (SELECT kind, who FROM tally WHERE "    \
                   "start <= $1 FOR UPDATE SKIP LOCKED)")                                          \
    X(DUE,                                                                                         \
      "WITH due AS MATERIALIZED (SELECT n FROM room WHERE NOT over AND wake > 0 AND wake <= $1 "   \
      "AND (claimed = 0 OR claimed <= $2 OR NOT CASE WHEN claimer = $6 THEN $7::bool ELSE "        \
      "EXISTS (SELECT FROM process WHERE id = claimer AND abs(noted) > $5 OFFSET 0) END) "         \
      "ORDER BY wake, id COLLATE \"C\" LIMIT $3 FOR NO KEY UPDATE OF room SKIP LOCKED), "          \
      "taken AS (UPDATE room SET claimed = $4, claimer = $6 FROM due WHERE room.n = due.n "        \
      "RETURNING " HEAD ") SELECT * FROM taken ORDER BY wake, id COLLATE \"C\"")                   \
    X(NOTE_SET,                                                                                    \
      "INSERT INTO note (id, guest, made, until, text) SELECT $1, $2, $3::int8, $4::int8, $5 "     \
      "WHERE $6::int8 = 0 OR EXISTS (SELECT FROM note WHERE id = $1) OR ((SELECT count(*) FROM "   \
      "note WHERE guest = $2 AND left(id, 1) = left($1, 1)) < $6 AND (SELECT count(*) FROM note "  \
      "WHERE left(id, 1) = left($1, 1)) < $7::int8) ON CONFLICT (id) DO UPDATE SET (guest, made, " \
      "until, text) = (excluded.guest, excluded.made, excluded.until, excluded.text)")             \
    X(NOTE_TOKENS,                                                                                 \
      "INSERT INTO note (id, guest, made, until, text) SELECT 't' || encode(token, 'hex'), "       \
      "guest, $2::int8, $3::int8, $4 FROM device WHERE guest = $1 ON CONFLICT (id) DO UPDATE "     \
      "SET (guest, made, until, text) = (excluded.guest, excluded.made, excluded.until, "          \
      "excluded.text)")                                                                            \
    X(NOTE_BLOCK,                                                                                  \
      "INSERT INTO note (id, guest, made, until, text) SELECT 'b' || id, id, $2::int8, $3::int8, " \
      "$4 FROM guest WHERE id = $1 ON CONFLICT (id) DO UPDATE SET (guest, made, until, text) = "   \
      "(excluded.guest, excluded.made, excluded.until, excluded.text)")                            \
    X(NOTE_REMOVE, "DELETE FROM note WHERE id = $1")                                               \
    X(NOTE_LIFT, "DELETE FROM note WHERE guest = $1 AND left(id, 1) = $2")                         \
    X(NOTE_CLEAN, "DELETE FROM note WHERE id IN (SELECT id FROM note WHERE until <= $1 FOR "       \
                  "UPDATE SKIP LOCKED)")                                                           \
    X(NOTE_READ, "SELECT id, guest, made, until, text FROM note WHERE id = $1 AND until > $2")     \
    X(NOTE_PAGE, "SELECT id, guest, made, until, text FROM note WHERE id > $1 ORDER BY id "        \
                 "LIMIT $2")                                                                       \
    X(NOTE_OWN, "SELECT id, guest, made, until, text FROM note WHERE guest = $1 AND id > $2 "      \
                "ORDER BY id LIMIT $3")                                                            \
    X(OPEN_COUNT, "SELECT count(*), " CLOCK " FROM room WHERE NOT over")                           \
    X(ALIVE_LOCK, "SELECT 1 FROM alive FOR NO KEY UPDATE")                                         \
    X(ALIVE_AHEAD,                                                                                 \
      "WITH was AS MATERIALIZED (SELECT time FROM alive WHERE time > $2 AND NOT EXISTS (SELECT "   \
      "FROM process WHERE id <> $3 AND (noted > $2 OR (noted < 0 AND -noted > $4)))), "            \
      "room_put AS (UPDATE room SET (wake, claimed) = (CASE WHEN wake > $1 AND changed > $2 THEN " \
      "greatest($1, wake + $1 - (SELECT time FROM was)) ELSE wake END, 0) WHERE EXISTS (SELECT "   \
      "FROM was) AND NOT over AND (claimed > $2 OR (wake > $1 AND changed > $2))), "               \
      "tally_put AS (DELETE FROM tally WHERE EXISTS (SELECT FROM was) AND start > $2), "           \
      "gap_gone AS (DELETE FROM gap WHERE EXISTS (SELECT FROM was) AND stop > $2 AND start >= "    \
      "$1), "                                                                                      \
      "gap_cut AS (UPDATE gap SET stop = $1 WHERE EXISTS (SELECT FROM was) AND stop > $2 AND "     \
      "start < $1) " /* Not before a gap that is kept: the next one begins after it. */            \
      "UPDATE alive SET time = greatest($1, (SELECT max(stop) FROM gap WHERE stop <= $2)) WHERE "  \
      "EXISTS (SELECT FROM was)")                                                                  \
    /* Less than -1: it was noted by a clock that was ahead, and was found so at this time. */     \
    X(PROCESS_AHEAD, "UPDATE process SET noted = -$1::int8 WHERE id IN (SELECT id FROM process "   \
                     "WHERE noted > $2 FOR NO KEY UPDATE SKIP LOCKED)")                            \
    X(PROCESS_AWAY, "UPDATE process SET noted = -1 WHERE id IN (SELECT id FROM process WHERE "     \
                    "abs(noted) <= $1 FOR UPDATE SKIP LOCKED)")                                    \
    X(HERE_AWAY, "DELETE FROM here WHERE process IN (SELECT id FROM process WHERE noted = -1)")    \
    X(PROCESS_CLEAN, "DELETE FROM process WHERE noted = -1")                                       \
    X(PROCESS_NOTE,                                                                                \
      "INSERT INTO process (id, noted) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET noted = "    \
      "excluded.noted RETURNING EXISTS (SELECT FROM process WHERE id = $1)")                       \
    X(GAP_NOTE,                                                                                    \
      "WITH made AS (INSERT INTO gap (start, stop) SELECT time, $2::int8 FROM alive WHERE time > " \
      "0 AND time < $2 AND $2 - time >= $3::int8 AND NOT EXISTS (SELECT FROM process WHERE id <> " \
      "$1 AND abs(noted) > $4) ON CONFLICT (start) DO UPDATE SET stop = excluded.stop RETURNING "  \
      "1) "                                                                                        \
      "SELECT pg_notify('" LINK_CHANNEL "', $5) FROM made")                                        \
    X(ALIVE_SET, "UPDATE alive SET time = greatest(time, $1)")                                     \
    X(PROCESS_LIST, "SELECT id FROM process WHERE abs(noted) > $1 ORDER BY id COLLATE \"C\"")      \
    X(HERE,                                                                                        \
      "WITH own AS MATERIALIZED (SELECT id FROM process WHERE id = $1 FOR KEY SHARE), said AS "    \
      "MATERIALIZED (SELECT id AS process, room, text FROM own, unnest($2::text[], $3::text[]) "   \
      "AS s (room, text)), "                                                                       \
      "gone AS (DELETE FROM here USING said WHERE here.room = said.room AND here.process = "       \
      "said.process AND said.text = ''), "                                                         \
      "kept AS (INSERT INTO here (room, process, text) SELECT room, process, text FROM said "      \
      "WHERE text <> '' ON CONFLICT (room, process) DO UPDATE SET text = excluded.text) "          \
      "SELECT FROM own")                                                                           \
    X(PROCESS_LOCK, "SELECT 1 FROM process WHERE id = $1 FOR UPDATE")                              \
    X(HERE_GONE, "DELETE FROM here WHERE process = $1")                                            \
    X(PROCESS_GONE, "DELETE FROM process WHERE id = $1")                                           \
    X(HERE_LIST,                                                                                   \
      "SELECT process, text FROM here WHERE room = $1 AND process <> $2 AND EXISTS (SELECT FROM "  \
      "process WHERE id = here.process OFFSET 0) ORDER BY process COLLATE \"C\"")                  \
    X(KEY, "SELECT key, " CLOCK " FROM key")                                                       \
    X(ROOM_PAGE, "SELECT " HEAD ", over_since FROM room WHERE " PAGE("id"))                        \
    X(GUEST_PAGE, "SELECT id, name, colour FROM guest WHERE " PAGE("id"))                          \
    X(DEVICE_PAGE, "SELECT guest, token, device.id, label, made FROM " GUESTS " JOIN device ON "   \
                   "guest = g.id ORDER BY guest COLLATE \"C\", device.id COLLATE \"C\"")           \
    X(TICKET_PAGE, "SELECT guest, ticket, '', '', until FROM " GUESTS " JOIN ticket ON guest = "   \
                   "g.id ORDER BY guest COLLATE \"C\", ticket")                                    \
    X(MAP_PAGE, "SELECT hash, kept, text FROM map WHERE " PAGE("hash"))                            \
    X(TOTALS,                                                                                      \
      "SELECT (SELECT count(*) FROM room), (SELECT count(*) FROM guest), (SELECT count(*) "        \
      "FROM map), (SELECT time FROM alive)")                                                       \
    X(GUEST_PUT, guest_put_sql)                                                                    \
    X(GAP_REMOVE, "DELETE FROM gap")                                                               \
    X(GAP_PUT, "INSERT INTO gap (start, stop) SELECT * FROM unnest($1::int8[], $2::int8[])")       \
    X(ALIVE_PUT, "UPDATE alive SET time = $1")                                                     \
    X(KEY_PUT, "UPDATE key SET key = $1")                                                          \
    X(GAP_CLEAN, "DELETE FROM gap WHERE stop <= $1")                                               \
    X(CHAT_CLEAN,                                                                                  \
      "WITH old AS MATERIALIZED (SELECT n FROM room WHERE over AND chat AND over_since < $1 "      \
      "ORDER BY over_since LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED), "                              \
      "cleaned AS (UPDATE entry SET text = '' FROM old WHERE room = old.n AND kind + 0 = 67 AND "  \
      "text <> '') UPDATE room SET chat = false FROM old WHERE room.n = old.n")                    \
    X(TICKET_CLEAN, "DELETE FROM ticket WHERE until <= $1")                                        \
    X(NEWS, "SELECT set_config('synchronous_commit', 'off', true), pg_notify('" LINK_CHANNEL       \
            "', $1 || coalesce(string_agg('r ' || id || ' ' || next || "                           \
            "CASE WHEN listed THEN ' l' ELSE '' END, E'\\n' ORDER BY id), '')) "                   \
            "FROM room WHERE id = ANY ($2::text[]) HAVING $3::bool OR count(*) > 0")               \
    X(ROOM_READ, "SELECT " HEAD ", next, (SELECT text FROM map WHERE hash = room.map) FROM room "  \
                 "WHERE id = $1")                                                                  \
    X(ENTRY_LIST, "SELECT number, time, kind, seat, decision, guest, key, text FROM entry "        \
                  "WHERE room = (SELECT n FROM room WHERE id = $1) AND number >= $2 "              \
                  "ORDER BY number")                                                               \
    X(ROOM_FIND, "SELECT " HEAD " FROM room WHERE code = $1 AND NOT over AND code <> ''")          \
    X(DEVICE_WHO, "SELECT guest.id, name, colour, device.id, " MUTED ", seen FROM device JOIN "    \
                  "guest ON guest.id = device.guest WHERE token = $1")                             \
    X(DEVICE_LIST,                                                                                 \
      "SELECT guest.id, name, colour, device.id, label, made, " MUTED ", seen FROM guest LEFT "    \
      "JOIN device ON device.guest = guest.id WHERE guest.id = $1 "                                \
      "ORDER BY made, device.id COLLATE \"C\"")                                                    \
    X(MAP_TEXT, "SELECT text FROM map WHERE hash = $1")                                            \
    X(ROOM_LIST, "SELECT " HEAD " FROM room WHERE listed ORDER BY id COLLATE \"C\"")               \
    X(ROOM_MINE, "SELECT " HEAD " FROM person JOIN room ON n = person.room WHERE guest = $1 AND "  \
                 "NOT over AND position(E'\\n' || $1 || ' +' IN E'\\n' || people) "                \
                 "> 0 ORDER BY changed DESC, id COLLATE \"C\" LIMIT $2")                           \
    X(ROOM_PAGE_MINE, "SELECT " HEAD " FROM person JOIN room ON n = person.room WHERE guest = $1 " \
                      "AND id COLLATE \"C\" > $2 ORDER BY id COLLATE \"C\" LIMIT $3")              \
    X(GAP_LIST, "SELECT start, stop FROM gap ORDER BY start")

/* Writes to several rooms, no two with the same id or code. Parameters: 1 to 10 the columns of
 * heads, 11 to 19 those of entries. There is a row for each head that is written; it says the place
 * of the head in the list, and whether something was dropped. Those without a row are refused. As
 * the rooms are locked, what the statement saw when it began is what is there. Look-ups in tables
 * end with OFFSET 0: each is one in an index then, whatever the planner thinks of the tables. Lists
 * that are used twice are made once.
 *
 *     head    what is to be written, beside what is there
 *     line    the lines of people, where they are others than before
 *     there   the guests that matter who are there
 *     sheet   the sheets of new rooms
 *     fit     the heads that nothing contradicts
 *     unsaid  earlier chat that entries take back */
static const char append_sql[] =
    "WITH head AS (SELECT h.*, r.n, r.next, r.people AS before "
    "  FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[], $6::int8[], "
    "    $7::int8[], $8::text[], $9::int8[], $10::int8[]) WITH ORDINALITY "
    "    AS h (id, code, map, over, listed, wake, changed, people, first, count, place) "
    "  LEFT JOIN LATERAL (SELECT n, next, people FROM room WHERE id = h.id OFFSET 0) AS r ON "
    "true), "
    "new AS (SELECT at, number, time, kind, seat::int2, decision::int4, guest, key, "
    "  text FROM unnest($11::int8[], $12::int8[], $13::int8[], $14::int8[], $15::int8[], "
    "    $16::int8[], $17::text[], $18::text[], $19::text[]) "
    "    AS e (at, number, time, kind, seat, decision, guest, key, text)), "
    "line AS (SELECT head.place AS at, l.* FROM head, LATERAL " LINES_OF "head.people" LINES_END
    " WHERE head.people IS DISTINCT FROM head.before), "
    "there AS (SELECT id FROM guest WHERE id = ANY (ARRAY (SELECT guest FROM line "
    "  UNION SELECT guest FROM new WHERE kind = 67 AND text <> '')) ORDER BY id FOR KEY SHARE), "
    "kept AS (SELECT * FROM line WHERE guest IN (SELECT id FROM there)), "
    "gone AS (SELECT at, number FROM new "
    "  WHERE kind = 67 AND text <> '' AND guest NOT IN (SELECT id FROM there)), "
    "sheet AS MATERIALIZED (SELECT hash FROM map WHERE hash = ANY (ARRAY (SELECT map FROM head "
    "  WHERE n IS NULL AND map <> '')) ORDER BY hash FOR KEY SHARE), "
    "taken AS MATERIALIZED (SELECT at FROM new JOIN head ON place = at WHERE "
    "  decision >= 0 AND EXISTS (SELECT FROM entry WHERE room = head.n AND seat = new.seat "
    "    AND decision = new.decision AND decision >= 0 OFFSET 0) OR "
    "  key <> '' AND EXISTS (SELECT FROM entry WHERE room = head.n AND guest = new.guest "
    "    AND key = new.key AND key <> '' OFFSET 0)), "
    "fit AS (SELECT head.*, CASE WHEN people = before THEN people ELSE coalesce("
    "    (SELECT string_agg(line, '' ORDER BY kept.place) FROM kept WHERE at = head.place), '') "
    "  END AS rest FROM head WHERE first = coalesce(next, 1) AND place NOT IN (SELECT at FROM "
    "taken) "
    "  AND (n IS NOT NULL OR map = '' OR map IN (SELECT hash FROM sheet)) "
    "  AND (over = 1 OR code = '' OR NOT EXISTS (SELECT FROM room "
    "    WHERE code = head.code AND NOT over AND code <> '' AND id <> head.id OFFSET 0))), "
    "made AS (INSERT INTO room "
    "  (id, next, code, map, over, over_since, listed, wake, changed, people, begun) "
    "  SELECT id, first + count, code, map, over = 1, over * changed, listed = 1, wake, changed, "
    "  rest, 66 IN (SELECT kind FROM new WHERE at = place) FROM fit WHERE n IS NULL ORDER BY id ON "
    "CONFLICT DO NOTHING RETURNING n, id), "
    "changed AS (UPDATE room SET next = first + count, code = fit.code, map = fit.map, "
    "  over = fit.over = 1, over_since = fit.over * "
    "    CASE WHEN room.over THEN over_since ELSE fit.changed END, listed = fit.listed = 1, "
    "  wake = fit.wake, changed = fit.changed, people = rest, "
    "  chat = chat OR 67 IN (SELECT kind FROM new WHERE at = place), "
    "  begun = begun OR 66 IN (SELECT kind FROM new WHERE at = place) "
    "  FROM fit WHERE room.n = fit.n RETURNING room.n, place), "
    "written AS (SELECT n, place FROM changed "
    "  UNION ALL SELECT made.n, place FROM made JOIN fit USING (id)), "
    "less AS (DELETE FROM person USING fit WHERE room = fit.n AND rest <> before "
    "  AND guest NOT IN (SELECT guest FROM kept WHERE at = fit.place)), "
    "added AS (INSERT INTO person (guest, room) SELECT DISTINCT guest, n FROM kept "
    "  JOIN written ON written.place = at ON CONFLICT DO NOTHING), "
    "entries AS (INSERT INTO entry (room, number, time, kind, seat, decision, guest, key, text) "
    "  SELECT n, number, time, kind, seat, decision, guest, key, "
    "  CASE WHEN kind = 67 AND (at, number) IN (SELECT * FROM gone) THEN '' ELSE text END "
    "  FROM new JOIN written ON place = at), "
    "unsaid AS (UPDATE entry AS e SET text = '' FROM new JOIN written ON place = at "
    "  WHERE new.kind = 117 AND e.room = n AND e.kind = 67 AND e.number::text = new.text) "
    "SELECT place, place IN (SELECT at FROM gone) "
    "  OR (SELECT count(*) FROM line WHERE at = written.place) "
    "  > (SELECT count(*) FROM kept WHERE at = written.place) FROM written";

/* Makes a guest. Parameters: 1 to 3 the guest, 4 to 7 the columns of devices, 8 and 9 those of
 * tickets, 10 when they were seen; hashes are hex digits. There is a row if nothing contradicts it.
 */
static const char guest_put_sql[] =
    "WITH device_new AS MATERIALIZED (SELECT decode(token, 'hex') AS token, id, label, made "
    "  FROM unnest($4::text[], $5::text[], $6::text[], $7::int8[]) AS d (token, id, label, made)), "
    "ticket_new AS MATERIALIZED (SELECT decode(ticket, 'hex') AS ticket, until "
    "  FROM unnest($8::text[], $9::int8[]) AS t (ticket, until)), "
    "fit AS MATERIALIZED (SELECT 1 WHERE NOT EXISTS (SELECT FROM guest WHERE id = $1) "
    "  AND NOT EXISTS (SELECT FROM device_new AS n WHERE EXISTS (SELECT FROM device "
    "    WHERE token = n.token OFFSET 0)) "
    "  AND NOT EXISTS (SELECT FROM ticket_new AS n WHERE EXISTS (SELECT FROM ticket "
    "    WHERE ticket = n.ticket OFFSET 0))), "
    "made AS (INSERT INTO guest (id, name, colour, seen) SELECT $1, $2, $3::int8, $10::int8 "
    "  FROM fit RETURNING 1), "
    "devices AS (INSERT INTO device (token, guest, id, label, made) "
    "  SELECT token, $1, id, label, made FROM device_new, fit), "
    "tickets AS (INSERT INTO ticket (ticket, guest, until) "
    "  SELECT ticket, $1, until FROM ticket_new, fit) "
    "SELECT FROM made";

enum statement {
#define STATEMENT(name, sql) SQL_##name,
    STATEMENTS(STATEMENT) STATEMENT_COUNT
#undef STATEMENT
};

static const struct {
    const char *name, *sql;
} statement[] = {
#define STATEMENT(name, sql) {#name, sql},
    STATEMENTS(STATEMENT)
#undef STATEMENT
};

/* Rooms that one statement writes to: it compares some of its lists each with each. */
enum { APPENDS_MAX = 64, HERES_MAX = 64 };

#define SEND(postgres, name, ...) link_send(&(postgres)->link, #name, __VA_ARGS__)

struct postgres {
    struct store store;
    struct link link;
    uint32_t session;   /* the advisory lock that this session holds */
    uint32_t unsettled; /* that of an earlier session, which may still be committing; 0: none */
    char sender[STORE_SENDER_BYTES];
    int news;     /* NEWS statements of the group */
    bool is_due;  /* others may not have been notified of something: they are told to read all */
    int group_ms; /* time limit of a group in milliseconds */
    bool never_settles;
};

/* ---- Connecting ------------------------------------------------------------------------------ */

/* Runs SQL with up to two numbers in it; NULL after an error. */
static PGresult *run(struct postgres *postgres, const char *form, int a, int b)
{
    char sql[500];
    snprintf(sql, sizeof sql, form, a, b);
    return link_run(&postgres->link, sql);
}

static bool run_only(struct postgres *postgres, const char *form, int a, int b)
{
    PGresult *result = run(postgres, form, a, b);
    PQclear(result);
    return result != NULL;
}

/* Takes the lock that this session holds until it ends. */
static bool take_lock(struct postgres *postgres)
{
    if (getrandom(&postgres->session, sizeof postgres->session, 0) < 0)
        return false;
    postgres->session = postgres->session % (INT32_MAX - LINK_LOCK_SESSION) + LINK_LOCK_SESSION;
    return run_only(postgres, "SELECT pg_advisory_lock(%d, %d)", LINK_LOCKS,
                    (int)postgres->session);
}

/* Makes sure that the session whose last group has an unknown outcome has ended.
 *
 * The server may not have noticed yet that the connection is lost, or may still be executing the
 * group. A read before it ends could miss the group, which would be committed after it. Each
 * session holds an advisory lock of its own until it ends, so once we get that lock it has ended.
 */
static bool settle(struct postgres *postgres)
{
    if (!postgres->unsettled || postgres->never_settles)
        return true;
    if (!run_only(postgres,
                  "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND "
                  "database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND "
                  "classid = %d AND objid = %d AND objsubid = 2 AND granted",
                  LINK_LOCKS, (int)postgres->unsettled) ||
        !run_only(postgres, "SELECT pg_advisory_lock(%d, %d)", LINK_LOCKS,
                  (int)postgres->unsettled) ||
        !run_only(postgres, "SELECT pg_advisory_unlock(%d, %d)", LINK_LOCKS,
                  (int)postgres->unsettled))
        return false;
    postgres->unsettled = 0;
    return true;
}

static bool prepare(struct link *link)
{
    bool is_right = PQenterPipelineMode(link->db);
    for (int i = 0; i < STATEMENT_COUNT && is_right; i++)
        is_right = PQsendPrepare(link->db, statement[i].name, statement[i].sql, 0, NULL);
    is_right = is_right && PQpipelineSync(link->db);
    for (int i = 0; i < STATEMENT_COUNT && is_right; i++) {
        PGresult *result = link_next(link);
        is_right = result != NULL;
        PQclear(result);
    }
    return is_right && link_sync(link);
}

static bool reconnect(struct postgres *postgres)
{
    struct link *link = &postgres->link;
    if (!link_open(link))
        return false;
    link->deadline = link_now() + (uint64_t)postgres->group_ms;
    if (link_schema(link) && take_lock(postgres) && settle(postgres) && prepare(link))
        return true;
    if (!link->fault[0])
        link_fault(link, "the database cannot be used");
    link_close(link);
    return false;
}

/* Returns whether there is a connection; connects if there is none and it is time to try. */
static bool is_ready(struct postgres *postgres)
{
    struct link *link = &postgres->link;
    if (link->db && link_check(link)) {
        link->fault[0] = '\0';
        return true;
    }
    if (link_now() < link->retry)
        return false;
    bool is_open = reconnect(postgres);
    link_tried(link, is_open);
    return is_open;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Copies a text to an array. Cuts it off if it is too long, which no text of ours is. */
static void take_text(const PGresult *result, int row, int column, char *to, size_t size)
{
    struct es_str text = link_str(result, row, column);
    if (text.size >= size)
        text.size = size - 1;
    memcpy(to, text.at, text.size);
    to[text.size] = '\0';
}

/* Reads the columns HEAD. The text of `people` is valid as long as the result. */
static struct store_head take_head(const PGresult *result, int row)
{
    struct store_head head = {
        .over = link_int(result, row, 3),
        .listed = link_int(result, row, 4),
        .wake = (uint64_t)link_int(result, row, 5),
        .changed = (uint64_t)link_int(result, row, 6),
        .people = link_str(result, row, 7),
    };
    take_text(result, row, 0, head.room, sizeof head.room);
    take_text(result, row, 1, head.code, sizeof head.code);
    take_text(result, row, 2, head.map, sizeof head.map);
    return head;
}

/* Reads the columns guest.id, name, colour. */
static struct store_guest take_guest(const PGresult *result, int row)
{
    struct store_guest guest = {.colour = (uint8_t)link_int(result, row, 2)};
    take_text(result, row, 0, guest.id, sizeof guest.id);
    take_text(result, row, 1, guest.name, sizeof guest.name);
    return guest;
}

/* ---- Rooms ----------------------------------------------------------------------------------- */

/* Returns whether two of the entries have the same decision or key. */
static bool has_twice(const struct store_question *question)
{
    for (size_t i = 0; i < question->entries; i++) {
        const struct store_entry *a = &question->entry[i];
        if (a->decision < 0 && !a->key[0])
            continue;
        for (size_t k = 0; k < i; k++) {
            const struct store_entry *b = &question->entry[k];
            if ((a->decision >= 0 && a->decision == b->decision && a->seat == b->seat) ||
                (a->key[0] && !strcmp(a->key, b->key) && !strcmp(a->guest, b->guest)))
                return true;
        }
    }
    return false;
}

/* Returns how many questions, from the first on, one APPEND statement can write; 0 if the first is
 * another kind of question. */
static size_t appends(const struct store_pair *pair, size_t count)
{
    size_t length = 0;
    for (; length < count && length < APPENDS_MAX; length++) {
        const struct store_question *question = pair[length].question;
        if (question->kind != STORE_APPEND)
            break;
        for (size_t i = 0; i < length; i++) {
            const struct store_head *other = &pair[i].question->head;
            if (!strcmp(question->head.room, other->room) ||
                (other->code[0] && !strcmp(question->head.code, other->code)))
                return length;
        }
    }
    return length;
}

/* The columns of a statement that writes to several rooms. */
struct columns {
    size_t heads, entries;
    struct es_str *id, *code, *map, *people, *guest, *key, *text;
    int64_t *over, *listed, *wake, *changed, *first, *count;
    int64_t *at, *number, *time, *kind, *seat, *decision;
};

/* Cuts arrays out of two pieces of memory. Returns false if there is none. */
static bool columns_make(struct columns *columns, size_t heads, size_t entries)
{
    *columns = (struct columns){.heads = heads, .entries = entries};
    struct es_str *text = malloc((4 * heads + 3 * entries + 1) * sizeof *text);
    int64_t *number = malloc((6 * heads + 6 * entries + 1) * sizeof *number);
    if (!text || !number) {
        free(text);
        free(number);
        return false;
    }
    struct es_str **head_text[] = {&columns->id, &columns->code, &columns->map, &columns->people};
    for (int i = 0; i < 4; i++, text += heads)
        *head_text[i] = text;
    struct es_str **entry_text[] = {&columns->guest, &columns->key, &columns->text};
    for (int i = 0; i < 3; i++, text += entries)
        *entry_text[i] = text;
    int64_t **head_number[] = {&columns->over,    &columns->listed, &columns->wake,
                               &columns->changed, &columns->first,  &columns->count};
    for (int i = 0; i < 6; i++, number += heads)
        *head_number[i] = number;
    int64_t **entry_number[] = {&columns->at,   &columns->number, &columns->time,
                                &columns->kind, &columns->seat,   &columns->decision};
    for (int i = 0; i < 6; i++, number += entries)
        *entry_number[i] = number;
    return true;
}

static void columns_add(struct columns *columns, const struct store_question *question)
{
    const struct store_head *head = &question->head;
    size_t i = columns->heads++;
    columns->id[i] = es_str(head->room);
    columns->code[i] = es_str(head->code);
    columns->map[i] = es_str(head->map);
    columns->people[i] = head->people;
    columns->over[i] = head->over;
    columns->listed[i] = head->listed;
    columns->wake[i] = (int64_t)head->wake;
    columns->changed[i] = (int64_t)head->changed;
    columns->first[i] = (int64_t)question->first;
    columns->count[i] = (int64_t)question->entries;
    for (size_t k = 0; k < question->entries; k++) {
        const struct store_entry *entry = &question->entry[k];
        size_t n = columns->entries++;
        columns->at[n] = (int64_t)columns->heads;
        columns->number[n] = (int64_t)(question->first + k);
        columns->time[n] = (int64_t)entry->time;
        columns->kind[n] = entry->kind;
        columns->seat[n] = entry->seat;
        columns->decision[n] = entry->decision;
        columns->guest[n] = es_str(entry->guest);
        columns->key[n] = es_str(entry->key);
        columns->text[n] = entry->text;
    }
}

/* Sends one statement for all of them. Refuses those with a decision or key twice. */
static void send_appends(struct postgres *postgres, const struct store_pair *pair, size_t count)
{
    struct columns columns;
    size_t entries = 0;
    for (size_t i = 0; i < count; i++)
        entries += pair[i].question->entries;
    if (!columns_make(&columns, count, entries)) {
        snprintf(postgres->link.fault, STORE_FAULT_BYTES, "out of memory");
        link_close(&postgres->link);
        return;
    }
    columns.heads = columns.entries = 0;
    for (size_t i = 0; i < count; i++) {
        if (has_twice(pair[i].question))
            pair[i].answer->outcome = STORE_REFUSED;
        else
            columns_add(&columns, pair[i].question);
    }
    size_t h = columns.heads, e = columns.entries;
    SEND(postgres, APPEND, "SSSIIIISIIIIIIIISSS", h, columns.id, h, columns.code, h, columns.map, h,
         columns.over, h, columns.listed, h, columns.wake, h, columns.changed, h, columns.people, h,
         columns.first, h, columns.count, e, columns.at, e, columns.number, e, columns.time, e,
         columns.kind, e, columns.seat, e, columns.decision, e, columns.guest, e, columns.key, e,
         columns.text);
    free(columns.id);
    free(columns.over);
}

/* Takes the result of send_appends(). */
static void take_appends(struct postgres *postgres, const struct store_pair *pair, size_t count)
{
    PGresult *result = link_next(&postgres->link);
    struct store_answer *sent[APPENDS_MAX];
    int64_t places = 0;
    for (size_t i = 0; i < count && result; i++) {
        if (pair[i].answer->outcome == STORE_REFUSED)
            continue;
        sent[places++] = pair[i].answer;
        pair[i].answer->outcome = STORE_REFUSED;
    }
    for (int i = 0; result && i < PQntuples(result); i++) {
        int64_t place = link_int(result, i, 0);
        assert(place >= 1 && place <= places);
        sent[place - 1]->outcome = STORE_STORED;
        sent[place - 1]->dropped = link_int(result, i, 1);
    }
    PQclear(result);
}

/* Takes processes, and what they say if there is a second column. */
static void take_heres(const PGresult *result, struct answer_parts *parts)
{
    for (int i = 0; i < PQntuples(result); i++) {
        char process[STORE_PROCESS_BYTES];
        take_text(result, i, 0, process, sizeof process);
        answer_here(parts, process, PQnfields(result) > 1 ? link_str(result, i, 1) : es_str(""));
    }
}

/* Takes a room. Entries that another process added after the head was read are left out, so that
 * the entries match the head. */
static void take_read(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link), *list = link_next(&postgres->link);
    PGresult *heres = link_next(&postgres->link);
    if (result && list && heres) {
        parts->answer->outcome = STORE_STORED;
        parts->answer->found = PQntuples(result);
    }
    if (parts->answer->found) {
        struct store_head head = take_head(result, 0);
        int64_t next = link_int(result, 0, 8);
        answer_head(parts, &head);
        answer_map(parts, link_str(result, 0, 9));
        for (int i = 0; i < PQntuples(list) && link_int(list, i, 0) < next; i++) {
            struct store_entry entry = {
                .time = (uint64_t)link_int(list, i, 1),
                .kind = (uint8_t)link_int(list, i, 2),
                .seat = (uint8_t)link_int(list, i, 3),
                .decision = (int32_t)link_int(list, i, 4),
                .text = link_str(list, i, 7),
            };
            take_text(list, i, 5, entry.guest, sizeof entry.guest);
            take_text(list, i, 6, entry.key, sizeof entry.key);
            answer_entry(parts, &entry);
        }
        take_heres(heres, parts);
    }
    PQclear(result);
    PQclear(list);
    PQclear(heres);
}

static void take_find(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    parts->answer->outcome = STORE_STORED;
    parts->answer->found = PQntuples(result);
    if (parts->answer->found) {
        struct store_head head = take_head(result, 0);
        answer_head(parts, &head);
    }
    PQclear(result);
}

static void take_rooms(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    parts->answer->outcome = STORE_STORED;
    for (int i = 0; i < PQntuples(result); i++) {
        struct store_head head = take_head(result, i);
        answer_room(parts, &head);
    }
    PQclear(result);
}

/* ---- Guests ---------------------------------------------------------------------------------- */

static void take_redeem(struct postgres *postgres, const struct store_question *question,
                        struct store_answer *answer)
{
    PGresult *lock = link_next(&postgres->link), *result = link_next(&postgres->link);
    if (lock && result)
        answer->outcome = STORE_STORED;
    if (lock && result && PQntuples(result) && !link_int(result, 0, 3)) {
        answer->outcome = STORE_REFUSED;
    } else if (lock && result && PQntuples(result)) {
        answer->found = true;
        answer->guest = take_guest(result, 0);
        strcpy(answer->guest.device, question->guest.device);
    }
    PQclear(lock);
    PQclear(result);
}

static void take_who(struct postgres *postgres, struct store_answer *answer)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    answer->outcome = STORE_STORED;
    answer->found = PQntuples(result);
    if (answer->found) {
        answer->guest = take_guest(result, 0);
        take_text(result, 0, 3, answer->guest.device, sizeof answer->guest.device);
        answer->guest.muted = (uint64_t)link_int(result, 0, 4);
        answer->guest.seen = (uint64_t)link_int(result, 0, 5);
    }
    PQclear(result);
}

/* Takes a guest and their devices. A guest without devices has one row, with NULLs. */
static void take_devices(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    parts->answer->outcome = STORE_STORED;
    parts->answer->found = PQntuples(result);
    if (parts->answer->found) {
        parts->answer->guest = take_guest(result, 0);
        parts->answer->guest.muted = (uint64_t)link_int(result, 0, 6);
        parts->answer->guest.seen = (uint64_t)link_int(result, 0, 7);
    }
    for (int i = 0; i < PQntuples(result) && !PQgetisnull(result, i, 3); i++) {
        struct store_device device = {.made = (uint64_t)link_int(result, i, 5)};
        take_text(result, i, 3, device.id, sizeof device.id);
        take_text(result, i, 4, device.label, sizeof device.label);
        answer_device(parts, &device);
    }
    PQclear(result);
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void take_sheet(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    parts->answer->outcome = STORE_STORED;
    parts->answer->found = PQntuples(result);
    if (parts->answer->found)
        answer_map(parts, link_str(result, 0, 0));
    PQclear(result);
}

static void take_notes(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    parts->answer->outcome = STORE_STORED;
    for (int i = 0; i < PQntuples(result); i++) {
        struct store_note note = {.made = (uint64_t)link_int(result, i, 2),
                                  .until = (uint64_t)link_int(result, i, 3),
                                  .text = link_str(result, i, 4)};
        take_text(result, i, 0, note.id, sizeof note.id);
        take_text(result, i, 1, note.guest, sizeof note.guest);
        answer_note(parts, &note);
    }
    parts->answer->found = parts->answer->kind == STORE_NOTED && PQntuples(result) > 0;
    PQclear(result);
}

/* Takes the results of `count` statements. Returns how many rows the last one has changed or found;
 * -1 if one of them failed. */
static int take_count(struct postgres *postgres, int count)
{
    int rows = 0;
    for (int i = 0; i < count; i++) {
        PGresult *result = link_next(&postgres->link);
        if (!result)
            rows = -1;
        else if (rows >= 0)
            rows = atoi(PQcmdTuples(result));
        PQclear(result);
    }
    return rows;
}

/* Like take_count(). Nothing changed: `none`. */
static void take_change(struct postgres *postgres, struct store_answer *answer, int count,
                        enum store_outcome none)
{
    int rows = take_count(postgres, count);
    if (rows < 0)
        return;
    answer->outcome = rows ? STORE_STORED : none;
}

static void take_found(struct postgres *postgres, struct store_answer *answer, int count)
{
    int rows = take_count(postgres, count);
    if (rows < 0)
        return;
    answer->outcome = STORE_STORED;
    answer->found = rows > 0;
}

static void take_clean(struct postgres *postgres, struct store_answer *answer)
{
    int rows = take_count(postgres, 5);
    if (rows < 0)
        return;
    answer->outcome = STORE_STORED;
    answer->found = rows == STORE_CLEAN_MAX;
}

static void take_key(struct postgres *postgres, struct store_answer *answer)
{
    PGresult *result = link_next(&postgres->link);
    if (result && PQntuples(result) && PQgetlength(result, 0, 0) == sizeof answer->key) {
        answer->outcome = STORE_STORED;
        answer->found = true;
        memcpy(answer->key, PQgetvalue(result, 0, 0), sizeof answer->key);
        answer->clock = (uint64_t)link_int(result, 0, 1);
    }
    PQclear(result);
}

/* ---- Processes ------------------------------------------------------------------------------- */

/* Returns how many questions, from the first on, one HERE statement can write; 0 if the first is
 * another kind of question. */
static size_t heres(const struct store_pair *pair, size_t count)
{
    size_t length = 0;
    for (; length < count && length < HERES_MAX; length++) {
        const struct store_question *question = pair[length].question;
        if (question->kind != STORE_HERE || strcmp(question->process, pair[0].question->process))
            break;
        for (size_t i = 0; i < length; i++)
            if (!strcmp(question->head.room, pair[i].question->head.room))
                return length;
    }
    return length;
}

static void send_heres(struct postgres *postgres, const struct store_pair *pair, size_t count)
{
    struct es_str room[HERES_MAX], text[HERES_MAX];
    for (size_t i = 0; i < count; i++) {
        room[i] = es_str(pair[i].question->head.room);
        text[i] = pair[i].question->text;
    }
    SEND(postgres, HERE, "tSS", pair[0].question->process, count, room, count, text);
}

static void take_said(struct postgres *postgres, const struct store_pair *pair, size_t count)
{
    int rows = take_count(postgres, 1);
    for (size_t i = 0; i < count && rows >= 0; i++) {
        pair[i].answer->outcome = STORE_STORED;
        pair[i].answer->found = rows > 0;
    }
}

/* Sends the statements of ALIVE. What can comes before the lock for which others wait. Rooms are
 * claimed after it: a claim of a process whose first note is not visible yet would seem void.
 * Processes that are away are marked first, so that each statement sees the same ones. */
static void send_alive(struct postgres *postgres, const struct store_question *question)
{
    int64_t time = (int64_t)question->time, away = time - STORE_AWAY_MS;
    char news[STORE_SENDER_BYTES + 3];
    snprintf(news, sizeof news, "%s\na", postgres->sender);
    SEND(postgres, COUNT_CLEAN, "i", time - (int64_t)STORE_COUNT_KEPT);
    SEND(postgres, OPEN_COUNT, "");
    SEND(postgres, ALIVE_LOCK, "");
    SEND(postgres, PROCESS_AHEAD, "ii", time, time + STORE_AHEAD_MS);
    SEND(postgres, ALIVE_AHEAD, "iiti", time, time + STORE_AHEAD_MS, question->process, away);
    SEND(postgres, DUE, "iiiiitb", (int64_t)question->head.wake, time - STORE_CLAIM_MS,
         (int64_t)STORE_DUE_MAX, time, away, question->process, (int)!question->fresh);
    SEND(postgres, PROCESS_AWAY, "i", away);
    SEND(postgres, HERE_AWAY, "");
    SEND(postgres, PROCESS_CLEAN, "");
    SEND(postgres, PROCESS_NOTE, "ti", question->process, time);
    SEND(postgres, GAP_NOTE, "tiiit", question->process, time, (int64_t)question->first, away,
         news);
    SEND(postgres, ALIVE_SET, "i", time);
    SEND(postgres, GAP_CLEAN, "i", time - (int64_t)STORE_GAP_KEPT);
    SEND(postgres, GAP_LIST, "");
    SEND(postgres, PROCESS_LIST, "i", away);
}

static void take_alive(struct postgres *postgres, struct answer_parts *parts)
{
    struct link *link = &postgres->link;
    bool is_right = take_count(postgres, 1) >= 0;
    PGresult *open = link_next(link);
    is_right &= take_count(postgres, 3) >= 0;
    take_rooms(postgres, parts);
    is_right &= parts->answer->outcome == STORE_STORED && take_count(postgres, 3) >= 0;
    PGresult *was = link_next(link);
    is_right &= take_count(postgres, 3) >= 0;
    PGresult *gaps = link_next(link), *processes = link_next(link);
    is_right &= open && was && gaps && processes;
    parts->answer->outcome = is_right ? STORE_STORED : STORE_FAILED;
    if (is_right) {
        parts->answer->open = (uint64_t)link_int(open, 0, 0);
        parts->answer->clock = (uint64_t)link_int(open, 0, 1);
        parts->answer->found = link_int(was, 0, 0);
        for (int i = 0; i < PQntuples(gaps); i++)
            answer_gap(parts, (uint64_t)link_int(gaps, i, 0), (uint64_t)link_int(gaps, i, 1));
        take_heres(processes, parts);
    }
    PQclear(open);
    PQclear(was);
    PQclear(gaps);
    PQclear(processes);
}

/* ---- Moving everything ----------------------------------------------------------------------- */

/* Takes a page of rooms: heads, and since when they are over. */
static void take_room_page(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    parts->answer->outcome = STORE_STORED;
    for (int i = 0; i < PQntuples(result); i++) {
        struct store_head head = take_head(result, i);
        head.since = (uint64_t)link_int(result, i, 8);
        answer_room(parts, &head);
    }
    PQclear(result);
}

static void take_hash(const PGresult *result, int row, int column, uint8_t hash[ES_SHA256_BYTES])
{
    if (PQgetlength(result, row, column) == ES_SHA256_BYTES)
        memcpy(hash, PQgetvalue(result, row, column), ES_SHA256_BYTES);
}

/* Adds the devices or tickets of a guest, which are the next rows of a page. */
static void take_passes(const PGresult *result, int *row, const char *guest,
                        struct answer_parts *parts)
{
    for (; *row < PQntuples(result) && es_str_is(link_str(result, *row, 0), guest); ++*row) {
        struct store_pass pass = {.time = (uint64_t)link_int(result, *row, 4)};
        strcpy(pass.guest, guest);
        take_hash(result, *row, 1, pass.hash);
        take_text(result, *row, 2, pass.device, sizeof pass.device);
        take_text(result, *row, 3, pass.label, sizeof pass.label);
        answer_pass(parts, &pass);
    }
}

static void take_guest_page(struct postgres *postgres, struct answer_parts *parts)
{
    struct link *link = &postgres->link;
    PGresult *guests = link_next(link), *devices = link_next(link), *tickets = link_next(link);
    int device = 0, ticket = 0;
    if (guests && devices && tickets) {
        parts->answer->outcome = STORE_STORED;
        for (int i = 0; i < PQntuples(guests); i++) {
            struct store_guest guest = take_guest(guests, i);
            answer_owner(parts, &guest);
            take_passes(devices, &device, guest.id, parts);
            take_passes(tickets, &ticket, guest.id, parts);
        }
    }
    PQclear(guests);
    PQclear(devices);
    PQclear(tickets);
}

static void take_sheet_page(struct postgres *postgres, struct answer_parts *parts)
{
    PGresult *result = link_next(&postgres->link);
    if (!result)
        return;
    parts->answer->outcome = STORE_STORED;
    for (int i = 0; i < PQntuples(result); i++) {
        struct store_sheet sheet = {.kept = (uint64_t)link_int(result, i, 1),
                                    .text = link_str(result, i, 2)};
        take_text(result, i, 0, sheet.map, sizeof sheet.map);
        answer_sheet(parts, &sheet);
    }
    PQclear(result);
}

static void take_state(struct postgres *postgres, struct answer_parts *parts)
{
    struct link *link = &postgres->link;
    struct store_answer *answer = parts->answer;
    take_key(postgres, answer);
    PGresult *totals = link_next(link), *gaps = link_next(link), *processes = link_next(link);
    if (answer->outcome == STORE_STORED && totals && gaps && processes) {
        answer->total.rooms = (uint64_t)link_int(totals, 0, 0);
        answer->total.guests = (uint64_t)link_int(totals, 0, 1);
        answer->total.sheets = (uint64_t)link_int(totals, 0, 2);
        answer->alive = (uint64_t)link_int(totals, 0, 3);
        for (int i = 0; i < PQntuples(gaps); i++)
            answer_gap(parts, (uint64_t)link_int(gaps, i, 0), (uint64_t)link_int(gaps, i, 1));
        take_heres(processes, parts);
    } else {
        answer->outcome = STORE_FAILED;
    }
    PQclear(totals);
    PQclear(gaps);
    PQclear(processes);
}

/* Returns whether two of the devices or tickets have the same hash, or two devices the same id. */
static bool has_pass_twice(const struct store_question *question)
{
    for (size_t i = 0; i < question->passes; i++) {
        const struct store_pass *a = &question->pass[i];
        for (size_t k = 0; k < i; k++) {
            const struct store_pass *b = &question->pass[k];
            bool is_device = a->device[0], is_other = b->device[0];
            if (is_device == is_other && (!memcmp(a->hash, b->hash, sizeof a->hash) ||
                                          (is_device && !strcmp(a->device, b->device))))
                return true;
        }
    }
    return false;
}

/* The columns of GUEST_PUT. */
struct passes {
    size_t devices, tickets;
    struct es_str *token, *id, *label, *ticket;
    int64_t *made, *until;
    char (*hex)[2 * ES_SHA256_BYTES];
};

static bool passes_make(struct passes *passes, size_t count)
{
    *passes = (struct passes){0};
    passes->token = malloc((4 * count + 1) * sizeof *passes->token);
    passes->made = malloc((2 * count + 1) * sizeof *passes->made);
    passes->hex = malloc((count + 1) * sizeof *passes->hex);
    if (!passes->token || !passes->made || !passes->hex)
        return false;
    passes->id = passes->token + count;
    passes->label = passes->id + count;
    passes->ticket = passes->label + count;
    passes->until = passes->made + count;
    return true;
}

static void passes_add(struct passes *passes, const struct store_pass *pass)
{
    struct es_out out = {passes->hex[passes->devices + passes->tickets], sizeof *passes->hex, 0};
    es_out_hex(&out, pass->hash, sizeof pass->hash);
    struct es_str hash = {out.at, out.used};
    if (pass->device[0]) {
        size_t i = passes->devices++;
        passes->token[i] = hash;
        passes->id[i] = es_str(pass->device);
        passes->label[i] = es_str(pass->label);
        passes->made[i] = (int64_t)pass->time;
    } else {
        size_t i = passes->tickets++;
        passes->ticket[i] = hash;
        passes->until[i] = (int64_t)pass->time;
    }
}

static void passes_free(struct passes *passes)
{
    free(passes->token);
    free(passes->made);
    free(passes->hex);
}

static void send_guest_put(struct postgres *postgres, const struct store_question *question)
{
    struct passes passes;
    const struct store_guest *guest = &question->guest;
    if (has_pass_twice(question))
        return; /* refused */
    if (!passes_make(&passes, question->passes)) {
        passes_free(&passes);
        snprintf(postgres->link.fault, STORE_FAULT_BYTES, "out of memory");
        link_close(&postgres->link);
        return;
    }
    for (size_t i = 0; i < question->passes; i++)
        passes_add(&passes, &question->pass[i]);
    size_t d = passes.devices, t = passes.tickets;
    SEND(postgres, GUEST_PUT, "ttiSSSISIi", guest->id, guest->name, (int64_t)guest->colour, d,
         passes.token, d, passes.id, d, passes.label, d, passes.made, t, passes.ticket, t,
         passes.until, (int64_t)question->time);
    passes_free(&passes);
}

static void send_state_put(struct postgres *postgres, const struct store_question *question)
{
    int64_t *gap = malloc((2 * question->gaps + 1) * sizeof *gap);
    if (!gap) {
        snprintf(postgres->link.fault, STORE_FAULT_BYTES, "out of memory");
        link_close(&postgres->link);
        return;
    }
    for (size_t i = 0; i < question->gaps; i++) {
        gap[i] = (int64_t)question->gap[i].from;
        gap[question->gaps + i] = (int64_t)question->gap[i].to;
    }
    SEND(postgres, GAP_REMOVE, "");
    SEND(postgres, GAP_PUT, "II", question->gaps, gap, question->gaps, gap + question->gaps);
    SEND(postgres, ALIVE_PUT, "i", (int64_t)question->time);
    SEND(postgres, KEY_PUT, "h", question->key);
    free(gap);
}

static void send_forget(struct postgres *postgres, const struct store_question *question)
{
    const char *guest = question->guest.id;
    const struct store_note *note = &question->note;
    int64_t unseen = question->time ? (int64_t)question->time : INT64_MAX;
    SEND(postgres, GUEST_LOCK, "t", guest);
    if (note->until) {
        SEND(postgres, NOTE_TOKENS, "tiis", guest, (int64_t)note->made, (int64_t)note->until,
             note->text);
        SEND(postgres, NOTE_BLOCK, "tiis", guest, (int64_t)note->made, (int64_t)note->until,
             note->text);
    }
    SEND(postgres, CHAT_FORGET, "ti", guest, unseen);
    SEND(postgres, PEOPLE_FORGET, "ti", guest, unseen);
    SEND(postgres, PERSON_FORGET, "ti", guest, unseen);
    SEND(postgres, DEVICE_FORGET, "ti", guest, unseen);
    SEND(postgres, TICKET_FORGET, "ti", guest, unseen);
    SEND(postgres, GUEST_FORGET, "ti", guest, unseen);
}

/* ---- What is old ----------------------------------------------------------------------------- */

static void send_old(struct postgres *postgres, const struct store_question *question)
{
    const struct store_old *old = &question->old;
    int64_t most = STORE_OLD_MAX;
    SEND(postgres, ROOM_OLD, "biiti", 0, (int64_t)old->rooms, INT64_C(0), "", most);
    SEND(postgres, ROOM_OLD, "biiti", 1, (int64_t)old->games, (int64_t)question->head.since,
         question->head.room, most);
    SEND(postgres, GUEST_OLD, "ii", (int64_t)old->guests, most);
}

static void take_old(struct postgres *postgres, struct answer_parts *parts)
{
    struct store_answer *answer = parts->answer;
    take_room_page(postgres, parts);
    bool is_right = answer->outcome == STORE_STORED;
    answer->outcome = STORE_FAILED;
    take_room_page(postgres, parts);
    is_right = is_right && answer->outcome == STORE_STORED;
    PGresult *guests = link_next(&postgres->link);
    answer->outcome = is_right && guests ? STORE_STORED : STORE_FAILED;
    for (int i = 0; guests && i < PQntuples(guests); i++) {
        struct store_guest guest = {.colour = 0};
        take_text(guests, i, 0, guest.id, sizeof guest.id);
        answer_owner(parts, &guest);
    }
    PQclear(guests);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Sends the statements of a question. */
static void send_one(struct postgres *postgres, const struct store_question *question)
{
    const struct store_guest *guest = &question->guest;
    const struct store_note *note = &question->note;
    int64_t time = (int64_t)question->time;
    switch (question->kind) {
    case STORE_APPEND:
        assert(!"several at once: send_appends()");
        break;
    case STORE_GUEST:
        if (question->label[0])
            SEND(postgres, GUEST_MAKE, "ttihtti", guest->id, guest->name, (int64_t)guest->colour,
                 question->token, guest->device, question->label, time);
        else
            SEND(postgres, GUEST_NAME, "tti", guest->id, guest->name, (int64_t)guest->colour);
        break;
    case STORE_TICKET:
        SEND(postgres, TICKET_ADD, "htii", question->ticket, guest->id, time,
             (int64_t)STORE_TICKETS_MAX - 1);
        break;
    case STORE_REDEEM:
        /* Before devices are counted, so that no other process makes one at the same time. */
        SEND(postgres, TICKET_LOCK, "h", question->ticket);
        SEND(postgres, REDEEM, "hihtti", question->ticket, time, question->token, guest->device,
             question->label, (int64_t)STORE_DEVICES_MAX);
        break;
    case STORE_WITHDRAW:
        SEND(postgres, DEVICE_REMOVE, "tt", guest->id, guest->device);
        break;
    case STORE_FORGET:
        send_forget(postgres, question);
        break;
    case STORE_SEEN:
        SEND(postgres, GUEST_SEEN, "ti", guest->id, time);
        break;
    case STORE_DELETE:
        SEND(postgres, ROOM_DELETE, "ti", question->head.room, (int64_t)question->even_open);
        break;
    case STORE_NOTE:
        SEND(postgres, NOTE_SET, "ttiisii", note->id, note->guest, (int64_t)note->made,
             (int64_t)note->until, note->text, (int64_t)question->first, (int64_t)STORE_NOTES_MAX);
        break;
    case STORE_UNNOTE:
        if (note->id[1])
            SEND(postgres, NOTE_REMOVE, "t", note->id);
        else
            SEND(postgres, NOTE_LIFT, "tt", note->guest, note->id);
        break;
    case STORE_MAP:
        SEND(postgres, MAP_SET, "tsi", question->map, question->text, time);
        break;
    case STORE_COUNT:
        break; /* before all others: send_counts() */
    case STORE_HERE:
        assert(!"several at once: send_heres()");
        break;
    case STORE_ALIVE:
        send_alive(postgres, question);
        break;
    case STORE_GONE:
        SEND(postgres, PROCESS_LOCK, "t", question->process);
        SEND(postgres, HERE_GONE, "t", question->process);
        SEND(postgres, PROCESS_GONE, "t", question->process);
        break;
    case STORE_CLEAN:
        SEND(postgres, TICKET_CLEAN, "i", time);
        SEND(postgres, NOTE_CLEAN, "i", (int64_t)question->note.until);
        /* Two statements: the second sees rooms that were made while the first waited for a lock.
         */
        SEND(postgres, MAP_LOCK, "i", (int64_t)question->first);
        SEND(postgres, MAP_CLEAN, "i", (int64_t)question->first);
        SEND(postgres, CHAT_CLEAN, "ii", time, (int64_t)STORE_CLEAN_MAX);
        break;
    case STORE_READ:
        SEND(postgres, ROOM_READ, "t", question->head.room);
        SEND(postgres, ENTRY_LIST, "ti", question->head.room, (int64_t)question->first);
        SEND(postgres, HERE_LIST, "tt", question->head.room, question->process);
        break;
    case STORE_FIND:
        SEND(postgres, ROOM_FIND, "t", question->head.code);
        break;
    case STORE_WHO:
        SEND(postgres, DEVICE_WHO, "h", question->token);
        break;
    case STORE_DEVICES:
        SEND(postgres, DEVICE_LIST, "t", guest->id);
        break;
    case STORE_SHEET:
        SEND(postgres, MAP_TEXT, "t", question->map);
        break;
    case STORE_MINE:
        SEND(postgres, ROOM_MINE, "ti", guest->id, (int64_t)STORE_MINE_MAX);
        break;
    case STORE_ROOMS:
        SEND(postgres, ROOM_LIST, "");
        break;
    case STORE_KEY:
        SEND(postgres, KEY, "");
        break;
    case STORE_NOTED:
        SEND(postgres, NOTE_READ, "ti", note->id, time);
        break;
    case STORE_NOTES:
        if (note->guest[0])
            SEND(postgres, NOTE_OWN, "tti", note->guest, note->id, (int64_t)STORE_PAGE_NOTES_MAX);
        else
            SEND(postgres, NOTE_PAGE, "ti", note->id, (int64_t)STORE_PAGE_NOTES_MAX);
        break;
    case STORE_OLD:
        send_old(postgres, question);
        break;
    case STORE_PAGE_MINE:
        SEND(postgres, ROOM_PAGE_MINE, "tti", guest->id, question->head.room,
             (int64_t)STORE_PAGE_MINE_MAX);
        break;
    case STORE_PAGE_ROOMS:
        SEND(postgres, ROOM_PAGE, "ti", question->head.room, (int64_t)STORE_PAGE_MAX);
        break;
    case STORE_PAGE_GUESTS:
        SEND(postgres, GUEST_PAGE, "ti", guest->id, (int64_t)STORE_PAGE_MAX);
        SEND(postgres, DEVICE_PAGE, "ti", guest->id, (int64_t)STORE_PAGE_MAX);
        SEND(postgres, TICKET_PAGE, "ti", guest->id, (int64_t)STORE_PAGE_MAX);
        break;
    case STORE_PAGE_SHEETS:
        SEND(postgres, MAP_PAGE, "ti", question->map, (int64_t)STORE_PAGE_SHEETS_MAX);
        break;
    case STORE_STATE:
        SEND(postgres, KEY, "");
        SEND(postgres, TOTALS, "");
        SEND(postgres, GAP_LIST, "");
        SEND(postgres, PROCESS_LIST, "i", time - STORE_AWAY_MS);
        break;
    case STORE_PUT_GUEST:
        send_guest_put(postgres, question);
        break;
    case STORE_PUT_STATE:
        send_state_put(postgres, question);
        break;
    }
}

/* Takes the results of what send_one() has sent. An answer stays FAILED if there are none. */
static void take_one(struct postgres *postgres, const struct store_question *question,
                     struct store_answer *answer)
{
    struct answer_parts parts;
    answer_begin(&parts, question, answer);
    answer->outcome = STORE_FAILED;
    switch (question->kind) {
    case STORE_APPEND:
        assert(!"several at once: take_appends()");
        break;
    case STORE_GUEST:
        if (question->label[0])
            take_change(postgres, answer, 1, STORE_REFUSED);
        else
            take_found(postgres, answer, 1);
        break;
    case STORE_TICKET:
        take_change(postgres, answer, 1, STORE_REFUSED);
        break;
    case STORE_REDEEM:
        take_redeem(postgres, question, answer);
        break;
    case STORE_WITHDRAW:
        take_found(postgres, answer, 1);
        break;
    case STORE_FORGET:
        take_found(postgres, answer, question->note.until ? 9 : 7);
        break;
    case STORE_SEEN:
        take_change(postgres, answer, 1, STORE_STORED);
        break;
    case STORE_DELETE:
    case STORE_NOTE:
    case STORE_UNNOTE:
        take_found(postgres, answer, 1);
        break;
    case STORE_MAP:
        take_change(postgres, answer, 1, STORE_STORED);
        break;
    case STORE_COUNT:
        assert(!"before all others: take_counts()");
        break;
    case STORE_HERE:
        assert(!"several at once: take_said()");
        break;
    case STORE_ALIVE:
        take_alive(postgres, &parts);
        break;
    case STORE_GONE:
        take_found(postgres, answer, 3);
        break;
    case STORE_CLEAN:
        take_clean(postgres, answer);
        break;
    case STORE_READ:
        take_read(postgres, &parts);
        break;
    case STORE_FIND:
        take_find(postgres, &parts);
        break;
    case STORE_WHO:
        take_who(postgres, answer);
        break;
    case STORE_DEVICES:
        take_devices(postgres, &parts);
        break;
    case STORE_SHEET:
        take_sheet(postgres, &parts);
        break;
    case STORE_MINE:
    case STORE_PAGE_MINE:
        take_rooms(postgres, &parts);
        break;
    case STORE_OLD:
        take_old(postgres, &parts);
        break;
    case STORE_ROOMS:
        take_rooms(postgres, &parts);
        answer->found = answer->outcome == STORE_STORED;
        break;
    case STORE_KEY:
        take_key(postgres, answer);
        break;
    case STORE_NOTED:
    case STORE_NOTES:
        take_notes(postgres, &parts);
        break;
    case STORE_PAGE_ROOMS:
        take_room_page(postgres, &parts);
        break;
    case STORE_PAGE_GUESTS:
        take_guest_page(postgres, &parts);
        break;
    case STORE_PAGE_SHEETS:
        take_sheet_page(postgres, &parts);
        break;
    case STORE_STATE:
        take_state(postgres, &parts);
        break;
    case STORE_PUT_GUEST:
        if (has_pass_twice(question))
            answer->outcome = STORE_REFUSED;
        else
            take_change(postgres, answer, 1, STORE_REFUSED);
        break;
    case STORE_PUT_STATE:
        take_change(postgres, answer, 4, STORE_STORED);
        break;
    }
    answer_end(&parts);
}

/* What a group locks, and what it notifies others of. */
struct group {
    struct store_pair *pair;         /* its questions, in the order in which they are sent */
    struct es_str *room, *forgotten; /* what is written to, and who is to be forgotten */
    const struct store_pair **count; /* questions that count, in the order in which they are sent */
    size_t rooms, gone, counts;
    char *text; /* lines of guests and of what processes say */
    size_t size;
    bool has_writes;
};

static void group_end(struct group *group)
{
    free(group->pair);
    free(group->room);
    free(group->forgotten);
    free(group->count);
    free(group->text);
}

/* Copies the questions. What processes say comes after the entries beside it, which it does not
 * concern, so that one statement can write to several rooms. */
static void sort_questions(struct group *group, const struct store_pair *pair, size_t count)
{
    size_t used = 0;
    for (size_t i = 0, end; i < count; i = end) {
        end = i;
        while (end < count &&
               (pair[end].question->kind == STORE_APPEND || pair[end].question->kind == STORE_HERE))
            end++;
        for (size_t k = i; k < end; k++)
            if (pair[k].question->kind == STORE_APPEND)
                group->pair[used++] = pair[k];
        for (size_t k = i; k < end; k++)
            if (pair[k].question->kind == STORE_HERE)
                group->pair[used++] = pair[k];
        if (end == i)
            group->pair[used++] = pair[end++];
    }
}

/* Adds a question to what the group locks and notifies others of. */
static void group_add(struct group *group, const struct store_pair *pair)
{
    const struct store_question *question = pair->question;
    const char *guest = question->guest.id;
    group->has_writes |= store_writes(question->kind);
    switch (question->kind) {
    case STORE_APPEND:
        group->room[group->rooms++] = es_str(question->head.room);
        break;
    case STORE_DELETE: /* a room that is not there any more is in no list of rooms */
        group->room[group->rooms++] = es_str(question->head.room);
        group->size += (size_t)sprintf(group->text + group->size, "r %s 0\n", question->head.room);
        break;
    case STORE_FORGET:
        group->forgotten[group->gone++] = es_str(guest);
        group->size += (size_t)sprintf(group->text + group->size, "g %s\n", guest);
        break;
    case STORE_WITHDRAW:
        group->size += (size_t)sprintf(group->text + group->size, "g %s\n", guest);
        break;
    case STORE_GUEST:
        if (!question->label[0])
            group->size += (size_t)sprintf(group->text + group->size, "g %s\n", guest);
        break;
    case STORE_NOTE:
    case STORE_UNNOTE:
        if (question->note.id[0] == NOTE_MUTE)
            group->size +=
                (size_t)sprintf(group->text + group->size, "g %s\n", question->note.guest);
        break;
    case STORE_HERE:
        group->size += (size_t)sprintf(group->text + group->size, "h %s\n", question->head.room);
        break;
    case STORE_COUNT:
        group->count[group->counts++] = pair;
        break;
    default:
        break;
    }
}

/* By key; those with the same key in the order of the questions. */
static int compare_counts(const void *a, const void *b)
{
    const struct store_pair *const *left = a, *const *right = b;
    const struct store_tally *x = &(*left)->question->tally, *y = &(*right)->question->tally;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->who != y->who)
        return x->who < y->who ? -1 : 1;
    return *left < *right ? -1 : *left > *right;
}

static bool group_begin(struct group *group, const struct postgres *postgres,
                        const struct store_pair *pair, size_t count)
{
    enum { LINE = STORE_ROOM_BYTES + 5 }; /* of a guest or a room */
    *group = (struct group){0};
    group->pair = malloc((count + 1) * sizeof *group->pair);
    group->room = malloc((count + 1) * sizeof *group->room);
    group->forgotten = malloc((count + 1) * sizeof *group->forgotten);
    group->count = malloc((count + 1) * sizeof *group->count);
    group->text = malloc((count + 1) * LINE);
    if (!group->pair || !group->room || !group->forgotten || !group->count || !group->text)
        return false;
    if (postgres->is_due)
        group->size = (size_t)sprintf(group->text, "*\n");
    sort_questions(group, pair, count);
    for (size_t i = 0; i < count; i++)
        group_add(group, &group->pair[i]);
    if (group->counts)
        qsort(group->count, group->counts, sizeof *group->count, compare_counts);
    return true;
}

/* Sends the statement that locks the rooms of a group, and those of guests to be forgotten. */
static void send_lock(struct postgres *postgres, const struct group *group)
{
    if (group->gone)
        SEND(postgres, LOCK_MORE, "SS", group->rooms, group->room, group->gone, group->forgotten);
    else
        SEND(postgres, LOCK, "S", group->rooms, group->room);
}

/* Sends all counts of a group, which nothing else in it depends on. */
static void send_counts(struct postgres *postgres, const struct group *group)
{
    for (size_t i = 0; i < group->counts; i++) {
        const struct store_question *question = group->count[i]->question;
        const struct store_tally *tally = &question->tally;
        int64_t kind = tally->kind, who = (int64_t)tally->who, time = (int64_t)question->time;
        if (tally->back)
            SEND(postgres, COUNT_BACK, "iiii", kind, who, time, (int64_t)tally->span);
        else
            SEND(postgres, COUNT, "iiiii", kind, who, time, (int64_t)tally->limit,
                 (int64_t)tally->span);
    }
}

static void take_counts(struct postgres *postgres, const struct group *group)
{
    for (size_t i = 0; i < group->counts; i++)
        take_found(postgres, group->count[i]->answer, 1);
}

/* Sends the statements that notify other processes of the group's rooms and lines, in a transaction
 * after the group's own. Committing a notification takes a lock of the whole server: in a group,
 * which waits for the disk, all processes would wait for each other's disk writes. This one does
 * not wait for the disk. A message must be shorter than 8,000 bytes. */
static void send_news(struct postgres *postgres, const struct group *group)
{
    enum { ROOMS_MAX = 150, TEXT_MAX = 1500 }; /* up to 42 bytes for a room */
    char text[STORE_SENDER_BYTES + TEXT_MAX];
    size_t begin = (size_t)snprintf(text, sizeof text, "%s\n", postgres->sender);
    for (size_t at = 0, room = 0; at < group->size || room < group->rooms; postgres->news++) {
        size_t size = group->size - at, rooms = group->rooms - room;
        if (size > TEXT_MAX)
            for (size = TEXT_MAX; group->text[at + size - 1] != '\n';)
                size--;
        if (rooms > ROOMS_MAX)
            rooms = ROOMS_MAX;
        memcpy(text + begin, group->text + at, size);
        SEND(postgres, NEWS, "sSb", ((struct es_str){text, begin + size}), rooms,
             group->room + room, (int)(size > 0));
        at += size;
        room += rooms;
    }
}

static void send_group(struct postgres *postgres, const struct group *group, size_t count)
{
    postgres->news = 0;
    if (group->has_writes) {
        SEND(postgres, BEGIN, "");
        send_lock(postgres, group);
        send_counts(postgres, group);
    }
    for (size_t i = 0, some; i < count; i += some) {
        const struct store_pair *pair = group->pair + i;
        if ((some = appends(pair, count - i))) {
            send_appends(postgres, pair, some);
        } else if ((some = heres(pair, count - i))) {
            send_heres(postgres, pair, some);
        } else {
            some = 1;
            send_one(postgres, pair->question);
        }
    }
    if (group->has_writes) {
        SEND(postgres, COMMIT, "");
        send_news(postgres, group);
    }
    if (postgres->link.db && !PQpipelineSync(postgres->link.db)) {
        link_fault(&postgres->link, "the connection to the database is lost");
        link_close(&postgres->link);
    }
}

/* Returns whether the group was committed, or had no writes and was answered. */
static bool take_group(struct postgres *postgres, const struct group *group, size_t count)
{
    bool is_done = false;
    if (group->has_writes) {
        take_count(postgres, 2);
        take_counts(postgres, group);
    }
    for (size_t i = 0, some; i < count; i += some) {
        const struct store_pair *pair = group->pair + i;
        if ((some = appends(pair, count - i))) {
            take_appends(postgres, pair, some);
        } else if ((some = heres(pair, count - i))) {
            take_said(postgres, pair, some);
        } else {
            some = 1;
            if (pair->question->kind != STORE_COUNT)
                take_one(postgres, pair->question, pair->answer);
        }
    }
    if (group->has_writes) {
        PGresult *result = link_next(&postgres->link);
        is_done = result && !strcmp(PQcmdStatus(result), "COMMIT");
        PQclear(result);
        take_count(postgres, postgres->news);
    }
    bool is_right = link_sync(&postgres->link) && !postgres->link.state[0];
    if (postgres->news && (is_done || !postgres->link.db))
        postgres->is_due = !is_right;
    return group->has_writes ? is_done : is_right;
}

/* Ends a transaction of which a statement has failed. */
static void roll_back(struct postgres *postgres)
{
    struct link *link = &postgres->link;
    char state[sizeof link->state], fault[STORE_FAULT_BYTES];
    memcpy(state, link->state, sizeof state);
    memcpy(fault, link->fault, sizeof fault);
    SEND(postgres, ROLLBACK, "");
    if (link->db && PQpipelineSync(link->db)) {
        PQclear(link_next(link));
        link_sync(link);
    }
    memcpy(link->state, state, sizeof state);
    memcpy(link->fault, fault, sizeof fault);
}

/* Sets an answer for the case that nothing comes. */
static void set_failed(const struct store_pair *pair)
{
    *pair->answer = (struct store_answer){
        .id = pair->question->id, .kind = pair->question->kind, .outcome = STORE_FAILED};
}

/* Returns whether an error is that of one statement, so that others can succeed: its values (22),
 * a unique key that another process has just taken (23), a deadlock (40), a limit (54). */
static bool is_of_statement(const char *state)
{
    static const char *const classes[] = {"22", "23", "40", "54"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strncmp(state, classes[i], 2))
            return true;
    return false;
}

/* Asks a group in one transaction. Returns the outcome of its writes; sets `again` if it failed
 * because of a single statement. */
static enum store_outcome ask_group(struct postgres *postgres, const struct store_pair *pair,
                                    size_t count, bool *again)
{
    struct link *link = &postgres->link;
    struct group group;
    *again = false;
    for (size_t i = 0; i < count; i++)
        set_failed(&pair[i]);
    bool is_sent = group_begin(&group, postgres, pair, count), is_done = false;
    if (is_sent) {
        link->deadline = link_now() + (uint64_t)postgres->group_ms;
        link->state[0] = link->fault[0] = '\0';
        send_group(postgres, &group, count);
        is_done = take_group(postgres, &group, count);
    } else {
        snprintf(link->fault, sizeof link->fault, "out of memory");
    }
    enum store_outcome outcome = STORE_STORED;
    if (group.has_writes && !is_done) {
        /* Lost: unknown. Otherwise a statement failed, and the transaction is rolled back. */
        outcome = is_sent && !link->db ? STORE_UNKNOWN : STORE_FAILED;
        if (outcome == STORE_UNKNOWN)
            postgres->unsettled = postgres->session;
        else if (is_sent)
            roll_back(postgres);
        *again = outcome == STORE_FAILED && is_of_statement(link->state);
        answers_give_up(pair, count, outcome);
    }
    group_end(&group);
    return outcome;
}

/* Asks one question in a transaction of its own, again if it failed because of other processes. */
static enum store_outcome ask_alone(struct postgres *postgres, const struct store_pair *pair)
{
    enum { TIMES = 5 };
    enum store_outcome outcome = store_writes(pair->question->kind) ? STORE_FAILED : STORE_STORED;
    bool again = true;
    set_failed(pair);
    for (int i = 0; i < TIMES && again && postgres->link.db; i++)
        outcome = ask_group(postgres, pair, 1, &again);
    return outcome;
}

/* Asks the questions of a group one by one. Returns the worst outcome, and keeps its fault. */
static enum store_outcome ask_each(struct postgres *postgres, const struct store_pair *pair,
                                   size_t count)
{
    enum store_outcome worst = STORE_STORED;
    char fault[STORE_FAULT_BYTES] = "";
    for (size_t i = 0; i < count; i++) {
        enum store_outcome outcome = ask_alone(postgres, &pair[i]);
        if (outcome != STORE_STORED && worst != STORE_UNKNOWN) {
            worst = outcome;
            memcpy(fault, postgres->link.fault, sizeof fault);
        }
    }
    memcpy(postgres->link.fault, fault, sizeof fault);
    return worst;
}

/* Asks the questions together, or each alone if one of them fails for itself. */
static enum store_outcome ask_some(struct postgres *postgres, const struct store_pair *pair,
                                   size_t count)
{
    bool again = false;
    enum store_outcome outcome = ask_group(postgres, pair, count, &again);
    return again ? ask_each(postgres, pair, count) : outcome;
}

/* Sets the answers of questions that are not asked. Returns the outcome of their writes. */
static enum store_outcome ask_none(const struct store_pair *pair, size_t count)
{
    bool has_writes = false;
    for (size_t i = 0; i < count; i++) {
        set_failed(&pair[i]);
        has_writes |= store_writes(pair[i].question->kind);
    }
    return has_writes ? STORE_FAILED : STORE_STORED;
}

static enum store_outcome worse(enum store_outcome a, enum store_outcome b)
{
    return a == STORE_UNKNOWN || b == STORE_STORED ? a : b;
}

/* Returns whether a question has a transaction of its own, also in a group: ALIVE, because of its
 * locks, and CLEAN, which may take long and must not fail others. */
static bool is_alone(const struct store_pair *pair)
{
    return pair->question->kind == STORE_ALIVE || pair->question->kind == STORE_CLEAN;
}

static enum store_outcome postgres_answer(struct store *store, const struct store_pair *pair,
                                          size_t count)
{
    struct postgres *postgres = (struct postgres *)store;
    enum store_outcome worst = STORE_STORED;
    bool is_asked = is_ready(postgres);
    for (size_t i = 0, some; i < count; i += some) {
        for (some = 0; i + some < count && !is_alone(&pair[i + some]);)
            some++;
        bool alone = !some;
        if (alone)
            some = 1;
        enum store_outcome outcome =
            is_asked ? ask_some(postgres, pair + i, some) : ask_none(pair + i, some);
        is_asked = is_asked && (alone || outcome == STORE_STORED) && postgres->link.db;
        worst = worse(worst, outcome);
    }
    store->is_damaged |= postgres->link.is_damaged;
    return worst;
}

static const char *postgres_fault(struct store *store)
{
    return ((struct postgres *)store)->link.fault;
}

static void postgres_close(struct store *store)
{
    struct postgres *postgres = (struct postgres *)store;
    struct link *link = &postgres->link;
    link_close(link);
    free(link->address);
    free(link->bytes);
    free(postgres);
}

const char *store_postgres_sender(const struct store *store, const char **address)
{
    const struct postgres *postgres = (const struct postgres *)store;
    *address = postgres->link.address;
    return postgres->sender;
}

struct store *store_postgres_open(const struct store_postgres_options *options,
                                  char fault[STORE_FAULT_BYTES])
{
    struct postgres *postgres = calloc(1, sizeof *postgres);
    uint8_t sender[(STORE_SENDER_BYTES - 1) / 2];
    if (!postgres || getrandom(sender, sizeof sender, 0) < 0) {
        snprintf(fault, STORE_FAULT_BYTES, "out of memory");
        free(postgres);
        return NULL;
    }
    postgres->store = (struct store){postgres_answer, postgres_close, postgres_fault, false};
    for (size_t i = 0; i < sizeof sender; i++)
        sprintf(postgres->sender + 2 * i, "%02x", sender[i]);
    postgres->link.address = strdup(options->address);
    postgres->group_ms = options->group_ms ? options->group_ms : LINK_GROUP_MS;
    postgres->never_settles = options->never_settles;
    if (postgres->link.address && is_ready(postgres))
        return &postgres->store;
    snprintf(fault, STORE_FAULT_BYTES, "%s",
             postgres->link.fault[0] ? postgres->link.fault : "out of memory");
    postgres_close(&postgres->store);
    return NULL;
}

struct store *store_postgres(const char *address, char fault[STORE_FAULT_BYTES])
{
    return store_postgres_open(&(struct store_postgres_options){.address = address}, fault);
}
