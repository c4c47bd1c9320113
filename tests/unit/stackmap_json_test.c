/* A stackmap's JSON: its text for every kind of record, names of any bytes, and no silence when it does not fit. */
#include "schema.h"
#include "stackmap_json.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sm_buf out;

static void init(void) {
    sm_buf_init(&out, 1 << 16);
}

static void fini(void) {
    sm_buf_free(&out);
}

TestSuite(stackmap_json, .init = init, .fini = fini);

#define CONSTANT(v) {.kind = SM_LOCATION_CONSTANT, .size = 8, .constant = (v)}
#define SPILL(o)    {.kind = SM_LOCATION_INDIRECT, .size = 8, .dwarf = 7, .offset = (o)}

static sm_location locations[] = {CONSTANT(0),
                                  CONSTANT(0),
                                  CONSTANT(1),
                                  CONSTANT(-7),
                                  {.kind = SM_LOCATION_REGISTER, .size = 8, .dwarf = 3},
                                  SPILL(-16),
                                  {.kind = SM_LOCATION_DIRECT, .size = 8, .dwarf = 7, .offset = 16}};
static sm_liveout liveouts[] = {{.dwarf = 0, .size = 8}, {.dwarf = 1000, .size = 16}};
static sm_record record;
static sm_function function;
static sm_metadatum metadata[] = {{"meta", 8}, {NULL, 77}};

/* A map of one function with one record. */
static sm_stackmap map_of(uint8_t kind, uint32_t count) {
    function =
        (sm_function){.name = "f", .section = ".text", .offset = 64, .size = 32, .frame_size = 24, .records = 1};
    record = (sm_record){.id = 9, .offset = 10, .kind = kind, .fault_offset = UINT32_MAX, .locations = count};
    return (sm_stackmap){.format = "llvm-v3",
                         .machine = EM_X86_64,
                         .function = &function,
                         .functions = 1,
                         .record = &record,
                         .records = 1,
                         .location = locations,
                         .locations = sizeof locations / sizeof *locations,
                         .liveout = liveouts,
                         .liveouts = 2,
                         .metadatum = metadata,
                         .metadata = 2};
}

static const char *breach_of(const json_t *value) {
    json_t *schema = json_load_file(SOURCE_DIR "/proto/stackmap.schema.json", JSON_REJECT_DUPLICATES, NULL);
    cr_assert(schema, "the schema is no JSON");
    const char *breach = schema_breach(schema, value);
    json_decref(schema);
    return breach;
}

/* The text is EXPECTED, which has ' for ", and is JSON of the schema. */
static void becomes(const sm_stackmap *m, const char *expected) {
    char *text = strdup(expected);
    json_error_t wrong;
    for (char *p = text; (p = strchr(p, '\''));)
        *p = '"';
    cr_assert_eq(sm_stackmap_to_json(m, &out), SM_OK);
    cr_assert_str_eq(sm_buf_cstr(&out), text);
    json_t *parsed = json_loadb((const char *)out.data, out.len, JSON_REJECT_DUPLICATES, &wrong);
    cr_assert(parsed, "%s", wrong.text);
    cr_assert_null(breach_of(parsed), "%s", breach_of(parsed));
    json_decref(parsed);
    free(text);
    sm_buf_clear(&out);
}

#define HEAD                                                                                                         \
    "{'format':'llvm-v3','arch':'x86_64','functions':[{'name':'f','address':{'section':'.text','offset':64},'size':" \
    "32,'frame_size':24,'safepoints':["
#define TAIL "]}]}"

Test(stackmap_json, statepoint) {
    sm_stackmap m = map_of(SM_RECORD_STATEPOINT, 7);
    record.reason = "entry-poll";
    record.callee = "do_safepoint";
    becomes(&m, HEAD "{'id':9,'offset':10,'kind':'statepoint','reason':'entry-poll','callee':'do_safepoint',"
                     "'calling_convention':{'id':0,'name':'ccc'},'gc_transition':false,"
                     "'deopt':[{'kind':'constant','value':-7,'size':8}],"
                     "'roots':[{'base':{'kind':'register','register':'rbx','dwarf':3,'size':8},"
                     "'derived':{'kind':'indirect','register':'rsp','dwarf':7,'offset':-16,'size':8}}],"
                     "'regions':[{'kind':'direct','register':'rsp','dwarf':7,'offset':16,'size':8}]}" TAIL);
}

Test(stackmap_json, stackmap_and_patchpoint) {
    sm_stackmap m = map_of(SM_RECORD_STACKMAP, 1);
    becomes(&m, HEAD "{'id':9,'offset':10,'kind':'stackmap','reason':null,'callee':null,"
                     "'locations':[{'kind':'constant','value':0,'size':8}],'live_outs':[]}" TAIL);
    m = map_of(SM_RECORD_PATCHPOINT, 0);
    record.liveouts = 2;
    becomes(&m, HEAD
            "{'id':9,'offset':10,'kind':'patchpoint','reason':null,'callee':null,'locations':[],"
            "'live_outs':[{'register':'rax','dwarf':0,'size':8},{'register':null,'dwarf':1000,'size':16}]}" TAIL);
}

Test(stackmap_json, gcroot) {
    sm_stackmap m = map_of(SM_RECORD_GCROOT, 1);
    record.location = 5;
    becomes(&m, HEAD "{'id':9,'offset':10,'kind':'gcroot','reason':null,'callee':null,"
                     "'roots':[{'base':{'kind':'indirect','register':'rsp','dwarf':7,'offset':-16,'size':8},"
                     "'derived':{'kind':'indirect','register':'rsp','dwarf':7,'offset':-16,'size':8}}]}" TAIL);
}

