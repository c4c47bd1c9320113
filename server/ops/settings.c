/* settings.c - the table of settings and its three readers: configuration file, environment, flags. */
#include "settings.h"

#include "cpus.h"
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_MAX (1 << 20) /* bytes */

enum type { TEXT, INT, BOOL };

struct row {
    const char *name; /* as in the file; flags spell "_" as "-", the environment is SMD_ and capitals */
    enum type type;
    size_t offset, size;
    int live; /* boolean: settings_reload may change it; the field is atomic */
    int min, max;
    const char *dflt;
    const char *help;
};

#define AT(field)   offsetof(struct settings, field), sizeof(((struct settings *)0)->field), 0
#define LIVE(field) offsetof(struct settings, field), sizeof(((struct settings *)0)->field), 1
/* clang-format off */
static const struct row table[] = {
    {"listen", TEXT, AT(listen), 0, 0, "127.0.0.1", "address to listen on, or unix:PATH"},
    {"hosts", TEXT, AT(hosts), 0, 0, "", "host names that requests may use (the header Host), separated by commas; pages of these hosts may ask as well. On a loopback address, loopback's names are always allowed; empty: only these, and on other addresses any name"},
    {"trusted_proxies", TEXT, AT(trusted_proxies), 0, 0, "", "proxies that smd believes when they say who asks, for the log and fair shares: addresses, ADDRESS/BITS, or unix, separated by commas; empty: none"},
    {"client_from", TEXT, AT(client_from), 0, 0, "x-forwarded-for", "how trusted_proxies say who asks: x-forwarded-for or forwarded, the header of that name (RFC 7239); proxy, the PROXY protocol at the beginning of each connection"},
    {"port", INT, AT(port), 0, 65535, "8199", "port to listen on; 0: any free one"},
    {"admin_listen", TEXT, AT(admin_listen), 0, 0, "", "ADDRESS:PORT or unix:PATH of a second listener, which has all routes and the operators' routes; empty: operators' routes are on listen if that is a loopback address or unix:PATH, otherwise nowhere"},
    {"tls_certificate", TEXT, AT(tls_certificate), 0, 0, "", "file (PEM) with the server's certificate and its chain; listen then speaks only TLS, unless it is unix:PATH; SIGHUP reads the tls_ files again; empty: no TLS"},
    {"tls_key", TEXT, AT(tls_key), 0, 0, "", "file (PEM) with the key of tls_certificate"},
    {"tls_client_ca", TEXT, AT(tls_client_ca), 0, 0, "", "file (PEM) with authorities; every client then has to show a client certificate that one of them has signed; empty: no client certificates"},
    {"tls_client_crl", TEXT, AT(tls_client_crl), 0, 0, "", "file (PEM) with the authorities' revocation lists; empty: no certificate is revoked"},
    {"tokens", TEXT, AT(tokens), 0, 0, "", "file (JSON) that lists who may send which requests: by token, certificate, or user of a unix socket; smd reads it again when it changes; empty: no such list"},
    {"jwt_keys", TEXT, AT(jwt_keys), 0, 0, "", "file with an identity provider's public keys (PEM, or a JSON Web Key set); smd then accepts its JSON Web Tokens; smd reads the file again when it changes; needs jwt_issuer and jwt_audience; empty: no JSON Web Tokens"},
    {"jwt_issuer", TEXT, AT(jwt_issuer), 0, 0, "", "the value that the claim iss of a JSON Web Token must have"},
    {"jwt_audience", TEXT, AT(jwt_audience), 0, 0, "", "the value that the claim aud of a JSON Web Token must have, or must list"},
    {"jwt_tenant_claim", TEXT, AT(jwt_tenant_claim), 0, 0, "sub", "the claim of a JSON Web Token that names the tenant"},
    {"jwt_leeway_s", INT, LIVE(jwt_leeway_s), 0, 300, "30", "largest difference between the clocks of smd and of the identity provider, in seconds"},
    {"admin_tls", BOOL, AT(admin_tls), 0, 1, "off", "admin_listen speaks TLS too, with the same files"},
    {"tls_handshake_s", INT, LIVE(tls_handshake_s), 1, 600, "10", "seconds that a client may take for the TLS handshake"},
    {"insecure", BOOL, AT(insecure), 0, 1, "off", "allows addresses that other machines reach, without TLS or without tokens or client certificates; off: smd does not start with one"},
    {"port_file", TEXT, AT(port_file), 0, 0, "", "smd writes its port number to this file when it is ready"},
    {"workers", INT, AT(workers), 0, 256, "0", "number of compiles at the same time; 0: one for each CPU that smd may use"},
    {"jobs_per_worker", INT, LIVE(jobs_per_worker), 1, 1000000, "200", "jobs after which a worker process is replaced; 1: a fresh process for every job"},
    {"admission", TEXT, AT(admission), 0, 0, "one", "number of workers that must give the same result before smd keeps it: one or two; with two, a fresh process compiles the request again in idle time"},
    {"worker", TEXT, AT(worker), 0, 0, "", "the worker program; empty: smd-worker in the folder of smd"},
    {"sandbox", BOOL, AT(sandbox), 0, 1, "on", "workers run in a sandbox, and do not work if they cannot enter it; off: no sandbox, for debugging"},
    {"confinement", BOOL, AT(confinement), 0, 1, "on", "smd gives up the capabilities, paths, ports and system calls that its settings do not need; off: it keeps them, for debugging"},
    {"input_text", BOOL, AT(input_text), 0, 1, "off", "modules must be text; smd refuses bitcode"},
    {"worker_memory_mib", INT, AT(worker_memory_mib), 64, 1 << 20, "2048", "MiB of address space that a worker may add during a compile"},
    {"worker_cpu_s", INT, AT(worker_cpu_s), 1, 86400, "300", "seconds of CPU time that one job may take"},
    {"max_deadline_ms", INT, AT(max_deadline_ms), 1, 600000, "600000", "largest value of the request option deadline_ms"},
    {"max_body_mib", INT, AT(max_body_mib), 1, 1024, "64", "MiB of a request's body, both as it is sent and after decompression"},
    {"max_output_mib", INT, AT(max_output_mib), 1, 2048, "256", "MiB of one answer; a batch is one answer"},
    {"answers_mib", INT, LIVE(answers_mib), 1, 1 << 20, "512", "MiB of all answers that are being sent"},
    {"max_inflation", INT, AT(max_inflation), 1, 100000, "200", "how many times its own size a compressed body may become"},
    {"queue_jobs", INT, AT(queue_jobs), 1, 1000000, "1024", "number of jobs that may wait"},
    {"queue_mib", INT, AT(queue_mib), 1, 1 << 20, "512", "MiB of all bodies, inputs and results of jobs that smd holds"},
    {"client_jobs", INT, LIVE(client_jobs), 1, 1000000, "512", "number of jobs of one client that may wait"},
    {"http_threads", INT, AT(http_threads), 1, 64, "2", "threads that read requests and write answers"},
    {"connections", INT, AT(connections), 8, 100000, "4096", "number of open connections"},
    {"client_connections", INT, LIVE(client_connections), 1, 100000, "1024", "number of open connections from one address; unix sockets have no such limit"},
    {"min_answer_kib_s", INT, LIVE(min_answer_kib_s), 1, 1 << 20, "64", "KiB a second that a client must read of its answer, after idle_timeout_s; smd closes slower connections"},
    {"idle_timeout_s", INT, AT(idle_timeout_s), 1, 86400, "60", "seconds after which smd closes a connection that sends and receives nothing"},
    {"request_timeout_s", INT, LIVE(request_timeout_s), 1, 86400, "60", "seconds in which a whole request must arrive"},
    {"drain_grace_s", INT, LIVE(drain_grace_s), 0, 3600, "0", "seconds for which smd still serves after SIGTERM, while /readyz answers 503"},
    {"drain_timeout_s", INT, LIVE(drain_timeout_s), 1, 3600, "60", "seconds that smd waits for requests in progress when it stops"},
    {"job_ttl_s", INT, LIVE(job_ttl_s), 1, 86400, "300", "seconds for which smd keeps the result of POST /v1/jobs"},
    {"crash_ttl_s", INT, LIVE(crash_ttl_s), 0, 86400, "60", "seconds for which smd remembers that a module crashed the compiler; 0: not at all"},
    {"diagnostic_ttl_s", INT, LIVE(diagnostic_ttl_s), 0, 86400, "10", "seconds for which smd remembers a module's errors; 0: not at all"},
    {"crash_dir", TEXT, AT(crash_dir), 0, 0, "", "folder for the input and the log of crashes; smd creates it with mode 0700; empty: crashes are not kept"},
    {"crash_files", INT, LIVE(crash_files), 1, 10000, "32", "number of crashes that crash_dir keeps; smd removes the oldest"},
    {"cache_salt", TEXT, AT(cache_salt), 0, 0, "", "text that is part of every key; servers with different salts share nothing"},
    {"cache_memory_mib", INT, AT(cache_memory_mib), 0, 1 << 20, "256", "MiB of artifacts that smd keeps in memory; 0: none"},
    {"cache_dir", TEXT, AT(cache_dir), 0, 0, "", "folder for artifacts that outlive a restart; empty: no cache on disk"},
    {"cache_disk_mib", INT, AT(cache_disk_mib), 1, 1 << 24, "4096", "MiB of files in cache_dir"},
    {"cache_disk_entries", INT, AT(cache_disk_entries), 16, 100000000, "1000000", "number of artifacts in cache_dir"},
    {"cache_modules", BOOL, AT(cache_modules), 0, 1, "on", "cache_dir keeps modules with their results, so that smc prewarm can compile them on another server"},
    {"shared", TEXT, AT(shared), 0, 0, "", "Redis or Valkey that servers share as a tier of the cache: redis://[USER@]HOST[:PORT][/DATABASE] or unix:PATH, several separated by commas; smd tries the next when one does not answer; empty: no shared tier"},
    {"shared_password_file", TEXT, AT(shared_password_file), 0, 0, "", "file with the password of shared; empty: no password"},
    {"mac_key", TEXT, AT(mac_key), 0, 0, "", "file with the key that seals files of cache_dir and entries of shared, store and job_queue; smd uses only what this key has sealed; 32 to 4096 bytes, the same on all servers that share something"},
    {"sign_key", TEXT, AT(sign_key), 0, 0, "", "file (PEM) with an Ed25519 private key; smd signs answers with it; SIGHUP reads it again; empty: answers are not signed"},
    {"shared_wait_ms", INT, AT(shared_wait_ms), 1, 60000, "10", "milliseconds that a lookup waits for shared; a later answer counts as a miss"},
    {"shared_claim_ms", INT, AT(shared_claim_ms), 0, 60000, "1000", "milliseconds that a request waits while another server compiles the same; 0: it does not wait"},
    {"shared_ttl_s", INT, AT(shared_ttl_s), 1, 1 << 30, "604800", "seconds for which shared keeps an entry"},
    {"shared_entry_mib", INT, AT(shared_entry_mib), 1, 512, "16", "MiB of one entry in shared, compressed; smd does not put larger ones there"},
    {"store", TEXT, AT(store), 0, 0, "", "object store, the last tier of the cache: s3://BUCKET[/PREFIX], or http://HOST[:PORT][/PATH] or https://… for WebDAV; needs mac_key; empty: no store"},
    {"store_endpoint", TEXT, AT(store_endpoint), 0, 0, "", "URL of the server for s3://; empty: https://s3.REGION.amazonaws.com"},
    {"store_region", TEXT, AT(store_region), 0, 0, "us-east-1", "region for which smd signs requests to s3://"},
    {"store_credentials_file", TEXT, AT(store_credentials_file), 0, 0, "", "file with ID:SECRET of an access key for s3://, and a session token in a second line if there is one; or with USER:PASSWORD for WebDAV; smd reads it for each request; empty: no credentials"},
    {"store_ca", TEXT, AT(store_ca), 0, 0, "", "file (PEM) with the authorities for the store's certificate; empty: the system's"},
    {"store_wait_ms", INT, AT(store_wait_ms), 1, 60000, "100", "milliseconds that a lookup waits for store; a later answer counts as a miss"},
    {"store_entry_mib", INT, AT(store_entry_mib), 1, 512, "64", "MiB of one entry in store, compressed; smd does not put larger ones there"},
    {"job_queue", TEXT, AT(job_queue), 0, 0, "", "Redis or Valkey that keeps the jobs of POST /v1/jobs, so that any server can run them and answer for them; addresses as in shared; needs mac_key; empty: each server keeps its own jobs"},
    {"job_queue_password_file", TEXT, AT(job_queue_password_file), 0, 0, "", "file with the password of job_queue; empty: no password"},
    {"job_queue_jobs", INT, AT(job_queue_jobs), 1, 10000000, "10000", "number of jobs in job_queue that wait or run, of all servers together"},
    {"job_queue_entry_mib", INT, AT(job_queue_entry_mib), 1, 512, "64", "MiB of one job or one result in job_queue, compressed"},
    {"job_lease_s", INT, AT(job_lease_s), 1, 3600, "15", "seconds after which another server takes over a job of a lost server"},
    {"job_deliveries", INT, AT(job_deliveries), 1, 100, "3", "number of servers that may be lost while they run a job, before the job is dead"},
    {"verify_sample", INT, LIVE(verify_sample), 0, 100, "0", "percent of cache hits that smd compiles again in idle time and compares"},
    {"gc_plugins", TEXT, AT(gc_plugins), 0, 0, "", "shared libraries with GC strategies for LLVM, which the compiler loads: PATH:NAME,PATH:NAME; empty: none"},
    {"profiles", TEXT, AT(profiles), 0, 0, "", "folder of profiles: files (*.json) that describe strategies; SIGHUP reads them again; empty: none"},
    {"otlp", TEXT, AT(otlp), 0, 0, "", "URL of an OpenTelemetry collector (http://HOST:4318); smd sends it a trace of each request by OTLP over HTTP; empty: no traces"},
    {"otlp_sample", INT, LIVE(otlp_sample), 0, 100, "100", "percent of requests without traceparent that are traced; a traceparent says itself whether its request is traced"},
    {"log_hits", BOOL, LIVE(log_hits), 0, 1, "on", "the log also has a line for each answer from the cache, probe and scrape; off: only for compiles and errors"},
};
/* clang-format on */
#define ROWS (sizeof table / sizeof *table)

