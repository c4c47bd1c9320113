/* smc_test.c - smc as people type it: what it prints, what it writes, what it exits with. */
#include "http.h"
#include "modules.h"
#include "scripted.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct daemon d;
static char folder[32];
static struct bytes said; /* stdout and stderr together, of the last smc */
static int status;

static void start(void) {
    char command[256];
    strcpy(folder, "/tmp/smd-smc-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    d = daemon_start(NULL);
    setenv("SMD_SERVER", d.url, 1);
    unsetenv("TERM");
    snprintf(command, sizeof command, "cp %s/docs/examples/*.ll %s", SOURCE_DIR, folder);
    bytes_free(run_command(command, "", 0, &status));
}

static void stop(void) {
    char command[64];
    bytes_free(said);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    bytes_free(run_command(command, "", 0, &status));
    daemon_stop(&d);
}

TestSuite(smc, .init = start, .fini = stop, .timeout = 600);

/* Runs a command line in the folder, with smc's own folder in PATH. */
static const char *smc(const char *fmt, ...) {
    char line[1024], command[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    snprintf(command, sizeof command, "cd %s && exec 2>&1 && PATH=%s:$PATH && smc %s", folder, BIN_DIR, line);
    bytes_free(said);
    said = run_command(command, "", 0, &status);
    return (const char *)said.data;
}

static void put(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, text, strlen(text));
}

static int exists(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "re");
    if (f)
        fclose(f);
    return f != NULL;
}

#define ends(expected) cr_assert_eq(status, expected, "exit status %d: %s", status, (char *)said.data)
#define says(text)     cr_assert(strstr((char *)said.data, text), "%s", (char *)said.data)

static const char mainly[] = "declare i32 @puts(ptr)\n"
                             "define i32 @main(i32 %n, ptr %v) {\n"
                             "  %at = getelementptr ptr, ptr %v, i64 1\n  %first = load ptr, ptr %at\n"
                             "  %r = call i32 @puts(ptr %first)\n  ret i32 %n\n}\n";

Test(smc, compile_writes_the_object_that_llc_gives) {
    smc("compile list.ll -O1 --stackmap map.json --asm list.s --disasm - --remarks remarks.json --ir safe.ll");
    ends(0);
    says("<- safepoint, backedge-poll");
    cr_assert(!exists("list.o"), "something else was asked for");
    cr_assert(exists("list.s") && exists("remarks.json") && exists("safe.ll"));
    smc("compile list.ll -O1 --unwind=module && opt-19 -S --data-layout="
        "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128-ni:1 "
        "-passes='default<O1>,function(place-safepoints),rewrite-statepoints-for-gc' "
        "list.ll | llc-19 -O1 --relocation-model=pic -filetype=obj -o llc.o && cmp list.o llc.o && "
        "smc stackmap list.o | python3 -c 'import json,sys; print(len(json.load(sys.stdin)[\"functions\"]))'");
    ends(0);
    cr_assert_str_eq((char *)said.data, "2\n");
}

Test(smc, emit_says_what_the_output_is) {
    smc("compile list.ll --emit=asm -o -");
    ends(0);
    says(".globl");
    smc("compile list.ll --emit=asm,ir -o -");
    ends(2);
    says("--emit takes one of");
}

Test(smc, compile_takes_many_modules) {
    smc("compile list.ll frames.ll roots.ll -o .");
    ends(1);
    says("frames.ll:10:1: error: ");
    cr_assert(exists("list.o") && exists("roots.o"), "one that fails does not keep the others");
    smc("compile list.ll roots.ll -o one.o");
    ends(2);
    says("one.o is no folder");
    smc("compile - --name=list.ll -o - <list.ll | cmp - list.o");
    ends(0);
    smc("compile list.ll -o /dev/full");
    ends(5);
    says("No space left");
}

/* In a folder that others write to, too. */
Test(smc, outputs_are_not_written_through_links) {
    put("victim", "what was there");
    smc("--version && umask 026 && sh -c 'ln -s victim list.o.$$.tmp && exec smc compile list.ll' && "
        "stat -c %%a list.o && cat victim");
    ends(0);
    says("\n640\nwhat was there");
}

