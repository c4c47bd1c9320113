/* zeal_check.c - client/examples/zeal.c, with each root of each record deleted in turn, in processes of their own.
 *
 *     zeal_check ARGUMENT OBJECT...
 *
 * A root is a place that the object's LLVM stackmap names at a safepoint. One that is never visited with a value but null
 * is not used. The others are deleted from the map one by one: then zeal has to report a fault and name the safepoint and
 * the place, and the scan has to have found the place. Where it reports nothing the root is overwritten with a wrong address
 * after each collection instead, its map whole: if the program comes to its right end all the same, nothing reads it.
 *
 * The linker puts the functions below in the place of the library's. Prints sums; exits 1 if a root was missed. */
#include "check.h"
#include "smclient.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
sm_result __real_sm_load(sm_loader *loader, const void *object, size_t len, const char *name, sm_object **out,
                         sm_error *err);
sm_result __wrap_sm_load(sm_loader *loader, const void *object, size_t len, const char *name, sm_object **out,
                         sm_error *err);
sm_zeal *__real_sm_zeal_new(const sm_loader *loader, const sm_zeal_options *options, sm_error *err);
sm_zeal *__wrap_sm_zeal_new(const sm_loader *loader, const sm_zeal_options *options, sm_error *err);
sm_result __real_sm_zeal_close(sm_zeal *zeal, void *from, size_t bytes, sm_registers *const *stack, size_t stacks,
                               sm_error *err);
sm_result __wrap_sm_zeal_close(sm_zeal *zeal, void *from, size_t bytes, sm_registers *const *stack, size_t stacks,
                               sm_error *err);

enum { ROOTS = 4096, REPORTED = 9, WRONG = 0x5a5a };

/* A place that a record names. */
struct root {
    uint32_t function, offset; /* the record: the number of its function in the table, and where it is in that */
    uint8_t kind;              /* as in LLVM's table, which is as in sm_slot */
    uint16_t reg;
    int32_t value;
    long by_sp; /* of a stack slot: its distance from the stack pointer at the safepoint */
    long seen;  /* visits with a value but null */
};

enum mode { LOOK, DELETE, OVERWRITE };

/* What parent and children share. */
static struct shared {
    enum mode mode;
    size_t roots, chosen; /* CHOSEN: which one is deleted or overwritten */
    struct root root[ROOTS];
    int is_found;    /* boolean: the scan has found the chosen place */
    int is_named;    /* boolean: the report names it */
    int is_first;    /* boolean: before all others */
    char text[8192]; /* of the report */
} *shared;

static sm_loader *loader;
static uintptr_t function_at[1024]; /* by number */
static const char *function_name[1024];
static uint32_t functions;

/* ---- The table of an object --------------------------------------------------------------------------------------- */

static uint64_t get(const unsigned char *at, int bytes) {
    uint64_t v = 0;
    memcpy(&v, at, (size_t)bytes);
    return v;
}

/* LLVM's table, version 3, in an object; NULL if there is none. */
static unsigned char *find_table(unsigned char *object) {
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    memcpy(&header, object, sizeof header);
    memcpy(&names, object + header.e_shoff + (size_t)header.e_shstrndx * sizeof names, sizeof names);
    for (int i = 1; i < header.e_shnum; i++) {
        memcpy(&section, object + header.e_shoff + (size_t)i * sizeof section, sizeof section);
        if (strcmp((char *)object + names.sh_offset + section.sh_name, ".llvm_stackmaps") == 0)
            return object + section.sh_offset;
    }
    return NULL;
}

enum { LOCATION = 12 };

/* Calls EACH with every location of a statepoint's roots. */
static void each_location(unsigned char *table, void (*each)(uint32_t function, uint32_t offset, unsigned char *at)) {
    uint32_t count = (uint32_t)get(table + 4, 4), constants = (uint32_t)get(table + 8, 4);
    unsigned char *function = table + 16, *at = function + 24 * (size_t)count + 8 * (size_t)constants;
    for (uint32_t f = 0; f < count; f++)
        for (uint64_t r = get(function + 24 * (size_t)f + 16, 8); r > 0; r--) {
            uint32_t offset = (uint32_t)get(at + 8, 4), locations = (uint32_t)get(at + 14, 2);
            unsigned char *location = at + 16;
            uint32_t first = 3 + (uint32_t)get(location + 2 * LOCATION + 8, 4);
            check(location[2 * LOCATION] == SM_SLOT_CONSTANT, "the record at %u is no statepoint's", offset);
            for (uint32_t i = first; i < locations; i++)
                each(f, offset, location + (size_t)i * LOCATION);
            at = location + (((size_t)locations * LOCATION + 7) & ~(size_t)7);
            at += (4 + 4 * get(at + 2, 2) + 7) & ~(uint64_t)7;
        }
}

