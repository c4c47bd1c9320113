/* smclient.h - libsmclient: machine code with precise stack maps, for a language's runtime.
 *
 * A runtime with a moving garbage collector hands LLVM IR to this library and gets code back that it can run, and
 * for every frame of that code the places that hold pointers into its heap. The compiling is done by a server, smd;
 * the runtime links no LLVM. The library has four parts, each of use without the others:
 *
 *     client   fetches: IR goes to a server, an answer comes back (object file, stackmap, diagnostics)
 *     loader   loads an object file into memory, ready to run, and finds its safepoints by return address
 *     walker   walks the stack from a safepoint and visits every live pointer, so that a collector can move objects
 *     zeal     runs a collector such that a root that it misses is noticed, for tests
 *
 * The whole way, without the error handling:
 *
 *     sm_client *client = sm_client_new(NULL, &err);
 *     sm_request request = {.size = sizeof request, .module = ir, .module_len = strlen(ir)};
 *     sm_compile(client, &request, &answer, &err);
 *
 *     sm_loader *loader = sm_loader_new(&(sm_loader_options){.size = sizeof(sm_loader_options), .resolve = mine}, &err);
 *     sm_load(loader, sm_answer_object(answer, &len), len, "f.ll", &object, &err);
 *     long (*f)(void) = (long (*)(void))sm_object_symbol(object, "f");
 *     f();
 *
 *     SM_RUNTIME_ENTRY(collect, collect_now)                  // in a C file: the IR calls collect, C code is called
 *     void collect_now(sm_registers *at) {
 *         sm_visit(loader, at, &(sm_visitor){.size = sizeof(sm_visitor), .root = move}, &err);
 *     }
 *
 * Conventions. Every pointer is *borrowed* (the callee uses it until it returns), *new* (the caller frees it with the
 * function named) or *taken* (the callee frees it), and the comment says which. Sizes are in bytes, times in
 * milliseconds as their names say. Freeing NULL is fine. A function that can fail gives an sm_result, and fills the
 * sm_error that the caller may pass. Structs that the caller fills begin with `size`, which is sizeof the struct (0
 * is refused with SM_ERR_INVALID_ARGUMENT); a field that is zero has its default, so that a program built with this
 * header runs with later libraries.
 *
 * Stability. What this header declares keeps its name, meaning and layout throughout major version 0's soname; fields
 * and functions are only added, at the end.
 *
 * The header is C99 and C++, and needs nothing but the standard headers below. */
#ifndef SMCLIENT_H
#define SMCLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SM_API __attribute__((visibility("default")))
#else
#define SM_API
#endif

/* ==== Version ================================================================================================ */

#define SM_VERSION_MAJOR 0
#define SM_VERSION_MINOR 1
#define SM_VERSION_PATCH 0
#define SM_VERSION       (SM_VERSION_MAJOR * 10000 + SM_VERSION_MINOR * 100 + SM_VERSION_PATCH)

/* The version of the library that runs, in the form of SM_VERSION. */
SM_API int sm_version(void);

/* ==== Results ================================================================================================ */

/* A row is X(number, NAME, "text"). Numbers are never reused. */
#define SM_RESULT_MAP(X)                                                                                             \
    X(0, SUCCESS, "Success")                                                                                         \
    /* Of a call to a server: a runtime goes on in its interpreter, and may try again later. */                      \
    X(1, ERR_UNREACHABLE, "No server can be reached")                                                                \
    X(2, ERR_OVERLOADED, "The servers are over capacity")                                                            \
    X(3, ERR_TIMEOUT, "The call's deadline has passed")                                                              \
    X(4, ERR_CANCELLED, "The call was cancelled")                                                                    \
    X(5, ERR_NOT_CACHED, "No server has compiled this before")                                                       \
    /* Of a call to a server: somebody has to look at the configuration. */                                          \
    X(10, ERR_TLS, "The connection cannot be secured")                                                               \
    X(11, ERR_UNAUTHORISED, "The server does not admit this client")                                                 \
    X(12, ERR_INCOMPATIBLE, "The server speaks another version")                                                     \
    X(13, ERR_DAMAGED, "The answer is damaged")                                                                      \
    X(14, ERR_SERVER, "The server failed")                                                                           \
    /* Of a module: it will end so whenever it is tried; interpret it. */                                            \
    X(20, ERR_INVALID_INPUT, "The module or an option is wrong")                                                     \
    X(21, ERR_COMPILER_CRASHED, "The compiler crashed on this module")                                               \
    X(22, ERR_COMPILE_LIMIT, "The compile needed more time or memory than it may have")                              \
    /* Of the loader. */                                                                                             \
    X(30, ERR_INVALID_OBJECT, "The object file is damaged or not of this machine")                                   \
    X(31, ERR_UNSUPPORTED, "The object file needs what the loader does not do")                                      \
    X(32, ERR_UNDEFINED_SYMBOL, "A symbol is not defined")                                                           \
    X(33, ERR_OUT_OF_RANGE, "A relocation cannot reach its symbol")                                                  \
    X(34, ERR_INVALID_STACKMAP, "The stackmap is damaged")                                                           \
    X(35, ERR_NO_SPACE, "There is no address space left where the object has to be")                                 \
    /* Of the walker. */                                                                                             \
    X(40, ERR_NO_SAFEPOINT, "The return address is no safepoint of the loader")                                      \
    X(41, ERR_NO_UNWIND, "A frame's size or saved registers are not known")                                          \
    X(42, ERR_STOPPED, "The visitor stopped the walk")                                                               \
    /* Of all. */                                                                                                    \
    X(50, ERR_INVALID_ARGUMENT, "An argument is wrong")                                                              \
    X(51, ERR_NO_MEMORY, "Out of memory")                                                                            \
    X(52, ERR_SYSTEM, "The operating system refused")

typedef enum sm_result {
#define SM_ROW(number, name, text) SM_##name = number,
    SM_RESULT_MAP(SM_ROW)
#undef SM_ROW
} sm_result;

/* What went wrong, for a person and for a program. Owned by the caller, who may pass NULL where one is asked for;
 * filled only when the function fails. */
typedef struct sm_error {
    sm_result result;
    int http;                /* status of the server's answer; 0 if there was none */
    uint32_t retry_after_ms; /* when an overloaded server wants to be asked again; 0 if it did not say */
    uint32_t line, column;   /* of the first diagnostic; 0 if it has none */
    char code[40];           /* the server's own name for it, "parse_error"; "" if there is none */
    char server[128];        /* the one that answered, or was tried last; "" if none was */
    char message[512];       /* a sentence or more */
} sm_error;

/* The row's name ("ERR_TLS") and text; for an unknown number "ERR_UNKNOWN" and a text that says so. Static storage. */
SM_API const char *sm_result_name(sm_result result);
SM_API const char *sm_result_text(sm_result result);

/* ==== Fetching: one call ===================================================================================== */

typedef struct sm_answer sm_answer;
typedef struct sm_client sm_client;

/* Compiles a module with the server at URL (NULL: as in sm_client_options) for this machine, with the server's
 * defaults. MODULE is IR text or bitcode, borrowed. *ANSWER is *new* (sm_answer_free); it is NULL, or holds
 * diagnostics, if the call fails. For programs that compile once; others make a client. */
SM_API sm_result sm_compile_once(const char *url, const void *module, size_t module_len, sm_answer **answer,
                                 sm_error *err);

/* ==== Fetching: a client ===================================================================================== */

