/* tls.c - see tls.h. */
#include "tls.h"

#include "error.h"

#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#endif

/* libc's, for libraries that it has opened. A static program has neither. */
extern void *__tls_get_addr(const size_t *module_and_offset) __attribute__((weak));

/* A thread's block of a module. Its variables come at the next multiple of their alignment. */
struct tls_block {
    struct tls_block *next, **at; /* of the same module */
    void *memory;                 /* what is to be freed */
};

/* A thread's blocks, by slot; the assembler files read it. */
struct tls_entry {
    uint64_t id;
    char *data;
    struct tls_block *block;
};
struct tls_table {
    uint64_t count;
    struct tls_entry entry[];
};

static struct {
    uint64_t count;
} empty;
_Thread_local struct tls_table *tls_table __attribute__((tls_model("initial-exec"))) = (struct tls_table *)&empty;

/* The reserve. It begins with a byte that is not zero, so that it is a part of the image that new threads copy. */
enum { RESERVE_ALIGN = 64, RESERVE_HEAD = 16 };
static _Thread_local char reserve[TLS_RESERVE]
    __attribute__((tls_model("initial-exec"), aligned(RESERVE_ALIGN))) = {1};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows, and of all lists of blocks */
static size_t reserve_used = RESERVE_HEAD;
static struct tls_module **module; /* by slot */
static size_t modules;
static uint64_t last_id;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;

static uintptr_t thread_pointer(void) {
#if defined(__aarch64__)
    return (uintptr_t)__builtin_thread_pointer();
#else
    uintptr_t at;
    __asm__("movq %%fs:0, %0" : "=r"(at));
    return at;
#endif
}

/* ---- Modules -------------------------------------------------------------------------------------------------- */

/* A free slot; SIZE_MAX if out of memory. Requires the lock. */
static size_t take_slot(void) {
    size_t slot = 0;
    while (slot < modules && module[slot])
        slot++;
    if (slot < modules)
        return slot;
    size_t count = modules ? 2 * modules : 16;
    struct tls_module **grown = realloc(module, count * sizeof *grown);
    if (!grown)
        return SIZE_MAX;
    memset(grown + modules, 0, (count - modules) * sizeof *grown);
    module = grown;
    modules = count;
    return slot;
}

struct tls_module *tls_new(void) {
    struct tls_module *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->align = 1;
    pthread_mutex_lock(&lock);
    m->slot = take_slot();
    m->id = ++last_id;
    if (m->slot != SIZE_MAX)
        module[m->slot] = m;
    pthread_mutex_unlock(&lock);
    if (m->slot != SIZE_MAX)
        return m;
    free(m);
    return NULL;
}

/* Takes a block off its module's list, and frees it. Requires the lock. */
static void free_block(struct tls_block *b) {
    *b->at = b->next;
    if (b->next)
        b->next->at = b->at;
    free(b->memory);
}

/* Gives the reserve back what nobody has written to. Requires the lock. */
static void give_back(const struct tls_module *m) {
    size_t start = (size_t)(m->offset + (intptr_t)thread_pointer() - (intptr_t)reserve);
    if (m->is_static && !m->is_published && !m->image_bytes && start + m->bytes == reserve_used)
        reserve_used = start;
}

void tls_free(struct tls_module *m) {
    for (struct tls_module *next; m; m = next) {
        next = m->next;
        pthread_mutex_lock(&lock);
        while (m->blocks)
            free_block(m->blocks);
        module[m->slot] = NULL;
        give_back(m);
        pthread_mutex_unlock(&lock);
        free(m);
    }
}

/* ---- Each thread's blocks ------------------------------------------------------------------------------------- */

/* Frees a thread's blocks when it ends, but those that went with their objects. */
static void end_thread(void *arg) {
    struct tls_table *t = arg;
    pthread_mutex_lock(&lock);
    tls_table = (struct tls_table *)&empty;
    for (size_t i = 0; i < t->count; i++)
        if (t->entry[i].id && i < modules && module[i] && module[i]->id == t->entry[i].id)
            free_block(t->entry[i].block);
    pthread_mutex_unlock(&lock);
    free(t);
}

static void make_key(void) {
    has_key = pthread_key_create(&key, end_thread) == 0;
}

