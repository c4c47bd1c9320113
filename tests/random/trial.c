/* trial.c - see trial.h. */
#include "trial.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {
#define X(name, word) word,
    ENDING_MAP(X)
#undef X
};

const char *ending_name(enum ending e) {
    return names[e];
}

int ending_from(const char *name) {
    for (int i = 0; i < ENDINGS; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

void append_poll(sm_buf *module, const struct variant *v) {
    static const char poll[] = "\ndefine void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n";
    if (strcmp(variant_value(v, "poll"), "module") == 0)
        sm_buf_puts(module, poll);
}

/* ---- Runners ---- */

static void become_runner(int aarch64, const struct runners *r, int in, int out) {
    const char *argv[8];
    int n = 0;
    if (aarch64)
        argv[n++] = QEMU;
    argv[n++] = aarch64 ? BIN_DIR "/random-runner-aarch64" : BIN_DIR "/random-runner";
    argv[n++] = r->impatient ? "2" : "20";
    argv[n++] = r->leave_out;
    argv[n] = NULL;
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO); /* the heap's last words, and the emulator's */
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

static int start(struct runners *all, int aarch64) {
    struct runner *r = &all->runner[aarch64];
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return 0;
    r->pid = fork();
    if (r->pid == 0)
        become_runner(aarch64, all, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    r->to = fdopen(in[1], "w");
    r->from = fdopen(out[0], "r");
    return r->pid > 0;
}

/* Waits for its end; TEXT is how it ended. */
static void stop(struct runner *r, char *text, size_t size) {
    int status = 0;
    if (!r->pid)
        return;
    fclose(r->to);
    fclose(r->from);
    waitpid(r->pid, &status, 0);
    if (text && WIFSIGNALED(status))
        snprintf(text, size, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (text)
        snprintf(text, size, "exit status %d", WEXITSTATUS(status));
    *r = (struct runner){0};
}

void runners_stop(struct runners *r) {
    stop(&r->runner[0], NULL, 0);
    stop(&r->runner[1], NULL, 0);
}

/* ---- A run ---- */

static int send_object(struct runner *r, const void *object, size_t len) {
    unsigned char head[4] = {(unsigned char)len, (unsigned char)(len >> 8), (unsigned char)(len >> 16),
                             (unsigned char)(len >> 24)};
    return fwrite(head, 1, 4, r->to) == 4 && fwrite(object, 1, len, r->to) == len && fflush(r->to) == 0;
}

/* The next line, without its end; 0 if there is none. */
static int receive(struct runner *r, char *text, int size) {
    if (!fgets(text, size, r->from))
        return 0;
    text[strcspn(text, "\n")] = 0;
    return 1;
}

/* It said why it failed, or ended without a word. */
static void run_failed(struct runner *r, enum ending ending, const char *said, struct outcome *out) {
    char how[200];
    out->ending = ending;
    stop(r, how, sizeof how);
    snprintf(out->text, sizeof out->text, "%s%s%s", said, said[0] ? "; " : "", how);
}

static void run(struct runner *r, const void *object, size_t len, struct outcome *out) {
    char text[400] = "";
    uint64_t digest;
    struct world_figures *f = &out->figures;
    if (!send_object(r, object, len) || !receive(r, text, sizeof text) ||
        sscanf(text, "still %" SCNu64, &out->digest) != 1) {
        run_failed(r, ENDING_LOAD, text, out);
        return;
    }
    text[0] = 0;
    if (!receive(r, text, sizeof text) ||
        sscanf(text, "moving %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
               &digest, &f->collections, &f->frames, &f->roots, &f->moved, &f->signals, &f->deopts) != 7) {
        run_failed(r, ENDING_MOVING, text, out);
        return;
    }
    out->ending = digest == out->digest ? ENDING_RIGHT : ENDING_DIFFERENT;
    snprintf(out->text, sizeof out->text, "still %" PRIx64 ", moving %" PRIx64, out->digest, digest);
}

/* Requires room for one. */
static void add_option(const char **options, const char *option) {
    while (*options)
        options++;
    options[0] = option;
    options[1] = NULL;
}

void trial(sm_client *client, struct runners *r, const char *module, size_t len, const struct variant *v,
           struct outcome *out) {
    const char *options[VARIANT_OPTIONS + 6], *all_options[VARIANT_OPTIONS + 6];
    char *profile;
    sm_buf text;
    sm_request request = {.size = sizeof request, .options = options};
    sm_answer *answer = NULL;
    sm_error err;
    size_t object_len;
    struct runner *runner = &r->runner[v->aarch64];
    *out = (struct outcome){.ending = ENDING_RIGHT};
    memcpy(options, v->option, sizeof v->option);
    sm_buf_init(&text, (size_t)1 << 28);
    sm_buf_put(&text, module, len);
    if (memmem(module, len, "ptr addrspace(3)", 16) && !variant_value(v, "spaces")[0])
        add_option(options, "spaces=3:32:3:heap_base");
    if (memmem(module, len, "@has_barriers", 13) && !variant_value(v, "barriers")[0]) {
        add_option(options, "barriers=auto");
        add_option(options, "barrier=satb:report:marking");
    }
    if (memmem(module, len, "\"gc-transition\"(", 16))
        add_option(options, "transition=flag");
    int twice = is_compiled_twice(v);
    if (twice)
        add_option(options, "emit=obj,ir");
    memcpy(all_options, options, sizeof options);
    disguise(v, &text, options, &profile);
    request.module = sm_buf_cstr(&text);
    request.module_len = text.len;
    request.profile = profile;
    sm_result result = sm_compile(client, &request, &answer, &err);
    if (result != SM_SUCCESS) {
        int in_order = strcmp(err.code, "cannot_rewrite") == 0 || strcmp(err.code, "safepoint_violation") == 0;
        out->ending = in_order ? ENDING_REFUSED : ENDING_COMPILE;
        snprintf(out->text, sizeof out->text, "%s: %.300s", err.code[0] ? err.code : sm_result_name(result),
                 err.message);
    } else if (!runner->pid && !start(r, v->aarch64)) {
        out->ending = ENDING_LOAD;
        snprintf(out->text, sizeof out->text, "no runner can be started");
    } else {
        const void *object = sm_answer_object(answer, &object_len);
        run(runner, object, object_len, out);
        if (out->ending == ENDING_RIGHT && is_compiled_at_levels(v))
            at_levels(client, &request, answer, out);
        request.options = all_options; /* in the final IR no function is of the profile */
        request.profile = NULL;
        if (twice && out->ending == ENDING_RIGHT)
            round_trip(client, &request, answer, out);
    }
    sm_answer_free(answer);
    sm_buf_free(&text);
    free(profile);
}
