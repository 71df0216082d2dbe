/* Implementation of edit.h. libedit's own signal handling is not used: it sends signals on to the
 * whole process group, and reading keys here leaves no moment in which one is missed. */
#include "cli/edit.h"
#include <stddef.h>

#ifdef ES_EDIT
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum {
    KEPT = 100,       /* lines of history */
    REDISPLAY = 0x1d, /* the key that shows prompt and line again: Ctrl-] */
};

static EditLine *editor;
static History *history_of_lines;
static const char *prompt_shown;
static int (*next_byte)(void);

bool edit_is_there(void)
{
    return true;
}

static char *prompt_of(EditLine *unused)
{
    (void)unused;
    return (char *)prompt_shown;
}

/* Gets a character for libedit: 1, or -1 at the end. */
static int next_character(EditLine *el, wchar_t *character)
{
    mbstate_t state = {0};
    for (;;) {
        int byte = next_byte();
        if (byte == EDIT_ENDED)
            return -1;
        if (byte == EDIT_RESIZED) {
            el_resize(el);
            continue;
        }
        if (byte == EDIT_STOPPED) { /* with the terminal as it was, and back again */
            el_set(el, EL_PREP_TERM, 0);
            raise(SIGSTOP);
            el_set(el, EL_PREP_TERM, 1);
            *character = REDISPLAY;
            return 1;
        }
        size_t used = mbrtowc(character, &(char){(char)byte}, 1, &state);
        if (used == (size_t)-1)
            *character = L'?';
        if (used != (size_t)-2)
            return 1;
    }
}

/* Makes the editor; false if there is no memory, or the terminal is not known. */
static bool open_editor(void)
{
    HistEvent event;
    if (editor)
        return true;
    if (!setlocale(LC_CTYPE, ""))
        setlocale(LC_CTYPE, "C.UTF-8");
    history_of_lines = history_init();
    editor = el_init("endstation", stdin, stdout, stderr);
    if (!editor || !history_of_lines) {
        edit_forget();
        return false;
    }
    history(history_of_lines, &event, H_SETSIZE, KEPT);
    history(history_of_lines, &event, H_SETUNIQUE, 1);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_BIND, "^]", "ed-redisplay", NULL);
    el_set(editor, EL_SIGNAL, 0);
    el_set(editor, EL_PROMPT, prompt_of);
    el_set(editor, EL_HIST, history, history_of_lines);
    el_set(editor, EL_GETCFN, next_character);
    return true;
}

const char *edit_ask(const char *prompt, int (*next_key)(void))
{
    static char line[4096];
    HistEvent event;
    int size = 0;
    next_byte = next_key;
    prompt_shown = prompt;
    if (!open_editor())
        return NULL;
    el_set(editor, EL_PREP_TERM, 1); /* or keys typed right after the prompt are not edited */
    const char *typed = el_gets(editor, &size);
    if (!typed || size <= 0)
        return NULL;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(typed, "\r\n"), typed);
    if (line[0])
        history(history_of_lines, &event, H_ENTER, line);
    return line;
}

void edit_forget(void)
{
    if (editor)
        el_end(editor);
    if (history_of_lines)
        history_end(history_of_lines);
    editor = NULL;
    history_of_lines = NULL;
}

#else

bool edit_is_there(void)
{
    return false;
}

const char *edit_ask(const char *prompt, int (*next_key)(void))
{
    (void)prompt, (void)next_key;
    return NULL;
}

void edit_forget(void)
{
}
#endif
