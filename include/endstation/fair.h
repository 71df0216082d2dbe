/* The provable shuffle: a seed that neither the players nor the server can choose, and the check of
 * a record that was dealt from it. docs/shuffle.md has the specification, and what it proves.
 *
 * What a server does:
 *
 *     secret = …32 random bytes…, and es_fair_commit(secret, id, commit), shown before anybody sits
 *     each person sends es_fair_hash(word, hash) when they sit down, and the word at the start
 *     es_fair_seed(secret, id, &record, words, record.seed), record.has_seed = true
 *     the game is dealt from the seed
 *     when it is over: the lines of es_fair_write_… into the record's notes
 */
#ifndef ENDSTATION_FAIR_H
#define ENDSTATION_FAIR_H

#include <endstation/record.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_FAIR_BYTES = 32,         /* a secret, a word, and the hash of either */
    ES_FAIR_ID_BYTES = 33,      /* a game's id with its terminating zero */
    ES_FAIR_SETUP_BYTES = 1024, /* the longest setup text */
};

/* Returns true for 1 to 32 of a-z and 0-9. The other functions expect such an id. */
bool es_fair_id_good(struct es_str id);
/* Hashes the server's secret: what is shown before the game. */
void es_fair_commit(const uint8_t secret[ES_FAIR_BYTES], struct es_str id,
                    uint8_t commit[ES_FAIR_BYTES]);
/* Hashes a person's word: what is shown when they sit down. */
void es_fair_hash(const uint8_t word[ES_FAIR_BYTES], uint8_t hash[ES_FAIR_BYTES]);
/* Writes the setup as it goes into the seed: what es_record_write_setup writes, then `bots` with
 * the seats of bots. The record's setup has been prepared; names, events and notes do not matter.
 */
void es_fair_setup(const struct es_record *record, struct es_out *out);
/* Computes the seed. word[p - 1] is player p's word of ES_FAIR_BYTES, or NULL if it is missing.
 * Seats with a level in record->bot are bots', and have no word, whatever is given. */
void es_fair_seed(const uint8_t secret[ES_FAIR_BYTES], struct es_str id,
                  const struct es_record *record, const uint8_t *const word[ES_PLAYERS_MAX],
                  uint8_t seed[ES_SEED_BYTES]);

/* Write header lines for `notes`, each with its line end. The first may be in the record from the
 * start; the others would tell players the cards, and come when the game is over. `word` is NULL if
 * it is missing. */
void es_fair_write_commit(const uint8_t commit[ES_FAIR_BYTES], struct es_str id,
                          struct es_out *out);
void es_fair_write_word(int player, const uint8_t *word, const uint8_t hash[ES_FAIR_BYTES],
                        struct es_out *out);
void es_fair_write_secret(const uint8_t secret[ES_FAIR_BYTES], struct es_out *out);

/* What was checked in a record. */
struct es_fair_facts {
    bool proved;      /* there is a secret: commit, words and seed fit; else only the events do */
    unsigned missing; /* bit p - 1: player p's word is missing */
    size_t chances;   /* the chance events, all of which follow from the seed */
};

/* Checks a record that has been read: its commit, words and seed, if it has a secret, and that
 * every chance event follows from the seed. `commit` is the one that was shown before the game;
 * NULL: not known. `text` is the text that the record was read from, for the lines of faults; if it
 * is empty, they are 0. `scratch` is any state. */
es_status es_fair_verify(const struct es_record *record, struct es_str text, const uint8_t *commit,
                         struct es_state *scratch, struct es_fair_facts *facts,
                         struct es_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
