; A call that may throw: the live pointer is relocated on both ways out of it.
;
;   curl --data-binary @docs/examples/exceptions.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&emit=ir'
; gives: gc.relocate.p1.pad0({ ptr, i32 } %landing
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/exceptions.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&target=aarch64-linux-gnu'
; gives: call to may_throw

declare void @may_throw()
declare void @use(ptr addrspace(1)) "gc-leaf-function"
declare i32 @personality(...)

define ptr addrspace(1) @try(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @personality {
  invoke void @may_throw() to label %fine unwind label %thrown

fine:
  ret ptr addrspace(1) %p

thrown:
  %landing = landingpad { ptr, i32 }
    cleanup
  call void @use(ptr addrspace(1) %p)
  resume { ptr, i32 } %landing
}
