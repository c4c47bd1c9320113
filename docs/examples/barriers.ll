; Barriers. A card for every object that is written to, without the frontend's help; the remarks say where there is none:
;
;   curl --data-binary @docs/examples/barriers.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&barriers=auto&barrier=card:cards:9&emit=remarks'
; gives: the object has had its barrier, and there is no safepoint since
;   curl --data-binary @docs/examples/barriers.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&barriers=auto&barrier=card:cards:9&emit=remarks'
; gives: the object is fresh, there is no safepoint since it was allocated
; What is overwritten, for a collector that marks meanwhile: null stores count, and each slot by itself.
;   curl --data-binary @docs/examples/barriers.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&barriers=auto&barrier=satb:keep:marking&emit=remarks,ir'
; gives: call void @keep(ptr addrspace(1)
; What is read is looked at first:
;   curl --data-binary @docs/examples/barriers.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&barriers=auto&barrier=load:heal:bad_bits&target=aarch64-linux-gnu'
; gives: "callee":"heal"
; Only those that the frontend asks for:
;   curl --data-binary @docs/examples/barriers.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&barrier=card:cards:9&emit=ir'
; gives: @cards
declare noalias ptr addrspace(1) @allocate(i64)
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))

; Puts a new node in front of a list: the node is fresh, its holder may be old.
define void @push(ptr addrspace(1) %holder, ptr addrspace(1) %value) gc "statepoint-example" {
  %node = call ptr addrspace(1) @allocate(i64 16)
  %first = load ptr addrspace(1), ptr addrspace(1) %holder
  store ptr addrspace(1) %first, ptr addrspace(1) %node
  %field = getelementptr i8, ptr addrspace(1) %node, i64 8
  store ptr addrspace(1) %value, ptr addrspace(1) %field
  store ptr addrspace(1) %node, ptr addrspace(1) %holder
  %last = getelementptr i8, ptr addrspace(1) %holder, i64 8
  store ptr addrspace(1) %node, ptr addrspace(1) %last
  ret void
}

define void @clear(ptr addrspace(1) %holder) gc "statepoint-example" {
  store ptr addrspace(1) null, ptr addrspace(1) %holder
  ret void
}

; The frontend's own words.
define void @set(ptr addrspace(1) %holder, ptr addrspace(1) %value) gc "statepoint-example" {
  %slot = getelementptr i8, ptr addrspace(1) %holder, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %value, ptr addrspace(1) %holder, ptr addrspace(1) %slot)
  ret void
}
