/* old_names.c - intrinsics in bitcode of LLVM 3.7 to 4.0 get names that are none, for peek.c.
 *
 * Such bitcode has no string table. Its names are in the symbol table of the module, one character after the other, in
 * as many bits as an abbreviation says: no search for bytes finds them. So the stream is read here as far as that
 * table needs: the records of the module itself, with blocks in it skipped, and their abbreviations. What is
 * malformed ends the reading; LLVM then says what is wrong.
 */
#include "reading.h"

#include "memory.h"

#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_INFO = 0, BLOCK_MODULE = 8, BLOCK_SYMBOLS = 14 };
enum { END_BLOCK = 0, ENTER_BLOCK = 1, DEFINE_ABBREVIATION = 2, PLAIN_RECORD = 3, FIRST_ABBREVIATION = 4 };
enum { IS_LITERAL = 0, IS_FIXED = 1, IS_VBR = 2, IS_ARRAY = 3, IS_CHAR6 = 4, IS_BLOB = 5 };
enum { SYMBOL_ENTRY = 1, SYMBOL_FUNCTION = 3, SET_BLOCK = 1 }; /* codes of records */
enum { TOP_WIDTH = 2, WORD = 32, RECORD_VBR = 6, PARTS_MAX = 32, ABBREVIATIONS_MAX = 64 };

/* How one operand is written: its kind, and a literal's value or the bits that it takes. */
struct part {
    unsigned kind;
    uint64_t value;
};

struct abbreviation {
    unsigned count;
    struct part part[PARTS_MAX];
};

struct abbreviations {
    unsigned count;
    struct abbreviation item[ABBREVIATIONS_MAX];
};

/* The stream, and what is known while it is read. */
struct stream {
    unsigned char *bytes;
    size_t end, at;                       /* in bits */
    int failed;                           /* boolean */
    struct abbreviations module, symbols; /* which block 0 gives these blocks; their own come after */
};

/* An operand of a record, and where it stands. */
struct operand {
    uint64_t value;
    size_t at;
    struct part how;
};

enum { KEPT = 8 }; /* operands of a record: a function's value, its offset, and the first letters of its name */

struct record {
    size_t count; /* with those that are not kept; the code is the first */
    struct operand operand[KEPT];
};

/* ---- Bits --------------------------------------------------------------------------------------------------------- */

/* The next WIDTH bits, at most 64. */
static uint64_t take(struct stream *s, unsigned width) {
    uint64_t v = 0;
    if (width > 64 || s->end - s->at < width) {
        s->failed = 1;
        s->at = s->end;
        return 0;
    }
    for (unsigned i = 0; i < width; i++, s->at++)
        v |= (uint64_t)(s->bytes[s->at / 8] >> (s->at % 8) & 1) << i;
    return v;
}

/* A number in groups of WIDTH bits, each with whether another follows. */
static uint64_t take_vbr(struct stream *s, unsigned width) {
    uint64_t v = 0, more = 1;
    if (width < 2 || width > WORD)
        s->failed = 1;
    for (unsigned shift = 0; more && !s->failed && shift < 64; shift += width - 1) {
        uint64_t group = take(s, width);
        more = group >> (width - 1);
        v |= (group & (((uint64_t)1 << (width - 1)) - 1)) << shift;
    }
    return v;
}

static void skip_bits(struct stream *s, uint64_t bits) {
    if (bits > s->end - s->at) {
        s->failed = 1;
        bits = s->end - s->at;
    }
    s->at += bits;
}

static void align_to_word(struct stream *s) {
    skip_bits(s, (WORD - s->at % WORD) % WORD);
}

static void put_in(struct stream *s, size_t at, unsigned width, uint64_t v) {
    for (unsigned i = 0; i < width; i++, at++) {
        unsigned char bit = (unsigned char)(1u << (at % 8));
        s->bytes[at / 8] = (unsigned char)(v >> i & 1 ? s->bytes[at / 8] | bit : s->bytes[at / 8] & ~bit);
    }
}

/* ---- Records ------------------------------------------------------------------------------------------------------ */

