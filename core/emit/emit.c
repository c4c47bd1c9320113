/* emit.c - the module as object, assembly and IR. Requires a rewritten module; uses it up. Gives the object and its
 * decoded stackmap. */
#include "emit.h"
#include "deviations.h"
#include "emitting.h"
#include "gcroot.h"
#include "input.h"
#include "ir.h"
#include "llvm19.h"
#include "pagepoll.h"
#include "rewrite.h"
#include "stackmap_object.h"
#include "target.h"

/* How many values, constants aside, CALL gives to a stackmap or patchpoint; 0 if it is no call of one. */
static unsigned values_recorded(LLVMValueRef call) {
    unsigned n = 0;
    if (!is_intrinsic(call, "llvm.experimental.stackmap") && !is_intrinsic(call, "llvm.experimental.patchpoint."))
        return 0;
    for (unsigned i = 0, all = LLVMGetNumArgOperands(call); i < all; i++)
        n += !LLVMIsConstant(LLVMGetOperand(call, i));
    return n;
}

/* 1 if LLVM has reported that an instruction has more values than there are registers. It does not say where. */
static int ran_out_of_registers(const struct compile *c) {
    size_t i;
    json_t *d;
    json_array_foreach(c->diagnostics, i, d) {
        const char *message = json_string_value(json_object_get(d, "message"));
        if (message && strstr(message, "ran out of registers"))
            return 1;
    }
    return 0;
}

/* Says in which function registers ran out: at level 0, where no record of a stackmap or patchpoint is spilled, in
 * that of the record with the most values (LLVM's #56880). */
static void place_lack_of_registers(struct compile *c, LLVMModuleRef module) {
    LLVMValueRef most = NULL;
    if (!ran_out_of_registers(c))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            if (values_recorded(i) > (most ? values_recorded(most) : 0))
                most = i;
    if (most)
        fail(c, SM_CODEGEN_FAILED, function_of(most),
             "A call of %.200s has %u values, the most in the module: without optimisation LLVM 19 keeps each one in "
             "a register. Record fewer, or compile with opt=1 or more",
             intrinsic_name(most), values_recorded(most));
}

/* Generates code of MODULE, as object or assembly, in *OUT; fails if LLVM reports any error. The module is used
 * up. */
static sm_status emit_module(struct compile *c, LLVMModuleRef module, LLVMCodeGenFileType type,
                             LLVMMemoryBufferRef *out) {
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, module, type, &message, out)) {
        *out = NULL;
        fail(c, SM_CODEGEN_FAILED, NULL, "%s", message ? message : "code generation failed");
        LLVMDisposeMessage(message);
    }
    if (c->errors)
        place_lack_of_registers(c, module);
    if (c->errors && *out) {
        LLVMDisposeMemoryBuffer(*out); /* what came with an error is no result */
        *out = NULL;
    }
    return *out ? SM_OK : SM_CODEGEN_FAILED;
}

/* Prints PLAIN, the module without marks, to c->ir, with all that it takes to give the same object again. */
static sm_status emit_ir(struct compile *c, LLVMModuleRef plain) {
    char *text = LLVMPrintModuleToString(plain);
    uses_write(c->module, text, &c->ir);
    LLVMDisposeMessage(text);
    final_write(c, c->module, &c->ir);
    return xstatus(c->ir.status) == SM_OK ? SM_OK
                                          : fail(c, SM_OUTPUT_TOO_LARGE, NULL, "The IR is larger than the limit");
}

/* Generates assembly of MODULE into c->assembly. */
static sm_status emit_assembly(struct compile *c, LLVMModuleRef module) {
    LLVMMemoryBufferRef text;
    sm_status s = emit_module(c, module, LLVMAssemblyFile, &text);
    if (s != SM_OK)
        return s;
    sm_buf_put(&c->assembly, LLVMGetBufferStart(text), LLVMGetBufferSize(text));
    LLVMDisposeMemoryBuffer(text);
    return xstatus(c->assembly.status) == SM_OK
               ? SM_OK
               : fail(c, SM_OUTPUT_TOO_LARGE, NULL, "The assembly is larger than the limit");
}

