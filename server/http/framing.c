/* framing.c - see framing.h. */
#include "framing.h"

#include "hex.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct text {
    unsigned char *at;
    size_t len;
};

/* ---- Letters ------------------------------------------------------------------------------------------------ */

/* What a character may be in. */
enum group {
    DIGIT = 1,
    HEX = 2,
    ADDRESS = 4, /* an IPv6 address */
    HOST = 8,    /* a host's name */
    TOKEN = 16,  /* RFC 9110, 5.6.2 */
    TARGET = 32, /* a request's target: visible ASCII */
    VALUE = 64,  /* a field's value; bytes from 0x80 on are allowed, without a meaning */
    LETTER = 128
};

/* The groups of each character. */
static const unsigned char groups[256] = {
#define MARK  (TARGET | VALUE)
#define ALNUM (MARK | TOKEN | HOST)
    ['\t'] = VALUE,
    [' '] = VALUE,
    ['0' ... '9'] = ALNUM | DIGIT | HEX | ADDRESS,
    ['A' ... 'F'] = ALNUM | LETTER | HEX | ADDRESS,
    ['G' ... 'Z'] = ALNUM | LETTER,
    ['a' ... 'f'] = ALNUM | LETTER | HEX | ADDRESS,
    ['g' ... 'z'] = ALNUM | LETTER,
    ['!'] = MARK | TOKEN | HOST,
    ['"'] = MARK,
    ['#'] = VALUE | TOKEN,
    ['$' ... '\''] = MARK | TOKEN | HOST,
    ['('] = MARK | HOST,
    [')'] = MARK | HOST,
    ['*'] = MARK | TOKEN | HOST,
    ['+'] = MARK | TOKEN | HOST,
    [','] = MARK | HOST,
    ['-'] = MARK | TOKEN | HOST,
    ['.'] = MARK | TOKEN | HOST | ADDRESS,
    ['/'] = MARK,
    [':'] = MARK | ADDRESS,
    [';'] = MARK | HOST,
    ['<'] = MARK,
    ['='] = MARK | HOST,
    ['>' ... '@'] = MARK,
    ['[' ... ']'] = MARK,
    ['^'] = MARK | TOKEN,
    ['_'] = MARK | TOKEN | HOST,
    ['`'] = MARK | TOKEN,
    ['{'] = MARK,
    ['|'] = MARK | TOKEN,
    ['}'] = MARK,
    ['~'] = MARK | TOKEN | HOST,
    [0x80 ... 0xff] = VALUE,
#undef ALNUM
#undef MARK
};

static int is(enum group group, unsigned char c) {
    return (groups[c] & group) != 0;
}

/* 1 if all bytes of T are of GROUP: what they have in common, without a branch for each. */
static int all(struct text t, enum group group) {
    unsigned common = group;
    for (size_t i = 0; i < t.len; i++)
        common &= groups[t.at[i]];
    return common != 0;
}

/* 1 if T is WORD, in whatever case. */
static int equals(struct text t, const char *word) {
    return t.len == strlen(word) && strncasecmp((const char *)t.at, word, t.len) == 0;
}

/* T without spaces and tabs at both ends. */
static struct text trimmed(struct text t) {
    while (t.len && (t.at[0] == ' ' || t.at[0] == '\t')) {
        t.at++;
        t.len--;
    }
    while (t.len && (t.at[t.len - 1] == ' ' || t.at[t.len - 1] == '\t'))
        t.len--;
    return t;
}

/* Gives what is before the first C in T, and moves T after that C; gives all of T if there is no C. */
static struct text cut(struct text *t, int c) {
    unsigned char *at = t->len ? memchr(t->at, c, t->len) : NULL;
    struct text before = {t->at, at ? (size_t)(at - t->at) : t->len};
    t->at += before.len + (at != NULL);
    t->len -= before.len + (at != NULL);
    return before;
}

/* ---- The head ----------------------------------------------------------------------------------------------- */

struct head {
    int minor; /* of HTTP/1.minor */
    int hosts, lengths, codings;
    size_t fields;
    uint64_t length;
    int is_huge; /* boolean: the length is more than a number holds */
};

