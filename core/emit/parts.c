/* parts.c - the code of a large module is generated in parts, on as many threads as the job may have, and the parts'
 * objects are joined to the module's (elfjoin.h).
 *
 * How many parts there are, and what is in them, the module alone decides, so that the object does not depend on how many
 * threads made it. With split=functions parts are units (part.c), small ones, whose objects may be an earlier
 * compile's. Whatever is unusual, in the module (unsplittable.c), in what LLVM says of a part, or in a part's object,
 * has the module compiled unsplit instead: parts never fail a compile.
 */
#include "parts.h"
#include "elfjoin.h"
#include "emit.h"
#include "emitting.h"
#include "fatal_errors.h"
#include "helpers.h"
#include "ir.h"
#include "reuse.h"
#include "target.h"

#include <llvm-c/BitWriter.h>
#include <stdatomic.h>

enum {
    PARTS_MAX = 16,
    PART_WEIGHT = 850,    /* about 12 KB of bitcode: what code generation takes for granted costs little beside it */
    UNITS_USUAL = 128,    /* about as many units as a module has at most: each reads the entire module's tables */
    UNIT_WEIGHT = 140,    /* about 2 KB of bitcode */
    FUNCTION_WEIGHT = 30, /* of a function beside its instructions */
};

struct division {
    struct compile *c;
    LLVMMemoryBufferRef bitcode; /* owned */
    struct part *part;           /* owned */
    unsigned parts;
    atomic_uint next;           /* the part that the next idle thread takes */
    struct functions functions; /* owned */
    struct part *chunk;         /* owned: of units; see part.c */
    unsigned chunks, in_chunk;  /* how many there are, and units in each but the last */
    uint16_t *chunk_owner;      /* owned: owners of the functions of all chunks, one chunk after the other */
    sm_join_local *local;       /* owned, with its strings */
    size_t locals;
    sm_buf settings; /* see parts.h */
};

/* 1 if the module is divided into units (split=functions) instead of parts. */
static int in_units(const struct division *d) {
    return d->c->options->split == SM_SPLIT_FUNCTIONS;
}

/* ---- What is the module's own ----------------------------------------------------------------------------------- */

static int by_symbol(const void *a, const void *b) {
    const sm_join_local *x = a, *y = b;
    return strcmp(x->symbol, y->symbol);
}

/* Adds V to the locals if it is a definition that is internal or private: its symbol in the parts' objects, and
 * the name it keeps (none for private functions, which are no symbols). */
static void add_local(struct division *d, LLVMValueRef v, int is_function, size_t n) {
    char *kept = NULL;
    size_t len;
    const char *own = LLVMGetValueName2(v, &len);
    LLVMLinkage linkage = LLVMGetLinkage(v);
    if (LLVMIsDeclaration(v) || (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage))
        return;
    char *symbol = linkage == LLVMInternalLinkage && len ? xstrdup(own) : part_name(v, is_function, n);
    if (linkage == LLVMInternalLinkage)
        kept = xstrdup(symbol);
    else if (!is_function)
        kept = part_symbol(".L%s", len ? own : symbol);
    d->local[d->locals++] = (sm_join_local){symbol, kept};
}

/* Lists all internal and private definitions of the module, sorted by symbol. */
static void list_locals(struct division *d) {
    size_t n = d->functions.with_body, i = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(d->c->module); g; g = LLVMGetNextGlobal(g))
        n++;
    d->local = xcalloc(n + 1, sizeof *d->local);
    for (LLVMValueRef g = LLVMGetFirstGlobal(d->c->module); g; g = LLVMGetNextGlobal(g))
        add_local(d, g, 0, i++);
    i = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(d->c->module); f; f = LLVMGetNextFunction(f))
        add_local(d, f, 1, i++);
    qsort(d->local, d->locals, sizeof *d->local, by_symbol);
}

/* ---- The division ----------------------------------------------------------------------------------------------- */

/* How much work the code of F is: its instructions, and a constant. */
static uint32_t weigh(LLVMValueRef f) {
    uint32_t weight = 0;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        weight++;
    return weight + FUNCTION_WEIGHT;
}

/* Lists the functions with a body and their weights. */
static void list_functions(const struct compile *c, struct functions *f) {
    size_t n = 0;
    for (LLVMValueRef v = LLVMGetFirstFunction(c->module); v; v = LLVMGetNextFunction(v))
        f->with_body += !LLVMIsDeclaration(v);
    f->function = xcalloc(f->with_body + 1, sizeof(LLVMValueRef));
    f->weight = xcalloc(f->with_body + 1, sizeof *f->weight);
    f->owner = xcalloc(f->with_body + 1, sizeof *f->owner);
    for (LLVMValueRef v = LLVMGetFirstFunction(c->module); v; v = LLVMGetNextFunction(v))
        if (!LLVMIsDeclaration(v))
            f->function[n++] = v;
    for (n = 0; n < f->with_body; n++)
        f->sum += f->weight[n] = weigh(f->function[n]);
}

