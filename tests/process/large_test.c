/* Modules that are too large to be written down. */
#include "compiler.h"
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The module of two functions with COUNT calls, each of another function; processor time in seconds that it takes to
 * compile with this STRATEGY and mark of a root. */
static double seconds_for(size_t count, const char *strategy, const char *mark) {
    char *ir = NULL;
    size_t size;
    FILE *text = open_memstream(&ir, &size);
    cr_assert(text);
    fputs("declare void @llvm.gcroot(ptr, ptr)\n", text);
    for (size_t i = 0; i < count; i++)
        fprintf(text, "declare void @one_of_many_%zu(ptr)\n", i);
    for (int f = 0; f < 2; f++) {
        fprintf(text, "define void @f%d(ptr %%p) %s {\n  %%s = alloca ptr\n%s  store ptr %%p, ptr %%s\n", f, strategy,
                mark);
        for (size_t i = 0; i < count; i++)
            fprintf(text, "  call void @one_of_many_%zu(ptr %%p)\n", i);
        fputs("  ret void\n}\n", text);
    }
    fclose(text);
    double before = compiler_seconds();
    has(ir, NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\",\"callee\":\"one_of_many_7\"", *mark ? 2 : 0);
    free(ir);
    return compiler_seconds() - before;
}

/* What records are there for is looked up, not searched for: twenty thousand calls cost their functions a few times
 * what they cost without records (with linear searches, fifteen times). */
Test(large, reasons_of_many_calls_are_found_fast) {
    double plain = seconds_for(10000, "", ""),
           rooted = seconds_for(10000, "gc \"ocaml\"", "  call void @llvm.gcroot(ptr %s, ptr null)\n");
    cr_assert_lt(rooted, 6 * plain, "%f s with records, %f s without", rooted, plain);
}

/* A chain of calls as deep as this is compiled: nothing goes down it by recursion without an end. */
Test(large, deep_chains_of_calls) {
    enum { DEPTH = 3000 };
    sm_buf ir;
    sm_buf_init(&ir, 1 << 20);
    sm_buf_puts(&ir, "declare void @f3000()\n");
    for (int i = 0; i < DEPTH; i++)
        sm_buf_printf(&ir, "define void @f%d()" GC "{\n  call void @f%d()\n  ret void\n}\n", i, i + 1);
    struct compiled c = compile(sm_buf_cstr(&ir), NONE "opt=0", targets[0]);
    cr_expect_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    drop(&c);
    sm_buf_free(&ir);
}

/* The table of strategy erlang counts safepoints in 16 bits. */
Test(large, calls_that_erlang_has_no_room_for) {
    enum { CALLS = 1 << 16 };
    sm_buf ir;
    sm_buf_init(&ir, 4 << 20);
    sm_buf_puts(&ir, "declare void @g()\ndefine void @f() gc \"erlang\" {\n");
    for (int i = 0; i < CALLS; i++)
        sm_buf_puts(&ir, "  call void @g()\n");
    sm_buf_puts(&ir, "  ret void\n}\n");
    struct compiled c = compile(sm_buf_cstr(&ir), NONE "opt=0", targets[0]);
    cr_expect_eq(c.artifact.status, SM_CODEGEN_FAILED);
    cr_expect(strstr(c.text[SM_PART_DIAGNOSTICS], "65536 calls"), "%s", c.text[SM_PART_DIAGNOSTICS]);
    drop(&c);
    sm_buf_free(&ir);
}

/* LLVM's verifier follows a chain of aliases anew for each of them. */
Test(large, chains_of_aliases_are_refused) {
    enum { ALIASES = 20000 };
    sm_buf ir;
    sm_buf_init(&ir, 1 << 24);
    sm_buf_puts(&ir, "@a0 = global i8 1\n");
    for (int i = 1; i < ALIASES; i++)
        sm_buf_printf(&ir, "@a%d = alias i8, ptr @a%d\n", i, i - 1);
    refuses(sm_buf_cstr(&ir), "opt=0", SM_INVALID_MODULE, "An alias of @a1001 is nested deeper than 1000 levels");
    sm_buf_free(&ir);
}

/* Writes a function of DEPTH loops, each in the one before. */
static void put_loops(sm_buf *ir, int depth) {
    sm_buf_puts(ir, "declare void @g(i64)\ndefine void @f(i64 %n)" GC "{\nh-1:\n  br label %h0\n");
    for (int i = 0; i < depth; i++)
        sm_buf_printf(ir, "h%d:\n  %%i%d = phi i64 [ 0, %%h%d ], [ %%j%d, %%l%d ]\n  br label %%h%d\n", i, i, i - 1,
                      i, i, i + 1);
    sm_buf_printf(ir, "h%d:\n  call void @g(i64 %%i0)\n  br label %%l%d\n", depth, depth - 1);
    for (int i = depth - 1; i >= 0; i--)
        sm_buf_printf(ir,
                      "l%d:\n  %%j%d = add i64 %%i%d, 1\n  %%c%d = icmp slt i64 %%j%d, %%n\n"
                      "  br i1 %%c%d, label %%h%d, label %%l%d\n",
                      i, i, i, i, i, i, i, i - 1);
    sm_buf_puts(ir, "l-1:\n  ret void\n}\n");
}

