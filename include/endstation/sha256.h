/* SHA-256 (FIPS 180-4), incremental, and HMAC-SHA-256 (RFC 2104).
 *
 *     struct es_sha256 sha;
 *     uint8_t digest[ES_SHA256_BYTES];
 *     es_sha256_init(&sha);
 *     es_sha256_update(&sha, bytes, size);            // any number of times
 *     es_sha256_final(&sha, digest);
 */
#ifndef ENDSTATION_SHA256_H
#define ENDSTATION_SHA256_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ES_SHA256_BYTES = 32, ES_SHA256_BLOCK = 64 };

struct es_sha256 {
    uint32_t hash[8];
    uint64_t size;                  /* bytes fed so far */
    uint8_t block[ES_SHA256_BLOCK]; /* the last size % 64 bytes, not yet hashed */
};

void es_sha256_init(struct es_sha256 *sha);
void es_sha256_update(struct es_sha256 *sha, const void *bytes, size_t size);
/* Writes the digest. Call es_sha256_init() before the next use. */
void es_sha256_final(struct es_sha256 *sha, uint8_t digest[ES_SHA256_BYTES]);

/* HMAC of a message that comes in pieces; a key of more than 64 bytes is hashed first.
 *
 *     struct es_hmac_sha256 hmac;
 *     es_hmac_sha256_init(&hmac, key, size);
 *     es_sha256_update(&hmac.inner, bytes, size);     // any number of times
 *     es_hmac_sha256_final(&hmac, digest);
 */
struct es_hmac_sha256 {
    struct es_sha256 inner;
    uint8_t key[ES_SHA256_BLOCK];
};

void es_hmac_sha256_init(struct es_hmac_sha256 *hmac, const void *key, size_t size);
void es_hmac_sha256_final(struct es_hmac_sha256 *hmac, uint8_t digest[ES_SHA256_BYTES]);
/* The same for a message in one piece. */
void es_hmac_sha256(const void *key, size_t key_size, const void *message, size_t size,
                    uint8_t digest[ES_SHA256_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
