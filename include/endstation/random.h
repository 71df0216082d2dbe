/* Random numbers: a fast generator for simulations, and the fair shuffle of real games.
 *
 * es_random (sfc64) is for simulations, bots and tests. It decides nothing that a player has to
 * trust.
 *
 * es_fair_shuffle decides the order of cards and tiles in real games. It is a function of a 32-byte
 * seed and the number of the shuffle, and simple enough to reimplement for anyone who wants to
 * check a game:
 *
 *   stream   ChaCha20 (RFC 8439): key = seed, block counter from 0, nonce = the shuffle's number
 *            as four little-endian bytes followed by eight zeros; read as little-endian 32-bit
 *            words
 *   below n  take words until one is less than floor(2^32 / n) * n; that word modulo n
 *   shuffle  order = 0, 1, …, size - 1; for i = size - 1 down to 1: j = below i + 1, swap
 *            order[i] and order[j]
 */
#ifndef ENDSTATION_RANDOM_H
#define ENDSTATION_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ES_SEED_BYTES = 32 };

struct es_random {
    uint64_t a, b, c, count;
};

static inline uint64_t es_random_next(struct es_random *random)
{
    uint64_t result = random->a + random->b + random->count++;
    random->a = random->b ^ random->b >> 11;
    random->b = random->c + (random->c << 3);
    random->c = (random->c << 24 | random->c >> 40) + result;
    return result;
}

static inline void es_random_seed(struct es_random *random, uint64_t seed)
{
    *random = (struct es_random){seed, seed, seed, 1};
    for (int i = 0; i < 12; i++)
        es_random_next(random);
}

/* Returns a number below n (n at least 1). The bias is below n / 2^32, negligible in
 * simulations. */
static inline uint32_t es_random_below(struct es_random *random, uint32_t n)
{
    return (uint32_t)((es_random_next(random) >> 32) * n >> 32);
}

/* One 64-byte block of ChaCha20 as in RFC 8439, section 2.3. */
void es_chacha20_block(const uint8_t key[32], uint32_t counter, const uint8_t nonce[12],
                       uint8_t block[64]);

/* Puts 0 … size - 1 into `order`, shuffled; size at most 256. */
void es_fair_shuffle(const uint8_t seed[ES_SEED_BYTES], uint32_t number, size_t size,
                     uint8_t *order);

#ifdef __cplusplus
}
#endif

#endif
