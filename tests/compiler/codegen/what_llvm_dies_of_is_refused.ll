; What LLVM 19 dies of in code generation has a name of ours.
;--- landing pad
; RUN: safepoints=none opt=0
; STATUS: codegen_failed
; ERROR: landing pad
declare void @g()
define i32 @f() personality ptr @g {
  invoke void @g() to label %on unwind label %off
on:
  ret i32 0
off:
  %l = landingpad { ptr, float } cleanup
  %v = freeze { ptr, float } %l
  ret i32 1
}
;--- %l = landingpad { ptr, i32, i32 } cleanup
; RUN: safepoints=none opt=0
; STATUS: codegen_failed
; ERROR: landing pad
declare void @g()
define i32 @f() personality ptr @g {
  invoke void @g() to label %on unwind label %off
on:
  ret i32 0
off:
  %l = landingpad { ptr, i32, i32 } cleanup
  %v = freeze { ptr, i32, i32 } %l
  ret i32 1
}
;--- %l = landingpad { ptr, i32 } cleanup
; RUN: safepoints=none opt=0 target=x86_64-linux-gnu
; STATUS: ok
declare void @g()
define i32 @f() personality ptr @g {
  invoke void @g() to label %on unwind label %off
on:
  ret i32 0
off:
  %l = landingpad { ptr, i32 } cleanup
  %v = freeze { ptr, i32 } %l
  ret i32 1
}
;--- convention 9
; RUN: safepoints=none opt=0 target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR: convention 9
; RUN: safepoints=none opt=0 target=x86_64-linux-gnu
; STATUS: ok
declare coldcc i32 @g(i32)
define i32 @f(i32 %a) gc "statepoint-example" {
  %r = call coldcc i32 @g(i32 %a)
  ret i32 %r
}
;--- %r = call swiftcc i32 @g(i32 %a)
; RUN: safepoints=none opt=0 target=aarch64-linux-gnu
; STATUS: ok
declare swiftcc i32 @g(i32)
define i32 @f(i32 %a) gc "statepoint-example" {
  %r = call swiftcc i32 @g(i32 %a)
  ret i32 %r
}
;--- call coldcc void @g()
; RUN: safepoints=none opt=0 target=aarch64-linux-gnu
; STATUS: ok
declare coldcc void @g()
define void @f() gc "statepoint-example" {
  call coldcc void @g()
  ret void
}
;--- convention 12 of a patchpoint
; RUN: safepoints=none opt=0 target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR: convention 12 of a patchpoint
; RUN: safepoints=none opt=0 target=x86_64-linux-gnu
; STATUS: ok
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f(i64 %a) {
  call cc 12 void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 5, i32 16, ptr null, i32 1, i64 %a)
  ret void
}
;--- call cc 12 void (i64, i32, ptr, i32
; RUN: safepoints=none opt=0 target=aarch64-linux-gnu
; STATUS: ok
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f(i64 %a) {
  call cc 12 void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 5, i32 16, ptr null, i32 0)
  ret void
}
;--- call anyregcc void (i64, i32, ptr, i32
; RUN: safepoints=none opt=0 target=aarch64-linux-gnu
; STATUS: ok
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f(i64 %a) {
  call anyregcc void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 5, i32 16, ptr null, i32 1, i64 %a)
  ret void
}
