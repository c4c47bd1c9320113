/* files.h - files as bytes, and commands' output, for tests. Everything aborts the test when it fails. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include <stddef.h>

struct bytes {
    unsigned char *data; /* owned; a terminator stands behind len */
    size_t len;
};

struct bytes read_file(const char *path);
void write_file(const char *path, const void *data, size_t len);
void remove_tree(const char *path);                  /* a folder with what is in it */
struct bytes repeat(const char *text, size_t times); /* TEXT again and again */
void bytes_free(struct bytes b);

/* Runs a shell command with INPUT on its stdin and gives its stdout. *STATUS is its exit status, or 128 + the signal.
 */
struct bytes run_command(const char *command, const void *input, size_t len, int *status);

#endif
