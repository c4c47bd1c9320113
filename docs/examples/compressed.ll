; References of 32 bits: distances from @heap in words of eight bytes, in objects, values and records alike.
;
;   curl --data-binary @docs/examples/compressed.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&spaces=2:32:3:heap'
; gives: "fields":[{"offset":0,"size":4,"space":2}]

%node = type { ptr addrspace(2), i32 }

@heap = external global i64
declare void @print(i32)

define ptr addrspace(2) @show(ptr addrspace(2) %node) gc "statepoint-example" {
  %field = getelementptr %node, ptr addrspace(2) %node, i64 0, i32 1
  %value = load i32, ptr addrspace(2) %field
  call void @print(i32 %value)
  ret ptr addrspace(2) %node
}