/* 1 if the location is the root's. */
static int is_root(const struct root *r, uint32_t function, uint32_t offset, const unsigned char *at) {
    return r->function == function && r->offset == offset && r->kind == at[0] && r->reg == get(at + 4, 2) &&
           r->value == (int32_t)get(at + 8, 4);
}

static void add_root(uint32_t function, uint32_t offset, unsigned char *at) {
    if ((at[0] != SM_SLOT_REGISTER && at[0] != SM_SLOT_INDIRECT) || get(at + 2, 2) != 8)
        return;
    for (size_t i = 0; i < shared->roots; i++)
        if (is_root(&shared->root[i], function, offset, at))
            return;
    check(shared->roots < ROOTS, "too many roots");
    shared->root[shared->roots++] =
        (struct root){function, offset, at[0], (uint16_t)get(at + 4, 2), (int32_t)get(at + 8, 4), 0, 0};
}

/* Makes null of the chosen root. */
static void delete_root(uint32_t function, uint32_t offset, unsigned char *at) {
    if (!is_root(&shared->root[shared->chosen], function, offset, at))
        return;
    memset(at, 0, LOCATION);
    at[0] = SM_SLOT_CONSTANT;
    at[2] = 8;
}

/* ---- In a child --------------------------------------------------------------------------------------------------- */

static int add_function(void *user, const sm_site *site) {
    (void)user;
    if (functions && function_at[functions - 1] == site->code->address)
        return 0;
    check(functions < 1024, "too many functions");
    function_name[functions] = site->code->name;
    function_at[functions++] = site->code->address;
    return 0;
}

sm_result __wrap_sm_load(sm_loader *l, const void *object, size_t len, const char *name, sm_object **out,
                         sm_error *err) {
    unsigned char *copy = malloc(len), *table;
    check(copy != NULL, "no memory");
    memcpy(copy, object, len);
    table = find_table(copy);
    check(table && table[0] == 3, "%s has no table of version 3", name);
    if (shared->mode == LOOK)
        each_location(table, add_root);
    if (shared->mode != LOOK)
        each_location(table, delete_root);
    loader = l;
    sm_result r = __real_sm_load(l, copy, len, name, out, err);
    if (r == SM_SUCCESS)
        sm_object_sites(*out, add_function, NULL);
    free(copy);
    return r;
}

/* 1 if the word is in the chosen place. */
static int is_chosen(const sm_zeal_word *w) {
    const struct root *r = &shared->root[shared->chosen];
    return w->offset == r->offset && w->function && strcmp(w->function, function_name[r->function]) == 0 &&
           w->slot.kind == r->kind &&
           (r->kind == SM_SLOT_REGISTER ? w->slot.reg == r->reg : w->slot.value == r->by_sp);
}

static void on_word(void *user, const sm_zeal_word *word) {
    (void)user;
    shared->is_found |= shared->mode == DELETE && is_chosen(word) && !word->is_recorded;
    check(!word->is_recorded, "%s+0x%lx: a root that the collector was shown was not moved", word->function,
          (unsigned long)word->offset);
}

static void on_report(void *user, const sm_zeal_report *report) {
    (void)user;
    for (uint32_t i = report->words; i-- > 0;)
        if (is_chosen(&report->word[i])) {
            shared->is_named = 1;
            shared->is_first = i == 0;
        }
    snprintf(shared->text, sizeof shared->text, "%s", report->text);
    _exit(REPORTED);
}

sm_zeal *__wrap_sm_zeal_new(const sm_loader *l, const sm_zeal_options *options, sm_error *err) {
    sm_zeal_options o = *options;
    o.report = on_report;
    o.word = on_word;
    return __real_sm_zeal_new(l, &o, err);
}

