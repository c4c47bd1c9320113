/* What may lie where a file of the cache should. */
#include "folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody writes to the FIFO: who waits for its other end waits for good. */
Test(folder, a_fifo_is_not_waited_for, .timeout = 60) {
    char dir[] = "/tmp/smd-folder-XXXXXX", path[200], text[SM_KEY_TEXT];
    struct folder f;
    struct error err;
    size_t len;
    const sm_slice piece[FOLDER_PIECES] = {{(const unsigned char *)"a", 1}, {NULL, 0}, {NULL, 0}};
    const struct sm_key key = {0};
    cr_assert_not_null(mkdtemp(dir));
    cr_assert_eq(folder_open(&f, dir, &err), SM_OK);
    cr_assert(folder_write(&f, &key, piece));
    sm_key_text(&key, text);
    snprintf(path, sizeof path, "%s/00/%s", dir, text);
    cr_assert_eq(unlink(path), 0, "%s", path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_assert_null(folder_read(&f, &key, 1000, &len));
    unlink(path);
    folder_close(&f);
}

/* A name that can be guessed would write into a file of somebody else's choice. */
Test(folder, nothing_is_written_through_a_name_in_tmp) {
    enum { NAMES = 8 };
    char dir[] = "/tmp/smd-folder-XXXXXX", path[200], victim[200];
    struct folder f;
    struct error err;
    struct stat st;
    const sm_slice piece[FOLDER_PIECES] = {{(const unsigned char *)"a", 1}, {NULL, 0}, {NULL, 0}};
    const struct sm_key key = {0};
    cr_assert_not_null(mkdtemp(dir));
    cr_assert_eq(folder_open(&f, dir, &err), SM_OK);
    snprintf(victim, sizeof victim, "%s/victim", dir);
    FILE *v = fopen(victim, "we");
    cr_assert(v && fputs("what was there", v) >= 0 && fclose(v) == 0);
    for (int i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/tmp/%d", dir, i);
        cr_assert_eq(link(victim, path), 0);
    }
    for (int i = 0; i < NAMES; i++)
        cr_assert(folder_write(&f, &key, piece));
    cr_assert_eq(stat(victim, &st), 0);
    cr_assert_eq(st.st_size, 14);
    cr_assert_eq(st.st_nlink, 1 + NAMES);
    folder_close(&f);
}
