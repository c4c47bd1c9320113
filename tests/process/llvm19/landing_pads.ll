; The relocations that the rewrite makes on a landing pad that is no token are no valid IR.
; COMMAND: opt-19 -S -disable-verify -passes=rewrite-statepoints-for-gc %s | opt-19 -disable-output -passes=verify
; FAULT: Intrinsic called with incompatible signature
declare void @g()
declare i32 @p(...)
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" personality ptr @p {
  invoke void @g() to label %normal unwind label %pad
normal:
  ret ptr addrspace(1) null
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret ptr addrspace(1) %a
}
