/* frame.h - the frames that smd, its fork server, its workers and smd-upgrade exchange over a SOCK_STREAM socketpair.
 *
 * A frame is a 16-byte header and a payload:
 *     u32 magic "SMF1"   u16 type   u16 zero   u64 payload length
 * The first frame from the fork server, and from each worker, is HELLO; a side that reads another protocol version
 * there gives up with SM_INCOMPATIBLE. Payloads, in the fields of buf.h ("str" is u32 length and bytes):
 *     HELLO     u32 protocol, u32 artifact version, str about     fork server and worker -> smd
 *               (about: a JSON object for /v1/capabilities from the fork server; empty from a worker)
 *     SPAWN     (nothing)                                         smd -> fork server
 *     SPAWNED   u32 pid, with three descriptors by SCM_RIGHTS:    fork server -> smd
 *               the worker's socket, its pidfd, its log (a sealed memfd that is the worker's stderr)
 *     EXITED    u32 pid, u32 wait status, u64 CPU nanoseconds that the process has taken, 0 if it is stopped
 *                                                                 fork server -> smd, also when a worker is stopped
 *     JOB       u32 kind, u32 threads that it may have, str options (canonical text), str profiles (profile.h), str key context,
 *               u64 length of kept parts, u64 how many bytes of them may come back, u64 length of the input, the input, kept parts    smd -> worker
 *     RESULT    sm_timings as SM_STAGES x u32, u32 peak RSS in KiB, u32 parts, u32 parts taken over, u32 last, then the
 *               artifact, then kept parts (kept.h), or nothing      worker -> smd
 *     ATTACH    (nothing), with one descriptor by SCM_RIGHTS:     fork server -> smd-upgrade
 *               the other end of a worker's second socket
 *     UPGRADE   str name, then the IR                             worker -> smd-upgrade
 *     UPGRADED  u32 status, u32 line, u32 column, str message,    smd-upgrade -> worker
 *               then the bitcode
 */
#ifndef SM_FRAME_H
#define SM_FRAME_H

#include "buf.h"

#define SM_PROTOCOL_VERSION 6u
#define SM_FRAME_HEADER     16u

/* Bytes of a worker's log. The last one is the stage that its job is in, from 1; 0: none yet. */
#define SM_LOG_SIZE 65536u

/* A worker's process may take so many times the CPU seconds of one job, and cannot take more; smd replaces it when its
 * jobs have run for half of that. */
#define SM_WORKER_LIFE 4u

enum sm_frame_type {
    SM_FRAME_HELLO = 1,
    SM_FRAME_SPAWN = 2,
    SM_FRAME_SPAWNED = 3,
    SM_FRAME_EXITED = 4,
    SM_FRAME_JOB = 5,
    SM_FRAME_RESULT = 6,
    SM_FRAME_ATTACH = 7,
    SM_FRAME_UPGRADE = 8,
    SM_FRAME_UPGRADED = 9,
};

enum sm_job_kind {
    SM_JOB_COMPILE = 1,  /* IR or bitcode -> artifact */
    SM_JOB_STACKMAP = 2, /* an object file -> artifact with its stackmap alone */
};

/* The stages of a compile, in order; a row is X(NAME, "wire_name"). Times are wall microseconds. */
#define SM_STAGE_MAP(X)                                                                                              \
    X(PARSE, "parse")                                                                                                \
    X(OPTIMIZE, "optimize")                                                                                          \
    X(PLACE, "place")                                                                                                \
    X(REWRITE, "rewrite")                                                                                            \
    X(EMIT, "emit")                                                                                                  \
    X(DECODE, "decode")

enum sm_stage {
#define X(name, wire) SM_STAGE_##name,
    SM_STAGE_MAP(X)
#undef X
        SM_STAGES
};

typedef struct sm_timings {
    uint32_t stage_us[SM_STAGES];
    uint32_t peak_rss_kib; /* of the worker's process so far */
    uint32_t parts;        /* that the object was joined of; 0 or 1: it was not */
    uint32_t parts_taken;  /* of them, those of an earlier compile */
    uint32_t last;         /* boolean: the worker takes no further job, and ends */
} sm_timings;

#define SM_TIMINGS_SIZE (4u * (SM_STAGES + 4u)) /* bytes on the wire */

const char *sm_stage_name(unsigned stage);
sm_status sm_put_timings(sm_buf *b, const sm_timings *t);
sm_status sm_get_timings(sm_cursor *c, sm_timings *t);

/* A worker's exit status when somebody has ended smd-upgrade before it answered: it sends no result, and its job is to
 * blame for nothing. */
#define SM_EXIT_LOST 72

typedef struct sm_frame {
    uint16_t type;
    uint64_t length; /* of the payload */
} sm_frame;

/* Writes the header's 16 bytes to OUT. */
void sm_frame_encode(unsigned char out[SM_FRAME_HEADER], uint16_t type, uint64_t length);

/* Reads a header. SM_MALFORMED for a wrong magic or a nonzero reserved field, SM_TOO_LARGE for a payload over MAX. */
sm_status sm_frame_decode(const unsigned char in[SM_FRAME_HEADER], uint64_t max, sm_frame *out);

/* Blocking: writes one frame whose payload is HEAD followed by TAIL (either may be empty). SM_CLOSED or SM_IO. No
 * SIGPIPE. */
sm_status sm_frame_write(int fd, uint16_t type, const void *head, size_t head_len, const void *tail, size_t tail_len);

/* Blocking: reads one frame; PAYLOAD is cleared, and filled up to its maximum. SM_CLOSED at an orderly end between
 * frames, SM_TRUNCATED inside one, SM_TOO_LARGE, SM_MALFORMED, SM_NOMEM, SM_IO. */
sm_status sm_frame_read(int fd, uint16_t *type, sm_buf *payload);

#endif
