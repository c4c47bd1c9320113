/* Faults of the cache on disk: each is a miss, a metric and a line in the log, never a wrong or failed answer. */
#include "http.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[32];

static void init(void) {
    strcpy(folder, "/tmp/smd-cache-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void shell(const char *fmt, const char *arg) {
    char command[512];
    int status;
    snprintf(command, sizeof command, fmt, arg);
    bytes_free(run_command(command, "", 0, &status));
    cr_assert_eq(status, 0, "%s", command);
}

static void fini(void) {
    shell("rm -rf %s", folder);
}

TestSuite(cache_faults, .init = init, .fini = fini, .timeout = 600);

/* Nothing in memory, so that every answer is compiled or read. */
static struct daemon start(void) {
    return daemon_start((const char *const[]){"--cache-dir", folder, "--cache-modules", "off", NULL});
}

static const char *numbered(int i) {
    static _Thread_local char module[96];
    snprintf(module, sizeof module, "define i32 @f() {\n  ret i32 %d\n}\n", i);
    return module;
}

/* Compiles module I; the answer is right, and came from there. FROM NULL: from anywhere. */
static void compiles(const struct daemon *d, int i, const char *from) {
    struct answer a = post(d, "/v1/compile?opt=1&emit=obj,asm", numbered(i));
    char number[24], *where = answer_header(&a, "X-Smd-Cache");
    snprintf(number, sizeof number, "movl\t$%d, %%eax", i);
    cr_assert_eq(a.http, 200, "%d %s", a.http, a.body.data ? (char *)a.body.data : "");
    cr_assert(i == 0 || strstr(member(&a, "asm"), number), "%s in %s", number, member(&a, "asm"));
    cr_assert(!from || strcmp(where, from) == 0, "from %s, not %s", where, from);
    free(where);
    answer_free(a);
}

static const struct daemon *awaited;

static long on_disk(const struct daemon *d) {
    return metric(d, "smd_cache_entries{tier=\"disk\"}");
}

static int is_on_disk(void *arg) {
    return on_disk(awaited) >= *(int *)arg;
}

static void await_disk(const struct daemon *d, int entries) {
    awaited = d;
    await(is_on_disk, &entries, 20, "the entries to be on disk");
}

static char *entry_file(void) {
    static char path[256];
    char command[128];
    int status;
    snprintf(command, sizeof command, "find %s -path '*/[0-9a-f][0-9a-f]/*' -type f | grep -v quarantine | head -n 1",
             folder);
    struct bytes out = run_command(command, "", 0, &status);
    snprintf(path, sizeof path, "%s", (char *)out.data);
    path[strcspn(path, "\n")] = 0;
    bytes_free(out);
    cr_assert(path[0], "there is an entry");
    return path;
}

static int has_write_errors(void *d) {
    return metric(d, "smd_cache_errors_total{kind=\"write\"}") > 0;
}

/* Nothing is being written, and nothing half written is left. */
static int has_no_drafts(void *arg) {
    char command[64];
    int status;
    (void)arg;
    snprintf(command, sizeof command, "test -z \"$(ls %s/tmp)\"", folder);
    bytes_free(run_command(command, "", 0, &status));
    return status == 0;
}

/* Every region of the file, damaged in turn: cut, longer, a bit here and there, emptied. */
Test(cache_faults, a_damaged_entry_is_compiled_again) {
    struct daemon d = start();
    compiles(&d, 7, "compiled");
    await_disk(&d, 1);
    struct bytes whole = read_file(entry_file());
    unsigned char *copy = malloc(whole.len + 1);
    long damaged = 0;
    for (size_t at = 0; at < whole.len; at += at < 700 ? 13 : whole.len / 23) {
        memcpy(copy, whole.data, whole.len);
        copy[at] ^= (unsigned char)(1 << at % 8);
        write_file(entry_file(), copy, whole.len);
        compiles(&d, 7, "compiled");
        cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"damaged\"}"), ++damaged, "byte %zu", at);
        await_disk(&d, 1);
    }
    const size_t lengths[] = {0, 1, 100, 152, 300, whole.len - 1, whole.len + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memcpy(copy, whole.data, whole.len);
        copy[whole.len] = 0;
        write_file(entry_file(), copy, lengths[i]);
        compiles(&d, 7, "compiled");
        cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"damaged\"}"), ++damaged, "%zu bytes", lengths[i]);
        await_disk(&d, 1);
    }
    compiles(&d, 7, "disk");
    shell("test $(ls %s/quarantine | wc -l) -le 16", folder);
    free(copy);
    bytes_free(whole);
    daemon_stop(&d);
}