Test(smc, messages_are_a_compilers) {
    put("bad.ll", "define void @f() {\n\toops\n}\n");
    cr_assert_str_eq(smc("compile bad.ll"), "bad.ll:2:2: error: expected instruction opcode\n  \toops\n  \t^\n");
    ends(1);
    cr_assert(!exists("bad.o"));
    cr_assert(strstr(smc("compile --color=always bad.ll"), "\033[1;31merror:"));
    cr_assert_str_eq(smc("compile none.ll"), "none.ll: error: No such file or directory\n");
    ends(6);
}

Test(smc, warnings_and_notes_are_shown) {
    put("plain.ll", "define ptr addrspace(1) @f(ptr addrspace(1) %p) {\n  ret ptr addrspace(1) %p\n}\n");
    put("hello.c", "int main(void) { return 0; }\n");
    smc("compile plain.ll");
    ends(0);
    says("plain.ll: warning: There are pointers of address space 1, but no function has a GC strategy");
    cr_assert_str_eq(smc("compile -q plain.ll"), "");
    smc("compile hello.c");
    ends(1);
    says("hello.c:1:1: error: expected top-level entity\n");
    says("hello.c: note: This looks like C or C++");
}

Test(smc, a_wrong_command_line) {
    cr_assert_str_eq(smc("compil list.ll"), "smc: error: there is no command 'compil'; did you mean 'compile'?\n");
    ends(2);
    cr_assert_str_eq(smc("compile list.ll --code-modell=large"),
                     "smc: error: there is no flag --code-modell; did you mean --code-model?\n");
    ends(2);
    smc("compile list.ll -gc-registers=auto");
    ends(2);
    says("there is no flag -gc-registers; did you mean --gc-registers?");
    smc("compile list.ll --opt=9");
    ends(2);
    says("0,1,2,3,s,z");
    smc("compile list.ll -Z");
    ends(2);
    says("no flag -Z");
    smc("compile list.ll -S");
    ends(2);
    says("there is no flag -S; assembly is --emit=asm");
    for (const char *const *c = (const char *const[]){"capabilities", "top --once", "prewarm --from=x", NULL}; *c;
         c++) {
        smc("%s list.ll", *c);
        ends(2);
        says("takes no 'list.ll'");
    }
    smc("--version && SMD_SERVERS=x smc compile list.ll");
    ends(2);
    says("there is no variable SMD_SERVERS; did you mean SMD_SERVER?");
    smc("--version && SMD_WORKERS=2 smc compile list.ll"); /* the daemon's */
    ends(0);
    smc("compile list.ll --jobs=0");
    ends(2);
    smc("compile list.ll --jobs");
    ends(2);
    says("--jobs needs a value");
    smc("compile --quiet=3");
    ends(2);
    says("takes no value");
    smc("compile");
    ends(2);
    smc("compile list.ll --color=red");
    ends(2);
    smc("");
    ends(2);
    smc("compile --server=ftp://x list.ll");
    ends(2);
    says("ftp://x");
    for (const char *const *c = (const char *const[]){"''", "a/b", NULL}; *c;
         c++) { /* as smd, which reads the file */
        smc("token -f new_tokens new %s", *c);
        ends(2);
        says("is no name");
    }
    smc("token -f new_tokens new ci --expires 31.1.2027");
    ends(2);
    says("'31.1.2027' is no date");
    cr_assert(!exists("new_tokens"), "no row that smd would refuse");
}

Test(smc, help_tells_every_flag) {
    smc("help");
    ends(0);
    says("capabilities");
    smc("compile --help=all");
    ends(0);
    says("--gc-registers");
    says("--stackmap");
    says("--emit");
    says("--deadline ");
    says("--ca-file ");
    cr_assert(!strstr((char *)said.data, "--deadline-ms"), "there is one deadline");
    smc("compile --help-all");
    ends(0);
    says("--gc-registers");
    smc("top --help");
    ends(0);
    says("usage: smc top [FLAGS]\n");
    cr_assert(!strstr((char *)said.data, "--cache-only"), "it compiles nothing: %s", (char *)said.data);
    smc("explain --help=most");
    ends(2);
    says("--help takes all, not 'most'");
    smc("help nothing");
    ends(2);
    const char *const of_help[] = {"help help", "help --help", "--help=all", "--help-all",
                                   "-s http://127.0.0.1:1 help"};
    for (size_t i = 0; i < sizeof of_help / sizeof *of_help; i++) {
        smc("%s", of_help[i]);
        ends(0);
        says("capabilities");
    }
    smc("--version");
    ends(0);
}