/* Checks the request line, and counts its parameters as fields. Why it is wrong; NULL if it is right. */
static const char *read_request_line(struct text line, struct head *h) {
    struct text method = cut(&line, ' '), target = cut(&line, ' ');
    if (!method.len || !all(method, TOKEN) || !is(LETTER, method.at[0]))
        return "The request line does not begin with a method";
    if (!target.len || !all(target, TARGET))
        return "The request's target has characters that have to be percent-encoded, or none";
    if (line.len != 8 || memcmp(line.at, "HTTP/1.", 7) != 0 || (line.at[7] != '0' && line.at[7] != '1'))
        return "The request line does not end with HTTP/1.1 or HTTP/1.0";
    h->minor = line.at[7] - '0';
    struct text path = cut(&target, '?');
    (void)path;
    while (target.len) {
        cut(&target, '&');
        h->fields++;
    }
    return NULL;
}

/* Reads a Content-Length into H. Why it is wrong; NULL if it is right. */
static const char *read_length(struct text value, struct head *h) {
    enum { DIGITS = 18 };
    if (h->lengths++)
        return "There is more than one Content-Length";
    if (!value.len || !all(value, DIGIT))
        return "The Content-Length is no number";
    while (value.len > 1 && value.at[0] == '0') {
        value.at++;
        value.len--;
    }
    h->is_huge = value.len > DIGITS;
    for (size_t i = 0; i < value.len && !h->is_huge; i++)
        h->length = h->length * 10 + (uint64_t)(value.at[i] - '0');
    return NULL;
}

/* Checks a Host: a name or IPv4 address, or an IPv6 address in brackets, and perhaps a port (RFC 3986, 3.2.2). Empty
 * means that the target has no host. Why it is wrong; NULL if it is right. */
static const char *read_host(struct text value) {
    struct text rest = value, host;
    if (value.len && value.at[0] == '[') {
        host = cut(&rest, ']');
        if (host.len == value.len || host.len < 3 || !all((struct text){host.at + 1, host.len - 1}, ADDRESS) ||
            (rest.len && *rest.at != ':'))
            return "The Host is no host";
        cut(&rest, ':');
    } else {
        host = cut(&rest, ':');
        if (!all(host, HOST))
            return "The Host is no host";
        for (size_t i = 0; i < host.len; i++)
            if (host.at[i] == '%' && (host.len - i < 3 || !is(HEX, host.at[i + 1]) || !is(HEX, host.at[i + 2])))
                return "The Host is no host";
    }
    long port = 0;
    for (size_t i = 0; i < rest.len && port <= UINT16_MAX; i++)
        port = is(DIGIT, rest.at[i]) ? port * 10 + rest.at[i] - '0' : UINT16_MAX + 1L;
    return port <= UINT16_MAX ? NULL : "The Host's port is none";
}

/* Splits LINE, without its CRLF, into name and value. Why it is wrong; NULL if it is right. */
static const char *split_field(struct text line, struct text *name, struct text *value) {
    struct text rest = line;
    *name = cut(&rest, ':');
    *value = trimmed(rest);
    if (name->len == line.len)
        return "A line of the header has no colon";
    if (!name->len || !all(*name, TOKEN))
        return "The name of a header field is no token: no space may stand before or in it";
    return all(*value, VALUE) ? NULL : "The value of a header field has a control character";
}

/* Checks a header field, and notes in H what the framing depends on. Why it is wrong; NULL if it is right. */
static const char *read_field(struct text line, struct head *h) {
    struct text name, value;
    const char *why = split_field(line, &name, &value);
    if (why)
        return why;
    if (equals(name, "Host"))
        return h->hosts++ ? "There is more than one Host" : read_host(value);
    if (equals(name, "Cookie")) { /* libmicrohttpd copies them and takes them apart: each costs what a field does */
        h->fields += value.len / 64;
        for (struct text cookies = value; cookies.len; h->fields++)
            cut(&cookies, ';');
    }
    if (equals(name, "Content-Length"))
        return read_length(value, h);
    if (equals(name, "Transfer-Encoding"))
        return h->codings++                ? "There is more than one Transfer-Encoding"
               : !equals(value, "chunked") ? "The Transfer-Encoding is not 'chunked'"
                                           : NULL;
    return NULL;
}

