/* Tests of the server's answers, without sockets. */
#include "check.h"
#include "server/api.h"
#include "server/clock.h"
#include "server/http.h"
#include "server/qr.h"
#include "server/service.h"
#include "server/site.h"
#include "server/visitors.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_accepts(void **state)
{
    (void)state;
    static const struct {
        const char *header, *encoding;
        bool accepts;
    } cases[] = {
        {"", "br", false},
        {"gzip, deflate, br", "br", true},
        {"gzip, deflate, br", "gzip", true},
        {"gzip,deflate", "br", false},
        {"BR", "br", true},
        {"br;q=1.0, gzip;q=0.5", "gzip", true},
        {"br;q=0", "br", false},
        {"br;q=0.000", "br", false},
        {"br; q=0", "br", false},
        {"br ; Q=0", "br", false},
        {"br;q=0.001", "br", true},
        {"br;x=1;q=0", "br", false},
        {"br;q=0;x=1", "br", false},
        {"*", "br", true},
        {"*;q=0", "br", false},
        {"*, br;q=0", "br", false},
        {"br;q=0, *", "br", false},
        {"identity", "br", false},
        {"brotli", "br", false},
        {"b", "br", false},
        {",, ,br", "br", true},
        {";q=1", "br", false},
        {"br;q", "br", true},
        {"br;", "br", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (http_accepts(cases[i].header, cases[i].encoding) != cases[i].accepts)
            fail_msg("'%s' and %s", cases[i].header, cases[i].encoding);
}

static void test_matches(void **state)
{
    (void)state;
    assert_false(http_matches("", "\"a\""));
    assert_true(http_matches("\"a\"", "\"a\""));
    assert_true(http_matches("W/\"a\"", "\"a\""));
    assert_true(http_matches("\"b\" , \"a\"", "\"a\""));
    assert_true(http_matches("*", "\"a\""));
    assert_false(http_matches("a", "\"a\""));
    assert_false(http_matches("\"ab\"", "\"a\""));
    assert_false(http_matches("W/", "\"a\""));
}

static void test_types(void **state)
{
    (void)state;
    assert_string_equal(http_type("a/b.wasm"), "application/wasm");
    assert_string_equal(http_type("x.js"), "text/javascript; charset=utf-8");
    assert_string_equal(http_type("manifest.webmanifest"), "application/manifest+json");
    assert_string_equal(http_type("icon.svg"), "image/svg+xml");
    assert_string_equal(http_type("README"), "application/octet-stream");
    assert_string_equal(http_type("a.js.exe"), "application/octet-stream");
}

static void test_origins(void **state)
{
    (void)state;
    assert_true(http_same_origin("http://localhost:8080", "localhost:8080"));
    assert_true(http_same_origin("https://Play.example", "play.example"));
    assert_true(http_same_origin("http://[::1]:8080", "[::1]:8080"));
    assert_false(http_same_origin("http://localhost:8081", "localhost:8080"));
    assert_false(http_same_origin("http://evil.example", "play.example"));
    assert_false(http_same_origin("http://play.example.evil", "play.example"));
    assert_false(http_same_origin("http://play.example/", "play.example"));
    assert_false(http_same_origin("null", "null"));
    assert_false(http_same_origin("http://", ""));
    assert_false(http_same_origin("", "localhost"));
    static const char *const local[] = {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:80",
                                        "[::1]"};
    static const char *const other[] = {"",    "localhost.evil", "127.0.0.1.evil",
                                        "::1", "[::2]",          "example"};
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++)
        if (!http_is_local_name(local[i]))
            fail_msg("%s", local[i]);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (http_is_local_name(other[i]))
            fail_msg("%s", other[i]);
}

static void test_cookies(void **state)
{
    (void)state;
    char value[8];
    assert_true(http_cookie("a=1; endstation=xyz; b=2", "endstation", value, sizeof value));
    assert_string_equal(value, "xyz");
    assert_true(http_cookie("endstation=", "endstation", value, sizeof value));
    assert_string_equal(value, "");
    assert_true(http_cookie("notendstation=1;endstation=2", "endstation", value, sizeof value));
    assert_string_equal(value, "2");
    assert_false(http_cookie("", "endstation", value, sizeof value));
    assert_false(http_cookie("endstation2=1; x=endstation=1", "endstation", value, sizeof value));
    assert_false(http_cookie("endstation=12345678", "endstation", value, sizeof value));
    assert_true(http_is_type("application/json", "application/json"));
    assert_true(http_is_type("Application/JSON; charset=utf-8", "application/json"));
    assert_false(http_is_type("application/jsonx", "application/json"));
    assert_false(http_is_type("", "application/json"));
    static const char args[] = "seat=1\0dark=\0x\0";
    assert_string_equal(http_arg(args, "seat"), "1");
    assert_string_equal(http_arg(args, "dark"), "");
    assert_null(http_arg(args, "x"));
    assert_null(http_arg(args, "sea"));
    assert_null(http_arg(NULL, "seat"));
}

static void test_utf8(void **state)
{
    (void)state;
    static const char *const good[] = {"",
                                       "a",
                                       "\x7f",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf",
                                       "a\xe2\x82\xac"};
    static const char *const bad[] = {"\x80",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xc2\x41",
                                      "\xe0\x9f\xbf",
                                      "\xe2\x82",
                                      "\xed\xa0\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff",
                                      "a\xf0\x90\x80"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(http_is_utf8(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(http_is_utf8(bad[i], strlen(bad[i])));
    assert_true(http_is_utf8("\0", 1));
}

/* ---- The interface of the rooms -------------------------------------------------------------- */

#define ROOM "abcdefghijklmn27"

static void test_request_lines(void **state)
{
    static const struct {
        const char *text;
        enum http_line line;
    } cases[] = {
        {"GET / HTTP/1.1\r\n", HTTP_LINE_GOOD},
        {"GET /a/b.js?x=%41&y HTTP/1.0\r\nHost: a\r\n", HTTP_LINE_GOOD},
        {"HEAD /a/ HTTP/1.1\n", HTTP_LINE_GOOD},
        {"PATCH /.well-known/x..y/...a HTTP/1.1\r\n", HTTP_LINE_GOOD},
        {"GET /%C3%bc%20 HTTP/1.1\r\n", HTTP_LINE_GOOD},
        {"GET /?/../..//%2e HTTP/1.1\r\n", HTTP_LINE_GOOD},
        {"GET /\xc3\xbc HTTP/1.1\r\n", HTTP_LINE_GOOD},
        {"", HTTP_LINE_UNKNOWN},
        {"GE", HTTP_LINE_UNKNOWN},
        {"GET /a HTTP/1.1", HTTP_LINE_UNKNOWN},
        {"get / HTTP/1.1\r\n", HTTP_LINE_UNKNOWN},
        {"\r\n", HTTP_LINE_UNKNOWN},
        {"GET\r\n", HTTP_LINE_UNKNOWN},
        {"GET \r\n", HTTP_LINE_BAD},
        {"GET /\r\n", HTTP_LINE_BAD},
        {"GET / HTTP/2.0\r\n", HTTP_LINE_BAD},
        {"GET / HTTP/1.x\r\n", HTTP_LINE_BAD},
        {"GET  HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET  / HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a b HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET * HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET a HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET http://a/ HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET // HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a//b HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /. HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /./a HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a/.. HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a/../b?c HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /%6Detrics HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a%2fb HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /%2e%2e/a HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a%00 HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a\\b HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /a\tb HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /% HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /%4 HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /%zz HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /?% HTTP/1.1\r\n", HTTP_LINE_BAD},
        {"GET /?x=%4g HTTP/1.1\r\n", HTTP_LINE_BAD},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *exact = strdup(cases[i].text); /* reading further would be found */
        if (http_check_line(exact, strlen(exact)) != cases[i].line)
            fail_msg("'%s'", cases[i].text);
        free(exact);
    }
}

static bool is_x(const char *name, size_t size)
{
    return size == 1 && (*name == 'X' || *name == 'x');
}

static void test_header_lines(void **state)
{
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"", true},
        {"Host: a", true}, /* the rest will come */
        {"Host", true},
        {"Host: a\r\n", true},
        {"Host: a\nAccept: b\n\n", true},
        {"Host: a\r\nXY: :\r\na-B_9~:\r\n\r\nfoo\r\nX: 1\r\n", true},
        {"Hosts: a\r\nHost: a\r\n\r\n", true},
        {"foo\r\n", false},
        {"Host: a\r\nfoo\r\nB: 1\r\n\r\n", false},
        {"Host: a\r\n folded: 1\r\n", false},
        {"Host: a\r\n\tfolded\r\n", false},
        {"Host : a\r\n", false},
        {"Ho st: a\r\n", false},
        {": a\r\n", false},
        {"B\x01: a\r\n", false},
        {"B\xc3\xa4: a\r\n", false},
        {"B: a\rC: d\r\n", false},
        {"B: a\r\r\n", false},
        {"\r\r\n", false},
        {"X: 1\r\n", false},
        {"B: 1\r\nx:\r\n", false},
        {"Host: a\r\nhOST: a\r\n", false},
        {"Host:\r\nHost:\r\n", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "GET / HTTP/1.1\r\n%s", cases[i].text);
        size_t size = strlen(text);
        char *exact = malloc(size); /* reading further would be found */
        memcpy(exact, text, size);
        if (!http_header_fault(exact, size, is_x) != cases[i].good)
            fail_msg("'%s'", cases[i].text);
        free(exact);
    }
    assert_null(http_header_fault("", 0, is_x));
}

static void test_qr_codes(void **state)
{
    char longest[QR_TEXT_MAX + 2];
    (void)state;
    char *svg = qr_svg("https://example.org/#room=abcdefghijklmn27.K7RM2Q4X9DHT");
    assert_non_null(svg);
    /* Version 4, 33 modules and a margin of 4 on each side; the first corner's mark. */
    assert_non_null(strstr(svg, "viewBox=\"0 0 41 41\""));
    assert_non_null(strstr(svg, "d=\"M4 4h7v1h-7z"));
    assert_string_equal(svg + strlen(svg) - strlen("z\"/></svg>"), "z\"/></svg>");
    free(svg);
    memset(longest, 'x', sizeof longest);
    longest[QR_TEXT_MAX] = '\0';
    svg = qr_svg(longest);
    assert_non_null(svg);
    free(svg);
    longest[QR_TEXT_MAX] = 'x';
    longest[QR_TEXT_MAX + 1] = '\0';
    assert_null(qr_svg(longest));
    assert_null(qr_svg(""));
}

static void test_api_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum api_kind kind;
        const char *room;
    } cases[] = {
        {"/", API_NONE, ""},
        {"/api", API_NONE, ""},
        {"/api/", API_UNKNOWN, ""},
        {"/api/guest", API_GUEST, ""},
        {"/api/guest/", API_UNKNOWN, ""},
        {"/api/device", API_DEVICE, ""},
        {"/api/signout", API_SIGNOUT, ""},
        {"/api/map", API_MAP, ""},
        {"/api/qr", API_QR, ""},
        {"/api/rooms", API_ROOMS, ""},
        {"/api/rooms/" ROOM, API_ROOM, ROOM},
        {"/api/rooms/" ROOM "/record", API_RECORD, ROOM},
        {"/api/rooms/" ROOM "/state", API_STATE, ROOM},
        {"/api/rooms/" ROOM "/picture", API_PICTURE, ROOM},
        {"/api/rooms/" ROOM "/map", API_SHEET, ROOM},
        {"/api/rooms/" ROOM "/", API_UNKNOWN, NULL},
        {"/api/rooms/" ROOM "a", API_ROOM, ""},
        {"/api/rooms/abcdefghijklmn2", API_ROOM, ""},
        {"/api/rooms/abcdefghijklmn28", API_ROOM, ""},
        {"/api/rooms/ABCDEFGHIJKLMN27", API_ROOM, ""},
        {"/api/rooms/", API_ROOM, ""},
        {"/api/rooms/x/map", API_SHEET, ""},
        {"/api/rooms/x/taxes", API_UNKNOWN, NULL},
    };
    char room[STORE_ROOM_BYTES];
    enum rooms_path path;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (api_kind(cases[i].path, room) != cases[i].kind ||
            (cases[i].room && strcmp(room, cases[i].room) != 0))
            fail_msg("%s", cases[i].path);
    }
    assert_true(api_socket("/ws/lobby", &path, room));
    assert_int_equal(path, ROOMS_LOBBY);
    assert_true(api_socket("/ws/" ROOM, &path, room));
    assert_int_equal(path, ROOMS_ROOM);
    assert_string_equal(room, ROOM);
    assert_false(api_socket("/ws/", &path, room));
    assert_false(api_socket("/ws/" ROOM "/", &path, room));
    assert_false(api_socket("/ws/lobbyx", &path, room));
    assert_false(api_socket("/", &path, room));
}

