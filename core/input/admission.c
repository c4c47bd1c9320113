/* admission.c - what LLVM's verifier lets through although no pass of LLVM's can handle it is refused by name.
 *
 *   - Values and globals of types that have no place in memory or registers of the target.
 *   - Globals of more bytes than an object may have.
 *   - Functions and globals under names that are LLVM's or smd's own: sections and symbols of tables.
 *   - Named metadata and module flags of another shape than their names say.
 *   - Directives of assembly over which LLVM's assembler ends the process.
 *   - Exceptions as Windows handles them, and stack slots outside the stack.
 *
 * Requires the verified module as it came.
 */
#include "compact.h"
#include "facts.h"
#include "faultmap.h"
#include "ir.h"
#include "reading.h"

#include <ctype.h>
#include <elf.h>

/* ---- Types -------------------------------------------------------------------------------------------------- */

/* 1 if values of the type, which is no aggregate, have no place on the target: a test for type_holds. AMX's tiles have
 * one in functions for x86-64 alone. */
static int has_no_place(LLVMTypeRef type, const void *arg) {
    const struct compile *c = arg;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMMetadataTypeKind || kind == LLVMTokenTypeKind || kind == LLVMLabelTypeKind)
        return 1;
    if (kind == LLVMX86_AMXTypeKind)
        return c->elf_machine != EM_X86_64;
    if (kind != LLVMTargetExtTypeKind)
        return 0;
    char *text = LLVMPrintTypeToString(type);
    int known = c->elf_machine == EM_AARCH64 && strcmp(text, "target(\"aarch64.svcount\")") == 0;
    LLVMDisposeMessage(text);
    return !known;
}

/* As has_no_place, of what is in memory. */
static int has_no_memory(LLVMTypeRef type, const void *arg) {
    return LLVMGetTypeKind(type) == LLVMX86_AMXTypeKind || has_no_place(type, arg);
}

/* Refuses TYPE, of WHAT of F (NULL: of the module), if the test finds it. */
static sm_status check_type_admission(struct compile *c, LLVMValueRef f, LLVMTypeRef type, type_test *test,
                                      const char *what) {
    if (!type_holds(type, test, c))
        return SM_OK;
    char *text = LLVMPrintTypeToString(type);
    sm_status s =
        fail(c, SM_CODEGEN_FAILED, f, "%.200s has the type %.200s, which has no place on this target", what, text);
    LLVMDisposeMessage(text);
    return s;
}

/* Refuses a global whose type has no place in memory. */
static sm_status check_global_type(struct compile *c, LLVMValueRef g) {
    char what[240];
    snprintf(what, sizeof what, "The global @%.200s", value_name(g));
    return check_type_admission(c, NULL, LLVMGlobalGetValueType(g), has_no_memory, what);
}

/* Refuses parameters and results that have no place. Intrinsics have what they like. */
static sm_status check_signature(struct compile *c, LLVMValueRef f) {
    sm_status s =
        check_type_admission(c, f, LLVMGetReturnType(LLVMGlobalGetValueType(f)), has_no_place, "The result");
    for (unsigned i = 0; i < LLVMCountParams(f) && s == SM_OK; i++)
        s = check_type_admission(c, f, LLVMTypeOf(LLVMGetParam(f, i)), has_no_place, "A parameter");
    return s;
}

/* ---- Sizes -------------------------------------------------------------------------------------------------- */

enum {
    DATA_MAX = 512 << 20
}; /* bytes of globals that an object has: LLVM needs three times as many while it writes */

/* A * B, or all ones if that is more. */
static uint64_t times(uint64_t a, uint64_t b) {
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* A + B, or all ones if that is more. */
static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* How many bytes values of the type have: what LLVM says, but all ones where that overflows. */
static uint64_t size_of(LLVMTargetDataRef data, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind)
        return times(LLVMGetArrayLength2(type), size_of(data, LLVMGetElementType(type)));
    uint64_t sum = 0, size = LLVMABISizeOfType(data, type);
    for (unsigned i = 0; kind == LLVMStructTypeKind && i < LLVMCountStructElementTypes(type); i++)
        sum = plus(sum, size_of(data, LLVMStructGetTypeAtIndex(type, i)));
    return sum > size ? sum : size;
}