/* An entry under another's name, a folder, a link, nothing in an entry's place. */
Test(cache_faults, what_is_no_entry_of_that_key) {
    struct daemon d = start();
    char path[256], command[600];
    int status;
    compiles(&d, 1, "compiled");
    await_disk(&d, 1);
    snprintf(path, sizeof path, "%s", entry_file());
    struct bytes other = read_file(path);
    shell("rm -r %s/[0-9a-f][0-9a-f]", folder);
    compiles(&d, 1, "compiled");
    await_disk(&d, 1);
    compiles(&d, 2, "compiled");
    await_disk(&d, 2);
    snprintf(command, sizeof command,
             "for f in $(find %s -path '*/[0-9a-f][0-9a-f]/*' -type f); do cp %s $f.x && mv $f.x $f; done; "
             "find %s -path '*/[0-9a-f][0-9a-f]/*' -type f | wc -l",
             folder, path, folder);
    bytes_free(run_command(command, "", 0, &status)); /* both hold module 1 now */
    compiles(&d, 2, "compiled");
    cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"damaged\"}"), 1);
    compiles(&d, 1, "disk");
    shell("f=%s; rm $f && mkdir $f", path);
    compiles(&d, 1, "compiled");
    cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"read\"}"), 1);
    compiles(&d, 1, "compiled");
    shell("f=%s; rm -r $f && ln -sf /etc/passwd $f", path);
    compiles(&d, 1, NULL);
    daemon_stop(&d);
    d = start(); /* reading the folder in passes over what is no entry */
    compiles(&d, 1, NULL);
    compiles(&d, 2, "disk");
    bytes_free(other);
    daemon_stop(&d);
}

