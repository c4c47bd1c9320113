/* plugins.c - see plugins.h.
 *
 * LLVM's C API tells nothing of strategies. What kind each is shows in what becomes of a small module, in a child, as
 * LLVM ends a process over a name that it does not know. */
#include "plugins.h"

#include "core.h"
#include "digest.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IS_STATEPOINTS = 0, IS_ROOTS = 1, IS_BROKEN = 2 };

static unsigned char digests[32]; /* of the libraries so far */
static char *paths[PLUGINS_MAX];
static int loaded;

static char reason[1024];

/* Sets the reason why a library cannot be loaded; 0. */
static int complain(const char *what, const char *why) {
    snprintf(reason, sizeof reason, "%.400s: %.600s", what, why);
    return 0;
}

/* In a child: compiles a function of this strategy as if its calls became statepoints, and sees whether they do.
 * IS_STATEPOINTS, IS_ROOTS or IS_BROKEN. */
static int try_strategy(const char *name) {
    char module[512];
    sm_options o;
    sm_timings timings;
    sm_buf out;
    sm_artifact a;
    struct compile *rest;
    int n = snprintf(module, sizeof module,
                     "declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %%p) gc \"%s\" {\n"
                     "  call void @g()\n  ret ptr addrspace(1) %%p\n}\n",
                     name);
    sm_options_init(&o);
    o.safepoints = 0;
    sm_buf_init(&out, (size_t)1 << 20);
    if (compile_run(&o, (sm_slice){NULL, 0}, module, (size_t)n, NULL, &out, &timings, &rest) != SM_OK ||
        sm_artifact_read(out.data, out.len, &a) != SM_OK || a.status != SM_OK)
        return IS_BROKEN;
    sm_slice map = a.part[SM_PART_STACKMAP];
    return map.data && memmem(map.data, map.len, "\"statepoint\"", 12) ? IS_STATEPOINTS : IS_ROOTS;
}

/* What kind of strategy NAME is, tried in a child, as LLVM ends the process over a name that it does not know;
 * IS_BROKEN if that crashes. */
static int kind_of(const char *name) {
    int status;
    pid_t pid = fork();
    if (pid == 0)
        _exit(try_strategy(name));
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return IS_BROKEN;
    return WEXITSTATUS(status) <= IS_ROOTS ? WEXITSTATUS(status) : IS_BROKEN;
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
    gcs_add(name, GC_STATEPOINTS);
    int kind = kind_of(name);
    if (kind == IS_BROKEN)
        return complain(item,
                        "LLVM can compile nothing with a strategy of this name; does the library register it, and a "
                        "printer if it has metadata?");
    gcs_add(name, kind == IS_STATEPOINTS ? GC_STATEPOINTS : GC_ROOTS);
    paths[loaded] = strdup(item);
    return paths[loaded++] != NULL;
}

/* Loads the libraries of LIST, separated by commas; 0 if one cannot be, and *WHY says why. */
int plugins_load(const char *list, const char **why) {
    *why = reason;
    char *copy = strdup(list), *save = NULL;
    int ok = copy != NULL;
    for (char *item = ok ? strtok_r(copy, ",", &save) : NULL; ok && item; item = strtok_r(NULL, ",", &save))
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
