/* The operator's settings: every kind of mistake is named, and what can change while smd runs does on SIGHUP. */
#include "http.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char file[] = "/tmp/smd-config-XXXXXX";

static void init(void) {
    close(mkstemp(file));
}

static void fini(void) {
    unlink(file);
}

TestSuite(settings, .init = init, .fini = fini, .timeout = 600);

static const struct daemon *watched;

static int log_says(void *words) {
    struct bytes log = daemon_log(watched);
    int there = strstr((char *)log.data, words) != NULL;
    bytes_free(log);
    return there;
}

static struct bytes said;

/* Runs smd with these arguments and the file's text; gives what it says on both channels. */
static const char *smd(int expected, const char *config, const char *arguments) {
    char command[512];
    int status;
    write_file(file, config, strlen(config));
    snprintf(command, sizeof command, "%s %s/smd --config %s %s 2>&1", arguments[0] == '!' ? arguments + 1 : "",
             BIN_DIR, file, arguments[0] == '!' ? "--check-config" : arguments);
    bytes_free(said);
    said = run_command(command, "", 0, &status);
    cr_assert_eq(status, expected, "%s: %d, %s", arguments, status, (char *)said.data);
    return (const char *)said.data;
}

Test(settings, mistakes_are_named) {
    static const struct {
        const char *config, *arguments, *words;
    } rows[] = {
        {"{", "--check-config", ":1:1:"},
        {"[]", "--check-config", "expected an object"},
        {"{\"workres\": 2}", "--check-config", "did you mean 'workers'"},
        {"{\"workers\": 257}", "--check-config", "'257' is not an integer from 0 to 256"},
        {"{\"workers\": \"2\"}", "--check-config", "workers: expected an integer"},
        {"{\"workers\": 2, \"workers\": 3}", "--check-config", "duplicate"},
        {"{\"sandbox\": 1}", "--check-config", "sandbox: expected true, false, \"on\" or \"off\""},
        {"{\"sandbox\": \"perhaps\"}", "--check-config", "sandbox: 'perhaps' is not on or off"},
        {"{\"listen\": 3}", "--check-config", "listen: expected a string"},
        {"{}", "--check-config --prot 1", "did you mean 'port'"},
        {"{}", "--check-config --port", "--port needs a value"},
        {"{}", "--check-config --port 70000", "--port: '70000' is not an integer from 0 to 65535"},
        {"{}", "--check-config --port 1x", "'1x' is not an integer"},
        {"{}", "--check-config stray", "'stray' is not a flag"},
        {"{}", "!SMD_WORKERS=many", "SMD_WORKERS: 'many' is not an integer"},
        {"{}", "!SMD_WORKRES=3", "smd: SMD_WORKRES: there is no setting 'workres'; did you mean 'workers'?"},
        {"{}", "--check-config --workres 3", "smd: --workres: there is no setting 'workres'"},
        {"{}", "!SMD_SANDBOX=perhaps", "SMD_SANDBOX: 'perhaps' is not on or off"},
        {"{}", "--check-config --config /nowhere", "--config: cannot read the file '/nowhere': No such file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert(strstr(smd(1, rows[i].config, rows[i].arguments), rows[i].words), "%s %s: %s", rows[i].config,
                  rows[i].arguments, (char *)said.data);
    bytes_free(said);
}

/* All at once, from wherever they come, and what the start would find. */
Test(settings, all_mistakes_are_named) {
    static const char *const words[] = {
        "there is no setting 'wrokers'",
        "queue_jobs: expected an integer",
        "SMD_SANDBOX: 'perhaps' is not on or off",
        "--port: '70000'",
        "'stray' is not a flag",
        "the worker program /nowhere/worker does not run: there is none",
        "/nowhere/profiles",
        "cannot listen on 'nowhere.invalid'",
        "trusted_proxies: '10.0.0.0/33' is no address",
        "cannot listen on 'nothing': it is not ADDRESS:PORT or unix:PATH",
        "port_file: cannot write /nowhere/port: No such file or directory",
        "note: cache_dir: nothing can be written to /dev/null/cache",
        "note: crash_dir: nothing can be written to /dev/null/crashes: Not a directory"};
    setenv("SMD_SANDBOX", "perhaps", 1);
    smd(1, "{\"wrokers\": 2, \"queue_jobs\": \"7\", \"listen\": \"nowhere.invalid\"}",
        "--check-config --port 70000 stray --trusted-proxies ::1,10.0.0.0/33 --worker /nowhere/worker --profiles "
        "/nowhere/profiles --admin-listen "
        "nothing "
        "--port-file /nowhere/port --cache-dir /dev/null/cache --crash-dir /dev/null/crashes");
    unsetenv("SMD_SANDBOX");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_assert(strstr((char *)said.data, words[i]), "'%s' is not in %s", words[i], (char *)said.data);
    cr_assert(!strstr((char *)said.data, "in order"));
    bytes_free(said);
}

/* One wrong word is one message: what was well is not reported with it. */
Test(settings, a_mistake_brings_no_other) {
    cr_assert_str_eq(smd(1, "{}", "--check-config --port 0 --admission three"),
                     "smd: admission: 'three' is not one or two\n");
    cr_assert_str_eq(smd(1, "{}", "--check-config --port 0 --profiles /nowhere/profiles"),
                     "smd: profiles: /nowhere/profiles: No such file or directory\n");
    bytes_free(said);
}

/* It changes nothing, and a daemon that serves with these settings is no mistake in them. */
Test(settings, a_check_beside_a_daemon) {
    char folder[] = "/tmp/smd-check-XXXXXX", cache[64], arguments[256];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(arguments, sizeof arguments, "--check-config --port 0 --cache-dir %s --admin-listen unix:%s/admin",
             cache, folder);
    cr_assert_str_eq(smd(0, "{\"sandbox\": \"on\"}", arguments), "The settings are in order.\n");
    cr_assert_eq(rmdir(folder), 0, "it is empty");
    cr_assert_eq(mkdir(folder, 0700), 0);
    struct daemon d = daemon_start((const char *const[]){"--cache-dir", cache, NULL});
    snprintf(arguments, sizeof arguments, "--check-config --port %s --cache-dir %s", strrchr(d.url, ':') + 1, cache);
    smd(0, "{}", arguments);
    cr_assert(strstr((char *)said.data, "note: cannot listen on 127.0.0.1 port"), "%s", (char *)said.data);
    cr_assert(strstr((char *)said.data, "note: cache_dir: another smd has the folder"), "%s", (char *)said.data);
    struct answer a = post(&d, "/v1/compile", "define void @f() {\n  ret void\n}\n");
    cr_assert_eq(a.http, 200);
    answer_free(a);
    daemon_stop(&d);
    char command[128];
    int status;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    bytes_free(run_command(command, "", 0, &status));
    bytes_free(said);
}

Test(settings, booleans_may_be_words_in_the_file) {
    json_t *s = json_loads(smd(0, "{\"sandbox\": \"off\", \"log_hits\": \"on\"}", "--print-config"), 0, NULL);
    cr_assert(json_is_false(json_object_get(s, "sandbox")) && json_is_true(json_object_get(s, "log_hits")));
    json_decref(s);
    bytes_free(said);
}

Test(settings, variables_of_others_are_left_alone) {
    smd(0, "{}", "!SMD_SERVER=http://127.0.0.1:1");
    smd(0, "{}", "!SMDX=1");
    bytes_free(said);
}

Test(settings, workers_are_counted_by_affinity) {
    int status;
    struct bytes out = run_command("taskset -c 0 " BIN_DIR "/smd --print-config", "", 0, &status);
    json_t *s = json_loads((char *)out.data, 0, NULL);
    cr_assert_eq(json_integer_value(json_object_get(s, "workers")), 1, "%s", (char *)out.data);
    json_decref(s);
    bytes_free(out);
}

Test(settings, an_open_address_is_told_of) {
    struct daemon d = daemon_start((const char *const[]){"--listen", "0.0.0.0", "--insecure", NULL});
    watched = &d;
    await(log_says, "\"event\":\"open_address\",\"address\":\"0.0.0.0\"", 20, "the warning");
    daemon_stop(&d);
    d = daemon_start(NULL);
    watched = &d;
    await(log_says, "\"event\":\"listening\"", 20, "the daemon");
    cr_assert(!log_says("open_address"));
    daemon_stop(&d);
}

Test(settings, later_sources_win) {
    smd(0, "{\"_\": \"a comment\", \"workers\": 3, \"queue_jobs\": 7}", "--check-config");
    json_t *s = json_loads(smd(0, "{\"workers\": 3, \"queue_jobs\": 7}", "--print-config --workers=5"), 0, NULL);
    cr_assert_eq(json_integer_value(json_object_get(s, "workers")), 5);
    cr_assert_eq(json_integer_value(json_object_get(s, "queue_jobs")), 7);
    cr_assert_eq(json_integer_value(json_object_get(s, "port")), 8199);
    json_decref(s);
    smd(0, (char *)said.data, "--check-config"); /* what is printed can be read */
    bytes_free(said);
}

/* SIGHUP: the file is read again; what needs a restart is named; a wrong file changes nothing. Compiles go on. */
Test(settings, read_again) {
    const char *const first = "{\"drain_timeout_s\": 60, \"connections\": 100}";
    write_file(file, first, strlen(first));
    struct daemon d = daemon_start((const char *const[]){"--config", file, NULL});
    watched = &d;
    const char *const second = "{\"drain_timeout_s\": 9, \"connections\": 200}";
    write_file(file, second, strlen(second));
    kill(d.pid, SIGHUP);
    await(log_says, "\"event\":\"reloaded\",\"changed\":[\"drain_timeout_s\"],\"needs_restart\":[\"connections\"]",
          20, "the settings to be read again");
    const char *const wrong = "{\"drain_timeout_s\": 0}";
    write_file(file, wrong, strlen(wrong));
    kill(d.pid, SIGHUP);
    await(log_says, "\"event\":\"reload_refused\"", 20, "a wrong file to be refused");
    struct answer a = post(&d, "/v1/compile", "define void @f() {\n  ret void\n}\n");
    cr_assert_eq(a.http, 200);
    answer_free(a);
    daemon_stop(&d);
}

/* What would hold up whoever opens or reads it: smd goes on, hears its signals, and says what is wrong. */
Test(settings, a_configuration_is_a_file) {
    write_file(file, "{}", 2);
    struct daemon d = daemon_start((const char *const[]){"--config", file, NULL});
    watched = &d;
    cr_assert_eq(unlink(file), 0);
    cr_assert_eq(mkfifo(file, 0600), 0);
    kill(d.pid, SIGHUP);
    await(log_says, "\"event\":\"reload_refused\"", 20, "a FIFO to be refused");
    daemon_stop(&d);
    static const char *const others[] = {"/dev/zero", "/tmp", NULL};
    for (int i = -1; i < 2; i++) {
        char command[256];
        int status;
        snprintf(command, sizeof command, "timeout 600 %s/smd --check-config --config %s 2>&1", BIN_DIR,
                 i < 0 ? file : others[i]);
        struct bytes out = run_command(command, "", 0, &status);
        cr_assert_eq(status, 1, "%s: %d", command, status);
        cr_assert(strstr((char *)out.data, "no regular file"), "%s", (char *)out.data);
        bytes_free(out);
    }
    unlink(file);
    struct bytes large = repeat(" ", (1 << 20) - 1);
    large.data[large.len - 2] = '{';
    large.data[large.len - 1] = '}';
    smd(0, (char *)large.data, "--check-config");
    bytes_free(large);
    large = repeat(" ", (1 << 20) + 1);
    large.data[0] = '{';
    large.data[1] = '}';
    smd(1, (char *)large.data, "--check-config");
    bytes_free(large);
    bytes_free(said);
}

Test(settings, probe) {
    struct daemon d = daemon_start(NULL);
    char command[256];
    int status;
    snprintf(command, sizeof command, "%s/smd --probe --port %d", BIN_DIR, d.port);
    bytes_free(run_command(command, "", 0, &status));
    cr_assert_eq(status, 0);
    daemon_stop(&d);
    struct bytes nobody = run_command(command, "", 0, &status);
    char where[80];
    snprintf(where, sizeof where, "nobody listens on 127.0.0.1 port %d\n", d.port);
    cr_assert_eq(status, 1);
    cr_assert_str_eq((char *)nobody.data, where);
    bytes_free(nobody);
}

/* A worker program that says nothing: smd waits for it half a minute, but not for longer than it is wanted. It
 * writes where no worker program of smd's may. */
Test(settings, a_stop_while_it_starts) {
    char worker[] = "/tmp/smd-silent-XXXXXX", script[200], command[400];
    int status, fd = mkstemp(worker);
    snprintf(script, sizeof script, "#!/bin/sh\n: >%s.runs\nexec sleep 100\n", worker);
    write_file(worker, script, strlen(script));
    fchmod(fd, 0700);
    close(fd);
    snprintf(command, sizeof command,
             "%s/smd --worker %s --port 0 --confinement off 2>&1 & while [ ! -e %s.runs ]; do sleep 0.01; done; "
             "began=$(date +%%s); "
             "kill -TERM $!; wait $! || exit; [ $(($(date +%%s) - began)) -lt 20 ]; e=$?; rm %s.runs; exit $e",
             BIN_DIR, worker, worker, worker);
    struct bytes out = run_command(command, "", 0, &status);
    unlink(worker);
    cr_assert_eq(status, 0, "%d, %s", status, (char *)out.data);
    cr_assert(strstr((char *)out.data, "stopped before its workers were ready"), "%s", (char *)out.data);
    bytes_free(out);
}

static int one_forkserver_was(void *d) {
    return metric(d, "smd_nursery_starts_total") == 1;
}

/* What is open at once is bounded by what the system allows, workers have their part of that, and no address has all of
 * the rest. */
Test(settings, descriptors_are_kept_back_for_workers) {
    int status;
    struct bytes out = run_command("ulimit -n 64; exec " BIN_DIR "/smd --port 0 --workers 2 2>&1", "", 0, &status);
    cr_assert_eq(status, 1, "%d, %s", status, (char *)out.data);
    cr_assert(strstr((char *)out.data, "the limit of open files (ulimit -n) is too low: 2 workers need it"), "%s",
              (char *)out.data);
    bytes_free(out);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){300, 300});
    struct daemon d = daemon_start((const char *const[]){"--workers", "2", "--jobs-per-worker", "1", NULL});
    watched = &d;
    await(log_says, "\"event\":\"connections_bounded\",\"connections\":84,", 20, "the bound to be said");
    int fd[200];
    for (int i = 0; i < 200; i++) /* more than there is room for */
        fd[i] = daemon_connect(&d);
    for (int i = 0; i < 120; i++)
        close(fd[i]);
    static const char module[] = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";
    struct answer a =
        ask(&d, (struct ask){.path = "/v1/compile", .body = module, .len = sizeof module - 1, .from = "127.0.0.2"});
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    answer_free(a);
    for (int i = 120; i < 200; i++)
        close(fd[i]);
    await(one_forkserver_was, &d, 20, "the closed ones to be gone");
    daemon_stop(&d);
}
