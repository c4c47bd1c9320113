/* kept.c - see kept.h. */
#include "kept.h"

#include "digest.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY = SM_KEPT_KEY + 16, DIGEST_AT = 32 };

static const unsigned char magic[8] = {'S', 'M', 'D', 'K', 'E', 'P', 'T', '1'};

static size_t aligned(size_t n) {
    return (n + 7) & ~(size_t)7;
}

/* Computes the SHA-256 of everything but the digest itself. Fails only when out of memory. */
static sm_status digest_of(const unsigned char *bytes, size_t len, unsigned char out[SM_DIGEST_BYTES]) {
    sm_digester *d = sm_digester_new();
    if (d) {
        sm_digester_add(d, bytes, DIGEST_AT);
        sm_digester_add(d, bytes + SM_KEPT_HEADER, len - SM_KEPT_HEADER);
    }
    int ok = d && sm_digester_end(d, out) == SM_OK;
    sm_digester_free(d);
    return ok ? SM_OK : SM_NOMEM;
}

/* Orders parts by key. */
static int by_key(const void *a, const void *b) {
    return memcmp(((const sm_kept_part *)a)->key, ((const sm_kept_part *)b)->key, SM_KEPT_KEY);
}

size_t sm_kept_size(const sm_kept_part *part, size_t parts) {
    size_t size = SM_KEPT_HEADER + parts * ENTRY;
    for (size_t i = 0; i < parts; i++)
        size += aligned(part[i].object.len);
    return size;
}

sm_status sm_kept_write(sm_buf *out, sm_kept_part *part, size_t parts) {
    static const unsigned char zero[SM_DIGEST_BYTES];
    size_t start = out->len, offset = SM_KEPT_HEADER + parts * ENTRY, length = sm_kept_size(part, parts);
    qsort(part, parts, sizeof *part, by_key);
    sm_buf_reserve(out, length);
    sm_buf_put(out, magic, sizeof magic);
    sm_buf_put_u32(out, SM_KEPT_VERSION);
    sm_buf_put_u32(out, (uint32_t)parts);
    sm_buf_put_u64(out, length);
    sm_buf_put_u64(out, 0);
    sm_buf_put(out, zero, sizeof zero);
    for (size_t i = 0; i < parts; i++) {
        sm_buf_put(out, part[i].key, SM_KEPT_KEY);
        sm_buf_put_u64(out, offset);
        sm_buf_put_u64(out, part[i].object.len);
        offset += aligned(part[i].object.len);
    }
    for (size_t i = 0; i < parts; i++) {
        sm_buf_put(out, part[i].object.data, part[i].object.len);
        sm_buf_put(out, zero, aligned(part[i].object.len) - part[i].object.len);
    }
    return out->status == SM_OK ? digest_of(out->data + start, length, out->data + start + DIGEST_AT) : out->status;
}

/* Checks that keys ascend, and that objects lie after the table one after another. */
static sm_status check_table(sm_cursor *c, uint32_t parts) {
    uint64_t floor = SM_KEPT_HEADER + (uint64_t)parts * ENTRY;
    const unsigned char *last = NULL;
    for (uint32_t i = 0; i < parts; i++) {
        const unsigned char *key = sm_get_bytes(c, SM_KEPT_KEY);
        uint64_t offset = sm_get_u64(c), len = sm_get_u64(c);
        if (c->status != SM_OK || (last && memcmp(last, key, SM_KEPT_KEY) >= 0))
            return SM_MALFORMED;
        if (offset < floor || offset % 8 != 0 || offset > c->len || len > c->len - offset)
            return SM_MALFORMED;
        floor = offset + len;
        last = key;
    }
    return SM_OK;
}

sm_status sm_kept_read(const void *bytes, size_t len, sm_kept *out) {
    unsigned char actual[SM_DIGEST_BYTES];
    *out = (sm_kept){NULL, 0};
    sm_cursor c = sm_cursor_of(bytes, len);
    const unsigned char *m = sm_get_bytes(&c, sizeof magic);
    uint32_t version = sm_get_u32(&c), parts = sm_get_u32(&c);
    uint64_t length = sm_get_u64(&c), zero = sm_get_u64(&c);
    const unsigned char *digest = sm_get_bytes(&c, SM_DIGEST_BYTES);
    if (c.status != SM_OK)
        return SM_TRUNCATED;
    if (memcmp(m, magic, sizeof magic) != 0)
        return SM_MALFORMED;
    if (version != SM_KEPT_VERSION)
        return SM_INCOMPATIBLE;
    if (length > len)
        return SM_TRUNCATED;
    if (length != len || zero != 0)
        return SM_MALFORMED;
    sm_status s = digest_of(c.data, len, actual);
    if (s == SM_OK && memcmp(actual, digest, sizeof actual) != 0)
        s = SM_DAMAGED;
    if (s == SM_OK)
        s = check_table(&c, parts);
    if (s == SM_OK)
        *out = (sm_kept){bytes, parts};
    return s;
}

/* The object of a table's entry. Requires that the table was checked. */
static sm_slice object_at(const unsigned char *bytes, const unsigned char *entry) {
    sm_cursor c = sm_cursor_of(entry + SM_KEPT_KEY, ENTRY - SM_KEPT_KEY);
    uint64_t offset = sm_get_u64(&c), len = sm_get_u64(&c);
    return (sm_slice){bytes + offset, (size_t)len};
}

sm_slice sm_kept_find(const sm_kept *k, const unsigned char key[SM_KEPT_KEY]) {
    size_t low = 0, high = k->parts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const unsigned char *entry = k->bytes + SM_KEPT_HEADER + middle * ENTRY;
        int order = memcmp(key, entry, SM_KEPT_KEY);
        if (order == 0)
            return object_at(k->bytes, entry);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (sm_slice){NULL, 0};
}
