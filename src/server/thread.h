/* Starts threads that take no signals. */
#ifndef ENDSTATION_THREAD_H
#define ENDSTATION_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Returns false if the system has no more threads. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