struct reader {
    struct settings *s;
    struct error *err;
};

static int *int_of(struct settings *s, const struct row *row) {
    return (int *)((char *)s + row->offset);
}

static char *row_text(struct settings *s, const struct row *row) {
    return (char *)s + row->offset;
}

/* 1, 0, or -1 if the text is neither. */
static int parse_bool(const char *value) {
    static const char *const words[] = {"off", "on", "false", "true", "no", "yes", "0", "1"};
    for (int i = 0; i < 8; i++)
        if (strcmp(value, words[i]) == 0)
            return i & 1;
    return -1;
}

/* Sets a row from text; SOURCE says in errors where the text came from ("--port", "SMD_PORT"). 0 on failure. */
static int set(struct reader *r, const struct row *row, const char *source, const char *value) {
    char *end;
    errno = 0;
    if (row->type == TEXT) {
        if (strlen(value) >= row->size)
            return error_add(r->err, "%s: longer than %zu bytes", source, row->size - 1);
        strcpy(row_text(r->s, row), value);
    } else if (row->type == BOOL) {
        int b = parse_bool(value);
        if (b < 0)
            return error_add(r->err, "%s: '%s' is not on or off", source, value);
        *int_of(r->s, row) = b;
    } else {
        long v = strtol(value, &end, 10);
        if (errno || end == value || *end || v < row->min || v > row->max)
            return error_add(r->err, "%s: '%s' is not an integer from %d to %d", source, value, row->min, row->max);
        *int_of(r->s, row) = (int)v;
    }
    return 1;
}

