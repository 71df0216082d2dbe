/* Lines for the operator on standard error: `time=… event=… key=value …`. Never tokens, codes,
 * names, chat or addresses. docs/operating.md lists all events, which a test compares. */
#ifndef ENDSTATION_LOG_H
#define ENDSTATION_LOG_H

/* Prints one line; `format` gives what follows the time. */
__attribute__((format(printf, 1, 2))) void log_line(const char *format, ...);
/* Prints one line that ends with ` reason="…"`. */
void log_fault(const char *what, const char *reason);

#endif
