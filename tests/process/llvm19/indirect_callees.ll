; A callee out of a struct is called by the struct's first value.
; COMMAND: llc-19 -mtriple=x86_64-linux-gnu %s -o -
; FAULT: callq\s+\*%rdi
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f({ ptr, ptr } %closure) gc "statepoint-example" {
  %code = extractvalue { ptr, ptr } %closure, 1
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) %code, i32 0, i32 0, i32 0, i32 0)
  ret void
}
