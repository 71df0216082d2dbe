/* ChaCha20, and the fair (Fisher-Yates) shuffle from a seed. */
#include <endstation/random.h>

#include <assert.h>

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t rotate(uint32_t v, int bits)
{
    return v << bits | v >> (32 - bits);
}

static void quarter_round(uint32_t *x, int a, int b, int c, int d)
{
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7);
}

void es_chacha20_block(const uint8_t key[32], uint32_t counter, const uint8_t nonce[12],
                       uint8_t block[64])
{
    static const uint8_t sigma[16] = {'e', 'x', 'p', 'a', 'n', 'd', ' ', '3',
                                      '2', '-', 'b', 'y', 't', 'e', ' ', 'k'};
    uint32_t start[16], x[16];
    for (int i = 0; i < 4; i++)
        start[i] = load32(sigma + 4 * i);
    for (int i = 0; i < 8; i++)
        start[4 + i] = load32(key + 4 * i);
    start[12] = counter;
    for (int i = 0; i < 3; i++)
        start[13 + i] = load32(nonce + 4 * i);

    for (int i = 0; i < 16; i++)
        x[i] = start[i];
    for (int i = 0; i < 10; i++) {
        for (int c = 0; c < 4; c++) /* columns */
            quarter_round(x, c, c + 4, c + 8, c + 12);
        for (int c = 0; c < 4; c++) /* diagonals */
            quarter_round(x, c, 4 + (c + 1) % 4, 8 + (c + 2) % 4, 12 + (c + 3) % 4);
    }
    for (int i = 0; i < 16; i++)
        store32(block + 4 * i, x[i] + start[i]);
}

struct stream {
    const uint8_t *key;
    uint8_t nonce[12];
    uint32_t counter;
    uint8_t block[64];
    int used; /* bytes of the block */
};

static uint32_t stream_word(struct stream *s)
{
    if (s->used == 64) {
        es_chacha20_block(s->key, s->counter++, s->nonce, s->block);
        s->used = 0;
    }
    s->used += 4;
    return load32(s->block + s->used - 4);
}

static uint32_t stream_below(struct stream *s, uint32_t n)
{
    /* The number of words at the top that would bias the result. */
    uint32_t past = (uint32_t)(((uint64_t)1 << 32) % n);
    uint32_t word;
    do
        word = stream_word(s);
    while (word > UINT32_MAX - past);
    return word % n;
}

void es_fair_shuffle(const uint8_t seed[ES_SEED_BYTES], uint32_t number, size_t size,
                     uint8_t *order)
{
    struct stream stream = {.key = seed, .used = 64};
    assert(size <= 256);
    store32(stream.nonce, number);
    for (size_t i = 0; i < size; i++)
        order[i] = (uint8_t)i;
    for (size_t i = size; i-- > 1;) {
        size_t j = stream_below(&stream, (uint32_t)i + 1);
        uint8_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}
