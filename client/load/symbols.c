/* symbols.c - which address a name has: in the object, in objects loaded before, or by the runtime's callback. */
#include "error.h"
#include "image.h"
#include "lazy.h"
#include "object.h"

#include <stdlib.h>
#include <string.h>

/* Finds the address of a name outside the object: an export of another object, its stub if calls are bound lazily,
 * or what the runtime's resolve gives. 0 if it is nowhere. */
static int find_outside(struct image *im, const char *name, uint64_t *address) {
    if (!im->loader || !name[0])
        return 0;
    const struct export *e = names_find(&im->loader->names, name);
    const sm_loader_options *o = &im->loader->options;
    if (e && e->module)
        return 0;
    if (e && e->is_code && o->resolve_call) {
        *address = lazy_stub(im->loader, name);
        return *address != 0;
    }
    *address = e ? e->address : o->resolve ? (uintptr_t)o->resolve(o->user, name) : 0;
    return *address != 0;
}

/* Recognises the symbols that linkers define: the GOT and the object's handle. 0 for any other. */
static int find_special(struct symbol *s) {
    if (strcmp(s->name, "_GLOBAL_OFFSET_TABLE_") == 0)
        s->state = SYMBOL_GOT;
    else if (strcmp(s->name, "__dso_handle") == 0)
        s->state = SYMBOL_HANDLE;
    else if (strcmp(s->name, "__tls_get_addr") == 0) {
        s->state = SYMBOL_EXTERNAL;
        s->value = (uintptr_t)tls_address;
    }
    return s->state != SYMBOL_NEW;
}

/* Finds a symbol that the object does not define: a linker's, one outside, with resolve_call a stub, or 0 if it is
 * weak. Fails if it is nowhere. */
static sm_result find_undefined(struct image *im, struct symbol *s, int weak) {
    if (find_special(s))
        return SM_SUCCESS;
    if (find_outside(im, s->name, &s->value)) {
        s->state = SYMBOL_EXTERNAL;
        return SM_SUCCESS;
    }
    if (!weak && im->loader && im->loader->options.resolve_call && s->name[0]) {
        s->state = SYMBOL_EXTERNAL; /* comes later: it can only be a function */
        s->value = lazy_stub(im->loader, s->name);
        return s->value ? SM_SUCCESS : fail(im->err, SM_ERR_NO_MEMORY, "Out of memory: no room for a stub");
    }
    if (!weak)
        return fail(im->err, SM_ERR_UNDEFINED_SYMBOL, "'%s' is not defined", s->name);
    s->state = SYMBOL_ABSOLUTE;
    s->value = 0;
    return SM_SUCCESS;
}

/* 1 if a definition outside the object is preferred to this one: it is weak and visible. */
static int gives_way(const sm_elf_symbol *e) {
    return e->bind == STB_WEAK && (e->visibility == STV_DEFAULT || e->visibility == STV_PROTECTED);
}

/* Finds a thread-local variable outside the object: of another object, or what the runtime's resolve gives. 0 if it is
 * nowhere. */
static int find_thread(struct image *im, struct symbol *s) {
    const struct export *e = im->loader ? names_find(&im->loader->names, s->name) : NULL;
    const sm_loader_options *o = im->loader ? &im->loader->options : NULL;
    s->state = SYMBOL_THREAD;
    if (e && e->module) {
        s->module = e->module;
        s->value = e->address;
        return 1;
    }
    s->outside = !e && o && o->resolve ? o->resolve(o->user, s->name) : NULL;
    return s->outside != NULL;
}

/* Finds a thread-local variable that the object defines, or not. Fails if it is nowhere. */
static sm_result find_thread_variable(struct image *im, struct symbol *s, const sm_elf_symbol *e) {
    if (!e->in_section && strcmp(s->name, "_TLS_MODULE_BASE_") == 0 && im->tls) {
        s->state = SYMBOL_THREAD;
        s->module = im->tls;
        return SM_SUCCESS;
    }
    if ((!e->in_section || gives_way(e)) && s->name[0] && find_thread(im, s))
        return SM_SUCCESS;
    if (!e->in_section)
        return fail(im->err, SM_ERR_UNDEFINED_SYMBOL, "'%s', which is thread-local, is not defined", s->name);
    if (!im->section[e->section].is_thread || e->value > im->elf.section[e->section].size)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "'%s' lies outside its section", s->name);
    s->state = SYMBOL_THREAD;
    s->module = im->tls;
    s->value = im->section[e->section].in_block + e->value;
    return SM_SUCCESS;
}

