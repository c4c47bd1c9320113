; random: target=x86_64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; moving: heap: a root is outside the heap, or was moved before: 0xd68; exit status 3
; LLVM's rewrite took poison for the bases of a vector that repeats the first element of a shuffle's second operand.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %b = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %word = getelementptr i8, ptr addrspace(1) %b, i64 24
  store i64 %n, ptr addrspace(1) %word
  %first = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %a, i32 0
  %second = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %b, i32 0
  %both = shufflevector <2 x ptr addrspace(1)> %first, <2 x ptr addrspace(1)> %second, <2 x i32> <i32 2, i32 2>
  call void @collect()
  %again = extractelement <2 x ptr addrspace(1)> %both, i32 1
  %at = getelementptr i8, ptr addrspace(1) %again, i64 24
  %v = load i64, ptr addrspace(1) %at
  ret i64 %v
}