static void own_mounts(void) {
    if (unshare(CLONE_NEWNS) != 0)
        cr_assert_eq(unshare(CLONE_NEWUSER | CLONE_NEWNS), 0, "%s", strerror(errno));
    cr_assert_eq(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
}

Test(cache_faults, a_full_disk) {
    own_mounts();
    cr_assert_eq(mount("tmpfs", folder, "tmpfs", 0, "size=64k"), 0);
    struct daemon d = start();
    for (int i = 1; i < 60; i++)
        compiles(&d, i, "compiled");
    compiles(&d, 1, NULL);
    await(has_write_errors, &d, 20, "the disk to be full");
    compiles(&d, 1, "disk");
    await(has_no_drafts, NULL, 20, "what was begun to be gone");
    daemon_stop(&d);
    cr_assert_eq(umount(folder), 0);
}

Test(cache_faults, a_folder_that_cannot_be_written) {
    own_mounts();
    struct daemon d = start();
    compiles(&d, 1, "compiled");
    await_disk(&d, 1);
    daemon_stop(&d);
    cr_assert_eq(mount(folder, folder, NULL, MS_BIND, NULL), 0);
    cr_assert_eq(mount("none", folder, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL), 0);
    d = start();
    compiles(&d, 1, "disk");
    compiles(&d, 2, "compiled");
    compiles(&d, 2, "compiled");
    await(has_write_errors, &d, 20, "an entry not to be written");
    daemon_stop(&d);
    cr_assert_eq(umount(folder), 0);
}

Test(cache_faults, a_folder_that_cannot_be_made) {
    char path[64];
    snprintf(path, sizeof path, "%s/file", folder);
    write_file(path, "", 0);
    strcat(path, "/cache");
    struct daemon d = daemon_start((const char *const[]){"--cache-dir", path, NULL});
    compiles(&d, 1, "compiled");
    compiles(&d, 1, "compiled");
    shell("rm %s/file", folder); /* now it can */
    compiles(&d, 1, NULL);
    await_disk(&d, 1);
    compiles(&d, 1, "disk");
    daemon_stop(&d);
}

Test(cache_faults, a_folder_that_is_deleted_while_it_is_used) {
    struct daemon d = start();
    compiles(&d, 1, "compiled");
    await_disk(&d, 1);
    shell("rm -r %s", folder);
    compiles(&d, 1, "compiled");
    await_disk(&d, 1);
    compiles(&d, 1, "disk");
    daemon_stop(&d);
}

/* The daemon's thread of this name, by proc(5). */
static pid_t thread_of(const struct daemon *d, const char *name) {
    char command[160];
    int status;
    snprintf(command, sizeof command, "grep -lx %s /proc/%d/task/*/comm | cut -d/ -f5", name, (int)d->pid);
    struct bytes out = run_command(command, "", 0, &status);
    pid_t thread = atoi((char *)out.data);
    bytes_free(out);
    cr_assert_gt(thread, 0, "%s", command);
    return thread;
}

static int is_read_again(void *d) {
    struct answer a = post(d, "/v1/compile?opt=1&emit=obj,asm&cache=only", numbered(1));
    cr_assert(a.http == 200 || a.http == 503, "%d", a.http);
    answer_free(a);
    return a.http == 200;
}

/* What may be there is not said to be not there; compiles go on without the disk. */
Test(cache_faults, a_disk_that_does_not_answer) {
    struct daemon d = start();
    char path[96];
    struct answer a = post(&d, "/v1/compile?opt=1&emit=obj,asm", numbered(1));
    char *key = answer_header(&a, "X-Smd-Key");
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    free(key);
    answer_free(a);
    await_disk(&d, 1);
    pid_t disk = thread_of(&d, "smd-disk");
    process_hold(disk);
    for (int i = 0; i < 2; i++) { /* the second is not even tried */
        a = get(&d, path);
        assert_problem(&a, 503, "cache_unavailable");
        answer_free(a);
        a = post(&d, "/v1/compile?opt=1&emit=obj,asm&cache=only", numbered(1));
        assert_problem(&a, 503, "cache_unavailable");
        answer_free(a);
    }
    compiles(&d, 1, "compiled");
    process_release(disk);
    await(is_read_again, &d, 20, "the disk to answer again");
    a = get(&d, path);
    cr_assert_eq(a.http, 200);
    answer_free(a);
    daemon_stop(&d);
}

/* Times of the future: only the order of eviction hangs on them. */
Test(cache_faults, a_clock_that_was_set_back) {
    struct daemon d = start();
    for (int i = 1; i < 5; i++)
        compiles(&d, i, "compiled");
    await_disk(&d, 4);
    daemon_stop(&d);
    shell("find %s -type f -exec touch -d 2099-01-01 {} +", folder);
    d = start();
    for (int i = 1; i < 5; i++)
        compiles(&d, i, "disk");
    compiles(&d, 9, "compiled");
    daemon_stop(&d);
}

static int is_read_in(void *d) {
    struct bytes log = daemon_log(d);
    int says = strstr((char *)log.data, "\"event\":\"cache_read_in\"") != NULL;
    bytes_free(log);
    return says;
}

static atomic_int next_module, stop_writing;

static void *write_on(void *arg) {
    while (!atomic_load(&stop_writing)) {
        struct answer a = post(arg, "/v1/compile?opt=0&emit=obj,asm", numbered(atomic_fetch_add(&next_module, 1)));
        answer_free(a); /* the daemon may be gone */
    }
    return NULL;
}

/* Killed while it writes, again and again: what is left is whole. */
Test(cache_faults, a_daemon_that_is_killed_while_it_writes) {
    enum { ROUNDS = 4, WRITERS = 3 };
    pthread_t thread[WRITERS];
    for (int round = 0; round < ROUNDS; round++) {
        struct daemon d = start();
        atomic_store(&stop_writing, 0);
        await(is_read_in, &d, 20, "the folder to be read in");
        long entries = on_disk(&d);
        for (int i = 0; i < WRITERS; i++)
            pthread_create(&thread[i], NULL, write_on, &d);
        await_disk(&d, (int)entries + 1 + round);
        kill(d.pid, SIGKILL);
        atomic_store(&stop_writing, 1);
        for (int i = 0; i < WRITERS; i++)
            pthread_join(thread[i], NULL);
        daemon_wait(&d);
        shell("rm -r %s", d.folder);
    }
    struct daemon d = start();
    int kept = 0;
    for (int i = 0; i < atomic_load(&next_module); i++) {
        struct answer a = post(&d, "/v1/compile?opt=0&emit=obj,asm&cache=only", numbered(i));
        char number[24];
        snprintf(number, sizeof number, "movl\t$%d, %%eax", i);
        cr_assert(a.http == 404 || (a.http == 200 && (i == 0 || strstr(member(&a, "asm"), number))), "%d", a.http);
        kept += a.http == 200;
        answer_free(a);
    }
    cr_assert_gt(kept, 0);
    cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"damaged\"}"), 0);
    await(has_no_drafts, NULL, 20, "what was begun to be gone");
    daemon_stop(&d);
}