typedef enum sm_policy {
    SM_POLICY_DEFAULT = 0, /* the client's; of a client: SM_PREFER_REMOTE */
    SM_PREFER_REMOTE = 1,  /* each server is tried once; the caller has another way */
    SM_REQUIRE_REMOTE = 2, /* tried again, with pauses that grow, until the deadline */
    SM_CACHE_ONLY = 3,     /* what was compiled before, by key; nothing is compiled, nothing uploaded */
} sm_policy;

typedef struct sm_client_options {
    size_t size;
    const char *const *servers; /* URLs, NULL-terminated, tried in this order: "http://host:port", "https://…",
                                   "unix:/path". NULL: $SMD_SERVER (separated by commas), or http://127.0.0.1:8199 */
    sm_policy policy;
    uint32_t connect_ms;       /* for a connection to stand: 1000 */
    uint32_t deadline_ms;      /* for a call, retries included: 30000 */
    uint32_t retries;          /* of a call that requires an answer: 8 */
    uint32_t backoff_ms;       /* before the first retry; doubles, with jitter: 50 */
    uint32_t backoff_max_ms;   /* 2000 */
    uint32_t breaker_failures; /* after so many in a row a server is left alone: 5 */
    uint32_t breaker_ms;       /* for so long: 5000 */
    uint32_t connections;      /* to each server; more calls wait: 32 */
    size_t compress_from;      /* modules from this length are compressed: 16384. SIZE_MAX: never */
    size_t lookup_from;        /* modules from this length are asked for by key first, unless `cache` is bypass or
                                  refresh: 65536. SIZE_MAX: never */
    size_t answer_max;         /* a longer answer is damaged: 1 GiB */
    const char *ca_file;       /* PEM: whom to trust; NULL: the system's */
    const char *cert_file, *key_file; /* PEM: who this client is; NULL: nobody */
    const char *token;                /* sent as "Authorization: Bearer …"; NULL: none */
    const char *const
        *trusted_keys; /* PEM files of public keys of Ed25519, NULL-terminated, 16 at most: only what one
                                        of them has signed for this very request is an answer (SM_ERR_DAMAGED). Not
                                        together with a request's profile or tiers. NULL: nothing need be signed */
    size_t bundle_max; /* bytes that bundles may take together: 256 MiB */
} sm_client_options;

/* A *new* client (sm_client_free). OPTIONS (may be NULL) and its strings are borrowed. Asks no server yet. NULL if
 * it fails. A client is for all threads at once, and has one thread of its own. A forked child has not got that:
 * there every call on the client fails at once with SM_ERR_INVALID_ARGUMENT, and sm_client_free closes nothing of the
 * parent's. */
SM_API sm_client *sm_client_new(const sm_client_options *options, sm_error *err);

/* Cancels the calls that are under way (their callbacks run before this returns) and frees the client. A call that is
 * still held may then only be freed. */
SM_API void sm_client_free(sm_client *client);

typedef struct sm_request {
    size_t size;
    const void *module; /* IR text or bitcode */
    size_t module_len;
    const char *const *options; /* "name=value", NULL-terminated; names as in the server's capabilities: "opt=2",
                                   "gc_registers=4". NULL: none */
    const char *target;         /* a triple; NULL: this machine's. An option "target" goes before it */
    sm_policy policy;
    uint32_t deadline_ms; /* 0: the client's */
    int32_t priority; /* among the client's calls that wait for a connection: the highest goes first, of equal ones
                             the first that came. 0 */
    const char
        *profile; /* a profile of the request's own: a JSON object (proto/profile.schema.json). Its answers are not
                            looked up by key. NULL: none */
    const char
        *traceparent; /* the trace that the request is part of, and the span in it, as W3C Trace Context has it:
                                "00-…-…-01". It goes to each server that is asked. NULL: none */
} sm_request;

/* Compiles, and waits. *ANSWER is *new* (sm_answer_free); NULL, or one that holds diagnostics, if the call fails. */
SM_API sm_result sm_compile(sm_client *client, const sm_request *request, sm_answer **answer, sm_error *err);

typedef struct sm_call sm_call;

/* RESULT and ERR (borrowed) are as from sm_compile; ANSWER is *taken* by the callback. Runs on the client's thread,
 * which waits meanwhile: no blocking call of this library in it. */
typedef void sm_done(void *user, sm_result result, sm_answer *answer, const sm_error *err);

/* Begins a compile. The request's strings and module are copied. If it gives SM_SUCCESS, DONE runs exactly once,
 * perhaps before this returns. With the option "tiers=0,2" the module goes to the server once and comes back at each of
 * these levels, the lowest first: DONE then runs until an answer has no other after it (sm_answer_more). With DONE
 * NULL the completion waits for sm_client_next. *CALL (CALL may be NULL) is
 * *new* (sm_call_free). */
SM_API sm_result sm_submit(sm_client *client, const sm_request *request, sm_done *done, void *user, sm_call **call,
                           sm_error *err);

/* Begins COUNT compiles, all or none: if one request is wrong, nothing is submitted. REQUESTS is an array (borrowed, as
 * in sm_submit). Each call has DONE, and its own of USER (an array, borrowed; NULL: NULL for all). CALLS (an array; may
 * be NULL) gets *new* ones (sm_call_free). */
SM_API sm_result sm_submit_many(sm_client *client, const sm_request *requests, size_t count, sm_done *done,
                                void *const *user, sm_call **calls, sm_error *err);

/* Raises a call's priority; a lower one changes nothing, as does any when the call is under way or has ended. From any
 * thread. */
SM_API void sm_call_raise(sm_call *call, int32_t priority);

/* Ends a call with SM_ERR_CANCELLED, unless it has ended already. */
SM_API void sm_call_cancel(sm_call *call);

/* Lets go of a call; it goes on. */
SM_API void sm_call_free(sm_call *call);

/* A descriptor that polls readable while a completion waits. Borrowed from the client. */
SM_API int sm_client_fd(sm_client *client);

typedef struct sm_completion {
    void *user; /* from sm_submit */
    sm_result result;
    sm_answer *answer; /* *new* (sm_answer_free); may be NULL */
    sm_error error;
} sm_completion;

/* Takes the next completion. 1 if there was one, 0 otherwise; never waits. */
SM_API int sm_client_next(sm_client *client, sm_completion *completion);

/* ==== Fetching: answers ====================================================================================== */

/* Each of these is borrowed from the answer; NULL with *LEN 0 if there is none. Texts are terminated, too. */
SM_API const void *sm_answer_object(const sm_answer *answer, size_t *len);   /* ELF64, relocatable */
SM_API const char *sm_answer_stackmap(const sm_answer *answer, size_t *len); /* JSON, stackmap.schema.json */
SM_API const char *sm_answer_meta(const sm_answer *answer, size_t *len);     /* JSON: target, options, pipeline … */
SM_API const char *sm_answer_text(const sm_answer *answer, const char *part, size_t *len); /* "ir", "asm", "disasm",
                                                                                              "remarks", "explain" */

/* The key under which servers cache the answer, in hexadecimal; "" if it is not known. Borrowed. */
SM_API const char *sm_answer_key(const sm_answer *answer);

/* The server's signature, as the header X-Smd-Signature has it; "" if there is none. Borrowed. It was checked if the
 * client has trusted_keys. */
SM_API const char *sm_answer_signature(const sm_answer *answer);

/* Where the answer came from: "compiled", "memory", "disk", "shared", "store", "flight", or "bundle" (sm_prefetch); ""
 * if the server did not say. */
SM_API const char *sm_answer_cache(const sm_answer *answer);

/* 1 if another answer of the same call follows: it was submitted with the option "tiers=0,2", or other levels, and this
 * is not the last. What follows may be a failure; then this answer is the best that there is. */
SM_API int sm_answer_more(const sm_answer *answer);

