/* image.c - see image.h. */
#include "image.h"

#include "compact.h"
#include "error.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGN_MAX   ((uint64_t)1 << 16)
#define MAPPED_MAX  ((uint64_t)1 << 31) /* of one area: 32-bit distances do not reach past it */
#define TINY        ((size_t)1 << 20)   /* bytes that AArch64's tiny code model reaches across */
#define CODE_START  16 /* so that no safepoint, be it at a function's first byte, has the area's first address */
#define STACKMAPS   ".llvm_stackmaps"
#define SHT_CREL_19 0x40000014u /* LLVM 19's experimental compact relocations */

/* Refuses files that are not relocatable, or, unless this is a test without a loader, are for another machine. */
static sm_result check_header(struct image *im) {
    if (im->elf.type != ET_REL)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "This ELF file is linked; relocatable ones are loaded");
    if (im->loader && im->elf.machine != HOST_MACHINE)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "This object file is for another machine (%u; this one is %u)",
                    im->elf.machine, HOST_MACHINE);
    return SM_SUCCESS;
}

/* The area that a section belongs in; data that are constant once relocated (.data.rel.ro) go to the constants. */
static enum area area_of(const sm_elf_section *s) {
    if (s->flags & SHF_EXECINSTR)
        return AREA_CODE;
    int constant_once_relocated = strncmp(s->name, ".data.rel.ro", 12) == 0;
    return s->flags & SHF_WRITE && !constant_once_relocated ? AREA_DATA : AREA_CONST;
}

/* Bytes that must follow a section: after .eh_frame the word of zeros that ends it; after code one byte, so that
 * the return address of a call that ends it is still in the object. */
static size_t padding_of(const sm_elf_section *s) {
    return strcmp(s->name, ".eh_frame") == 0 ? 4 : s->flags & SHF_EXECINSTR ? 1 : 0;
}

/* Reserves section I its place in its area. Fails if it is compressed, too large or oddly aligned. */
static sm_result plan_section(struct image *im, size_t i) {
    const sm_elf_section *s = &im->elf.section[i];
    struct section *to = &im->section[i];
    uint64_t align = s->align ? s->align : 1;
    if (s->flags & SHF_COMPRESSED)
        return fail(im->err, SM_ERR_UNSUPPORTED, "Section %s is compressed", s->name);
    if (align & (align - 1) || align > ALIGN_MAX || s->size > MAPPED_MAX)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "Section %s has a size or alignment that is none", s->name);
    to->area = area_of(s);
    size_t *end = &im->demand.bytes[to->area];
    to->offset = (*end + align - 1) & ~(align - 1);
    if (im->demand.align[to->area] < align)
        im->demand.align[to->area] = align;
    to->bytes = s->size + padding_of(s);
    to->placed = 1;
    *end = to->offset + to->bytes;
    if (*end > MAPPED_MAX)
        return fail(im->err, SM_ERR_NO_SPACE, "The object needs more memory than 32-bit distances span");
    return SM_SUCCESS;
}

/* Lays out the thread-local variables: what has initial values comes first, which are among the constants. */
static sm_result plan_thread(struct image *im) {
    struct tls_module *m = NULL;
    for (int has_none = 0; has_none < 2; has_none++)
        for (size_t i = 1; i < im->elf.sections; i++) {
            const sm_elf_section *s = &im->elf.section[i];
            struct section *to = &im->section[i];
            uint64_t align = s->align ? s->align : 1;
            if (!(s->flags & SHF_ALLOC && s->flags & SHF_TLS) || (s->type == SHT_NOBITS) != has_none)
                continue;
            if (s->flags & SHF_COMPRESSED || align & (align - 1) || align > ALIGN_MAX || s->size > MAPPED_MAX)
                return fail(im->err, SM_ERR_INVALID_OBJECT, "Section %s has a size or alignment that is none",
                            s->name);
            m = im->tls ? im->tls : tls_new();
            if (!m)
                return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for thread-local variables");
            im->tls = m;
            to->is_thread = 1;
            to->area = AREA_CONST;
            to->in_block = (m->bytes + align - 1) & ~(align - 1);
            m->bytes = to->in_block + s->size;
            m->align = m->align < align ? align : m->align;
            if (m->bytes > MAPPED_MAX)
                return fail(im->err, SM_ERR_NO_SPACE, "The object has too many thread-local variables");
            if (!has_none)
                m->image_bytes = m->bytes;
            to->placed = !has_none && s->size;
            to->bytes = s->size;
        }
    return SM_SUCCESS;
}