static void test_api_refusals(void **state)
{
    (void)state;
    static const struct {
        enum api_kind kind;
        enum server_method method;
        const char *type;
        bool foreign;
        int status;
    } cases[] = {
        {API_UNKNOWN, SERVER_GET, "", false, 404},
        {API_GUEST, SERVER_POST, "application/json", false, 0},
        {API_GUEST, SERVER_GET, "", false, 405},
        {API_GUEST, SERVER_OTHER, "", false, 405},
        {API_GUEST, SERVER_POST, "application/json", true, 403},
        {API_GUEST, SERVER_POST, "text/plain", false, 415},
        {API_GUEST, SERVER_POST, "", false, 415},
        {API_DEVICE, SERVER_POST, "application/json; charset=utf-8", false, 0},
        {API_SIGNOUT, SERVER_POST, "application/json", false, 0},
        {API_SIGNOUT, SERVER_POST, "text/plain", false, 415},
        {API_SIGNOUT, SERVER_POST, "application/json", true, 403},
        {API_SIGNOUT, SERVER_GET, "", false, 405},
        {API_MAP, SERVER_POST, "text/plain", false, 0},
        {API_MAP, SERVER_POST, "text/html", false, 415},
        {API_ROOMS, SERVER_GET, "", false, 0},
        {API_ROOMS, SERVER_HEAD, "", true, 0},
        {API_ROOM, SERVER_POST, "application/json", false, 405},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct server_request request = {
            .method = cases[i].method, .content_type = cases[i].type, .foreign = cases[i].foreign};
        const char *code;
        if (api_refuses(cases[i].kind, &request, &code) != cases[i].status)
            fail_msg("case %zu", i);
    }
}