/* 1 if the object has the bytes of the global, and not only its size as of zeros in .bss. */
static int has_bytes(LLVMValueRef g) {
    LLVMValueRef content = LLVMIsDeclaration(g) ? NULL : LLVMGetInitializer(g);
    const char *section = LLVMGetSection(g);
    int is_zero = content && (LLVMIsNull(content) || LLVMIsUndef(content));
    if (section && section[0] && !starts_with(section, ".bss") && !starts_with(section, ".tbss"))
        return content != NULL;
    return content && (!is_zero || (LLVMIsGlobalConstant(g) && LLVMGetLinkage(g) != LLVMCommonLinkage));
}

/* 1 if the function F has the largest alignment, 2^32, of which LLVM's C API cuts off the upper bits. Only
 * where the input may have it (peek.c) are functions printed. */
static int has_largest_alignment(LLVMValueRef f) {
    if (LLVMGetAlignment(f))
        return 0;
    char *printed = LLVMPrintValueToString(f);
    const char *head = strstr(printed, "define ");
    size_t n = head ? strcspn(head, "\n") : 0;
    int result = head && memmem(head, n, LARGEST_ALIGNMENT, sizeof LARGEST_ALIGNMENT - 1);
    LLVMDisposeMessage(printed);
    return result;
}

/* Refuses functions whose alignments together are more than an object may have bytes. */
static sm_status check_alignments(struct compile *c) {
    uint64_t end = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        end += c->reading.largest_alignment && has_largest_alignment(f) ? UINT64_C(1) << 32 : LLVMGetAlignment(f);
        if (end > DATA_MAX)
            return fail(c, SM_OUTPUT_TOO_LARGE, f,
                        "With the alignment of this function the object would have more than %d MiB of data",
                        DATA_MAX >> 20);
    }
    return SM_OK;
}

/* The global's alignment. LLVM's C API cuts off the upper bits of the largest one, 2^32. */
static uint64_t alignment_of(LLVMTargetDataRef data, LLVMValueRef g) {
    unsigned low = LLVMPreferredAlignmentOfGlobal(data, g);
    return low ? low : UINT64_C(1) << 32;
}

/* Refuses globals of more bytes together than an object may have. */
static sm_status check_sizes(struct compile *c) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    uint64_t end = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g))
            continue;
        uint64_t size = has_bytes(g) ? size_of(data, LLVMGlobalGetValueType(g)) : 0; /* a section begins aligned */
        end = plus(plus(end, alignment_of(data, g)), size);
        if (end > DATA_MAX)
            return fail(c, SM_OUTPUT_TOO_LARGE, NULL,
                        "With the %llu bytes of the global @%.200s, aligned to %llu, the object would have more than "
                        "%d MiB of data. Zeros that are no constant, and in no section, take no room",
                        (unsigned long long)size, value_name(g), (unsigned long long)alignment_of(data, g),
                        DATA_MAX >> 20);
    }
    return SM_OK;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

/* Sections that are made by LLVM, smd or ELF itself: bytes of others among theirs make them unreadable. */
static const char *const own_sections[] = {SM_STACKMAP_SECTION, SM_FAULTMAP_SECTION, SM_COMPACT_SECTION,
                                           SM_TYPES_SECTION,    ".symtab",           ".strtab",
                                           ".shstrtab",         ".symtab_shndx",     NULL};
static const char *const own_symbols[] = {"__LLVM_StackMaps", "__LLVM_FaultMaps", "__smd_maps", "__smd_gcmaps", NULL};

/* 1 if the list has the name. */
static int is_in(const char *const *list, const char *name) {
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return 1;
    return 0;
}

/* 1 if the definition has a name that a table of a gcroot strategy could have (gcmap.h). */
static int may_be_table(const char *name, const char *section) {
    return (starts_with(name, "caml") && strstr(name, "__frametable")) || starts_with(name, "__gc_") ||
           (section && strcmp(section, ".note.gc") == 0);
}

