; A convention without places for arguments, or without a frame, gives wrong code and no message.
;--- anyregcc is for patchpoints
; RUN: safepoints=none opt={0,2} target=x86_64-linux-gnu
; STATUS: codegen_failed
; ERROR @program: Calling convention 13 of inner has no rules
declare void @collect()
declare anyregcc i64 @inner(i64, i64)
define i64 @program(i64 %n) gc "statepoint-example" {
  %r = call anyregcc i64 @inner(i64 %n, i64 3)
  ret i64 %r
}
;--- ghccc has no frame on AArch64
; RUN: safepoints=none opt={0,2} target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR @inner: calling convention 10 has no frame
; RUN: safepoints=none opt={0,2} target=x86_64-linux-gnu
; RESULT: 10 = 10
declare void @collect()
declare ptr addrspace(1) @allocate(i64, i64)
define internal ghccc i64 @inner(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  call void @collect()
  %n = load i64, ptr addrspace(1) %o
  ret i64 %n
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %r = call ghccc i64 @inner(ptr addrspace(1) %o)
  ret i64 %r
}
;--- no safepoint, no frame
; RUN: safepoints=none opt={0,2} target=aarch64-linux-gnu
; SAFEPOINTS: 0
define ghccc void @step(ptr addrspace(1) %o) gc "statepoint-example" {
  store i64 1, ptr addrspace(1) %o
  ret void
}
