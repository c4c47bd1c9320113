; Polls of smd's have the state of a mark that is before them, if nothing between the two has an effect.
;--- At the entry, in a loop, before the return; references in the state move.
; RUN: opt={0,1,2,3} safepoints=entry,backedge,return poll={call:collect,flag:flag:collect}
; SAFEPOINT @f reason=entry-poll: /"deopt":\[\{"kind":"constant","value":1,"size":8\}/
; SAFEPOINT @f reason=backedge-poll: /"deopt":\[\{"kind":"constant","value":2,"size":8\}/
; SAFEPOINT @f reason=return-poll: /"deopt":\[\{"kind":"constant","value":3,"size":8\}/
; IR-NOT: smd.gc.state
; UNDEFINED: collect
declare void @smd.gc.state()
define i64 @f(i64 %n, ptr addrspace(1) %o) gc "statepoint-example" {
  %slot = alloca i64
  call void @smd.gc.state() [ "deopt"(i64 1, i64 %n, ptr addrspace(1) %o) ]
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  store volatile i64 %i, ptr addrspace(1) %o
  call void @smd.gc.state() [ "deopt"(i64 2, i64 %next, ptr addrspace(1) %o) ]
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %v = load i64, ptr addrspace(1) %o
  call void @smd.gc.state() [ "deopt"(i64 3, i64 %v) ]
  ret i64 %v
}
;--- With page polls, and with references in registers.
; RUN: opt={1,2} safepoints=backedge poll={page:the_page,call:collect} gc_registers={0,4}
; SAFEPOINT @f reason=backedge-poll: /"deopt":\[\{"kind":"constant","value":2,"size":8\}/
declare void @smd.gc.state()
define void @f(i64 %n, ptr addrspace(1) %o) gc "statepoint-example" {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  store volatile i64 %i, ptr addrspace(1) %o
  call void @smd.gc.state() [ "deopt"(i64 2, i64 %next, ptr addrspace(1) %o) ]
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
;--- A store behind the mark would be done twice.
; RUN: opt={0,2} safepoints=backedge poll=call:collect
; SAFEPOINT @f reason=backedge-poll: "deopt":[]
; REMARKS: 0 of 1 poll(s) have the state of a mark
declare void @smd.gc.state()
define void @f(i64 %n, ptr addrspace(1) %o) gc "statepoint-example" {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  call void @smd.gc.state() [ "deopt"(i64 2, i64 %next, ptr addrspace(1) %o) ]
  store volatile i64 %i, ptr addrspace(1) %o
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
;--- Inlined, a mark's state is behind that of the call, as that of each call is.
; RUN: opt={1,2,3} safepoints=backedge poll=flag:flag:collect
; SAFEPOINT @outer reason=backedge-poll: /"frames":\[\{"method":1,"bytecode":11,"values":\[\{[^{}]*\}\]\},\{"method":2,"bytecode":22,"values":\[\]\}\]/
declare void @smd.gc.state()
define internal void @inner(i64 %n, ptr addrspace(1) %o) alwaysinline gc "statepoint-example" {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  store volatile i64 %i, ptr addrspace(1) %o
  call void @smd.gc.state() [ "deopt"(i64 6002528945793269760, i64 2, i64 22) ]
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define void @outer(i64 %n, ptr addrspace(1) %o) gc "statepoint-example" {
  call void @inner(i64 %n, ptr addrspace(1) %o) [ "deopt"(i64 6002528945793269761, i64 1, i64 11, ptr addrspace(1) %o) ]
  ret void
}
;--- Without polls, and without a strategy, a mark is nothing.
; RUN: opt={0,2} safepoints=none
; SAFEPOINTS: 0
; IR-NOT: smd.gc.state
declare void @smd.gc.state()
define void @f(i64 %n) gc "statepoint-example" {
  call void @smd.gc.state() [ "deopt"(i64 %n) ]
  ret void
}
define void @g(i64 %n) {
  call void @smd.gc.state() [ "deopt"(i64 %n) ]
  ret void
}
;--- A mark without a state.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: A call of smd.gc.state has no state
declare void @smd.gc.state()
define void @f() gc "statepoint-example" {
  call void @smd.gc.state()
  ret void
}
;--- A mark of another type.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR: smd.gc.state is a declared function
declare i32 @smd.gc.state()
define void @f() gc "statepoint-example" {
  call i32 @smd.gc.state() [ "deopt"(i64 1) ]
  ret void
}
;--- References in the state are the objects' after a collection at each poll.
; RUN: opt={0,1,2,3} safepoints=entry,backedge poll=call:collect
; RESULT: 9 = 36
declare void @smd.gc.state()
declare ptr addrspace(1) @allocate(i64, i64)
define i64 @program(i64 %n) gc "statepoint-example" {
  call void @smd.gc.state() [ "deopt"(i64 1, i64 %n) ]
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 0, ptr addrspace(1) %o
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = load i64, ptr addrspace(1) %o
  %new = add i64 %sum, %i
  store i64 %new, ptr addrspace(1) %o
  %next = add i64 %i, 1
  call void @smd.gc.state() [ "deopt"(i64 2, i64 %next, ptr addrspace(1) %o) ]
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}
;--- What writes no memory may stand between the two.
; RUN: opt={0,2} safepoints=backedge poll=call:collect
; SAFEPOINT @f reason=backedge-poll: /"deopt":\[\{"kind":"constant","value":2,"size":8\}/
declare void @smd.gc.state()
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare i64 @length(ptr addrspace(1)) memory(read) nounwind willreturn "gc-leaf-function"
define i64 @f(i64 %n, ptr addrspace(1) %o) gc "statepoint-example" {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %on ]
  store volatile i64 %i, ptr addrspace(1) %o
  call void @smd.gc.state() [ "deopt"(i64 2, i64 %i, ptr addrspace(1) %o) ]
  %sum = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %i, i64 1)
  %next = extractvalue { i64, i1 } %sum, 0
  %more = extractvalue { i64, i1 } %sum, 1
  br i1 %more, label %done, label %on
on:
  %l = call i64 @length(ptr addrspace(1) %o)
  %c = icmp eq i64 %l, %n
  br i1 %c, label %done, label %loop
done:
  ret i64 %next
}