/* A line for each server, then what is wrong; a server that is not there is both. */
Test(smc, status_says_what_is_wrong) {
    const char *text = smc("status %s", d.url);
    ends(0);
    cr_assert(strstr(text, "ready") && strstr(text, "0.1.0"), "%s", text);
    text = smc("status %s http://127.0.0.1:1", d.url);
    ends(3);
    cr_assert(strstr(text, "no answer") && strstr(text, "http://127.0.0.1:1: "), "%s", text);
    struct answer crashed = post(&d, "/v1/compile?opt=1", module_crashing);
    cr_assert_eq(crashed.http, 500);
    answer_free(crashed);
    setenv("SMD_SERVER", d.url, 1);
    text = smc("status");
    ends(0);
    cr_assert(strstr(text, "compiles crashed LLVM; set crash_dir"), "%s", text);
    smc("status not-a-url");
    ends(3);
}

static int drains(void *server) {
    struct answer ready = get(server, "/readyz");
    int http = ready.http;
    answer_free(ready);
    return http == 503;
}

Test(smc, status_of_a_server_that_is_being_stopped) {
    struct daemon leaving = daemon_start((const char *const[]){"--drain-grace-s", "3600", NULL});
    kill(leaving.pid, SIGTERM);
    await(drains, &leaving, 60, "/readyz says that it drains");
    const char *text = smc("status %s", leaving.url);
    ends(3);
    cr_assert(strstr(text, "not ready") && strstr(text, "is being stopped") && !strstr(text, "no answer"), "%s",
              text);
    kill(leaving.pid, SIGKILL);
    daemon_wait(&leaving);
}

/* Where operators' routes are on another listener, top says so. */
Test(smc, top_asks_for_the_operators_listener) {
    struct daemon both = daemon_start((const char *const[]){"--admin-listen", "127.0.0.1:0", NULL});
    smc("top --once -s %s", both.url);
    ends(3);
    says("ask the server's admin_listen");
    daemon_stop(&both);
}

/* What doctor says of these servers; it is asked again while all it finds is that the machine is busy. */
static const char *doctor(const char *servers) {
    const char *text = smc("doctor %s", servers);
    while (strstr(text, "WRONG  it answers in "))
        text = smc("doctor %s", servers);
    return text;
}

Test(smc, doctor_examines_each_and_all) {
    int is_bare = getenv("SMD_SANDBOX") != NULL; /* as in builds with sanitizers, which doctor finds wrong */
    char servers[200];
    const char *text = doctor(d.url);
    ends(is_bare ? 3 : 0);
    cr_assert(strstr(text, "its clock is right") && strstr(text, is_bare ? "1 wrong." : "Nothing is wrong."), "%s",
              text);
    snprintf(servers, sizeof servers, "%s http://127.0.0.1:1", d.url);
    text = doctor(servers);
    ends(3);
    cr_assert(strstr(text, "http://127.0.0.1:1\n  WRONG  ") && strstr(text, is_bare ? "2 wrong." : "1 wrong."), "%s",
              text);
    struct daemon bare = daemon_start((const char *const[]){"--sandbox", "off", NULL});
    snprintf(servers, sizeof servers, "%s %s", d.url, bare.url);
    text = doctor(servers);
    ends(3);
    cr_assert(strstr(text, "workers have no sandbox") && strstr(text, "its compiler is that of"), "%s", text);
    daemon_stop(&bare);
    /* Tokens are for it, too; without, an operator's routes say nothing. */
    text = smc("doctor --token-file /nowhere %s", d.url);
    ends(3);
    says("/nowhere");
}

/* What is of use every day fits a screen, and says where the rest is. */
Test(smc, help_fits_a_screen) {
    static const char *const commands[] = {"compile",      "explain", "stackmap", "run",        "top",
                                           "capabilities", "prewarm", "upgrade",  "page-polls", "compact",
                                           "status",       "token",   "verify",   "jobs",       "doctor"};
    enum { LINES = 24 };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        int lines = 0;
        const char *text = smc("%s --help", commands[i]);
        ends(0);
        for (const char *p = text; *p; p++)
            lines += *p == '\n';
        cr_assert_leq(lines, LINES, "%s: %d lines", commands[i], lines);
        says("--help=all");
        char *copy = strdup(text);
        cr_assert_str_eq(smc("help %s", commands[i]), copy);
        free(copy);
    }
}