/* What the compiler says of the module. Strings are borrowed from the answer, and NULL or 0 where it does not say. */
typedef struct sm_diagnostic {
    const char *severity; /* "error", "warning", "remark", "note" */
    const char *message;
    const char *function, *source; /* source: the line of the module */
    uint32_t line, column;
} sm_diagnostic;

SM_API size_t sm_answer_diagnostics(const sm_answer *answer);
/* Diagnostic I; 0 if there is none of this number. */
SM_API int sm_answer_diagnostic(const sm_answer *answer, size_t i, sm_diagnostic *out);

SM_API void sm_answer_free(sm_answer *answer);

/* ==== Fetching: all at once ================================================================================== */

/* A runtime that starts asks for the same functions each time. With the option "startup=NAME" in its requests the server
 * records them, in the order of their first answers. The next runtime has all of them after one request, or from a file
 * that its container image holds. What a client has in such a bundle it gives as the answer of a call for the very same
 * module and options (unless `cache` is bypass or refresh), without asking a server; all else goes to the servers as
 * before. Each artifact is checked when it is used: its digest, and with trusted_keys its signature. One that is not in
 * order is passed over. Without trusted_keys, whoever can write the file decides what code runs. */
typedef struct sm_bundle_info {
    uint64_t artifacts; /* that the bundle has */
    uint64_t missing;   /* that were recorded, and that the server no longer has */
    uint64_t bytes;     /* of all */
} sm_bundle_info;

/* Fetches what was recorded under NAME, and waits. *INFO (INFO may be NULL) says what came. A stream that was cut off, or is
 * none, gives SM_ERR_DAMAGED, and nothing of it is used; more than bundle_max SM_ERR_NO_MEMORY. SM_ERR_NOT_CACHED: nothing
 * was recorded. For all threads but the client's own. */
SM_API sm_result sm_prefetch(sm_client *client, const char *name, sm_bundle_info *info, sm_error *err);

/* Reads a bundle from a file into memory. The file may go afterwards. Results as of sm_prefetch; SM_ERR_SYSTEM if it cannot
 * be read. */
SM_API sm_result sm_bundle_open(sm_client *client, const char *path, sm_bundle_info *info, sm_error *err);

/* Fetches what was recorded under NAME into a file, whole or not at all, after each artifact was checked. The client does
 * not use it itself. Results as of sm_prefetch; SM_ERR_SYSTEM if it cannot be written. */
SM_API sm_result sm_bundle_save(sm_client *client, const char *name, const char *path, sm_bundle_info *info,
                                sm_error *err);

/* ==== Fetching: what else there is to know =================================================================== */

/* A text from the server as it is, GET and HTTP 200: "/v1/capabilities", "/metrics", "/readyz". *TEXT is *new*
 * (sm_text_free), terminated. */
SM_API sm_result sm_get(sm_client *client, const char *path, char **text, sm_error *err);
/* Likewise by POST with an empty body, as operators' "/v1/dead-jobs/ID". It may reach a server twice. */
SM_API sm_result sm_post(sm_client *client, const char *path, char **text, sm_error *err);
SM_API void sm_text_free(char *text);

/* This machine in LLVM's names. Static storage; the same at every call. */
typedef struct sm_host {
    const char *triple;   /* "x86_64-unknown-linux-gnu" */
    const char *cpu;      /* the highest level that it has: "x86-64-v3"; "generic" for AArch64 */
    const char *features; /* what it has past that level: "+aes,+sha"; "" if nothing */
} sm_host;

SM_API const sm_host *sm_target_host(void);

/* What a client has done since it was made. A call is counted once in `calls` and once when it ends. */
typedef struct sm_counters {
    uint64_t calls, in_flight;
    uint64_t result[64];           /* ended calls by sm_result */
    uint64_t requests;             /* HTTP requests sent */
    uint64_t retries;              /* of those, repeated ones */
    uint64_t failovers;            /* moved to another server */
    uint64_t lookups, lookup_hits; /* by key */
    uint64_t breaker_opened;
    uint64_t sent_bytes, received_bytes; /* bodies */
    uint64_t saved_bytes;                /* by compression */
    uint64_t wait_us, wait_max_us;       /* from submit to end, together, and the longest */
    uint64_t bundle_hits;                /* calls that a bundle answered */
} sm_counters;

/* Fills the first SIZE bytes of *OUT. */
SM_API void sm_client_counters(sm_client *client, sm_counters *out, size_t size);

/* ==== Loading ================================================================================================ */

typedef struct sm_loader sm_loader;
typedef struct sm_object sm_object;

/* The address of a symbol that no loaded object has; NULL if there is none. NAME is borrowed. Runs on the thread that
 * loads, and loads nothing itself. Of a thread-local variable: that of the calling thread's, from which the loader finds
 * out where every thread has its own. */
typedef void *sm_resolve(void *user, const char *name);

enum {
    SM_LOAD_GDB = 1,       /* register each object with gdb */
    SM_LOAD_PERF_MAP = 2,  /* write each function into /tmp/perf-PID.map */
    SM_LOAD_NO_UNWIND = 4, /* do not register .eh_frame: no exception passes through the code */
    SM_LOAD_JITDUMP =
        8, /* write each function into jit-PID.dump in $JITDUMPDIR (/tmp without it), with its code and how
                              its frames are unwound: for perf record -k mono, perf inject --jit */
    SM_LOAD_LINES = 16,     /* read the lines of safepoints from the object's debug information, and keep them: one or
                               two bytes each */
    SM_LOAD_ALL_LINES = 32, /* the same of all code: for samplers, and for zeal's reports */
};

typedef struct sm_loader_options {
    size_t size;
    sm_resolve *resolve; /* NULL: symbols are found in loaded objects alone */
    void *user;
    unsigned flags;   /* SM_LOAD_… */
    const void *near; /* code is placed within 2 GiB of this address if possible, so that calls there are direct */
    size_t reserve;   /* address space reserved at a time, taken in use as needed: 256 MiB */
    /* Not NULL: functions are bound by name when they are first called. A name that neither the loaded objects nor
     * resolve know is taken for a function that comes later; calls of it, and of functions in other objects, go
     * through a stub that looks among the loaded objects at its first call, then calls this, with `user`, on the
     * thread that calls. It may load, and takes its time while other threads run; several may ask for one name. It
     * gives the function's address, or NULL if it has loaded an object that has it; if then there is none, the
     * process is aborted. The arguments of the call wait in registers that no stackmap knows: until it returns
     * nothing may be collected. */
    sm_resolve *resolve_call;
} sm_loader_options;

/* A *new* loader (sm_loader_free): objects that see each other's symbols, and one table of their safepoints. For all
 * threads; sm_find, sm_visit and the like take no lock, also while another thread loads. */
SM_API sm_loader *sm_loader_new(const sm_loader_options *options, sm_error *err);

/* Calls by NAME (borrowed), of every object that was loaded by a loader with resolve_call, go to ADDRESS from now on,
 * until they are redirected again: to a function that is compiled better, or to another version. With NULL the next
 * call asks again. Calls that are on their way, and calls within the object that defines the name, go where they
 * went. From any thread, takes the loader's lock. The name need not be known yet. An address in an object that is
 * unloaded or retired is forgotten, if it is the object's symbol of that name; others are to be redirected before. */
SM_API sm_result sm_redirect(sm_loader *loader, const char *name, const void *address, sm_error *err);

/* What such calls call: for the runtime's own, which are redirected with them. The same for the loader's life. NULL,
 * with
 * *ERR filled, if it fails. */
SM_API void *sm_loader_stub(sm_loader *loader, const char *name, sm_error *err);

