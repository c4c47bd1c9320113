; A function with a root is inlined into a loop that is unrolled: the slot is one root, however often it is marked.
; RUN: opt={1,2,3} safepoints=none
; STATUS: ok
declare void @work()
declare void @use(ptr addrspace(1))
declare void @llvm.gcroot(ptr, ptr)
define internal void @g(ptr addrspace(1) %a) gc "shadow-stack" {
  %s = alloca ptr addrspace(1)
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr addrspace(1) %a, ptr %s
  call void @work()
  %v = load ptr addrspace(1), ptr %s
  call void @use(ptr addrspace(1) %v)
  ret void
}
define void @f(ptr addrspace(1) %a) gc "shadow-stack" {
entry:
  %r = alloca ptr addrspace(1)
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr addrspace(1) %a, ptr %r
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %b = load ptr addrspace(1), ptr %r
  call void @g(ptr addrspace(1) %b)
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, 4
  br i1 %c, label %l, label %x
x:
  ret void
}
