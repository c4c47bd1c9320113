; random: target=aarch64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; moving: heap: a root is outside the heap, or was moved before: 0x422830; exit status 3
; As in constant-on-unwind-edge.ll, but a call in the same block has relocated %none before the invoke lists it.

declare void @throw_value(ptr addrspace(1))

declare ptr addrspace(1) @allocate(i64, i64)

declare ptr addrspace(1) @caught() "gc-leaf-function"

declare i32 @handle_all(...)

define void @thrower(ptr addrspace(1) %object) gc "statepoint-example" personality ptr @handle_all {
  call void @throw_value(ptr addrspace(1) %object)
  unreachable
}

define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_all {
entry:
  %object = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %none = select i1 false, ptr addrspace(1) null, ptr addrspace(1) null
  %other = call ptr addrspace(1) @allocate(i64 88, i64 3)
  invoke void @thrower(ptr addrspace(1) %object)
          to label %never unwind label %first

first:
  %pad = landingpad token
          cleanup
  %thrown = call ptr addrspace(1) @caught()
  invoke void @thrower(ptr addrspace(1) %thrown)
          to label %never unwind label %second

second:
  %again = landingpad token
          cleanup
  %is.null = icmp eq ptr addrspace(1) %none, null
  %v = select i1 %is.null, i64 5, i64 6
  ret i64 %v

never:
  ret i64 -1
}
