/* upgrader.c - the worker's side of smd-upgrade (core/upgrade): asks it. It is started by process/upgrade_server.c.
 *
 * Where there is no smd-upgrade beside smd-worker there is no socket, and typed input is SM_NO_UPGRADE.
 */
#include "base.h"
#include "frame.h"
#include "input.h"
#include "memory.h"
#include "reading.h"

#include <string.h>

#define BITCODE_MAX ((size_t)1 << 31)

static int server = UPGRADER_NONE; /* the worker's socket */
static int is_lost;                /* boolean: smd-upgrade does not answer any more */

void upgrader_use(int socket) {
    server = socket;
}

int upgrader_is_lost(void) {
    return is_lost;
}

/* Reads the head of smd-upgrade's answer; what is left in ANSWER is the bitcode. On failure adds its diagnostic;
 * SM_MALFORMED of no answer. */
static sm_status read_answer(struct compile *c, sm_cursor *answer) {
    size_t len;
    uint32_t status = sm_get_u32(answer);
    int line = (int)sm_get_u32(answer), column = (int)sm_get_u32(answer);
    const char *message = sm_get_str(answer, &len);
    if (answer->status != SM_OK || !sm_status_known(status))
        return SM_MALFORMED;
    if (status == SM_OK)
        return SM_OK;
    char text[2048];
    snprintf(text, sizeof text, "%.*s", (int)len, message);
    if (status == SM_PARSE_ERROR)
        parse_error_at(c, text, line, column);
    else
        diag_add(c, "error", NULL, text);
    return (sm_status)status;
}

/* Sends the module to smd-upgrade and receives its ANSWER. */
static sm_status ask_upgrader(struct compile *c, const char *ir, size_t len, sm_buf *answer) {
    sm_buf request;
    uint16_t type = 0;
    sm_buf_init(&request, 4096);
    sm_buf_put_str(&request, c->options->name, strlen(c->options->name));
    xstatus(request.status);
    sm_status s = sm_frame_write(server, SM_FRAME_UPGRADE, request.data, request.len, ir, len);
    if (s == SM_OK)
        s = xstatus(sm_frame_read(server, &type, answer));
    if (s == SM_OK && type != SM_FRAME_UPGRADED)
        s = SM_MALFORMED;
    sm_buf_free(&request);
    return s;
}

/* Makes *BITCODE of text with typed pointers, by smd-upgrade. */
sm_status upgrader_run(struct compile *c, const char *ir, size_t len, LLVMMemoryBufferRef *bitcode) {
    sm_buf answer;
    if (server == UPGRADER_NONE)
        return fail(c, SM_NO_UPGRADE, NULL,
                    "The module has typed pointers (i8*), as LLVM wrote them before release 15. This server was "
                    "built without smd-upgrade, which reads them: install the package smd-upgrade, or build with "
                    "-DSMD_UPGRADE=ON (LLVM 14), or write ptr instead");
    sm_buf_init(&answer, BITCODE_MAX);
    sm_status s = ask_upgrader(c, ir, len, &answer);
    if (s == SM_OK) {
        sm_cursor cursor = sm_cursor_of(answer.data, answer.len);
        s = read_answer(c, &cursor);
        if (s == SM_OK) {
            size_t left = sm_cursor_left(&cursor);
            *bitcode = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)sm_get_bytes(&cursor, left), left,
                                                                 c->options->name);
        }
        if (s != SM_MALFORMED) {
            sm_buf_free(&answer);
            return s;
        }
    }
    sm_buf_free(&answer);
    is_lost = 1;
    return fail(c, SM_COMPILER_CRASHED, NULL, "smd-upgrade, which reads typed pointers, does not answer");
}
