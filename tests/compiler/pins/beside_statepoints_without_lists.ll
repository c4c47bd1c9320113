; The slot of a pin may hold its reference across a statepoint of the module that has no list, too. smd reads it as a plain
; pointer itself, which is no misuse of the slot.
; RUN: opt={0,2} safepoints=none
; STATUS: ok
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @llvm.gc.declare(ptr, ptr)
declare ptr @smd.gc.pin(ptr addrspace(1))
define i64 @listed(ptr addrspace(1) %p0) gc "statepoint-example" {
entry:
  %scoped0 = alloca ptr addrspace(1), align 8
  ret i64 0
b21:
  %v39 = call ptr @smd.gc.pin(ptr addrspace(1) %p0)
  %v40 = getelementptr i8, ptr %v39, i64 24
  br label %b44
b44:
  call void @llvm.gc.declare(ptr %scoped0, ptr null)
  call void null()
  %v64 = load ptr addrspace(1), ptr %scoped0, align 8
  %v81 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(ptr addrspace(1) (i64, i64)) null, i32 2, i32 0, i64 0, i64 0, i32 0, i32 0)
  ret i64 0
}
