/* folder.c - see folder.h. */
#include "folder.h"

#include "files.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

char folder[64];

void folder_make(void) {
    strcpy(folder, "/tmp/smd-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

void folder_remove(void) {
    remove_tree(folder);
}

void succeeds(const char *command) {
    int status;
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_assert_eq(status, 0, "%s: exit %d: %s", command, status, (char *)out.data);
    bytes_free(out);
}
