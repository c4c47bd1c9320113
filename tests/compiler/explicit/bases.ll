; The base of a derived pointer, and the object of a slot, may not be another object.
; RUN: opt={0,2} safepoints=none
; STATUS: cannot_rewrite
;--- A pair.
; ERROR @f: relocates %d with the base %z, which is another object
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)
declare noalias ptr addrspace(1) @make(i64) "gc-leaf-function"
declare void @collect()
define i64 @f() gc "statepoint-example" {
  %a = call ptr addrspace(1) @make(i64 32)
  %z = call ptr addrspace(1) @make(i64 32)
  %d = getelementptr i64, ptr addrspace(1) %a, i64 2
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %d, ptr addrspace(1) %z) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 0)
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
;--- A pair of phis.
; ERROR @f: which is another object
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)
declare noalias ptr addrspace(1) @make(i64) "gc-leaf-function"
declare void @collect()
define i64 @f(ptr addrspace(1) %o, i1 %c) gc "statepoint-example" {
e:
  %a = call ptr addrspace(1) @make(i64 32)
  %d = getelementptr i64, ptr addrspace(1) %a, i64 2
  br i1 %c, label %x, label %y
x:
  br label %y
y:
  %p = phi ptr addrspace(1) [%d, %e], [%o, %x]
  %b = phi ptr addrspace(1) [%o, %e], [%o, %x]
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %b) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 0)
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
;--- A slot.
; ERROR @f: llvm.gcwrite says that the slot %s is in the object %a, and it is in another one
declare noalias ptr addrspace(1) @make(i64) "gc-leaf-function"
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @f(ptr addrspace(1) %v) gc "statepoint-example" {
  %a = call ptr addrspace(1) @make(i64 32)
  %z = call ptr addrspace(1) @make(i64 32)
  %s = getelementptr i64, ptr addrspace(1) %z, i64 2
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %a, ptr addrspace(1) %s)
  ret void
}
