/* variant.h - with which options a program is compiled. */
#ifndef RANDOM_VARIANT_H
#define RANDOM_VARIANT_H

#include <stdint.h>

enum { VARIANTS = 8, VARIANT_OPTIONS = 24 };

/* The options that the variants of a program have, one at each level for each target; the others are drawn. */
struct variant {
    int aarch64;                         /* boolean: for AArch64; for x86-64 otherwise */
    char text[512];                      /* "target=… opt=2 poll=…" */
    const char *option[VARIANT_OPTIONS]; /* the same one by one, NULL-terminated, in SPLIT */
    char split[512];
    char plain[512]; /* the options alone, as text */
    const char
        *as; /* "as=library", "as=profile": whose program it is to be (disguise.c); no option. "" of nobody's */
};

/* Number N (below VARIANTS) of the program of this seed. */
void variant_draw(uint64_t seed, int n, struct variant *v);

/* From text as above. 0 if there are too many. */
int variant_parse(const char *text, struct variant *v);

/* The value of an option; "" if it is not there. */
const char *variant_value(const struct variant *v, const char *name);

#endif
