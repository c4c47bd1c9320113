; Of references none is alive across a safepoint; x86-64 has none at all.
;--- scalable vectors
; RUN: safepoints=none opt=0 target=x86_64-linux-gnu
; STATUS: codegen_failed
; ERROR: scalable vectors
declare <vscale x 2 x i64> @g()
define void @f(ptr %p){
  %r = call <vscale x 2 x i64> @g()
  store <vscale x 2 x i64> %r, ptr %p
  ret void
}
;--- %r = call <vscale x 2 x ref> @g()
; RUN: safepoints=none opt=0 target=x86_64-linux-gnu
; STATUS: codegen_failed
; ERROR: scalable vectors
declare <vscale x 2 x ptr addrspace(1)> @g()
define void @f(ptr %p) gc "statepoint-example" {
  %r = call <vscale x 2 x ptr addrspace(1)> @g()
  store <vscale x 2 x ptr addrspace(1)> %r, ptr %p
  ret void
}
;--- take it apart before the call
; RUN: safepoints=none opt=0 target=aarch64-linux-gnu
; STATUS: cannot_rewrite
; ERROR: take it apart before the call
declare void @g()
define void @f(ptr %p) gc "statepoint-example" {
  %v = load <vscale x 2 x ptr addrspace(1)>, ptr %p
  call void @g()
  store <vscale x 2 x ptr addrspace(1)> %v, ptr %p
  ret void
}
