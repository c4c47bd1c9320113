/* throw.h - exceptions of managed code: thrown by the runtime, caught by the next landing pad. */
#ifndef THROW_H
#define THROW_H

#include <unwind.h>

/* Unwinds to the caller's handler; returns only if there is none. */
void throw_exception(void);

/* The personality of managed functions: every landing pad is a handler. */
_Unwind_Reason_Code handle_all(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                               struct _Unwind_Exception *exception, struct _Unwind_Context *context);

/* The same for functions that clean up and unwind on: only pads that catch are handlers. */
_Unwind_Reason_Code handle_catches(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                   struct _Unwind_Exception *exception, struct _Unwind_Context *context);

/* What LLVM gives shadow-stack functions: it runs their clean-up. From the C compiler's runtime. */
_Unwind_Reason_Code __gcc_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                         struct _Unwind_Exception *exception, struct _Unwind_Context *context);

#endif