sm_result find_thread_outside(struct image *im) {
    sm_result r = SM_SUCCESS;
    for (size_t i = 1; r == SM_SUCCESS && i < im->elf.symbols; i++) {
        struct symbol *s = &im->symbol[i];
        struct tls_index at;
        if (s->state != SYMBOL_THREAD || !s->outside)
            continue;
        r = tls_find_outside(s->outside, s->needs_offset, &im->tls_libraries, &at, s->name, im->err);
        if (r == SM_SUCCESS) {
            s->module = at.module;
            s->value = at.offset;
        }
    }
    return r;
}

/* Takes the object's own definition, unless it is weak and there is another one. */
static sm_result find_defined(struct image *im, struct symbol *s, const sm_elf_symbol *e) {
    if (gives_way(e) && find_outside(im, s->name, &s->value)) {
        s->state = SYMBOL_EXTERNAL;
        return SM_SUCCESS;
    }
    if (e->value > im->elf.section[e->section].size)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "'%s' lies outside its section", s->name);
    s->state = SYMBOL_LOCAL;
    s->section = e->section;
    s->value = e->value;
    return SM_SUCCESS;
}

/* Reserves a common symbol room in the data area, unless it is defined outside; its value is its alignment (gABI,
 * SHN_COMMON). */
static sm_result place_common(struct image *im, struct symbol *s, const sm_elf_symbol *e) {
    enum { LARGEST = 1 << 16 };
    uint64_t align = e->value ? e->value : 1;
    if (gives_way(e) || e->bind == STB_GLOBAL)
        if (find_outside(im, s->name, &s->value)) {
            s->state = SYMBOL_EXTERNAL;
            return SM_SUCCESS;
        }
    if (align & (align - 1) || align > LARGEST || e->size > INT32_MAX)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "The common symbol '%s' has a size or alignment that is none",
                    s->name);
    s->value = (im->demand.bytes[AREA_DATA] + align - 1) & ~(align - 1);
    im->demand.bytes[AREA_DATA] = s->value + e->size;
    s->state = SYMBOL_COMMON;
    return SM_SUCCESS;
}

/* Reserves an ifunc its stub and a GOT entry for the function that it will choose. Fails if it does not lie in
 * code. */
static sm_result have_chosen(struct image *im, struct symbol *s) {
    if (!im->section[s->section].placed || im->section[s->section].area != AREA_CODE)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "'%s' is chosen by what is no code", s->name);
    s->stub = im->stubs++;
    s->chosen = im->gots++;
    return SM_SUCCESS;
}

sm_result image_symbol(struct image *im, uint32_t i, struct symbol **out) {
    struct symbol *s = &im->symbol[i];
    sm_elf_symbol e;
    *out = s;
    if (i < im->elf.symbols && s->state != SYMBOL_NEW)
        return SM_SUCCESS;
    if (i >= im->elf.symbols || sm_elf_symbol_at(&im->elf, i, &e) != SM_OK)
        return fail(im->err, SM_ERR_INVALID_OBJECT, "Symbol %u is damaged, or not there", i);
    *s = (struct symbol){.name = e.name, .size = e.size, .got = NOWHERE, .stub = NOWHERE, .chosen = NOWHERE};
    if (i == 0 || e.section == SHN_ABS) {
        s->state = SYMBOL_ABSOLUTE;
        s->value = e.value;
        return SM_SUCCESS;
    }
    memset(s->thread_got, 0xff, sizeof s->thread_got); /* NOWHERE */
    if (e.type == STT_TLS || (e.in_section && im->section[e.section].is_thread))
        return find_thread_variable(im, s, &e);
    if (e.in_section) {
        sm_result r = find_defined(im, s, &e);
        return r == SM_SUCCESS && s->state == SYMBOL_LOCAL && e.type == STT_GNU_IFUNC ? have_chosen(im, s) : r;
    }
    return e.section == SHN_COMMON ? place_common(im, s, &e) : find_undefined(im, s, e.bind == STB_WEAK);
}

uintptr_t image_address(const struct image *im, const struct symbol *s) {
    switch (s->state) {
    case SYMBOL_LOCAL:
        if (!im->section[s->section].placed)
            return im->span[AREA_CODE].start; /* an empty section's; no function begins there */
        if (s->chosen != NOWHERE)
            return im->stub + STUB_ROOM * s->stub;
        return im->section[s->section].address + s->value;
    case SYMBOL_COMMON:
        return im->span[AREA_DATA].start + s->value;
    case SYMBOL_GOT:
        return im->got;
    case SYMBOL_HANDLE:
        return im->span[AREA_CODE].start;
    default:
        return s->value;
    }
}
