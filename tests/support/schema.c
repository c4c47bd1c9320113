/* schema.c - see schema.h. JSON Schema 2020-12, as far as the project's own schemas go. */
#include "schema.h"

#include "check.h"

#include <string.h>

static char breach[1000];

struct place {
    const json_t *root; /* the schema's document, for $ref */
    char path[400];     /* of the value */
};

static const char *fail(const struct place *at, const char *what, const char *detail) {
    snprintf(breach, sizeof breach, "%s: %s %s", at->path[0] ? at->path : "the whole", what, detail);
    return breach;
}

static struct place below(const struct place *at, const char *name) {
    struct place p = *at;
    size_t len = strlen(p.path);
    snprintf(p.path + len, sizeof p.path - len, "/%s", name);
    return p;
}

static const char *validate(const struct place *at, const json_t *schema, const json_t *value);

static int is_type(const json_t *value, const char *type) {
    static const struct {
        const char *name;
        json_type type;
    } types[] = {{"object", JSON_OBJECT}, {"array", JSON_ARRAY},  {"string", JSON_STRING}, {"integer", JSON_INTEGER},
                 {"number", JSON_REAL},   {"boolean", JSON_TRUE}, {"boolean", JSON_FALSE}, {"null", JSON_NULL}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0 && json_typeof(value) == types[i].type)
            return 1;
    return strcmp(type, "number") == 0 && json_is_integer(value);
}

static const char *on_type(const struct place *at, const json_t *type, const json_t *value) {
    size_t i;
    const json_t *one;
    if (json_is_string(type))
        return is_type(value, json_string_value(type)) ? NULL : fail(at, "is no", json_string_value(type));
    json_array_foreach(type, i, one) {
        if (is_type(value, json_string_value(one)))
            return NULL;
    }
    return fail(at, "is of no type", "that it may have");
}

static const char *on_enum(const struct place *at, const json_t *words, const json_t *value) {
    size_t i;
    const json_t *word;
    json_array_foreach(words, i, word) {
        if (json_equal(word, value))
            return NULL;
    }
    return fail(at, "is none of", "its values");
}

static const char *on_const(const struct place *at, const json_t *word, const json_t *value) {
    return json_equal(word, value) ? NULL : fail(at, "is not", json_string_value(word));
}

static const char *on_required(const struct place *at, const json_t *names, const json_t *value) {
    size_t i;
    const json_t *name;
    json_array_foreach(names, i, name) {
        if (json_is_object(value) && !json_object_get(value, json_string_value(name)))
            return fail(at, "lacks", json_string_value(name));
    }
    return NULL;
}

static const char *on_properties(const struct place *at, const json_t *properties, const json_t *value) {
    const char *name, *wrong = NULL;
    json_t *schema;
    json_object_foreach((json_t *)properties, name, schema) {
        const json_t *member = json_object_get(value, name);
        struct place p = below(at, name);
        if (member && !wrong)
            wrong = validate(&p, schema, member);
    }
    return wrong;
}

/* Only "false" is used. */
static const char *no_others(const struct place *at, const json_t *schema, const json_t *value) {
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)value, name, member) {
        if (!json_object_get(json_object_get(schema, "properties"), name))
            return fail(at, "has an unknown", name);
    }
    return NULL;
}

static const char *on_items(const struct place *at, const json_t *schema, const json_t *value) {
    size_t i;
    const json_t *item;
    const char *wrong = NULL;
    json_array_foreach(value, i, item) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        struct place p = below(at, index);
        if (!wrong)
            wrong = validate(&p, schema, item);
    }
    return wrong;
}

static const char *on_one_of(const struct place *at, const json_t *schemas, const json_t *value) {
    size_t i, fitting = 0;
    const json_t *schema;
    char last[sizeof breach] = "";
    json_array_foreach(schemas, i, schema) {
        const char *wrong = validate(at, schema, value);
        fitting += wrong == NULL;
        if (wrong)
            snprintf(last + strlen(last), sizeof last - strlen(last), " (%.200s)", wrong);
    }
    return fitting == 1 ? NULL : fail(at, fitting ? "is more than one form:" : "is of no form:", last);
}

static const char *on_ref(const struct place *at, const json_t *ref, const json_t *value) {
    static const char prefix[] = "#/$defs/";
    const char *name = json_string_value(ref);
    check(strncmp(name, prefix, sizeof prefix - 1) == 0, "%s is not followed", name);
    const json_t *schema = json_object_get(json_object_get(at->root, "$defs"), name + sizeof prefix - 1);
    check(schema, "there is no %s", name);
    return validate(at, schema, value);
}

static const char *validate(const struct place *at, const json_t *schema, const json_t *value) {
    static const char *const silent[] = {"$schema", "$id", "$defs", "title", "description", "additionalProperties"};
    static const struct {
        const char *keyword;
        const char *(*on)(const struct place *, const json_t *, const json_t *);
    } keywords[] = {{"$ref", on_ref},    {"type", on_type},         {"enum", on_enum},
                    {"const", on_const}, {"required", on_required}, {"properties", on_properties},
                    {"items", on_items}, {"oneOf", on_one_of}};
    const char *name, *wrong = NULL;
    json_t *argument;
    json_object_foreach((json_t *)schema, name, argument) {
        size_t i = 0, s = 0;
        while (i < sizeof keywords / sizeof *keywords && strcmp(keywords[i].keyword, name) != 0)
            i++;
        while (s < sizeof silent / sizeof *silent && strcmp(silent[s], name) != 0)
            s++;
        check(i < sizeof keywords / sizeof *keywords || s < sizeof silent / sizeof *silent,
              "the keyword %s is not known here", name);
        if (!wrong && i < sizeof keywords / sizeof *keywords)
            wrong = keywords[i].on(at, argument, value);
    }
    if (!wrong && json_is_false(json_object_get(schema, "additionalProperties")))
        wrong = no_others(at, schema, value);
    return wrong;
}

const char *schema_breach(const json_t *schema, const json_t *value) {
    struct place whole = {.root = schema};
    return validate(&whole, schema, value);
}
