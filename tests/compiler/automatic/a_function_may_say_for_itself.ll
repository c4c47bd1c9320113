; A function may say for itself.
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; RUN: barriers=off safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o) "smd-barriers"="off" gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
define void @g(ptr addrspace(1) %v, ptr addrspace(1) %o) "smd-barriers"="auto" gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
