; Invokes that differ in their deoptimisation states alone are not joined; and a deoptimisation that is inlined loses what
; the call says of its result (#64804).
; RUN: opt={0,1,2,3} safepoints=none
; SAFEPOINT=1 @f: "deopt":[{"kind":"constant","value":10,
; SAFEPOINT=1 @f: "deopt":[{"kind":"constant","value":11,
; SAFEPOINTS @caller: 1
; DEOPTS @caller: 2
declare void @throws()
declare void @abort()
declare i32 @personality(...)
declare ptr @llvm.experimental.deoptimize.p0(...)

define void @f(i1 %c) gc "statepoint-example" personality ptr @personality {
  br i1 %c, label %a, label %b

a:
  invoke void @throws() [ "deopt"(i32 10) ]
          to label %u unwind label %p

b:
  invoke void @throws() [ "deopt"(i32 11) ]
          to label %u unwind label %p

u:
  unreachable

p:
  %l = landingpad { ptr, i32 }
          cleanup
  call void @abort() [ "deopt"() ]
  unreachable
}

define internal ptr @callee(ptr %c) alwaysinline gc "statepoint-example" {
  %v = call ptr (...) @llvm.experimental.deoptimize.p0() [ "deopt"(i32 1) ]
  ret ptr %v
}

define void @caller(ptr %c) gc "statepoint-example" {
  %v = call noalias ptr @callee(ptr %c) [ "deopt"(i32 2) ]
  ret void
}
