/* Declarations shared by the files of the program `problems`. */
#ifndef ENDSTATION_PROBLEMS_H
#define ENDSTATION_PROBLEMS_H

#include <stddef.h>

/* Problems in a file are separated by this line. In a file of candidates each has a line more in
 * front, which the selection reads and drops. */
#define PROBLEM_END "---\n"
#define PROBLEM_ABOUT "# game %u set %u kind %u stage %u trivial %u difficulty %u\n"

/* Begins the line that names a problem, by its game and event. */
#define PROBLEM_FROM "note problem from "

/* Reads a whole file, with a zero after it; NULL if that fails. To be freed. */
char *problems_read(const char *path);

/* Prints the best selection of a file of candidates; returns the exit status. Problems of the file
 * `kept` (NULL: none) that are candidates still are chosen first. `sets`: how many sets the games
 * are distributed over. */
int problems_select(const char *path, const char *kept, unsigned wanted, unsigned sets);

#endif