/* Prints the IR, of a clone that has the module's own statepoint ids. *PLAIN is that clone, which the caller disposes
 * of; it stays NULL if no text is asked for. */
static sm_status print_ir(struct compile *c, LLVMModuleRef *plain) {
    if (!(c->options->emit & (SM_EMIT_IR | SM_EMIT_ASM | SM_EMIT_LINKS)))
        return SM_OK;
    *plain = LLVMCloneModule(c->module);
    sites_unmark(*plain);
    return c->options->emit & (SM_EMIT_IR | SM_EMIT_LINKS) ? emit_ir(c, *plain) : SM_OK;
}

/* Generates the assembly of PLAIN if it is asked for. After the object, as what LLVM emits in a context can change
 * what it emits later. */
static sm_status print_assembly(struct compile *c, LLVMModuleRef plain) {
    if (!(c->options->emit & SM_EMIT_ASM))
        return SM_OK;
    sm_status s = builtins_lower(c, plain);
    return s == SM_OK ? emit_assembly(c, plain) : s;
}

/* Opens the emitted object as ELF, and decodes its stackmap. */
static sm_status decode_object(struct compile *c) {
    struct emitted *e = &c->object;
    char why[200];
    sm_stackmap_error wrong = {0};
    sm_status s = sm_elf_open(&e->elf, e->bytes, e->len, why, sizeof why);
    if (s != SM_OK)
        return fail(c, unreadable_table(c, s), NULL, "The emitted object cannot be read: %s", why);
    s = sm_stackmap_of_object(&e->map, &e->elf, &wrong);
    return s == SM_OK
               ? s
               : fail(c, unreadable_table(c, s), NULL, "The emitted stackmap cannot be read: %s", wrong.message);
}

/* The section and offset of each page poll in the object, *COUNT of them; *new*. */
static sm_page_place *find_places_page(const struct compile *c, const sm_stackmap *m, size_t *count) {
    sm_page_place *place = xcalloc(m->records + 1u, sizeof *place);
    size_t n = 0;
    for (uint32_t f = 0; f < m->functions; f++)
        for (uint32_t i = 0; i < m->function[f].records; i++) {
            const sm_record *r = &m->record[m->function[f].record + i];
            if (r->id < c->sites && c->site[r->id].is_page)
                place[n++] = (sm_page_place){m->function[f].section_index, m->function[f].offset + r->offset};
        }
    *count = n;
    return place;
}

/* Writes the object with its page polls filled in: *BYTES, *new*, as many as before. */
static sm_status page_write(struct compile *c, const struct emitted *e, unsigned char **bytes) {
    size_t places;
    sm_page_place *place = find_places_page(c, &e->map, &places);
    sm_status s = xstatus(sm_page_write(&e->elf, place, places, bytes));
    free(place);
    return s == SM_OK ? s : fail(c, SM_INTERNAL, NULL, "The page polls cannot be written: %s", sm_status_text(s));
}

/* Frees the object and what was decoded of it. */
static void object_free(struct emitted *e) {
    sm_stackmap_free(&e->map);
    sm_elf_close(&e->elf);
    free(e->bytes);
    free(e->source);
}

/* Replaces the object by one with page polls, and decodes it anew. */
static sm_status add_page_polls(struct compile *c) {
    struct emitted *e = &c->object;
    unsigned char *bytes = NULL;
    size_t len = e->len;
    sm_status s = page_write(c, e, &bytes);
    if (s != SM_OK)
        return s;
    object_free(e);
    c->object = (struct emitted){.bytes = bytes, .len = len};
    return decode_object(c);
}

