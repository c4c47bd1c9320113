; Polls that smd writes.
;--- gc.safepoint_poll
; RUN: poll=call:arrive
; SAFEPOINTS callee=arrive: 2
; META=1: "reproduce":"smc compile --quiet --ir=- --target=
; RUN: poll=flag:wanted:arrive
; SAFEPOINTS @f callee=arrive: 2
; SAFEPOINTS @smd.poll.slow callee=arrive: 1
; RUN: poll=flag:wanted:arrive
; IR=2: load volatile i8, ptr @wanted
; IR=2: call preserve_mostcc token
; RUN: poll=flag:wanted:arrive safepoints=none
; IR-NOT: smd.poll.slow
; RUN: poll=flag:wanted:arrive opt=0
; IR-NOT: smd.poll.slow
; RUN: poll=flag:wanted:arrive gc_registers=4
; SAFEPOINTS @smd.poll.slow callee=arrive: 1
; RUN: poll=flag:wanted:arrive gc_registers=4 unwind=module
; IR-NOT: smd.poll.slow
; RUN:
; STATUS: missing_safepoint_poll
; ERROR: gc.safepoint_poll
; RUN: poll=call
; STATUS: invalid_option
; ERROR: call:SYMBOL
; RUN: poll=flag:only
; STATUS: invalid_option
; ERROR: flag:SYMBOL:SLOW
; RUN: poll={page,page:a:b}
; STATUS: invalid_option
; ERROR: page:SYMBOL
; RUN: poll={tls,tls:a,tls:a:4,tls:a:8:b,tls:a:-8,tls:a:0x8,tls:a:8x,tls:a:1048584,tls:a:18446744073709551624}
; STATUS: invalid_option
; ERROR: tls:SYMBOL:OFFSET (bytes, a multiple of 8, at most 1048576)
; RUN: poll={call:llvm.donothing,flag:wanted:llvm.trap,page:llvm.used,tls:llvm.used:0}
; STATUS: safepoint_poll_conflict
; ERROR: LLVM's own
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
;--- of its own
; RUN: poll={call:arrive,page:a_page}
; STATUS: safepoint_poll_conflict
; ERROR: of its own
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
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
;--- void()
; RUN: poll=call:arrive
; STATUS: safepoint_poll_conflict
; ERROR: void()
@arrive = global i8 0
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
;--- i8
; RUN: poll=flag:wanted:arrive
; STATUS: safepoint_poll_conflict
; ERROR: i8
declare void @wanted()
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
;--- a variable
; RUN: poll=page:a_page
; STATUS: safepoint_poll_conflict
; ERROR: a variable
declare void @a_page()
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
;--- at one address
; RUN: poll=page:a_page
; STATUS: safepoint_poll_conflict
; ERROR: at one address
@a_page = external thread_local global i8
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
;--- @a_page = external addrspace(3) global i8
; RUN: poll=page:a_page
; STATUS: safepoint_poll_conflict
; ERROR: at one address
@a_page = external addrspace(3) global i8
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
