/* cfi.c - .eh_frame read: DWARF 5, section 6.4, as the Linux Standard Base (Core, "Exception Frames") has it in
 * loaded objects. */
#include "dwarf.h"
#include "frames.h"

#include <stdlib.h>
#include <string.h>

int is_preserved(unsigned dwarf) {
    return dwarf < SAVED_REGISTERS && PRESERVED_REGISTERS >> dwarf & 1;
}

enum { PE_ABSPTR = 0, PE_UDATA2 = 2, PE_UDATA4 = 3, PE_UDATA8 = 4, PE_SDATA2 = 10, PE_SDATA4 = 11, PE_SDATA8 = 12 };
enum { PE_FORM = 0x0f, PE_PCREL = 0x10, PE_RELATIVE = 0x70, PE_OMIT = 0xff };

/* Reads a number in the encoding's form; *OK is cleared if the form is not known. */
static uint64_t get_form(sm_cursor *c, unsigned encoding, int *ok) {
    switch (encoding & PE_FORM) {
    case PE_ABSPTR:
    case PE_UDATA8:
    case PE_SDATA8:
        return sm_get_u64(c);
    case PE_UDATA4:
        return sm_get_u32(c);
    case PE_SDATA4:
        return (uint64_t)(int32_t)sm_get_u32(c);
    case PE_UDATA2:
        return sm_get_u16(c);
    case PE_SDATA2:
        return (uint64_t)(int16_t)sm_get_u16(c);
    default:
        *ok = 0;
        return 0;
    }
}

/* Reads an address, which is absolute or relative to its place; *OK is cleared if it is neither. */
static uint64_t get_address(sm_cursor *c, unsigned encoding, int *ok) {
    uintptr_t place = (uintptr_t)c->data + c->pos;
    uint64_t v = get_form(c, encoding, ok);
    if ((encoding & PE_RELATIVE) == PE_PCREL)
        return v + place;
    *ok &= (encoding & PE_RELATIVE) == 0;
    return v;
}

/* Makes room for one more element; gives the array. NULL if out of memory: then the array stays as it was. */
static void *grow_array(void *array, size_t count, size_t *cap, size_t size) {
    if (count < *cap)
        return array;
    size_t wanted = *cap ? 2 * *cap : 4;
    void *grown = realloc(array, wanted * size);
    if (grown)
        *cap = wanted;
    return grown;
}

/* Reads a CIE's augmentation data, by its letters ("zPLR"). 0 if one is not known. */
static int read_augmentation(sm_cursor *c, struct cie *cie, const char *letters) {
    int ok = 1;
    if (letters[0] != 'z')
        return letters[0] == 0;
    uint64_t len = get_uleb(c);
    size_t end = c->pos + (len <= sm_cursor_left(c) ? (size_t)len : sm_cursor_left(c));
    cie->augmented = 1;
    for (const char *l = letters + 1; *l && ok; l++) {
        unsigned encoding = *l == 'R' || *l == 'P' || *l == 'L' ? sm_get_u8(c) : PE_OMIT;
        if (*l == 'R')
            cie->encoding = (uint8_t)encoding;
        else if (*l == 'P')
            get_form(c, encoding, &ok);
        else
            ok = *l == 'L' || *l == 'S' || *l == 'B' || *l == 'G';
    }
    c->pos = end;
    return ok;
}

/* Parses a CIE, the cursor being after its id. 0 if it is damaged or of a kind that is not read. */
static int parse_cie(sm_cursor *c, uint64_t at, struct cie *out) {
    struct cie cie = {.at = at, .encoding = PE_ABSPTR};
    unsigned version = sm_get_u8(c);
    const char *letters = (const char *)c->data + c->pos;
    size_t len = strnlen(letters, sm_cursor_left(c));
    sm_get_bytes(c, len + 1);
    cie.code_align = get_uleb(c);
    cie.data_align = get_sleb(c);
    uint64_t link = version == 1 ? sm_get_u8(c) : get_uleb(c);
    if (c->status != SM_OK || (version != 1 && version != 3) || link != REG_LINK)
        return 0;
    if (!read_augmentation(c, &cie, letters))
        return 0;
    cie.code = c->data + c->pos;
    cie.len = sm_cursor_left(c);
    *out = cie;
    return c->status == SM_OK;
}