/* Generates the object of the entire module in this thread. */
static sm_status emit_unsplit(struct compile *c) {
    struct emitted *e = &c->object;
    LLVMMemoryBufferRef buffer;
    sm_status s = emit_module(c, c->module, LLVMObjectFile, &buffer);
    if (s != SM_OK)
        return s;
    e->len = LLVMGetBufferSize(buffer);
    e->bytes = xmalloc(e->len);
    memcpy(e->bytes, LLVMGetBufferStart(buffer), e->len);
    LLVMDisposeMemoryBuffer(buffer);
    return SM_OK;
}

/* Generates the object, in parts if that is possible, decodes its stackmap, and puts the module's own ids back. */
static sm_status emit_object(struct compile *c) {
    struct emitted *e = &c->object;
    sm_status s = parts_emit(c, &e->bytes, &e->len) ? SM_OK : emit_unsplit(c);
    if (s == SM_OK)
        s = decode_object(c);
    if (s == SM_OK && c->page)
        s = add_page_polls(c);
    if (s == SM_OK)
        s = slot_pointers_write(c);
    size_t section = s == SM_OK ? sm_elf_find(&e->elf, ".llvm_stackmaps", 0) : 0;
    if (section)
        sites_restore(c, e->bytes + (e->elf.section[section].bytes.data - e->bytes), &e->map);
    return s;
}

/* 1 if the two objects have the same bytes, before any later change by smd (source). */
int emit_same(const struct emitted *a, const struct emitted *b) {
    const unsigned char *x = a->source ? a->source : a->bytes, *y = b->source ? b->source : b->bytes;
    size_t n = a->source ? a->source_len : a->len;
    return n == (b->source ? b->source_len : b->len) && memcmp(x, y, n) == 0;
}

/* Numbers the safepoints, emits object and assembly, reads the links back, and notes whether LLVM may have failed to
 * merge statepoints. PLAIN: see print_ir. */
static sm_status emit_all(struct compile *c, LLVMModuleRef plain) {
    sm_status s;
    links_prepare(c);
    root_sites_prepare(c);
    sites_number(c);
    if ((s = marks_check_left(c)) != SM_OK || (s = builtins_lower(c, c->module)) != SM_OK)
        return s;
    skip_passes(c);
    if ((s = emit_object(c)) != SM_OK || (s = deopt_state_check(c)) != SM_OK ||
        (s = print_assembly(c, plain)) != SM_OK)
        return s;
    links_read(c);
    c->merge_candidates =
        !c->joined && c->options->opt != SM_OPT_0 && merge_candidates_exist(c); /* at level 0 nothing is merged */
    return SM_OK;
}

/* With unwind=always, gives every function a complete entry in .eh_frame, by which frames are walked: helpers too,
 * whose frames lie between those with records, and for each instruction, as samplers and page polls interrupt
 * anywhere. */
static void unwind_tables(struct compile *c) {
    enum { EVERY_INSTRUCTION = 2 }; /* llvm::UWTableKind::Async */
    if (c->options->unwind != SM_UNWIND_ALWAYS)
        return;
    unsigned kind = attribute_kind("uwtable");
    LLVMAttributeRef uwtable = LLVMCreateEnumAttribute(c->context, kind, EVERY_INSTRUCTION);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, uwtable);
}

/* Emits all that is asked for of the rewritten module, and uses that up. */
sm_status stage_emit(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    LLVMModuleRef plain = NULL;
    sm_status s = lowering_check(c);
    if (s == SM_OK)
        s = scalable_frames(c);
    if (s != SM_OK)
        return s;
    int as_read = beyond_opt(c) && !c->final; /* a final one was read with its order */
    unwind_tables(c);
    flags_set_for_module(c);
    if (as_read)
        uses_as_read(c->module);
    if ((s = print_ir(c, &plain)) != SM_OK)
        goto out;
    if (as_read && plain)
        uses_as_read(plain);
    s = emit_all(c, plain);
out:
    if (plain)
        LLVMDisposeModule(plain);
    return s;
}

void emit_free(struct compile *c) {
    object_free(&c->object);
    links_free(c);
    sites_free(c);
}
