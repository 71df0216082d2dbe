/* Implementation of dialogue.h. */
#include "cli/dialogue.h"
#include <stdarg.h>
#include <string.h>

void dialogue_sent(FILE *log, const char *text, size_t size)
{
    while (log && size > 0) {
        const char *newline = memchr(text, '\n', size);
        size_t line = newline ? (size_t)(newline - text) + 1 : size;
        fputs("> ", log);
        fwrite(text, 1, line, log);
        text += line;
        size -= line;
    }
    if (log)
        fflush(log);
}

void dialogue_received(FILE *log, struct es_str line)
{
    struct es_lines lines;
    struct es_fault fault;
    if (!log)
        return;
    bool is_text = es_lines_open(&lines, line, &fault) == ES_OK;
    fputs("< ", log);
    for (size_t i = 0; i < line.size; i++) {
        unsigned char byte = (unsigned char)line.at[i];
        if (is_text || (byte >= ' ' && byte < 127))
            fputc(byte, log);
        else
            fprintf(log, "\\x%02x", byte);
    }
    fputc('\n', log);
    fflush(log);
}

void dialogue_remark(FILE *log, const char *format, ...)
{
    va_list values;
    if (!log)
        return;
    fputs("# ", log);
    va_start(values, format);
    vfprintf(log, format, values);
    va_end(values);
    fputc('\n', log);
    fflush(log);
}
