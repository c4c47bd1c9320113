/* helpers.c - the threads of a worker's process beside its own. They are created before the sandbox closes, in which
 * no thread can be created, and wait. All of them are in the process's limits, and a fault of one ends it. */
#include "helpers.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { YIELDING = 5 }; /* nice(2): what other workers do comes first */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    int created, running, needed, busy;
    int allowed; /* by the job at hand, with the process's own thread */
    void (*work)(void *);
    void *arg;
} h = {.lock = PTHREAD_MUTEX_INITIALIZER,
       .wake = PTHREAD_COND_INITIALIZER,
       .done = PTHREAD_COND_INITIALIZER,
       .allowed = 1};

/* Gives the thread a stack for its signals, for the one at the end of its own stack. It is never freed. The thread
 * allocates nothing: the C library would give it a heap of 64 MiB of the address space that its jobs may use. */
static void stack_for_signals(void) {
    stack_t stack = {.ss_size = HELPER_SIGNALS};
    stack.ss_sp = mmap(NULL, HELPER_SIGNALS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        sigaltstack(&stack, NULL);
}

/* The body of a helper thread: waits for work, and does it, for ever. */
static void *help(void *arg) {
    stack_for_signals();
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), YIELDING);
    pthread_mutex_lock(&h.lock);
    h.running++;
    pthread_cond_signal(&h.done);
    for (;;) {
        while (!h.needed)
            pthread_cond_wait(&h.wake, &h.lock);
        h.needed--;
        pthread_mutex_unlock(&h.lock);
        h.work(h.arg);
        pthread_mutex_lock(&h.lock);
        if (--h.busy == 0)
            pthread_cond_signal(&h.done);
    }
    return arg;
}

/* Makes helper threads, so that THREADS may work with the process's own; returns when they all wait. Before the
 * sandbox closes. */
void helpers_start(int threads) {
    pthread_attr_t how;
    pthread_t thread;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, HELPER_STACK);
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    pthread_mutex_lock(&h.lock);
    while (h.created + 1 < threads && h.created + 1 < HELPERS_MAX && pthread_create(&thread, &how, help, NULL) == 0)
        h.created++;
    while (h.running < h.created) /* what a thread asks the system for when it begins is after it */
        pthread_cond_wait(&h.done, &h.lock);
    pthread_mutex_unlock(&h.lock);
    pthread_attr_destroy(&how);
}

/* Sets how many threads the job may use, with the process's own: at least 1, at most all. */
void helpers_allow(int threads) {
    h.allowed = threads > h.created + 1 ? h.created + 1 : threads < 1 ? 1 : threads;
}

/* Calls WORK(ARG) in as many threads as are allowed, this one included; returns when all are done. */
void helpers_run(void (*work)(void *), void *arg) {
    pthread_mutex_lock(&h.lock);
    h.work = work;
    h.arg = arg;
    h.needed = h.busy = h.allowed - 1;
    pthread_cond_broadcast(&h.wake);
    pthread_mutex_unlock(&h.lock);
    work(arg);
    pthread_mutex_lock(&h.lock);
    while (h.busy)
        pthread_cond_wait(&h.done, &h.lock);
    pthread_mutex_unlock(&h.lock);
}
