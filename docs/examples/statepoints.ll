; Statepoints written out, calls that smd turns into some, and functions that have no collector, in one module.
;
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/statepoints.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none'
; gives: explicit to callee
; With the IR after the rewrite:
;   curl --data-binary @docs/examples/statepoints.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&emit=ir&target=aarch64-linux-gnu'
; gives: "id":77

declare void @callee()
declare void @leaf() "gc-leaf-function"
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)

; As a front end writes it that knows its statepoints.
define ptr addrspace(1) @written_out(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 5, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %moved = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %moved
}

; The id and the bytes to patch are the caller's to choose; a leaf function is no safepoint.
define ptr addrspace(1) @rewritten(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @leaf()
  call void @callee() "statepoint-id"="77" "statepoint-num-patch-bytes"="8"
  ret ptr addrspace(1) %p
}

define void @no_collector() {
  call void @callee()
  ret void
}
