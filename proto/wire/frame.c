/* frame.c - see frame.h. */
#include "frame.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static const unsigned char magic[4] = {'S', 'M', 'F', '1'};

/* A stage's name; "unknown" if there is none. */
const char *sm_stage_name(unsigned stage) {
    static const char *const names[] = {
#define X(name, wire) wire,
        SM_STAGE_MAP(X)
#undef X
    };
    return stage < SM_STAGES ? names[stage] : "unknown";
}

sm_status sm_put_timings(sm_buf *b, const sm_timings *t) {
    for (unsigned i = 0; i < SM_STAGES; i++)
        sm_buf_put_u32(b, t->stage_us[i]);
    sm_buf_put_u32(b, t->peak_rss_kib);
    sm_buf_put_u32(b, t->parts);
    sm_buf_put_u32(b, t->parts_taken);
    return sm_buf_put_u32(b, t->last);
}

sm_status sm_get_timings(sm_cursor *c, sm_timings *t) {
    for (unsigned i = 0; i < SM_STAGES; i++)
        t->stage_us[i] = sm_get_u32(c);
    t->peak_rss_kib = sm_get_u32(c);
    t->parts = sm_get_u32(c);
    t->parts_taken = sm_get_u32(c);
    t->last = sm_get_u32(c);
    return c->status;
}

void sm_frame_encode(unsigned char out[SM_FRAME_HEADER], uint16_t type, uint64_t length) {
    memcpy(out, magic, sizeof magic);
    out[4] = (unsigned char)type;
    out[5] = (unsigned char)(type >> 8);
    out[6] = out[7] = 0;
    for (int i = 0; i < 8; i++)
        out[8 + i] = (unsigned char)(length >> (8 * i));
}

sm_status sm_frame_decode(const unsigned char in[SM_FRAME_HEADER], uint64_t max, sm_frame *out) {
    sm_cursor c = sm_cursor_of(in + sizeof magic, SM_FRAME_HEADER - sizeof magic);
    out->type = sm_get_u16(&c);
    uint16_t reserved = sm_get_u16(&c);
    out->length = sm_get_u64(&c);
    if (memcmp(in, magic, sizeof magic) != 0 || reserved != 0)
        return SM_MALFORMED;
    return out->length > max ? SM_TOO_LARGE : SM_OK;
}

/* Drops N written bytes from the front of the vector. */
static void advance(struct iovec **iov, int *count, size_t n) {
    while (*count && n >= (*iov)->iov_len) {
        n -= (*iov)->iov_len;
        ++*iov;
        --*count;
    }
    if (*count) {
        (*iov)->iov_base = (char *)(*iov)->iov_base + n;
        (*iov)->iov_len -= n;
    }
}

sm_status sm_frame_write(int fd, uint16_t type, const void *head, size_t head_len, const void *tail,
                         size_t tail_len) {
    unsigned char header[SM_FRAME_HEADER];
    sm_frame_encode(header, type, (uint64_t)head_len + tail_len);
    struct iovec parts[3] = {{header, sizeof header}, {(void *)head, head_len}, {(void *)tail, tail_len}};
    struct iovec *iov = parts;
    int count = 3;
    while (count) {
        struct msghdr msg = {.msg_iov = iov, .msg_iovlen = (size_t)count};
        ssize_t n = sendmsg(fd, &msg, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EPIPE || errno == ECONNRESET ? SM_CLOSED : SM_IO;
        advance(&iov, &count, (size_t)n);
    }
    return SM_OK;
}

/* Reads exactly N bytes; SM_CLOSED if the end came before the first, SM_TRUNCATED if later. */
static sm_status read_all(int fd, unsigned char *to, size_t n) {
    for (size_t got = 0; got < n;) {
        ssize_t r = read(fd, to + got, n - got);
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            return errno == ECONNRESET ? SM_CLOSED : SM_IO;
        if (r == 0)
            return got ? SM_TRUNCATED : SM_CLOSED;
        got += (size_t)r;
    }
    return SM_OK;
}

sm_status sm_frame_read(int fd, uint16_t *type, sm_buf *payload) {
    unsigned char header[SM_FRAME_HEADER];
    sm_frame frame;
    sm_buf_clear(payload);
    sm_status s = read_all(fd, header, sizeof header);
    if (s == SM_OK)
        s = sm_frame_decode(header, payload->max, &frame);
    if (s != SM_OK)
        return s;
    *type = frame.type;
    unsigned char *to = sm_buf_extend(payload, (size_t)frame.length);
    if (!to)
        return payload->status;
    s = read_all(fd, to, (size_t)frame.length);
    return s == SM_CLOSED ? SM_TRUNCATED : s;
}
