/* jitdump.c - see jitdump.h.
 *
 * perf makes an ELF file of each function: its code, and right after that, at the next multiple of 8, .eh_frame. So
 * each gets an .eh_frame of its own, whose entry says where its function is from there. */
#include "jitdump.h"

#include "buf.h"
#include "find.h"
#include "frames.h"
#include "linetable.h"
#include "map.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CODE_LOAD = 0, DEBUG_INFO = 2, UNWINDING_INFO = 4 };
enum { PREFIX = 16, LOAD_FIXED = 40, UNWIND_FIXED = 24, LINES_FIXED = 16, HEADER_BYTES = 40 };
enum { PCREL = 0x10, SDATA4 = 0x0b, SDATA8 = 0x0c, UDATA4 = 0x03, DATAREL = 0x30 };

static struct {
    pthread_mutex_t lock;
    pid_t process; /* whose file it is; a forked child has its own */
    int fd;
    void *mark;
    uint64_t functions;
} dump = {PTHREAD_MUTEX_INITIALIZER, 0, -1, NULL, 0};

/* The monotonic clock in nanoseconds, which perf must use, too (perf record -k mono). */
static uint64_t timestamp(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Writes to the dump file; gives up silently if that fails. */
static void write_all(const void *data, size_t len) {
    for (const char *at = data; len;) {
        ssize_t n = write(dump.fd, at, len);
        if (n <= 0)
            return;
        at += n;
        len -= (size_t)n;
    }
}

/* Creates this process's dump file and writes its header. It is mapped executable, as perf finds it by that
 * mapping. */
static void open_file(void) {
    char path[512];
    const char *folder = getenv("JITDUMPDIR");
#if defined(__aarch64__)
    enum { MACHINE = EM_AARCH64 };
#else
    enum { MACHINE = EM_X86_64 };
#endif
    dump.process = getpid();
    dump.functions = 0;
    if (dump.fd >= 0)
        close(dump.fd);
    snprintf(path, sizeof path, "%s/jit-%d.dump", folder ? folder : "/tmp", (int)dump.process);
    dump.fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (dump.fd < 0)
        return;
    sm_buf b;
    sm_buf_init(&b, HEADER_BYTES);
    sm_buf_put_u32(&b, 0x4a695444);
    sm_buf_put_u32(&b, 1);
    sm_buf_put_u32(&b, HEADER_BYTES);
    sm_buf_put_u32(&b, MACHINE);
    sm_buf_put_u32(&b, 0);
    sm_buf_put_u32(&b, (uint32_t)dump.process);
    sm_buf_put_u64(&b, timestamp());
    sm_buf_put_u64(&b, 0);
    write_all(b.data, b.len);
    sm_buf_free(&b);
    dump.mark = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, dump.fd, 0);
}

/* Writes the head that every record begins with: its kind, its size and the time. */
static void put_prefix(sm_buf *b, uint32_t id, size_t total) {
    sm_buf_put_u32(b, id);
    sm_buf_put_u32(b, (uint32_t)total);
    sm_buf_put_u64(b, timestamp());
}