/* Reserves what the thread-local variables begin with its place among the constants. */
static void place_thread(struct image *im) {
    size_t *end = &im->demand.bytes[AREA_CONST];
    if (!im->tls || !im->tls->image_bytes)
        return;
    im->tls_image = (*end + im->tls->align - 1) & ~(im->tls->align - 1);
    *end = im->tls_image + im->tls->image_bytes;
    if (im->demand.align[AREA_CONST] < im->tls->align)
        im->demand.align[AREA_CONST] = im->tls->align;
    im->tls_is_zero = 1;
    for (size_t i = 1; i < im->elf.sections; i++)
        if (im->section[i].is_thread && im->section[i].placed) {
            im->section[i].offset = im->tls_image + im->section[i].in_block;
            sm_slice bytes = im->elf.section[i].bytes;
            for (size_t k = 0; im->tls_is_zero && k < bytes.len; k++)
                im->tls_is_zero = bytes.data[k] == 0;
        }
}

/* Plans where each allocated section goes, and finds the stackmaps. Empty code has a place too: a function that is
 * never reached may have no instructions, and yet an address and an unwind entry. Fails if sections claim more
 * bytes than the file has. */
static sm_result plan(struct image *im) {
    sm_result r = plan_thread(im);
    size_t claimed = 0;
    im->demand.bytes[AREA_CODE] = CODE_START;
    for (size_t i = 1; r == SM_SUCCESS && i < im->elf.sections; i++) {
        const sm_elf_section *s = &im->elf.section[i];
        if (s->type == SHT_REL || s->type == SHT_CREL_19)
            r = fail(im->err, SM_ERR_UNSUPPORTED, "%s has relocations of a kind that is not read (SHT_RELA is)",
                     s->name);
        else if (strcmp(s->name, STACKMAPS) == 0 && s->type != SHT_NOBITS)
            im->stackmap = im->stackmap ? im->stackmap : i;
        else if (s->flags & SHF_ALLOC && !(s->flags & SHF_TLS) && (s->size || s->flags & SHF_EXECINSTR))
            r = plan_section(im, i);
        if (strcmp(s->name, SM_COMPACT_SECTION) == 0 && im->section[i].placed && !im->compact)
            im->compact = i;
        claimed += im->section[i].placed ? s->bytes.len : 0;
        if (r == SM_SUCCESS && claimed > im->elf.file.len)
            r = fail(im->err, SM_ERR_INVALID_OBJECT, "Sections overlap in the file");
    }
    if (r == SM_SUCCESS)
        place_thread(im);
    return r;
}

/* Adds COUNT elements of SIZE bytes to an area; gives their offset. */
static size_t extend(struct image *im, enum area area, size_t count, size_t size) {
    size_t at = (im->demand.bytes[area] + size - 1) & ~(size - 1);
    im->demand.bytes[area] = count ? at + count * size : im->demand.bytes[area];
    return at;
}

/* Reads common symbols, which need a place even if this object never uses them, and ifuncs, which need a stub. */
static sm_result scan_symbols(struct image *im) {
    sm_result r = SM_SUCCESS;
    for (size_t i = 1; r == SM_SUCCESS && i < im->elf.symbols; i++) {
        sm_elf_symbol e;
        struct symbol *s;
        if (sm_elf_symbol_at(&im->elf, i, &e) == SM_OK && (e.section == SHN_COMMON || e.type == STT_GNU_IFUNC))
            r = image_symbol(im, (uint32_t)i, &s);
    }
    return r;
}

/* Scans relocations and symbols, and plans the space for the GOT and the stubs that they need. */
static sm_result scan(struct image *im) {
    sm_result r = scan_relocations(im);
    if (r == SM_SUCCESS)
        r = scan_symbols(im);
    if (r == SM_SUCCESS)
        r = find_thread_outside(im);
    if (im->needs_got && !im->gots)
        im->gots = 1;
    im->got_offset = extend(im, AREA_CONST, im->gots, 8);
    im->stub_offset = extend(im, AREA_CODE, im->stubs, STUB_ROOM);
    return r;
}

sm_result image_open(struct image *im, sm_loader *loader, const void *object, size_t len, sm_error *err) {
    char why[256] = "Out of memory";
    *im = (struct image){.loader = loader, .err = err, .memory = -1, .module_entry = NOWHERE, .tls_is_zero = 1};
    sm_buf_init(&im->chain_uses, MAPPED_MAX);
    sm_status s = sm_elf_open(&im->elf, object, len, why, sizeof why);
    if (s != SM_OK)
        return fail(err, s == SM_NOMEM ? SM_ERR_NO_MEMORY : SM_ERR_INVALID_OBJECT, "%s", why);
    im->section = calloc(im->elf.sections + 1, sizeof *im->section);
    im->symbol = calloc(im->elf.symbols + 1, sizeof *im->symbol);
    sm_result r = im->section && im->symbol ? check_header(im) : fail(err, SM_ERR_NO_MEMORY, "%s", why);
    if (r == SM_SUCCESS)
        r = plan(im);
    if (r == SM_SUCCESS)
        r = scan(im);
    if (r == SM_SUCCESS && im->chain_uses.status != SM_OK)
        r = fail(err, SM_ERR_NO_MEMORY, "%s", why);
    if (im->needs_low)
        im->demand.below = (uintptr_t)1 << 31;
    if (im->needs_tiny)
        im->demand.within = TINY;
    return r;
}