/* Unloads everything. Requires that no thread runs or will return to loaded code. */
SM_API void sm_loader_free(sm_loader *loader);

/* Loads an ELF64 relocatable object of this machine: places its sections, resolves and relocates, seals the code
 * (never is memory writable and executable at once), registers unwind tables, publishes its safepoints. OBJECT is
 * borrowed. NAME (may be NULL) is for people. *OUT (OUT may be NULL) is borrowed from the loader, which keeps it until
 * it is unloaded. Initialisers (.init_array, .ctors) run before it returns, by their priorities; finalisers, and what
 * the object gave libc's __cxa_atexit, when it is unloaded.
 *
 * A symbol is looked for in the object itself, then in objects loaded before (the last first), then with resolve.
 * A weak definition in the object gives way to either.
 *
 * Thread-local variables have all models. In general and local dynamic each thread gets the object's variables when it
 * first uses one; they are freed with the thread or the object. If there is no memory for them then, the process is
 * aborted, as nobody can be told. Initial and local exec take a part of 1008 bytes that
 * each thread has for all such objects of the process, and that is not given back (SM_ERR_NO_SPACE if it is used up).
 * Their first values have to be zero, unless the object is loaded while no other thread runs (SM_ERR_UNSUPPORTED
 * otherwise). Of others' variables they reach those of the program, of libraries that it began with, and of objects that
 * use these models themselves; general dynamic reaches all. */
SM_API sm_result sm_load(sm_loader *loader, const void *object, size_t len, const char *name, sm_object **out,
                         sm_error *err);

/* Loads the object of an answer, borrowed. */
SM_API sm_result sm_load_answer(sm_loader *loader, const sm_answer *answer, const char *name, sm_object **out,
                                sm_error *err);

/* Opens the compact table (docs/compact.md) that a linker has put into a program or shared library of this process,
 * so that its safepoints are found and its frames walked like those of loaded objects, and sm_find_fault knows its
 * null checks: that which ADDRESS is in (NULL: the program). Its file is read to find the table, which is not passed
 * over: what is damaged in it is found when it is looked up, and is no safepoint then. Its functions have no names.
 * *OUT (may be NULL) is borrowed from the loader, as from sm_load; sm_unload closes it, which has to be done before
 * the library goes. SM_ERR_INVALID_STACKMAP if there is no table, SM_ERR_UNSUPPORTED if there are functions in LLVM's
 * own as well: a walk would not know their frames. */
SM_API sm_result sm_map_open(sm_loader *loader, const void *address, sm_object **out, sm_error *err);

/* Unloads at once. Requires that no thread is in the object's code, will return to it, or looks up an address of it,
 * and that no other object refers to it. */
SM_API void sm_unload(sm_object *object);

/* Unloads at the next sm_loader_reclaim; until then nothing new refers to it, but its code still runs and its
 * safepoints are still found. */
SM_API void sm_retire(sm_object *object);

/* Frees what was retired. Requires of all of that what sm_unload does: a collector calls it while it has the threads
 * stopped and has seen no frame of those objects. Gives the number of objects freed. */
SM_API size_t sm_loader_reclaim(sm_loader *loader);

/* A global symbol's address; NULL if there is none. Functions and data; of a thread-local variable that of the calling
 * thread's. */
SM_API void *sm_object_symbol(const sm_object *object, const char *name);
SM_API void *sm_loader_symbol(sm_loader *loader, const char *name); /* of the object loaded last that has it */

/* A global symbol of an object. Borrowed from it. */
typedef struct sm_symbol {
    const char *name;
    void *address;
    size_t bytes; /* 0 if not known */
    int is_code;  /* boolean */
} sm_symbol;

/* Calls EACH for every global symbol that an object defines, in no order, until it gives nonzero; gives that. */
SM_API int sm_object_symbols(const sm_object *object, int (*each)(void *user, const sm_symbol *symbol), void *user);

/* The bytes that an object's code occupies. */
SM_API size_t sm_object_code(const sm_object *object, const void **start);
SM_API const char *sm_object_name(const sm_object *object);

/* ==== Safepoints ============================================================================================= */

typedef enum sm_slot_kind {
    SM_SLOT_REGISTER = 1, /* the value is in the register */
    SM_SLOT_DIRECT = 2,   /* the value is register + offset: the address of an alloca */
    SM_SLOT_INDIRECT = 3, /* the value is in memory at register + offset */
    SM_SLOT_CONSTANT = 4, /* the value is `value` */
} sm_slot_kind;

/* Where a value is while its frame waits at a safepoint. */
typedef struct sm_slot {
    uint8_t kind; /* sm_slot_kind */
    uint8_t reserved;
    uint16_t reg;   /* DWARF number */
    uint32_t bytes; /* of the value */
    int64_t value;  /* offset in bytes, or the constant */
} sm_slot;

/* A pointer into the heap, and the object that it points into: equal slots for a pointer to an object's start. */
typedef struct sm_pair {
    sm_slot base, derived;
} sm_pair;

/* A function that has safepoints. Borrowed from its object. */
typedef struct sm_code {
    const char *name; /* NULL if no symbol names it */
    uintptr_t address;
    size_t bytes;      /* 0 if not known */
    size_t frame_size; /* SIZE_MAX if dynamic */
    const sm_object *object;
} sm_code;

typedef enum sm_site_kind {
    SM_SITE_STATEPOINT = 1,
    SM_SITE_STACKMAP = 2,   /* llvm.experimental.stackmap or patchpoint: `deopt` has its locations */
    SM_SITE_GCROOT = 3,     /* of a gcroot strategy: every pair is of equal slots */
    SM_SITE_NULL_CHECK = 4, /* from sm_find_fault alone, and no safepoint: `address` is where the code goes on */
} sm_site_kind;

/* A safepoint. */
typedef struct sm_site {
    uintptr_t address; /* the return address */
    uint64_t id;
    const sm_code *code; /* NULL of a null check in a linked function without safepoints */
    const sm_pair *pairs;
    const sm_slot *deopt;   /* deoptimisation state, in the IR's order */
    const sm_slot *regions; /* allocas that hold pointers: direct */
    uint32_t n_pairs, n_deopt, n_regions;
    uint16_t calling_convention; /* LLVM's number */
    uint8_t kind;                /* sm_site_kind */
    uint8_t flags;               /* bit 0: gc-transition */
    uint32_t patch_bytes; /* room for code ("statepoint-num-patch-bytes", a patchpoint's or stackmap's bytes): of a
                                    statepoint before `address`, of another from there on. Of objects with the compact
                                    table; 0 if there is none, or it is not known */
    uint32_t reserved;
} sm_site;

/* What a site's record says of one of its regions beside where it is (docs/stackmap.md). */
typedef struct sm_region {
    int is_known;  /* boolean: its fields are all the references in it; 0: only its frontend knows what is in it */
    int is_pinned; /* boolean: the objects that they lead to must not move */
    int has_type;  /* boolean: the frontend gave it a type, which is a number or a symbol */
    uint32_t n_fields;
    uint64_t bytes; /* of one that is not known, and of a root that was declared as a whole; 0 if the record does not
                       say */
    uint64_t type;
    const void *type_symbol; /* its address; NULL if the type is no symbol */
    uint64_t tag_mask;       /* bits of each reference that are no part of the address */
} sm_region;

/* References in a region: COUNT of them, the first at OFFSET, STRIDE bytes from one to the next. */
typedef struct sm_field {
    uint32_t offset, count, stride;
    uint32_t bytes; /* of each: 8, or 4 of a compressed one */
    uint32_t space; /* the address space */
} sm_field;

