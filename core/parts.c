/* parts.c - the code of a large module is generated in parts, on as many threads as the job may have, and the parts' objects are
 * joined to the module's (elfjoin.h).
 *
 * How many parts there are, and what is in them, the module alone decides, so that the object does not tell how many threads made
 * it. Whatever is unusual, in the module (whole.c), in what LLVM says of a part, or in a part's object, has the module compiled
 * whole instead: parts never fail a compile.
 */
#include "parts.h"

#include "helpers.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS_MAX = 16,
    PART_BYTES = 12 << 10, /* of bitcode: what code generation takes for granted costs little beside it */
    FUNCTION_WEIGHT = 30,  /* of a function beside its instructions */
};

struct division {
    struct compile *c;
    LLVMMemoryBufferRef bitcode; /* owned */
    struct part part[PARTS_MAX];
    unsigned parts;
    atomic_uint next;     /* the part that the next idle thread takes */
    uint16_t *owner;      /* owned: see parts.h */
    uint32_t *weight;     /* owned: of each function; 0 if it is only declared */
    sm_join_local *local; /* owned, with its strings */
    size_t functions, locals;
    uint64_t sum; /* of the weights */
};

/* ---- Who owns what ---------------------------------------------------------------------------------------------- */

static uint32_t weigh(LLVMValueRef f) {
    uint32_t weight = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            weight++;
    return weight ? weight + FUNCTION_WEIGHT : 0;
}

static int by_address(const void *a, const void *b) {
    const LLVMComdatRef *x = a, *y = b;
    return ((uintptr_t)*x > (uintptr_t)*y) - ((uintptr_t)*x < (uintptr_t)*y);
}

/* The groups that several functions or variables are in, each as often as it is more than one's; *new*, sorted. */
static LLVMComdatRef *find_shared(const struct compile *c, size_t *count) {
    size_t n = 0, shared = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        n += LLVMGetComdat(f) != NULL;
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g))
        n += LLVMGetComdat(g) != NULL;
    LLVMComdatRef *list = calloc(n + 1, sizeof(LLVMComdatRef));
    n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && list; f = LLVMGetNextFunction(f))
        if (LLVMGetComdat(f))
            list[n++] = LLVMGetComdat(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && list; g = LLVMGetNextGlobal(g))
        if (LLVMGetComdat(g))
            list[n++] = LLVMGetComdat(g);
    if (list)
        qsort(list, n, sizeof(LLVMComdatRef), by_address);
    for (size_t i = 1; i < n; i++)
        if (list[i] == list[i - 1])
            list[shared++] = list[i];
    *count = shared;
    return list;
}

/* Functions in the module's order, in ranges of about one weight; what shares a group is part 0's, as variables are. */
static int share_out(struct division *d) {
    size_t shared, n = 0;
    uint64_t before = 0;
    LLVMComdatRef *groups = find_shared(d->c, &shared);
    for (LLVMValueRef f = LLVMGetFirstFunction(d->c->module); f && groups; f = LLVMGetNextFunction(f), n++) {
        LLVMComdatRef group = LLVMGetComdat(f);
        d->owner[n] = (uint16_t)(before * d->parts / (d->sum + 1));
        if (group && bsearch(&group, groups, shared, sizeof(LLVMComdatRef), by_address))
            d->owner[n] = 0;
        before += d->weight[n];
    }
    free(groups);
    return groups != NULL;
}

/* ---- What is the module's own ----------------------------------------------------------------------------------- */

static int by_symbol(const void *a, const void *b) {
    const sm_join_local *x = a, *y = b;
    return strcmp(x->symbol, y->symbol);
}

/* Private names are no symbols of the object: code is found by its place, data by a name that linkers leave out. */
static int add_local(struct division *d, LLVMValueRef v, int is_function, size_t n) {
    char name[40], *kept = NULL;
    size_t len;
    const char *own = LLVMGetValueName2(v, &len);
    LLVMLinkage linkage = LLVMGetLinkage(v);
    if (LLVMIsDeclaration(v) || (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage))
        return 1;
    part_name(is_function, n, name, sizeof name);
    if (linkage == LLVMInternalLinkage)
        kept = strdup(len ? own : name);
    else if (!is_function && asprintf(&kept, ".L%s", len ? own : name) < 0)
        kept = NULL;
    char *symbol = strdup(linkage == LLVMInternalLinkage && len ? own : name);
    d->local[d->locals++] = (sm_join_local){symbol, kept};
    return symbol && (kept || (linkage == LLVMPrivateLinkage && is_function));
}