/* Takes the first line off T, without its CRLF. Why it is wrong; NULL if it is right. */
static const char *next_line(struct text *t, struct text *line) {
    *line = cut(t, '\n');
    if (!line->len || line->at[line->len - 1] != '\r')
        return "A line of the header does not end with CRLF";
    line->len--;
    return memchr(line->at, '\r', line->len) ? "A line of the header has a CR in it" : NULL;
}

/* Reads a whole head into H. Why it is wrong; NULL if it is right. */
static const char *read_head(struct text t, struct head *h) {
    struct text line;
    const char *why = next_line(&t, &line);
    if (!why)
        why = read_request_line(line, h);
    while (!why && !(why = next_line(&t, &line)) && line.len) {
        h->fields++;
        why = read_field(line, h);
    }
    if (why)
        return why;
    if (h->minor && !h->hosts)
        return "There is no Host";
    if (h->codings && h->lengths)
        return "Content-Length and Transfer-Encoding exclude each other";
    if (h->codings && !h->minor)
        return "HTTP/1.0 has no Transfer-Encoding";
    return NULL;
}

/* Moves the spaces after each value to its front, as libmicrohttpd takes them for a part of it. Without a body,
 * blanks the field Expect: libmicrohttpd would read the next request as the body. */
static void make_plain(struct text t, int has_body) {
    struct text line, name;
    cut(&t, '\n');
    while (!next_line(&t, &line) && line.len) {
        name = cut(&line, ':');
        struct text value = trimmed(line);
        size_t after = (size_t)(line.at + line.len - (value.at + value.len));
        if (!value.len)
            continue;
        memmove(value.at + after, value.at, value.len);
        memset(value.at, ' ', after);
        if (!has_body && equals(name, "Expect"))
            memset(line.at, ' ', line.len);
    }
}

/* ---- Refusing ----------------------------------------------------------------------------------------------- */

/* Sets the text that goes out before anything else. */
static void put_extra(struct framing *f, const char *text) {
    f->extra_len = strlen(text);
    f->extra_at = 0;
    assert(f->extra_len < sizeof f->extra);
    memcpy(f->extra, text, f->extra_len);
}

/* Refuses the connection's bytes from here on; ENDING completes for libmicrohttpd what it has begun to read. */
static void refuse_bytes(struct framing *f, sm_status s, const char *detail, const char *ending) {
    f->status = s;
    f->detail = detail;
    f->state = FRAMING_REFUSED;
    put_extra(f, ending);
}

/* Refuses the request whose head is being read; a minimal request takes its place. */
static void refuse_head(struct framing *f, sm_status s, const char *detail) {
    f->requests++;
    refuse_bytes(f, s, detail, "- - HTTP/1.1\r\nHost: -\r\nConnection: close\r\n\r\n");
}

/* Refuses a chunked body, which is ended as libmicrohttpd expects. */
static void refuse_chunk(struct framing *f, const char *detail) {
    refuse_bytes(f, SM_BAD_REQUEST, detail, f->state == FRAMING_DATA_END ? "\r\n0\r\n\r\n" : "0\r\n\r\n");
}

void framing_end(struct framing *f, size_t in_len) {
    if (f->state == FRAMING_HEAD && in_len)
        refuse_head(f, SM_BAD_REQUEST, "The request ends before its header does");
    else if (f->state == FRAMING_CHUNK || f->state == FRAMING_DATA_END || f->state == FRAMING_TRAILER)
        refuse_chunk(f, "The chunked body ends too early");
}

/* ---- The states that wait for something: each gives how many bytes it has used ------------------------------- */

/* Checks the head in IN, LEN bytes long, and passes it on or refuses it. */
static void accept_head(struct framing *f, unsigned char *in, size_t len) {
    struct head h = {0};
    const char *why = read_head((struct text){in, len}, &h);
    if (why) {
        refuse_head(f, SM_BAD_REQUEST, why);
    } else if (h.fields > FRAMING_FIELDS_MAX) {
        refuse_head(f, SM_HEADER_TOO_LARGE, "There are more than 128 header fields and query parameters");
    } else if (h.is_huge) {
        refuse_head(f, SM_BODY_TOO_LARGE, "The Content-Length is larger than any body may be");
    } else {
        make_plain((struct text){in, len}, h.codings || h.length);
        f->requests++;
        f->empty_lines = 0;
        f->state = FRAMING_HEAD_OUT;
        f->left = len;
        f->length = h.length;
        f->extensions = f->chunked = 0;
        f->body = h.codings ? FRAMING_CHUNK : h.length ? FRAMING_BODY : FRAMING_HEAD;
    }
}

