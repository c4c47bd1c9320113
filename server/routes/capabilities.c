/* capabilities.c - see capabilities.h. */
#include "capabilities.h"

#include "answer.h"
#include "confine.h"
#include "context.h"
#include "options.h"
#include "process.h"
#include "profiles.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* *New*: the list of words that commas separate. */
static json_t *words_of(const char *words) {
    json_t *list = json_array();
    for (const char *at = words; at && *at;) {
        size_t n = strcspn(at, ",");
        json_array_append_new(list, json_stringn(at, n));
        at += at[n] ? n + 1 : n;
    }
    return list;
}

/* *New*: what capabilities tell of an option: its row of the table. */
static json_t *describe_option(const sm_option_row *row) {
    static const char *const types[] = {"text", "choice", "set", "integer", "boolean"};
    json_t *o = json_pack("{s:s,s:s,s:s,s:b,s:s}", "name", row->name, "type", types[row->type], "default", row->dflt,
                          "keyed", row->keyed, "help", row->help);
    if (row->type == SM_OPTION_INT)
        json_object_update_new(o, json_pack("{s:i,s:i}", "min", row->min, "max", row->max));
    if (row->type == SM_OPTION_TEXT)
        json_object_set_new(o, "max_bytes", json_integer((json_int_t)row->size - 1));
    if (row->words)
        json_object_set_new(o, "values", words_of(row->words));
    return o;
}

static json_t *describe_options(void) {
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    json_t *list = json_array();
    for (size_t i = 0; i < rows; i++)
        json_array_append_new(list, describe_option(&table[i]));
    return list;
}

/* *New*: what capabilities tell of the server's limits. */
static json_t *describe_limits(const struct settings *s) {
    return json_pack("{s:I,s:I,s:i,s:i,s:i,s:i,s:i,s:I,s:i}", "body_bytes", (json_int_t)s->max_body_mib << 20,
                     "output_bytes", (json_int_t)s->max_output_mib << 20, "inflation", s->max_inflation,
                     "deadline_ms", s->max_deadline_ms, "worker_memory_mib", s->worker_memory_mib, "worker_cpu_s",
                     s->worker_cpu_s, "queue_jobs", s->queue_jobs, "queue_bytes", (json_int_t)s->queue_mib << 20,
                     "workers", s->workers);
}

/* *New*: the list of media types that answers can have. */
static json_t *describe_answers(void) {
    json_t *list = json_array();
    for (int i = 0; answer_types[i]; i++)
        json_array_append_new(list, json_string(answer_types[i]));
    return list;
}

/* *New*: the metrics that never change: those that are always 1 for their labels, and the daemon's start. */
static char *make_info(const struct smd *smd, const char *build, const json_t *layers) {
    size_t i;
    const json_t *layer;
    sm_buf out;
    sm_buf_init(&out, 1 << 16);
    sm_buf_printf(&out,
                  "# HELP smd_build_info What this server is\n# TYPE smd_build_info gauge\n"
                  "smd_build_info{version=\"" SMD_VERSION "\",compiler=\"%s\"} 1\n"
                  "# HELP smd_sandbox_layer Layers of the workers' sandbox, 1 if it is on\n"
                  "# TYPE smd_sandbox_layer gauge\n",
                  build);
    json_array_foreach(layers, i, layer)
        sm_buf_printf(&out, "smd_sandbox_layer{layer=\"%s\"} %d\n", json_string_value(layer), smd->settings.sandbox);
    sm_buf_puts(&out, "# HELP smd_confinement_layer Layers of smd's own confinement, 1 if it is on\n"
                      "# TYPE smd_confinement_layer gauge\n");
    for (int l = 0; l < CONFINE_LAYERS; l++)
        sm_buf_printf(&out, "smd_confinement_layer{layer=\"%s\"} %d\n", confine_names[l], smd->confined >> l & 1);
    process_start_text(&out);
    return sm_buf_take_text(&out);
}

/* *New*: the text of capabilities with a set of profiles and the key context that they make; NULL if out of memory.
 * */
static char *text_with(const struct smd *smd, const struct profiles *set) {
    json_t *root = json_copy(smd->about);
    json_object_set_new(root, "profiles", json_deep_copy(set->about));
    json_object_set_new(root, "key_context", json_string(set->key_context));
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    return text;
}

sm_status capabilities_reload(struct smd *smd, struct error *err) {
    struct profiles *set = profiles_read(smd->settings.profiles, smd->settings.gc_plugins, err);
    char *text = set && profiles_set_context(set, smd->key_context) == SM_OK ? text_with(smd, set) : NULL;
    if (!text) {
        sm_status s = set ? error_set(err, SM_NOMEM, "out of memory") : SM_INVALID_PROFILE;
        profiles_unref(set);
        return s;
    }
    pthread_mutex_lock(&smd->capabilities_lock);
    free(smd->capabilities);
    smd->capabilities = text;
    pthread_mutex_unlock(&smd->capabilities_lock);
    profiles_replace(set);
    return SM_OK;
}

int capabilities_build(struct smd *smd) {
    json_error_t err;
    json_t *about = json_loads(pool_about(smd->pool), JSON_REJECT_DUPLICATES, &err);
    const char *build = json_string_value(json_object_get(json_object_get(about, "llvm"), "build"));
    json_t *root = json_pack("{s:{s:s,s:i,s:i}}", "smd", "version", SMD_VERSION, "artifact", SM_ARTIFACT_VERSION,
                             "protocol", SM_PROTOCOL_VERSION);
    json_object_update(root, about);
    json_object_set_new(root, "answers", describe_answers());
    json_object_set_new(root, "options", describe_options());
    json_object_set_new(root, "limits", describe_limits(&smd->settings));
    int keyed = build && sm_key_context(build, smd->settings.cache_salt, smd->key_context) == SM_OK;
    smd->about = root;
    smd->compiler = build ? strdup(build) : NULL;
    smd->layers = smd->settings.sandbox ? json_incref(json_object_get(about, "sandbox_layers")) : json_array();
    smd->info = build ? make_info(smd, build, json_object_get(about, "sandbox_layers")) : NULL;
    json_decref(about);
    return keyed && smd->compiler && smd->info;
}

int capabilities_get(struct request *r) {
    pthread_mutex_lock(&r->smd->capabilities_lock);
    sm_buf_puts(&r->reply.text, r->smd->capabilities);
    pthread_mutex_unlock(&r->smd->capabilities_lock);
    reply_text(&r->reply, "application/json");
    return 1;
}
