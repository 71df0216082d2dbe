/* Starts threads that take no signals, so that these reach the thread of the event loop. */
#include "server/thread.h"
#include <signal.h>

/* For the libraries of databases too; some systems give only 128 KiB. */
enum { STACK_BYTES = 1 << 20 };

bool thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    sigset_t all, old;
    pthread_attr_t how;
    sigfillset(&all);
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool is_started = pthread_create(thread, &how, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&how);
    return is_started;
}
