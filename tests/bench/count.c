/* count.c - see count.h. Debian's static qemu has no plugins, so that its log is read: `-d in_asm` has the
 * instructions of each block that is translated, `-d exec,nochain` a line for each time that a block runs. */
#include "count.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 1 << 20 };

struct block {
    uint64_t address, times, instructions; /* address 0: none */
};

struct blocks {
    struct block block[TABLE]; /* by a hash of the address */
    size_t used;
};

static struct block *find(struct blocks *b, uint64_t address) {
    size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 44);
    while (b->block[i].address && b->block[i].address != address)
        i = (i + 1) % TABLE;
    if (!b->block[i].address) {
        check(++b->used < TABLE / 2, "too many blocks");
        b->block[i].address = address;
    }
    return &b->block[i];
}

/* Reads the log. A block is an "IN:" line and a line for each instruction, which begins with its address. */
static void read_log(struct blocks *b, FILE *log) {
    char line[512];
    struct block *translated = NULL;
    int is_in = 0; /* boolean: instructions follow */
    while (fgets(line, sizeof line, log)) {
        if (strncmp(line, "Trace ", 6) == 0) {
            const char *slash = strchr(line, '/');
            find(b, strtoull(slash ? slash + 1 : "0", NULL, 16))->times++;
        } else if (strncmp(line, "IN:", 3) == 0) {
            is_in = 1;
            translated = NULL;
        } else if (is_in && strncmp(line, "0x", 2) == 0) {
            if (!translated) {
                translated = find(b, strtoull(line, NULL, 16));
                translated->instructions = 0;
            }
            translated->instructions++;
        } else if (line[0] == '\n') {
            is_in = 0;
        }
    }
}

struct blocks *blocks_of(const char *qemu, const char *command, const char *output) {
    struct blocks *b = calloc(1, sizeof *b);
    char line[8192];
    check(snprintf(line, sizeof line, "%s -d in_asm,exec,nochain -D /dev/fd/3 %s 3>&1 >%s", qemu, command, output) <
              (int)sizeof line,
          "the command is too long");
    FILE *log = popen(line, "re");
    check(b && log, "no shell can be started");
    read_log(b, log);
    check(pclose(log) == 0, "%s failed", command);
    return b;
}

uint64_t blocks_within(const struct blocks *b, uint64_t from, uint64_t bytes) {
    uint64_t sum = 0;
    for (size_t i = 0; i < TABLE; i++)
        if (b->block[i].address - from < bytes)
            sum += b->block[i].times * b->block[i].instructions;
    return sum;
}

void blocks_free(struct blocks *b) {
    free(b);
}