/* Refuses a definition whose section or symbol is a table's. Notes one that may be. */
static sm_status check_names_admission(struct compile *c, LLVMValueRef v) {
    const char *name = value_name(v), *symbol = name[0] == 1 ? name + 1 : name;
    const char *section = LLVMIsAGlobalAlias(v) || LLVMIsAGlobalIFunc(v) ? NULL : LLVMGetSection(v);
    LLVMValueRef f = LLVMIsAFunction(v) ? v : NULL;
    if (LLVMIsDeclaration(v))
        return SM_OK;
    c->reading.names_tables |= may_be_table(symbol, section);
    if (c->final && section && strcmp(section, SM_TYPES_SECTION) == 0) /* smd has put it there */
        c->reading.names_tables = 1;
    else if (section && is_in(own_sections, section))
        return fail(c, SM_CODEGEN_FAILED, f,
                    "@%.200s is in the section %s, which is the compiler's own: name another", name, section);
    if (is_in(own_symbols, symbol) || is_in(own_sections, symbol))
        return fail(c, SM_CODEGEN_FAILED, f, "The name @%.200s is the compiler's own: give another", symbol);
    return SM_OK;
}

/* ---- Assembly ----------------------------------------------------------------------------------------------- */

enum { FILE_MAX = 1000000, WORD = 200 };

/* A statement of assembly: its first word, and what follows. */
struct statement {
    char word[40];
    const char *rest;
    size_t len;
};

/* Takes the next statement of the text. 0 if there is none. Statements end at a line's end or a semicolon; one within
 * a string cuts that, which leaves its first word as it is. */
static int next_statement(const char **at, const char *end, struct statement *s) {
    while (*at < end && (isspace((unsigned char)**at) || **at == ';'))
        ++*at;
    if (*at == end)
        return 0;
    const char *stop = *at;
    while (stop < end && *stop != '\n' && *stop != ';')
        stop++;
    size_t n = 0;
    while (*at < stop && !isspace((unsigned char)**at)) {
        if (n + 1 < sizeof s->word)
            s->word[n++] = (char)tolower((unsigned char)**at);
        ++*at;
    }
    s->word[n] = 0;
    s->rest = *at;
    s->len = (size_t)(stop - *at);
    *at = stop;
    return 1;
}

/* Why LLVM's assembler may not have the statement; NULL if it may. *NAME is what the sentence is about. */
static const char *why_refused(const struct statement *s, const char **name) {
    *name = s->word;
    if (strcmp(s->word, ".pseudoprobe") == 0)
        return "which LLVM 19 crashes over";
    if (strcmp(s->word, ".file") == 0 && strtoull(s->rest, NULL, 0) > FILE_MAX)
        return "with a number above a million";
    if (strcmp(s->word, ".section") == 0 || strcmp(s->word, ".pushsection") == 0)
        for (const char *const *section = own_sections; *section; section++)
            if (memmem(s->rest, s->len, *section, strlen(*section))) {
                *name = *section;
                return "a section of the compiler's own";
            }
    for (const char *const *symbol = own_symbols; *symbol; symbol++)
        if (strncmp(s->word, *symbol, strlen(*symbol)) == 0 && strchr(":=", s->word[strlen(*symbol)])) {
            *name = *symbol;
            return "a symbol of the compiler's own";
        }
    return NULL;
}

/* The next word of the text, of letters that symbols have. */
static const char *symbol_at(const char **at, const char *end, size_t *len) {
    while (*at < end && (isspace((unsigned char)**at) || **at == ','))
        ++*at;
    const char *begin = *at;
    while (*at < end && !isspace((unsigned char)**at) && **at != ',')
        ++*at;
    *len = (size_t)(*at - begin);
    return begin;
}

/* Refuses a ".weakref ALIAS, TARGET" whose target is the alias of another: LLVM follows a circle of them for ever. The
 * statements of the text are visited twice: first ALIASES gets all aliases. */
