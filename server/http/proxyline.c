/* proxyline.c - see proxyline.h. */
#include "proxyline.h"

#include "proxies.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- Version 1: PROXY TCP4 192.0.2.1 198.51.100.1 4711 443 and the end of a line --------------------------------- */

static const char begin[] = "PROXY ";

/* Takes the text up to a blank out of *AT; with LAST up to the end. 0 if there is none. */
static int take_word(char **at, char **word, int last) {
    size_t len = strcspn(*at, " ");
    if (len == 0 || ((*at)[len] == 0) != last)
        return 0;
    *word = *at;
    *at += len + !last;
    (*word)[len] = 0;
    return 1;
}

/* Reads a port: digits, without zeros before them. 0 if it is none. */
static int read_port(const char *text, in_port_t *port) {
    unsigned n = 0;
    size_t len = strspn(text, "0123456789");
    if (len == 0 || len > 5 || text[len] || (len > 1 && text[0] == '0'))
        return 0;
    for (; *text; text++)
        n = n * 10 + (unsigned)(*text - '0');
    *port = (in_port_t)n;
    return n <= 65535;
}

/* Reads the line without its end. 0 if it is none. */
static int read_line(char *line, struct proxyline *out) {
    char *at = line + sizeof begin - 1, *family, *word[4];
    unsigned char address[2][sizeof(struct in6_addr)];
    in_port_t port[2];
    if (strncmp(at, "UNKNOWN", 7) == 0 && (at[7] == 0 || at[7] == ' '))
        return 1;
    if (!take_word(&at, &family, 0) || (strcmp(family, "TCP4") != 0 && strcmp(family, "TCP6") != 0))
        return 0;
    int is_v4 = family[3] == '4', af = is_v4 ? AF_INET : AF_INET6;
    for (int i = 0; i < 4; i++)
        if (!take_word(&at, &word[i], i == 3))
            return 0;
    for (int i = 0; i < 2; i++)
        if (inet_pton(af, word[i], address[i]) != 1 || !read_port(word[2 + i], &port[i]))
            return 0;
    out->has_client = 1;
    out->port = port[0];
    if (is_v4)
        out->client = address_of_v4((const struct in_addr *)(const void *)address[0]);
    else
        memcpy(&out->client, address[0], sizeof out->client);
    return 1;
}

static long read_version_1(const unsigned char *bytes, size_t len, struct proxyline *out) {
    char line[PROXYLINE_HEAD + 1];
    size_t most = len < PROXYLINE_HEAD ? len : PROXYLINE_HEAD;
    const unsigned char *end = memchr(bytes, '\n', most);
    if (!end)
        return len < PROXYLINE_HEAD ? 0 : -1;
    size_t n = (size_t)(end - bytes);
    if (n < sizeof begin || bytes[n - 1] != '\r' || memchr(bytes, 0, n))
        return -1;
    memcpy(line, bytes, n - 1);
    line[n - 1] = 0;
    return read_line(line, out) ? (long)n + 1 : -1;
}

/* ---- Version 2: a signature, version and command, family, the length of the rest, addresses ---------------------- */

static const unsigned char signature[12] = "\r\n\r\n\0\r\nQUIT\n";

enum { FIXED = 16, LOCAL = 0x20, PROXY = 0x21, UNSPECIFIED = 0x00, TCP4 = 0x11, TCP6 = 0x21, STREAM = 0x31 };

static long read_version_2(const unsigned char *b, size_t len, struct proxyline *out) {
    enum { ADDRESSES4 = 12, ADDRESSES6 = 36, ADDRESSES_UNIX = 216 };
    if (len < FIXED)
        return 0;
    size_t rest = (size_t)b[14] << 8 | b[15];
    const unsigned char *source = b + FIXED;
    if (b[12] == LOCAL)
        return (long)(FIXED + rest);
    if (b[12] != PROXY)
        return -1;
    if (b[13] == UNSPECIFIED || (b[13] == STREAM && rest >= ADDRESSES_UNIX))
        return (long)(FIXED + rest);
    size_t addresses = b[13] == TCP4 ? ADDRESSES4 : b[13] == TCP6 ? ADDRESSES6 : SIZE_MAX;
    if (rest < addresses)
        return -1;
    if (len < FIXED + addresses)
        return 0;
    const unsigned char *port = source + addresses - 4;
    out->has_client = 1;
    out->port = (in_port_t)(port[0] << 8 | port[1]);
    if (b[13] == TCP4) {
        struct in_addr v4;
        memcpy(&v4, source, sizeof v4);
        out->client = address_of_v4(&v4);
    } else {
        memcpy(&out->client, source, sizeof out->client);
    }
    return (long)(FIXED + rest);
}

/* 1 if the bytes are the text, or its begin. */
static int begins(const unsigned char *bytes, size_t len, const void *text, size_t size) {
    return len == 0 || memcmp(bytes, text, len < size ? len : size) == 0;
}

long proxyline_read(const unsigned char *bytes, size_t len, struct proxyline *out) {
    *out = (struct proxyline){.has_client = 0};
    if (begins(bytes, len, signature, sizeof signature))
        return len < sizeof signature ? 0 : read_version_2(bytes, len, out);
    if (begins(bytes, len, begin, sizeof begin - 1))
        return len < sizeof begin - 1 ? 0 : read_version_1(bytes, len, out);
    return -1;
}
