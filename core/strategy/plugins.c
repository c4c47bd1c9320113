/* plugins.c - see plugins.h.
 *
 * LLVM's C API says nothing of strategies. What kind each is shows in what becomes of a small module, in a child, as
 * LLVM ends a process over a name that it does not know. */
#include "plugins.h"
#include "base.h"
#include "digest.h"
#include "memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char digests[32]; /* of the libraries so far */
static char *paths[PLUGINS_MAX];
static int loaded;

static char reason[1024];
static plugin_trial *trial; /* the caller's */

/* Sets the reason why a library cannot be loaded; 0. */
static int complain(const char *what, const char *why) {
    snprintf(reason, sizeof reason, "%.400s: %.600s", what, why);
    return 0;
}

/* What kind of strategy NAME is, tried in a child, as LLVM ends the process over a name that it does not know;
 * IS_BROKEN if that crashes. SPACES: shared with the child. */
static int plugin_kind_of(const char *name, unsigned char *spaces) {
    int status;
    pid_t pid = fork();
    if (pid == 0)
        _exit(trial(name, spaces));
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return IS_BROKEN;
    return WEXITSTATUS(status) < IS_BROKEN ? WEXITSTATUS(status) : IS_BROKEN;
}

/* Makes the digest in "digests" that of the file's bytes and of itself before, so of all libraries so far. 0 if
 * the file cannot be read. */
static int add_digest(const char *path) {
    sm_buf bytes;
    int ok = sm_buf_read_file(&bytes, path) == SM_OK && sm_buf_put(&bytes, digests, sizeof digests) == SM_OK &&
             sm_digest(bytes.data, bytes.len, digests) == SM_OK;
    sm_buf_free(&bytes);
    return ok;
}

/* 1 if NAME can be a strategy's: short, of letters, digits and few signs. */
static int is_name(const char *name) {
    size_t n = strlen(name);
    return n && n < 64 && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == n;
}

/* 1 if SPACES has address space N. */
static int has_space(const unsigned char *spaces, unsigned n) {
    return spaces[n / 8] >> n % 8 & 1;
}

/* Adds the strategy NAME, whose references SPACES tells. 0, with the reason set, if these cannot be told from what else
 * is a pointer. */
static int add_spaces(const char *name, const unsigned char *spaces) {
    unsigned count = 0;
    for (unsigned n = 0; n <= SPACE_MAX; n++)
        count += (unsigned)has_space(spaces, n);
    if (!count)
        return complain(name, "has statepoints, and no pointer is a reference");
    if (has_space(spaces, 0))
        return complain(name,
                        "pointers of address space 0 are references, and so are the addresses of stack slots and "
                        "functions, which no collector can move");
    gcs_add(name, GC_STATEPOINTS, count == 1 && has_space(spaces, 1) ? NULL : spaces);
    return 1;
}

/* Loads the library of ITEM, "PATH:NAME", and adds its strategy. 0, with the reason set, if that fails. Changes
 * ITEM. */
static int load(char *item) {
    char *name = strrchr(item, ':');
    if (!name || item[0] != '/')
        return complain(item, "is not PATH:NAME, with an absolute path");
    *name++ = 0;
    if (!is_name(name) || gc_features(name))
        return complain(name, "is no name that a strategy can have, or another one's");
    if (loaded == PLUGINS_MAX)
        return complain(item, "is one more than there can be");
    if (!dlopen(item, RTLD_NOW | RTLD_GLOBAL))
        return complain(item, dlerror());
    if (!add_digest(item))
        return complain(item, "cannot be read");
    gcs_add(name, GC_STATEPOINTS, NULL);
    unsigned char *spaces =
        mmap(NULL, (SPACE_MAX + 1) / 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (spaces == MAP_FAILED)
        return complain(item, "no memory");
    int kind = plugin_kind_of(name, spaces),
        ok = kind == IS_ROOTS || (kind == IS_STATEPOINTS && add_spaces(name, spaces));
    munmap(spaces, (SPACE_MAX + 1) / 8);
    if (kind == IS_BROKEN)
        return complain(item, "LLVM can compile nothing with a strategy of this name; does the library register it, "
                              "and a printer if it has metadata?");
    if (kind == IS_ROOTS)
        gcs_add(name, GC_ROOTS, NULL);
    if (!ok)
        return 0;
    paths[loaded++] = xstrdup(item);
    return 1;
}

/* Loads the libraries of LIST, separated by commas; 0 if one cannot be, and *WHY says why. */
int plugins_load(const char *list, plugin_trial *try_strategy, const char **why) {
    trial = try_strategy;
    *why = reason;
    char *copy = xstrdup(list), *save = NULL;
    int ok = 1;
    for (char *item = strtok_r(copy, ",", &save); ok && item; item = strtok_r(NULL, ",", &save))
        ok = load(item);
    free(copy);
    return ok;
}

/* Writes llc's flags that load the libraries. */
void plugins_put_flags(sm_buf *out) {
    for (int i = 0; i < loaded; i++)
        if (i == 0 || strcmp(paths[i], paths[i - 1]) != 0)
            sm_buf_printf(out, " -load=%s", paths[i]);
}

/* Writes the libraries' digest as a part of the build's name; nothing if none are loaded. */
void plugins_put_build(sm_buf *out) {
    if (!loaded)
        return;
    sm_buf_puts(out, "-gc-");
    for (int i = 0; i < 16; i++)
        sm_buf_printf(out, "%02x", digests[i]);
}
