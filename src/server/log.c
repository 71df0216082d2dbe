/* Implementation of log.h. */
#include "server/log.h"
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void log_line(const char *format, ...)
{
    char text[1000], when[40];
    struct timespec now;
    struct tm parts;
    va_list values;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
    fprintf(stderr, "time=%s.%03ldZ %s\n", when, now.tv_nsec / 1000000, text);
}

void log_fault(const char *what, const char *reason)
{
    char text[400];
    snprintf(text, sizeof text, "%s", reason);
    for (char *at = text; *at; at++)
        if (*at == '"')
            *at = '\'';
    log_line("%s reason=\"%s\"", what, text);
}