Test(smc, flags_may_come_before_the_command) {
    setenv("SMD_SERVER", "http://127.0.0.1:1", 1);
    smc("-s %s compile list.ll", d.url);
    ends(0);
    smc("--server=%s -q --deadline 60000 compile list.ll --color never", d.url);
    ends(0);
    smc("-qs%s compile list.ll", d.url);
    ends(0);
    smc("-O2 compile list.ll");
    ends(2);
    says("there is no flag -O2 before the command");
    smc("-s %s", d.url);
    ends(2);
    says("there is no command");
    smc("compile list.ll");
    ends(3);
    says("127.0.0.1:1");
}

/* A compile that never ends, on a terminal: says for how long, until when, and in which stage; smc is ended then. */
static void shows_progress(const char *servers) {
    char line[1024];
    put("endless.ll", module_endless);
    snprintf(line, sizeof line,
             "cd %1$s && rm -f shown && PATH=%2$s:$PATH && "
             "script -qefc 'smc %3$s endless.ll --server=%4$s --cache=bypass --deadline=600000' shown >shown.out & "
             "for i in $(seq 6000); do grep -q 'of at most 600 s, now: optimize' %1$s/shown 2>%1$s/none && break; "
             "sleep 0.1; done; "
             "kill $!; grep -c 'endless.ll: compiling, [0-9]* s of at most 600 s, now: optimize' %1$s/shown",
             folder, BIN_DIR, "compile", servers);
    struct bytes got = run_command(line, "", 0, &status);
    cr_assert_eq(status, 0, "%s", (char *)got.data);
    bytes_free(got);
}

/* A server of another version that has no room for a compile. */
static struct reply busy(void *user, const char *head) {
    static const char none[] = "{\"status\":404,\"code\":\"job_not_found\",\"detail\":\"none\"}";
    static const char about[] =
        "{\"key_context\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}";
    (void)user;
    if (strncmp(head, "GET /v1/capabilities ", 21) == 0)
        return reply("200 OK", "Content-Type: application/json\r\n", about, strlen(about));
    if (strncmp(head, "GET ", 4) == 0)
        return reply("404 Not Found", "Content-Type: application/problem+json\r\n", none, strlen(none));
    return reply("503 Service Unavailable", "", "", 0);
}

Test(smc, a_long_compile_shows_progress) {
    shows_progress(d.url);
    smc("compile endless.ll --cache=bypass --deadline=2500");
    ends(4);
    cr_assert(!strstr((char *)said.data, "of at most"), "standard error is no terminal");
}

/* The stage is known to the server that has the compile, which need not be the first one. */
Test(smc, a_long_compile_shows_progress_of_any_server) {
    char servers[128];
    struct scripted *first = scripted_start(busy, NULL);
    snprintf(servers, sizeof servers, "http://127.0.0.1:%d,%s", scripted_port(first), d.url);
    shows_progress(servers);
    scripted_stop(first);
}

Test(smc, explain_draws_frames) {
    cr_assert_str_eq(smc("explain list.ll --safepoints=none"),
                     "cons  .text+0x20, 41 bytes, frame of 24 bytes\n\n"
                     "  +0x0017  call to allocate\n"
                     "               rsp+24 | return address               |\n"
                     "                      +------------------------------+\n"
                     "               rsp+16 |                              |\n"
                     "                rsp+8 | pointer                      |\n"
                     "                rsp+0 |                              |\n"
                     "                      +------------------------------+\n\n"
                     "1 function, 1 safepoint, 1 live pointer (x86_64, llvm-v3)\n");
    ends(0);
    smc("explain stacks.ll --safepoints=none --target=x86_64-linux-gnu");
    ends(0);
    says("               rsp+16 | reference in alloca 0        |\n"
         "                rsp+8 | reference in alloca 0        |\n"
         "                rsp+0 |                              |\n");
    says("1 function, 2 safepoints, 6 live pointers (x86_64, llvm-v3)\n"); /* two roots, twice two references */
    smc("explain pins.ll --safepoints=none --target=x86_64-linux-gnu");
    ends(0);
    says("               rsp+16 | reference in alloca 0, pinned |\n");
    says("1 function, 1 safepoint, 2 live pointers (x86_64, llvm-v3)\n");
    smc("explain list.ll --target=aarch64-linux-gnu --gc-registers=4");
    says("x19   pointer");
    smc("explain roots.ll --json");
    says("\"format\": \"erlang\"");
    smc("compile list.ll && smc explain list.o");
    ends(0);
    says("2 functions, 4 safepoints");
    smc("explain statepoints.ll --safepoints=none");
    says("  id 77\n"); /* the module's own; the default one is not shown */
    cr_assert(!strstr((char *)said.data, "id 2882400000"));
    smc("explain frames.ll --poll=call:p");
    ends(0);
}

