/* What the server's loop is to its threads, for tests of them: they call on_ready() when they have
 * something, and the test waits for that. For inclusion by one file only. */
#ifndef ENDSTATION_TEST_LOOP_H
#define ENDSTATION_TEST_LOOP_H

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static unsigned posts; /* calls that nobody has waited for; under `mutex` */

static void on_ready(void *context)
{
    (void)context;
    pthread_mutex_lock(&mutex);
    posts++;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&mutex);
}

static void wait_for_post(void)
{
    pthread_mutex_lock(&mutex);
    while (posts == 0)
        pthread_cond_wait(&change, &mutex);
    posts = 0;
    pthread_mutex_unlock(&mutex);
}

#endif