static void check_message(enum api_kind kind, const char *room, struct server_request *request,
                          const char *expected)
{
    char *text = api_message(kind, room, request);
    if (!expected) {
        assert_null(text);
        return;
    }
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void test_api_costs(void **state)
{
    (void)state;
    assert_int_equal(api_cost(API_ROOMS, 0), 1);
    assert_int_equal(api_cost(API_GUEST, 100), 1);
    assert_int_equal(api_cost(API_GUEST, 8192), 9);
    assert_int_equal(api_cost(API_GUEST, (size_t)-1), 9); /* more is not read */
    assert_int_equal(api_cost(API_MAP, 6000), 3);
    assert_int_equal(api_cost(API_MAP, 65536), 33);
    assert_int_equal(api_cost(API_QR, 100), 4);
}

static void test_api_messages(void **state)
{
    (void)state;
    struct server_request request = {
        .args = "", .authorization = "", .body = es_str("{\"name\":\"Ada\"}")};
    check_message(API_GUEST, "", &request, "{\"name\":\"Ada\",\"t\":\"guest\"}");
    request.body = es_str("{\"t\":\"map\",\"ticket\":\"x\"}");
    check_message(API_DEVICE, "", &request, "{\"t\":\"device\",\"ticket\":\"x\"}");
    request.body = es_str("{}");
    check_message(API_SIGNOUT, "", &request, "{\"t\":\"signout\"}");
    static const char *const bad[] = {"", "[]", "{", "1", "{}{}", "\"\xff\"", "{\"a\":1,\"a\":2}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        request.body = es_str(bad[i]);
        check_message(API_GUEST, "", &request, NULL);
    }
    request.body = es_str("map x\n\"");
    check_message(API_MAP, "", &request, "{\"t\":\"map\",\"text\":\"map x\\n\\\"\"}");
    request.body = es_str("\xff");
    check_message(API_MAP, "", &request, NULL);
    request.body = es_str("");
    check_message(API_ROOMS, "", &request, "{\"t\":\"get\",\"what\":\"rooms\"}");
    check_message(API_ROOM, "", &request, "{\"t\":\"get\",\"what\":\"room\"}");
    request.args = "code=K7RM2Q4X\0seat=2\0dark=1\0";
    check_message(API_PICTURE, ROOM, &request,
                  "{\"t\":\"get\",\"what\":\"picture\",\"room\":\"" ROOM
                  "\",\"code\":\"K7RM2Q4X\",\"seat\":2,\"dark\":true}");
    request.args = "";
    request.authorization = "Code K7RM2Q4X";
    check_message(API_SHEET, ROOM, &request,
                  "{\"t\":\"get\",\"what\":\"map\",\"room\":\"" ROOM "\",\"code\":\"K7RM2Q4X\"}");
    request.authorization = "Code \xff";
    check_message(API_SHEET, ROOM, &request,
                  "{\"t\":\"get\",\"what\":\"map\",\"room\":\"" ROOM "\"}");
    request.authorization = "";
    request.args = "seat=7\0dark=yes\0code=\xff\0";
    check_message(API_STATE, ROOM, &request,
                  "{\"t\":\"get\",\"what\":\"state\",\"room\":\"" ROOM "\",\"dark\":false}");
}

static void test_api_tokens(void **state)
{
    (void)state;
#define TOKEN "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    char token[API_TOKEN_BYTES], cookie[200];
    struct server_request request = {.cookie = "endstation=" TOKEN, .authorization = ""};
    api_token(&request, token);
    assert_string_equal(token, TOKEN);
    request = (struct server_request){.cookie = "endstation=x", .authorization = "Bearer " TOKEN};
    api_token(&request, token);
    assert_string_equal(token, TOKEN);
    static const char *const bad[] = {"", "endstation=", "endstation=0123", "endstation=" TOKEN "0",
                                      "endstation=g" TOKEN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        request = (struct server_request){.cookie = bad[i], .authorization = ""};
        api_token(&request, token);
        assert_string_equal(token, "");
    }
    request = (struct server_request){.cookie = "", .authorization = "Bearer " TOKEN "0"};
    api_token(&request, token);
    assert_string_equal(token, "");
    api_cookie(es_str(TOKEN), cookie, sizeof cookie);
    assert_string_equal(cookie, "endstation=" TOKEN
                                "; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000");
    api_cookie(es_str(""), cookie, sizeof cookie);
    assert_string_equal(cookie, "endstation=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
}

/* ---- The page -------------------------------------------------------------------------------- */

#define TEXT(text)                                                                                 \
    {                                                                                              \
        (const unsigned char *)(text), sizeof(text) - 1                                            \
    }
static const struct site_file files[] = {
    {"index.html", "11", TEXT("start"), TEXT("zip"), TEXT("b")},
    {"sw.js", "22", TEXT("worker"), {NULL, 0}, {NULL, 0}},
    {"app.js", "33", TEXT("module"), TEXT("zip"), {NULL, 0}},
    {"lang/de.json", "44", TEXT("{}"), {NULL, 0}, {NULL, 0}},
    {NULL, NULL, {NULL, 0}, {NULL, 0}, {NULL, 0}},
};

static struct server_answer ask(struct site *site, enum server_method method, const char *path,
                                const char *encodings, const char *tag)
{
    const struct server_request request = {
        .method = method, .path = path, .accept_encoding = encodings, .if_none_match = tag};
    struct server_answer answer = {0};
    site_answer(site, &request, &answer);
    assert_non_null(answer.cache);
    return answer;
}

static struct server_answer get(struct site *site, const char *path)
{
    return ask(site, SERVER_GET, path, "", "");
}

static void check_content(const struct server_answer *answer, const char *text)
{
    assert_int_equal(answer->status, 200);
    assert_int_equal(answer->size, strlen(text));
    assert_memory_equal(answer->bytes, text, answer->size);
}

static void test_addresses(void **state)
{
    (void)state;
    struct site site = {.files = files, .version = "abc"};
    struct server_answer answer = get(&site, "/");
    check_content(&answer, "start");
    assert_string_equal(answer.cache, "no-cache");
    assert_string_equal(answer.type, "text/html; charset=utf-8");
    assert_string_equal(answer.tag, "\"11\"");
    assert_true(answer.varies);
    answer = get(&site, "/sw.js");
    check_content(&answer, "worker");
    assert_string_equal(answer.cache, "no-cache");
    assert_false(answer.varies);
    answer = get(&site, "/v/abc/app.js");
    check_content(&answer, "module");
    assert_non_null(strstr(answer.cache, "immutable"));
    answer = get(&site, "/v/abc/lang/de.json");
    check_content(&answer, "{}");
    static const char *const nowhere[] = {"/app.js",          "/index.html",    "/v/abc/index.html",
                                          "/v/abc/sw.js",     "/v/abd/app.js",  "/v/ab/app.js",
                                          "/v/abcxapp.js",    "/v/abc/",        "/v/abc",
                                          "/v//app.js",       "/v/abc//app.js", "//",
                                          "/v/abc/../app.js", "/v/dev/app.js"};
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++)
        if (get(&site, nowhere[i]).status != 404)
            fail_msg("%s is there", nowhere[i]);
    char *lengthy = malloc(5000);
    memset(lengthy, '/', 4999);
    lengthy[4999] = '\0';
    assert_int_equal(get(&site, lengthy).status, 414);
    free(lengthy);
    assert_int_equal(ask(&site, SERVER_OTHER, "/", "", "").status, 405);
    assert_int_equal(ask(&site, SERVER_HEAD, "/", "", "").status, 200);
}

static void test_encodings(void **state)
{
    (void)state;
    struct site site = {.files = files, .version = "abc"};
    struct server_answer answer = ask(&site, SERVER_GET, "/", "gzip, br", "");
    check_content(&answer, "b");
    assert_string_equal(answer.encoding, "br");
    assert_string_equal(answer.tag, "\"11-br\"");
    answer = ask(&site, SERVER_GET, "/v/abc/app.js", "gzip, br", "");
    check_content(&answer, "zip");
    assert_string_equal(answer.encoding, "gzip");
    answer = ask(&site, SERVER_GET, "/sw.js", "gzip, br", "");
    assert_null(answer.encoding);
    /* Each encoding has its own tag. */
    assert_int_equal(ask(&site, SERVER_GET, "/", "br", "\"11-br\"").status, 304);
    assert_int_equal(ask(&site, SERVER_GET, "/", "br", "\"11\"").status, 200);
    answer = ask(&site, SERVER_GET, "/", "", "\"11\"");
    assert_int_equal(answer.status, 304);
    assert_int_equal(answer.size, 0);
    assert_string_equal(answer.tag, "\"11\"");
}

/* ---- A folder -------------------------------------------------------------------------------- */

static char base[] = "/tmp/endstation-site-XXXXXX", folder_name[200];

static void write_file(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", base, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(base))
        return -1;
    char path[300];
    static const char *const folders[] = {"web", "web/lang", "website"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", base, folders[i]);
        if (mkdir(path, 0700) != 0)
            return -1;
    }
    snprintf(folder_name, sizeof folder_name, "%s/web", base);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", base);
    return system(command);
}

static void link_to(const char *target, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/web/%s", base, name);
    assert_int_equal(symlink(target, path), 0);
}

static void test_folder(void **state)
{
    (void)state;
    write_file("web/index.html", "a @VERSION@ b@VERSION@@FILES@ @VERSION\n@GAMES@");
    write_file("web/app.js", "let v = '@VERSION@';");
    write_file("web/lang/fr.json", "{1}");
    write_file("secret", "nobody's business");
    write_file("website/secret", "nor this");
    link_to("../secret", "out.txt");
    link_to("../website/secret", "near.txt");
    link_to("app.js", "in.js");
    link_to("loop.js", "loop.js");
    link_to("..", "up");
    char *folder = site_folder(folder_name);
    assert_non_null(folder);
    struct site site = {.files = files,
                        .version = "abc",
                        .games = "<link a@VERSION@><link b@VERSION@>",
                        .folder = folder};
    static const struct {
        const char *path, *text;
    } there[] = {{"/", "a dev bdev[] @VERSION\n<link adev><link bdev>"},
                 {"/v/dev/app.js", "let v = '@VERSION@';"},
                 {"/v/dev/in.js", "let v = '@VERSION@';"},
                 {"/v/dev/lang/fr.json", "{1}"},
                 {"/v/dev/lang/de.json", "{}"}}; /* from the program */
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++) {
        struct server_answer answer = get(&site, there[i].path);
        check_content(&answer, there[i].text);
        assert_string_equal(answer.cache, "no-cache");
        free(answer.owned);
    }
    static const char *const nowhere[] = {
        "/v/dev/out.txt",           "/v/dev/near.txt", "/v/dev/loop.js", "/v/dev/up/secret",
        "/v/dev/../secret",         "/v/dev/lang",     "/v/dev/",        "/v/dev//etc/passwd",
        "/v/dev/../website/secret", "/v/abc/app.js",   "/sw.js",         "/v/dev/nothing",
    };
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++)
        if (get(&site, nowhere[i]).status != 404)
            fail_msg("%s is there", nowhere[i]);
    /* A file that is too large, a pipe, a file that is empty. */
    char path[300];
    snprintf(path, sizeof path, "%s/web/large.txt", base);
    write_file("web/large.txt", "");
    struct server_answer empty = get(&site, "/v/dev/large.txt");
    assert_int_equal(empty.status, 200);
    assert_int_equal(empty.size, 0);
    free(empty.owned);
    assert_int_equal(truncate(path, SITE_FILE_MAX + 1), 0);
    assert_int_equal(get(&site, "/v/dev/large.txt").status, 404);
    snprintf(path, sizeof path, "%s/web/pipe.txt", base);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(get(&site, "/v/dev/pipe.txt").status, 404);
    free(folder);
    assert_null(site_folder("/nowhere at all"));
}