Test(smc, stackmap_needs_no_server) {
    smc("compile list.ll -o list.o && SMD_SERVER=http://127.0.0.1:1 smc stackmap list.o --compact");
    ends(0);
    says("{\"format\":\"llvm-v3\"");
    smc("stackmap --picture list.o");
    says("pointer ");
    smc("stackmap --sizes list.o");
    ends(0);
    says("  sum\n");
    smc("compile list.ll --stackmap-format=compact -o compact.o && gcc -shared -nostdlib -o list.so compact.o && "
        "smc stackmap --sizes list.so");
    ends(0);
    says("% less\n");
    smc("stackmap list.ll");
    ends(1);
    says("list.ll: error: ");
    says("smc explain takes modules");
    put("plain.ll", "define void @f() {\n  ret void\n}\n");
    smc("compile plain.ll && smc stackmap -c plain.o");
    ends(0);
    says("plain.o: warning: this object has no stackmap");
    smc("stackmap -qc plain.o");
    cr_assert_str_eq((char *)said.data, "{\"format\":\"none\",\"arch\":\"x86_64\",\"functions\":[]}\n");
}

Test(smc, run_calls_the_module) {
    put("main.ll", mainly);
    cr_assert_str_eq(smc("run main.ll -- hello there"), "hello\n");
    ends(3); /* argc */
    put("answer.ll", "define i64 @f() {\n  ret i64 4294967338\n}\n");
    cr_assert_str_eq(smc("run answer.ll --entry=f --print"), "4294967338\n");
    ends(0);
}

/* What fails before the program begins has statuses that programs do not use, as env(1) has it. */
Test(smc, run_tells_its_own_failures_from_the_programs) {
    put("answer.ll", "define i32 @f() {\n  ret i32 2\n}\n");
    put("bad.ll", "define void @f() {\n  oops\n}\n");
    put("crash.ll", module_crashing);
    put("empty.ll", "");
    smc("run answer.ll --entry=f");
    ends(2);
    smc("run answer.ll --entry=g");
    ends(126);
    says("has no function 'g'");
    smc("run list.ll --entry=sum");
    ends(126);
    says("'collection_wanted' is not defined");
    for (const char *const *file = (const char *const[]){"bad.ll", "crash.ll", "empty.ll", NULL}; *file; file++) {
        smc("run %s", *file);
        ends(126);
    }
    smc("run none.ll");
    ends(127);
    for (const char *const *wrong = (const char *const[]){"--load=./none.so answer.ll", "--nonsense answer.ll", "",
                                                          "--server=http://127.0.0.1:1 answer.ll", NULL};
         *wrong; wrong++) {
        smc("run %s", *wrong);
        ends(125);
    }
    smc("run --help");
    ends(0);
}

/* As in other compilers; a server would refuse both. */
Test(smc, the_last_of_an_option_counts) {
    smc("compile list.ll -O2 --opt=0 -O3 -o many.o && smc compile list.ll -O3 -o one.o && cmp one.o many.o");
    ends(0);
}

/* The server keeps the deadline, and says what took so long; the option's own name means the same. */
Test(smc, there_is_one_deadline) {
    put("endless.ll", module_endless);
    for (const char *const *flag = (const char *const[]){"--deadline=1", "--deadline-ms 1", "--deadline_ms=1", NULL};
         *flag; flag++) {
        smc("compile endless.ll --cache=bypass %s", *flag);
        ends(4);
        says("deadline of 1 ms");
    }
    smc("compile list.ll --deadline=600001");
    ends(2);
    says("from 1 to 600000");
    smc("top --once --deadline=600001");
    ends(2);
    smc("top --once --deadline=20000");
    ends(0);
}

Test(smc, what_is_no_module_is_not_sent) {
    put("empty.ll", "");
    smc("compile list.ll");
    for (const char *const *c = (const char *const[]){"compile", "upgrade", "explain", NULL}; *c; c++) {
        smc("%s empty.ll --server=http://127.0.0.1:1", *c);
        ends(1);
        says("empty.ll: error: the file is empty");
    }
    for (const char *const *c = (const char *const[]){"compile", "upgrade", NULL}; *c; c++) {
        smc("%s list.o --server=http://127.0.0.1:1", *c);
        ends(1);
        says("list.o: error: this is an ELF file, not a module; smc explain");
    }
}

