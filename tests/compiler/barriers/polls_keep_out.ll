; No poll comes between a store and its barrier, nor into the barrier.
; RUN: opt={0,1,2,3} safepoints=entry,backedge
; SAFEPOINTS callee=stop: 2
; RUN: opt={0,1,2,3} safepoints={entry,backedge}
; SAFEPOINTS callee=stop: 1
; RUN: opt={0,1,2,3} safepoints=entry,backedge,return,precall
; SAFEPOINTS callee=stop: 3
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  store i8 7, ptr addrspace(1) %o
  ret void
}
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr %p) gc "statepoint-example" {
entry:
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  br label %loop
loop:
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  %x = load volatile i8, ptr %p
  %c = icmp eq i8 %x, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
