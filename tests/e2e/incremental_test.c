/* Parts of earlier artifacts, by the daemon: an edited module gets what it gets without them, byte for byte; they are
 * kept with their artifact, in memory and on disk, are shown to nobody, and reach nobody who does not name it. */
#include "artifact.h"
#include "http.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[32];

static void shell(const char *fmt, const char *arg) {
    char command[1000];
    int status;
    snprintf(command, sizeof command, fmt, arg, arg);
    bytes_free(run_command(command, "", 0, &status));
    cr_assert_eq(status, 0, "%s", command);
}

static void init(void) {
    strcpy(folder, "/tmp/smd-parts-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void fini(void) {
    shell("rm -rf %s", folder);
}

TestSuite(incremental, .init = init, .fini = fini, .timeout = 600);

/* A module of several parts; EDITED: a function has another constant. */
static const char *module_of(int edited) {
    static char text[60000];
    size_t n = (size_t)sprintf(text, "declare ptr addrspace(1) @allocate(i64)\ndeclare void @smd_poll()\n"
                                     "define void @gc.safepoint_poll() {\n  call void @smd_poll()\n  ret void\n}\n");
    for (int i = 1; i <= 40; i++)
        n += (size_t)sprintf(
            text + n,
            "define i64 @f%d(ptr addrspace(1) %%p, i64 %%n) gc \"statepoint-example\" {\n"
            "  %%c = call ptr addrspace(1) @allocate(i64 %d)\n  %%v = load i64, ptr addrspace(1) %%p\n"
            "  %%w = mul i64 %%v, %%n\n  %%x = xor i64 %%w, %d\n  %%y = sdiv i64 %%x, %d\n"
            "  store i64 %%y, ptr addrspace(1) %%c\n  %%d = call ptr addrspace(1) @allocate(i64 %%y)\n"
            "  store i64 %%v, ptr addrspace(1) %%d\n  %%z = load i64, ptr addrspace(1) %%c\n  ret i64 %%z\n}\n",
            i, i, i == edited ? 999 : i + 50, i + 3);
    return text;
}

static struct daemon start_with_memory(void) {
    return daemon_start((const char *const[]){"--cache-memory-mib", "64", NULL});
}

/* One compile; KEY may be NULL: nothing is named. */
struct made {
    struct answer answer;
    char key[80], cache[20], parts[80]; /* "" for a header that is not there */
};

static void take_header(const struct answer *a, const char *name, char *to, size_t size) {
    char *value = answer_header(a, name);
    snprintf(to, size, "%s", value ? value : "");
    free(value);
}

static struct made make(const struct daemon *d, const char *options, const char *key, const char *module) {
    char path[400];
    snprintf(path, sizeof path, "/v1/compile?split=functions%s%s%s", options, key ? "&incremental=" : "",
             key ? key : "");
    struct made m = {.answer = ask(d, (struct ask){.path = path,
                                                   .body = module,
                                                   .len = strlen(module),
                                                   .headers = {"Accept: application/vnd.smd.artifact"}})};
    cr_assert_eq(m.answer.http, 200, "%s", (char *)m.answer.body.data);
    take_header(&m.answer, "X-Smd-Key", m.key, sizeof m.key);
    take_header(&m.answer, "X-Smd-Cache", m.cache, sizeof m.cache);
    take_header(&m.answer, "X-Smd-Parts", m.parts, sizeof m.parts);
    return m;
}

/* Parts that were taken over, and all. */
static int taken(const struct made *m, int *parts) {
    int n = -1;
    cr_assert_eq(sscanf(m->parts, "%d; taken=%d", parts, &n), 2, "%s", m->parts);
    return n;
}

static void are_same(const struct made *a, const struct made *b) {
    cr_assert(a->answer.body.len == b->answer.body.len &&
              memcmp(a->answer.body.data, b->answer.body.data, a->answer.body.len) == 0);
}

static int is_unknown(const struct made *m) {
    return strstr(m->parts, "; incremental=unknown") != NULL;
}

static void end(struct made *m) {
    answer_free(m->answer);
}

Test(incremental, an_edit_takes_over_what_it_did_not_touch) {
    struct daemon d = start_with_memory();
    static const char *const options[] = {"", "&opt=0", "&opt=3&target=aarch64-linux-gnu"};
    for (int i = 0; i < 3; i++) {
        int parts;
        struct made first = make(&d, options[i], NULL, module_of(0)),
                    warm = make(&d, options[i], first.key, module_of(7)),
                    cold = make(&d, options[i], NULL, module_of(7));
        are_same(&warm, &cold);
        cr_assert_eq(taken(&first, &parts), 0);
        int took = taken(&warm, &parts);
        cr_assert(parts > 3 && took == parts - 1, "%s", warm.parts);
        /* another key: who has not named the first does not get what was made with it */
        cr_assert_str_neq(warm.key, cold.key);
        cr_assert_str_eq(cold.cache, "compiled");
        cr_assert_eq(taken(&cold, &parts), 0);
        /* and on: its own parts were kept, those that were taken over too */
        struct made next = make(&d, options[i], warm.key, module_of(9)),
                    back = make(&d, options[i], next.key, module_of(7));
        took = taken(&next, &parts);
        cr_assert_geq(took, parts - 2, "%s", next.parts);
        are_same(&back, &cold);
        struct made again = make(&d, options[i], first.key, module_of(7));
        cr_assert(strcmp(again.cache, "memory") == 0 && !again.parts[0]);
        are_same(&again, &cold);
        end(&first);
        end(&warm);
        end(&cold);
        end(&next);
        end(&back);
        end(&again);
    }
    daemon_stop(&d);
}

/* Nobody is shown them. */
Test(incremental, answers_have_no_parts_in_them) {
    struct daemon d = start_with_memory();
    char path[120];
    struct made m = make(&d, "", NULL, module_of(0));
    snprintf(path, sizeof path, "/v1/artifacts/%s", m.key);
    struct answer a = ask(&d, (struct ask){.path = path, .headers = {"Accept: application/vnd.smd.artifact"}});
    cr_assert_eq(a.http, 200);
    cr_assert_eq(sm_artifact_length(a.body.data, a.body.len), a.body.len);
    cr_assert_eq(sm_artifact_length(m.answer.body.data, m.answer.body.len), m.answer.body.len);
    cr_assert_null(memmem(m.answer.body.data, m.answer.body.len, "SMDKEPT1", 8));
    sm_artifact artifact;
    cr_assert_eq(sm_artifact_read(m.answer.body.data, m.answer.body.len, &artifact), SM_OK);
    cr_assert(metric(&d, "smd_cache_bytes{tier=\"memory\"}") >
                  (long)(m.answer.body.len + artifact.part[SM_PART_OBJECT].len),
              "parts count in the cache");
    answer_free(a);
    end(&m);
    daemon_stop(&d);
}

Test(incremental, what_is_not_known_is_compiled_whole_and_said) {
    static const char nobody[] = "00ff1a2b3c4d5e6f708192a3b4c5d6e7f8090a1b2c3d4e5f60718293a4b5c6d7";
    struct daemon d = start_with_memory();
    int parts;
    struct made m = make(&d, "", nobody, module_of(0)), plain = make(&d, "&split_backedges=true", NULL, module_of(0));
    cr_assert(is_unknown(&m) && taken(&m, &parts) == 0, "%s", m.parts);
    cr_assert_not(is_unknown(&plain));
    struct answer whole = post(&d, "/v1/compile", module_of(0));
    struct made from_whole = make(&d, "", member(&whole, "key"), module_of(0)); /* which has no parts */
    cr_assert(is_unknown(&from_whole), "%s", from_whole.parts);
    are_same(&m, &from_whole);
    struct made other = make(&d, "", plain.key, module_of(0)); /* which has others */
    cr_assert(!is_unknown(&other) && taken(&other, &parts) == 0, "%s", other.parts);
    are_same(&m, &other);
    answer_free(whole);
    end(&m);
    end(&plain);
    end(&from_whole);
    end(&other);
    daemon_stop(&d);
}

Test(incremental, only_keys_are_named) {
    static const char *const wrong[] = {"x", "00ff",
                                        "00FF1a2b3c4d5e6f708192a3b4c5d6e7f8090a1b2c3d4e5f60718293a4b5c6d7"};
    struct daemon d = start_with_memory();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char path[200];
        snprintf(path, sizeof path, "/v1/compile?split=functions&incremental=%s", wrong[i]);
        struct answer a = post(&d, path, module_of(0));
        assert_problem(&a, 400, "invalid_option");
        cr_assert(strstr(member(&a, "detail"), "64 hexadecimal digits"), "%s", member(&a, "detail"));
        answer_free(a);
    }
    daemon_stop(&d);
}