/* That it writes what the server writes is tested with `reproduce`. */
Test(smc, page_polls_belong_to_their_object) {
    smc("compile polls.ll --poll=page:p --stackmap map.json -o polls.o && "
        "smc compile frames.ll --poll=page:p --stackmap other.json -o frames.o");
    ends(0);
    smc("page-polls polls.o --map map.json | cmp -s - polls.o");
    ends(0); /* it has them already */
    smc("page-polls polls.o --map other.json");
    ends(1);
    says("polls.o: error: other.json is not the stackmap of this object");
    smc("page-polls list.ll --map map.json");
    ends(1);
    smc("page-polls polls.o --map list.ll");
    ends(1);
    says("list.ll: error: this is no stackmap");
    smc("page-polls polls.o --map none.json");
    ends(6);
    smc("page-polls polls.o");
    ends(2);
}

/* Likewise; and that it says what the other table says, by process/compact_linked.py. */
Test(smc, tables_become_compact) {
    smc("compile list.ll --stackmap map.json -o plain.o && "
        "smc compile list.ll --stackmap-format=compact -o compact.o && "
        "smc compile frames.ll --poll=call:p -o frames.o && smc compact --map map.json plain.o | cmp - compact.o");
    ends(0);
    smc("compact plain.o | smc stackmap -");
    ends(0);
    says("\"format\": \"compact\"");
    smc("compact compact.o");
    ends(1);
    says("compact.o: error: this is no object with one table of LLVM's");
    smc("compact frames.o --map map.json");
    ends(1);
    says("is not the stackmap of this object");
    smc("compact list.ll");
    ends(1);
    smc("compact nothing.o");
    ends(6);
    smc("compact");
    ends(2);
}

Test(smc, servers_that_are_not_there) {
    smc("compile list.ll --server=http://127.0.0.1:1");
    ends(3);
    says("(http://127.0.0.1:1)");
    says("smc: note: ./deploy/run starts a server here");
    smc("compile list.ll --server=https://%s", strstr(d.url, "://") + 3);
    ends(3);
    says("smc: note: --ca-file FILE names the authority of the server's certificate");
    smc("compile list.ll --server=unix:/nowhere/socket");
    ends(3);
    says("(unix:/nowhere/socket)");
    smc("compile list.ll --server=http://127.0.0.1:1,%s", d.url);
    ends(0);
    smc("compile list.ll --cache-only --safepoints=return");
    ends(3);
    smc("capabilities");
    ends(0);
    says("statepoint-example");
    smc("top --once");
    ends(0);
    says("workers ");
    smc("explain none.ll");
    ends(6);
    smc("stackmap none.o");
    ends(6);
    smc("upgrade none.ll");
    ends(6);
    smc("top --samples=1");
    ends(0);
    says("workers ");
    smc("compile list.ll --token-file=/nowhere");
    ends(2);
}

Test(smc, the_compiler_crashes) {
    put("crash.ll", module_crashing);
    smc("compile crash.ll");
    ends(4);
    says("crash.ll: error: ");
    says("[compiler_crashed]");
}

/* The completion asks smc help: a command's flags and an option's words. */
Test(smc, completion) {
    char command[1024];
    snprintf(command, sizeof command,
             "PATH=%s:$PATH; . %s/client/smc/smc.bash; compopt() { :; }; "
             "t() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _smc; echo \"${COMPREPLY[@]}\"; }; "
             "t smc ex; t smc compile --stackm; t smc compile --opt ''; t smc help cap; t smc -s http://x pa; "
             "t smc --deadline 5 explain --gc-r",
             BIN_DIR, SOURCE_DIR);
    char path[128], line[256];
    snprintf(path, sizeof path, "%s/complete", folder);
    write_file(path, command, strlen(command));
    snprintf(line, sizeof line, "bash %s", path);
    struct bytes got = run_command(line, "", 0, &status);
    cr_assert_str_eq(
        (char *)got.data,
        "explain\n--stackmap --stackmap-format\n0 1 2 3 s z\ncapabilities\npage-polls\n--gc-registers\n");
    bytes_free(got);
}