/* ---- Signals --------------------------------------------------------------------------------- */

/* A signal that arrives after the server is closed must not reach its event loop, which is
 * freed. */
static void test_signals_after_close(void **state)
{
    (void)state;
    struct site site = {.files = files, .version = "abc"};
    static const struct server_events events = {.answer = site_answer};
    const struct server_options options = {
        .address = "127.0.0.1", .events = &events, .context = &site};
    for (int i = 0; i < 2; i++) { /* the second server gets the same signals */
        char fault[SERVER_FAULT_BYTES];
        struct server *server = server_open(&options, fault);
        if (!server)
            fail_msg("%s", fault);
        server_take_signals(server);
        server_close(server);
        static const int signals[] = {SIGINT, SIGTERM};
        for (int s = 0; s < 2; s++) {
            struct sigaction action;
            assert_int_equal(sigaction(signals[s], NULL, &action), 0);
            assert_true(action.sa_handler == SIG_DFL);
        }
    }
}

/* The embedded files are as cmake/site.cmake describes them. */
static void test_embedded(void **state)
{
    (void)state;
    struct site site = {.files = site_files, .version = site_version};
    struct server_answer answer = get(&site, "/");
    assert_int_equal(answer.status, 200);
    char *page = strndup(answer.bytes, answer.size);
    assert_non_null(strstr(page, site_version));
    assert_null(strstr(page, "@VERSION@"));
    assert_null(strstr(page, "@GAMES@"));
    assert_non_null(strstr(page, "/app.js\""));
    free(page);
    int count = 0;
    for (const struct site_file *file = site_files; file->path; file++, count++) {
        assert_int_equal(strlen(file->tag), 20);
        if (file->brotli.at)
            assert_true(file->brotli.size < file->plain.size);
        if (file->gzip.at)
            assert_true(file->gzip.size < file->plain.size);
        assert_string_not_equal(http_type(file->path), "application/octet-stream");
    }
    assert_true(count > 10);
}