/* The time of LLVM's passes over loops grows with the third power of their depth. */
Test(large, loops_in_loops_are_refused) {
    sm_buf ir, less;
    sm_buf_init(&ir, 1 << 24);
    sm_buf_init(&less, 1 << 24);
    put_loops(&ir, 3000);
    put_loops(&less, 60);
    refuses(sm_buf_cstr(&ir), NONE "opt=2", SM_INVALID_MODULE, "A loop of @f is nested deeper than 300 levels");
    has(sm_buf_cstr(&less), NONE "opt=2", SM_PART_STACKMAP, "\"callee\":\"g\"", 1);
    sm_buf_free(&ir);
    sm_buf_free(&less);
}

/* The compile of IR as bitcode, in which "llvmX" becomes "llvm.". The caller frees it. */
static struct bytes compile_bitcode(const char *ir) {
    int status;
    struct bytes bitcode = run_command("opt-19 -disable-verify -o -", ir, strlen(ir), &status);
    cr_assert_eq(status, 0);
    for (char *p = (char *)bitcode.data;
         (p = memmem(p, bitcode.len - (size_t)(p - (char *)bitcode.data), "llvmX", 5));)
        p[4] = '.';
    struct bytes answer = compiler_run("", bitcode.data, bitcode.len);
    bytes_free(bitcode);
    return answer;
}

/* LLVM's reader crashes of such intrinsics. */
Test(large, bitcode_with_tokens_of_intrinsics) {
    static const char *const declarations[] = {"declare token @llvmXssa.copy.i64(token)",
                                               "declare token @llvmXexperimental.gc.result.i1(token)",
                                               "declare i1 @llvmXis.constant.i64(token)"};
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        struct bytes answer = compile_bitcode(declarations[i]);
        sm_artifact a;
        cr_assert_eq(sm_artifact_read(answer.data, answer.len, &a), SM_OK);
        cr_expect_eq(a.status, SM_PARSE_ERROR);
        cr_expect(memmem(answer.data, answer.len, "neither gives nor takes a token", 31), "%s", declarations[i]);
        bytes_free(answer);
    }
}

/* ---- Bitcode as LLVM 3.7 to 4.0 wrote it: names in a symbol table, and no string table --------------------------- */

/* How the letters of a name are written: by an abbreviation, or as all operands of a record without one. */
enum letters { PLAIN, FIXED_8, FIXED_7, CHAR_6 };

struct bits {
    unsigned char bytes[4096];
    size_t count;
};

static void put_bits(struct bits *b, uint64_t v, unsigned width) {
    for (unsigned i = 0; i < width; i++, b->count++)
        b->bytes[b->count / 8] |= (unsigned char)((v >> i & 1) << (b->count % 8));
}

static void put_vbr(struct bits *b, uint64_t v, unsigned width) {
    for (uint64_t high = 1ull << (width - 1); v >= high; v >>= width - 1)
        put_bits(b, (v & (high - 1)) | high, width);
    put_bits(b, v, width);
}

static void align_bits(struct bits *b) {
    put_bits(b, 0, (32 - b->count % 32) % 32);
}

/* Begins block ID, whose abbreviations' numbers have three bits. Where its length goes. */
static size_t begin_block(struct bits *b, unsigned id, unsigned width) {
    put_bits(b, 1, width);
    put_vbr(b, id, 8);
    put_vbr(b, 3, 4);
    align_bits(b);
    put_bits(b, 0, 32);
    return b->count;
}

static void end_block(struct bits *b, size_t begin) {
    put_bits(b, 0, 3);
    align_bits(b);
    uint32_t words = (uint32_t)((b->count - begin) / 32);
    memcpy(b->bytes + begin / 8 - sizeof words, &words, sizeof words);
}

static void put_record(struct bits *b, unsigned code, const unsigned *operand, size_t count) {
    put_bits(b, 3, 3);
    put_vbr(b, code, 6);
    put_vbr(b, count, 6);
    for (size_t i = 0; i < count; i++)
        put_vbr(b, operand[i], 6);
}

