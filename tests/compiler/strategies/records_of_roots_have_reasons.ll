; Each record says why it is there and what is called, though one function polls for several
; reasons.
;--- define void @f(ptr %a, i64 %n) gc "ocaml" {
; RUN: opt={0,1,2,3} poll=call:stop safepoints=entry,backedge,return
; STACKMAP=1: "reason":"entry-poll","callee":"stop"
; STACKMAP=1: "reason":"backedge-poll","callee":"stop"
; STACKMAP=1: "reason":"return-poll","callee":"stop"
; STACKMAP=1: "reason":"call","callee":"use"
; STACKMAP=1: "reason":"call","callee":"near"
; STACKMAP=1: "reason":"call","callee":"indirect"
; STACKMAP=6: "kind":"gcroot"
; RUN: opt={0,1,2,3} poll=flag:wanted:stop safepoints=precall
; STACKMAP=3: "reason":"precall-poll","callee":"stop"
; SAFEPOINTS reason=call: 3
; RUN: opt={0,1,2,3} poll=call:stop safepoints=postcall reloc=static
; STACKMAP=3: "reason":"postcall-poll","callee":"stop"
; RUN: opt={0,1,2,3} safepoints=none code_model=large
; SAFEPOINTS reason=call: 3
declare void @stop()
declare void @llvm.gcroot(ptr, ptr)
declare void @use(i64)
@code = external global ptr
define internal void @near(i64 %i) noinline {
  call void @use(i64 %i)
  ret void
}
define void @f(ptr %a, i64 %n) gc "ocaml" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  call void @use(i64 %i)
  call void @near(i64 %i)
  %to = load ptr, ptr @code
  call void %to(i64 %i)
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}
;--- define void @f(ptr %a, i64 %n) gc "erlang" {
; RUN: opt={0,1,2,3} poll=call:stop safepoints=entry,backedge,return
; STACKMAP=1: "reason":"entry-poll","callee":"stop"
; STACKMAP=1: "reason":"backedge-poll","callee":"stop"
; STACKMAP=1: "reason":"return-poll","callee":"stop"
; STACKMAP=1: "reason":"call","callee":"use"
; STACKMAP=1: "reason":"call","callee":"near"
; STACKMAP=1: "reason":"call","callee":"indirect"
; STACKMAP=6: "kind":"gcroot"
; RUN: opt={0,1,2,3} poll=flag:wanted:stop safepoints=precall
; STACKMAP=3: "reason":"precall-poll","callee":"stop"
; SAFEPOINTS reason=call: 3
; RUN: opt={0,1,2,3} poll=call:stop safepoints=postcall reloc=static
; STACKMAP=3: "reason":"postcall-poll","callee":"stop"
; RUN: opt={0,1,2,3} safepoints=none code_model=large
; SAFEPOINTS reason=call: 3
declare void @stop()
declare void @llvm.gcroot(ptr, ptr)
declare void @use(i64)
@code = external global ptr
define internal void @near(i64 %i) noinline {
  call void @use(i64 %i)
  ret void
}
define void @f(ptr %a, i64 %n) gc "erlang" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  call void @use(i64 %i)
  call void @near(i64 %i)
  %to = load ptr, ptr @code
  call void %to(i64 %i)
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}
