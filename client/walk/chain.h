/* chain.h - what the entry stubs (entry_x86_64.S, entry_aarch64.S) have to do with C. */
#ifndef CHAIN_H
#define CHAIN_H

#include "smclient.h"

/* The thread's innermost entry that has not returned; each links to the one outside of it. The stubs set it. */
extern _Thread_local sm_registers *entry_chain __attribute__((tls_model("initial-exec")));

#endif
