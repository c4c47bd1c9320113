/* check.c - see check.h. */
#include "check.h"

#include "access.h"
#include "certificates.h"
#include "jobqueue.h"
#include "listen.h"
#include "profiles.h"
#include "proxies.h"
#include "store.h"
#include "tier.h"
#include "traces.h"
#include "vouch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Writes what is wrong, ERR; gives 0. */
static int wrong(const struct error *err) {
    return !error_report(err->text);
}

/* Has the worker program start LLVM and load the libraries of gc_plugins, which only it can; it writes its errors to
 * stderr. */
static int check_worker(const struct settings *s) {
    struct error err = {0};
    char plugins[PATH_MAX + 16];
    int status = -1;
    snprintf(plugins, sizeof plugins, "--gc-plugins=%s", s->gc_plugins);
    char *const argv[] = {(char *)s->worker, "--check", s->gc_plugins[0] ? plugins : NULL, NULL};
    pid_t pid = fork();
    if (pid == 0) {
        execv(argv[0], argv);
        _exit(errno == ENOENT ? 127 : 126);
    }
    if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 1;
    if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) >= 126 || !s->gc_plugins[0])
        error_set(&err, SM_IO, "the worker program %s does not run%s", s->worker,
                  pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ": there is none" : "");
    else
        error_set(&err, SM_INVALID_OPTION, "gc_plugins: a library is not in order");
    return wrong(&err);
}

/* Reads the folder of profiles. */
static int check_profiles(const struct settings *s) {
    struct error err = {0};
    struct profiles *p = profiles_read(s->profiles, s->gc_plugins, &err);
    profiles_unref(p);
    return p ? 1 : wrong(&err);
}

static int check_proxies(const struct settings *s) {
    struct error err = {0};
    struct proxies p;
    return proxies_read(&p, s->trusted_proxies, s->client_from, &err) == SM_OK ? 1 : wrong(&err);
}

static int check_shared(const struct settings *s) {
    struct error err = {0};
    return !s->shared[0] || tier_check(s, &err) == SM_OK ? 1 : wrong(&err);
}

static int check_store(const struct settings *s) {
    struct error err = {0};
    return !s->store[0] || store_check(s, &err) == SM_OK ? 1 : wrong(&err);
}

static int check_otlp(const struct settings *s) {
    struct error err = {0};
    return traces_check(s->otlp, &err) == SM_OK ? 1 : wrong(&err);
}

static int check_job_queue(const struct settings *s) {
    struct error err = {0};
    return !s->job_queue[0] || jobqueue_check(s, &err) == SM_OK ? 1 : wrong(&err);
}

static int check_access(const struct settings *s) {
    struct error err = {0};
    if (!access_is_wanted(s))
        return 1;
    struct access *a = access_new(s, &err);
    access_free(a);
    return a ? 1 : wrong(&err);
}

static int check_sign_key(const struct settings *s) {
    struct error err = {0};
    sm_status read = vouch_read(s, &err);
    vouch_end();
    return read == SM_OK ? 1 : wrong(&err);
}

static int check_certificates(const struct settings *s) {
    struct error err = {0};
    if (!certificates_wanted(s))
        return 1;
    struct certificates *c = certificates_new(s, &err);
    certificates_free(c);
    return c ? 1 : wrong(&err);
}

/* Listens on ADDRESS and PORT, or with PORT -1 on what ADDRESS says as a whole, and ends that. SETTING says it. */
static int check_address(const struct settings *settings, const char *setting, const char *address, int port) {
    struct error err = {0};
    struct listener l;
    int by_tls = certificates_wanted(settings) && (port >= 0 || settings->admin_tls);
    sm_status s = port < 0 ? listen_open_text(address, &l, &err) : listen_open(address, port, &l, &err);
    if (s != SM_OK && errno == EADDRINUSE)
        fprintf(stderr, "smd: note: %s\n", err.text);
    else if (s != SM_OK)
        return wrong(&err);
    if (s == SM_OK)
        s = listen_check(&l, settings, setting, by_tls, &err);
    if (l.fd >= 0)
        close(l.fd);
    if (l.fd >= 0 && l.unix_path[0])
        unlink(l.unix_path);
    return s == SM_OK || l.fd < 0 ? 1 : wrong(&err);
}

/* 1 if this process could write into the folder, or make it; otherwise errno says why not. */
static int can_write(const char *folder) {
    char path[PATH_MAX];
    struct stat st;
    snprintf(path, sizeof path, "%s", folder);
    while (stat(path, &st) != 0) {
        char *slash = strrchr(path, '/');
        if (errno != ENOENT)
            return 0;
        if (!slash || slash == path)
            strcpy(path, slash ? "/" : ".");
        else
            *slash = 0;
    }
    if (!S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        return 0;
    }
    return access(path, W_OK | X_OK) == 0;
}

/* Notes if nothing could be kept in the folder that the setting NAME says: smd starts without. */
static void check_folder(const char *name, const char *folder) {
    if (folder[0] && !can_write(folder))
        fprintf(stderr, "smd: note: %s: nothing can be written to %s: %s\n", name, folder, strerror(errno));
}

/* Notes if another smd has the folder of the cache. */
static void check_lock(const char *folder) {
    int fd = folder[0] ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0)
        fprintf(stderr, "smd: note: cache_dir: another smd has the folder %s\n", folder);
    if (fd >= 0)
        close(fd);
}

/* The port's file is written at the start, which fails without. */
static int check_port_file(const char *path) {
    struct error err = {0};
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (!path[0] || access(folder, W_OK | X_OK) == 0)
        return 1;
    error_set(&err, SM_IO, "port_file: cannot write %s: %s", path, strerror(errno));
    return wrong(&err);
}

int check_start(const struct settings *s) {
    int ok = check_worker(s);
    ok &= check_profiles(s);
    ok &= check_proxies(s);
    ok &= check_shared(s);
    ok &= check_store(s);
    ok &= check_otlp(s);
    ok &= check_job_queue(s);
    ok &= check_certificates(s);
    ok &= check_access(s);
    ok &= check_sign_key(s);
    ok &= check_address(s, "listen", s->listen, s->port);
    ok &= !s->admin_listen[0] || check_address(s, "admin_listen", s->admin_listen, -1);
    ok &= check_port_file(s->port_file);
    check_folder("cache_dir", s->cache_dir);
    check_folder("crash_dir", s->crash_dir);
    check_lock(s->cache_dir);
    return ok;
}
