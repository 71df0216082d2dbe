/* Tests of text, numbers, faults, SHA-256, ChaCha20 and shuffles. */
#include "check.h"
#include <endstation/sha256.h>

static void every_status_has_a_sentence(void **state)
{
    (void)state;
    for (int i = 0; i < ES_STATUS_COUNT; i++) {
        assert_true(strlen(es_status_text((es_status)i)) > 5);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(es_status_text((es_status)i), es_status_text((es_status)j));
    }
    assert_string_equal(es_status_text(ES_STATUS_COUNT), "unknown status");
    assert_string_equal(es_status_text((es_status)ES_STATUS_OF(99)), "unknown status");
    assert_string_equal(es_status_code((es_status)ES_STATUS_OF(99)), "UNKNOWN");
    assert_string_equal(es_status_code(ES_TOO_LARGE), "TOO_LARGE");
}

/* No two games have a code in common. */
static void games_have_codes_of_their_own(void **state)
{
    (void)state;
    for (int i = 0; es_status_lists[i]; i++) {
        const struct es_status_list *list = es_status_lists[i];
        assert_true(list->first >= ES_STATUS_COUNT && list->count <= ES_STATUS_OF(1));
        for (int k = 0; k < i; k++)
            assert_int_not_equal(list->first, es_status_lists[k]->first);
        for (int k = 0; k < list->count; k++) {
            es_status status = (es_status)(list->first + k);
            assert_string_equal(es_status_text(status), list->entry[k].sentence);
            assert_string_equal(es_status_code(status), list->entry[k].code);
            assert_true(strlen(list->entry[k].sentence) > 5);
        }
        assert_string_equal(es_status_code((es_status)(list->first + list->count)), "UNKNOWN");
    }
}

static void numbers_have_no_sign_and_no_leading_zeros(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        es_status status;
        unsigned value;
    } cases[] = {
        {"0", ES_OK, 0},
        {"7", ES_OK, 7},
        {"99", ES_OK, 99},
        {"100", ES_NUMBER_RANGE, 0},
        {"", ES_NUMBER_BAD, 0},
        {"00", ES_NUMBER_BAD, 0},
        {"07", ES_NUMBER_BAD, 0},
        {"+7", ES_NUMBER_BAD, 0},
        {"-7", ES_NUMBER_BAD, 0},
        {"7x", ES_NUMBER_BAD, 0},
        {"1.0", ES_NUMBER_BAD, 0},
        {" 7", ES_NUMBER_BAD, 0},
        {"18446744073709551617", ES_NUMBER_RANGE, 0}, /* 2^64 + 1 */
        {"99999999999999999999999999999999999999999999x", ES_NUMBER_BAD, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned value = 12345;
        assert_int_equal(es_str_number(es_str(cases[i].text), 99, &value), cases[i].status);
        assert_int_equal(value, cases[i].status == ES_OK ? cases[i].value : 12345);
    }
}

static void hex_is_lower_case_and_of_exact_length(void **state)
{
    (void)state;
    uint8_t bytes[2] = {0};
    assert_true(es_str_hex(es_str("0af9"), bytes, 2));
    assert_int_equal(bytes[0] << 8 | bytes[1], 0x0af9);
    assert_false(es_str_hex(es_str("0AF9"), bytes, 2));
    assert_false(es_str_hex(es_str("0af"), bytes, 2));
    assert_false(es_str_hex(es_str("0af90"), bytes, 2));
    assert_false(es_str_hex(es_str("0ag9"), bytes, 2));
}

/* Returns the first line that is not valid text; 0 if there is none. */
static int bad_line(const char *bytes, size_t size)
{
    struct es_lines lines;
    struct es_fault fault;
    return es_lines_open(&lines, (struct es_str){bytes, size}, &fault) ? fault.line : 0;
}
#define BAD_LINE(text) bad_line(text, sizeof(text) - 1)

