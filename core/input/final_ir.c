/* final_ir.c - a module that smd has emitted as IR, and that is posted again: it gives the same object.
 *
 * Such a module is optimised, its polls are placed and its calls are statepoints. A second turn through the stages
 * would place polls again, and would check as a frontend's what smd has written. So the text of emit=ir ends with
 * comments that say what the text itself does not: the options that code generation goes by, why smd placed which call,
 * and a digest of all before it. Of a text whose digest is right only code is generated. One that was changed is
 * compiled as any other, with a warning: then nothing of the comments is believed.
 *
 *     ; smd.final opt=2 reloc=pic …     the options
 *     ; smd.registers 0                  how many references statepoints may keep in registers
 *     ; smd.page SYMBOL                  what page polls load from
 *     ; smd.mark 7 smd-reason entry-poll  call 7 of the module, counted from 0, has this mark
 *     ; smd.digest HEX                   SHA-256 of the text before this line
 */
#include "deviations.h"
#include "digest.h"
#include "input.h"
#include "ir.h"
#include "marks.h"
#include "reading.h"
#include "target.h"

#define LINE_OPTIONS   "; smd.final"
#define LINE_REGISTERS "; smd.registers "
#define LINE_PAGE      "; smd.page "
#define LINE_MARK      "; smd.mark "
#define LINE_DIGEST    "; smd.digest "

/* Options that change code generation. What others do has been done to the module. */
static const char *const options[] = {"opt",   "cpu",    "features",      "reloc",           "code_model",
                                      "bases", "unwind", "frame_pointer", "stackmap_format", "null_checks",
                                      "split"};
enum { OPTIONS = sizeof options / sizeof *options };

/* Marks of calls that the stages leave, and that the printed module has not. */
static const char *const marks[] = {REASON_ATTRIBUTE, TRANSITION_ATTRIBUTE, WORDS_ATTRIBUTE};
enum { MARKS = sizeof marks / sizeof *marks };

/* Writes " NAME=VALUE" of the option number I. */
static void put_option(const struct compile *c, size_t i, sm_buf *out) {
    const sm_option_row *row = sm_option_find(options[i]);
    assert(row);
    sm_buf_printf(out, " %s=", options[i]);
    sm_option_value(c->options, row, out);
}

/* Writes the digest of LEN bytes in hexadecimal. */
static void put_digest(const void *bytes, size_t len, sm_buf *out) {
    unsigned char digest[SM_DIGEST_BYTES];
    xstatus(sm_digest(bytes, len, digest));
    for (size_t i = 0; i < sizeof digest; i++)
        sm_buf_printf(out, "%02x", digest[i]);
    xstatus(out->status);
}

/* ---- What is written ------------------------------------------------------------------------------------------ */

struct writing {
    sm_buf *out;
    size_t calls; /* that were passed */
    int broken;   /* boolean: a name has a line break in it, and cannot stand in a line */
};

/* Writes the marks of CALL. */
static void put_marks(struct writing *w, LLVMValueRef call) {
    for (size_t i = 0; i < MARKS; i++) {
        unsigned len;
        LLVMAttributeRef a = call_attribute(call, marks[i]);
        const char *value = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
        if (!value)
            continue;
        w->broken |= memchr(value, '\n', len) != NULL;
        sm_buf_printf(w->out, LINE_MARK "%zu %s %.*s\n", w->calls, marks[i], (int)len, value);
    }
    w->calls++;
}

/* Ends the text in OUT, of a module without marks, with what the marks of MARKED and the options say. */
void final_write(struct compile *c, LLVMModuleRef marked, sm_buf *out) {
    struct writing w = {.out = out};
    sm_buf digest;
    sm_buf_init(&digest, 2 * SM_DIGEST_BYTES + 1);
    sm_buf_puts(out, "\n" LINE_OPTIONS);
    for (size_t i = 0; i < OPTIONS; i++)
        put_option(c, i, out);
    sm_buf_printf(out, "\n" LINE_REGISTERS "%d\n", gc_registers_of(c));
    if (c->page)
        sm_buf_printf(out, LINE_PAGE "%s\n", value_name(c->page));
    w.broken = c->page && strchr(value_name(c->page), '\n');
    for (LLVMValueRef call = first_module_call(marked); call; call = next_module_call(call))
        put_marks(&w, call);
    put_digest(out->data, out->len, &digest);
    if (!w.broken)
        sm_buf_printf(out, LINE_DIGEST "%s\n", sm_buf_cstr(&digest));
    sm_buf_free(&digest);
}

/* ---- What is read --------------------------------------------------------------------------------------------- */

