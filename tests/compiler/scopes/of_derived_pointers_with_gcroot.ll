; The object is the root of a pointer that was stepped from it; it is stepped again where it is
; used.
;--- %e = getelementptr i8, ptr %d, i64 8
; RUN: opt={0,2}
; IR=1: call void @llvm.gcroot(
declare void @g()
declare void @llvm.gc.value.p0(ptr, ptr)
define i64 @f(ptr %p, i1 %c) gc "erlang" {
entry:
  %d = getelementptr i8, ptr %p, i64 8
  %e = getelementptr i8, ptr %d, i64 8
  call void @llvm.gc.value.p0(ptr %e, ptr null)
  call void @g()
  br i1 %c, label %a, label %b
a:
  call void @g()
  br label %b
b:
  %at = phi ptr [ %e, %entry ], [ %d, %a ]
  %v = load i64, ptr %at
  ret i64 %v
}
;--- choose between objects
; RUN:
; STATUS: invalid_gcroot
; ERROR: choose between objects
declare void @llvm.gc.value.p0(ptr, ptr)
define void @f(ptr %p, ptr %q, i1 %c) gc "erlang" {
  %d = getelementptr i8, ptr %p, i64 8
  %s = select i1 %c, ptr %d, ptr %q
  call void @llvm.gc.value.p0(ptr %s, ptr null)
  ret void
}
