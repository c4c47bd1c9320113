/* deflate.c - see deflate.h. Fast levels: one thread compresses for all clients, and JSON is small at any level. */
#include "deflate.h"

#include <assert.h>
#include <zlib.h>
#include <zstd.h>

enum { BLOCK = 32 << 10, GZIP_LEVEL = 3, ZSTD_LEVEL = 3, GZIP_WINDOW = 15 + 16 /* 16: a gzip header */ };

/* Appends all that zlib makes of the part; IS_LAST: and ends the stream. 0 on failure. */
static int put_gzip(z_stream *z, sm_slice part, int is_last, sm_buf *out) {
    unsigned char block[BLOCK];
    z->next_in = (unsigned char *)part.data;
    z->avail_in = (unsigned)part.len;
    do {
        z->next_out = block;
        z->avail_out = sizeof block;
        if (deflate(z, is_last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
            return 0;
        sm_buf_put(out, block, sizeof block - z->avail_out);
    } while (z->avail_out == 0 && out->status == SM_OK);
    return out->status == SM_OK;
}

static int gzip(const struct reply *reply, sm_buf *out) {
    z_stream z = {0};
    int fine = deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    for (int i = 0; fine && i < reply->parts; i++)
        fine = put_gzip(&z, reply->part[i], i == reply->parts - 1, out);
    deflateEnd(&z);
    return fine;
}

/* As put_gzip. */
static int put_zstd(ZSTD_CCtx *z, sm_slice part, int is_last, sm_buf *out) {
    unsigned char block[BLOCK];
    ZSTD_inBuffer in = {part.data, part.len, 0};
    size_t left;
    do {
        ZSTD_outBuffer to = {block, sizeof block, 0};
        left = ZSTD_compressStream2(z, &to, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return 0;
        sm_buf_put(out, block, to.pos);
    } while ((is_last ? left != 0 : in.pos < in.size) && out->status == SM_OK);
    return out->status == SM_OK;
}

static int zstd(const struct reply *reply, sm_buf *out) {
    ZSTD_CCtx *z = ZSTD_createCCtx();
    int fine = z && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, ZSTD_LEVEL));
    for (int i = 0; fine && i < reply->parts; i++)
        fine = put_zstd(z, reply->part[i], i == reply->parts - 1, out);
    ZSTD_freeCCtx(z);
    return fine;
}

void reply_deflate(struct reply *reply, enum coding coding) {
    size_t most = 0;
    sm_buf packed;
    for (int i = 0; i < reply->parts; i++)
        most += reply->part[i].len;
    sm_buf_init(&packed, most);
    if (!(coding == CODING_GZIP ? gzip : zstd)(reply, &packed)) {
        sm_buf_free(&packed);
        return;
    }
    sm_buf_free(&reply->text);
    reply->text = packed;
    reply_text(reply, reply->content_type);
    reply->coding = coding_names[coding];
}