/* Region INDEX of a site, and field FIELD of that. 0 if there is none. */
SM_API int sm_site_region(const sm_site *site, uint32_t index, sm_region *out);
SM_API int sm_site_field(const sm_site *site, uint32_t index, uint32_t field, sm_field *out);

/* The safepoint that has this return address; NULL if there is none, or no memory for it. Borrowed from its object,
 * until that is unloaded or sm_loader_trim; the same at every call. It is read from the object's table at the first
 * lookup, and kept, which costs some 160 bytes and 32 for each pair; later ones find it. Takes no lock: for signal
 * handlers, too. */
SM_API const sm_site *sm_find(const sm_loader *loader, uintptr_t return_address);

/* Calls EACH with the safepoint that has this return address, and gives what it gives; 0 if there is none. Keeps
 * nothing: SITE is borrowed until EACH returns. */
SM_API int sm_look(const sm_loader *loader, uintptr_t return_address, int (*each)(void *user, const sm_site *site),
                   void *user);

/* Forgets the safepoints that were looked up; they are read again when they are asked for. Requires that nobody uses
 * one, or looks for one. Gives their number. */
SM_API size_t sm_loader_trim(sm_loader *loader);

/* Writes code over an object's own, as into a site's room: LEN bytes from CODE (borrowed) to ADDRESS. The memory
 * stays sealed, or is unsealed for that time alone where the system does not let a process write into its own code
 * otherwise. Requires that no thread runs or fetches the bytes meanwhile; with unsealing, that none runs code of
 * the object. From then on every core sees them. SM_ERR_INVALID_ARGUMENT if they are not all of one loaded
 * object's code. */
SM_API sm_result sm_patch(sm_loader *loader, uintptr_t address, const void *code, size_t len, sm_error *err);

/* What an address is at which a load or store faults; NULL if it is neither of these. For a handler of SIGSEGV. A
 * page poll (the compile option poll=page:SYMBOL): its safepoint; sm_registers_load, pc = the site's address,
 * sm_visit, and sm_registers_store goes on after the load. A null check (null_checks=implicit): a site of kind
 * SM_SITE_NULL_CHECK, whose address is the code for null; the thread's pc is set to it, its registers stay, and
 * nothing is visited, as it is no safepoint. Borrowed as from sm_find. Takes no lock. */
SM_API const sm_site *sm_find_fault(const sm_loader *loader, uintptr_t pc);

/* The function that an address lies in; NULL if it is in none that the loader knows. Takes no lock. */
SM_API const sm_code *sm_find_code(const sm_loader *loader, uintptr_t address);

/* Calls EACH for every safepoint of an object, by ascending address, until it gives nonzero; gives that. Keeps
 * nothing: SITE is borrowed until EACH returns; sm_find gives one that stays. One for which there is no memory is
 * passed over. */
SM_API int sm_object_sites(const sm_object *object, int (*each)(void *user, const sm_site *site), void *user);

/* ==== Frames ================================================================================================= */

#if defined(__aarch64__)
#define SM_REGISTERS 32
#else
#define SM_REGISTERS 16
#endif

/* The registers of a thread that waits at a safepoint, as its code will find them when it goes on. */
typedef struct sm_registers {
    uintptr_t pc; /* the return address into managed code */
    uintptr_t sp; /* as after the return */
    struct sm_registers
        *previous;               /* where managed code called the C code that called this managed code; NULL: nowhere.
                                      The walk goes on there. SM_RUNTIME_ENTRY sets it; who fills the rest himself, as
                                      from a signal, sets sm_chain_get() */
    uint64_t valid;              /* bit N: reg[N] is known */
    uintptr_t reg[SM_REGISTERS]; /* by DWARF number; what a visitor changes is in force when the code goes on */
} sm_registers;

/* Defines the function NAME, for managed code to call, that calls
 *
 *     RESULT FUNCTION(sm_registers *at, …)
 *
 * with NAME's own arguments after AT: up to five integers or pointers (seven on AArch64), and up to eight floating
 * ones. RESULT is NAME's. AT holds the callee-saved registers, which are loaded from it again on return. Exceptions
 * pass through. At file scope of a C or C++ file; FUNCTION has external linkage and C's name.
 *
 * SM_RUNTIME_ENTRY_WIDE is for more: INTEGERS and FLOATS are the numbers of NAME's arguments, as literals. Each is a
 * number or pointer of up to 8 bytes, and the first six integers (eight on AArch64) stand before any ninth float.
 *
 * Until FUNCTION returns, or an exception passes it, AT is the first of the thread's chain (sm_chain_get): so a walk
 * passes by itself from managed code through C code to the managed code that called that. */
