; random: target=x86_64-unknown-linux-gnu opt=1 poll=call:collect safepoints=none
; moving: heap: a root is no object: 0x7efd6e2000d8; exit status 3
; LLVM's rewrite took a derived pointer among deoptimisation values for its own base.

declare ptr addrspace(1) @allocate(i64, i64)

define i64 @program(i64 %n) gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %word = getelementptr i8, ptr addrspace(1) %object, i64 24
  %other = call ptr addrspace(1) @allocate(i64 88, i64 3) [ "deopt"(i32 20773, i32 769, ptr addrspace(1) %word) ]
  ret i64 0
}
