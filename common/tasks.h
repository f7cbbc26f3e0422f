/* tasks.h - work for the other cores: threads of the host that perform tasks while the program goes
 * on. */
#ifndef TASKS_H
#define TASKS_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct task {
    void (*perform)(void *argument, size_t first, size_t count); /* parts first to first + count */
    void *argument;
    size_t count, lot;  /* parts, at least 1; so many a thread takes at a time */
    size_t taken, done; /* of the parts; tasks.c sets them */
    struct task *next;
} task;

/* Lets threads perform the task, after those that were started before. There is one thread for
 * each further core, made by the first task and kept. A task without a thread is performed by
 * wait_for_task. A task is started and waited for in one thread. */
void start_task(task *t);

/* So many threads will start tasks, at first one: with more of them, there are more threads that
 * perform. */
void expect_task_users(int count);

/* Returns when the task is done; until then it performs parts of the oldest tasks itself. A task
 * that was never started is done. */
void wait_for_task(task *t);

/* Ends the threads; tasks that are not done stay so. Another task may be started. */
void end_tasks(void);

#ifdef __cplusplus
}
#endif
#endif
