/* confinement.c - see confinement.h. */
#include "confinement.h"

#include "makedir.h"
#include "objects.h"
#include "redis.h"
#include "traces.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The folder that PATH is in. */
static void folder_of(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Allows the folder of the file that a setting names: another file may come in its place, and links lead on. */
static void allow_file(struct confine *c, const char *path, enum confine_right right) {
    char folder[PATH_MAX], target[PATH_MAX];
    if (!path[0])
        return;
    folder_of(path, folder);
    confine_allow(c, folder, right);
    if (!realpath(path, target))
        return;
    folder_of(target, folder);
    confine_allow(c, folder, right);
}

/* Allows to write in a folder of smd's own, and in the next one above that is there, so that a folder that is removed can
 * be made anew. Not in all folders, though: one that is in "/" has to stay. */
static void allow_own_folder(struct confine *c, const char *path) {
    char above[PATH_MAX];
    struct stat st;
    if (!path[0])
        return;
    make_folders(path); /* whoever uses the folder says why it cannot be made */
    confine_allow(c, path, CONFINE_WRITE);
    folder_of(path, above);
    for (char *slash; stat(above, &st) != 0 || !S_ISDIR(st.st_mode); *slash = 0)
        if (!(slash = strrchr(above, '/')) || slash == above)
            return;
    if (strcmp(above, "/") != 0)
        confine_allow(c, above, CONFINE_WRITE);
}

/* Allows a list of paths, which SEPARATOR ends; with AFTER not 0, each path ends before its last AFTER. They are
 * files, or, without AFTER, folders. */
static void allow_list(struct confine *c, const char *list, char separator, char after) {
    while (list && *list) {
        char path[PATH_MAX];
        size_t len = strcspn(list, (char[]){separator, 0});
        snprintf(path, sizeof path, "%.*s", (int)len, list);
        char *end = after ? strrchr(path, after) : NULL;
        if (end)
            *end = 0;
        if (after)
            allow_file(c, path, CONFINE_EXECUTE);
        else
            confine_allow(c, path, CONFINE_EXECUTE);
        list += len + (list[len] != 0);
    }
}

/* Allows what programs, their libraries and look-ups of names and users read. */
static void allow_system(struct confine *c) {
    static const char *const programs[] = {"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"};
    static const char *const others[] = {"/etc", "/proc", "/sys", "/dev", "/run/systemd/userdb", "/var/lib/sss"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        confine_allow(c, programs[i], CONFINE_EXECUTE);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        confine_allow(c, others[i], CONFINE_READ);
    allow_file(c, "/etc/resolv.conf", CONFINE_READ);
    confine_allow(c, "/dev/null", CONFINE_WRITE);
    allow_list(c, getenv("LD_LIBRARY_PATH"), ':', 0);
}

/* Allows what a listener's address needs: its port, or the folder of its socket. */
static void allow_listener(struct confine *c, const char *address, int port) {
    if (strncmp(address, "unix:", 5) == 0)
        allow_file(c, address + 5, CONFINE_WRITE);
    else if (address[0])
        confine_allow_bind(c, port);
}

/* Allows the ports of the Redis that a setting names. */
static void allow_redis(struct confine *c, const char *setting, const char *text) {
    struct redis_address address[REDIS_ADDRESSES];
    /* what is wrong is said when it is opened */
    int n = text[0] ? redis_addresses_read(setting, text, address, NULL) : 0;
    for (int i = 0; i < n; i++)
        if (address[i].port[0])
            confine_allow_connect(c, atoi(address[i].port));
}

/* Allows to reach the servers that settings name. */
static void allow_servers(struct confine *c, const struct settings *s) {
    enum { DNS = 53 };
    int collector = s->otlp[0] ? traces_port(s->otlp) : 0, store = s->store[0] ? objects_port(s) : 0;
    allow_redis(c, "shared", s->shared);
    allow_redis(c, "job_queue", s->job_queue);
    if (collector)
        confine_allow_connect(c, collector);
    if (store)
        confine_allow_connect(c, store);
    if (collector || store || s->shared[0] || s->job_queue[0])
        confine_allow_connect(c, DNS); /* long answers of name servers come by TCP */
}

/* Allows all files and folders that settings name. */
static void allow_settings(struct confine *c, const struct settings *s) {
    const char *const read[] = {s->config,
                                s->tls_certificate,
                                s->tls_key,
                                s->tls_client_ca,
                                s->tls_client_crl,
                                s->tokens,
                                s->jwt_keys,
                                s->shared_password_file,
                                s->job_queue_password_file,
                                s->store_credentials_file,
                                s->store_ca,
                                s->mac_key,
                                s->sign_key};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        allow_file(c, read[i], CONFINE_READ);
    allow_file(c, s->worker, CONFINE_EXECUTE);
    allow_list(c, s->gc_plugins, ',', ':');
    if (s->profiles[0]) {
        confine_allow(c, s->profiles, CONFINE_READ);
        allow_file(c, s->profiles, CONFINE_READ); /* as a folder may come in its place, too */
    }
    allow_file(c, s->port_file, CONFINE_WRITE);
    allow_own_folder(c, s->cache_dir);
    allow_own_folder(c, s->crash_dir);
}

sm_status confinement_enter(const struct settings *s, unsigned *layers, struct error *err) {
    struct confine c;
    const char *colon = strrchr(s->admin_listen, ':');
    *layers = 0;
    if (!s->confinement)
        return SM_OK;
    confine_begin(&c);
    allow_system(&c);
    allow_settings(&c, s);
    allow_listener(&c, s->listen, s->port);
    allow_listener(&c, s->admin_listen, colon ? atoi(colon + 1) : 0);
    allow_servers(&c, s);
    sm_status entered = confine_enter(&c, err);
    *layers = c.layers;
    return entered;
}
