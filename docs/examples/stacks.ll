; References in a stack slot whose address a callee has: the map says where they are in it, while it is alive.
;
;   curl --data-binary @docs/examples/stacks.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none'
; gives: "fields":[{"offset":8,"size":8,"space":1,"count":2,"stride":8}]

declare void @read_pair(ptr)
declare i64 @weigh(ptr addrspace(1), ptr addrspace(1))

define i64 @pair() gc "statepoint-example" {
  %slot = alloca { i64, [2 x ptr addrspace(1)] }
  call void @read_pair(ptr %slot)
  %at.first = getelementptr { i64, [2 x ptr addrspace(1)] }, ptr %slot, i32 0, i32 1, i32 0
  %at.second = getelementptr { i64, [2 x ptr addrspace(1)] }, ptr %slot, i32 0, i32 1, i32 1
  %first = load ptr addrspace(1), ptr %at.first
  %second = load ptr addrspace(1), ptr %at.second
  %weight = call i64 @weigh(ptr addrspace(1) %first, ptr addrspace(1) %second)
  ret i64 %weight
}
