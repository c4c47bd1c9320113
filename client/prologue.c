/* prologue.c - a frame's rule from the function's code, for functions without an entry in .eh_frame.
 *
 * LLVM leaves the entry out for functions that nothing can unwind through (nounwind, without uwtable). Their prologues
 * are of a simple kind all the same: registers are saved and the frame is made before anything is called. A prologue
 * need not be a function's first code, as LLVM moves it behind an early exit; so it is looked for, and what is found
 * counts only if it makes a frame of just the size that the stackmap tells.
 */
#include "frames.h"

#include <string.h>

static int has_size(size_t frame_size) {
    return frame_size <= INT32_MAX - 8;
}

#if defined(__aarch64__)

struct scan {
    int64_t depth;    /* of the stack pointer below the CFA */
    int64_t fp_depth; /* of the frame pointer; -1 before it is set */
    uint32_t changed; /* bit N: register N has a value of this function's own */
    struct row row;
};

static int64_t bits(uint32_t i, unsigned low, unsigned count) {
    return (int64_t)(i >> low & ((1u << count) - 1));
}

static int64_t signed_bits(uint32_t i, unsigned low, unsigned count) {
    return (int64_t)((uint64_t)bits(i, low, count) << (64 - count)) >> (64 - count);
}

/* A register is saved if it is stored before it is changed. */
static void save(struct scan *s, int64_t reg, int64_t at) {
    int i = saved_index((unsigned)reg);
    if (i >= 0 && at % 8 == 0 && at < 0 && at / 8 >= INT16_MIN && !(s->changed >> reg & 1) && !s->row.saved[i])
        s->row.saved[i] = (int16_t)(at / 8);
}

/* Stores to the stack. x and d registers, one or two, the stack growing with it or not. */
static int read_store(struct scan *s, uint32_t i) {
    enum { PAIR_BEFORE, PAIR, ONE_BEFORE, ONE };
    static const struct {
        uint32_t mask, code;
        int form, general;
    } stores[] = {{0xffc003e0, 0xa98003e0, PAIR_BEFORE, 1}, {0xffc003e0, 0xa90003e0, PAIR, 1},
                  {0xffe00fe0, 0xf8000fe0, ONE_BEFORE, 1},  {0xffc003e0, 0xf90003e0, ONE, 1},
                  {0xffc003e0, 0x6d8003e0, PAIR_BEFORE, 0}, {0xffc003e0, 0x6d0003e0, PAIR, 0},
                  {0xffe00fe0, 0xfc000fe0, ONE_BEFORE, 0},  {0xffc003e0, 0xfd0003e0, ONE, 0}};
    size_t k = 0, count = sizeof stores / sizeof *stores;
    while (k < count && (i & stores[k].mask) != stores[k].code)
        k++;
    if (k == count)
        return 0;
    int form = stores[k].form, pair = form == PAIR || form == PAIR_BEFORE;
    int64_t n = pair ? 8 * signed_bits(i, 15, 7) : form == ONE_BEFORE ? signed_bits(i, 12, 9) : 8 * bits(i, 10, 12);
    if (form == PAIR_BEFORE || form == ONE_BEFORE) {
        s->depth -= n;
        n = 0;
    }
    if (stores[k].general)
        save(s, bits(i, 0, 5), n - s->depth);
    if (stores[k].general && pair)
        save(s, bits(i, 10, 5), n + 8 - s->depth);
    return 1;
}

static int read_arithmetic(struct scan *s, uint32_t i) {
    int64_t n = bits(i, 10, 12) << (i >> 22 & 1 ? 12 : 0);
    if ((i & 0xff8003ff) == 0xd10003ff) /* sub sp, sp, #n */
        s->depth += n;
    else if ((i & 0xff8003ff) == 0x910003fd) /* add x29, sp, #n */
        s->fp_depth = s->depth - n;
    else
        return 0;
    return 1;
}

static int is_branch(uint32_t i) {
    return (i & 0x7c000000) == 0x14000000 || (i & 0xff000000) == 0x54000000 || (i & 0x7c000000) == 0x34000000 ||
           (i & 0xfe000000) == 0xd6000000;
}

