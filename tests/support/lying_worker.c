/* lying_worker.c - smd-worker as it is, but for its answers: as if a module had taken the process over, each second result
 * of a process has another constant where its code says `mov eax, 1000 + N`. The artifact's digest is made right again, so
 * that nothing shows it. A process whose first result this is is honest. */
#include "artifact.h"
#include "digest.h"
#include "frame.h"

#include <stdint.h>
#include <string.h>

sm_status __real_sm_frame_write(int fd, uint16_t type, const void *head, size_t head_len, const void *tail,
                                size_t tail_len);
sm_status __wrap_sm_frame_write(int fd, uint16_t type, const void *head, size_t head_len, const void *tail,
                                size_t tail_len);

enum { DIGEST_AT = 32 };

/* Changes the object in the artifact, which is the worker's own memory. */
static void lie(unsigned char *bytes, size_t len) {
    sm_artifact a;
    if (sm_artifact_read(bytes, len, &a) != SM_OK)
        return;
    unsigned char *object = (unsigned char *)a.part[SM_PART_OBJECT].data;
    for (size_t i = 0; i + 5 <= a.part[SM_PART_OBJECT].len; i++)
        if (object[i] == 0xb8 && (object[i + 2] & 0xfc) == 4 && !object[i + 3] && !object[i + 4])
            object[i + 1] ^= 1;
    sm_digester *d = sm_digester_new();
    sm_digester_add(d, bytes, DIGEST_AT);
    sm_digester_add(d, bytes + SM_ARTIFACT_HEADER, len - SM_ARTIFACT_HEADER);
    sm_digester_end(d, bytes + DIGEST_AT);
    sm_digester_free(d);
}

sm_status __wrap_sm_frame_write(int fd, uint16_t type, const void *head, size_t head_len, const void *tail,
                                size_t tail_len) {
    static int results;
    uint64_t artifact = type == SM_FRAME_RESULT && tail_len ? sm_artifact_length(tail, tail_len) : 0;
    if (artifact && artifact <= tail_len && ++results % 2 == 0)
        lie((unsigned char *)tail, (size_t)artifact);
    return __real_sm_frame_write(fd, type, head, head_len, tail, tail_len);
}
