/* load_check.c - loads objects and runs the last one's check(): for the loader's tests, on either architecture.
 *
 *     load_check OBJECT-FILE ...
 *
 * Prints what is wrong; exits 0 if nothing is, 1 if check() is not content, 2 with the loader's message. */
#include "smclient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __cxa_atexit(void (*f)(void *), void *arg, void *handle);

static int runtime_value = 1234;

static int runtime_add(int a, int b) {
    return a + b;
}

static void *resolve(void *user, const char *name) {
    static const struct {
        const char *name;
        void *address;
    } table[] = {
        {"runtime_add", (void *)runtime_add}, {"runtime_value", &runtime_value},      {"memset", (void *)memset},
        {"memcpy", (void *)memcpy},           {"__cxa_atexit", (void *)__cxa_atexit}, {"abort", (void *)abort}};
    (void)user;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].address;
    return NULL;
}

static void *read_all(const char *path, size_t *len) {
    enum { LARGEST = 1 << 22 };
    FILE *f = fopen(path, "rb");
    void *data = malloc(LARGEST);
    *len = f && data ? fread(data, 1, LARGEST, f) : 0;
    if (f)
        fclose(f);
    return data;
}

/* 1 if some memory is writable and executable at once. */
static int writable_code(void) {
    char line[512];
    int found = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        found |= strstr(line, " rwx") != NULL;
    if (f)
        fclose(f);
    return found;
}

static int complain(const char *what, int number) {
    printf("%s (%d)\n", what, number);
    return 1;
}

/* What loading an object once more, and unloading, has to do. */
static int check_object(sm_loader *loader, sm_object *object) {
    int (*check)(int) = (int (*)(int))sm_object_symbol(object, "check");
    int finished = 0, line = check ? check(0) : -1;
    if (line)
        return complain("check() is not content with line", line);
    if (!sm_object_symbol(object, "tentative") || !sm_object_symbol(object, "unused_tentative"))
        return complain("a common symbol is not there", 0);
    if (sm_object_symbol(object, "hidden_value") || sm_object_symbol(object, "twice"))
        return complain("a hidden symbol is there", 0);
    if (sm_loader_symbol(loader, "check") != (void *)check)
        return complain("the loader does not know check()", 0);
    const sm_code *code = sm_find_code(loader, (uintptr_t)check + 1);
    if (!code || !code->name || strcmp(code->name, "check") != 0)
        return complain("the function of an address is not found", 0);
    int (*picked)(int) = (int (*)(int))sm_object_symbol(object, "picked_for_others");
    if (!picked || picked(7) != 21)
        return complain("a function that is chosen is not there", 0);
    *(int **)sm_object_symbol(object, "finalised") = &finished;
    if (writable_code())
        return complain("there is memory that is writable and executable", 0);
    sm_unload(object);
    if (finished != 3)
        return complain("the finalisers did not run, or in another order", finished);
    return sm_loader_symbol(loader, "check") ? complain("an unloaded object's symbol is there", 0) : 0;
}

int main(int argc, char **argv) {
    sm_error err;
    sm_object *object = NULL;
    sm_loader_options options = {.size = sizeof options, .resolve = resolve, .near = &runtime_value};
    sm_loader *loader = sm_loader_new(&options, &err);
    for (int i = 1; loader && i < argc; i++) {
        size_t len;
        void *data = read_all(argv[i], &len);
        sm_result r = sm_load(loader, data, len, argv[i], &object, &err);
        free(data);
        if (r != SM_SUCCESS) {
            printf("%s: %s\n", sm_result_name(r), err.message);
            return 2;
        }
    }
    int bad = object ? check_object(loader, object) : 2;
    sm_loader_free(loader);
    return bad;
}
