; A callee out of a struct is the one that is called, and not another value of the struct: as argument, result, choice,
; at calls, invokes, statepoints of the module's own, and calls with deoptimisation values without a strategy.
; RUN: opt={0,1,2,3} safepoints=none
; DISASM @apply: /callq \*%rsi|blr x1/
; DISASM @result: /callq \*%rdx|blr x(1|8|19)/
; DISASM @at.invoke: /callq \*%rsi|blr x1/
; DISASM @explicit: /callq \*%rsi|blr x1/
; DISASM @state: /callq \*%rsi|blr x1/
; DISASM @word: /callq \*%rsi|blr x1/
; IR @apply: freeze
; IR-NOT @scalar: freeze
; IR-NOT @loaded: freeze
; META: opt puts nothing before callees out of structs
%closure = type { ptr, ptr }
declare %closure @make()
declare i32 @personality(...)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)

define void @apply(%closure noundef %c) gc "statepoint-example" {
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  call void %code(ptr %env)
  ret void
}

define void @result() gc "statepoint-example" {
  %c = call %closure @make()
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  call void %code(ptr %env)
  ret void
}

define void @at.invoke(%closure %c) gc "statepoint-example" personality ptr @personality {
  %code = extractvalue %closure %c, 1
  invoke void %code() to label %on unwind label %pad

on:
  ret void

pad:
  %l = landingpad token
          cleanup
  ret void
}

define void @explicit(%closure %c) gc "statepoint-example" {
  %code = extractvalue %closure %c, 1
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) %code, i32 0, i32 0, i32 0, i32 0)
  ret void
}

define void @state(%closure %c) {
  %code = extractvalue %closure %c, 1
  call void %code() [ "deopt"(i32 1) ]
  ret void
}

define void @word({ i64, i64 } %c) gc "statepoint-example" {
  %bits = extractvalue { i64, i64 } %c, 1
  %code = inttoptr i64 %bits to ptr
  call void %code()
  ret void
}

define void @scalar(ptr %code) gc "statepoint-example" {
  call void %code()
  ret void
}

define void @loaded(ptr %p) gc "statepoint-example" {
  %code = load ptr, ptr %p
  call void %code()
  ret void
}
