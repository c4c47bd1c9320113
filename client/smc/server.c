/* server.c - see smc.h. */
#include "clock.h"
#include "smc.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Reads the first line of a file as token; 0, after a message, if there is none. */
static int read_token(const char *path, char *token, size_t size) {
    size_t len;
    char *text = file_read(path, &len);
    if (!text)
        return 0;
    text[strcspn(text, "\r\n")] = 0;
    int ok = text[0] && strlen(text) < size;
    if (ok)
        strcpy(token, text);
    else
        complain("%s: the first line is no token", path);
    free(text);
    return ok;
}

const char *const *server_split(const char *list) {
    enum { MOST = 16 };
    static char copy[4096];
    static const char *files[MOST + 1];
    char *state = NULL;
    int n = 0;
    if ((size_t)snprintf(copy, sizeof copy, "%s", list) >= sizeof copy) {
        complain("the list of trusted keys is longer than %zu bytes", sizeof copy - 1);
        return NULL;
    }
    for (char *f = strtok_r(copy, ",", &state); f; f = strtok_r(NULL, ",", &state)) {
        if (n == MOST) {
            complain("there are more than %d trusted keys", MOST);
            return NULL;
        }
        files[n++] = f;
    }
    files[n] = NULL;
    return files;
}

/* A client of these options, and with what the flags say of certificates and the token. NULL and why; without a message
 * the token's file was wrong, which is reported. */
static sm_client *new_client(sm_client_options *o, sm_error *err) {
    char token[8200]; /* a JWT may be long */
    *err = (sm_error){.result = SM_ERR_INVALID_ARGUMENT};
    o->ca_file = common.ca_file;
    o->cert_file = common.cert_file;
    o->key_file = common.key_file;
    if (common.token_file) {
        if (!read_token(common.token_file, token, sizeof token))
            return NULL;
        o->token = token;
    }
    return sm_client_new(o, err);
}

sm_client *server_client_of(const char *url, unsigned deadline_ms, sm_error *err) {
    const char *const list[] = {url, NULL};
    sm_client_options o = {.size = sizeof o, .servers = list, .deadline_ms = deadline_ms};
    return new_client(&o, err);
}

sm_client *server_client(int *status) {
    sm_error err;
    /* The compile's deadline is the server's to keep, as its answer names the stage; smc itself gives up a bit
     * later. */
    enum { LATER_MS = 2000 };
    *status = EXIT_USAGE;
    sm_client_options o = {
        .size = sizeof o, .deadline_ms = (uint32_t)server_deadline_ms() + LATER_MS, .policy = server_policy()};
    if (common.trusted_keys && !(o.trusted_keys = server_split(common.trusted_keys)))
        return NULL;
    if (common.server && setenv("SMD_SERVER", common.server, 1) != 0) { /* the library splits the list */
        complain("out of memory");
        return NULL;
    }
    sm_client *c = new_client(&o, &err);
    if (!c && err.message[0])
        complain("%s", err.message);
    return c;
}

int server_deadline_ms(void) {
    enum { DEFAULT_MS = 60000 };
    return common.deadline_ms ? common.deadline_ms : DEFAULT_MS;
}

int server_wait(sm_client *client) {
    struct pollfd p = {.fd = sm_client_fd(client), .events = POLLIN};
    return poll(&p, 1, progress_ms()) > 0;
}

sm_result server_compile(sm_client *client, const sm_request *request, const char *file, sm_answer **answer,
                         sm_error *err) {
    sm_completion c = {.answer = NULL};
    uint64_t since_us = sm_clock_us();
    *answer = NULL;
    stage_watch(request);
    sm_result result = sm_submit(client, request, NULL, NULL, NULL, err);
    if (result != SM_SUCCESS)
        return result;
    do { /* of several levels the last is the answer */
        sm_answer_free(c.answer);
        while (!sm_client_next(client, &c))
            if (!server_wait(client))
                progress_wait(file, since_us);
    } while (c.answer && sm_answer_more(c.answer));
    progress_end();
    stage_end();
    *answer = c.answer;
    *err = c.error;
    return c.result;
}

/* The client's policy that --cache-only and --retry stand for. */
sm_policy server_policy(void) {
    return common.cache_only ? SM_CACHE_ONLY : common.retry ? SM_REQUIRE_REMOTE : SM_PREFER_REMOTE;
}

int server_status(sm_result r) {
    switch (r) {
    case SM_SUCCESS:
        return EXIT_FINE;
    case SM_ERR_INVALID_INPUT:
        return EXIT_INPUT;
    case SM_ERR_INVALID_ARGUMENT:
        return EXIT_USAGE;
    case SM_ERR_COMPILER_CRASHED:
    case SM_ERR_COMPILE_LIMIT:
        return EXIT_COMPILER;
    case SM_ERR_NO_MEMORY:
    case SM_ERR_SYSTEM:
        return EXIT_MACHINE;
    default:
        return EXIT_SERVER;
    }
}

void worst(int *status, int another) {
    *status = another > *status ? another : *status;
}
