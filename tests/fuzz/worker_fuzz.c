/* What workers and the fork server send to smd, as smd reads it: the first byte says who. A worker's is read as a greeting
 * and then as the answer to a job. */
#include "fuzz.h"

#include "forkserver.h"
#include "worker.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SOCKET_HOLDS = 65536, OUTPUT_MOST = 16384 };

/* A job with a module, whose frame has been sent. */
static struct job *begin_job(struct worker *w) {
    struct charge none = {0};
    struct job *job = job_new(SM_JOB_COMPILE);
    must(job && job_set_input(job, source_new((unsigned char *)strdup("define"), 6, &none)));
    must(worker_begin(w, job, 1, 1) == SM_OK && worker_send(w));
    return job;
}

static void read_worker(int socket) {
    struct job *job = NULL;
    struct worker *w = worker_new(1, 1, socket, -1, -1, OUTPUT_MOST, NULL);
    must(w);
    for (int events = 0; events < 64; events++) {
        sm_status s;
        enum worker_progress p = worker_receive(w);
        must(w->payload.len <= OUTPUT_MOST);
        if (p == WORKER_SAYS_HELLO) {
            must(!job);
            w->state = WORKER_IDLE;
            job = begin_job(w);
        } else if (p == WORKER_HAS_RESULT) {
            must(job && w->job == job);
            struct result *r = worker_result(w, &s);
            must((r != NULL) == (s == SM_OK) && w->state == WORKER_IDLE);
            must(!r || r->bytes.len + r->kept.len <= OUTPUT_MOST);
            result_unref(r);
            job_free(job);
            job = begin_job(w);
        } else {
            break;
        }
    }
    worker_free(w);
    job_free(job);
}

static void read_forkserver(int socket) {
    struct forkserver n;
    forkserver_init(&n);
    n.socket = socket;
    for (int events = 0; events < 4096; events++) {
        struct forkserver_event e = forkserver_next(&n);
        must(e.kind != FORKSERVER_SPAWNED); /* no descriptors came with it */
        if (e.kind == FORKSERVER_GONE || (e.kind == FORKSERVER_NOTHING && n.in.len < SM_FRAME_HEADER))
            break;
    }
    free(n.about);
    forkserver_stop(&n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int pair[2];
    if (size < 1 || size > SOCKET_HOLDS)
        return 0;
    must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    must(size == 1 || write(pair[0], data + 1, size - 1) == (ssize_t)size - 1);
    if (data[0] & 1)
        read_worker(pair[1]);
    else
        read_forkserver(pair[1]);
    close(pair[0]);
    return 0;
}