/* The length of the head in IN: to its first empty line, whatever its lines end with; 0 if that has not come yet. */
static size_t find_end(struct framing *f, const unsigned char *in, size_t len) {
    size_t at = f->scanned > 2 ? f->scanned - 2 : 0;
    const unsigned char *lf;
    while (at < len && (lf = memchr(in + at, '\n', len - at))) {
        at = (size_t)(lf - in) + 1;
        if (at < len && in[at] == '\n')
            return at + 1;
        if (at + 1 < len && in[at] == '\r' && in[at + 1] == '\n')
            return at + 2;
    }
    f->scanned = len;
    return 0;
}

/* FRAMING_HEAD: skips empty lines, refuses what is no HTTP, and accepts or refuses a whole head. */
static size_t await_head(struct framing *f, unsigned char *in, size_t len) {
    enum { TLS_HANDSHAKE = 22 };
    if (len >= 2 && in[0] == '\r' && in[1] == '\n') { /* RFC 9112, 2.2: an empty line may stand before a request */
        f->scanned = 0;
        if (++f->empty_lines > FRAMING_EMPTY_LINES)
            refuse_head(f, SM_BAD_REQUEST, "Too many empty lines stand before the request");
        return 2;
    }
    if (len && in[0] != '\r' && !is(LETTER, in[0])) {
        refuse_head(f, SM_BAD_REQUEST,
                    in[0] == TLS_HANDSHAKE ? "This port speaks HTTP without TLS: ask it by http://"
                                           : "This is no HTTP");
        return len;
    }
    size_t head = find_end(f, in, len);
    if (head > FRAMING_HEAD_MAX || (!head && len >= FRAMING_HEAD_MAX))
        refuse_head(f, SM_HEADER_TOO_LARGE, "The request's header is larger than 16384 bytes");
    else if (head)
        accept_head(f, in, head);
    if (f->state != FRAMING_HEAD)
        f->scanned = 0;
    return 0;
}

/* The length of the line at IN with its CRLF; 0 if it is not whole yet, or refused. */
static size_t await_line(struct framing *f, unsigned char *in, size_t len, size_t max) {
    const unsigned char *lf = memchr(in, '\n', len < max ? len : max);
    size_t n = lf ? (size_t)(lf - in) + 1 : 0;
    if (!lf && len >= max)
        refuse_chunk(f, "A line between chunks is too long");
    else if (lf && (n < 2 || in[n - 2] != '\r'))
        refuse_chunk(f, "A line between chunks does not end with CRLF");
    else if (lf && !all((struct text){in, n - 2}, VALUE))
        refuse_chunk(f, "A line between chunks has a control character");
    return f->state == FRAMING_REFUSED ? 0 : n;
}

/* FRAMING_CHUNK: reads a chunk's size, and passes it on without extensions, as RFC 9112 asks of a reader that does
 * not know them. */
static size_t await_chunk(struct framing *f, unsigned char *in, size_t len) {
    enum { DIGITS = 15 };
    size_t n = await_line(f, in, len, FRAMING_CHUNK_LINE), digits = 0;
    char line[32];
    if (!n)
        return 0;
    f->left = 0;
    for (; sm_hex_digit((char)in[digits]) >= 0 && digits <= DIGITS; digits++)
        f->left = f->left << 4 | (uint64_t)sm_hex_digit((char)in[digits]);
    struct text rest = trimmed((struct text){in + digits, n - 2 - digits});
    if (!digits || digits > DIGITS || (rest.len && rest.at[0] != ';')) {
        refuse_chunk(f, "The size of a chunk is no hexadecimal number");
        return 0;
    }
    f->extensions += rest.len;
    f->chunked += f->left;
    if (f->extensions > FRAMING_EXTENSIONS && f->extensions - FRAMING_EXTENSIONS > f->chunked) {
        refuse_chunk(f, "The extensions of the chunks are longer than their data");
        return 0;
    }
    f->state = f->left ? FRAMING_DATA : FRAMING_TRAILER;
    f->trailer = 0;
    snprintf(line, sizeof line, "%llx\r\n", (unsigned long long)f->left);
    if (f->left)
        put_extra(f, line);
    return n;
}

