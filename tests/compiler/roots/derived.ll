; A root holds objects: an address within one is refused, unless it is said to be an object all the same.
;--- Within what a call gave.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_gcroot
; ERROR @f: %d, which is stored in the root %s, is an address within an object
declare ptr @allocate(i64)
declare void @collect()
declare void @llvm.gcroot(ptr, ptr)
define void @f() gc "shadow-stack" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  %a = call ptr @allocate(i64 32)
  %d = getelementptr i64, ptr %a, i64 1
  store ptr %d, ptr %s
  call void @collect()
  ret void
}
;--- Behind a header.
; RUN: opt={0,2} safepoints=none
; STATUS: ok
declare ptr @allocate(i64)
declare void @collect()
declare void @llvm.gcroot(ptr, ptr)
define void @f() gc "shadow-stack" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  %a = call ptr @allocate(i64 32)
  %i = ptrtoint ptr %a to i64
  %j = add i64 %i, 8
  %d = inttoptr i64 %j to ptr
  store ptr %d, ptr %s
  call void @collect()
  ret void
}