static uint32_t instruction(const unsigned char *at) {
    uint32_t i;
    memcpy(&i, at, sizeof i);
    return i;
}

/* Straight code from a store or a growth of the stack on. 1 if it makes the frame. */
static int read_prologue(const unsigned char *at, const unsigned char *end, size_t frame_size, struct scan *s) {
    *s = (struct scan){.fp_depth = -1};
    if (!read_store(s, instruction(at)) && !read_arithmetic(s, instruction(at)))
        return 0;
    for (at += 4; at + 4 <= end && !is_branch(instruction(at)); at += 4)
        if (!read_store(s, instruction(at)) && !read_arithmetic(s, instruction(at)))
            s->changed |= 1u << bits(instruction(at), 0, 5);
    if (!s->row.saved[saved_index(REG_LINK)])
        return 0;
    return has_size(frame_size) ? s->depth == (int64_t)frame_size : s->fp_depth >= 0;
}

struct row prologue_row(const unsigned char *start, size_t len, size_t frame_size) {
    struct scan s;
    const unsigned char *end = start + len;
    for (const unsigned char *at = start; at + 4 <= end; at += 4)
        if (read_prologue(at, end, frame_size, &s)) {
            s.row.cfa_register = has_size(frame_size) ? REG_SP : REG_FP;
            s.row.cfa_offset = (int32_t)(has_size(frame_size) ? (int64_t)frame_size : s.fp_depth);
            s.row.known = 1;
            return s.row;
        }
    return (struct row){0};
}

#else

/* pushq; *REG is the register's DWARF number. Gives the instruction's length, 0 if it is another one. */
static size_t read_push(const unsigned char *at, const unsigned char *end, unsigned *reg) {
    enum { PUSH = 0x50, REX_B = 0x41 };
    static const uint8_t low[8] = {0, 2, 1, 3, 7, 6, 4, 5}; /* of rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi */
    if (end - at >= 1 && (at[0] & 0xf8) == PUSH) {
        *reg = low[at[0] & 7];
        return 1;
    }
    if (end - at >= 2 && at[0] == REX_B && (at[1] & 0xf8) == PUSH) {
        *reg = 8 + (at[1] & 7);
        return 2;
    }
    return 0;
}

static size_t skip(const unsigned char *at, const unsigned char *end, const char *bytes, size_t n) {
    return (size_t)(end - at) >= n && memcmp(at, bytes, n) == 0 ? n : 0;
}

/* subq $n, %rsp; 0 if it is another instruction. */
static uint32_t read_growth(const unsigned char *at, const unsigned char *end) {
    uint32_t n = 0;
    if (end - at >= 4 && skip(at, end, "\x48\x83\xec", 3))
        n = at[3];
    else if (end - at >= 7 && skip(at, end, "\x48\x81\xec", 3))
        memcpy(&n, at + 3, sizeof n);
    return n;
}

/* Pushes and then the rest of the frame. 1 if that makes the frame. */
static int read_prologue(const unsigned char *at, const unsigned char *end, size_t frame_size, struct row *row) {
    unsigned reg;
    size_t n, words = 0;
    int has_fp = 0;
    *row = (struct row){0};
    while ((n = read_push(at, end, &reg)) != 0 && words < 16) {
        int i = saved_index(reg);
        words++;
        if (i >= 0 && !row->saved[i])
            row->saved[i] = (int16_t)(-1 - (int)words);
        at += n;
        n = reg == REG_FP ? skip(at, end, "\x48\x89\xe5", 3) : 0; /* movq %rsp, %rbp */
        has_fp |= n && words == 1;
        at += n;
    }
    return has_size(frame_size) ? 8 * words + read_growth(at, end) == frame_size : has_fp;
}

struct row prologue_row(const unsigned char *start, size_t len, size_t frame_size) {
    struct row row;
    const unsigned char *end = start + len;
    for (const unsigned char *at = start; at < end; at++)
        if (read_prologue(at, end, frame_size, &row)) {
            row.cfa_register = has_size(frame_size) ? REG_SP : REG_FP;
            row.cfa_offset = has_size(frame_size) ? (int32_t)frame_size + 8 : 16;
            row.known = 1;
            return row;
        }
    return (struct row){0};
}

#endif