static void text_is_utf8_without_control_characters(void **state)
{
    (void)state;
    assert_int_equal(BAD_LINE("a\nb\tc\r\nZ\xc3\xbcrich \xe2\x80\x93 \xf0\x9f\x9a\x87"), 0);
    assert_int_equal(BAD_LINE("\xef\xbb\xbf"
                              "a\n"),
                     0); /* byte-order mark */
    assert_int_equal(BAD_LINE("a\n\x07"
                              "b\n"),
                     2);                                           /* bell */
    assert_int_equal(BAD_LINE("a\nb\n\0c\n"), 3);                  /* NUL */
    assert_int_equal(BAD_LINE("a\n\x7f\n"), 2);                    /* DEL */
    assert_int_equal(BAD_LINE("a\n\xc2\x85\n"), 2);                /* NEL, a C1 control */
    assert_int_equal(BAD_LINE("a\rb\n"), 1);                       /* CR inside a line */
    assert_int_equal(BAD_LINE("a\r\r\n"), 1);                      /* only one CR is dropped */
    assert_int_equal(BAD_LINE("a\n\xff\n"), 2);                    /* never in UTF-8 */
    assert_int_equal(BAD_LINE("\x80"), 1);                         /* lone continuation */
    assert_int_equal(BAD_LINE("\xc0\xaf"), 1);                     /* overlong / */
    assert_int_equal(BAD_LINE("\xe0\x80\xaf"), 1);                 /* overlong */
    assert_int_equal(BAD_LINE("\xf0\x80\x80\xaf"), 1);             /* overlong */
    assert_int_equal(BAD_LINE("\xed\xa0\x80"), 1);                 /* surrogate */
    assert_int_equal(BAD_LINE("\xf4\x90\x80\x80"), 1);             /* past U+10FFFF */
    assert_int_equal(BAD_LINE("a\nb\xe2\x80"), 2);                 /* cut off at the end */
    assert_int_equal(BAD_LINE("b\xe2\x80\n"), 1);                  /* cut off by the line's end */
    assert_int_equal(BAD_LINE("\xf4\x8f\xbf\xbf\xed\x9f\xbf"), 0); /* the last legal ones */
}

static void lines_are_counted_as_an_editor_does(void **state)
{
    (void)state;
    struct es_lines lines;
    struct es_fault fault;
    static const char text[] = "\xef\xbb\xbf"
                               "one\r\n \ttwo \t\n\n# four\nfive";
    static const char *const expected[] = {"one", "two", "", "# four", "five"};
    assert_int_equal(es_lines_open(&lines, es_str(text), &fault), ES_OK);
    for (int i = 0; i < 5; i++) {
        assert_true(es_lines_next(&lines));
        assert_int_equal(lines.number, i + 1);
        assert_true(es_str_is(lines.line, expected[i]));
        assert_int_equal(es_lines_comment(&lines), i == 3);
    }
    assert_false(es_lines_next(&lines));
    assert_int_equal(lines.number, 5);
}

static void a_text_larger_than_the_limit_is_refused(void **state)
{
    (void)state;
    struct es_lines lines;
    struct es_fault fault;
    assert_int_equal(es_lines_open(&lines, (struct es_str){"", ES_TEXT_MAX + (size_t)1}, &fault),
                     ES_TOO_LARGE);
    assert_int_equal(fault.line, 0);
}

static void faults_quote_whole_characters(void **state)
{
    (void)state;
    struct es_fault fault;
    /* 71 bytes, then a three-byte character that would be cut after its first. */
    es_fault_set(&fault, 3, ES_TWICE,
                 es_str("012345678901234567890123456789012345678901234567890123456789012345678901"
                        "\xe2\x80\x93 and more" +
                        1));
    assert_string_equal(
        fault.reason, "'12345678901234567890123456789012345678901234567890123456789012345678901…': "
                      "may be given only once");
    assert_int_equal(fault.line, 3);
    for (int i = 0; i < ES_STATUS_COUNT; i++) { /* the longest quotation fits into every sentence */
        char longest[80];
        memset(longest, 'x', 79);
        longest[79] = '\0';
        es_fault_set(&fault, 1, (es_status)i, es_str(longest));
        assert_non_null(strstr(fault.reason, es_status_text((es_status)i)));
    }
}

static void the_writer_never_overruns(void **state)
{
    (void)state;
    char buffer[8] = "#######";
    struct es_out out = {buffer, 4, 0};
    es_out_int(&out, -12);
    assert_true(es_out_ok(&out));
    es_out_text(&out, "abc");
    es_out_char(&out, 'd');
    assert_false(es_out_ok(&out));
    assert_int_equal(out.used, 7);
    assert_memory_equal(buffer, "-12a####", 7);
    char long_min[32];
    struct es_out wide = {long_min, sizeof long_min, 0};
    es_out_int(&wide, INT64_MIN);
    assert_memory_equal(long_min, "-9223372036854775808", 20);
}

