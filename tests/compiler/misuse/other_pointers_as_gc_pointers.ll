; LLVM's rewrite finds no base of them, and dies of some: the address of a slot, the result of an
; atomicrmw.
;--- %s is a pointer of another address space
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: %s is a pointer of another address space, cast into a GC pointer, and is given to the call of take
declare void @take(ptr addrspace(1))
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r) gc "statepoint-example" {
  %x = load ptr, ptr %p
  %s = addrspacecast ptr %x to ptr addrspace(1)
  call void @take(ptr addrspace(1) %s)
  ret ptr addrspace(1) null
}
;--- %s is a pointer of another address space
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: %s is a pointer of another address space, cast into a GC pointer, and stays alive across the call of g
declare void @g()
declare ptr @make()
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r) gc "statepoint-example" {
  %x = call ptr @make()
  %s = addrspacecast ptr %x to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %s
}
;--- %x = atomicrmw xchg ptr %p, ptr %p seq_cst
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: %s is a pointer of another address space, cast into a GC pointer, and is given to the call of take
declare void @take(ptr addrspace(1))
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r) gc "statepoint-example" {
  %x = atomicrmw xchg ptr %p, ptr %p seq_cst
  %s = addrspacecast ptr %x to ptr addrspace(1)
  call void @take(ptr addrspace(1) %s)
  ret ptr addrspace(1) null
}
;--- call void @g()
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: %s is a pointer of another address space, cast into a GC pointer, and stays alive across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r) gc "statepoint-example" {
  %x = atomicrmw xchg ptr %p, ptr %p seq_cst
  %s = addrspacecast ptr %x to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %s
}
;--- %s is the address of a stack slot
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: %s is the address of a stack slot
declare void @take(ptr addrspace(1))
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r) gc "statepoint-example" {
  %x = alloca i64
  %s = addrspacecast ptr %x to ptr addrspace(1)
  call void @take(ptr addrspace(1) %s)
  ret ptr addrspace(1) null
}
;--- %x = addrspacecast ref %r to ptr
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "statepoint"
declare void @g()
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r) gc "statepoint-example" {
  %x = addrspacecast ptr addrspace(1) %r to ptr
  %s = addrspacecast ptr %x to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %s
}
;--- store i64 1, ref %s
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "statepoint"
declare void @g()
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q, ptr addrspace(1) %r) gc "statepoint-example" {
  %x = load ptr, ptr %p
  %s = addrspacecast ptr %x to ptr addrspace(1)
  store i64 1, ptr addrspace(1) %s
  call void @g()
  ret ptr addrspace(1) null
}
;--- %x = atomicrmw xchg ptr %p, ptr addrspace(3) %q seq_cst
; RUN: safepoints=none opt=0
; STATUS: cannot_rewrite
; ERROR: %s is a pointer of another address space, cast into a GC pointer, and stays alive across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr %p, ptr addrspace(3) %q) gc "statepoint-example" {
  %x = atomicrmw xchg ptr %p, ptr addrspace(3) %q seq_cst
  %s = addrspacecast ptr addrspace(3) %x to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %s
}
