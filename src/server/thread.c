/* Starts threads that take no signals, so that these reach the thread of the event loop. */
#include "server/thread.h"
#include <signal.h>

bool thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool is_started = pthread_create(thread, NULL, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return is_started;
}
