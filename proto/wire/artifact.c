/* artifact.c - see artifact.h. */
#include "artifact.h"

#include "digest.h"

#include <string.h>

#define ENTRY     24u /* bytes of a part's entry in the table */
#define DIGEST_AT 32u
#define DIGEST    32u

static const unsigned char magic[8] = {'S', 'M', 'D', 'A', 'R', 'T', 'F', '1'};

const char *sm_part_name(unsigned part) {
    static const char *const names[SM_PART_KINDS] = {
        "",        "meta",    "diagnostics", "obj",    "stackmap", "ir",     "asm",    "disasm",
        "remarks", "explain", "modern",      "stages", "links",    "detail", "option", "lines"};
    return part < SM_PART_KINDS ? names[part] : "";
}

/* Computes the SHA-256 of everything in an artifact but the digest itself. Fails only when out of memory. */
static sm_status digest_of(const unsigned char *bytes, size_t len, unsigned char out[DIGEST]) {
    sm_digester *d = sm_digester_new();
    if (d) {
        sm_digester_add(d, bytes, DIGEST_AT);
        sm_digester_add(d, bytes + SM_ARTIFACT_HEADER, len - SM_ARTIFACT_HEADER);
    }
    int ok = d && sm_digester_end(d, out) == SM_OK;
    sm_digester_free(d);
    return ok ? SM_OK : SM_NOMEM;
}

static size_t aligned(size_t n) {
    return (n + 7) & ~(size_t)7;
}

/* Writes the table of the parts, the first of which lies at OFFSET. */
static void put_table(sm_buf *out, const sm_artifact *a, size_t offset) {
    for (unsigned i = 0; i < SM_PART_KINDS; i++) {
        if (!a->part[i].data)
            continue;
        sm_buf_put_u32(out, i);
        sm_buf_put_u32(out, 0);
        sm_buf_put_u64(out, offset);
        sm_buf_put_u64(out, a->part[i].len);
        offset += aligned(a->part[i].len);
    }
}

sm_status sm_artifact_write(sm_buf *out, const sm_artifact *a) {
    size_t start = out->len, parts = 0, length = SM_ARTIFACT_HEADER;
    for (unsigned i = 0; i < SM_PART_KINDS; i++)
        if (a->part[i].data) {
            parts++;
            length += ENTRY + aligned(a->part[i].len);
        }
    sm_buf_put(out, magic, sizeof magic);
    sm_buf_put_u32(out, SM_ARTIFACT_VERSION);
    sm_buf_put_u32(out, (uint32_t)a->status);
    sm_buf_put_u32(out, (uint32_t)parts);
    sm_buf_put_u32(out, 0);
    sm_buf_put_u64(out, length);
    sm_buf_extend(out, DIGEST);
    put_table(out, a, SM_ARTIFACT_HEADER + parts * ENTRY);
    for (unsigned i = 0; i < SM_PART_KINDS; i++)
        if (a->part[i].data) {
            static const unsigned char zero[8];
            sm_buf_put(out, a->part[i].data, a->part[i].len);
            sm_buf_put(out, zero, aligned(a->part[i].len) - a->part[i].len);
        }
    return out->status == SM_OK ? digest_of(out->data + start, length, out->data + start + DIGEST_AT) : out->status;
}

/* Reads the parts' table. Parts must ascend, lie after the table one after another, and end in the file. */
static sm_status read_table(sm_cursor *c, uint32_t parts, sm_artifact *out) {
    uint64_t floor = SM_ARTIFACT_HEADER + (uint64_t)parts * ENTRY;
    uint32_t last = 0;
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t kind = sm_get_u32(c), zero = sm_get_u32(c);
        uint64_t offset = sm_get_u64(c), len = sm_get_u64(c);
        if (c->status != SM_OK || zero != 0 || kind <= last || kind >= SM_PART_KINDS)
            return SM_MALFORMED;
        if (offset < floor || offset % 8 != 0 || offset > c->len || len > c->len - offset)
            return SM_MALFORMED;
        out->part[kind] = (sm_slice){c->data + offset, (size_t)len};
        floor = offset + len;
        last = kind;
    }
    return SM_OK;
}

uint64_t sm_artifact_length(const void *bytes, size_t len) {
    sm_cursor c = sm_cursor_of(bytes, len);
    sm_get_bytes(&c, sizeof magic);
    for (int i = 0; i < 4; i++)
        sm_get_u32(&c);
    return sm_get_u64(&c);
}

sm_status sm_artifact_read(const void *bytes, size_t len, sm_artifact *out) {
    memset(out, 0, sizeof *out);
    sm_cursor c = sm_cursor_of(bytes, len);
    const unsigned char *m = sm_get_bytes(&c, sizeof magic);
    uint32_t version = sm_get_u32(&c), status = sm_get_u32(&c), parts = sm_get_u32(&c), zero = sm_get_u32(&c);
    uint64_t length = sm_get_u64(&c);
    const unsigned char *digest = sm_get_bytes(&c, DIGEST);
    if (c.status != SM_OK)
        return SM_TRUNCATED;
    if (memcmp(m, magic, sizeof magic) != 0)
        return SM_MALFORMED;
    if (version != SM_ARTIFACT_VERSION)
        return SM_INCOMPATIBLE;
    if (length > len)
        return SM_TRUNCATED;
    if (length != len || zero != 0 || parts >= SM_PART_KINDS || !sm_status_known(status))
        return SM_MALFORMED;
    unsigned char actual[DIGEST];
    sm_status s = digest_of(c.data, len, actual);
    if (s != SM_OK)
        return s;
    if (memcmp(actual, digest, sizeof actual) != 0)
        return SM_DAMAGED;
    out->status = (sm_status)status;
    return read_table(&c, parts, out);
}