/* The row of a name, in which "-" counts as "_"; NULL, with an error that has the nearest name, if there is none. */
static const struct row *find_setting(struct reader *r, const char *source, const char *name) {
    char plain[64];
    const char *names[ROWS + 1] = {NULL};
    snprintf(plain, sizeof plain, "%s", name);
    for (char *p = plain; *p; p++)
        if (*p == '-')
            *p = '_';
    for (size_t i = 0; i < ROWS; i++) {
        names[i] = table[i].name;
        if (strcmp(plain, table[i].name) == 0)
            return &table[i];
    }
    const char *nearest = sm_nearest(plain, names);
    error_add(r->err, "%s: there is no setting '%s'%s%s%s", source, name, nearest ? "; did you mean '" : "",
              nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

/* Sets a row from a value of the file, which has to be of its type. 0 on failure. */
static int read_file_value(struct reader *r, const char *path, const struct row *row, const json_t *value) {
    char source[PATH_MAX + 80], number[32];
    snprintf(source, sizeof source, "%s: %s", path, row->name);
    if (row->type == TEXT && json_is_string(value))
        return set(r, row, source, json_string_value(value));
    if (row->type == INT && json_is_integer(value)) {
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        return set(r, row, source, number);
    }
    if (row->type == BOOL && json_is_boolean(value))
        return set(r, row, source, json_is_true(value) ? "on" : "off");
    if (row->type == BOOL && json_is_string(value))
        return set(r, row, source, json_string_value(value));
    return error_add(r->err, "%s: expected %s", source,
                     row->type == TEXT  ? "a string"
                     : row->type == INT ? "an integer"
                                        : "true, false, \"on\" or \"off\"");
}

/* *New*: the descriptor of the configuration that SOURCE names; -1 with an error. A FIFO or a device must not block
 * smd, which gets no signal while it opens it. */
static int open_file(struct reader *r, const char *source, const char *path) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        error_add(r->err, "%s: cannot read the file '%s': %s", source, path, strerror(errno));
        return -1;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= CONFIG_MAX)
        return fd;
    close(fd);
    error_add(r->err, "%s: '%s' is no regular file of at most %d bytes", source, path, CONFIG_MAX);
    return -1;
}

