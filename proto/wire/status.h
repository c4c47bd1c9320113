/* status.h - every status that smd, its worker and its client give, in one table.
 *
 * A row is X(code, NAME, "wire_name", http, "text"). The code goes over wires and into artifacts, the
 * wire name is the "code" of a problem+json body, the HTTP status is what a request that ends so is answered
 * with, and the text is a sentence's beginning for a person. Codes and names are never reused.
 */
#ifndef SM_STATUS_H
#define SM_STATUS_H

/* clang-format off */
#define SM_STATUS_MAP(X)                                                                                      \
    X(0, OK, "ok", 200, "Success")                                                                            \
    /* The request is wrong. */                                                                               \
    X(100, BAD_REQUEST, "bad_request", 400, "The request is malformed")                                       \
    X(101, EMPTY_BODY, "empty_body", 400, "The request has no body")                                          \
    X(102, UNKNOWN_OPTION, "unknown_option", 400, "There is no such option")                                  \
    X(103, INVALID_OPTION, "invalid_option", 400, "An option's value is not allowed")                         \
    X(104, UNKNOWN_TARGET, "unknown_target", 400, "The target is not supported")                              \
    X(105, INVALID_JSON, "invalid_json", 400, "The JSON body is not valid")                                   \
    X(106, INVALID_ENCODING, "invalid_encoding", 400, "The body does not decode")                             \
    X(107, BODY_TOO_LARGE, "body_too_large", 413, "The body is larger than the limit")                        \
    X(108, NOT_FOUND, "not_found", 404, "There is nothing at this path")                                      \
    X(109, METHOD_NOT_ALLOWED, "method_not_allowed", 405, "The path does not take this method")               \
    X(110, UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", 415, "The body's media type is not supported")   \
    X(111, UNSUPPORTED_ENCODING, "unsupported_encoding", 415, "The body's content encoding is not supported") \
    X(112, NOT_ACCEPTABLE, "not_acceptable", 406, "None of the accepted media types can be given")            \
    X(113, REQUEST_TIMEOUT, "request_timeout", 408, "The request did not arrive in time")                     \
    X(114, JOB_NOT_FOUND, "job_not_found", 404, "There is no such job")                                       \
    X(115, ARTIFACT_NOT_FOUND, "artifact_not_found", 404, "There is no such artifact")                        \
    X(116, HEADER_TOO_LARGE, "header_too_large", 431, "The request's header is larger than the limit")        \
    X(117, INVALID_PROFILE, "invalid_profile", 400, "The profile is not valid")                               \
    X(118, HOST_REFUSED, "host_refused", 421, "The Host is no name of this server")                           \
    X(119, ORIGIN_REFUSED, "origin_refused", 403, "Pages of this origin may not ask this server")             \
    X(120, UNAUTHORISED, "unauthorised", 401, "This server asks who you are")                                 \
    X(121, FORBIDDEN, "forbidden", 403, "You may not ask for this")                                           \
    /* The input is wrong, or LLVM will not have it. */                                                       \
    X(200, PARSE_ERROR, "parse_error", 422, "The module does not parse")                                      \
    X(201, INVALID_MODULE, "invalid_module", 422, "The module does not verify")                               \
    X(202, UNSUPPORTED_GC, "unsupported_gc_strategy", 422, "The GC strategy is not supported")                \
    X(203, MISSING_POLL, "missing_safepoint_poll", 422, "The module has no gc.safepoint_poll")                \
    X(204, POLL_CONFLICT, "safepoint_poll_conflict", 422, "The poll does not fit the module")                 \
    X(205, SAFEPOINT_VIOLATION, "safepoint_violation", 422, "A pointer is used across a safepoint unrelocated") \
    X(206, CANNOT_REWRITE, "cannot_rewrite", 422, "A safepoint cannot be rewritten into a statepoint")        \
    X(207, CODEGEN_FAILED, "codegen_failed", 422, "The module cannot be turned into machine code")            \
    X(208, INVALID_GCROOT, "invalid_gcroot", 422, "llvm.gcroot is used in a wrong way")                       \
    X(209, GC_MISMATCH, "gc_mismatch", 422, "A GC feature does not belong to the function's strategy")        \
    X(210, INVALID_OBJECT, "invalid_object", 422, "The object file is not one that can be read")              \
    X(211, INVALID_STACKMAP, "invalid_stackmap", 422, "The stackmap is damaged")                              \
    X(212, OUTPUT_TOO_LARGE, "output_too_large", 422, "The output is larger than the limit")                  \
    X(220, NO_UPGRADE, "no_upgrade", 422, "Typed pointers cannot be read by this server")                     \
    X(230, BARRIER_CONFLICT, "barrier_conflict", 422, "The barrier does not fit the module")                  \
    X(231, TRANSITION_CONFLICT, "transition_conflict", 422, "The GC transition does not fit the module")      \
    /* The compile ended badly. */                                                                            \
    X(300, COMPILER_CRASHED, "compiler_crashed", 500, "The compiler crashed")                                 \
    X(301, COMPILE_TIMEOUT, "compile_timeout", 504, "The compile took longer than its deadline")              \
    X(302, OUT_OF_MEMORY, "out_of_memory", 500, "The compile needed more memory than it may have")            \
    X(303, CPU_LIMIT, "cpu_limit", 500, "The compile took more CPU time than it may have")                    \
    X(304, JOB_DEAD, "job_dead", 500, "The servers that ran the job were lost")                               \
    /* There is no capacity. */                                                                               \
    X(400, OVERLOADED, "overloaded", 503, "The server is over capacity")                                      \
    X(401, TOO_MANY_REQUESTS, "too_many_requests", 429, "This client has too many requests waiting")          \
    X(402, DRAINING, "draining", 503, "The server is shutting down")                                          \
    X(403, NO_WORKER, "no_worker", 503, "No compiler worker is available")                                    \
    X(404, CANCELLED, "cancelled", 499, "The request was cancelled")                                          \
    X(405, QUEUE_UNAVAILABLE, "queue_unavailable", 503, "The queue of jobs does not answer")                  \
    X(406, CACHE_UNAVAILABLE, "cache_unavailable", 503, "The disk of the cache did not answer in time")       \
    /* Inside a program; a user sees one of these only as a fault of ours. */                                 \
    X(500, INTERNAL, "internal_error", 500, "An internal error")                                              \
    X(501, NOMEM, "no_memory", 500, "Out of memory")                                                         \
    X(502, TRUNCATED, "truncated", 500, "The bytes end too early")                                            \
    X(503, MALFORMED, "malformed", 500, "The bytes are not of their format")                                  \
    X(504, TOO_LARGE, "too_large", 500, "Larger than its bound")                                              \
    X(505, IO, "io_error", 500, "Reading or writing failed")                                                  \
    X(506, CLOSED, "closed", 500, "The other side closed the connection")                                     \
    X(507, INCOMPATIBLE, "incompatible", 500, "The two sides do not speak the same version")                  \
    X(508, DAMAGED, "damaged", 500, "The digest does not fit the bytes")
/* clang-format on */

typedef enum sm_status {
#define X(code, name, wire, http, text) SM_##name = code,
    SM_STATUS_MAP(X)
#undef X
} sm_status;

/* The wire name of a status ("parse_error"); "unknown" for a number that is none. Static storage. */
const char *sm_status_name(sm_status s);

/* A short text for a person, without a full stop; "Unknown status" for a number that is none. Static storage. */
const char *sm_status_text(sm_status s);

/* The HTTP status that answers it; 500 for a number that is none. */
int sm_status_http(sm_status s);

/* 1 if CODE, read from a wire, is a row of the table. */
int sm_status_known(unsigned code);

/* The status that has this wire name; -1 if none has. */
int sm_status_from_name(const char *name);

#endif