void image_close(struct image *im) {
    for (int a = 0; a < AREAS; a++)
        if (im->span[a].is_shared)
            free(im->host[a]);
    if (im->memory >= 0)
        close(im->memory);
    im->memory = -1;
    sm_elf_close(&im->elf);
    free(im->section);
    free(im->symbol);
    free(im->stackmap_bytes);
    tls_free(im->tls);
    tls_free(im->tls_libraries);
    im->tls = im->tls_libraries = NULL;
    sm_buf_free(&im->chain_uses);
    im->section = NULL;
    im->symbol = NULL;
    im->stackmap_bytes = NULL;
}

/* Sets where section I is found and written, and copies its bytes there. */
static void copy_section(struct image *im, size_t i) {
    struct section *to = &im->section[i];
    sm_slice bytes = im->elf.section[i].bytes;
    to->address = im->span[to->area].start + to->offset;
    to->host = image_host(im, to->area, to->address);
    if (bytes.len)
        memcpy(to->host, bytes.data, bytes.len);
}

/* Copies LLVM's stackmap to a buffer of its own: it is needed only while the walker's map is made of it. */
static sm_result copy_stackmap(struct image *im) {
    sm_slice bytes = im->elf.section[im->stackmap].bytes;
    im->stackmap_bytes = malloc(bytes.len ? bytes.len : 1);
    if (!im->stackmap_bytes)
        return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the stackmap");
    if (bytes.len)
        memcpy(im->stackmap_bytes, bytes.data, bytes.len);
    im->section[im->stackmap].host = im->stackmap_bytes;
    return SM_SUCCESS;
}

/* Sets where each area is written: in place, or, if its pages are shared with other objects, in a zeroed buffer. */
static sm_result find_hosts(struct image *im) {
    for (int a = 0; a < AREAS; a++) {
        const struct span *s = &im->span[a];
        im->host[a] = s->is_shared ? calloc(1, s->bytes) : (unsigned char *)s->start;
        if (s->is_shared && !im->host[a])
            return fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object");
    }
    return SM_SUCCESS;
}

sm_result image_fill(struct image *im) {
    sm_result r = find_hosts(im);
    if (r != SM_SUCCESS)
        return r;
    im->got = im->span[AREA_CONST].start + im->got_offset;
    im->stub = im->span[AREA_CODE].start + im->stub_offset;
    for (size_t i = 1; i < im->elf.sections; i++)
        if (im->section[i].placed)
            copy_section(im, i);
    if (im->stackmap)
        r = copy_stackmap(im);
    if (im->tls)
        im->tls->image = (const void *)(im->span[AREA_CONST].start + im->tls_image);
    if (r == SM_SUCCESS && im->tls_needs_offset)
        r = tls_place(im->tls, im->tls_is_zero, im->err);
    return r == SM_SUCCESS ? apply_relocations(im) : r;
}

/* Brings an area to its place: writes it from its buffer if its pages are shared, else gives its pages their
 * protection. */
static sm_result place(struct image *im, enum area a, int protection, const char *what) {
    const struct span *s = &im->span[a];
    if (s->bytes && s->is_shared && !memory_write(im->memory, s->start, im->host[a], s->bytes))
        return fail(im->err, SM_ERR_SYSTEM, "Memory cannot be written");
    if (s->bytes && !s->is_shared && mprotect((void *)s->start, s->bytes, protection) != 0)
        return fail(im->err, SM_ERR_SYSTEM, "Memory cannot be made %s", what);
    return SM_SUCCESS;
}

int image_patch(const struct image *im, uintptr_t at, const void *data, size_t len) {
    if (im->span[AREA_CONST].is_shared)
        return memory_write(im->memory, at, data, len);
    memcpy((void *)at, data, len);
    return 1;
}

sm_result image_place(struct image *im) {
    const struct span *code = &im->span[AREA_CODE];
    sm_result r = place(im, AREA_CODE, PROT_READ | PROT_EXEC, "executable");
    if (r == SM_SUCCESS)
        r = place(im, AREA_CONST, PROT_READ | PROT_WRITE, "writable");
    if (r == SM_SUCCESS)
        r = place(im, AREA_DATA, PROT_READ | PROT_WRITE, "writable");
    for (size_t i = 1; i < im->elf.sections; i++)
        if (im->section[i].placed)
            im->section[i].host = (unsigned char *)im->section[i].address;
    if (r == SM_SUCCESS) {
        __builtin___clear_cache((char *)code->start, (char *)code->start + code->bytes);
        r = choose_functions(im);
    }
    if (r == SM_SUCCESS && !im->span[AREA_CONST].is_shared)
        r = place(im, AREA_CONST, PROT_READ, "constant");
    if (r == SM_SUCCESS && im->tls_needs_offset)
        r = tls_fill(im->tls, im->err);
    return r;
}