/* FRAMING_DATA_END: takes the CRLF after a chunk's data. */
static size_t await_data_end(struct framing *f, unsigned char *in, size_t len) {
    if (in[0] != '\r' || (len > 1 && in[1] != '\n')) {
        refuse_chunk(f, "A chunk does not end where its size says");
        return 0;
    }
    if (len < 2)
        return 0;
    put_extra(f, "\r\n");
    f->state = FRAMING_CHUNK;
    return 2;
}

/* FRAMING_TRAILER: drops trailer fields; the empty line ends the body. */
static size_t await_trailer(struct framing *f, unsigned char *in, size_t len) {
    size_t n = await_line(f, in, len, FRAMING_HEAD_MAX - f->trailer);
    struct text name, value;
    const char *why = n > 2 ? split_field((struct text){in, n - 2}, &name, &value) : NULL;
    f->trailer += n;
    if (why) {
        refuse_chunk(f, why);
        return 0;
    }
    if (n == 2) {
        put_extra(f, "0\r\n\r\n");
        f->state = FRAMING_HEAD;
    }
    return n;
}

/* Takes the step of the current state; gives how many bytes of IN it has used. */
static size_t take_step(struct framing *f, unsigned char *in, size_t len) {
    switch (f->state) {
    case FRAMING_HEAD:
        return await_head(f, in, len);
    case FRAMING_CHUNK:
        return await_chunk(f, in, len);
    case FRAMING_DATA_END:
        return await_data_end(f, in, len);
    case FRAMING_TRAILER:
        return await_trailer(f, in, len);
    default:
        return len; /* FRAMING_REFUSED: nobody reads it */
    }
}

/* ---- Moving ------------------------------------------------------------------------------------------------- */

/* 1 in states in which bytes are passed on as they are. */
static int is_copying(const struct framing *f) {
    return f->state == FRAMING_HEAD_OUT || f->state == FRAMING_BODY || f->state == FRAMING_DATA;
}

/* Copies what fits of IN to OUT; gives how many bytes that is. */
static size_t copy_what_fits(unsigned char *out, size_t out_len, const void *in, size_t in_len) {
    size_t n = in_len < out_len ? in_len : out_len;
    memcpy(out, in, n);
    return n;
}

/* Goes to the next state after a head, a body or a chunk's data has been passed on whole. */
static void piece_is_out(struct framing *f) {
    if (f->state == FRAMING_DATA) {
        f->state = FRAMING_DATA_END;
    } else {
        f->state = f->state == FRAMING_HEAD_OUT ? f->body : FRAMING_HEAD;
        f->left = f->length;
    }
}

size_t framing_straight(const struct framing *f) {
    int is_body = f->state == FRAMING_BODY && f->extra_at == f->extra_len;
    return !is_body ? 0 : f->left < SIZE_MAX ? (size_t)f->left : SIZE_MAX;
}

void framing_passed(struct framing *f, size_t n) {
    f->left -= n;
    if (n && !f->left)
        piece_is_out(f);
}

size_t framing_move(struct framing *f, unsigned char *in, size_t in_len, size_t *used, unsigned char *out,
                    size_t out_len) {
    size_t at = 0, made = 0;
    for (;;) {
        size_t n = copy_what_fits(out + made, out_len - made, f->extra + f->extra_at, f->extra_len - f->extra_at);
        made += n;
        f->extra_at += n;
        if (made == out_len || (at == in_len && !(is_copying(f) && !f->left)))
            break;
        if (is_copying(f)) {
            n = copy_what_fits(out + made, out_len - made, in + at,
                               f->left < in_len - at ? (size_t)f->left : in_len - at);
            made += n;
            at += n;
            f->left -= n;
            if (!f->left)
                piece_is_out(f);
            continue;
        }
        enum framing_state before = f->state;
        n = take_step(f, in + at, in_len - at);
        at += n;
        if (!n && f->state == before)
            break; /* it waits for more */
    }
    *used = at;
    return made;
}
