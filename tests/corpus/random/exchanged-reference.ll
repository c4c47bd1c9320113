; random: target=x86_64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; moving: failed: memory is touched that is not there: signal 11 in program; exit status 1
; LLVM's rewrite took the place's base for that of what atomicrmw gives.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %b = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %word = getelementptr i8, ptr addrspace(1) %b, i64 24
  store i64 %n, ptr addrspace(1) %word
  %field = getelementptr i8, ptr addrspace(1) %a, i64 8
  store ptr addrspace(1) %b, ptr addrspace(1) %field
  %old = atomicrmw xchg ptr addrspace(1) %field, ptr addrspace(1) null seq_cst
  call void @collect()
  %at = getelementptr i8, ptr addrspace(1) %old, i64 24
  %v = load i64, ptr addrspace(1) %at
  ret i64 %v
}
