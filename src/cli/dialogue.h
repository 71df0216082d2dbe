/* The dialogue with a program, kept in a text file: `endstation arena --log`. Every line is marked
 * by its first two characters:
 *
 *     > sent to the program
 *     < received from it
 *     # a remark: started, a new game, why it failed
 *
 * Each call writes to the file at once, so that nothing is missing after a crash. `log` may be
 * NULL: then nothing is written. Failures are found by ferror(). */
#ifndef ENDSTATION_CLI_DIALOGUE_H
#define ENDSTATION_CLI_DIALOGUE_H

#include <endstation/text.h>
#include <stdio.h>

/* Writes the lines of a text, all of which end with a newline. */
void dialogue_sent(FILE *log, const char *text, size_t size);
/* Writes a line. If it is not UTF-8 or has control characters, every byte but printable ASCII
 * becomes `\xNN`. */
void dialogue_received(FILE *log, struct es_str line);
/* Writes a remark of one line. */
__attribute__((format(printf, 2, 3))) void dialogue_remark(FILE *log, const char *format, ...);

#endif
