; A patchpoint or stackmap that is to record a value of more than 64 bits is refused: LLVM 19 records the lower bits of a
; constant. So is one of a struct, of which it records the first value (#55649), and of an x86_fp80, which it skips (#55586).
; A statepoint's state may have such numbers: they are in a slot.
;--- a constant that has more than 64 bits
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: Value 1 of a call of llvm.experimental.stackmap cannot be recorded
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f() {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0, i64 -1, i128 36893488147419103239)
  ret void
}
;--- a number that is not constant
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: Value 0 of a call of llvm.experimental.stackmap cannot be recorded
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f(i65 %v) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0, i65 %v)
  ret void
}
;--- after the arguments of a patchpoint
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: Value 0 of a call of llvm.experimental.patchpoint.void cannot be recorded
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f(i64 %v) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 16, ptr null, i32 1, i64 %v, i128 18446744073709551616)
  ret void
}
;--- a struct of two values
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: Value 0 of a call of llvm.experimental.stackmap cannot be recorded
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f({ i64, i64 } %s) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 99, i32 0, { i64, i64 } %s)
  ret void
}
;--- an array of two
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: Value 0 of a call of llvm.experimental.stackmap cannot be recorded
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f([2 x i32] %a) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 99, i32 0, [2 x i32] %a)
  ret void
}
;--- a number of 80 bits
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: Value 0 of a call of llvm.experimental.stackmap cannot be recorded
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f() {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 0, i32 0, x86_fp80 0xK00000000000000000001)
  ret void
}
;--- what has one place
; RUN: opt={0,2} safepoints=none
; SAFEPOINTS @f: 1
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f({ { i64 } } %s, [1 x ptr] %p, fp128 %q, <4 x i32> %v, i64 %n) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0, { { i64 } } %s, [1 x ptr] %p, fp128 %q, <4 x i32> %v, i64 %n, i64 9223372036854775808)
  ret void
}
;--- the state of a statepoint
; RUN: opt={0,2} safepoints=none
; SAFEPOINTS @f: 1
declare void @g()
define void @f(i128 %v) gc "statepoint-example" {
  call void @g() [ "deopt"(i128 36893488147419103239, i128 %v, i65 18446744073709551616) ]
  ret void
}
