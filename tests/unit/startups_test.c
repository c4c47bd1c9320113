/* What is recorded under names, with a folder that is slow to read (opendir() stands for it) and one in which nothing can be
 * written (rename() does). */
#include "startups.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t opens = PTHREAD_MUTEX_INITIALIZER;
static atomic_int renamed, left_to_refuse;

DIR *opendir(const char *path) {
    pthread_mutex_lock(&opens);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pthread_mutex_unlock(&opens);
    return fd >= 0 ? fdopendir(fd) : NULL;
}

int rename(const char *from, const char *to) {
    if (atomic_load(&left_to_refuse) > 0) {
        atomic_fetch_sub(&left_to_refuse, 1);
        errno = ENOSPC;
        return -1;
    }
    int result = renameat(AT_FDCWD, from, AT_FDCWD, to);
    atomic_fetch_add(&renamed, 1);
    return result;
}

static char folder[] = "/tmp/smd-startups-XXXXXX";
static struct settings settings;
static struct startups *all;

static void begin(void) {
    cr_assert(all = startups_new(&settings));
}

static void end(void) {
    cr_assert_eq(startups_stop(all), 1);
    startups_free(all);
}

static void start(void) {
    struct error err;
    cr_assert(mkdtemp(folder));
    char *argv[] = {"smd", "--cache-dir", folder, NULL};
    enum settings_action action;
    cr_assert_eq(settings_read(&settings, 3, argv, &action, &err), SM_OK);
    begin();
}

static void remove_folder(void) {
    char command[80];
    end();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(startups, .init = start, .fini = remove_folder, .timeout = 600);

static struct sm_key tenant(int n) {
    return (struct sm_key){.byte = {(unsigned char)(n + 1)}};
}

static void note(int of, const char *name, int key) {
    struct sm_key space = tenant(of), k = {.byte = {[0] = 1, [9] = (unsigned char)key}};
    char text[SM_KEY_TEXT];
    sm_key_text(&k, text);
    startups_note(all, &space, name, text);
}

static int forget(int of, const char *name) {
    struct sm_key space = tenant(of);
    return startups_forget(all, &space, name);
}

/* How many keys there are. */
static size_t has(int of, const char *name) {
    struct sm_key space = tenant(of);
    size_t count;
    free(startups_list(all, &space, name, &count));
    return count;
}

/* Starts it again; it has read what there is. */
static void restart(void) {
    end();
    begin();
    cr_assert_eq(startups_stop(all), 1); /* what it has read is still there */
}

/* The same, and it goes on. */
static void go_on(void) {
    startups_free(all);
    begin();
}

/* Whoever forgets a name while the folder is still read does not find it again, whether it was asked for meanwhile or not. */
Test(startups, forgotten_while_they_are_read) {
    note(0, "a", 1);
    note(0, "b", 1);
    note(0, "c", 1);
    end();
    pthread_mutex_lock(&opens);
    begin();
    note(0, "a", 2);
    cr_expect_eq(forget(0, "a"), 1);
    cr_expect_eq(forget(0, "b"), 1);
    note(0, "b", 3);
    note(0, "c", 2);
    pthread_mutex_unlock(&opens);
    restart();
    cr_expect_eq(has(0, "a"), 0);
    cr_expect_eq(has(0, "b"), 1);
    cr_expect_eq(has(0, "c"), 2);
    go_on();
    cr_expect_eq(forget(0, "c") + forget(0, "b"), 2);
    restart();
    cr_expect_eq(has(0, "b") + has(0, "c"), 0);
    cr_expect_eq(forget(0, "b"), 0);
    go_on();
}

/* What could not be written is written later, and does not hold up the others. */
Test(startups, writes_that_fail) {
    atomic_store(&left_to_refuse, 2);
    note(0, "a", 1);
    note(0, "b", 1);
    while (atomic_load(&renamed) < 2)
        startups_tick(all);
    restart();
    cr_expect_eq(has(0, "a"), 1);
    cr_expect_eq(has(0, "b"), 1);
    go_on();
}

static size_t names(int of) {
    size_t n = 0;
    char name[16];
    for (int i = 0; i < STARTUPS_OF_TENANT; i++) {
        snprintf(name, sizeof name, "n%d", i);
        n += has(of, name) != 0;
    }
    return n;
}

/* Where all tenants have no more room, those that have most give way, not those that came first. */
Test(startups, tenants_have_fair_shares) {
    char name[16];
    note(9, "n0", 1); /* used least lately of all */
    for (int of = 0; of < 5; of++)
        for (int i = 0; i < STARTUPS_OF_TENANT; i++) {
            snprintf(name, sizeof name, "n%d", i);
            note(of, name, 1);
        }
    cr_expect_eq(names(9), 1);
    for (int of = 0; of < 5; of++)
        cr_expect(names(of) >= 12 && names(of) <= 13, "%d has %zu", of, names(of));
    note(4, "more", 1);
    cr_expect_eq(names(9), 1);
    for (int of = 10; of < 80; of++) /* each has as many as the others: the one that was used least lately goes */
        note(of, "n0", 1);
    cr_expect_eq(names(79), 1);
    cr_expect_eq(names(10), 0);
}
