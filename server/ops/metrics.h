/* metrics.h - the daemon's figures, as counters that any thread may raise, and their Prometheus text.
 *
 * One table: a row is X(NAME, "metric_name", "labels", TYPE, "help"); rows of one metric stand together.
 */
#ifndef SMD_METRICS_H
#define SMD_METRICS_H

#include "buf.h"
#include "frame.h"
#include "slowest.h"

#include <stdatomic.h>

/* clang-format off */
#define METRIC_MAP(X)                                                                                                                           \
    X(CONNECTIONS, "smd_connections", "", "gauge", "Open connections")                                                                          \
    X(REQUESTS_ACTIVE, "smd_requests_active", "", "gauge", "Requests that have begun and are not answered")                                     \
    X(ANSWER_BYTES, "smd_answer_bytes", "", "gauge", "Bytes of answers that are on their way")                                                  \
    X(BODY_BYTES, "smd_body_bytes", "", "gauge", "Bytes of request bodies that are held")                                                       \
    X(HELD_BODY, "smd_held_bytes", "what=\"body\",setting=\"queue_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_INFLATER, "smd_held_bytes", "what=\"inflater\",setting=\"queue_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_JSON, "smd_held_bytes", "what=\"json\",setting=\"queue_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_INPUT, "smd_held_bytes", "what=\"input\",setting=\"queue_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_PARTS, "smd_held_bytes", "what=\"parts\",setting=\"queue_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_FILE, "smd_held_bytes", "what=\"file\",setting=\"queue_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_RESULT, "smd_held_bytes", "what=\"result\",setting=\"queue_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_ANSWER, "smd_held_bytes", "what=\"answer\",setting=\"answers_mib\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(HELD_CONNECTION, "smd_held_bytes", "what=\"connection\",setting=\"connections\"", "gauge", "Bytes that are held for clients, by what they are and the setting that bounds them")\
    X(RECEIVED_BYTES, "smd_received_bytes_total", "", "counter", "Bytes of request bodies received")                                            \
    X(SENT_BYTES, "smd_sent_bytes_total", "", "counter", "Bytes of answer bodies queued")                                                       \
    X(QUEUE_JOBS, "smd_queue_jobs", "", "gauge", "Jobs that wait for a worker")                                                                 \
    X(JOBS_RETRIED, "smd_jobs_retried_total", "", "counter", "Jobs run again after their worker was killed from outside")                       \
    X(JOBS_CANCELLED, "smd_jobs_cancelled_total", "", "counter", "Jobs given up because nobody waits for them")                                 \
    X(CRASH_HITS, "smd_crash_memory_hits_total", "", "counter", "Requests answered from the memory of failures")                                \
    X(FROM_COMPILED, "smd_artifacts_total", "from=\"compiled\"", "counter", "Artifacts by where they came from")                                \
    X(FROM_FLIGHT, "smd_artifacts_total", "from=\"flight\"", "counter", "Artifacts by where they came from")                                    \
    X(FROM_MEMORY, "smd_artifacts_total", "from=\"memory\"", "counter", "Artifacts by where they came from")                                    \
    X(FROM_DISK, "smd_artifacts_total", "from=\"disk\"", "counter", "Artifacts by where they came from")                                        \
    X(FROM_SHARED, "smd_artifacts_total", "from=\"shared\"", "counter", "Artifacts by where they came from")                                    \
    X(FROM_STORE, "smd_artifacts_total", "from=\"store\"", "counter", "Artifacts by where they came from")                                    \
    X(CACHE_MEMORY_BYTES, "smd_cache_bytes", "tier=\"memory\"", "gauge", "Bytes in the cache")                                                  \
    X(CACHE_DISK_BYTES, "smd_cache_bytes", "tier=\"disk\"", "gauge", "Bytes in the cache")                                                      \
    X(CACHE_MEMORY_ENTRIES, "smd_cache_entries", "tier=\"memory\"", "gauge", "Entries in the cache")                                            \
    X(CACHE_DISK_ENTRIES, "smd_cache_entries", "tier=\"disk\"", "gauge", "Entries in the cache")                                                \
    X(CACHE_MEMORY_EVICTED, "smd_cache_evictions_total", "tier=\"memory\"", "counter", "Entries that made room for others")                     \
    X(CACHE_DISK_EVICTED, "smd_cache_evictions_total", "tier=\"disk\"", "counter", "Entries that made room for others")                         \
    X(CACHE_DAMAGED, "smd_cache_errors_total", "kind=\"damaged\"", "counter", "Failures of the cache on disk; each is only a miss")    \
    X(CACHE_READ_ERRORS, "smd_cache_errors_total", "kind=\"read\"", "counter", "Failures of the cache on disk; each is only a miss")   \
    X(CACHE_WRITE_ERRORS, "smd_cache_errors_total", "kind=\"write\"", "counter", "Failures of the cache on disk; each is only a miss") \
    X(CACHE_NOT_KEPT, "smd_cache_not_kept_total", "", "counter", "Entries not written to disk because too many waited or they are too large")   \
    X(SHARED_UP, "smd_shared_up", "", "gauge", "1 while the shared tier is asked; 0: it is down, or there is none")                            \
    X(SHARED_EVICTS, "smd_shared_evicts", "", "gauge", "1 if the Redis of the shared tier makes room for what is new")                              \
    X(SHARED_WRITTEN, "smd_shared_written_total", "", "counter", "Entries written to the shared tier")                                          \
    X(SHARED_NOT_KEPT, "smd_shared_not_kept_total", "", "counter", "Entries not written to the shared tier: too large, too many waiting, or it went down") \
    X(SHARED_WAITED, "smd_shared_waited_total", "", "counter", "Lookups that waited for another server's compile")                              \
    X(SHARED_LATE, "smd_shared_errors_total", "kind=\"late\"", "counter", "Failures of the shared tier; each is only a miss")                   \
    X(SHARED_LOST, "smd_shared_errors_total", "kind=\"lost\"", "counter", "Failures of the shared tier; each is only a miss")                   \
    X(SHARED_DAMAGED, "smd_shared_errors_total", "kind=\"damaged\"", "counter", "Failures of the shared tier; each is only a miss")             \
    X(SHARED_WRITE_ERRORS, "smd_shared_errors_total", "kind=\"write\"", "counter", "Failures of the shared tier; each is only a miss")          \
    X(STORE_UP, "smd_store_up", "", "gauge", "1 while the object store is asked; 0: it is down, or there is none")                             \
    X(STORE_WRITTEN, "smd_store_written_total", "", "counter", "Entries written to the object store")                                          \
    X(STORE_NOT_KEPT, "smd_store_not_kept_total", "", "counter", "Entries not written to the object store: too large, too many waiting, or it went down")\
    X(STORE_LATE, "smd_store_errors_total", "kind=\"late\"", "counter", "Failures of the object store; each is only a miss")                   \
    X(STORE_FAULTS, "smd_store_errors_total", "kind=\"fault\"", "counter", "Failures of the object store; each is only a miss")                \
    X(STORE_BUSY, "smd_store_errors_total", "kind=\"busy\"", "counter", "Failures of the object store; each is only a miss")                   \
    X(STORE_LOST, "smd_store_errors_total", "kind=\"lost\"", "counter", "Failures of the object store; each is only a miss")                   \
    X(STORE_DAMAGED, "smd_store_errors_total", "kind=\"damaged\"", "counter", "Failures of the object store; each is only a miss")             \
    X(STORE_WRITE_ERRORS, "smd_store_errors_total", "kind=\"write\"", "counter", "Failures of the object store; each is only a miss")          \
    X(TRACES_TAKEN, "smd_traces_total", "result=\"taken\"", "counter", "Requests that the collector of traces was told of")                       \
    X(TRACES_LOST, "smd_traces_total", "result=\"lost\"", "counter", "Requests that the collector of traces was told of")                         \
    X(JOB_QUEUE_UP, "smd_job_queue_up", "", "gauge", "1 while job_queue answers; 0: it is down, or there is none")                                  \
    X(JOB_QUEUE_SAFE, "smd_job_queue_safe", "", "gauge", "1 if the Redis of job_queue evicts nothing and keeps what it has over its end")           \
    X(JOB_QUEUE_WAITING, "smd_job_queue_jobs", "state=\"waiting\"", "gauge", "Jobs in job_queue, of all servers")                                   \
    X(JOB_QUEUE_RUNNING, "smd_job_queue_jobs", "state=\"running\"", "gauge", "Jobs in job_queue, of all servers")                                   \
    X(JOB_QUEUE_DEAD, "smd_job_queue_jobs", "state=\"dead\"", "gauge", "Jobs in job_queue, of all servers")                                         \
    X(JOBS_ADDED, "smd_job_queue_total", "event=\"added\"", "counter", "Jobs of job_queue by what this server did with them")                       \
    X(JOBS_TAKEN, "smd_job_queue_total", "event=\"taken\"", "counter", "Jobs of job_queue by what this server did with them")                       \
    X(JOBS_TAKEN_OVER, "smd_job_queue_total", "event=\"taken_over\"", "counter", "Jobs of job_queue by what this server did with them")             \
    X(JOBS_ENDED, "smd_job_queue_total", "event=\"ended\"", "counter", "Jobs of job_queue by what this server did with them")                       \
    X(JOBS_GIVEN_BACK, "smd_job_queue_total", "event=\"given_back\"", "counter", "Jobs of job_queue by what this server did with them")             \
    X(JOBS_LOST, "smd_job_queue_total", "event=\"lost\"", "counter", "Jobs of job_queue by what this server did with them")                         \
    X(JOBS_DEAD, "smd_job_queue_total", "event=\"dead\"", "counter", "Jobs of job_queue by what this server did with them")                         \
    X(JOB_QUEUE_LOST, "smd_job_queue_errors_total", "kind=\"lost\"", "counter", "Failures of job_queue")                                            \
    X(JOB_QUEUE_DAMAGED, "smd_job_queue_errors_total", "kind=\"damaged\"", "counter", "Failures of job_queue")                                      \
    X(JOB_QUEUE_WRITE_ERRORS, "smd_job_queue_errors_total", "kind=\"write\"", "counter", "Failures of job_queue")                                   \
    X(VERIFIED_EQUAL, "smd_cache_verified_total", "result=\"equal\"", "counter", "Hits compiled again and compared")                            \
    X(VERIFIED_DIFFERENT, "smd_cache_verified_total", "result=\"different\"", "counter", "Hits compiled again and compared")                    \
    X(VERIFIED_FAILED, "smd_cache_verified_total", "result=\"failed\"", "counter", "Hits compiled again and compared")                          \
    X(ADMITTED, "smd_admissions_total", "result=\"same\"", "counter", "Results that a second worker was to confirm before they are kept (admission)")       \
    X(ADMISSION_DIFFERENT, "smd_admissions_total", "result=\"different\"", "counter", "Results that a second worker was to confirm before they are kept (admission)") \
    X(ADMISSION_DROPPED, "smd_admissions_total", "result=\"dropped\"", "counter", "Results that a second worker was to confirm before they are kept (admission)") \
    X(ADMISSION_WAITING, "smd_admission_jobs", "", "gauge", "Results that a second worker has still to confirm")                                  \
    X(WORKERS_IDLE, "smd_workers", "state=\"idle\"", "gauge", "Workers by state")                                                               \
    X(WORKERS_BUSY, "smd_workers", "state=\"busy\"", "gauge", "Workers by state")                                                               \
    X(WORKERS_STARTING, "smd_workers", "state=\"starting\"", "gauge", "Workers by state")                                                       \
    X(EXIT_RETIRED, "smd_worker_exits_total", "cause=\"retired\"", "counter", "Ended workers by cause")                                         \
    X(EXIT_CRASHED, "smd_worker_exits_total", "cause=\"crashed\"", "counter", "Ended workers by cause")                                         \
    X(EXIT_KILLED, "smd_worker_exits_total", "cause=\"killed\"", "counter", "Ended workers by cause")                                           \
    X(EXIT_CANCELLED, "smd_worker_exits_total", "cause=\"cancelled\"", "counter", "Ended workers by cause")                                     \
    X(EXIT_SLOW, "smd_worker_exits_total", "cause=\"slow\"", "counter", "Ended workers by cause")                                               \
    X(EXIT_MEMORY, "smd_worker_exits_total", "cause=\"memory\"", "counter", "Ended workers by cause")                                           \
    X(EXIT_CPU, "smd_worker_exits_total", "cause=\"cpu\"", "counter", "Ended workers by cause")                                                 \
    X(EXIT_PROTOCOL, "smd_worker_exits_total", "cause=\"protocol\"", "counter", "Ended workers by cause")                                       \
    X(FORKSERVER_STARTS, "smd_nursery_starts_total", "", "counter", "Starts of the fork server")

