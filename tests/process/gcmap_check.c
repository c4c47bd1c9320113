/* gcmap_check.c - a collector that knows the GarbageCollection document's tables alone: linked with an object that
 * has them, it moves what is live in the innermost frame at every call of collect. Exits 0 if the sums are right. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The document's struct. */
struct gcmap {
    int32_t points;
    void *address[];
    /* int32_t frame_words, arity, live, offset[live] */
};

struct object {
    long value;
    struct object *forward;
};

extern const struct gcmap __gcmap_f, also __asm__("__gcmap_f.1"), __gcmap_many;
extern const struct gcmap __start_smd_gcmaps, __stop_smd_gcmaps;
long f(struct object *a, struct object *b, long n);
long many(struct object *a, long b, long c, long d, long e, long g, long h, long i);

static int collections, roots;

static const int32_t *behind(const struct gcmap *m) {
    return (const int32_t *)&m->address[m->points];
}

static const struct gcmap *next(const struct gcmap *m) {
    const int32_t *end = behind(m) + 3 + behind(m)[2];
    return (const struct gcmap *)(((uintptr_t)end + 7) & ~(uintptr_t)7);
}

static const struct gcmap *find(void *address) {
    for (const struct gcmap *m = &__start_smd_gcmaps; m < &__stop_smd_gcmaps; m = next(m))
        for (int32_t i = 0; i < m->points; i++)
            if (m->address[i] == address)
                return m;
    return NULL;
}

static void move(struct object **base) {
    struct object *o = *base;
    roots++;
    if (!o->forward) {
        o->forward = calloc(1, sizeof *o);
        o->forward->value = o->value;
        o->value = -1000000;
    }
    *base = o->forward;
}

/* Called with the return address into managed code, and the stack pointer after the return. */
void collect_now(void *address, char *sp);
void collect_now(void *address, char *sp) {
    collections++;
    for (int depth = 0;; depth++) {
        const struct gcmap *m = find(address);
        if (!m && depth == 0)
            exit(3);
        if (!m)
            return;
        for (int32_t i = 0; i < behind(m)[2]; i++)
            move((struct object **)(sp + behind(m)[3 + i]));
#if defined(__x86_64__)
        sp += 8 * (size_t)behind(m)[0];
        address = *(void **)sp;
        sp += 8;
#else
        return; /* where the link register is kept the table does not say */
#endif
    }
}

#if defined(__x86_64__)
__asm__(".globl collect\ncollect:\n\tmovq (%rsp), %rdi\n\tleaq 8(%rsp), %rsi\n\tsubq $8, %rsp\n\tcall collect_now\n"
        "\taddq $8, %rsp\n\tret\n");
#else
__asm__(".globl collect\ncollect:\n\tmov x0, x30\n\tmov x1, sp\n\tstp x29, x30, [sp, #-16]!\n\tbl collect_now\n"
        "\tldp x29, x30, [sp], #16\n\tret\n");
#endif

int main(void) {
    struct object *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b), *c = calloc(1, sizeof *c);
    a->value = 3;
    b->value = 40;
    c->value = 500;
#if defined(__x86_64__)
    enum { DEPTH = 5 };
#else
    enum { DEPTH = 0 };
#endif
    long sum = f(a, b, DEPTH), expected = 43 + 43 * DEPTH + (DEPTH + 1) * 3;
    if (DEPTH % 2)
        expected = 43 + 43 * DEPTH + (DEPTH + 1) / 2 * 43;
    long other = many(c, 1, 2, 3, 4, 5, 6, 7);
    printf("%ld, %ld; %d collections, %d roots\n", sum, other, collections, roots);
    if (sum != expected || other != 507 || __gcmap_f.points < 1 || also.points < 1 || collections < 3)
        return 1;
    if (behind(&__gcmap_many)[1] != 2 || behind(&__gcmap_f)[1] != 0) /* two arguments on the stack */
        return 2;
    return 0;
}
