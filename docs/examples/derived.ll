; Pointers into objects: the object that each belongs to is found through phis and selects, and where it lies is told with
; it. With gc_registers, values stay in registers that the callee keeps.
;
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/derived.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&opt=0'
; gives: derived from
;   curl --data-binary @docs/examples/derived.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&gc_registers=8&target=aarch64-linux-gnu'
; gives: "kind":"register"

declare void @callback()

define i64 @either(ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %which, i64 %index) gc "statepoint-example" {
  %ea = getelementptr i64, ptr addrspace(1) %a, i64 %index
  %eb = getelementptr i64, ptr addrspace(1) %b, i64 %index
  %element = select i1 %which, ptr addrspace(1) %ea, ptr addrspace(1) %eb
  call void @callback()
  %value = load i64, ptr addrspace(1) %element
  ret i64 %value
}

; A vector of pointers is as many roots.
define <2 x ptr addrspace(1)> @two(<2 x ptr addrspace(1)> %v) gc "statepoint-example" {
  call void @callback()
  ret <2 x ptr addrspace(1)> %v
}