#define HISTOGRAM_MAP(X)                                                                                                                        \
    X(REQUEST, "smd_request_seconds", "", "From a request's header to its answer")                                                              \
    X(QUEUE, "smd_queue_seconds", "", "From a job's arrival to its way to a worker")                                                            \
    X(JOB_WAIT, "smd_job_queue_seconds", "", "From a job's way into job_queue to the first server that took it")                                    \
    X(RUN, "smd_compile_seconds", "", "From a job's way to a worker to its result")                                                             \
    X(PARSE, "smd_stage_seconds", "stage=\"parse\"", "Time in a stage of the compiler")                                                         \
    X(OPTIMIZE, "smd_stage_seconds", "stage=\"optimize\"", "Time in a stage of the compiler")                                                   \
    X(PLACE, "smd_stage_seconds", "stage=\"place\"", "Time in a stage of the compiler")                                                         \
    X(REWRITE, "smd_stage_seconds", "stage=\"rewrite\"", "Time in a stage of the compiler")                                                     \
    X(EMIT, "smd_stage_seconds", "stage=\"emit\"", "Time in a stage of the compiler")                                                           \
    X(DECODE, "smd_stage_seconds", "stage=\"decode\"", "Time in a stage of the compiler")
/* clang-format on */

enum metric {
#define X(name, ...) METRIC_##name,
    METRIC_MAP(X)
#undef X
        METRICS
};

