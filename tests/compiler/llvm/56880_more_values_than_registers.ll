; A stackmap or patchpoint of more values than there are registers: at level 0 LLVM's allocator has no room for them. From
; level 1 on the values are recorded where they have been spilled.
;--- at level 0
; RUN: opt=0 safepoints=none
; STATUS: codegen_failed
; ERROR: ran out of registers during register allocation
; ERROR @f: A call of llvm.experimental.stackmap has 30 values, the most in the module
; AT: call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i, i64 %j, i64 %k, i64 %l, i64 %m, i64 %n, i64 %o, i64 %p, i64 %q, i64 %r, i64 %s, i64 %t, i64 %u, i64 %v, i64 %w, i64 %x, i64 %y, i64 %z, i64 %a2, i64 %b2, i64 %c2, i64 %d2) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i, i64 %j, i64 %k, i64 %l, i64 %m, i64 %n, i64 %o, i64 %p, i64 %q, i64 %r, i64 %s, i64 %t, i64 %u, i64 %v, i64 %w, i64 %x, i64 %y, i64 %z, i64 %a2, i64 %b2, i64 %c2, i64 %d2)
  ret void
}
;--- from level 1 on
; RUN: opt={1,2,3} safepoints=none
; READOBJ: agrees
; SAFEPOINTS @f: 1
; SAFEPOINT @f: "kind":"indirect"
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i, i64 %j, i64 %k, i64 %l, i64 %m, i64 %n, i64 %o, i64 %p, i64 %q, i64 %r, i64 %s, i64 %t, i64 %u, i64 %v, i64 %w, i64 %x, i64 %y, i64 %z, i64 %a2, i64 %b2, i64 %c2, i64 %d2) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i, i64 %j, i64 %k, i64 %l, i64 %m, i64 %n, i64 %o, i64 %p, i64 %q, i64 %r, i64 %s, i64 %t, i64 %u, i64 %v, i64 %w, i64 %x, i64 %y, i64 %z, i64 %a2, i64 %b2, i64 %c2, i64 %d2)
  ret void
}