static uint32_t u32_at(const unsigned char *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Fills up with zeros to a multiple of 8 bytes. */
static void pad(sm_buf *b) {
    while (b->len % 8 && b->status == SM_OK)
        sm_buf_put_u8(b, 0);
}

/* Writes an .eh_frame with the function's entry only, to stand BEHIND bytes after the function's start, and an
 * .eh_frame_hdr for it. Gives the offset of the latter; 0 if the entry cannot be rewritten. */
static size_t put_frames(sm_buf *b, const unsigned char *entry, int64_t behind) {
    struct cie cie;
    struct fde fde;
    frames_entry(entry, &cie, &fde);
    size_t fde_bytes = u32_at(entry) + 4;
    const unsigned char *cie_at = entry + 4 - u32_at(entry + 4);
    size_t cie_bytes = u32_at(cie_at) + 4;
    int wide = cie.encoding == (PCREL | SDATA8);
    if (!fde.code || u32_at(entry) == UINT32_MAX || (cie.encoding != (PCREL | SDATA4) && !wide))
        return 0;
    sm_buf_put(b, cie_at, cie_bytes);
    pad(b);
    size_t at = b->len, start = at + 8;
    sm_buf_put(b, entry, fde_bytes);
    int64_t distance = -(behind + (int64_t)start);
    if (b->status == SM_OK) {
        memcpy(b->data + at + 4, &(uint32_t){(uint32_t)at + 4}, 4);
        memcpy(b->data + start, &distance, wide ? 8 : 4);
    }
    pad(b);
    sm_buf_put_u32(b, 0);
    pad(b);
    size_t index = b->len;
    static const unsigned char encodings[4] = {1, PCREL | SDATA4, UDATA4, DATAREL | SDATA4};
    sm_buf_put(b, encodings, sizeof encodings);
    sm_buf_put_u32(b, (uint32_t)(-(int64_t)index - 4)); /* to the section */
    sm_buf_put_u32(b, 1);
    sm_buf_put_u32(b, (uint32_t)(-behind - (int64_t)index));
    sm_buf_put_u32(b, (uint32_t)((int64_t)at - (int64_t)index));
    pad(b);
    return index;
}

/* Adds the record of how a function's frames are unwound, if it has an entry that can be rewritten. */
static void put_unwinding(sm_buf *out, const sm_object *o, const sm_code *c) {
    sm_buf b;
    const unsigned char *entry = object_entry(o, c->address);
    sm_buf_init(&b, (size_t)1 << 20);
    size_t index = entry ? put_frames(&b, entry, (int64_t)((c->bytes + 7) & ~(size_t)7)) : 0;
    if (index && b.status == SM_OK) {
        put_prefix(out, UNWINDING_INFO, PREFIX + UNWIND_FIXED + b.len);
        sm_buf_put_u64(out, b.len);
        sm_buf_put_u64(out, b.len - index);
        sm_buf_put_u64(out, 0); /* it is not in memory there */
        sm_buf_put(out, b.data, b.len);
    }
    sm_buf_free(&b);
}

/* Lines of a function in the making. */
struct line_list {
    sm_buf bytes;
    uint64_t count;
};

static void put_line(void *user, uintptr_t address, const char *file, uint32_t line) {
    struct line_list *l = user;
    if (!file || !line)
        return;
    sm_buf_put_u64(&l->bytes, address);
    sm_buf_put_u32(&l->bytes, line);
    sm_buf_put_u32(&l->bytes, 0); /* the discriminator */
    sm_buf_put(&l->bytes, file, strlen(file) + 1);
    l->count++;
}

/* Adds the record of a function's lines, if all of them are known. */
static void put_lines(sm_buf *out, const sm_object *o, const sm_code *c) {
    struct line_list l = {.count = 0};
    sm_buf_init(&l.bytes, (size_t)1 << 30);
    lines_each(o, c, put_line, &l);
    if (l.count && l.bytes.status == SM_OK) {
        put_prefix(out, DEBUG_INFO, PREFIX + LINES_FIXED + l.bytes.len);
        sm_buf_put_u64(out, c->address);
        sm_buf_put_u64(out, l.count);
        sm_buf_put(out, l.bytes.data, l.bytes.len);
    }
    sm_buf_free(&l.bytes);
}

/* Adds a function's records: its lines and its unwinding first, as perf expects, then its code. */
static void put_function(sm_buf *b, const sm_object *o, const sm_code *c) {
    size_t name = strlen(c->name) + 1;
    put_lines(b, o, c);
    put_unwinding(b, o, c);
    put_prefix(b, CODE_LOAD, PREFIX + LOAD_FIXED + name + c->bytes);
    sm_buf_put_u32(b, (uint32_t)dump.process);
    sm_buf_put_u32(b, (uint32_t)syscall(SYS_gettid));
    sm_buf_put_u64(b, c->address);
    sm_buf_put_u64(b, c->address);
    sm_buf_put_u64(b, c->bytes);
    sm_buf_put_u64(b, dump.functions++);
    sm_buf_put(b, c->name, name);
    sm_buf_put(b, (const void *)c->address, c->bytes);
}

void jitdump_write(const sm_object *o) {
    sm_buf b;
    sm_buf_init(&b, (size_t)1 << 31);
    pthread_mutex_lock(&dump.lock);
    if (dump.process != getpid())
        open_file();
    for (size_t i = 0; dump.fd >= 0 && i < o->map->codes; i++)
        if (o->map->code[i].name && o->map->code[i].bytes)
            put_function(&b, o, &o->map->code[i]);
    if (b.status == SM_OK && dump.fd >= 0)
        write_all(b.data, b.len);
    pthread_mutex_unlock(&dump.lock);
    sm_buf_free(&b);
}
