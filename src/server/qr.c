/* Implementation of qr.h, by libqrencode. */
#include "server/qr.h"
#include <qrencode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 4, HEAD_BYTES = 256, RUN_BYTES = 32 };

/* Returns the number of dark modules in a row from `x` on. */
static int run_length(const QRcode *code, int y, int x)
{
    int end = x;
    while (end < code->width && (code->data[y * code->width + end] & 1))
        end++;
    return end - x;
}

static char *draw(const QRcode *code)
{
    size_t runs = (size_t)code->width * (size_t)(code->width / 2 + 1);
    size_t size = HEAD_BYTES + runs * RUN_BYTES, used;
    char *text = malloc(size);
    int whole = code->width + 2 * MARGIN;
    if (!text)
        return NULL;
    used = (size_t)snprintf(text, size,
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                            "shape-rendering=\"crispEdges\"><path fill=\"#fff\" "
                            "d=\"M0 0h%dv%dH0z\"/><path d=\"",
                            whole, whole, whole, whole);
    for (int y = 0; y < code->width; y++)
        for (int x = 0; x < code->width; x++) {
            int dark = run_length(code, y, x);
            if (dark == 0)
                continue;
            used += (size_t)snprintf(text + used, size - used, "M%d %dh%dv1h-%dz", x + MARGIN,
                                     y + MARGIN, dark, dark);
            x += dark;
        }
    snprintf(text + used, size - used, "\"/></svg>");
    return text;
}

char *qr_svg(const char *text)
{
    if (text[0] == '\0' || strlen(text) > QR_TEXT_MAX)
        return NULL;
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
    char *svg = code ? draw(code) : NULL;
    QRcode_free(code);
    return svg;
}