static sm_status check_weakrefs(struct compile *c, LLVMValueRef f, const char *text, size_t len, json_t *aliases,
                                int look_up) {
    struct statement s;
    const char *end = text + len;
    while (next_statement(&text, end, &s)) {
        size_t alias_len, target_len;
        const char *at = s.rest;
        if (strcmp(s.word, ".weakref") != 0)
            continue;
        const char *alias = symbol_at(&at, s.rest + s.len, &alias_len);
        const char *target = symbol_at(&at, s.rest + s.len, &target_len);
        if (!look_up)
            json_object_setn_new_nocheck(aliases, alias, alias_len, json_true());
        else if (json_object_getn(aliases, target, target_len))
            return fail(c, SM_CODEGEN_FAILED, f,
                        "The assembly has .weakref of %.*s, which is an alias by .weakref itself",
                        (int)(target_len < WORD ? target_len : WORD), target);
    }
    return SM_OK;
}

/* Refuses assembly that defines the compiler's own names, or over which the assembler crashes. F may be NULL. */
static sm_status check_assembly(struct compile *c, LLVMValueRef f, const char *text, size_t len) {
    struct statement s;
    const char *name, *begin = text, *end = text + len;
    c->reading.names_tables |= len > 0;
    int weakrefs = 0, frames = 0;
    while (next_statement(&text, end, &s)) {
        const char *why = why_refused(&s, &name);
        frames += (strcmp(s.word, ".cfi_startproc") == 0) - (strcmp(s.word, ".cfi_endproc") == 0);
        if (why)
            return fail(c, SM_CODEGEN_FAILED, f, "The assembly has %.40s, %s", name, why);
        weakrefs |= strcmp(s.word, ".weakref") == 0;
    }
    if (frames > 0 && !f)
        return fail(c, SM_CODEGEN_FAILED, f, "The assembly has .cfi_startproc without .cfi_endproc");
    if (!weakrefs)
        return SM_OK;
    json_t *aliases = json_object();
    check_weakrefs(c, f, begin, len, aliases, 0);
    sm_status status = check_weakrefs(c, f, begin, len, aliases, 1);
    json_decref(aliases);
    return status;
}

/* ---- Metadata ----------------------------------------------------------------------------------------------- */

/* What operands LLVM takes for granted, a letter for each: s: string, i: integer; "*" repeats what is before it. */
static const struct shape {
    const char *name, *operands;
} shapes[] = {
    {"llvm.linker.options", "s*"}, {"llvm.dependent-libraries", "s"},
    {"llvm.stats", "si*"},         {"llvm.pseudo_probe_desc", "iis"},
    {"llvm.ident", "s"},           {"llvm.commandline", "s"},
};

/* 1 if the operand is what the letter says. */
static int operand_is(LLVMValueRef v, char letter) {
    unsigned len;
    return v &&
           (letter == 's' ? LLVMIsAMDString(v) && LLVMGetMDString(v, &len) != NULL : LLVMIsAConstantInt(v) != NULL);
}

/* 1 if the node's operands are as the letters say. */
static int node_has_shape(LLVMValueRef node, const char *letters) {
    unsigned n = LLVMGetMDNodeNumOperands(node), period = (unsigned)strcspn(letters, "*"), fits = 1;
    if (letters[period] == '*' ? n % period != 0 : n != period)
        return 0;
    LLVMValueRef *operand = xcalloc(n + 1, sizeof *operand);
    LLVMGetMDNodeOperands(node, operand);
    for (unsigned i = 0; i < n && fits; i++)
        fits = operand_is(operand[i], letters[i % period]);
    free(operand);
    return (int)fits;
}

