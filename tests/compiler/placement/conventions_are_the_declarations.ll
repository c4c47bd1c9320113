; What smd calls for a collector is called as the module declares it: a runtime's binary interface.
;--- br label %loop
; RUN: opt={0,1,2,3} safepoints=entry,backedge poll={call:stop,flag:asked:stop}
; STACKMAP=2: "calling_convention":{"id":14,"name":"preserve_mostcc"}
declare preserve_mostcc void @stop()
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- %v = load ref, ref %o
; RUN: opt={0,1,2,3} safepoints=none barriers=auto barrier=load:heal:1
; STACKMAP=1: "calling_convention":{"id":14,"name":"preserve_mostcc"}
declare preserve_mostcc ptr addrspace(1) @heal(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load ptr addrspace(1), ptr addrspace(1) %o
  ret ptr addrspace(1) %v
}
;--- call void @g() [ "gc-transition"() ]
; RUN: opt={0,1,2,3} safepoints=none
; STACKMAP=1: "calling_convention":{"id":14,"name":"preserve_mostcc"}
declare preserve_mostcc void @gc.transition_enter()
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"() ]
  ret void
}
;--- declare preserve_mostcc void @stop()
; RUN: opt={0,1,2,3} safepoints=entry poll=call:stop
; IR=1: call preserve_mostcc void @stop()
declare preserve_mostcc void @stop()
declare void @g(ptr)
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %p) gc "ocaml" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %p, ptr %r
  call void @g(ptr %p)
  ret void
}
;--- fast
; RUN: opt={0,1,2,3} safepoints=entry
; IR=1: call fastcc void @gc.safepoint_poll()
declare fastcc void @gc.safepoint_poll()
declare void @g(ptr)
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %p) gc "ocaml" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %p, ptr %r
  call void @g(ptr %p)
  ret void
}
