/* ir.h - what is asked of one value or type of LLVM's. Names are borrowed, and end with a zero. */
#ifndef CORE_IR_H
#define CORE_IR_H

#include <llvm-c/Core.h>

int starts_with(const char *text, const char *prefix);

/* Of any value: 0, NULL or "" if it is none such. */
int is_call(LLVMValueRef v);                          /* call, invoke, callbr */
const char *called_function(LLVMValueRef v);          /* whom it calls; "" if that is not known */
const char *intrinsic_name(LLVMValueRef v);           /* "llvm.…" */
int is_intrinsic(LLVMValueRef v, const char *prefix); /* the name begins so */
int is_statepoint(LLVMValueRef v);
int is_relocate(LLVMValueRef v);
int is_result(LLVMValueRef v);
/* The first instruction of the block that is no phi, or neither phi nor landing pad; NULL if it has none such yet. */
LLVMValueRef past_phis(LLVMBasicBlockRef block);
LLVMValueRef past_pads(LLVMBasicBlockRef block);
int is_memory_copy(LLVMValueRef v); /* llvm.memcpy, llvm.memmove; not element by element */
int is_null(LLVMValueRef v);        /* and so never becomes old */

const char *value_name(LLVMValueRef v);
int is_other_name(LLVMModuleRef m, const char *name); /* of an alias or ifunc, which stands for what is elsewhere */

/* Of calls. */
const char *target_name(LLVMValueRef target); /* for messages: what is called */
const char *callee_name(LLVMValueRef call);   /* likewise, of a call */
int is_musttail(LLVMValueRef call);
int is_leaf_call(LLVMValueRef call);         /* it says so itself: "gc-leaf-function" */
int is_leaf_function(LLVMValueRef function); /* its attributes say so of all calls of it */
int argument_has(LLVMValueRef call, unsigned index,
                 const char *attribute); /* the call's argument, or the callee's parameter */

#define LEAF_ATTRIBUTE "gc-leaf-function" /* LLVM's, of calls and functions: no statepoint is made of them */

/* What V was stepped or cast from, by instructions of these kinds. Where nothing is reached, a value may be made of
 * itself: a walk in such a circle ends somewhere in it. */
enum { BY_GEP = 1, BY_BITCAST = 2, BY_SPACE_CAST = 4, BY_FREEZE = 8 };
LLVMValueRef stepped_from(LLVMValueRef v, unsigned kinds);

/* 1 if the type is or contains, at any depth, one that is no aggregate and that the test finds. */
typedef int type_test(LLVMTypeRef type, const void *arg);
int type_holds(LLVMTypeRef type, type_test *is_wanted, const void *arg);
int holds_pointer(LLVMTypeRef type);        /* 1 if it is or contains a pointer of any space */
int holds_reference(LLVMTypeRef type);      /* 1 if it is or contains a GC pointer, at any depth */
LLVMTypeRef element_type(LLVMTypeRef type); /* of a vector; of another type, that type */
int is_address_wide(LLVMTypeRef type); /* it, or the elements of a vector: pointers, or integers of 64 bits or more */
int is_pointer(LLVMValueRef v);        /* or a vector of them */
int is_reference(LLVMValueRef v);      /* likewise of GC pointers */

/* attributes.c: those that are text, of a function and of a call; NULL if it has none */
LLVMAttributeRef text_attribute(LLVMValueRef f, const char *name);
LLVMAttributeRef call_attribute(LLVMValueRef call, const char *name);
void set_text_attribute(LLVMContextRef context, LLVMValueRef f, const char *name, const char *value);
/* What the code for the processor, and the calling convention, depend on; a function of ours gets them from its
 * caller. */
enum { CODE_ATTRIBUTES = 10 };
extern const char *const code_attributes[CODE_ATTRIBUTES];
void copy_processor(LLVMValueRef from, LLVMValueRef to, LLVMContextRef context_of_to);
void set_call_attribute(LLVMContextRef context, LLVMValueRef call, const char *name, const char *value);
/* What it may read (the lower bit) and write (the higher one) of each kind of memory, by the attribute "memory": the
 * lowest two bits are of its arguments, then of inaccessible memory, then of all other. A call says it, or its callee. */
unsigned long long effects_of_function(LLVMValueRef f);
unsigned long long effects_of_call(LLVMValueRef call);
/* CALL, which smd built of F, passes what F is declared to take, and where: F's convention, and what its parameters
 * say. */
void call_as_declared(LLVMValueRef call, LLVMValueRef f);
/* Gives the arguments of CALL, of F, what F's parameters say of where and how they are passed: code generation
 * looks for it at the callee of a call as well, but a statepoint has only what its call has. 1 if something was
 * not there. */
int arguments_as_declared(LLVMValueRef call, LLVMValueRef f);

#endif
