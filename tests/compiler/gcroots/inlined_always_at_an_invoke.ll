; Where a function of the shadow stack is polled, what others want inlined always waits for the optimiser.
; RUN: opt={0,2} safepoints=entry poll=call:p
; SYMBOL-NOT: /smd/
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
declare i32 @personality(...)
define internal void @write(ptr addrspace(1) %o) alwaysinline gc "statepoint-example" {
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %o, ptr addrspace(1) %o)
  ret void
}
define void @rooted(ptr %p) gc "shadow-stack" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr %p, ptr %a
  call void @g()
  ret void
}
define void @f(ptr addrspace(1) %o) gc "statepoint-example" personality ptr @personality {
  invoke void @write(ptr addrspace(1) %o) to label %on unwind label %pad
on:
  ret void
pad:
  %l = landingpad token cleanup
  ret void
}
