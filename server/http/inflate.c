/* inflate.c - see inflate.h. */
#include "inflate.h"

#include <stdlib.h>
#include <strings.h>
#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY /* for an inflater with an allocator of ours */
#include <zstd.h>

struct inflater {
    int done;
    sm_status refused;  /* by the budget, while it allocates; SM_OK otherwise */
    ZSTD_DStream *zstd; /* NULL: zlib is used */
    int is_zlib;        /* boolean: zlib is initialised */
    z_stream zlib;
    struct budget *budget;
    uint64_t client;
    struct charge charge; /* this and all that the libraries have allocated */
    unsigned char out[INFLATER_RUN];
};

/* Before each block of a library stands its size; the block is aligned as malloc's are. */
enum { SIZE_ROOM = 16 };

/* The libraries' malloc: the memory is taken from the budget first. */
static void *allocate(void *arg, size_t size) {
    struct inflater *i = arg;
    sm_status s = size < SIZE_MAX - SIZE_ROOM
                      ? budget_take(i->budget, &i->charge, HELD_INFLATER, i->client, size + SIZE_ROOM)
                      : SM_TOO_LARGE;
    unsigned char *block = s == SM_OK ? malloc(size + SIZE_ROOM) : NULL;
    if (!block) {
        i->refused = s == SM_OK ? SM_NOMEM : s;
        if (s == SM_OK && i->budget)
            budget_give(&i->charge, i->charge.bytes - size - SIZE_ROOM);
        return NULL;
    }
    *(size_t *)block = size + SIZE_ROOM;
    return block + SIZE_ROOM;
}

/* Their free. */
static void release(void *arg, void *address) {
    struct inflater *i = arg;
    unsigned char *block = address ? (unsigned char *)address - SIZE_ROOM : NULL;
    if (block && i->budget)
        budget_give(&i->charge, i->charge.bytes - *(size_t *)block);
    free(block);
}

static void *allocate_items(void *arg, unsigned items, unsigned size) {
    return allocate(arg, (size_t)items * size);
}

/* The window that zstd may ask for, as a power of two: what the body may be, within what all of its compressors use
 * (8 MiB) and 32 MiB. */
static int window_log(size_t most) {
    int log = 23;
    while (log < 25 && most > (size_t)1 << log)
        log++;
    return log;
}

/* Begins to inflate with zstd. 0 on failure. */
static int begin_zstd(struct inflater *i, size_t most) {
    i->zstd = ZSTD_createDStream_advanced((ZSTD_customMem){allocate, release, i});
    return i->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(i->zstd, ZSTD_d_windowLogMax, window_log(most)));
}

/* Begins to inflate with zlib. 0 on failure. */
static int begin_zlib(struct inflater *i, int is_gzip) {
    i->zlib.zalloc = allocate_items;
    i->zlib.zfree = release;
    i->zlib.opaque = i;
    i->is_zlib = inflateInit2(&i->zlib, is_gzip ? 15 + 16 : 15) == Z_OK;
    return i->is_zlib;
}

struct inflater *inflater_new(const char *encoding, size_t most, struct budget *budget, uint64_t client,
                              sm_status *status) {
    int gzip = strcasecmp(encoding, "gzip") == 0 || strcasecmp(encoding, "x-gzip") == 0;
    int deflate = strcasecmp(encoding, "deflate") == 0, zstd = strcasecmp(encoding, "zstd") == 0;
    struct charge charge = {0};
    *status = SM_UNSUPPORTED_ENCODING;
    if (!gzip && !deflate && !zstd)
        return NULL;
    *status = budget_take(budget, &charge, HELD_INFLATER, client, sizeof(struct inflater));
    struct inflater *i = *status == SM_OK ? calloc(1, sizeof *i) : NULL;
    if (!i) {
        *status = *status == SM_OK ? SM_NOMEM : *status;
        budget_give(&charge, 0);
        return NULL;
    }
    i->budget = budget;
    i->client = client;
    i->charge = charge;
    if (zstd ? begin_zstd(i, most) : begin_zlib(i, gzip))
        return i;
    *status = i->refused != SM_OK ? i->refused : SM_NOMEM;
    inflater_free(i);
    return NULL;
}

/* Decompresses bytes by zstd and gives them to SINK; its failure, or SM_INVALID_ENCODING. */
static sm_status add_zstd(struct inflater *i, const void *bytes, size_t *len, size_t most,
                          sm_status (*sink)(void *, const void *, size_t), void *arg) {
    ZSTD_inBuffer in = {bytes, *len, 0};
    sm_status s = SM_OK;
    size_t made = 0;
    for (;;) {
        ZSTD_outBuffer out = {i->out, sizeof i->out, 0};
        size_t r = ZSTD_decompressStream(i->zstd, &out, &in);
        if (ZSTD_isError(r))
            return i->refused != SM_OK ? i->refused : SM_INVALID_ENCODING;
        i->done = r == 0;
        made += out.pos;
        *len = in.pos;
        if (out.pos)
            s = sink(arg, i->out, out.pos);
        if (s != SM_OK || (in.pos == in.size ? i->done || out.pos < out.size : made >= most))
            return s;
    }
}

/* Decompresses bytes by zlib and gives them to SINK; its failure, or SM_INVALID_ENCODING. */
static sm_status add_zlib(struct inflater *i, const void *bytes, size_t *len, size_t most,
                          sm_status (*sink)(void *, const void *, size_t), void *arg) {
    sm_status s = SM_OK;
    size_t all = 0;
    i->zlib.next_in = (Bytef *)bytes;
    i->zlib.avail_in = (uInt)*len;
    do {
        if (i->done) { /* a gzip file may have several members */
            if (inflateReset(&i->zlib) != Z_OK)
                return SM_INVALID_ENCODING;
            i->done = 0;
        }
        i->zlib.next_out = i->out;
        i->zlib.avail_out = sizeof i->out;
        int r = inflate(&i->zlib, Z_NO_FLUSH);
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
            return i->refused != SM_OK ? i->refused : SM_INVALID_ENCODING;
        i->done = r == Z_STREAM_END;
        size_t made = sizeof i->out - i->zlib.avail_out;
        all += made;
        if (made)
            s = sink(arg, i->out, made);
        if (r == Z_BUF_ERROR)
            break;
    } while (s == SM_OK && (i->zlib.avail_in ? all < most : !i->done && i->zlib.avail_out == 0));
    *len -= i->zlib.avail_in;
    return s;
}

sm_status inflater_add(struct inflater *i, const void *bytes, size_t *len, size_t most,
                       sm_status (*sink)(void *, const void *, size_t), void *arg) {
    if (*len == 0)
        return SM_OK;
    return i->zstd ? add_zstd(i, bytes, len, most, sink, arg) : add_zlib(i, bytes, len, most, sink, arg);
}

int inflater_done(const struct inflater *i) {
    return i->done;
}

void inflater_free(struct inflater *i) {
    if (!i)
        return;
    ZSTD_freeDStream(i->zstd);
    if (i->is_zlib)
        inflateEnd(&i->zlib);
    budget_give(&i->charge, 0);
    free(i);
}