struct verified {
    struct daemon *daemon;
    const char *key;
};

/* A hit is compiled again only where no worker is busy: so there are hits until one was. */
static int is_verified(void *arg) {
    const struct verified *v = arg;
    struct made hit = make(v->daemon, "", v->key, module_of(5));
    cr_assert_str_eq(hit.cache, "memory");
    end(&hit);
    return metric(v->daemon, "smd_cache_verified_total{result=\"equal\"}") > 0;
}

/* A hit that was made with parts is compiled again without them, elsewhere, and is the same. */
Test(incremental, hits_are_verified_without_parts) {
    struct daemon d = daemon_start((const char *const[]){"--cache-memory-mib", "64", "--verify-sample", "100", NULL});
    struct made first = make(&d, "", NULL, module_of(0)), warm = make(&d, "", first.key, module_of(5));
    await(is_verified, &(struct verified){&d, first.key}, 60, "the hit to be compiled again");
    cr_assert_eq(metric(&d, "smd_cache_verified_total{result=\"different\"}"), 0);
    end(&first);
    end(&warm);
    daemon_stop(&d);
}

/* ---- On disk ----------------------------------------------------------------------------------------------------- */

static struct daemon start_with_disk(void) {
    return daemon_start((const char *const[]){"--cache-dir", folder, "--cache-modules", "off", NULL});
}