/* Writes into D->settings all that a unit's code depends on but its bitcode: compiler, options, triple, flags.
 * Options that only say where parts come from are left out, as they change no code. */
static void describe_settings(struct division *d) {
    sm_options o = *d->c->options;
    sm_slice context = d->c->reuse->context;
    sm_buf options;
    sm_buf_init(&options, SIZE_MAX / 4);
    sm_buf_init(&d->settings, SIZE_MAX / 4);
    o.incremental[0] = 0;
    sm_options_text(&o, 1, &options);
    sm_buf_puts(&d->settings, "smd unit 1\n");
    sm_buf_put_str(&d->settings, (const char *)context.data, context.len);
    sm_buf_put_str(&d->settings, (const char *)options.data, options.len);
    sm_buf_put_str(&d->settings, d->c->triple, strlen(d->c->triple));
    flags_text(d->c, 1, &d->settings);
    sm_buf_puts(&d->settings, "\n");
    xstatus(options.status);
    xstatus(d->settings.status);
    sm_buf_free(&options);
}

/* N, but no less than LEAST and no more than MOST. */
static unsigned between(size_t n, unsigned least, unsigned most) {
    return n < least ? least : n > most ? most : (unsigned)n;
}

/* Decides which part or unit each function is in, and writes the module's bitcode. The functions' instructions alone
 * decide, and not the bitcode's bytes: final IR that is posted again has other marks and metadata. NULL, or the reason
 * why the module is compiled unsplit. */
static const char *divide(struct division *d) {
    static const char small[] = "it is small";
    list_functions(d->c, &d->functions);
    uint64_t sum = d->functions.sum;
    if (sum < 2 * (in_units(d) ? UNIT_WEIGHT : PART_WEIGHT))
        return small;
    if (in_units(d)) {
        describe_settings(d);
        d->parts = groups_by_name(d->c, &d->functions, between(sum / UNIT_WEIGHT, 2, UNITS_USUAL));
    } else {
        d->parts = between(sum / PART_WEIGHT, 2, PARTS_MAX);
        groups_by_weight(d->c, &d->functions, d->parts);
    }
    if (d->parts == 1)
        return small;
    d->bitcode = LLVMWriteBitcodeToMemoryBuffer(d->c->module);
    d->part = xcalloc(d->parts + 1, sizeof *d->part);
    list_locals(d);
    return NULL;
}

/* Compiles one part (ARG), a unit if it has settings. */
static void compile_part(void *arg) {
    struct part *p = arg;
    (p->settings.data ? unit_compile : part_compile)(p);
}

/* A thread's work: compiles parts until none is left. A part that LLVM gives up over has no object: the whole is then
 * compiled, which fails in its place. */
static void work(void *arg) {
    struct division *d = arg;
    for (unsigned i; (i = atomic_fetch_add(&d->next, 1)) < d->parts;)
        d->part[i].declared |= fatal_guard(compile_part, &d->part[i]);
}

/* A thread's work: reads chunks of units until none is left. */
static void work_on_chunks(void *arg) {
    struct division *d = arg;
    for (unsigned i; (i = atomic_fetch_add(&d->next, 1)) < d->chunks;)
        unit_read_chunk(&d->chunk[i]);
}

/* Runs WHAT on all threads, from the first part or chunk on. */
static void run(struct division *d, void (*what)(void *arg)) {
    atomic_store(&d->next, 0);
    helpers_run(what, d);
}

/* Reads the module in chunks of units, as many as units in each, so that the module's tables are read least often;
 * each unit's bitcode is then its chunk's. 0 if LLVM says anything. */
static int read_chunks(struct division *d) {
    const struct functions *f = &d->functions;
    size_t n = 0;
    while (d->in_chunk * d->in_chunk < d->parts)
        d->in_chunk++;
    d->chunks = (d->parts + d->in_chunk - 1) / d->in_chunk;
    d->chunk = xcalloc(d->chunks, sizeof *d->chunk);
    d->chunk_owner = xcalloc(f->with_body + 1, sizeof *d->chunk_owner);
    for (unsigned i = 0; i < d->chunks; i++) {
        unsigned first = i * d->in_chunk, last = first + d->in_chunk - 1;
        d->chunk[i] = d->part[first];
        d->chunk[i].last = last;
        for (unsigned u = first; u <= last && u < d->parts; u++)
            d->part[u].owner = &d->chunk_owner[n];
        for (size_t k = 0; k < f->with_body; k++)
            if (f->owner[k] >= first && f->owner[k] <= last)
                d->chunk_owner[n++] = f->owner[k];
    }
    run(d, work_on_chunks);
    for (unsigned u = 0; u < d->parts; u++)
        if (!(d->part[u].bitcode = d->chunk[u / d->in_chunk].object) || d->chunk[u / d->in_chunk].declared)
            return 0;
    return 1;
}