/* Refuses named metadata whose nodes are not as LLVM reads them. */
static sm_status check_named(struct compile *c, const struct shape *shape) {
    unsigned n = LLVMGetNamedMetadataNumOperands(c->module, shape->name);
    LLVMValueRef *node = xcalloc(n + 1, sizeof *node);
    LLVMGetNamedMetadataOperands(c->module, shape->name, node);
    unsigned fit = 0;
    while (fit < n && node_has_shape(node[fit], shape->operands))
        fit++;
    free(node);
    return fit == n ? SM_OK
                    : fail(c, SM_INVALID_MODULE, NULL, "!%s has a node that is not what LLVM reads there (%s)",
                           shape->name, shape->operands);
}

/* Refuses module flags that LLVM reads as integers and are none, and one whose tables ELF has no sections for. */
static sm_status check_flags(struct compile *c) {
    static const char integers[] =
        "PIC Level,PIE Level,Code Model,Large Data Threshold,uwtable,frame-pointer,cfguard,kcfi,kcfi-offset,"
        "cf-protection-return,cf-protection-branch,ibt-seal,RtLibUseGOT,Dwarf Version,DWARF64,Debug Info Version,"
        "CodeView,branch-target-enforcement,sign-return-address,sign-return-address-all,"
        "sign-return-address-with-bkey,guarded-control-stack,branch-protection-pauth-lr,override-stack-alignment,"
        "NumRegisterParameters,MaxTLSAlign,stack-protector-guard-offset,direct-access-external-data,wchar_size,"
        "EnableSplitLTOUnit,aarch64-elf-pauthabi-platform,aarch64-elf-pauthabi-version,SemanticInterposition,"
        "RegCallv4,SkipRaxSetup,ms-kernel";
    size_t count;
    sm_status s = SM_OK;
    LLVMModuleFlagEntry *flags = LLVMCopyModuleFlagsMetadata(c->module, &count);
    for (unsigned i = 0; i < count && s == SM_OK; i++) {
        char name[64];
        size_t len;
        const char *key = LLVMModuleFlagEntriesGetKey(flags, i, &len);
        snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : 0), key);
        LLVMMetadataRef metadata = LLVMModuleFlagEntriesGetMetadata(flags, i);
        LLVMValueRef node = LLVMMetadataAsValue(c->context, LLVMMDNodeInContext2(c->context, &metadata, 1)), value;
        LLVMGetMDNodeOperands(node, &value);
        if (list_has(integers, name, strlen(name)) && !operand_is(value, 'i'))
            s = fail(c, SM_INVALID_MODULE, NULL, "The module flag \"%s\" is no integer", name);
        else if (strcmp(name, "cfguard") == 0)
            s = fail(c, SM_CODEGEN_FAILED, NULL,
                     "The module flag \"cfguard\" asks for tables that only Windows has: leave it out");
    }
    LLVMDisposeModuleFlagsMetadata(flags);
    return s;
}

/* ---- Functions ---------------------------------------------------------------------------------------------- */

/* 1 if the value has no parts, as {} and [0 x i8]: no record can say where it is. */
static int is_empty(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind)
        return LLVMGetArrayLength2(type) == 0 || is_empty(LLVMGetElementType(type));
    if (kind != LLVMStructTypeKind)
        return 0;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (!is_empty(LLVMStructGetTypeAtIndex(type, i)))
            return 0;
    return 1;
}

/* Refuses values without parts among those that a record is to describe. */
static sm_status check_recorded(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    const char *intrinsic = intrinsic_name(call);
    int result = 0;
    struct operands deopt = call_operands(call, "deopt");
    for (unsigned i = deopt.first; i < deopt.end; i++)
        result |= is_empty(LLVMTypeOf(LLVMGetOperand(call, i)));
    for (unsigned i = 0; intrinsic && starts_with(intrinsic, "llvm.experimental.") && i < LLVMGetNumArgOperands(call);
         i++)
        result |= is_empty(LLVMTypeOf(LLVMGetOperand(call, i)));
    return result
               ? fail(c, SM_CODEGEN_FAILED, f,
                      "A value that the record of the call of %.200s is to describe is empty, as {} is: leave it out",
                      callee_name(call))
               : SM_OK;
}

