/* smc_hostile_test.c - smc and servers that would steer a person's terminal, or keep it busy. */
#include "artifact.h"
#include "check.h"
#include "files.h"
#include "scripted.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A title, a cleared screen, C1's CSI, DEL, the right-to-left override, half a character: as JSON, and as bytes. */
#define STEERING_JSON "\\u001b]0;t\\u0007\\u001b[2J\\u009b2J\\u007f\\u202e\\n"
#define STEERING      "\033]0;t\007\033[2J\302\2332J\177\342\200\256\303"

static const char diagnostic[] =
    "{\"severity\":\"warning" STEERING_JSON "\",\"message\":\"m" STEERING_JSON "\",\"function\":\"f" STEERING_JSON
    "\",\"source\":\"s" STEERING_JSON "\",\"line\":1,\"column\":2}";

static char folder[] = "/tmp/smd-hostile-XXXXXX";
static struct bytes said;
static int status;

static void start(void) {
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    write_file("m.ll", "define void @f() {\n  ret void\n}\n", 32);
}

static void stop(void) {
    char command[64];
    bytes_free(said);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    bytes_free(run_command(command, "", 0, &status));
}

TestSuite(smc_hostile, .init = start, .fini = stop, .timeout = 600);

/* Runs smc against the server, on a terminal, whose screen is `said`: lines end with "\r\n" there. */
static const char *on_terminal(const struct scripted *server, const char *arguments) {
    char command[512];
    snprintf(command, sizeof command,
             "PATH=%s:$PATH TERM=dumb SMD_SERVER=http://127.0.0.1:%d script -qefc 'smc %s' shown", BIN_DIR,
             scripted_port(server), arguments);
    bytes_free(said);
    said = run_command(command, "", 0, &status);
    return (const char *)said.data;
}

/* Nothing of what was printed steers a terminal. */
static void nothing_steers(void) {
    cr_assert_gt(said.len, 0);
    for (size_t i = 0; i < said.len; i++) {
        unsigned char c = (unsigned char)said.data[i];
        cr_assert(c == '\n' || c == '\r' || c == '\t' || (c >= 0x20 && c < 0x7f), "0x%02x at %zu of: %s", c, i,
                  (char *)said.data);
    }
}

#define says(text) cr_assert(strstr((char *)said.data, text), "%s", (char *)said.data)

/* Answers as USER, a text with the whole JSON, says; a compile fails with it. */
static struct reply answer_text(void *user, const char *head) {
    const char *text = user;
    return reply(strncmp(head, "POST", 4) == 0 ? "422 Unprocessable" : "200 OK",
                 "Content-Type: application/problem+json\r\n", text, strlen(text));
}

Test(smc_hostile, messages_do_not_steer_the_terminal) {
    char *text;
    check(asprintf(&text, "{\"code\":\"c%s\",\"detail\":\"d%s\",\"diagnostics\":[%s]}", STEERING_JSON, STEERING_JSON,
                   diagnostic) > 0,
          "no memory");
    struct scripted *s = scripted_start(answer_text, text);
    on_terminal(s, "compile m.ll");
    cr_assert_eq(status, 1);
    nothing_steers();
    says("m.ll:1:2: warning?]0;t??[2J?");
    says("in function 'f?]0;t??[2J?");
    says("[c?]0;t??[2J?");
    scripted_stop(s);
    free(text);
}

Test(smc_hostile, what_a_server_can_do_does_not_steer_the_terminal) {
    static char text[] = "{\"smd\":{\"version\":\"v" STEERING_JSON "\"},\"targets\":[\"t" STEERING_JSON
                         "\"],\"limits\":{\"l" STEERING_JSON "\":\"n" STEERING_JSON
                         "\"},\"options\":[{\"name\":\"o" STEERING_JSON "\",\"help\":\"h" STEERING_JSON
                         "\",\"values\":[\"v" STEERING_JSON "\"],\"default\":\"d" STEERING_JSON "\"}]}";
    struct scripted *s = scripted_start(answer_text, text);
    for (const char *const *c = (const char *const[]){"capabilities", "capabilities --json", NULL}; *c; c++) {
        on_terminal(s, *c);
        cr_assert_eq(status, 0, "%s", (char *)said.data);
        nothing_steers();
    }
    scripted_stop(s);
}

/* The object is there whole, what it names is not believed. */
Test(smc_hostile, names_of_an_object_do_not_steer_the_terminal) {
    static const char module[] = "declare void @g()\n"
                                 "define ptr addrspace(1) @\"f\\1b[2J\\07\\7f\"(ptr addrspace(1) %p) gc "
                                 "\"statepoint-example\" {\n"
                                 "  call void @g()\n  ret ptr addrspace(1) %p\n}\n";
    write_file("steer.ll", module, strlen(module));
    bytes_free(run_command("opt-19 -passes=rewrite-statepoints-for-gc steer.ll | llc-19 -filetype=obj -o steer.o", "",
                           0, &status));
    cr_assert_eq(status, 0);
    struct scripted *s = scripted_start(answer_text, "");
    for (const char *const *c =
             (const char *const[]){"explain steer.o", "explain --json steer.o", "stackmap --sizes steer.o", NULL};
         *c; c++) {
        on_terminal(s, *c);
        cr_assert_eq(status, 0, "%s", (char *)said.data);
        nothing_steers();
        says("[2J");
    }
    scripted_stop(s);
}