static int list_locals(struct division *d) {
    size_t n = d->functions, i = 0;
    int ok = 1;
    for (LLVMValueRef g = LLVMGetFirstGlobal(d->c->module); g; g = LLVMGetNextGlobal(g))
        n++;
    d->local = calloc(n + 1, sizeof *d->local);
    if (!d->local)
        return 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(d->c->module); g && ok; g = LLVMGetNextGlobal(g))
        ok = add_local(d, g, 0, i++);
    i = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(d->c->module); f && ok; f = LLVMGetNextFunction(f))
        ok = add_local(d, f, 1, i++);
    qsort(d->local, d->locals, sizeof *d->local, by_symbol);
    return ok;
}

/* ---- The division ----------------------------------------------------------------------------------------------- */

static const char *divide(struct division *d) {
    size_t n = 0;
    d->bitcode = LLVMWriteBitcodeToMemoryBuffer(d->c->module);
    d->parts = (unsigned)(LLVMGetBufferSize(d->bitcode) / PART_BYTES);
    d->parts = d->parts > PARTS_MAX ? PARTS_MAX : d->parts;
    for (LLVMValueRef f = LLVMGetFirstFunction(d->c->module); f; f = LLVMGetNextFunction(f))
        d->functions++;
    d->weight = calloc(d->functions + 1, sizeof *d->weight);
    d->owner = calloc(d->functions + 1, sizeof *d->owner);
    if (!d->weight || !d->owner)
        return "memory is out";
    for (LLVMValueRef f = LLVMGetFirstFunction(d->c->module); f; f = LLVMGetNextFunction(f))
        d->sum += d->weight[n++] = weigh(f);
    if (d->parts < 2)
        return "it is small";
    return share_out(d) && list_locals(d) ? NULL : "memory is out";
}

static void work(void *arg) {
    struct division *d = arg;
    for (unsigned i; (i = atomic_fetch_add(&d->next, 1)) < d->parts;)
        part_compile(&d->part[i]);
}

static const char *compile_parts(struct division *d) {
    for (unsigned i = 0; i < d->parts; i++)
        d->part[i] = (struct part){
            .c = d->c, .bitcode = d->bitcode, .owner = d->owner, .functions = d->functions, .number = i};
    helpers_run(work, d);
    for (unsigned i = 0; i < d->parts; i++)
        if (d->part[i].said || !d->part[i].object)
            return "LLVM has something to say of its code";
    return NULL;
}

static const char *join_parts(struct division *d, sm_buf *out) {
    static const char damaged[] = "its parts cannot be joined";
    sm_elf elf[PARTS_MAX] = {0};
    char why[200] = "";
    sm_status s = SM_OK;
    for (unsigned i = 0; i < d->parts && s == SM_OK; i++)
        s = sm_elf_open(&elf[i], LLVMGetBufferStart(d->part[i].object), LLVMGetBufferSize(d->part[i].object), why,
                        sizeof why);
    if (s == SM_OK)
        s = sm_elf_join(elf, d->parts, d->local, d->locals, out, why, sizeof why);
    for (unsigned i = 0; i < d->parts; i++)
        sm_elf_close(&elf[i]);
    if (s != SM_OK)
        snprintf(d->c->parts_why, sizeof d->c->parts_why, "%s", why[0] ? why : damaged);
    return s == SM_OK ? NULL : d->c->parts_why;
}

static void end(struct division *d) {
    for (unsigned i = 0; i < d->parts; i++)
        if (d->part[i].object)
            LLVMDisposeMemoryBuffer(d->part[i].object);
    for (size_t i = 0; i < d->locals; i++) {
        free((char *)d->local[i].symbol);
        free((char *)d->local[i].name);
    }
    if (d->bitcode)
        LLVMDisposeMemoryBuffer(d->bitcode);
    free(d->local);
    free(d->owner);
    free(d->weight);
    free(d);
}

int parts_emit(struct compile *c, unsigned char **bytes, size_t *len) {
    struct division *d = NULL;
    sm_buf object;
    if (c->options->split == SM_SPLIT_NEVER)
        return 0;
    sm_buf_init(&object, SIZE_MAX / 4);
    c->whole_because = whole_because(c);
    if (!c->whole_because && !(d = calloc(1, sizeof *d)))
        c->whole_because = "memory is out";
    if (d) {
        d->c = c;
        c->whole_because = divide(d);
        if (!c->whole_because)
            c->whole_because = compile_parts(d);
        if (!c->whole_because)
            c->whole_because = join_parts(d, &object);
        c->parts = c->whole_because ? 1 : d->parts;
        end(d);
    }
    if (!c->whole_because)
        *bytes = sm_buf_take(&object, len);
    sm_buf_free(&object);
    return !c->whole_because;
}
