/* throw.c - see throw.h. The tables are those of the Itanium C++ ABI (exception handling, level II), as LLVM writes
 * them into .gcc_except_table. */
#include "throw.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OMIT = 0xff, UDATA4 = 3, ULEB = 1 };

static uint64_t read_uleb(const unsigned char **p) {
    uint64_t v = 0;
    unsigned shift = 0;
    do
        v |= (uint64_t)(**p & 0x7f) << shift, shift += 7;
    while (*(*p)++ & 0x80);
    return v;
}

/* Reads a number of the table in its encoding, ULEB128 or four bytes, and moves *P after it. */
static uint64_t read_number(const unsigned char **p, unsigned encoding) {
    uint32_t v;
    if ((encoding & 0xf) == ULEB)
        return read_uleb(p);
    memcpy(&v, *p, sizeof v);
    *p += sizeof v;
    return v;
}

/* Where the call at OFFSET of the function lands; 0 if nowhere. CATCHES: it is more than clean-up. */
static uint64_t landing_pad(const unsigned char *table, uint64_t offset, int *catches) {
    const unsigned char *p = table;
    if (!p)
        return 0;
    p++; /* landing pads count from the function's start: LLVM always omits another base */
    if (*p++ != OMIT)
        read_uleb(&p);
    unsigned encoding = *p++;
    uint64_t len = read_uleb(&p);
    const unsigned char *end = p + len;
    while (p < end) {
        uint64_t start = read_number(&p, encoding), size = read_number(&p, encoding);
        uint64_t pad = read_number(&p, encoding);
        *catches = read_uleb(&p) != 0; /* which types: all */
        if (offset >= start && offset < start + size)
            return pad;
    }
    return 0;
}

/* A personality's work: finds the call's landing pad and goes there. In the search phase only pads that catch
 * count, or any if ALL. */
static _Unwind_Reason_Code handle(_Unwind_Action actions, int all, struct _Unwind_Exception *exception,
                                  struct _Unwind_Context *context) {
    int catches = 0;
    uint64_t start = _Unwind_GetRegionStart(context), ip = _Unwind_GetIP(context) - 1;
    uint64_t pad = landing_pad((const unsigned char *)_Unwind_GetLanguageSpecificData(context), ip - start, &catches);
    if (!pad)
        return _URC_CONTINUE_UNWIND;
    if (actions & _UA_SEARCH_PHASE)
        return all || catches ? _URC_HANDLER_FOUND : _URC_CONTINUE_UNWIND;
    _Unwind_SetGR(context, __builtin_eh_return_data_regno(0), (uintptr_t)exception);
    _Unwind_SetGR(context, __builtin_eh_return_data_regno(1), 0);
    _Unwind_SetIP(context, start + pad);
    return _URC_INSTALL_CONTEXT;
}

_Unwind_Reason_Code handle_all(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                               struct _Unwind_Exception *exception, struct _Unwind_Context *context) {
    (void)version, (void)class;
    return handle(actions, 1, exception, context);
}

_Unwind_Reason_Code handle_catches(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                   struct _Unwind_Exception *exception, struct _Unwind_Context *context) {
    (void)version, (void)class;
    return handle(actions, 0, exception, context);
}

/* Does nothing: an exception is its thread's, and not freed. */
static void release(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception) {
    (void)reason, (void)exception;
}

/* One for each thread: an exception is caught before the next is thrown. */
static _Thread_local struct _Unwind_Exception exception;

void throw_exception(void) {
    memset(&exception, 0, sizeof exception);
    memcpy(&exception.exception_class, "SMDMOVNG", 8);
    exception.exception_cleanup = release;
    _Unwind_RaiseException(&exception);
}
