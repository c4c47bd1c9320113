/* What is kept of crashes, on a disk that does not answer: unlink() stands for it, the first thing that is asked of
 * it. */
#include "crashes.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;

int unlink(const char *path) {
    pthread_mutex_lock(&disk);
    int status = unlinkat(AT_FDCWD, path, 0);
    pthread_mutex_unlock(&disk);
    return status;
}

static char folder[] = "/tmp/smd-crashes-XXXXXX";

static void make_folder(void) {
    cr_assert(mkdtemp(folder));
}

static void remove_folder(void) {
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(crashes, .init = make_folder, .fini = remove_folder, .timeout = 600);

/* A crash of this number and size; 1 if its input is shared, so that it waits. The disk has to be held for that. */
static int keep(struct crashes *c, int number, size_t size, int max) {
    struct job *job = job_new(SM_JOB_COMPILE);
    memset(job->key.byte, 0xaa, sizeof job->key.byte);
    job->key.byte[0] = (unsigned char)((0xa + number) << 4 | 0xa); /* the text's first digit */
    struct source *input = source_new(calloc(1, size), size, NULL);
    cr_assert(job_set_input(job, source_ref(input)));
    crashes_keep(c, job, "LLVM ERROR: it is a test", max);
    job_free(job);
    int waits = atomic_load(&input->refs) > 1;
    source_unref(input);
    return waits;
}

/* Waits until all is written, however slow the disk is. */
static void stop(struct crashes *c) {
    enum { MOST_S = 600 };
    cr_assert(crashes_stop(c, MOST_S));
}

static int files(void) {
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

Test(crashes, nobody_waits_for_the_disk) {
    struct crashes *c = crashes_start(folder);
    pthread_mutex_lock(&disk);
    for (int i = 0; i < 3; i++)
        cr_assert(keep(c, i, 1000, 10));
    cr_assert_eq(files(), 0);
    pthread_mutex_unlock(&disk);
    stop(c);
    cr_assert_eq(files(), 9, "three files of each");
}

Test(crashes, what_waits_is_bounded) {
    struct crashes *c = crashes_start(folder);
    pthread_mutex_lock(&disk);
    cr_assert(keep(c, 0, CRASHES_BYTES_MAX - 10, 10));
    cr_assert_not(keep(c, 1, 11, 10));
    cr_assert(keep(c, 2, 10, 10));
    cr_assert_not(keep(c, 3, 1, 10));
    pthread_mutex_unlock(&disk);
    stop(c);
    cr_assert_eq(files(), 6);
}

Test(crashes, the_oldest_go_first) {
    for (int i = 0; i < 4; i++) {
        struct crashes *c = crashes_start(folder);
        keep(c, i, 10, 2);
        stop(c);
    }
    cr_assert_eq(files(), 6);
}

/* Somebody has put something else where a file belongs. */
Test(crashes, a_pipe_or_a_link_in_the_way_is_replaced) {
    char path[200], key[SM_KEY_TEXT];
    struct stat st;
    memset(key, 'a', sizeof key - 1);
    key[sizeof key - 1] = 0;
    snprintf(path, sizeof path, "%s/%s.log", folder, key);
    cr_assert_eq(symlink("/dev/full", path), 0);
    snprintf(path, sizeof path, "%s/%s.input", folder, key);
    cr_assert_eq(mkfifo(path, 0600), 0);
    struct crashes *c = crashes_start(folder);
    keep(c, 0, 10, 2);
    stop(c);
    cr_assert_eq(files(), 3);
    cr_assert_eq(lstat(path, &st), 0);
    cr_assert(S_ISREG(st.st_mode) && st.st_size == 10);
}

/* It is made, for nobody else; where that is not possible smd goes on without. */
Test(crashes, the_folder_is_made) {
    char path[200];
    struct stat st;
    snprintf(path, sizeof path, "%s/a/b", folder);
    struct crashes *c = crashes_start(path);
    cr_assert_eq(stat(path, &st), 0);
    cr_assert(S_ISDIR(st.st_mode) && (st.st_mode & 0777) == 0700);
    stop(c);
    c = crashes_start("/dev/null/crashes");
    cr_assert_not_null(c);
    keep(c, 0, 10, 2);
    stop(c);
}

Test(crashes, a_disk_that_does_not_answer_does_not_keep_the_daemon) {
    struct crashes *c = crashes_start(folder);
    pthread_mutex_lock(&disk);
    cr_assert(keep(c, 0, 10, 10));
    cr_assert_eq(crashes_stop(c, 1), 0);
}