#if defined(__x86_64__)
#define SM_RUNTIME_ENTRY_WIDE(name, function, integers, floats)                                                      \
    __asm__(".pushsection .text\n\t.p2align 4\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n"       \
            "\t.cfi_startproc\n\tendbr64\n\tmovq " #function "@GOTPCREL(%rip), %r11\n\txorl %r10d, %r10d\n"          \
            "\t.if (" #integers ") > 5\n\taddl $65536 + (" #integers ") - 6, %r10d\n\t.endif\n"                      \
            "\t.if (" #floats ") > 8\n\taddl $(" #floats ") - 8, %r10d\n\t.endif\n"                                  \
            "\tjmpq *sm_runtime_entry_wide@GOTPCREL(%rip)\n\t.cfi_endproc\n"                                         \
            "\t.size " #name ", . - " #name "\n\t.popsection\n");
#define SM_RUNTIME_ENTRY(name, function)                                                                             \
    __asm__(".pushsection .text\n\t.p2align 4\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n"       \
            "\t.cfi_startproc\n\tendbr64\n\tmovq " #function "@GOTPCREL(%rip), %r11\n"                               \
            "\tjmpq *sm_runtime_entry@GOTPCREL(%rip)\n\t.cfi_endproc\n"                                              \
            "\t.size " #name ", . - " #name "\n\t.popsection\n");
#elif defined(__aarch64__)
#define SM_RUNTIME_ENTRY_WIDE(name, function, integers, floats)                                                      \
    __asm__(".pushsection .text\n\t.p2align 4\n\t.globl " #name "\n\t.type " #name ", %function\n" #name ":\n"       \
            "\t.cfi_startproc\n\thint #34\n\tmov x15, #0\n"                                                          \
            "\t.if (" #integers ") > 7\n\tmov x15, #(" #integers ") - 8\n\torr x15, x15, #65536\n\t.endif\n"         \
            "\t.if (" #floats ") > 8\n\tadd x15, x15, #(" #floats ") - 8\n\t.endif\n"                                \
            "\tadrp x16, :got:" #function "\n\tldr x16, [x16, :got_lo12:" #function "]\n"                            \
            "\tadrp x17, :got:sm_runtime_entry_wide\n\tldr x17, [x17, :got_lo12:sm_runtime_entry_wide]\n"            \
            "\tbr x17\n\t.cfi_endproc\n\t.size " #name ", . - " #name "\n\t.popsection\n");
#define SM_RUNTIME_ENTRY(name, function)                                                                             \
    __asm__(".pushsection .text\n\t.p2align 4\n\t.globl " #name "\n\t.type " #name ", %function\n" #name ":\n"       \
            "\t.cfi_startproc\n\thint #34\n"                                                                         \
            "\tadrp x16, :got:" #function "\n\tldr x16, [x16, :got_lo12:" #function "]\n"                            \
            "\tadrp x17, :got:sm_runtime_entry\n\tldr x17, [x17, :got_lo12:sm_runtime_entry]\n\tbr x17\n"            \
            "\t.cfi_endproc\n\t.size " #name ", . - " #name "\n\t.popsection\n");
#endif

/* What SM_RUNTIME_ENTRY and SM_RUNTIME_ENTRY_WIDE jump to; not for C code. */
SM_API void sm_runtime_entry(void);
SM_API void sm_runtime_entry_wide(void);

/* The calling thread's innermost runtime entry that has not returned; NULL if there is none. Borrowed: it is on the
 * stack. Who switches stacks keeps it with the stack that is left (NULL for a new one) and sets that of the one that is
 * gone to: a suspended coroutine's frames are walked by sm_visit from its own. Who leaves entries with longjmp sets
 * what was there at setjmp. Takes no lock; may be called in a signal handler. */
SM_API sm_registers *sm_chain_get(void);
SM_API void sm_chain_set(sm_registers *innermost);

/* The registers of an interrupted thread, from the third argument of a signal handler (ucontext_t *, borrowed), and
 * back into it. */
SM_API void sm_registers_load(sm_registers *registers, const void *ucontext);
SM_API void sm_registers_store(const sm_registers *registers, void *ucontext);

/* One frame of managed code. Borrowed from the walk. */
typedef struct sm_activation {
    const sm_site *site;
    uintptr_t sp;                 /* at the safepoint */
    uintptr_t cfa;                /* of the caller: its sp after the return */
    size_t depth;                 /* 0 is the innermost */
    uintptr_t *reg[SM_REGISTERS]; /* where each register's value is kept; NULL if that is not known */
} sm_activation;

/* The address of a slot's value; of a direct slot the address that is its value; NULL for a constant or if a register
 * is not known. */
SM_API void *sm_slot_address(const sm_activation *frame, const sm_slot *slot);

/* A reference in a region. */
typedef struct sm_reference {
    void *address; /* where it is kept */
    void **base; /* the same, of one of 8 bytes: *BASE is without tags while it is visited; NULL for one of 4 bytes */
    uint32_t bytes, space;
    int is_pinned;           /* boolean: the object must not move, as somebody has a raw pointer into it */
    int has_type;            /* boolean */
    uint64_t type;           /* see sm_region */
    const void *type_symbol; /* likewise */
    uint64_t tag_mask, tags; /* the mask's bits that it has; who changes TAGS changes them */
} sm_reference;

/* What to call for what is live. A callback that is NULL is not called; one that gives nonzero ends the walk. */
typedef struct sm_visitor {
    size_t size;
    void *user;
    /* A managed frame, before anything in it. */
    int (*frame)(void *user, const sm_activation *frame);
    /* *BASE is a pointer to an object's start (or null): each place that holds one, once. The visitor may move the
     * object and change *BASE; pointers derived from it follow when the frame's bases are done, and hold their distance
     * from the base until then. */
    int (*root)(void *user, void **base);
    /* An alloca of the safepoint's list of live values of which the record does not say what is in it. */
    int (*region)(void *user, const sm_activation *frame, const sm_slot *slot, void *address);
    /* A deoptimisation value, after the roots of its frame: number INDEX of the site. ADDRESS is NULL for a
     * constant. */
    int (*deopt)(void *user, const sm_activation *frame, uint32_t index, const sm_slot *slot, const void *address);
    /* A root of a shadow-stack function, with its metadata (may be NULL). NULL: `root` is called instead. */
    int (*shadow_root)(void *user, void **root, const void *metadata);
    void *shadow_chain; /* the value of llvm_gc_root_chain for the thread that waits, read there if the variable is
                           thread-local; NULL: none */
    /* A reference in a stack slot, each once, as `root` is called for others. NULL: `root` is called for these as
     * well, and the walk fails with SM_ERR_INVALID_ARGUMENT at one that is pinned or compressed. What is pinned must
     * not move for any other root either: a collector that moves objects asks for these first, with a visitor that
     * has nothing else. */
    int (*reference)(void *user, const sm_activation *frame, sm_reference *reference);
    struct sm_watermark *watermark; /* of this stack (see below): frames that have not run since they were visited are
                                       passed over; NULL: all are visited. Borrowed */
    /* A root that was declared as a whole and is no single reference (llvm.gc.declare, llvm.gc.value), before the
     * references in it, and instead of `region`: its bytes and type, and where it is. Who visits its references by
     * what the type says, as of a union whose tag tells a number from a reference, sets REGION->n_fields to 0; then
     * they are not visited once more. */
    int (*whole)(void *user, const sm_activation *frame, sm_region *region, void *address);
} sm_visitor;

/* Walks the frames from AT outwards, through AT->previous, and visits what is live in each; then the shadow chain. Takes
 * no lock (but in a program that was linked without .eh_frame_hdr, as by gcc -static: there libgcc's, for C code),
 * calls no malloc, and may run on another thread than the one that waits. ERR may be NULL.
 *
 * Frames of all kinds may stand in any order on one stack, and each is visited once:
 *   - of code with safepoints (statepoints, and the tables of gc "erlang" and "ocaml"): they have to wait at one;
 *   - of loaded functions without any: of the shadow stack, whose roots are in SHADOW_CHAIN, and without GC, which have
 *     no roots that are known here, as C code has none;
 *   - of C code. It is unwound by its own .eh_frame up to the next managed frame. Where that is not possible the walk
 *     goes on at the next entry of the chain, or ends: managed frames that such code called without an entry are not
 *     seen. Entries that C code made are passed over, so that a stack of C code alone has nothing to visit.
 *
 * What cannot be understood is an error, never passed over. The frames within it have been visited then:
 *   - SM_ERR_NO_SAFEPOINT: a function with safepoints waits elsewhere, as in a "gc-leaf-function" that collects after
 *     all; or AT's pc is in no code at all;
 *   - SM_ERR_NO_MEMORY: a safepoint is met for the first time, and there is no room for it;
 *   - SM_ERR_NO_UNWIND: a frame of loaded code whose .eh_frame has no entry, as of code compiled with unwind=module and
 *     nounwind, or a live value in a register that is not known;
 *   - SM_ERR_INVALID_ARGUMENT: a loaded function keeps roots in the shadow stack, and SHADOW_CHAIN, which `root` or
 *     `shadow_root` is to visit, has no entry of its frame. */
SM_API sm_result sm_visit(const sm_loader *loader, sm_registers *at, const sm_visitor *visitor, sm_error *err);

/* What sm_visit knows of one stack from visit to visit, for a collector that does not need all roots each time: one
 * whose young objects are old once a visit has moved them, or that marks while others run. sm_visit with a watermark
 * ends at the first frame that has been visited with it before, in a visit that succeeded, and has not run since. So
 * a frame is visited again if it, or the one that it called, has run. In the long run at most four times as many
 * frames are visited as run.
 *
 * For this some return addresses on the stack are replaced (docs/client.md, "Watermarks"). Exceptions, longjmp and
 * unwinders that read .eh_frame pass these; sm_visit, sm_backtrace and sm_frame_at know the addresses that were
 * there. Who reads or writes return addresses in another way calls sm_watermark_remove before.
 *
 * One watermark is of one stack (a thread's or a coroutine's), and used by one thread at a time, while the stack
 * stands still. Several threads may visit several stacks at one time. */
typedef struct sm_watermark sm_watermark;

/* A *new* watermark (sm_watermark_free). NULL, with *ERR filled, if there are 1984, or no memory, or if the processor
 * keeps return addresses in a shadow stack (x86-64 CET, AArch64 GCS): then all frames are visited. */
SM_API sm_watermark *sm_watermark_new(sm_error *err);

/* Requires that no frame that was visited with it is left, as when the stack has ended, or sm_watermark_remove. */
SM_API void sm_watermark_free(sm_watermark *watermark);

/* The next visit visits all frames, as for a collection that moves old objects too. */
SM_API void sm_watermark_reset(sm_watermark *watermark);

/* Puts all return addresses of a stack back, which waits with AT (as for sm_visit). The next visit visits all frames. */
SM_API sm_result sm_watermark_remove(const sm_loader *loader, sm_registers *at, sm_watermark *watermark,
                                     sm_error *err);

/* How many frames the last visit did not visit. */
SM_API size_t sm_watermark_skipped(const sm_watermark *watermark);

/* Frees those retired objects that no frame of the given stacks is in: STACK is an array of what its threads and
 * suspended coroutines wait with, each as for sm_visit (NULL: it has no managed frames); borrowed. *COUNT (COUNT may
 * be NULL) is the number of objects freed. Requires that the stacks are all that there are, and stand still. Other
 * objects that call a retired one keep it from nothing: they are to be retired with it, or redirected before. If a
 * stack cannot be walked, nothing is freed, and the result is the walk's. */
SM_API sm_result sm_loader_reclaim_unused(sm_loader *loader, sm_registers *const *stack, size_t stacks, size_t *count,
                                          sm_error *err);

/* For a sampler: one step from a thread that is interrupted anywhere, or from a frame outside of it. PC is an address
 * of the instruction at which the frame stands: the interrupted one, at->pc; of a caller, at->pc - 1. *CODE (may be
 * NULL) gets the function, *CALLER the caller's registers, as far as they are known. AT and CALLER may be the same.
 * Reads the stack, takes no lock, allocates nothing: for a signal handler on the thread that it interrupted, too.
 *
 * SM_ERR_NO_SAFEPOINT if PC is in no loaded object; SM_ERR_NO_UNWIND, with *CODE filled, if the object's .eh_frame
 * does not say how to go on. */
SM_API sm_result sm_frame_at(const sm_loader *loader, uintptr_t pc, const sm_registers *at, const sm_code **code,
                             sm_registers *caller);

/* ==== Frames of the source =================================================================================== */

/* A frame as the source has it: a function, or one that was inlined into the next frame. Strings are borrowed from the
 * object, until it is unloaded. */
typedef struct sm_source_frame {
    const char *function; /* of one that was not inlined the symbol; of others the linkage name, or else the source's.
                             NULL if not known */
    const char *file;     /* NULL if not known */
    uint32_t line;        /* 0 if not known, or if the compiler has made the code up */
    int is_inlined;       /* boolean: into the next frame */
    uintptr_t pc, sp;     /* of the frame of machine code that it is in: the address where that goes on */
} sm_source_frame;

/* Fills FRAME with the frames of managed code from AT (as for sm_visit) outwards, at most ROOM of them; *FRAMES (may be
 * NULL) gets their number. Lines are known of objects that were loaded with SM_LOAD_LINES or SM_LOAD_ALL_LINES, and were
 * compiled with debug information; a frame of others has its symbol alone. Takes no lock, as sm_visit: for signal
 * handlers, too. No memory is taken but what sm_find keeps of safepoints that were not met before. If a stack cannot be
 * walked, FRAME has those up to there, and the result is the walk's. */
SM_API sm_result sm_backtrace(const sm_loader *loader, sm_registers *at, sm_source_frame *frame, size_t room,
                              size_t *frames, sm_error *err);

/* The same of one instruction: PC as for sm_frame_at, the interrupted one, or of a caller at->pc - 1. Gives the number of
 * frames; 0 if its line is not known. With SM_LOAD_LINES those of calls at safepoints are known alone. Takes no lock
 * and no memory. */
SM_API size_t sm_source_at(const sm_loader *loader, uintptr_t pc, sm_source_frame *frame, size_t room);

/* ==== Frames of an interpreter =============================================================================== */

/* One frame of deoptimisation state: the code of a method that was inlined into that of the next frame outwards, or was
 * not inlined. The state says so itself (docs/stackmap.md, "Frames in deoptimisation state"). Borrowed until the callback
 * returns. */
typedef struct sm_deopt_frame {
    const sm_activation *activation; /* the frame of machine code that it is in */
    uint64_t method, bytecode;       /* what the frontend calls them */
    uint32_t depth;                  /* 0 is the innermost */
    uint32_t next, end, objects;     /* where sm_deopt_next reads; who reads again begins with a copy */
} sm_deopt_frame;

typedef enum sm_deopt_kind {
    SM_DEOPT_VALUE = 1,  /* a value of the frame */
    SM_DEOPT_OBJECT = 2, /* an object that is nowhere in memory; the values of its fields are the next n_fields ones,
                            each with its own fields behind it */
    SM_DEOPT_SAME = 3,   /* the object of this number again */
} sm_deopt_kind;

typedef struct sm_deopt_value {
    uint8_t kind;         /* sm_deopt_kind */
    uint8_t is_reference; /* boolean: the collector updates it where it is */
    uint16_t reserved;
    uint32_t bytes;      /* of a value */
    uint32_t object;     /* the object's number, from 0 in the state: those of frames further out come first */
    uint32_t n_fields;   /* of an object */
    uint64_t type;       /* of an object */
    uint64_t value;      /* of a value: its first 8 bytes; shorter ones have zeros above, constants their sign */
    const void *address; /* of a value: where it is kept; NULL of a constant, or if a register is not known */
    const sm_slot *slot; /* of a value */
} sm_deopt_value;

/* Calls EACH with the frames that the state of an activation's safepoint is of, the outermost first, until it gives
 * nonzero (SM_ERR_STOPPED). ACTIVATION is one that sm_visit shows: its values are those at this moment, so that after
 * a collection, in a visit that follows, references lead to where the objects are then. Nothing is called, and
 * the result is SM_SUCCESS, if the state does not say whose it is; if what it says is damaged the result is
 * SM_ERR_INVALID_STACKMAP. Takes no lock, calls no malloc. */
SM_API sm_result sm_deopt_frames(const sm_activation *activation,
                                 int (*each)(void *user, const sm_deopt_frame *frame), void *user, sm_error *err);

/* Reads the frame's next value. 0 if there is none. FRAME is the caller's copy of what EACH was given. */
SM_API int sm_deopt_next(sm_deopt_frame *frame, sm_deopt_value *value);

/* ==== Zeal: tests of a collector ============================================================================= */

/* A way to run a collector under which a root that it misses does not go unnoticed. It collects often, makes
 * inaccessible what was moved out of, and says where a pointer that was missed had been. On in five lines:
 *
 *     sm_zeal *zeal = sm_zeal_new(loader, &(sm_zeal_options){.size = sizeof(sm_zeal_options)}, &err);
 *
 *     if (sm_zeal_due(zeal, at))                               // at each poll and allocation: collect now?
 *         collect(at);
 *
 *     sm_zeal_visit(zeal, at, &visitor, &err);                 // in collect: instead of sm_visit
 *     ...                                                      // all is moved, and all roots are changed
 *     sm_zeal_close(zeal, from, bytes, &at, 1, &err);          // from-space: who uses it from here on is reported
 *
 *     sm_zeal_coverage(zeal, SM_ZEAL_TEXT, "coverage.txt", &err);    // at the end: which safepoints were met
 *
 * For all threads, under the rules that sm_visit has: who closes a space has the others stopped. Functions but
 * sm_zeal_fault take a lock or memory, and are not for handlers of signals that may come anywhere; in a handler of a
 * page poll's fault they may be called. */
typedef struct sm_zeal sm_zeal;

enum {
    SM_ZEAL_NO_HANDLER = 1, /* no handler of SIGSEGV: the runtime's own calls sm_zeal_fault */
    SM_ZEAL_NO_SCAN = 2,    /* sm_zeal_close scans no stacks: a report names no slot */
};

/* A word that pointed into a space when that was closed: in a frame that waited at a safepoint, or in a register that the
 * frame's function uses. Either nothing will read it again, or it is a root that was missed. Strings are borrowed
 * from the zeal, *file from the runtime or the object. */
typedef struct sm_zeal_word {
    const char *object;
    const char *function; /* NULL if no symbol names it */
    uint64_t offset;      /* of the safepoint's return address from the function's start, in bytes */
    uint64_t id;          /* the safepoint's */
    const char *file;     /* NULL, and the line is 0, if not known */
    uint32_t line;
    uint32_t collection; /* after which: the first is 1 */
    uint64_t depth;      /* frames of managed code within this one */
    sm_slot slot;        /* where: a register, or indirect by the stack pointer */
    uintptr_t value;
    uintptr_t sp, cfa; /* of the frame */
    int is_recorded;   /* boolean: the safepoint's record has it, and who visited it did not change it */
    int32_t reserved;
} sm_zeal_word;

/* Somebody has used memory of a closed space. Borrowed until the callback returns. */
typedef struct sm_zeal_report {
    uintptr_t address;    /* what was used */
    uint32_t collection;  /* after which it was closed */
    uint32_t words;       /* number of `word` */
    const char *object;   /* the innermost managed frame's, as in sm_zeal_word; NULL if there is none */
    const char *function; /* likewise */
    uint64_t offset;      /* where that frame stands: of the instruction, or of a call's return address */
    const char *file;
    uint32_t line;
    int is_calling;           /* boolean: not that frame has used it but what it has called, as the runtime */
    const sm_zeal_word *word; /* what the address may come from, the likeliest first; at most 16 */
    uint64_t forgotten;       /* words that were found and are not remembered any more */
    const char *text;         /* all of it, for a person; lines */
} sm_zeal_report;

typedef struct sm_zeal_options {
    size_t size;
    uint32_t every;       /* one of so many safepoints is due: 1 */
    uint32_t words;       /* so many words are remembered, the youngest: 65536, of 96 bytes each */
    uint64_t seed;        /* not 0: which ones is drawn, by this seed; 0: each EVERY-th */
    const char *function; /* only safepoints of this function are due; NULL: of all. Copied */
    unsigned flags;       /* SM_ZEAL_… */
    void *user;           /* the callbacks' first argument */
    /* A closed space was used. Runs in the handler of SIGSEGV, on the thread that used it; may leave by longjmp. NULL:
     * REPORT's text goes to stderr. When it returns the process ends by the signal. */
    void (*report)(void *user, const sm_zeal_report *report);
    /* A word was found by a scan: each slot of each safepoint once. Runs in sm_zeal_close, under the zeal's lock, and
     * calls nothing of it. NULL: none is told. */
    void (*word)(void *user, const sm_zeal_word *word);
    /* The place of an instruction in the source: gives nonzero, sets *FILE (lives as long as the zeal) and *LINE. In a
     * handler, too. NULL, or it gives 0: the line is known of objects that are loaded with SM_LOAD_LINES or
     * SM_LOAD_ALL_LINES (which has that of a fault, too). */
    int (*place)(void *user, uintptr_t address, const char **file, uint32_t *line);
} sm_zeal_options;

/* A *new* zeal (sm_zeal_free) for code of LOADER, which outlives it. OPTIONS (may be NULL) is borrowed. Several may
 * exist. The first one sets a handler of SIGSEGV, which hands faults elsewhere on to the handler that was there. NULL,
 * with *ERR filled, if it fails. */
SM_API sm_zeal *sm_zeal_new(const sm_loader *loader, const sm_zeal_options *options, sm_error *err);

/* Closed spaces stay inaccessible. Requires that no thread calls a function of the zeal. The last one takes the handler
 * away, unless another one has been set since. */
SM_API void sm_zeal_free(sm_zeal *zeal);

/* Says that a thread waits at a safepoint (AT, borrowed, as for sm_visit): counts it, and gives 1 if the runtime is to
 * collect here. 0 if ZEAL is NULL, or AT's pc is no safepoint. From any thread, takes no lock. */
SM_API int sm_zeal_due(sm_zeal *zeal, const sm_registers *at);

/* The same as sm_visit, and counts what is visited, and whether `root` and `reference` move it. From any thread. */
SM_API sm_result sm_zeal_visit(sm_zeal *zeal, sm_registers *at, const sm_visitor *visitor, sm_error *err);

/* Ends a collection that has moved everything out of a space, BYTES from FROM on. Scans the frames of the given stacks
 * (as in sm_loader_reclaim_unused: an array of what threads wait with, borrowed; entries may be NULL) for words that
 * still point there. Then the whole pages within are made inaccessible, and their memory is given back; the rest is
 * filled with 0xdb. Requires that the stacks have stood still since they were visited. A collection that leaves several
 * spaces closes one after another. Nothing happens if ZEAL is NULL. If a stack cannot be walked the space is closed all
 * the same, and the result is the walk's; SM_ERR_SYSTEM if the memory cannot be protected. */
SM_API sm_result sm_zeal_close(sm_zeal *zeal, void *from, size_t bytes, sm_registers *const *stack, size_t stacks,
                               sm_error *err);

/* Makes a space usable again, before anything is copied into it, or it is unmapped. What was closed of it reads as zeros.
 * A pointer that was missed when it was closed is not noticed from here on: a heap that goes round through many spaces,
 * or takes new ones, notices more than one of two halves. Nothing happens if ZEAL is NULL. */
SM_API sm_result sm_zeal_open(sm_zeal *zeal, void *space, size_t bytes, sm_error *err);

/* For a runtime's own handler of SIGSEGV, and for a collector that meets a pointer to where nothing is: if ADDRESS is in
 * a closed space it is reported, and the result is 1; else 0. UCONTEXT (borrowed; NULL: not a fault) is the handler's
 * third argument. Takes no lock that it has to wait for. */
SM_API int sm_zeal_fault(sm_zeal *zeal, const void *address, const void *ucontext);

typedef enum sm_zeal_format {
    SM_ZEAL_TEXT = 0, /* for a person: the sums, then what was not reached, then all */
    SM_ZEAL_JSON = 1, /* docs/client.md, "Zeal" */
} sm_zeal_format;

/* Writes which safepoints of the loader's objects were met, and which of their roots were visited and moved, to the file
 * PATH (borrowed; NULL: stderr). Objects that have gone are in it with what was met of them. */
SM_API sm_result sm_zeal_coverage(sm_zeal *zeal, sm_zeal_format format, const char *path, sm_error *err);

/* Sums since the zeal was made. A record is a safepoint's, a root a place in it. */
typedef struct sm_zeal_counters {
    uint64_t safepoints, due;          /* calls of sm_zeal_due; of these: gave 1 */
    uint64_t collections;              /* ended by sm_zeal_close */
    uint64_t visits, frames;           /* of stacks; managed frames in them */
    uint64_t roots, moved;             /* not null, and visited; of these: changed */
    uint64_t words;                    /* found by scans */
    uint64_t records, records_visited; /* of loaded objects, and of those that were met before they went */
    uint64_t places, places_seen;      /* roots of those records; of these: were not null at a visit */
    uint64_t places_moved;             /* of these: were changed */
} sm_zeal_counters;

/* Fills the first SIZE bytes of *OUT. Reads all records of the loader's objects. */
SM_API void sm_zeal_counters_get(sm_zeal *zeal, sm_zeal_counters *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