/* Whose place it is when places are short: that of the network with most, and in it of the address
 * with most. */
static void test_visitors(void **state)
{
    (void)state;
    static struct visitors visitors;
    struct visitor *one[8];
    assert_null(visitors_most(&visitors));
    /* Networks 1 and 2; the number of an address may be that of a network. */
    static const uint64_t address[] = {1, 1, 5, 2, 2, 2}, network[] = {1, 1, 1, 2, 2, 2};
    for (int i = 0; i < 5; i++)
        one[i] = visitors_enter(&visitors, address[i], network[i], 3, 4);
    assert_ptr_equal(one[0], one[1]);
    assert_int_equal(visitors_most(&visitors)->number, 1);
    assert_ptr_equal(visitors_most_in(visitors_most(&visitors)), one[0]);
    one[5] = visitors_enter(&visitors, 2, 2, 3, 4);
    assert_null(visitors_enter(&visitors, 2, 2, 3, 4)); /* the address has three */
    one[6] = visitors_enter(&visitors, 7, 2, 3, 4);
    assert_null(visitors_enter(&visitors, 8, 2, 3, 4)); /* the network has four */
    assert_null(visitors_find(&visitors, 8, false));
    assert_null(visitors_enter(&visitors, 9, 9, 0, 0));
    assert_null(visitors_find(&visitors, 9, true));
    assert_int_equal(visitors_most(&visitors)->number, 2);
    assert_int_equal(visitors_find(&visitors, 2, true)->connections, 4);
    assert_ptr_equal(visitors_most_in(visitors_most(&visitors)), one[3]);
    visitors_leave(&visitors, one[3]);
    visitors_leave(&visitors, one[3]);
    /* Of several with as many, the address that came first. */
    assert_ptr_equal(visitors_most_in(visitors_find(&visitors, 2, true)), one[3]);
    assert_int_equal(visitors_most(&visitors)->number, 1);
    visitors_leave(&visitors, one[6]);
    visitors_leave(&visitors, one[3]);
    assert_null(visitors_find(&visitors, 2, true));
    for (int i = 0; i < 3; i++)
        visitors_leave(&visitors, i == 1 ? one[2] : one[0]);
    assert_null(visitors_most(&visitors));
    assert_null(visitors_find(&visitors, 1, false));
}