/* Sets rows from the file that SOURCE names. 0 on failure. */
static int read_config_file(struct reader *r, const char *source, const char *path) {
    json_error_t err;
    json_t *root, *value;
    const char *key;
    int ok = 1, fd = open_file(r, source, path);
    if (fd < 0)
        return 0;
    root = json_loadfd(fd, JSON_REJECT_DUPLICATES, &err);
    close(fd);
    if (!root)
        return error_add(r->err, "%s:%d:%d: %s", path, err.line < 0 ? 0 : err.line, err.column < 0 ? 0 : err.column,
                         err.text);
    if (!json_is_object(root))
        ok = error_add(r->err, "%s: expected an object", path);
    json_object_foreach(root, key, value) {
        if (key[0] == '_') /* a comment */
            continue;
        const struct row *row = find_setting(r, path, key);
        ok &= row && read_file_value(r, path, row, value);
    }
    json_decref(root);
    return ok;
}

/* Refuses variables SMD_NAME that are no settings, as for flags. 0 if there is one. */
static int check_environment(struct reader *r) {
    int ok = 1;
    static const char *const others[] = {"SMD_CONFIG=", "SMD_SERVER="}; /* the second one is of smc */
    for (char **e = environ; *e; e++) {
        char name[64], source[64];
        int is_other = 0;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            is_other |= strncmp(*e, others[i], strlen(others[i])) == 0;
        if (strncmp(*e, "SMD_", 4) != 0 || is_other)
            continue;
        snprintf(source, sizeof source, "%.*s", (int)strcspn(*e, "="), *e);
        snprintf(name, sizeof name, "%s", source + 4);
        for (char *p = name; *p; p++)
            *p = *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p;
        ok &= find_setting(r, source, name) != NULL;
    }
    return ok;
}

