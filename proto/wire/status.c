/* status.c - the status table's look-ups. */
#include "status.h"

#include <stddef.h>
#include <string.h>

static const struct row {
    unsigned code;
    int http;
    const char *name, *text;
} table[] = {
#define X(code, name, wire, http, text) {code, http, wire, text},
    SM_STATUS_MAP(X)
#undef X
};

static const struct row *find_row(unsigned code) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return &table[i];
    return NULL;
}

const char *sm_status_name(sm_status s) {
    const struct row *r = find_row((unsigned)s);
    return r ? r->name : "unknown";
}

const char *sm_status_text(sm_status s) {
    const struct row *r = find_row((unsigned)s);
    return r ? r->text : "Unknown status";
}

int sm_status_http(sm_status s) {
    const struct row *r = find_row((unsigned)s);
    return r ? r->http : 500;
}

int sm_status_known(unsigned code) {
    return find_row(code) != NULL;
}

int sm_status_from_name(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return (int)table[i].code;
    return -1;
}