/* Enlarges the thread's table, so that it has the slot. 0 if out of memory. */
static int have_slot(size_t slot) {
    struct tls_table *old = tls_table;
    if (slot < old->count)
        return 1;
    size_t count = 2 * slot + 8;
    struct tls_table *t = calloc(1, sizeof *t + count * sizeof t->entry[0]);
    if (!t)
        return 0;
    memcpy(t->entry, old->entry, old->count * sizeof t->entry[0]);
    t->count = count;
    tls_table = t;
    if (old != (struct tls_table *)&empty)
        free(old);
    pthread_once(&once, make_key);
    if (has_key)
        pthread_setspecific(key, t);
    return 1;
}

/* Makes the thread's block of a module; gives its variables. NULL if out of memory. */
static char *make_block(struct tls_module *m) {
    void *memory = malloc(sizeof(struct tls_block) + m->bytes + m->align);
    if (!memory || !have_slot(m->slot)) {
        free(memory);
        return NULL;
    }
    struct tls_block *b = memory;
    char *data = (char *)(((uintptr_t)(b + 1) + m->align - 1) & ~(uintptr_t)(m->align - 1));
    if (m->image_bytes)
        memcpy(data, m->image, m->image_bytes);
    memset(data + m->image_bytes, 0, m->bytes - m->image_bytes);
    pthread_mutex_lock(&lock);
    *b = (struct tls_block){m->blocks, &m->blocks, memory};
    if (b->next)
        b->next->at = &b->next;
    m->blocks = b;
    pthread_mutex_unlock(&lock);
    tls_table->entry[m->slot] = (struct tls_entry){m->id, data, b};
    return data;
}

void *tls_address(const struct tls_index *x) {
    struct tls_module *m = x->module;
    if (!m)
        return (void *)(thread_pointer() + x->offset); /* NOLINT(performance-no-int-to-ptr) */
    if (m->library)
        return __tls_get_addr((const size_t[]){m->library, x->offset});
    const struct tls_table *t = tls_table;
    int is_there = m->slot < t->count && t->entry[m->slot].id == m->id;
    char *data = is_there ? t->entry[m->slot].data : make_block(m);
    if (!data) {
        fprintf(stderr, "libsmclient: out of memory for a thread's variables\n");
        abort();
    }
    return data + x->offset;
}

/* ---- Variables of the program and its libraries ---------------------------------------------------------------- */

/* A search for what an address is: of which library's variables. */
struct search {
    uintptr_t address;
    size_t library;             /* the C library's number; 0 if none was found */
    uintptr_t data;             /* where its variables are in this thread */
    const ElfW(Phdr) * segment; /* PT_TLS */
    uintptr_t image;            /* what new threads copy */
    uintptr_t relro, relro_end; /* what the dynamic linker has made read-only */
};

static int look_at_library(struct dl_phdr_info *info, size_t size, void *arg) {
    struct search *s = arg;
    uintptr_t data = (uintptr_t)info->dlpi_tls_data, relro = 0, relro_end = 0;
    const ElfW(Phdr) *tls = NULL;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_TLS)
            tls = h;
        if (h->p_type == PT_GNU_RELRO) {
            relro = info->dlpi_addr + h->p_vaddr;
            relro_end = relro + h->p_memsz;
        }
    }
    if (!tls || !data || s->address - data >= tls->p_memsz)
        return 0;
    *s = (struct search){.address = s->address,
                         .library = info->dlpi_tls_modid,
                         .data = data,
                         .segment = tls,
                         .image = info->dlpi_addr + tls->p_vaddr,
                         .relro = relro,
                         .relro_end = relro_end};
    return 1;
}

/* A search by the library's number, on a thread of its own: it gives where its variables are there, as an offset. */
struct probe {
    size_t library;
    intptr_t offset;
    int found;
};

static int look_for_number(struct dl_phdr_info *info, size_t size, void *arg) {
    struct probe *p = arg;
    (void)size;
    if (info->dlpi_tls_modid != p->library || !info->dlpi_tls_data)
        return 0;
    p->offset = (intptr_t)((uintptr_t)info->dlpi_tls_data - thread_pointer());
    p->found = 1;
    return 1;
}

static void *probe_thread(void *arg) {
    dl_iterate_phdr(look_for_number, arg);
    return NULL;
}

/* 1 if a library's variables are at the same offset from every thread's pointer: another thread, which has never used
 * them, is asked. The program's always are. */
static int has_fixed_offset(const struct search *s) {
    enum { PROGRAM = 1 };
    struct probe p = {.library = s->library};
    pthread_t id;
    if (s->library == PROGRAM)
        return 1;
    if (pthread_create(&id, NULL, probe_thread, &p) != 0)
        return 0;
    pthread_join(id, NULL);
    return p.found && p.offset == (intptr_t)(s->data - thread_pointer());
}

