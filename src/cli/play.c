#include "cli.h"
static int run(int argc, char **argv){(void)argc;(void)argv;return 0;}
const struct cli_command cli_play = {.name="play",.summary="play in the terminal",.help="play\n",.run=run};