enum histogram {
#define X(name, ...) HISTOGRAM_##name,
    HISTOGRAM_MAP(X)
#undef X
        HISTOGRAMS
};

#define HISTOGRAM_BUCKETS 21
#define METRIC_CODES      600 /* more than the largest sm_status */

#define METRIC_ROUTES 28 /* at least one more than there are routes */
#define METRIC_FROMS  7  /* enum from, and those that came from nowhere */

struct histogram_counts {
    atomic_llong bucket[HISTOGRAM_BUCKETS + 1], sum_us;
};

struct metrics {
    struct slowest slowest;
    atomic_llong value[METRICS];
    atomic_llong answers[METRIC_CODES];  /* by sm_status */
    atomic_llong compiles[METRIC_CODES]; /* likewise */
    struct histogram_counts histogram[HISTOGRAMS];
    struct histogram_counts route[METRIC_ROUTES]
                                 [METRIC_FROMS]; /* by the route's row; the last are those of no route */
};

void metric_add(struct metrics *m, enum metric which, long long n);
void metric_set(struct metrics *m, enum metric which, long long n);
long long metric_get(const struct metrics *m, enum metric which);
void metric_answer(struct metrics *m, sm_status s);
void metric_compile(struct metrics *m, sm_status s); /* a compile came to an end in a worker */
void metric_observe(struct metrics *m, enum histogram which, uint64_t microseconds);
/* An answer of the route with this row, FROM as enum from, or -1. */
void metric_observe_route(struct metrics *m, size_t route, int from, uint64_t microseconds);
void metric_stages(struct metrics *m, const sm_timings *t);

/* Names the routes and the places where answers come from, both lists ended by NULL; for metrics_text. */
struct metric_names {
    const char *const *routes, *const *froms;
};

/* Appends the whole as Prometheus text, version 0.0.4. */
sm_status metrics_text(const struct metrics *m, const struct metric_names *names, sm_buf *out);

#endif
