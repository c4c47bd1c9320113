; Behind calls that come back, invokes as well; neither behind polls nor where nothing follows.
;--- call void @g()
; RUN: safepoints=postcall opt={0,1,2,3}
; SAFEPOINTS reason=postcall-poll: 2
; SAFEPOINTS reason=call: 2
; RUN: safepoints=precall,postcall,loop,return opt={0,1,2,3}
; SAFEPOINTS reason=precall-poll: 2
; SAFEPOINTS reason=postcall-poll: 2
; SAFEPOINTS reason=return-poll: 1
; RUN: safepoints=postcall stackmap_format=compact
; SAFEPOINTS reason=postcall-poll: 2
; RUN: stackmap_format=compact
; STACKMAP=1: "format":"compact"
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  call void @g()
  ret ptr addrspace(1) %p
}
;--- invoke void @g() to label %on unwind label %pad
; RUN: safepoints=postcall opt={0,1,2,3}
; SAFEPOINTS reason=postcall-poll: 1
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
declare void @end() noreturn
declare i32 @handler(...)
define void @i(i1 %c) gc "statepoint-example" personality ptr @handler {
  invoke void @g() to label %on unwind label %pad
on:
  br i1 %c, label %fine, label %bad
fine:
  ret void
bad:
  call void @end()
  unreachable
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}
