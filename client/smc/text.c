/* text.c - text that a server, an object or a folder gave, on its way to a terminal. Whoever wrote it must not steer the
 * terminal: control characters, those that turn the direction of writing, and what is no UTF-8 are shown as "?". */
#include "smc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer text is cut. Names of C++ templates fit. */
enum { TEXT_MAX = 4000 };

/* 1 if the character steers what shows it: C0, DEL, C1, and Unicode's directional formatting. */
static int steers(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* The length of the character of UTF-8 (RFC 3629) that begins at AT, of LEFT bytes; 0 if it is none, or one that is not
 * to be shown. */
static size_t harmless(const unsigned char *at, size_t left) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = at[0] < 0x80 ? 1 : at[0] < 0xc0 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf8 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    uint32_t c = n == 1 ? at[0] : at[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (at[i] & 0x3f);
    }
    return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || steers(c) ? 0 : n;
}

/* Prints bytes; control characters of KEPT stay. */
static void put(FILE *to, const char *bytes, size_t len, const char *kept) {
    for (size_t i = 0, n; i < len; i += n ? n : 1) {
        n = bytes[i] && strchr(kept, bytes[i]) ? 1 : harmless((const unsigned char *)bytes + i, len - i);
        if (n)
            fwrite(bytes + i, 1, n, to);
        else
            fputc('?', to);
    }
}

void put_text(FILE *to, const char *text) {
    size_t len = strnlen(text, TEXT_MAX + 1);
    int is_cut = len > TEXT_MAX;
    if (is_cut)
        len = TEXT_MAX;
    while (is_cut && len > TEXT_MAX - 4 && ((unsigned char)text[len] & 0xc0) == 0x80)
        len--; /* between two characters */
    put(to, text, len, "\t");
    if (is_cut)
        fputs("...", to);
}

void put_lines(FILE *to, const void *bytes, size_t len) {
    put(to, bytes, len, "\t\n");
}

void clean_text(char *text) {
    for (size_t n, left = strlen(text); left; text += n, left -= n) {
        n = harmless((unsigned char *)text, left);
        if (n == 0) {
            *text = '?';
            n = 1;
        }
    }
}

int put_json(FILE *to, const json_t *json, size_t flags) {
    int is_raw = !isatty(fileno(to));
    char *text = is_raw ? NULL : json_dumps(json, flags);
    int ok = is_raw ? json_dumpf(json, to, flags) == 0 : text != NULL;
    if (text)
        put_lines(to, text, strlen(text));
    if (!ok)
        complain("JSON cannot be written: %s", strerror(errno));
    free(text);
    return ok;
}
