/* Frames, read one behind another from a socket, with the fields of those payloads that have any. */
#include "fuzz.h"

#include "frame.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void read_payload(uint16_t type, const sm_buf *payload) {
    sm_cursor c = sm_cursor_of(payload->data, payload->len);
    sm_timings t;
    size_t n;
    if (type == SM_FRAME_RESULT) {
        sm_get_timings(&c, &t);
    } else {
        sm_get_u32(&c);
        const char *text = sm_get_str(&c, &n);
        must(text || n == 0);
        must(!text || (text >= (const char *)c.data && n <= c.len));
        sm_get_align(&c, 8);
    }
    must(c.pos <= c.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { SOCKET_HOLDS = 65536, PAYLOAD_MOST = 4096 };
    int pair[2];
    uint16_t type;
    sm_buf payload;
    if (size > SOCKET_HOLDS)
        return 0;
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    must(size == 0 || write(pair[0], data, size) == (ssize_t)size);
    close(pair[0]);
    sm_buf_init(&payload, PAYLOAD_MOST);
    while (sm_frame_read(pair[1], &type, &payload) == SM_OK) {
        must(payload.len <= PAYLOAD_MOST);
        read_payload(type, &payload);
    }
    sm_buf_free(&payload);
    close(pair[1]);
    return 0;
}