sm_result tls_find_outside(const void *address, int is_static, struct tls_module **list, struct tls_index *out,
                           const char *name, sm_error *err) {
    struct search s = {.address = (uintptr_t)address};
    dl_iterate_phdr(look_at_library, &s);
    if (!s.library)
        return fail(err, SM_ERR_UNDEFINED_SYMBOL,
                    "'%s' is thread-local, and the address that resolve gave is of no variable of the calling thread",
                    name);
    if (has_fixed_offset(&s)) {
        *out = (struct tls_index){NULL, s.address - thread_pointer()};
        return SM_SUCCESS;
    }
    if (is_static || !__tls_get_addr)
        return fail(
            err, SM_ERR_UNSUPPORTED,
            "'%s' is reached at a fixed offset (initial or local exec), which variables of a library that was "
            "opened later have not: compile with general dynamic",
            name);
    struct tls_module *m = tls_new();
    if (!m)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for thread-local variables");
    m->library = s.library;
    m->next = *list;
    *list = m;
    *out = (struct tls_index){m, s.address - s.data};
    return SM_SUCCESS;
}

/* ---- The reserve ----------------------------------------------------------------------------------------------- */

/* 1 if no other thread runs. */
static int is_alone(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
    if (__libc_single_threaded)
        return 1;
#endif
    struct stat st;
    return stat("/proc/self/task", &st) == 0 && st.st_nlink == 3; /* ".", "..", and one */
}

/* Writes initial values into what new threads copy. 0 if that cannot be written. */
static int write_image(const char *to, const void *from, size_t bytes) {
    struct search s = {.address = (uintptr_t)to};
    dl_iterate_phdr(look_at_library, &s);
    uintptr_t at = s.address - s.data, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (!s.library || at + bytes > s.segment->p_filesz)
        return 0;
    uintptr_t start = (s.image + at) & ~(page - 1), end = s.image + at + bytes;
    if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) != 0) /* NOLINT(performance-no-int-to-ptr) */
        return 0;
    memcpy((void *)(s.image + at), from, bytes); /* NOLINT(performance-no-int-to-ptr) */
    if (s.image + at >= s.relro && s.image + at < s.relro_end)
        mprotect((void *)start, end - start, PROT_READ); /* NOLINT(performance-no-int-to-ptr) */
    return 1;
}

/* Takes a piece of the reserve; NULL if there is none of that size. Requires the lock. */
static char *take_reserve(size_t bytes, size_t align) {
    size_t start = (reserve_used + align - 1) & ~(align - 1);
    if (align > RESERVE_ALIGN || start > TLS_RESERVE || bytes > TLS_RESERVE - start)
        return NULL;
    reserve_used = start + bytes;
    return reserve + start;
}

sm_result tls_place(struct tls_module *m, int is_zero, sm_error *err) {
    if (is_zero)
        m->image_bytes = 0;
    if (!is_zero && !is_alone())
        return fail(
            err, SM_ERR_UNSUPPORTED,
            "The object's thread-local variables are reached at a fixed offset (initial or local exec), and do "
            "not begin as zeros, which threads that run already would see: load it before they begin, or "
            "compile it with general dynamic");
    pthread_mutex_lock(&lock);
    char *data = take_reserve(m->bytes, m->align);
    pthread_mutex_unlock(&lock);
    if (!data)
        return fail(
            err, SM_ERR_NO_SPACE,
            "The object's thread-local variables are reached at a fixed offset (initial or local exec), and of "
            "the %d bytes that each thread has for all such objects not %zu are left: compile it with general "
            "dynamic",
            TLS_RESERVE - RESERVE_HEAD, m->bytes);
    m->offset = (intptr_t)((uintptr_t)data - thread_pointer());
    m->is_static = 1;
    return SM_SUCCESS;
}

sm_result tls_fill(struct tls_module *m, sm_error *err) {
    char *data = tls_address(&(struct tls_index){NULL, (uintptr_t)m->offset});
    if (!m->image_bytes)
        return SM_SUCCESS;
    memcpy(data, m->image, m->image_bytes);
    if (!write_image(data, m->image, m->image_bytes))
        return fail(err, SM_ERR_SYSTEM, "The initial values of thread-local variables cannot be written");
    return SM_SUCCESS;
}
