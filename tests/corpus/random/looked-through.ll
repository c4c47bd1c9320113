; random: target=aarch64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none remat=false
; moving: heap: a root is outside the heap, or was moved before: 0x400028; exit status 3
; LLVM's rewrite took what calls give, and what is taken out of a struct, for objects' addresses, derived as they were.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

declare ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1))
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %word = getelementptr i8, ptr addrspace(1) %a, i64 24
  store i64 %n, ptr addrspace(1) %word
  %same = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %word)
  %odd = getelementptr i8, ptr addrspace(1) %same, i64 3
  %even = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %odd, i64 -8)
  %in = insertvalue { i64, ptr addrspace(1) } zeroinitializer, ptr addrspace(1) %even, 1
  %out = extractvalue { i64, ptr addrspace(1) } %in, 1
  call void @collect()
  %v = load i64, ptr addrspace(1) %out
  %w = load i64, ptr addrspace(1) %same
  %sum = add i64 %v, %w
  ret i64 %sum
}