/* Few of many are printed, and not whole if they are long; an error behind them is not lost. */
Test(smc_hostile, messages_are_bounded_in_number_and_length) {
    enum { MANY = 150, LONG = 20000, PRINTED = 1 << 20 };
    char *text = calloc(MANY, LONG + sizeof diagnostic), *end = text;
    cr_assert_not_null(text);
    end = stpcpy(end, "{\"code\":\"parse_error\",\"diagnostics\":[");
    for (int i = 0; i < MANY; i++) {
        end =
            stpcpy(end, i ? ",{\"severity\":\"warning\",\"message\":\"" : "{\"severity\":\"warning\",\"message\":\"");
        memset(end, 'x', LONG);
        end = stpcpy(end + LONG, "\"}");
    }
    stpcpy(end, ",{\"severity\":\"error\",\"message\":\"the error\"}]}");
    struct scripted *s = scripted_start(answer_text, text);
    on_terminal(s, "compile m.ll");
    cr_assert_eq(status, 1);
    cr_assert_lt(said.len, PRINTED);
    says("xxx...");
    says("m.ll: note: 50 more are not shown");
    says("m.ll: error: the error");
    scripted_stop(s);
    free(text);
}

/* More than a server of smd ever says is not read at all. */
Test(smc_hostile, a_problem_without_end_is_not_read) {
    enum { LONG = 40 << 20 };
    char *text = malloc(LONG), *end = text + LONG;
    cr_assert_not_null(text);
    for (char *p = stpcpy(text, "{\"diagnostics\":["); p + 1 < end; p += 2)
        memcpy(p, "0,", 2);
    strcpy(end - 5, ",0]}");
    struct scripted *s = scripted_start(answer_text, text);
    on_terminal(s, "compile m.ll");
    cr_assert_eq(status, 1);
    says("HTTP status 422");
    scripted_stop(s);
    free(text);
}

/* The head, and then nothing for ever. */
static struct reply answer_half(void *user, const char *head) {
    (void)user;
    struct reply r = answer_text("[", head);
    r.hangs = 1;
    r.data[strcspn(r.data, "\r") - 1] = 'y'; /* the phrase is nobody's matter */
    char *length = strstr(r.data, "Content-Length: 1");
    length[strlen("Content-Length: ")] = '9';
    return r;
}

Test(smc_hostile, the_deadline_holds_while_an_answer_is_read) {
    struct scripted *s = scripted_start(answer_half, NULL);
    for (const char *const *c =
             (const char *const[]){"compile m.ll --deadline=100", "explain m.ll --deadline=100",
                                   "capabilities --deadline=100", "top --once --deadline=100", NULL};
         *c; c++) {
        on_terminal(s, *c);
        cr_assert_eq(status, 3, "%s: %s", *c, (char *)said.data);
        /* The deadline may have passed before all was sent. */
        cr_assert(strstr((char *)said.data, "has not answered in time") ||
                      strstr((char *)said.data, "deadline has passed"),
                  "%s: %s", *c, (char *)said.data);
    }
    scripted_stop(s);
}

Test(smc_hostile, keys_are_keys) {
    static char text[] = "{\"keys\":[\"../../x" STEERING_JSON "\"]}";
    struct scripted *s = scripted_start(answer_text, text);
    char arguments[128];
    snprintf(arguments, sizeof arguments, "prewarm --from=http://127.0.0.1:%d", scripted_port(s));
    on_terminal(s, arguments);
    cr_assert_eq(status, 3);
    nothing_steers();
    says("manifest cannot be read");
    scripted_stop(s);
}

/* Answers with an artifact that has USER as its assembly, and far too many diagnostics if USER is NULL. */
static struct reply answer_artifact(void *user, const char *head) {
    sm_buf b;
    sm_artifact a = {.status = SM_OK};
    unsigned char *many = NULL;
    size_t len = user ? 2 : SM_DIAGNOSTICS_MAX + 1;
    (void)head;
    check((many = malloc(len)) != NULL, "no memory");
    memset(many, '[', len);
    many[1] = user ? ']' : '[';
    a.part[SM_PART_META] = (sm_slice){(const unsigned char *)"{}", 2};
    a.part[SM_PART_DIAGNOSTICS] = (sm_slice){many, len};
    a.part[SM_PART_OBJECT] = (sm_slice){(const unsigned char *)"object", 6};
    a.part[SM_PART_ASM] = (sm_slice){user, user ? strlen(user) : 0};
    sm_buf_init(&b, (size_t)1 << 30);
    check(sm_artifact_write(&b, &a) == SM_OK, "no artifact");
    struct reply r = reply("200 OK", "Content-Type: application/vnd.smd.artifact\r\n", b.data, b.len);
    sm_buf_free(&b);
    free(many);
    return r;
}

/* On a terminal it is cleaned; a file gets what came. */
Test(smc_hostile, assembly_does_not_steer_the_terminal) {
    static char text[] = "\tret\n# " STEERING "\n";
    struct scripted *s = scripted_start(answer_artifact, text);
    on_terminal(s, "compile m.ll --emit=asm -o -");
    cr_assert_eq(status, 0, "%s", (char *)said.data);
    nothing_steers();
    says("\tret\r\n# ?]0;t??[2J??2J?????\r\n");
    on_terminal(s, "compile m.ll --emit=asm -o m.s");
    struct bytes file = read_file("m.s");
    cr_assert_str_eq((char *)file.data, text);
    bytes_free(file);
    scripted_stop(s);
}

Test(smc_hostile, an_artifact_with_diagnostics_without_end_is_damaged) {
    struct scripted *s = scripted_start(answer_artifact, NULL);
    on_terminal(s, "compile m.ll");
    cr_assert_eq(status, 3, "%s", (char *)said.data);
    says("The artifact is damaged");
    scripted_stop(s);
}