/* RFC 8439, sections 2.3.2 and A.1. */
static void chacha20_agrees_with_its_rfc(void **state)
{
    (void)state;
    static const struct {
        const char *key, *nonce;
        uint32_t counter;
        const char *block;
    } vectors[] = {
        {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
         "000000090000004a00000000", 1,
         "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
         "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"},
        {"0000000000000000000000000000000000000000000000000000000000000000",
         "000000000000000000000000", 0,
         "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
         "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
        {"0000000000000000000000000000000000000000000000000000000000000000",
         "000000000000000000000000", 1,
         "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
         "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
        {"0000000000000000000000000000000000000000000000000000000000000001",
         "000000000000000000000000", 1,
         "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
         "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"},
        {"0000000000000000000000000000000000000000000000000000000000000000",
         "000000000000000000000002", 0,
         "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
         "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t key[32], nonce[12], expected[64], block[64];
        assert_true(es_str_hex(es_str(vectors[i].key), key, sizeof key));
        assert_true(es_str_hex(es_str(vectors[i].nonce), nonce, sizeof nonce));
        assert_true(es_str_hex(es_str(vectors[i].block), expected, sizeof expected));
        es_chacha20_block(key, vectors[i].counter, nonce, block);
        assert_memory_equal(block, expected, sizeof block);
    }
}

static void expect_sha256(struct es_sha256 *sha, const char *hex)
{
    uint8_t digest[ES_SHA256_BYTES], expected[ES_SHA256_BYTES];
    es_sha256_final(sha, digest);
    assert_true(es_str_hex(es_str(hex), expected, sizeof expected));
    assert_memory_equal(digest, expected, sizeof digest);
}

/* The messages of FIPS 180 with their digests. */
static const struct {
    const char *message, *digest;
} sha256_vectors[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
     "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};

static void sha256_agrees_with_its_standard(void **state)
{
    (void)state;
    struct es_sha256 sha;
    for (size_t i = 0; i < sizeof sha256_vectors / sizeof sha256_vectors[0]; i++) {
        const char *message = sha256_vectors[i].message;
        es_sha256_init(&sha);
        es_sha256_update(&sha, message, strlen(message));
        expect_sha256(&sha, sha256_vectors[i].digest);
    }
    static char many[1000000];
    memset(many, 'a', sizeof many);
    es_sha256_init(&sha);
    es_sha256_update(&sha, many, sizeof many);
    expect_sha256(&sha, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void sha256_is_the_same_wherever_the_message_is_split(void **state)
{
    (void)state;
    struct es_sha256 sha;
    for (size_t i = 0; i < sizeof sha256_vectors / sizeof sha256_vectors[0]; i++) {
        const char *message = sha256_vectors[i].message;
        size_t size = strlen(message);
        for (size_t a = 0; a <= size; a++)
            for (size_t b = a; b <= size; b++) {
                es_sha256_init(&sha);
                es_sha256_update(&sha, message, a);
                es_sha256_update(&sha, message + a, b - a);
                es_sha256_update(&sha, message + b, size - b);
                expect_sha256(&sha, sha256_vectors[i].digest);
            }
    }
    es_sha256_init(&sha);
    for (int i = 0; i < 1000000; i++)
        es_sha256_update(&sha, "a", 1);
    expect_sha256(&sha, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Computes the HMAC of `message`, in one piece and in two. */
static void expect_hmac(const char *key, size_t key_size, const char *message, const char *hex)
{
    uint8_t digest[ES_SHA256_BYTES], expected[ES_SHA256_BYTES];
    size_t size = strlen(message);
    assert_true(es_str_hex(es_str(hex), expected, sizeof expected));
    es_hmac_sha256(key, key_size, message, size, digest);
    assert_memory_equal(digest, expected, sizeof digest);
    struct es_hmac_sha256 hmac;
    es_hmac_sha256_init(&hmac, key, key_size);
    es_sha256_update(&hmac.inner, message, size / 3);
    es_sha256_update(&hmac.inner, message + size / 3, size - size / 3);
    es_hmac_sha256_final(&hmac, digest);
    assert_memory_equal(digest, expected, sizeof digest);
}

/* RFC 4231, sections 4.2 to 4.5, 4.7 and 4.8 (4.6 is about cutting the result off). */
static void hmac_agrees_with_its_rfc(void **state)
{
    (void)state;
    char key[131], message[51] = "";
    memset(key, 0x0b, 20);
    expect_hmac(key, 20, "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    expect_hmac("Jefe", 4, "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key);
    memset(message, 0xdd, 50);
    expect_hmac(key, 20, message,
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    expect_hmac(key, sizeof key, "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    expect_hmac(key, sizeof key,
                "This is a test using a larger than block-size key and a larger than block-size "
                "data. The key needs to be hashed before being used by the HMAC algorithm.",
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
    for (int i = 0; i < 25; i++)
        key[i] = (char)(i + 1);
    memset(message, 0xcd, 50);
    expect_hmac(key, 25, message,
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
}

/* Computed with another implementation (OpenSSL's ChaCha20 and a few lines of Python). */
static void shuffles_are_as_docs_shuffle_md_describes(void **state)
{
    (void)state;
    static const struct {
        uint32_t number;
        size_t size;
        uint8_t order[60];
    } vectors[] = {
        {0, 14, {12, 1, 7, 9, 4, 3, 10, 2, 6, 8, 11, 5, 0, 13}},
        {1, 14, {7, 10, 2, 13, 11, 0, 5, 12, 3, 1, 9, 4, 8, 6}},
        {70000, 60, {48, 0,  17, 11, 1,  29, 34, 37, 51, 45, 52, 15, 59, 21, 16,
                     8,  53, 33, 14, 57, 25, 49, 44, 2,  30, 13, 4,  24, 43, 22,
                     12, 27, 50, 9,  3,  39, 47, 38, 54, 35, 23, 6,  41, 55, 58,
                     10, 5,  36, 7,  42, 32, 46, 28, 20, 31, 56, 18, 26, 40, 19}},
        {0, 1, {0}},
        {5, 2, {1, 0}},
    };
    uint8_t seed[ES_SEED_BYTES], order[60];
    for (int i = 0; i < ES_SEED_BYTES; i++)
        seed[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        es_fair_shuffle(seed, vectors[i].number, vectors[i].size, order);
        assert_memory_equal(order, vectors[i].order, vectors[i].size);
    }
}

/* All 120 orders of five come about equally often. The seed is fixed, so the figure is too; with
 * 119 degrees of freedom, a fair shuffle gives between 78 and 173 in about 998 of 1000 cases. */
static void shuffles_prefer_no_order(void **state)
{
    (void)state;
    enum { ROUNDS = 24000 };
    static int count[3125];
    uint8_t seed[ES_SEED_BYTES] = {1}, order[5];
    memset(count, 0, sizeof count);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        es_fair_shuffle(seed, i, 5, order);
        int code = 0;
        for (int k = 0; k < 5; k++)
            code = code * 5 + order[k];
        count[code]++;
    }
    double chi = 0, expected = ROUNDS / 120.0;
    int orders = 0;
    for (int i = 0; i < 3125; i++)
        if (count[i]) {
            chi += (count[i] - expected) * (count[i] - expected) / expected;
            orders++;
        }
    assert_int_equal(orders, 120);
    assert_true(chi < 173 && chi > 78);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_sentence),
        cmocka_unit_test(games_have_codes_of_their_own),
        cmocka_unit_test(numbers_have_no_sign_and_no_leading_zeros),
        cmocka_unit_test(hex_is_lower_case_and_of_exact_length),
        cmocka_unit_test(text_is_utf8_without_control_characters),
        cmocka_unit_test(lines_are_counted_as_an_editor_does),
        cmocka_unit_test(a_text_larger_than_the_limit_is_refused),
        cmocka_unit_test(faults_quote_whole_characters),
        cmocka_unit_test(the_writer_never_overruns),
        cmocka_unit_test(sha256_agrees_with_its_standard),
        cmocka_unit_test(sha256_is_the_same_wherever_the_message_is_split),
        cmocka_unit_test(chacha20_agrees_with_its_rfc),
        cmocka_unit_test(hmac_agrees_with_its_rfc),
        cmocka_unit_test(shuffles_are_as_docs_shuffle_md_describes),
        cmocka_unit_test(shuffles_prefer_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
