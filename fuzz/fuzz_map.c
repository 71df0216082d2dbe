/* Any bytes as a map: refused with a line and a reason, or read; then written and read again, the
 * same map comes out. */
#include <assert.h>
#include <endstation/map.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct es_map map, again;
    static char text[ES_MAP_TEXT_BYTES];
    struct es_fault fault = {ES_OK, -1, ""};
    if (es_map_read(&map, (struct es_str){(const char *)data, size}, &fault)) {
        assert(fault.line >= 0 && fault.status != ES_OK && strlen(fault.reason) > 0);
        return 0;
    }
    struct es_out out = {text, sizeof text, 0};
    es_map_write(&map, &out);
    assert(es_out_ok(&out));
    assert(es_map_read(&again, (struct es_str){text, out.used}, &fault) == ES_OK);
    assert(memcmp(&map, &again, sizeof map) == 0);
    return 0;
}