/* Where the last line of TEXT that begins with PREFIX begins; NULL if there is none. */
static const char *last_line(const char *text, size_t len, const char *prefix) {
    size_t n = strlen(prefix);
    for (const char *p = text + len; p > text;) {
        const char *begin = --p;
        while (begin > text && begin[-1] != '\n')
            begin--;
        if ((size_t)(text + len - begin) >= n && memcmp(begin, prefix, n) == 0)
            return begin;
        p = begin;
    }
    return NULL;
}

/* Sets C->final if the input is a text that smd has emitted and nobody has changed. Warns of one that was changed. */
sm_status final_find(struct compile *c) {
    const char *at = is_bitcode(c->input, c->input_len) ? NULL : last_line(c->input, c->input_len, LINE_DIGEST);
    sm_buf digest;
    if (!at)
        return SM_OK;
    const char *hex = at + sizeof LINE_DIGEST - 1;
    size_t left = (size_t)(c->input + c->input_len - hex);
    sm_buf_init(&digest, 2 * SM_DIGEST_BYTES + 1);
    put_digest(c->input, (size_t)(at - c->input), &digest);
    c->final = left >= digest.len && memcmp(hex, digest.data, digest.len) == 0;
    sm_buf_free(&digest);
    if (!c->final)
        diag_add(
            c, "warning", NULL,
            "smd has emitted this module, and it was changed since then: it is compiled as any other, which polls, "
            "optimises and checks it again. Without the comments at its end, from \"" LINE_OPTIONS
            "\" on, there is no such warning");
    return SM_OK;
}

/* The text after PREFIX on the input's last line that begins so, up to its end, in TEXT; 0 if there is none, or it is
 * too long. */
static int read_line(const struct compile *c, const char *prefix, char *text, size_t size) {
    const char *at = last_line(c->input, c->input_len, prefix);
    size_t len = 0, left;
    if (!at)
        return 0;
    at += strlen(prefix);
    left = (size_t)(c->input + c->input_len - at);
    while (len < left && at[len] != '\n')
        len++;
    if (len >= size)
        return 0;
    memcpy(text, at, len);
    text[len] = 0;
    return 1;
}

/* Warns if the request's options are not those that the module was emitted with. */
static void compare_options(struct compile *c) {
    char then[2048];
    sm_buf now;
    sm_buf_init(&now, sizeof then);
    for (size_t i = 0; i < OPTIONS; i++)
        put_option(c, i, &now);
    if (read_line(c, LINE_OPTIONS, then, sizeof then) && strcmp(then, sm_buf_cstr(&now)) != 0)
        advise(
            c,
            "smd has emitted this module for other options, and its object will not be the same. They were:%.1000s",
            then);
    xstatus(now.status);
    sm_buf_free(&now);
}

/* Reads one line " N MARK VALUE" and marks call N with it. 0 if there is no such call. */
static int read_mark(struct compile *c, const struct set *calls, const char *line, size_t len) {
    char *text = xstrndup(line, len), *end;
    unsigned long long number = strtoull(text, &end, 10);
    int ok = 0;
    for (size_t i = 0; number < calls->count && *end == ' ' && !ok && i < MARKS; i++) {
        size_t n = strlen(marks[i]);
        ok = strncmp(end + 1, marks[i], n) == 0 && end[1 + n] == ' ';
        if (ok)
            set_call_attribute(c->context, calls->item[number], marks[i], end + n + 2);
    }
    free(text);
    return ok;
}

/* Marks the module's calls as they were marked when it was emitted. */
static sm_status read_marks(struct compile *c) {
    const char *at = last_line(c->input, c->input_len, LINE_OPTIONS), *end = c->input + c->input_len;
    struct set calls = {0};
    int ok = 1;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        set_add_again(&calls, call);
    for (size_t len; ok && at && at < end; at += len + 1) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        len = newline ? (size_t)(newline - at) : (size_t)(end - at);
        if (len > sizeof LINE_MARK - 1 && memcmp(at, LINE_MARK, sizeof LINE_MARK - 1) == 0)
            ok = read_mark(c, &calls, at + sizeof LINE_MARK - 1, len - (sizeof LINE_MARK - 1));
    }
    set_free(&calls);
    return ok ? SM_OK : fail(c, SM_INVALID_MODULE, NULL, "A comment \"" LINE_MARK "\" names no call of the module");
}

/* Makes C what it was when the module was emitted. Requires the module as it was read, whose digest is right. */
sm_status stage_final(struct compile *c) {
    char text[1024];
    assert(c->final);
    compare_options(c);
    if (read_line(c, LINE_REGISTERS, text, sizeof text))
        c->no_registers = atoi(text) == 0;
    flags_set(c, 0, 0);
    deviate(c, DEVIATION_FINAL);
    if (!read_line(c, LINE_PAGE, text, sizeof text))
        return read_marks(c);
    c->page = LLVMGetNamedGlobal(c->module, text);
    return c->page ? read_marks(c) : fail(c, SM_INVALID_MODULE, NULL, "The page '%s' is not in the module", text);
}