/* The name of value 0, in a symbol table. */
static void put_name(struct bits *b, const char *name, enum letters letters) {
    static const char six[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    static const unsigned fixed[] = {[FIXED_8] = 8, [FIXED_7] = 7};
    size_t len = strlen(name), begin = begin_block(b, 14, 3);
    if (letters == PLAIN) {
        unsigned operand[64] = {0};
        for (size_t i = 0; i < len; i++)
            operand[i + 1] = (unsigned char)name[i];
        put_record(b, 1, operand, len + 1);
        end_block(b, begin);
        return;
    }
    put_bits(b, 2, 3); /* an abbreviation: 1, a number of variable width, letters */
    put_vbr(b, 4, 5);
    put_bits(b, 1, 1);
    put_vbr(b, 1, 8);
    put_bits(b, 2 << 1, 4);
    put_vbr(b, 8, 5);
    put_bits(b, 3 << 1, 4);
    put_bits(b, letters == CHAR_6 ? 4 << 1 : 1 << 1, 4);
    if (letters != CHAR_6)
        put_vbr(b, fixed[letters], 5);
    put_bits(b, 4, 3);
    put_vbr(b, 0, 8);
    put_vbr(b, len, 6);
    for (size_t i = 0; i < len; i++)
        put_bits(b, letters == CHAR_6 ? (uint64_t)(strchr(six, name[i]) - six) : (unsigned char)name[i],
                 letters == CHAR_6 ? 6 : fixed[letters]);
    end_block(b, begin);
}

/* Old bitcode of "declare TYPE @NAME(TYPE)", TYPE being the one with that code: token, label. */
static struct bits old_bitcode(const char *name, unsigned type, enum letters letters) {
    enum { VERSION = 1, TYPES = 17, COUNT = 1, FUNCTION_TYPE = 21, FUNCTION = 8, MODULE = 8 };
    struct bits b = {0};
    put_bits(&b, 0xdec04342, 32);
    size_t module = begin_block(&b, MODULE, 2);
    put_record(&b, VERSION, (unsigned[]){1}, 1);
    size_t types = begin_block(&b, TYPES, 3);
    put_record(&b, COUNT, (unsigned[]){2}, 1);
    put_record(&b, type, NULL, 0);
    put_record(&b, FUNCTION_TYPE, (unsigned[]){0, 0, 0}, 3);
    end_block(&b, types);
    put_record(&b, FUNCTION, (unsigned[]){1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, 10);
    put_name(&b, name, letters);
    end_block(&b, module);
    return b;
}

/* As above. */
Test(large, old_bitcode_with_tokens_of_intrinsics) {
    enum { TOKEN = 22, LABEL = 5 };
    static const char *const names[] = {"llvm.ssa.copy.token", "llvm.is.constant.token"};
    for (size_t i = 0; i < 2; i++)
        for (enum letters letters = PLAIN; letters <= CHAR_6; letters++)
            for (int label = 0; label < 2; label++) {
                struct bits b = old_bitcode(names[i], label ? LABEL : TOKEN, letters);
                struct bytes answer = compiler_run("", b.bytes, b.count / 8);
                sm_artifact a;
                cr_assert_eq(sm_artifact_read(answer.data, answer.len, &a), SM_OK, "%s %d %d", names[i], letters,
                             label);
                cr_expect_eq(a.status, SM_PARSE_ERROR);
                cr_expect(memmem(answer.data, answer.len, "neither gives nor takes a token", 31));
                bytes_free(answer);
            }
}

/* LLVM's C API cuts off the upper bits of this alignment. */
Test(large, bitcode_with_the_largest_alignment) {
    struct bytes answer = compile_bitcode("define void @f() {\n  ret void\n}\n"
                                          "define void @g() align 4294967296 {\n  ret void\n}\n");
    sm_artifact a;
    cr_assert_eq(sm_artifact_read(answer.data, answer.len, &a), SM_OK);
    cr_expect_eq(a.status, SM_OUTPUT_TOO_LARGE);
    cr_expect(memmem(answer.data, answer.len, "\"function\":\"g\"", 14));
    bytes_free(answer);
}

/* LLVM follows such a circle for ever, while it reads. */
Test(large, bitcode_with_a_location_that_is_inlined_at_itself) {
    static const char ir[] = "define void @f() !dbg !3 {\n  ret void, !dbg !9\n}\n"
                             "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!4}\n"
                             "!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)\n"
                             "!1 = !DIFile(filename: \"a\", directory: \"b\")\n"
                             "!3 = distinct !DISubprogram(name: \"f\", file: !1, unit: !0, type: !5, "
                             "spFlags: DISPFlagDefinition)\n"
                             "!5 = !DISubroutineType(types: !{null})\n"
                             "!9 = distinct !DILocation(line: 1, scope: !3, inlinedAt: !9)\n"
                             "!4 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
    int status;
    struct bytes bitcode =
        run_command("opt-19 -disable-auto-upgrade-debug-info -disable-verify -o -", ir, sizeof ir - 1, &status);
    cr_assert_eq(status, 0);
    struct bytes answer = compiler_run("", bitcode.data, bitcode.len);
    sm_artifact a;
    cr_assert_eq(sm_artifact_read(answer.data, answer.len, &a), SM_OK);
    cr_expect_eq(a.status, SM_INVALID_MODULE);
    bytes_free(answer);
    bytes_free(bitcode);
}
