; What follows a patchpoint in its block may be a call, which reads the shadow stack's pointer on x86-64, or arithmetic of
; floating point, which reads the mode of rounding on AArch64: LLVM 19 crashes, as these registers have no number. The
; block ends behind the patchpoint then, at no instruction.
; RUN: opt={0,1,2,3} safepoints=none
; READOBJ: agrees
; META: ends no blocks after patchpoints
; SAME-AS: ir
; IR @call: callbr
; IR @jump: callbr
; IR @arithmetic: callbr
; IR @library: callbr
; IR @thread: callbr
; IR-NOT @plain: callbr
; IR-NOT @last: callbr
; DISASM=1 @call: / (callq|jmp|bl?) +g/
; SAFEPOINT @call: "patch":
@global = global i64 0
@local = thread_local global i64 0
declare void @g()
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)

define void @call(i64 %v) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 16, ptr null, i32 0, i64 %v)
  call void @g()
  ret void
}

define void @jump(i64 %v) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 16, ptr null, i32 0, i64 %v)
  br label %next

next:
  %p = phi i64 [ %v, %0 ]
  store volatile i64 %p, ptr @global
  call void @g()
  ret void
}

define double @arithmetic(i32 %n) {
  call anyregcc void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 2, i32 16, ptr null, i32 0)
  %d = sitofp i32 %n to double
  ret double %d
}

define i128 @library(i128 %a, i128 %b) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 3, i32 16, ptr null, i32 0)
  %q = udiv i128 %a, %b
  ret i128 %q
}

define i64 @thread() {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 4, i32 16, ptr null, i32 0)
  %v = load i64, ptr @local
  ret i64 %v
}

define i64 @plain(i64 %a, ptr %p) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 5, i32 16, ptr null, i32 0)
  %v = load i64, ptr %p
  %w = load i64, ptr @global
  %s = add i64 %v, %w
  %t = udiv i64 %s, %a
  ret i64 %t
}

define void @last(i64 %v) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 6, i32 16, ptr null, i32 0, i64 %v)
  ret void
}