/* Sets rows from variables SMD_NAME. 0 on failure. */
static int read_environment(struct reader *r) {
    int ok = check_environment(r);
    for (size_t i = 0; i < ROWS; i++) {
        char name[64] = "SMD_";
        for (size_t j = 0; table[i].name[j]; j++) {
            char c = table[i].name[j];
            name[4 + j] = c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
        }
        const char *value = getenv(name);
        ok &= !value || set(r, &table[i], name, value);
    }
    return ok;
}

/* The action that a flag asks for (--help and the like); -1 if it is a setting. */
static int action_of(const char *flag) {
    static const struct {
        const char *flag;
        enum settings_action action;
    } actions[] = {{"--help", SETTINGS_HELP},          {"--help=all", SETTINGS_HELP}, /* there is no other */
                   {"--help-all", SETTINGS_HELP},      {"-h", SETTINGS_HELP},
                   {"--version", SETTINGS_VERSION},    {"--check-config", SETTINGS_CHECK},
                   {"--print-config", SETTINGS_PRINT}, {"--probe", SETTINGS_PROBE}};
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(flag, actions[i].flag) == 0)
            return (int)actions[i].action;
    return -1;
}

/* 1 if the flag is a boolean that stands alone: "--insecure", and not "--sandbox off". */
static int stands_alone(const char *flag, const char *next) {
    for (size_t i = 0; i < ROWS; i++) {
        size_t n = 0;
        if (table[i].type != BOOL)
            continue;
        for (const char *name = table[i].name; name[n] && flag[2 + n] == (name[n] == '_' ? '-' : name[n]); n++)
            ;
        if (!table[i].name[n] && !flag[2 + n])
            return !next || strncmp(next, "--", 2) == 0;
    }
    return 0;
}