/* Our time follows no jump of a clock that is taken back, and never goes back itself. */
static void test_clock(void **state)
{
    (void)state;
    const uint64_t day = 86400000, start = 1700000000000;
    struct clock clock;
    clock_start(&clock, 1000, start);
    assert_int_equal(clock_now(&clock, 2000, start + 1000), start + 1000);
    /* The machine sleeps: the boot clock counts that. */
    assert_int_equal(clock_now(&clock, 2000 + day, start + 1000 + day), start + 1000 + day);
    uint64_t boot = 2000 + day, now = start + 1000 + day;
    /* Two days ahead, and two days behind, for nine seconds. */
    for (int way = 0; way < 2; way++)
        for (int second = 0; second < 20; second++, boot += 1000, now += 1000) {
            uint64_t wrong = way ? 0 - 2 * day : 2 * day;
            uint64_t real = second < 9 ? now + wrong : now;
            assert_int_equal(clock_now(&clock, boot, real), now);
            assert_int_equal(clock_apart(&clock, boot), 0);
        }
    /* Small differences are nothing. */
    assert_int_equal(clock_now(&clock, boot, now + 1900), now);
    assert_int_equal(clock_now(&clock, boot, now - 1900), now);
    /* A clock that jumps again and again is not followed … */
    for (int second = 0; second < 200; second++, boot += 1000, now += 1000)
        assert_int_equal(clock_now(&clock, boot, now + (uint64_t)(1 + second / 50 % 2) * day), now);
    /* … but one that stays where it is, after a minute. */
    assert_int_equal(clock_now(&clock, boot, now + 5 * day), now);
    assert_int_equal(clock_now(&clock, boot + 59999, now + 59999 + 5 * day), now + 59999);
    assert_int_equal(clock_now(&clock, boot + 60000, now + 60000 + 5 * day), now + 60000 + 5 * day);
    boot += 60000;
    now += 60000 + 5 * day;
    assert_int_equal(clock_apart(&clock, boot), 0);
    /* It is not followed back. */
    assert_int_equal(clock_now(&clock, boot, now - 5 * day), now);
    assert_int_equal(clock_now(&clock, boot + 60000, now + 60000 - 5 * day), now + 60000);
    assert_int_equal(clock_apart(&clock, boot + 60000), -(int64_t)(5 * day));
    assert_int_equal(clock_now(&clock, boot + 61000, now + 61000), now + 61000);
    assert_int_equal(clock_apart(&clock, boot + 61000), 0);
}