/* Puts the units' objects into the table for later compiles, which owns them from here on. */
static void keep_units(struct division *d) {
    for (unsigned i = 0; i < d->parts; i++) {
        struct part *p = &d->part[i];
        if (p->created.data && !p->declared)
            reuse_add(d->c->reuse, p->key, p->created, p->object);
        else if (p->object)
            LLVMDisposeMemoryBuffer(p->object);
        p->object = NULL;
    }
}

/* Compiles all parts on the threads there are. NULL, or the reason why the module is compiled unsplit. */
static const char *compile_parts(struct division *d) {
    static const char declared[] = "LLVM has something to say of its code";
    int all = 1;
    for (unsigned i = 0; i < d->parts; i++)
        d->part[i] = (struct part){.c = d->c,
                                   .bitcode = d->bitcode,
                                   .owner = d->functions.owner,
                                   .first = i,
                                   .last = i,
                                   .settings = {d->settings.data, d->settings.len}};
    if (in_units(d) && !read_chunks(d))
        return declared;
    run(d, work);
    for (unsigned i = 0; i < d->parts; i++) {
        struct part *p = &d->part[i];
        all &= !p->declared && (in_units(d) ? p->numbered != NULL : p->object != NULL);
        if (p->object && !in_units(d))
            p->created =
                (sm_slice){(const unsigned char *)LLVMGetBufferStart(p->object), LLVMGetBufferSize(p->object)};
    }
    if (in_units(d))
        keep_units(d);
    return all ? NULL : declared;
}

/* Joins the parts' objects to one in OUT. NULL, or the reason why the module is compiled unsplit. */
static const char *join_parts(struct division *d, sm_buf *out) {
    static const char damaged[] = "its parts cannot be joined";
    sm_elf *elf = xcalloc(d->parts, sizeof *elf);
    char why[200] = "";
    sm_status s = SM_OK;
    for (unsigned i = 0; i < d->parts && s == SM_OK; i++) {
        const struct part *p = &d->part[i];
        s = sm_elf_open(&elf[i], p->numbered ? p->numbered : p->created.data, p->created.len, why, sizeof why);
    }
    if (s == SM_OK)
        s = sm_elf_join(elf, d->parts, d->local, d->locals, out, why, sizeof why);
    for (unsigned i = 0; i < d->parts; i++)
        sm_elf_close(&elf[i]);
    free(elf);
    if (xstatus(s) != SM_OK)
        snprintf(d->c->parts_why, sizeof d->c->parts_why, "%s", why[0] ? why : damaged);
    return s == SM_OK ? NULL : d->c->parts_why;
}

/* Frees the division and all that it owns. */
static void end(struct division *d) {
    for (unsigned i = 0; d->part && i < d->parts; i++) {
        if (d->part[i].object)
            LLVMDisposeMemoryBuffer(d->part[i].object);
        free(d->part[i].numbered);
    }
    for (size_t i = 0; i < d->locals; i++) {
        free((char *)d->local[i].symbol);
        free((char *)d->local[i].name);
    }
    if (d->bitcode)
        LLVMDisposeMemoryBuffer(d->bitcode);
    for (unsigned i = 0; d->chunk && i < d->chunks; i++)
        if (d->chunk[i].object)
            LLVMDisposeMemoryBuffer(d->chunk[i].object);
    sm_buf_free(&d->settings);
    free(d->chunk);
    free(d->chunk_owner);
    free(d->part);
    free(d->local);
    free(d->functions.function);
    free(d->functions.owner);
    free(d->functions.weight);
    free(d);
}

/* How many units' objects are an earlier compile's. */
static unsigned count_earlier(const struct division *d) {
    unsigned n = 0;
    for (unsigned i = 0; i < d->parts; i++)
        n += d->part[i].is_earlier != 0;
    return n;
}

/* Generates the module's code in parts, and joins them: 1, and the object in *BYTES, *new*. 0 if the module has to
 * be compiled unsplit; C->unsplittable_because says why. The module stays as it was. */
int parts_emit(struct compile *c, unsigned char **bytes, size_t *len) {
    sm_buf object;
    if (c->options->split == SM_SPLIT_NEVER)
        return 0;
    sm_buf_init(&object, SIZE_MAX / 4);
    c->parts = 1;
    c->parts_taken = 0;
    assert(c->reuse || c->options->split == SM_SPLIT_AUTO);
    c->unsplittable_because = unsplittable_because(c);
    if (!c->unsplittable_because) {
        struct division *d = xcalloc(1, sizeof *d);
        d->c = c;
        c->unsplittable_because = divide(d);
        if (!c->unsplittable_because)
            c->unsplittable_because = compile_parts(d);
        if (!c->unsplittable_because)
            c->unsplittable_because = join_parts(d, &object);
        c->parts = c->unsplittable_because ? 1 : d->parts;
        c->parts_taken = c->unsplittable_because ? 0 : count_earlier(d);
        end(d);
    }
    if (!c->unsplittable_because)
        *bytes = sm_buf_take(&object, len);
    sm_buf_free(&object);
    return !c->unsplittable_because;
}