/* Notes what is in the roots of a frame, or overwrites the chosen one. */
static int look_at(void *user, const sm_activation *frame) {
    (void)user;
    for (size_t i = 0; i < shared->roots; i++) {
        struct root *r = &shared->root[i];
        if (frame->site->address != function_at[r->function] + r->offset)
            continue;
        sm_slot slot = {.kind = r->kind, .reg = r->reg, .bytes = 8, .value = r->value};
        uintptr_t *at = sm_slot_address(frame, &slot);
        check(at != NULL, "a root is nowhere");
        if (shared->mode == LOOK) {
            r->by_sp = (long)((uintptr_t)at - frame->sp);
            r->seen += *at != 0;
        } else if (i == shared->chosen && *at) {
            *at = WRONG;
        }
    }
    return 0;
}

sm_result __wrap_sm_zeal_close(sm_zeal *zeal, void *from, size_t bytes, sm_registers *const *stack, size_t stacks,
                               sm_error *err) {
    sm_result r = __real_sm_zeal_close(zeal, from, bytes, stack, stacks, err);
    if (shared->mode != DELETE && r == SM_SUCCESS)
        r = sm_visit(loader, stack[0], &(sm_visitor){.size = sizeof(sm_visitor), .frame = look_at}, err);
    return r;
}

/* ---- In the parent ------------------------------------------------------------------------------------------------ */

/* Runs the program in a child; gives its exit status, or 128 + the signal, and its result. */
static int run(enum mode mode, char *object, char *argument, long *result) {
    char *argv[] = {"zeal", object, argument, NULL}, text[256] = "";
    int status, out = memfd_create("out", MFD_CLOEXEC);
    shared->mode = mode;
    shared->is_found = shared->is_named = shared->is_first = 0;
    shared->text[0] = 0;
    pid_t pid = fork();
    check(pid >= 0 && out >= 0, "there is no process");
    if (pid == 0) {
        dup2(out, STDOUT_FILENO);
        exit(__real_main(3, argv));
    }
    check(waitpid(pid, &status, 0) == pid, "the child is lost");
    ssize_t n = pread(out, text, sizeof text - 1, 0);
    close(out);
    *result = n > 0 ? strtol(text, NULL, 10) : 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static struct {
    long roots, used, reported, first, by_scan, unread, failed;
} sum;

/* Deletes the chosen root, and judges what comes of it. */
static void try_root(char *object, char *argument, long expected) {
    const struct root *r = &shared->root[shared->chosen];
    char where[256];
    long result;
    int status = run(DELETE, object, argument, &result), is_found = shared->is_found;
    snprintf(where, sizeof where, "%s: function %u+0x%x, kind %d, register %d%+d", object, r->function, r->offset,
             r->kind, r->reg, (int)r->value);
    sum.used++;
    if (status == REPORTED && shared->is_named) {
        sum.reported++;
        sum.first += shared->is_first;
        return;
    }
    if (status == 0 && result == expected && run(OVERWRITE, object, argument, &result) == 0 && result == expected) {
        sum.unread++;
        if (!is_found)
            printf("%s: is not read, and the scan has not found it\n", where);
        sum.failed += !is_found;
        return;
    }
    if (status == 0 && is_found) {
        sum.by_scan++;
        return;
    }
    sum.failed++;
    printf("%s: %s (status %d, result %ld)\n%s", where, status == REPORTED ? "is not named" : "was missed", status,
           result, shared->text);
}

static void try_object(char *object, char *argument) {
    long expected;
    shared->roots = 0;
    int status = run(LOOK, object, argument, &expected);
    check(status == 0, "%s: exit %d\n%s", object, status, shared->text);
    sum.roots += (long)shared->roots;
    for (shared->chosen = 0; shared->chosen < shared->roots; shared->chosen++)
        if (shared->root[shared->chosen].seen)
            try_root(object, argument, expected);
}

int __wrap_main(int argc, char **argv) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(shared != MAP_FAILED && argc > 2, "no memory, or no objects");
    setvbuf(stdout, NULL, _IONBF, 0); /* nothing is left for children to write again */
    for (int i = 2; i < argc; i++)
        try_object(argv[i], argv[1]);
    printf("%ld roots, %ld met, %ld reported (%ld named first), %ld by the scan alone, %ld not read, %ld missed\n",
           sum.roots, sum.used, sum.reported, sum.first, sum.by_scan, sum.unread, sum.failed);
    return sum.failed != 0;
}
