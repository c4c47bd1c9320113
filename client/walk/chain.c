/* chain.c - the entries of a thread from managed code that have not returned, innermost first. */
#include "chain.h"

#include <unwind.h>

_Thread_local sm_registers *entry_chain __attribute__((tls_model("initial-exec")));

_Unwind_Reason_Code entry_left(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                               struct _Unwind_Exception *exception, struct _Unwind_Context *context);

/* The personality of the stubs' frames: an exception passes through one, which will not return. */
_Unwind_Reason_Code entry_left(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                               struct _Unwind_Exception *exception, struct _Unwind_Context *context) {
    (void)version, (void)class, (void)exception, (void)context;
    if (actions & _UA_CLEANUP_PHASE && entry_chain)
        entry_chain = entry_chain->previous;
    return _URC_CONTINUE_UNWIND;
}

sm_registers *sm_chain_get(void) {
    return entry_chain;
}

/* Sets the innermost entry of this thread. */
void sm_chain_set(sm_registers *innermost) {
    entry_chain = innermost;
}
