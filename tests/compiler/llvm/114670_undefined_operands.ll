; Undefined and frozen values among the arguments, the state and the results of statepoints: code generation for AArch64 met
; a value that it took for defined (#114670).
; RUN: opt={0,1,2,3} safepoints=none
; SAFEPOINTS @widget: 3
; ROOTS @widget: 0 1 1
; DEOPTS @widget: 0 4 2
; READOBJ: agrees
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare ptr addrspace(1) @llvm.experimental.gc.result.p1(token)
declare void @g(ptr addrspace(1))
declare ptr addrspace(1) @h(ptr addrspace(1))
define i64 @widget(i64 %arg, i1 %c) gc "statepoint-example" {
bb:
  %call = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (ptr addrspace(1))) @g, i32 1, i32 0, ptr addrspace(1) null, i32 0, i32 0)
  %call2 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(ptr addrspace(1) (ptr addrspace(1))) @h, i32 1, i32 0, ptr addrspace(1) null, i32 0, i32 0) [ "deopt"(i64 %arg, i64 poison, i32 undef, ptr addrspace(1) undef) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.result.p1(token %call2)
  %fr = freeze i64 undef
  %x = and i64 %fr, %arg
  %call3 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (ptr addrspace(1))) @g, i32 1, i32 0, ptr addrspace(1) %r, i32 0, i32 0) [ "deopt"(i64 %x, i64 %fr), "gc-live"(ptr addrspace(1) %r) ]
  %r2 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %call3, i32 0, i32 0)
  %v = load i64, ptr addrspace(1) %r2
  %s = select i1 %c, i64 %v, i64 undef
  %sh = lshr i64 %s, %fr
  ret i64 %sh
}
