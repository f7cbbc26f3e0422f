/* tasks.c - a queue of tasks, and threads that wait for it. */
#define _POSIX_C_SOURCE 200809L
#include "tasks.h"
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { FOR_ONE = 11, MOST_THREADS = 8 * FOR_ONE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static pthread_cond_t started = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static task *oldest, *newest; /* of those with parts that nobody has taken */
static bool ending;
static pthread_t threads[MOST_THREADS];
static int thread_count, most_threads = FOR_ONE;
static long cores; /* 0: nobody has asked yet */

/* Performs some parts of the oldest task. The lock is held, but meanwhile. */
static bool perform_lot(void) {
    task *t = oldest;
    if (!t)
        return false;
    const size_t first = t->taken, left = t->count - first, count = t->lot < left ? t->lot : left;
    t->taken += count;
    if (t->taken == t->count)
        oldest = t->next;
    if (oldest)
        pthread_cond_signal(&started); /* each thread wakes the next one */
    pthread_mutex_unlock(&lock);
    t->perform(t->argument, first, count);
    pthread_mutex_lock(&lock);
    t->done += count;
    if (t->done == t->count)
        pthread_cond_broadcast(&done);
    return true;
}

static void *perform_tasks(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!ending)
        if (!perform_lot())
            pthread_cond_wait(&started, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

void start_task(task *t) {
    pthread_mutex_lock(&lock);
    if (!cores)
        cores = sysconf(_SC_NPROCESSORS_ONLN);
    while (thread_count < most_threads && thread_count + 1 < cores &&
           pthread_create(&threads[thread_count], NULL, perform_tasks, NULL) == 0)
        thread_count++;
    t->taken = t->done = 0;
    t->next = NULL;
    if (oldest)
        newest->next = t;
    else
        oldest = t;
    newest = t;
    if (t->lot < t->count) /* a small one is done before a thread wakes */
        pthread_cond_signal(&started);
    pthread_mutex_unlock(&lock);
}

void expect_task_users(int count) {
    pthread_mutex_lock(&lock);
    most_threads = count * FOR_ONE < MOST_THREADS ? count * FOR_ONE : MOST_THREADS;
    pthread_mutex_unlock(&lock);
}

void wait_for_task(task *t) {
    pthread_mutex_lock(&lock);
    while (t->done < t->count)
        if (!perform_lot())
            pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
}

void end_tasks(void) {
    pthread_mutex_lock(&lock);
    ending = true;
    pthread_cond_broadcast(&started);
    pthread_mutex_unlock(&lock);
    while (thread_count > 0)
        pthread_join(threads[--thread_count], NULL);
    oldest = NULL;
    ending = false;
}