/* A store in memory with a room whose list cannot be read. */
static struct store *store_with_unreadable(const char *room)
{
    struct store *store = store_memory();
    struct store_entry entry = {.kind = ENTRY_MADE, .decision = -1, .text = es_str("nonsense")};
    struct store_question question = {
        .kind = STORE_APPEND, .first = 1, .entry = &entry, .entries = 1};
    struct store_answer answer;
    strcpy(question.head.room, room);
    store_ask(store, &question, &answer);
    assert_int_equal(answer.outcome, STORE_STORED);
    free(answer.memory);
    return store;
}

static void *serve(void *server)
{
    server_run(server);
    return NULL;
}

/* The operator does not wait for ever if a room cannot be read, and can do other things then. */
static void test_operator_is_answered(void **state)
{
    (void)state;
    char fault[SERVER_FAULT_BYTES], *answer = NULL;
    struct service *service = service_open(&(struct service_options){.operate_ms = 2000});
    struct server *server =
        server_open(&(struct server_options){.events = &service_events, .context = service}, fault);
    pthread_t thread;
    assert_non_null(server);
    assert_true(service_start(service, server, store_with_unreadable("aaaaaaaaaaaaaaaa"), fault));
    assert_int_equal(pthread_create(&thread, NULL, serve, server), 0);
    const char *people = "{\"t\":\"people\",\"room\":\"aaaaaaaaaaaaaaaa\"}";
    for (int i = 0; i < 2; i++) {
        assert_int_equal(service_operate(service, people, &answer), 503);
        assert_string_equal(answer, "{\"code\":\"UNREADABLE\"}");
        free(answer);
    }
    const char *block = "{\"t\":\"block\",\"guest\":\"bbbbbbbbbbbbbbbb\"}";
    assert_int_equal(service_operate(service, block, &answer), 404);
    assert_string_equal(answer, "{\"code\":\"NO_GUEST\"}");
    free(answer);
    kill(getpid(), SIGTERM);
    assert_int_equal(pthread_join(thread, NULL), 0);
    service_stop(service);
    server_close(server);
    service_close(service);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepts),
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_cookies),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_request_lines),
        cmocka_unit_test(test_header_lines),
        cmocka_unit_test(test_qr_codes),
        cmocka_unit_test(test_api_addresses),
        cmocka_unit_test(test_api_refusals),
        cmocka_unit_test(test_api_costs),
        cmocka_unit_test(test_api_messages),
        cmocka_unit_test(test_api_tokens),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test_setup_teardown(test_folder, make_folder, remove_folder),
        cmocka_unit_test(test_signals_after_close),
        cmocka_unit_test(test_visitors),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_operator_is_answered),
        cmocka_unit_test(test_embedded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