/* Adds the CIE at offset AT to F. 0 if it cannot be read, or there is no memory. */
static int read_cie(struct frames *f, uint64_t at, sm_cursor *c) {
    struct cie *grown = grow_array(f->cie, f->cies, &f->cie_cap, sizeof *f->cie);
    f->no_memory |= !grown;
    if (!grown)
        return 0;
    f->cie = grown;
    if (!parse_cie(c, at, &f->cie[f->cies]))
        return 0;
    f->cies++;
    return 1;
}

/* Finds the CIE at offset AT, among those from FIRST on, which are of one section and therefore in ascending order.
 * 0 if there is none. */
static int find_cie(const struct frames *f, size_t first, uint64_t at, uint32_t *out) {
    size_t low = first, high = f->cies;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->cie[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    *out = (uint32_t)low;
    return low < f->cies && f->cie[low].at == at;
}

/* Parses an FDE: the range of code and the instructions. 0 if it is damaged. */
static int parse_fde(sm_cursor *c, const struct cie *cie, struct fde *fde) {
    int ok = 1;
    fde->start = get_address(c, cie->encoding, &ok);
    fde->end = fde->start + get_form(c, cie->encoding, &ok);
    if (cie->augmented)
        sm_get_bytes(c, get_uleb(c));
    fde->code = c->data + c->pos;
    fde->len = sm_cursor_left(c);
    return ok && c->status == SM_OK;
}

/* Adds an FDE to F, unless its range is empty. 0 if it cannot be read, or there is no memory. */
static int read_fde(struct frames *f, uint32_t cie, uint64_t at, sm_cursor *c) {
    struct fde *grown = grow_array(f->fde, f->fdes, &f->fde_cap, sizeof *f->fde);
    f->no_memory |= !grown;
    if (!grown)
        return 0;
    f->fde = grown;
    struct fde fde = {.cie = cie, .entry = c->data + at};
    if (!parse_fde(c, &f->cie[cie], &fde))
        return 0;
    if (fde.start < fde.end)
        f->fde[f->fdes++] = fde;
    return 1;
}

/* A cursor over an entry after its length; *PLACE is where its id stands. */
static sm_cursor body_of(const unsigned char *entry, const unsigned char **place) {
    enum { EXTENDED = 0xffffffff };
    sm_cursor c = sm_cursor_of(entry, 12);
    uint64_t bytes = sm_get_u32(&c);
    if (bytes == EXTENDED)
        bytes = sm_get_u64(&c);
    *place = entry + c.pos;
    c.len = c.pos + (size_t)bytes;
    return c;
}

void frames_entry(const unsigned char *entry, struct cie *cie, struct fde *fde) {
    const unsigned char *place, *cie_place;
    sm_cursor c = body_of(entry, &place);
    sm_cursor of_cie = body_of(place - sm_get_u32(&c), &cie_place);
    sm_get_u32(&of_cie);
    *fde = (struct fde){.entry = entry};
    if (!parse_cie(&of_cie, 0, cie) || !parse_fde(&c, cie, fde))
        *fde = (struct fde){.entry = entry};
}

int frames_read(struct frames *f, const unsigned char *section, size_t len) {
    enum { EXTENDED = 0xffffffff };
    sm_cursor c = sm_cursor_of(section, len);
    size_t first = f->cies;
    int ok = 1;
    while (ok && sm_cursor_left(&c) >= 4) {
        uint64_t at = c.pos, bytes = sm_get_u32(&c);
        if (bytes == 0)
            continue; /* where a linker joined sections */
        if (bytes == EXTENDED)
            bytes = sm_get_u64(&c);
        if (bytes < 4 || bytes > sm_cursor_left(&c))
            return 0;
        size_t end = c.pos + (size_t)bytes;
        sm_cursor entry = {.data = section, .len = end, .pos = c.pos};
        uint64_t place = entry.pos, id = sm_get_u32(&entry);
        uint32_t cie;
        if (id == 0)
            ok = read_cie(f, at, &entry);
        else
            ok = find_cie(f, first, place - id, &cie) && read_fde(f, cie, at, &entry);
        c.pos = end;
    }
    return ok;
}

static int by_start(const void *a, const void *b) {
    const struct fde *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

void frames_sort(struct frames *f) {
    if (f->fdes)
        qsort(f->fde, f->fdes, sizeof *f->fde, by_start);
}

void frames_free(struct frames *f) {
    free(f->fde);
    free(f->cie);
    *f = (struct frames){0};
}