/* Splits "--name=value", "--name value" or, of a boolean, "--name": gives the value, NULL if there is none, and moves
 * *I to the last argument used. */
static const char *flag_value(char **argv, int argc, int *i, char *name, size_t size) {
    const char *equals = strchr(argv[*i], '=');
    size_t len = equals ? (size_t)(equals - argv[*i]) : strlen(argv[*i]);
    snprintf(name, size, "%.*s", (int)len, argv[*i]);
    if (equals)
        return equals + 1;
    if (stands_alone(name, *i + 1 < argc ? argv[*i + 1] : NULL))
        return "on";
    return *i + 1 < argc ? argv[++*i] : NULL;
}

/* Sets rows from flags, and *ACTION if a flag asks for one. 0 on failure. */
static int read_flags(struct reader *r, int argc, char **argv, enum settings_action *action) {
    int ok = 1;
    for (int i = 1; i < argc; i++) {
        char name[80];
        int a = action_of(argv[i]);
        if (a >= 0) {
            *action = (enum settings_action)a;
            continue;
        }
        if (strncmp(argv[i], "--", 2) != 0) {
            ok = error_add(r->err, "'%s' is not a flag; see smd --help", argv[i]);
            continue;
        }
        const char *value = flag_value(argv, argc, &i, name, sizeof name);
        if (strcmp(name, "--config") == 0 && value)
            continue; /* read already, so that flags win over it wherever it stands */
        const struct row *row = strcmp(name, "--config") == 0 ? NULL : find_setting(r, name, name + 2);
        if (!value && (row || strcmp(name, "--config") == 0))
            error_add(r->err, "%s needs a value", name);
        ok &= row && value && set(r, row, name, value);
    }
    return ok;
}

/* Reads the file that --config or SMD_CONFIG names, if any. 0 on failure. */
static int read_named_file(struct reader *r, int argc, char **argv) {
    const char *path = getenv("SMD_CONFIG"), *flag = NULL;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--config=", 9) == 0)
            flag = argv[i] + 9;
        else if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            flag = argv[++i];
    }
    if (!flag && !path)
        return 1;
    snprintf(r->s->config, sizeof r->s->config, "%s", flag ? flag : path);
    return read_config_file(r, flag ? "--config" : "SMD_CONFIG", flag ? flag : path);
}

/* Sets what depends on the machine: one worker for each CPU, and the worker program beside this one. 0 on failure. */
static int fill_in(struct reader *r) {
    struct settings *s = r->s;
    if (s->workers == 0) {
        int cpus = cpus_usable();
        s->workers = cpus > 256 ? 256 : cpus;
    }
    int ok = strcmp(s->admission, "one") == 0 || strcmp(s->admission, "two") == 0 ||
             error_add(r->err, "admission: '%s' is not one or two", s->admission);
    if (s->worker[0])
        return ok;
    ssize_t n = readlink("/proc/self/exe", s->worker, sizeof s->worker - 1);
    char *slash = n > 0 ? memrchr(s->worker, '/', (size_t)n) : NULL;
    if (!slash || (size_t)(slash - s->worker) + sizeof "/smd-worker" > sizeof s->worker)
        return error_add(r->err, "cannot tell where smd lies; name the worker program with --worker");
    strcpy(slash, "/smd-worker");
    return ok;
}

