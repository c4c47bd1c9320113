; What a frontend says of the type of roots: of a stack slot, a number; of a value, the address of its descriptor.
;
;   curl --data-binary @docs/examples/types.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none'
; gives: "type":{"symbol":"list","addend":0}

declare void @read(ptr)
declare i64 @weigh(ptr addrspace(1))
@list = constant i64 16

define i64 @weights(ptr addrspace(1) %head) gc "statepoint-example" {
  %slot = alloca ptr addrspace(1), !smd.type !{i64 7}
  call void @read(ptr %slot) [ "gc-type"(ptr addrspace(1) %head, ptr @list) ]
  %new = load ptr addrspace(1), ptr %slot
  %a = call i64 @weigh(ptr addrspace(1) %new)
  %b = call i64 @weigh(ptr addrspace(1) %head)
  %sum = add i64 %a, %b
  ret i64 %sum
}
