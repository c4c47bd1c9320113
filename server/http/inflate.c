/* inflate.c - see inflate.h. */
#include "inflate.h"

#include <stdlib.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

struct inflater {
    int done;
    ZSTD_DStream *zstd; /* NULL: zlib is used */
    z_stream zlib;
    unsigned char out[32 << 10];
};

struct inflater *inflater_new(const char *encoding, sm_status *status) {
    int gzip = strcasecmp(encoding, "gzip") == 0 || strcasecmp(encoding, "x-gzip") == 0;
    int deflate = strcasecmp(encoding, "deflate") == 0, zstd = strcasecmp(encoding, "zstd") == 0;
    *status = gzip || deflate || zstd ? SM_NOMEM : SM_UNSUPPORTED_ENCODING;
    struct inflater *i = *status == SM_NOMEM ? calloc(1, sizeof *i) : NULL;
    if (!i)
        return NULL;
    int ok;
    if (zstd) {
        i->zstd = ZSTD_createDStream();
        ok = i->zstd &&
             !ZSTD_isError(ZSTD_DCtx_setParameter(i->zstd, ZSTD_d_windowLogMax, 25)); /* a window of 32 MiB at most */
    } else {
        ok = inflateInit2(&i->zlib, gzip ? 15 + 16 : 15) == Z_OK;
    }
    if (ok) {
        *status = SM_OK;
        return i;
    }
    ZSTD_freeDStream(i->zstd);
    free(i);
    return NULL;
}

/* Decompresses bytes by zstd and gives them to SINK; its failure, or SM_INVALID_ENCODING. */
static sm_status add_zstd(struct inflater *i, const void *bytes, size_t len,
                          sm_status (*sink)(void *, const void *, size_t), void *arg) {
    ZSTD_inBuffer in = {bytes, len, 0};
    sm_status s = SM_OK;
    for (;;) {
        ZSTD_outBuffer out = {i->out, sizeof i->out, 0};
        size_t r = ZSTD_decompressStream(i->zstd, &out, &in);
        if (ZSTD_isError(r))
            return SM_INVALID_ENCODING;
        i->done = r == 0;
        if (out.pos)
            s = sink(arg, i->out, out.pos);
        if (s != SM_OK || (in.pos == in.size && (i->done || out.pos < out.size)))
            return s;
    }
}

/* Decompresses bytes by zlib and gives them to SINK; its failure, or SM_INVALID_ENCODING. */
static sm_status add_zlib(struct inflater *i, const void *bytes, size_t len,
                          sm_status (*sink)(void *, const void *, size_t), void *arg) {
    sm_status s = SM_OK;
    i->zlib.next_in = (Bytef *)bytes;
    i->zlib.avail_in = (uInt)len;
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
            return SM_INVALID_ENCODING;
        i->done = r == Z_STREAM_END;
        if (sizeof i->out > i->zlib.avail_out)
            s = sink(arg, i->out, sizeof i->out - i->zlib.avail_out);
        if (r == Z_BUF_ERROR)
            break;
    } while (s == SM_OK && (i->zlib.avail_in || (!i->done && i->zlib.avail_out == 0)));
    return s;
}

sm_status inflater_add(struct inflater *i, const void *bytes, size_t len,
                       sm_status (*sink)(void *, const void *, size_t), void *arg) {
    if (len == 0)
        return SM_OK;
    return i->zstd ? add_zstd(i, bytes, len, sink, arg) : add_zlib(i, bytes, len, sink, arg);
}

int inflater_done(const struct inflater *i) {
    return i->done;
}

void inflater_free(struct inflater *i) {
    if (!i)
        return;
    if (i->zstd)
        ZSTD_freeDStream(i->zstd);
    else
        inflateEnd(&i->zlib);
    free(i);
}
