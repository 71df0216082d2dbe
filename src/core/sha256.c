/* SHA-256 as in FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1 and 6.2. */
#include <endstation/sha256.h>
#include <string.h>

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static void store32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static uint32_t rotate(uint32_t v, int bits)
{
    return v >> bits | v << (32 - bits);
}

static void add_block(uint32_t hash[8], const uint8_t block[ES_SHA256_BLOCK])
{
    /* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    };
    uint32_t w[64], x[8];
    for (int i = 0; i < 16; i++)
        w[i] = load32(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(x, hash, sizeof x);
    for (int i = 0; i < 64; i++) {
        uint32_t a = x[0], e = x[4];
        uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        uint32_t t1 = x[7] + s1 + ((e & x[5]) ^ (~e & x[6])) + k[i] + w[i];
        uint32_t t2 = s0 + ((a & x[1]) ^ (a & x[2]) ^ (x[1] & x[2]));
        memmove(x + 1, x, 7 * sizeof x[0]);
        x[4] += t1;
        x[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        hash[i] += x[i];
}

void es_sha256_init(struct es_sha256 *sha)
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->hash, start, sizeof start);
    sha->size = 0;
}

void es_sha256_update(struct es_sha256 *sha, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        size_t used = sha->size % ES_SHA256_BLOCK, room = ES_SHA256_BLOCK - used;
        size_t part = size < room ? size : room;
        memcpy(sha->block + used, from, part);
        sha->size += part;
        from += part;
        size -= part;
        if (part == room)
            add_block(sha->hash, sha->block);
    }
}

void es_sha256_final(struct es_sha256 *sha, uint8_t digest[ES_SHA256_BYTES])
{
    static const uint8_t padding[ES_SHA256_BLOCK] = {0x80};
    uint64_t bits = sha->size * 8;
    uint8_t length[8];
    store32(length, (uint32_t)(bits >> 32));
    store32(length + 4, (uint32_t)bits);
    /* One to 64 bytes of padding, so that the length ends a block. */
    es_sha256_update(sha, padding, ES_SHA256_BLOCK - (sha->size + 8) % ES_SHA256_BLOCK);
    es_sha256_update(sha, length, sizeof length);
    for (int i = 0; i < 8; i++)
        store32(digest + 4 * i, sha->hash[i]);
}

/* Feeds the key, every byte changed by `pad`: the first block of both hashes of an HMAC. */
static void add_key(struct es_sha256 *sha, const uint8_t key[ES_SHA256_BLOCK], uint8_t pad)
{
    uint8_t block[ES_SHA256_BLOCK];
    for (int i = 0; i < ES_SHA256_BLOCK; i++)
        block[i] = key[i] ^ pad;
    es_sha256_init(sha);
    es_sha256_update(sha, block, sizeof block);
}

void es_hmac_sha256_init(struct es_hmac_sha256 *hmac, const void *key, size_t size)
{
    memset(hmac->key, 0, sizeof hmac->key);
    if (size > sizeof hmac->key) {
        es_sha256_init(&hmac->inner);
        es_sha256_update(&hmac->inner, key, size);
        es_sha256_final(&hmac->inner, hmac->key);
    } else if (size > 0) {
        memcpy(hmac->key, key, size);
    }
    add_key(&hmac->inner, hmac->key, 0x36);
}

void es_hmac_sha256_final(struct es_hmac_sha256 *hmac, uint8_t digest[ES_SHA256_BYTES])
{
    struct es_sha256 outer;
    es_sha256_final(&hmac->inner, digest);
    add_key(&outer, hmac->key, 0x5c);
    es_sha256_update(&outer, digest, ES_SHA256_BYTES);
    es_sha256_final(&outer, digest);
}

void es_hmac_sha256(const void *key, size_t key_size, const void *message, size_t size,
                    uint8_t digest[ES_SHA256_BYTES])
{
    struct es_hmac_sha256 hmac;
    es_hmac_sha256_init(&hmac, key, key_size);
    es_sha256_update(&hmac.inner, message, size);
    es_hmac_sha256_final(&hmac, digest);
}
