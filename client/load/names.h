/* names.h - the symbols of all objects of a loader, by name. */
#ifndef NAMES_H
#define NAMES_H

#include "smclient.h"

/* A symbol that other objects can refer to. */
struct export {
    const char *name; /* in the object's strings */
    uintptr_t address;
    size_t bytes;
    uint32_t hash;
    int is_code;               /* boolean */
    struct tls_module *module; /* of a thread-local variable, whose ADDRESS is an offset; NULL */
    sm_object *object;
    struct export *next, **at; /* of the same bucket, younger ones first; AT is what points here */
};

/* Begins as zeros. */
struct names {
    struct export **bucket;
    size_t buckets, count; /* a power of two, or 0 */
};

uint32_t name_hash(const char *name);
struct export *names_find(const struct names *n, const char *name);
int names_reserve(struct names *n, size_t more);                        /* 0 if out of memory */
void names_add(struct names *n, struct export *export, size_t exports); /* requires room */
void names_remove(struct names *n, const struct export *export, size_t exports);

#endif
