; The card is the object's, wherever steps have led.
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: ptrtoint ptr addrspace(1) %o to i64
;--- %s = getelementptr i8, ref %o, i64 %i
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 %i
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
;--- loop
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  br label %a
a:
  %q = phi ptr addrspace(1) [ %o, %0 ], [ %r, %a ]
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %q
  %r = getelementptr i8, ptr addrspace(1) %q, i64 8
  %x = load volatile i64, ptr %p
  %c = icmp eq i64 %x, 0
  br i1 %c, label %a, label %d
d:
  ret void
}