static int is_written(void *arg) {
    return metric(arg, "smd_cache_entries{tier=\"disk\"}") >= 1;
}

/* The daemon of a folder in which there is FIRST alone. */
static struct daemon start_after(struct made *first) {
    struct daemon d = start_with_disk();
    *first = make(&d, "", NULL, module_of(0));
    await(is_written, &d, 20, "the entry to be on disk");
    daemon_stop(&d);
    return start_with_disk();
}

Test(incremental, parts_are_read_from_disk) {
    struct made first;
    int parts;
    struct daemon d = start_after(&first);
    struct made warm = make(&d, "", first.key, module_of(7)), cold = make(&d, "&cache=bypass", NULL, module_of(7));
    int took = taken(&warm, &parts);
    cr_assert_eq(took, parts - 1, "%s", warm.parts);
    are_same(&warm, &cold);
    cr_assert_eq(metric(&d, "smd_artifacts_total{from=\"disk\"}"), 0, "it was no answer");
    struct made disk = make(&d, "", NULL, module_of(0));
    cr_assert_str_eq(disk.cache, "disk");
    are_same(&disk, &first);
    end(&first);
    end(&warm);
    end(&cold);
    end(&disk);
    daemon_stop(&d);
}

/* One bit of a part, behind the artifact. */
Test(incremental, damaged_parts_are_a_miss) {
    struct made first;
    int parts;
    struct daemon d = start_after(&first);
    shell("f=$(find %s -path '*/[0-9a-f][0-9a-f]/*' -type f | grep -v quarantine | head -n 1) && size=$(stat -c %%s "
          "$f) && "
          "printf X | dd of=$f bs=1 seek=$((size - 5000)) conv=notrunc status=none && test -d %s",
          folder);
    struct made warm = make(&d, "", first.key, module_of(7)), cold = make(&d, "", NULL, module_of(7));
    cr_assert(is_unknown(&warm) && taken(&warm, &parts) == 0, "%s", warm.parts);
    are_same(&warm, &cold);
    cr_assert_eq(metric(&d, "smd_cache_errors_total{kind=\"damaged\"}"), 1);
    end(&first);
    end(&warm);
    end(&cold);
    daemon_stop(&d);
}

/* ---- Bounds ------------------------------------------------------------------------------------------------------ */

static int holds_no_body(void *arg) {
    return metric(arg, "smd_body_bytes") == 0;
}

/* Artifacts with their parts leave the cache as others do; who names one that has left is compiled whole. */
Test(incremental, parts_leave_with_their_artifact) {
    struct daemon d = daemon_start((const char *const[]){"--cache-memory-mib", "1", NULL});
    int parts;
    struct made first = make(&d, "", NULL, module_of(0));
    for (int i = 1; i <= 30; i++) {
        struct made m = make(&d, "", NULL, module_of(i));
        end(&m);
    }
    cr_assert(metric(&d, "smd_cache_evictions_total{tier=\"memory\"}") > 0);
    cr_assert(metric(&d, "smd_cache_bytes{tier=\"memory\"}") <= 1 << 20);
    struct made warm = make(&d, "", first.key, module_of(31)), cold = make(&d, "", NULL, module_of(31));
    cr_assert(is_unknown(&warm) && taken(&warm, &parts) == 0, "%s", warm.parts);
    are_same(&warm, &cold);
    await(holds_no_body, &d, 20, "the bodies to be let go"); /* the last one is after its answer */
    end(&first);
    end(&warm);
    end(&cold);
    daemon_stop(&d);
}
