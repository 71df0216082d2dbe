/* Clients that do a server no good, beside the load of load.c. */
#ifndef BENCH_HOSTILE_H
#define BENCH_HOSTILE_H

/* Starts a process with `count` such clients from loopback addresses from number `address` on, and
 * returns its id. A fifth of them each:
 *
 *     garbage  sends random bytes instead of frames
 *     half     sends half of a frame, and no more
 *     flood    sends 200 messages at once
 *     deaf     watches the room, and never reads
 *     slow     sends half of a request, or asks for much of the page and never reads
 *
 * Each does that ten times a second, and comes back when it is hung up on. */
long hostile_start(int port, int count, int address, const char *room);
/* Ends it, and prints what it has done. */
void hostile_stop(long process);

#endif