/* Refuses a call that no pass can handle. */
static sm_status check_call_admission(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        size_t len;
        const char *text = LLVMGetInlineAsmAsmString(callee, &len);
        return check_assembly(c, f, text, len);
    }
    return check_recorded(c, f, call);
}

/* Refuses structs and arrays with parts of types that have no place in memory, and values of them. */
static sm_status check_operand(struct compile *c, LLVMValueRef f, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
        return check_type_admission(c, f, type, has_no_memory, "A value");
    if (kind == LLVMX86_AMXTypeKind || kind == LLVMTargetExtTypeKind)
        return check_type_admission(c, f, type, has_no_place, "A value");
    return SM_OK;
}

/* Refuses an instruction that no pass can handle. */
static sm_status check_instruction_admission(struct compile *c, LLVMValueRef f, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    sm_status s = check_operand(c, f, LLVMTypeOf(i));
    for (int k = 0; k < LLVMGetNumOperands(i) && s == SM_OK; k++)
        s = check_operand(c, f, LLVMTypeOf(LLVMGetOperand(i, (unsigned)k)));
    if (s != SM_OK)
        return s;
    if (opcode == LLVMCatchSwitch || opcode == LLVMCatchPad || opcode == LLVMCleanupPad)
        return fail(c, SM_CODEGEN_FAILED, f,
                    "catchswitch, catchpad and cleanuppad are for exceptions of Windows: use landingpad");
    if (opcode == LLVMAlloca && LLVMGetPointerAddressSpace(LLVMTypeOf(i)) != 0)
        return fail(c, SM_CODEGEN_FAILED, f,
                    "%%%.200s is an alloca in address space %u: the stack is in address space 0", value_name(i),
                    LLVMGetPointerAddressSpace(LLVMTypeOf(i)));
    if (opcode == LLVMAlloca)
        return check_type_admission(c, f, LLVMGetAllocatedType(i), has_no_place, "A stack slot");
    if (is_call(i))
        return check_call_admission(c, f, i);
    return SM_OK;
}

/* Refuses a naked function that uses a parameter: code generation gives it no value. */
static sm_status check_naked(struct compile *c, LLVMValueRef f) {
    if (!function_attribute(f, "naked"))
        return SM_OK;
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        if (LLVMGetFirstUse(LLVMGetParam(f, i)))
            return fail(c, SM_CODEGEN_FAILED, f,
                        "Parameter %u of this naked function is used, and LLVM gives it no value: read it in inline "
                        "assembly, where the calling convention has put it",
                        i + 1);
    return SM_OK;
}

/* Refuses a function that no pass can handle. */
static sm_status check_function_admission(struct compile *c, LLVMValueRef f) {
    sm_status s = check_names_admission(c, f);
    if (s == SM_OK && !LLVMGetIntrinsicID(f) && !starts_with(value_name(f), "llvm.gc.")) /* those are ours */
        s = check_signature(c, f);
    if (s == SM_OK)
        s = check_naked(c, f);
    for (LLVMValueRef i = first_instruction(f); i && s == SM_OK; i = instruction_after(i))
        s = check_instruction_admission(c, f, i);
    return s;
}

/* Refuses what no pass of LLVM's can handle. Requires the verified module as it came. */
sm_status admission_check(struct compile *c) {
    size_t len;
    const char *assembly = LLVMGetModuleInlineAsm(c->module, &len);
    sm_status s = check_assembly(c, NULL, assembly, len);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && s == SM_OK; i++)
        s = check_named(c, &shapes[i]);
    if (s == SM_OK)
        s = check_flags(c);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && s == SM_OK; g = LLVMGetNextGlobal(g)) {
        s = check_names_admission(c, g);
        if (s == SM_OK)
            s = check_global_type(c, g);
    }
    if (s == SM_OK)
        s = check_sizes(c);
    if (s == SM_OK)
        s = check_alignments(c);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(c->module); a && s == SM_OK; a = LLVMGetNextGlobalAlias(a))
        s = check_names_admission(c, a);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && s == SM_OK; f = LLVMGetNextFunction(f))
        s = check_function_admission(c, f);
    return s;
}
