; With few parameters, or where nothing is listed, arguments are pushed as LLVM does it.
; RUN: opt=2 safepoints=none target=x86_64-linux-gnu
; META-NOT: no-x86-call-frame-opt
declare void @callee(i64, i64, i64, i64, i64, i64, i64, i64)
define i64 @f(ptr addrspace(1) %o, i64 %a) gc "statepoint-example" {
  call void @callee(i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a)
  %x = load i64, ptr addrspace(1) %o
  ret i64 %x
}