/* "a" to "z", "A" to "Z", "0" to "9", "." and "_", from 0 on. */
static const char six_bits[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

static void take_operand(struct stream *s, struct part how, struct record *r) {
    struct operand o = {.at = s->at, .how = how, .value = how.value};
    if (how.kind == IS_FIXED)
        o.value = take(s, (unsigned)how.value);
    else if (how.kind == IS_VBR)
        o.value = how.value ? take_vbr(s, (unsigned)how.value) : 0;
    else if (how.kind == IS_CHAR6)
        o.value = (unsigned char)six_bits[take(s, 6)];
    if (r->count < KEPT)
        r->operand[r->count] = o;
    r->count++;
}

/* Reads the rest of a record, after its abbreviation's number ID; OWN are the block's. */
static void take_record(struct stream *s, const struct abbreviations *own, uint64_t id, struct record *r) {
    static const struct part plain = {.kind = IS_VBR, .value = RECORD_VBR};
    r->count = 0;
    if (id == PLAIN_RECORD) {
        take_operand(s, plain, r);
        uint64_t n = take_vbr(s, RECORD_VBR);
        for (uint64_t i = 0; i < n && !s->failed; i++)
            take_operand(s, plain, r);
        return;
    }
    if (id - FIRST_ABBREVIATION >= own->count) {
        s->failed = 1;
        return;
    }
    const struct abbreviation *a = &own->item[id - FIRST_ABBREVIATION];
    for (unsigned i = 0; i < a->count && !s->failed; i++) {
        if (a->part[i].kind == IS_BLOB) {
            uint64_t n = take_vbr(s, RECORD_VBR);
            align_to_word(s);
            skip_bits(s, n < s->end ? 8 * n : n);
            align_to_word(s);
        } else if (a->part[i].kind == IS_ARRAY && i + 1 < a->count) {
            uint64_t n = take_vbr(s, RECORD_VBR);
            for (uint64_t k = 0; k < n && !s->failed; k++)
                take_operand(s, a->part[i + 1], r);
            i++;
        } else {
            take_operand(s, a->part[i], r);
        }
    }
}

/* Reads a definition into TO, or past it if TO is NULL. */
static void take_abbreviation(struct stream *s, struct abbreviations *to) {
    struct abbreviation a = {.count = (unsigned)take_vbr(s, 5)};
    if (a.count > PARTS_MAX || (to && to->count == ABBREVIATIONS_MAX))
        s->failed = 1;
    for (unsigned i = 0; i < a.count && !s->failed; i++) {
        struct part *p = &a.part[i];
        p->kind = take(s, 1) ? IS_LITERAL : (unsigned)take(s, 3);
        if (p->kind == IS_LITERAL)
            p->value = take_vbr(s, 8);
        else if (p->kind == IS_FIXED || p->kind == IS_VBR)
            p->value = take_vbr(s, 5);
    }
    if (to && !s->failed)
        to->item[to->count++] = a;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------- */

/* Passes the head of a block after its number, its words in *WORDS. The width of its abbreviations' numbers. */
static unsigned enter(struct stream *s, uint64_t *words) {
    unsigned width = (unsigned)take_vbr(s, 4);
    align_to_word(s);
    *words = take(s, WORD);
    if (!width || width > WORD)
        s->failed = 1;
    return width;
}

/* Reads the next record of a block, whose abbreviations are OWN and their numbers WIDTH bits. What is defined before it
 * goes to TO (NULL: nowhere). 0 at the block's end. */
static int next_record(struct stream *s, unsigned width, const struct abbreviations *own, struct abbreviations *to,
                       struct record *r) {
    uint64_t id = END_BLOCK;
    while (!s->failed && (id = take(s, width)) == DEFINE_ABBREVIATION)
        take_abbreviation(s, to);
    if (s->failed || id == END_BLOCK)
        return 0;
    take_record(s, own, id, r); /* no block is in these; the number of one is no record's */
    return !s->failed;
}

/* Reads block 0, which has abbreviations of others. */
static void take_block_info(struct stream *s, unsigned width) {
    static const struct abbreviations none;
    struct abbreviations *to = NULL;
    struct record r;
    while (next_record(s, width, &none, to, &r))
        if (r.count > 1 && r.operand[0].value == SET_BLOCK)
            to = r.operand[1].value == BLOCK_MODULE    ? &s->module
                 : r.operand[1].value == BLOCK_SYMBOLS ? &s->symbols
                                                       : NULL;
    align_to_word(s);
}

/* Writes V, a letter, as the operand is written. */
static void put_letter(struct stream *s, const struct operand *o, char v) {
    if (o->how.kind == IS_FIXED) {
        put_in(s, o->at, (unsigned)o->how.value, (unsigned char)v);
    } else if (o->how.kind == IS_CHAR6) {
        put_in(s, o->at, 6, (uint64_t)(strchr(six_bits, v) - six_bits));
    } else if (o->how.kind == IS_VBR && o->how.value == RECORD_VBR) { /* two groups, as the letter that was there */
        put_in(s, o->at, 5, (unsigned char)v & 31);
        put_in(s, o->at + 6, 5, (unsigned char)v >> 5);
    }
}

/* If the record's name begins with "llvm.", it begins with "llvmX" then. */
static void rename_symbol(struct stream *s, const struct record *r) {
    static const char prefix[] = "llvm.";
    enum { LEN = sizeof prefix - 1 };
    uint64_t code = r->count ? r->operand[0].value : 0;
    size_t name = code == SYMBOL_ENTRY ? 2 : 3;
    if ((code != SYMBOL_ENTRY && code != SYMBOL_FUNCTION) || r->count < name + LEN)
        return;
    for (size_t i = 0; i < LEN; i++)
        if (r->operand[name + i].value != (unsigned char)prefix[i])
            return;
    put_letter(s, &r->operand[name + LEN - 1], 'X');
}

/* Reads the symbol table. */
static void take_symbols(struct stream *s, unsigned width) {
    unsigned known = s->symbols.count;
    struct record r;
    while (next_record(s, width, &s->symbols, &s->symbols, &r))
        rename_symbol(s, &r);
    s->symbols.count = known;
    align_to_word(s);
}

/* Reads a module's block, or with IS_TOP what is around it. */
static void take_blocks(struct stream *s, unsigned width, int is_top) {
    unsigned known = s->module.count;
    struct record r;
    while (!s->failed && s->end - s->at >= WORD) {
        uint64_t id = take(s, width), words;
        if (id == ENTER_BLOCK) {
            uint64_t block = take_vbr(s, 8);
            unsigned inner = enter(s, &words);
            if (block == BLOCK_INFO)
                take_block_info(s, inner);
            else if (is_top && block == BLOCK_MODULE)
                take_blocks(s, inner, 0);
            else if (!is_top && block == BLOCK_SYMBOLS)
                take_symbols(s, inner);
            else
                skip_bits(s, words * WORD);
        } else if (is_top || id == END_BLOCK) {
            s->failed |= is_top;
            break;
        } else if (id == DEFINE_ABBREVIATION) {
            take_abbreviation(s, &s->module);
        } else {
            take_record(s, &s->module, id, &r);
        }
    }
    s->module.count = known;
    align_to_word(s);
}

void old_names_hide(char *bitcode, size_t len) {
    enum { WRAPPER = 20, OFFSET_AT = 8 };
    static const unsigned char wrapped[4] = {0xde, 0xc0, 0x17, 0x0b};
    uint32_t begin = 0;
    if (len >= WRAPPER && memcmp(bitcode, wrapped, sizeof wrapped) == 0)
        memcpy(&begin, bitcode + OFFSET_AT, sizeof begin);
    if (begin >= len)
        return;
    struct stream *s = xcalloc(1, sizeof *s);
    s->bytes = (unsigned char *)bitcode + begin;
    s->end = (len - begin) / 4 * WORD;
    skip_bits(s, WORD);
    take_blocks(s, TOP_WIDTH, 1);
    free(s);
}