Test(stackmap_json, page_poll_of_no_known_kind) {
    sm_stackmap m = map_of(SM_RECORD_UNKNOWN, 0);
    record.fault_offset = 4;
    becomes(&m, HEAD "{'id':9,'offset':10,'kind':'unknown','reason':null,'callee':null,'fault_offset':4,"
                     "'locations':[],'live_outs':[]}" TAIL);
}

Test(stackmap_json, frame_map) {
    sm_stackmap m = map_of(SM_RECORD_GCROOT, 0);
    function.records = 0;
    function.frame_size = UINT64_MAX;
    function.format = "shadow-stack";
    function.has_frame_map = 1;
    function.frame_map = (sm_frame_map){.section = ".rodata", .offset = 16, .roots = 3, .metadata = 2};
    m.format = "mixed";
    m.machine = EM_AARCH64;
    becomes(&m,
            "{'format':'mixed','arch':'aarch64','functions':[{'name':'f','address':{'section':'.text','offset':64},"
            "'size':32,'frame_size':null,'format':'shadow-stack','safepoints':[],"
            "'frame_map':{'address':{'section':'.rodata','offset':16},'roots':3,"
            "'metadata':[{'symbol':'meta','addend':8},{'symbol':null,'addend':77}]}}]}");
}

Test(stackmap_json, no_functions) {
    sm_stackmap m = {.format = "none", .machine = EM_X86_64};
    becomes(&m, "{'format':'none','arch':'x86_64','functions':[]}");
}

/* An id is 64 bits; JSON readers in C know signed ones. */
Test(stackmap_json, ids_past_63_bits) {
    sm_stackmap m = map_of(SM_RECORD_STACKMAP, 0);
    record.id = UINT64_MAX;
    sm_stackmap_to_json(&m, &out);
    cr_assert(strstr(sm_buf_cstr(&out), "{\"id\":-1,"));
}

static void named(const char *name, const char *expected) {
    sm_stackmap m = map_of(SM_RECORD_STACKMAP, 0);
    function.name = name;
    cr_assert_eq(sm_stackmap_to_json(&m, &out), SM_OK);
    json_t *parsed = json_loadb((const char *)out.data, out.len, 0, NULL);
    cr_assert(parsed, "%s", sm_buf_cstr(&out));
    json_t *text = json_object_get(json_array_get(json_object_get(parsed, "functions"), 0), "name");
    cr_assert_str_eq(json_string_value(text), expected);
    json_decref(parsed);
    sm_buf_clear(&out);
}

Test(stackmap_json, names_of_any_bytes) {
    named("", "");
    named("quote\" and back\\slash", "quote\" and back\\slash");
    named("\001\n\t\033[31m\177", "\001\n\t\033[31m\177");
    named("größe", "größe");
    named("\xe2\x82\xac \xf0\x9f\x8d\x8f \xf4\x8f\xbf\xbf", "\xe2\x82\xac \xf0\x9f\x8d\x8f \xf4\x8f\xbf\xbf");
}

Test(stackmap_json, names_that_are_no_utf8_are_latin1) {
    named("gr\xf6\xdf"
          "e",
          "größe");
    named("\xff", "ÿ");
    named("\xc0\x80", "\xc3\x80\xc2\x80");                         /* overlong */
    named("\xed\xa0\x80", "\xc3\xad\xc2\xa0\xc2\x80");             /* a surrogate */
    named("\xf4\x90\x80\x80", "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80"); /* past U+10FFFF */
    named("\xe2\x82", "\xc3\xa2\xc2\x82");                         /* cut off */
}

/* The schema is one that can be broken. */
Test(stackmap_json, what_the_schema_refuses) {
    static const struct {
        const char *text, *breach;
    } wrong[] = {
        {"{'format':'llvm-v4','arch':'x86_64','functions':[]}", "/format: is none of"},
        {"{'format':'none','arch':'x86_64'}", "lacks functions"},
        {"{'format':'none','arch':'x86_64','functions':[],'more':1}", "unknown more"},
        {"{'format':'none','arch':'x86_64','functions':[{'name':1}]}", "/functions/0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s", wrong[i].text);
        for (char *p = text; (p = strchr(p, '\''));)
            *p = '"';
        json_t *value = json_loads(text, 0, NULL);
        const char *breach = breach_of(value);
        cr_assert(breach && strstr(breach, wrong[i].breach), "%s, not %s", breach, wrong[i].breach);
        json_decref(value);
    }
}

Test(stackmap_json, what_does_not_fit_is_a_failure) {
    sm_stackmap m = map_of(SM_RECORD_STATEPOINT, 7);
    cr_assert_eq(sm_stackmap_to_json(&m, &out), SM_OK);
    for (size_t max = 0; max < out.len; max++) {
        sm_buf small;
        sm_buf_init(&small, max);
        cr_assert_eq(sm_stackmap_to_json(&m, &small), SM_TOO_LARGE, "in %zu bytes", max);
        sm_buf_free(&small);
    }
}

Test(stackmap_json, a_statepoint_of_another_shape_is_a_failure) {
    sm_stackmap m = map_of(SM_RECORD_STATEPOINT, 2);
    cr_assert_eq(sm_stackmap_to_json(&m, &out), SM_INVALID_STACKMAP);
}
