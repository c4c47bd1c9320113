/* server.c - see smc.h. */
#include "smc.h"

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

sm_client *server_client(int *status) {
    char token[1024];
    sm_error err;
    /* The compile's deadline is the server's to keep, as its answer names the stage; smc itself gives up a bit
     * later. */
    enum { DEFAULT_MS = 60000, LATER_MS = 2000 };
    *status = EXIT_USAGE;
    sm_client_options o = {.size = sizeof o,
                           .deadline_ms = (uint32_t)(common.deadline_ms ? common.deadline_ms : DEFAULT_MS) + LATER_MS,
                           .ca_file = common.ca_file,
                           .cert_file = common.cert_file,
                           .key_file = common.key_file,
                           .policy = server_policy()};
    if (common.token_file) {
        if (!read_token(common.token_file, token, sizeof token))
            return NULL;
        o.token = token;
    }
    if (common.server && setenv("SMD_SERVER", common.server, 1) != 0) { /* the library splits the list */
        complain("out of memory");
        return NULL;
    }
    sm_client *c = sm_client_new(&o, &err);
    if (!c)
        complain("%s", err.message);
    return c;
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
