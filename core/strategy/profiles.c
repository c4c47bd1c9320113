/* profiles.c - functions whose strategy is a profile (proto/options/profile.h) get the builtin one that it rests on,
 * and what else it says: of safepoints and intervals as the function's own attributes, of all else as the compile's
 * options.
 *
 * What the request says otherwise than by default, and what a function says itself, goes before a profile. Two
 * profiles of one module may differ in their safepoints only, as a module has one poll, one barrier and one table. */
#include "profiles.h"
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "profile.h"

struct used {
    struct compile *c;
    sm_profile first[8]; /* of the profiles that the module names, each once */
    size_t count;
};

/* The attribute by which a function says the option for itself; NULL if it is for modules only. */
static const char *profile_attribute_of(const char *option) {
    static const struct {
        const char *option, *attribute;
    } own[] = {{"safepoints", POLLS_ATTRIBUTE}, {"poll_interval", INTERVAL_ATTRIBUTE}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].option, option) == 0)
            return own[i].attribute;
    return NULL;
}

int option_is_default(const sm_options *o, const char *option) {
    const sm_option_row *row = sm_option_find(option);
    sm_buf value;
    if (!row)
        return 0;
    sm_buf_init(&value, 4 * SM_OPT_TEXT_MAX);
    sm_option_value(o, row, &value);
    int same = strcmp(sm_buf_cstr(&value), row->dflt) == 0;
    xstatus(value.status);
    sm_buf_free(&value);
    return same;
}

/* Gives F the profile's builtin strategy, and by attributes the options that functions can have for themselves,
 * unless F or the request says them. */
static void give_function(struct compile *c, LLVMValueRef f, const sm_profile *p) {
    const char *at = NULL, *value;
    char name[64];
    size_t len;
    LLVMSetGC(f, p->base);
    if (LLVMIsDeclaration(f))
        return;
    while (sm_profile_option(p, &at, name, &value, &len)) {
        const char *attribute = profile_attribute_of(name);
        if (!attribute || !option_is_default(c->given, name) || text_attribute(f, attribute))
            continue;
        LLVMAddAttributeAtIndex(
            f, LLVMAttributeFunctionIndex,
            LLVMCreateStringAttribute(c->context, attribute, (unsigned)strlen(attribute), value, (unsigned)len));
    }
    remark(c, "profiles", f, "the strategy '%s' is a profile on %s", p->name, p->base);
}

/* The value, of *LEN bytes, of an option in P's text; NULL if P does not say it. */
static const char *value_of(const sm_profile *p, const char *option, size_t *len) {
    const char *at = NULL, *value;
    char name[64];
    while (sm_profile_option(p, &at, name, &value, len))
        if (strcmp(name, option) == 0)
            return value;
    return NULL;
}

/* Adds a profile's list of leaves to the option "leaf": lists add up, as each is true of its names.
 * SM_INVALID_PROFILE if they get too long. */
static sm_status add_leaves(struct compile *c, const char *value, size_t len) {
    char all[2 * SM_OPT_TEXT_MAX];
    sm_option_error err;
    int n = snprintf(all, sizeof all, "%s%s%.*s", c->resolved.leaf, c->resolved.leaf[0] && len ? "," : "", (int)len,
                     value);
    sm_status s = sm_options_set(&c->resolved, "leaf", all, (size_t)n, &err);
    return s == SM_OK
               ? s
               : fail(c, SM_INVALID_PROFILE, NULL, "The lists of leaves together are too long: %s", err.message);
}

/* Sets an option of the compile to the profile's value, unless the request says it. SM_INVALID_PROFILE if the
 * module's other profiles do not say the same. */
static sm_status give_option(struct used *u, const sm_profile *p, const char *name, const char *value, size_t len) {
    struct compile *c = u->c;
    sm_option_error err;
    if (strcmp(name, "leaf") == 0)
        return add_leaves(c, value, len);
    for (size_t i = 0; i < u->count; i++) {
        size_t n;
        const char *other = value_of(&u->first[i], name, &n);
        if (strcmp(u->first[i].name, p->name) != 0 && option_is_default(c->given, name) &&
            (!other || n != len || memcmp(other, value, len) != 0))
            return fail(
                c, SM_INVALID_PROFILE, NULL,
                "The module uses the profiles '%s' and '%s', which do not say the same of '%s': a module has one",
                p->name, u->first[i].name, name);
    }
    if (!option_is_default(c->given, name))
        return SM_OK;
    sm_status s = sm_options_set(&c->resolved, name, value, len, &err);
    return s == SM_OK ? s : fail(c, SM_INVALID_PROFILE, NULL, "The profile '%s': %s", p->name, err.message);
}

