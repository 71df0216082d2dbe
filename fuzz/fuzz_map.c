/* Fuzz target: any bytes as a map. It is refused with a line and a reason, or read; then writing
 * and reading it gives the same map, and drawing it a complete picture without foreign markup. */
#include <assert.h>
#include <endstation/verplant.h>
#include <endstation/verplant/layout.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw(const struct es_map *map)
{
    static struct es_layout layout;
    static char text[4 << 20]; /* a map with as many bends as possible needs this much */
    static struct es_clash clash[100];
    struct es_setup setup = {.game = &es_verplant, .players = 2, .map = map};
    struct es_state state;
    struct es_svg svg;
    assert(es_setup_prepare(&setup) == ES_OK);
    setup.game->start(&setup, &state);
    es_layout(map, false, &layout);
    es_layout_clashes(map, &layout, clash, 100);
    es_svg_open(&svg, text, sizeof text - 1);
    es_draw(&setup, &state, &(struct es_draw){.prepared = &layout}, &svg.painter);
    assert(es_out_ok(&svg.out));
    text[svg.out.used] = '\0';
    assert(strncmp(text, "<svg ", 5) == 0 && strcmp(text + svg.out.used - 7, "</svg>\n") == 0);
    assert(!strstr(text, "<script") && !strstr(text, "<!") && !strstr(text, "<?"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct es_map map, again;
    static char text[ES_MAP_TEXT_BYTES];
    struct es_fault fault = {ES_OK, -1, "", ""};
    if (es_map_read(&map, (struct es_str){(const char *)data, size}, &fault)) {
        assert(fault.line >= 0 && fault.status != ES_OK && strlen(fault.reason) > 0);
        return 0;
    }
    struct es_out out = {text, sizeof text, 0};
    es_map_write(&map, &out);
    assert(es_out_ok(&out));
    assert(es_map_read(&again, (struct es_str){text, out.used}, &fault) == ES_OK);
    assert(memcmp(&map, &again, sizeof map) == 0);
    draw(&map);
    return 0;
}
