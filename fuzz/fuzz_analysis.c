/* Fuzz target: any bytes as the results of a game's nodes (src/page/analysis.h). The first byte
 * chooses the game; the rest are the lines. Whatever they are, the answer is a status, or JSON and
 * a chart that stay in their buffers; a line that can be read is written again as it was. */
#include "page/analysis.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct es_page page;
static char answer[2][1 << 20];
static _Alignas(16) char memory[1 << 19];

static void open_game(int kind)
{
    static const char *const games[] = {
        "endstation-record 1\ngame verplant\nmap practice\nplayers 1\n\ncard x3\n1 C<3\ncard 5\n"
        "1 E5\ncard 6\n1 C<3\ncard 4\n1 A2\n",
        "endstation-record 1\ngame verplant\nmap practice\nplayers 2\nrules special\n\ncard x3\n"
        "1 C<3\n2 E3\ncard 5\n1 C>5\n2 B5\n",
        "endstation-record 1\ngame metro\nplayers 2\nrules hand2\n\ndeal 1 cbcb\ndeal 2 bcbc\n"
        "deal 1 adbb\ndeal 2 bbad\n1 cbcb a3\ndeal 1 badb\n2 bbad d8\ndeal 2 aacb\n1 adbb g8\n",
    };
    const int count = sizeof games / sizeof *games;
    struct es_fault fault;
    assert(es_page_open(&page, es_str(games[kind % count]), &fault) == ES_OK);
    assert(es_page_analysis_bytes(&page) <= sizeof memory);
}

/* What is read from a line gives, written and read again, the same. */
static void read_line(struct es_str line)
{
    struct es_node_result result, again;
    char text[2][ES_NODE_BYTES];
    if (!es_node_read(line, &result))
        return;
    struct es_out out = {text[0], sizeof text[0], 0}, other = {text[1], sizeof text[1], 0};
    es_node_write(&result, &out);
    assert(es_out_ok(&out));
    assert(es_node_read((struct es_str){text[0], out.used}, &again));
    es_node_write(&again, &other);
    assert(out.used == other.used && memcmp(text[0], text[1], out.used) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct es_fault fault;
    if (size == 0)
        return 0;
    open_game(data[0] - '0' < 0 ? 0 : data[0] - '0');
    struct es_str lines = {(const char *)data + 1, size - 1};
    struct es_out out = {answer[0], sizeof answer[0], 0};
    struct es_svg svg;
    const struct es_page_chart_look look = {
        .dark = size & 1, .print = size & 2, .narrow = size & 4, .selected = (long)(size % 9) - 1};
    es_status status = es_page_analysis(&page, 1, lines, memory, &out, &fault);
    assert(status == ES_OK || (out.used == 0 && fault.status == status));
    es_svg_open(&svg, answer[1], sizeof answer[1]);
    es_status drawn = es_page_chart(&page, 1, lines, &look, memory, &svg, &fault);
    assert(drawn == status && es_out_ok(&out) && es_out_ok(&svg.out));
    while (lines.size > 0) {
        const char *end = memchr(lines.at, '\n', lines.size);
        size_t length = end ? (size_t)(end - lines.at) : lines.size;
        read_line((struct es_str){lines.at, length});
        length += end != NULL;
        lines = (struct es_str){lines.at + length, lines.size - length};
    }
    return 0;
}