sm_status settings_read(struct settings *s, int argc, char **argv, enum settings_action *action, struct error *err) {
    struct reader r = {s, err};
    *action = SETTINGS_RUN;
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < ROWS; i++)
        set(&r, &table[i], table[i].name, table[i].dflt);
    int ok = read_named_file(&r, argc, argv); /* all of them, so that all that is wrong is said at once */
    ok &= read_environment(&r);
    ok &= read_flags(&r, argc, argv, action);
    ok &= fill_in(&r);
    return ok ? SM_OK : SM_INVALID_OPTION;
}

/* 1 if the row has different values in A and B. */
static int differs(struct settings *a, struct settings *b, const struct row *row) {
    return row->type == TEXT ? strcmp(row_text(a, row), row_text(b, row)) != 0 : *int_of(a, row) != *int_of(b, row);
}

sm_status settings_reload(struct settings *s, int argc, char **argv, json_t **changed, json_t **fixed,
                          struct error *err) {
    enum settings_action action;
    struct settings *fresh = malloc(sizeof *fresh);
    *changed = json_array();
    *fixed = json_array();
    sm_status status =
        fresh ? settings_read(fresh, argc, argv, &action, err) : error_set(err, SM_NOMEM, "out of memory");
    for (size_t i = 0; status == SM_OK && i < ROWS; i++) {
        const struct row *row = &table[i];
        if (!differs(s, fresh, row))
            continue;
        json_array_append_new(row->live ? *changed : *fixed, json_string(row->name));
        if (row->live)
            atomic_store((atomic_int *)(void *)int_of(s, row), *int_of(fresh, row));
    }
    free(fresh);
    return status;
}

void settings_help(FILE *to) {
    fputs(
        "usage: smd [--config FILE] [--SETTING VALUE ...]\n"
        "smd compiles LLVM IR for garbage-collected languages, over HTTP.\n\n"
        "  --config FILE          read settings from a JSON file\n"
        "  --check-config         check the settings and exit\n"
        "  --print-config         print the settings in force, as a configuration file, and exit\n"
        "  --probe                ask the daemon that these settings describe whether it is ready; exits 0 if it is\n"
        "  --help, --version\n\n"
        "Each setting is also a variable SMD_NAME of the environment and a member \"name\" of the file. Flags win "
        "over\n"
        "the environment, and the environment over the file. SIGHUP reads the file again; settings marked SIGHUP "
        "change\n"
        "then, the others at the next start:\n",
        to);
    for (size_t i = 0; i < ROWS; i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--%s", table[i].name);
        for (char *p = flag; *p; p++)
            if (*p == '_')
                *p = '-';
        fprintf(to, "  %-22s %s", flag, table[i].help);
        if (table[i].type == INT)
            fprintf(to, " (%d to %d, default %s%s)\n", table[i].min, table[i].max, table[i].dflt,
                    table[i].live ? "; SIGHUP" : "");
        else
            fprintf(to, table[i].dflt[0] ? " (default %s)\n" : "\n", table[i].dflt);
    }
}

void settings_print(const struct settings *s, FILE *to) {
    json_t *root = json_object();
    for (size_t i = 0; root && i < ROWS; i++) {
        const struct row *row = &table[i];
        struct settings *from = (struct settings *)s;
        json_t *value = row->type == TEXT  ? json_string(row_text(from, row))
                        : row->type == INT ? json_integer(*int_of(from, row))
                                           : json_boolean(*int_of(from, row));
        json_object_set_new(root, row->name, value);
    }
    if (root)
        json_dumpf(root, to, JSON_INDENT(2));
    fputc('\n', to);
    json_decref(root);
}