/* Sets all options of the compile that the profiles of the module say. */
static sm_status give_module(struct used *u) {
    sm_status s = SM_OK;
    for (size_t i = 0; i < u->count; i++) {
        const char *at = NULL, *value;
        char name[64];
        size_t len;
        while (s == SM_OK && sm_profile_option(&u->first[i], &at, name, &value, &len))
            if (!profile_attribute_of(name))
                s = give_option(u, &u->first[i], name, value, len);
    }
    return s;
}

/* Sets what the module's only profile says of its functions in the compile's options too. Not if OTHERS, functions
 * with another strategy, are there: then it is not true of all. */
static void report_function_options(struct used *u, int others) {
    const char *at = NULL, *value;
    char name[64];
    size_t len;
    while (u->count == 1 && !others && sm_profile_option(&u->first[0], &at, name, &value, &len))
        if (profile_attribute_of(name) && option_is_default(u->c->given, name))
            sm_options_set(&u->c->resolved, name, value, len, NULL);
}

/* The options' text of the compile's first profile; NULL if there is none. */
static const char *own_options(const struct compile *c) {
    const char *at = NULL;
    sm_profile first;
    return sm_profile_next((const char *)c->profiles.data, c->profiles.len, &at, &first) ? first.options : NULL;
}

/* Adds the profile to those that the module uses, once. SM_INVALID_PROFILE if they are too many. */
static sm_status note_used(struct used *u, const sm_profile *p) {
    for (size_t i = 0; i < u->count; i++)
        if (strcmp(u->first[i].name, p->name) == 0)
            return SM_OK;
    if (u->count == sizeof u->first / sizeof *u->first)
        return fail(u->c, SM_INVALID_PROFILE, NULL, "The module uses more than %zu profiles", u->count);
    u->first[u->count++] = *p;
    deviate(u->c, DEVIATION_PROFILES);
    u->c->own_used |= u->c->own_profile && p->options == own_options(u->c);
    return SM_OK;
}

/* Finds the profile of the name GC, in *P; 0 if there is none. */
static int find_profile(const struct compile *c, const char *gc, sm_profile *p) {
    return gc && gc[0] && sm_profile_find((const char *)c->profiles.data, c->profiles.len, gc, p);
}

/* Refuses a profile with the name of a library's strategy, which it would hide without a word. */
static sm_status check_names_profile(struct compile *c) {
    const char *at = NULL;
    sm_profile p;
    while (sm_profile_next((const char *)c->profiles.data, c->profiles.len, &at, &p))
        if (is_plugin_gc(p.name))
            return fail(c, SM_INVALID_PROFILE, NULL,
                        "The profile '%s' has the name of a strategy that one of the server's libraries brings: give "
                        "it another",
                        p.name);
    return SM_OK;
}

/* Gives functions whose strategy is a profile the builtin one and the profile's options. Requires a module;
 * afterwards no function's strategy, nor the option's, is a profile. */
sm_status profiles_apply(struct compile *c) {
    assert(c->form == FORM_READ);
    struct used u = {.c = c};
    sm_profile p, option;
    sm_status s = check_names_profile(c);
    if (!c->profiles.len)
        return SM_OK;
    int by_option = find_profile(c, c->given->gc, &option), others = 0;
    c->resolved = *c->given;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && s == SM_OK; f = LLVMGetNextFunction(f)) {
        const char *gc = LLVMGetGC(f);
        int own = find_profile(c, gc, &p);
        others |= !own && gc && !LLVMIsDeclaration(f);
        if (!own && (gc || !by_option || LLVMIsDeclaration(f) || is_hook(f)))
            continue;
        c->gc_was_set |= !own;
        s = note_used(&u, own ? &p : &option);
        if (s == SM_OK)
            give_function(c, f, own ? &p : &option);
    }
    if (by_option)
        snprintf(c->resolved.gc, sizeof c->resolved.gc, "%s", option.base);
    if (s == SM_OK && (u.count || by_option)) {
        s = give_module(&u);
        report_function_options(&u, others);
        if (u.count == 1)
            sm_profile_json(&u.first[0], &c->profile_json);
        c->options = &c->resolved;
    }
    return s;
}
