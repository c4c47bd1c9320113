; The bases of a vector that repeats an element of a shuffle's second operand are poison.
; COMMAND: opt-19 -S -passes=rewrite-statepoints-for-gc %s
; FAULT: %both\.base = shufflevector <2 x ptr addrspace\(1\)> %first[^,]*, <2 x ptr addrspace\(1\)> poison, <2 x i32> <i32 2, i32 2>
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %a, i64 8
  %first = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %d, i32 0
  %second = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %b, i32 0
  %both = shufflevector <2 x ptr addrspace(1)> %first, <2 x ptr addrspace(1)> %second, <2 x i32> <i32 2, i32 2>
  call void @g()
  %again = extractelement <2 x ptr addrspace(1)> %both, i32 1
  ret ptr addrspace(1) %again
}
