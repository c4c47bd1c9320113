/* disk_test.c - the cache on a disk that does not answer: lstat() stands for it, the first thing that a read asks of it.
 */
#include "disk.h"

#include "budget.h"
#include "clock.h"
#include "reads.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t answers = PTHREAD_MUTEX_INITIALIZER;
static atomic_int asked;

int lstat(const char *path, struct stat *st) {
    atomic_fetch_add(&asked, 1);
    pthread_mutex_lock(&answers);
    int status = fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
    pthread_mutex_unlock(&answers);
    return status;
}

static char folder[] = "/tmp/smd-disk-XXXXXX";
static struct settings settings;
static struct metrics metrics;
static struct budget *budget;
static struct disk *disk;

static void start(void) {
    struct error err;
    cr_assert(mkdtemp(folder));
    char *argv[] = {"smd", "--cache-dir", folder, NULL};
    enum settings_action action;
    cr_assert_eq(settings_read(&settings, 3, argv, &action, &err), SM_OK);
    budget = budget_new(&settings, &metrics);
    disk = disk_start(&settings, &metrics, budget, NULL, &err);
    cr_assert_not_null(disk);
}

static void remove_folder(void) {
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(disk, .init = start, .fini = remove_folder, .timeout = 600);

/* A read whose end is awaited. */
struct waiting {
    struct disk_read read;
    atomic_int ends;
};

static void on_done(struct disk_read *read, struct result *result) {
    cr_assert_null(result);
    atomic_fetch_add(&((struct waiting *)read)->ends, 1);
}

static struct waiting *begin_read(void) {
    struct waiting *w = calloc(1, sizeof *w);
    w->read.done = on_done;
    disk_begin_read(disk, &w->read);
    return w;
}

static void await(atomic_int *n, int value) {
    while (atomic_load(n) < value)
        usleep(1000);
}

/* Begins a read, and lets the disk's thread stand in it. */
static struct waiting *hang(void) {
    pthread_mutex_lock(&answers);
    struct waiting *w = begin_read();
    await(&asked, 1);
    return w;
}

Test(disk, a_read_has_a_deadline) {
    struct waiting *first = hang(), *second = begin_read();
    await(&first->ends, 1);
    await(&second->ends, 1);
    free(first);
    free(second); /* the disk's thread, which still is at the first, does not touch it */
    struct waiting *late = begin_read();
    cr_assert_eq(atomic_load(&late->ends), 1, "while the disk does not answer nobody waits for it");
    pthread_mutex_unlock(&answers);
    struct waiting *now;
    for (int before = atomic_load(&asked); atomic_load(&asked) == before; free(now)) { /* until it is asked again */
        now = begin_read();
        await(&now->ends, 1);
    }
    cr_assert_eq(atomic_load(&late->ends), 1);
    free(late);
    cr_assert_eq(disk_stop(disk, 600), 1);
    disk_free(disk);
}

Test(disk, a_disk_that_does_not_answer_does_not_keep_the_daemon) {
    struct waiting *first = hang(), *second = begin_read();
    cr_assert_eq(disk_stop(disk, 1), 0);
    cr_assert_eq(atomic_load(&first->ends), 1);
    cr_assert_eq(atomic_load(&second->ends), 1);
}

static void on_given_up(struct disk_read *read, struct result *result) {
    (void)read;
    (void)result;
}

/* Who has had much read waits for who has not, even if he asked first. */
Test(reads, clients_have_fair_shares) {
    enum { MANY = 4 };
    static struct disk_read read[MANY + 1];
    struct reads q;
    struct disk_read copy;
    cr_assert(reads_start(&q, &metrics));
    for (int i = 0; i <= MANY; i++) {
        read[i] = (struct disk_read){.done = on_given_up, .client = i < MANY ? 1 : 2};
        cr_assert(reads_add(&q, &read[i]));
    }
    struct disk_read *first = reads_take(&q, &copy);
    cr_assert_eq(first, &read[0]);
    uint64_t taken_ns = sm_clock_ns();
    while (sm_clock_ns() - taken_ns <= read[MANY].since_ns - read[0].since_ns) /* uses up what it came earlier by */
        usleep(1000);
    reads_finish(&q, first, &copy, NULL);
    cr_assert_eq(reads_take(&q, &copy), &read[MANY]);
    reads_finish(&q, &read[MANY], &copy, NULL);
    reads_stop(&q);
    reads_free(&q);
}
