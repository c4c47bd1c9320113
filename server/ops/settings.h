/* settings.h - the operator's settings: one table gives flags, environment, configuration file and --help. */
#ifndef SMD_SETTINGS_H
#define SMD_SETTINGS_H

#include "error.h"

#include <jansson.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

/* Those that are atomic can change while smd runs, by settings_reload. */
struct settings {
    char listen[256];           /* an address, or unix:PATH */
    char hosts[1024];           /* names for Host, separated by commas */
    char trusted_proxies[1024]; /* who may say who asks, separated by commas */
    char client_from[32];       /* how they say it */
    int port;                   /* 0: any free one */
    char admin_listen[256];     /* ADDRESS:PORT or unix:PATH: the operators' listener; "": there is none */
    char tls_certificate[PATH_MAX], tls_key[PATH_MAX]; /* both "": clients connect in clear */
    char tls_client_ca[PATH_MAX], tls_client_crl[PATH_MAX];
    char tokens[PATH_MAX];   /* who may ask for what; "": everybody for everything */
    char jwt_keys[PATH_MAX]; /* of an identity provider, whose tokens count, too; "": there is none */
    char jwt_issuer[1024], jwt_audience[1024]; /* what such a token has to say */
    char jwt_tenant_claim[64];
    atomic_int jwt_leeway_s;    /* by which clocks may differ */
    int admin_tls;              /* boolean: the operators' listener speaks TLS as well */
    atomic_int tls_handshake_s; /* a client may take for it */
    int insecure;               /* boolean: whoever reaches the address may ask, and read what others ask */
    char port_file[PATH_MAX];
    char worker[PATH_MAX];      /* the worker program */
    int workers;                /* compiles at once */
    atomic_int jobs_per_worker; /* 1: every job in a process that has seen no other */
    char admission[16];         /* how many workers have to make the same before it is kept: "one" or "two" */
    int sandbox;                /* boolean: workers must enter theirs */
    int confinement;            /* boolean: smd gives up what it does not need */
    int input_text;             /* boolean: bitcode is refused */
    int worker_memory_mib;      /* address space of a worker beyond what a fresh one has */
    int worker_cpu_s;           /* CPU seconds of one job */
    int max_deadline_ms;        /* upper bound of the request option deadline_ms */
    int max_body_mib;           /* of a request's body, before and after inflation */
    int max_output_mib;         /* of one artifact */
    atomic_int answers_mib;     /* of answers on their way together */
    int max_inflation;          /* how many times a compressed body may grow */
    int queue_jobs;             /* jobs that may wait */
    int queue_mib;              /* bytes of bodies that may be held, arriving, waiting and running together */
    atomic_int client_jobs;     /* jobs that one client may have waiting */
    int http_threads;
    int connections;               /* open at once */
    atomic_int client_connections; /* open at once from one address */
    atomic_int min_answer_kib_s;   /* a second: clients that read slower than this are given up */
    int idle_timeout_s;            /* of a connection on which nothing moves */
    atomic_int request_timeout_s;  /* from a request's first byte to its last */
    atomic_int drain_grace_s;      /* between SIGTERM and the listening socket's end */
    atomic_int drain_timeout_s;    /* after which requests still in flight are given up */
    atomic_int job_ttl_s;          /* how long the result of POST /v1/jobs is kept */
    atomic_int crash_ttl_s;        /* how long a crash is remembered by its key; 0: not at all */
    char crash_dir[PATH_MAX];      /* where the input and log of a crash are kept; "": nowhere */
    atomic_int crash_files;        /* crashes kept there */
    atomic_int diagnostic_ttl_s;   /* how long a module's errors are remembered by its key; 0: not at all */
    char cache_salt[256];          /* part of every key */
    char cache_dir[PATH_MAX];      /* of the cache's tier on disk; "": there is none */
    int cache_memory_mib, cache_disk_mib, cache_disk_entries;
    char shared[1024]; /* addresses of the tier that servers share, separated by commas; "": there is none */
    char shared_password_file[PATH_MAX], mac_key[PATH_MAX];
    char job_queue[1024]; /* addresses of the queue of jobs that servers share; "": each server's jobs are its own */
    char job_queue_password_file[PATH_MAX];
    int job_queue_jobs, job_queue_entry_mib; /* that wait or run in it; of one of them, or of a result */
    int job_lease_s, job_deliveries;
    char sign_key[PATH_MAX];             /* "": nothing is signed */
    int shared_wait_ms, shared_claim_ms; /* for an answer, and for another server's compile */
    int shared_ttl_s;
    int shared_entry_mib;
    char store[1024], store_endpoint[1024]; /* the object store, and where its bucket is; "": there is none */
    char store_region[64], store_credentials_file[PATH_MAX], store_ca[PATH_MAX];
    int store_wait_ms, store_entry_mib; /* for an answer; of one entry */
    int cache_modules;                  /* boolean: modules are kept with what was made of them */
    atomic_int verify_sample;           /* percent of the hits that are compiled again and compared */
    char gc_plugins[PATH_MAX];          /* libraries that the compiler loads, and the strategies in them; "": none */
    char profiles[PATH_MAX];            /* folder of strategies described in files; "": there is none */
    char otlp[1024];                    /* URL of a collector of traces; "": there is none */
    atomic_int otlp_sample;             /* percent of the requests without traceparent that are told of */
    atomic_int log_hits;                /* boolean: the log has a line for what cost next to nothing, too */
    char config[PATH_MAX];              /* the file that was read; "": none */
};

enum settings_action {
    SETTINGS_RUN,
    SETTINGS_HELP,
    SETTINGS_VERSION,
    SETTINGS_CHECK,
    SETTINGS_PRINT,
    SETTINGS_PROBE
};

/* Defaults, then the configuration file, then the environment, then the flags: later ones win. *ACTION is what the
 * flags ask for. The error names the setting and, for an unknown one, the nearest known; a line for each that
 * is wrong. */
sm_status settings_read(struct settings *s, int argc, char **argv, enum settings_action *action, struct error *err);

/* Reads all sources again, as at the start, and takes over what can change while smd runs. CHANGED gets the names of
 * those that did, FIXED the names of those that differ and need a restart, each *new* arrays of JSON. If a source
 * is wrong, nothing changes. */
sm_status settings_reload(struct settings *s, int argc, char **argv, json_t **changed, json_t **fixed,
                          struct error *err);

/* --help: a line for each setting. */
void settings_help(FILE *to);

/* --print-config: the settings as a configuration file (JSON). */
void settings_print(const struct settings *s, FILE *to);

#endif
