; Of a vector that repeats an element of a shuffle's second operand LLVM's rewrite takes poison for
; the bases.
;--- %s = shufflevector <2 x ref> %a, <2 x ref> %b
; RUN: safepoints=none opt=0
; IR=1: shufflevector <2 x ptr addrspace(1)> %b, <2 x ptr addrspace(1)> poison, <2 x i32> zeroinitializer
; RUN: safepoints=none opt=0
; META=1: the bases of vectors that repeat an element
declare void @g()
define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b) gc "statepoint-example" {
  %s = shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> <i32 2, i32 2>
  call void @g()
  ret <2 x ptr addrspace(1)> %s
}
;--- %s = shufflevector <2 x ref> %a, <2 x ref> %b
; RUN: safepoints=none opt=0
; IR=1: shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> zeroinitializer
declare void @g()
define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b) gc "statepoint-example" {
  %s = shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> <i32 0, i32 0>
  call void @g()
  ret <2 x ptr addrspace(1)> %s
}
;--- %s = shufflevector <2 x ref> %a, <2 x ref> %b
; RUN: safepoints=none opt=0
; META-NOT: repeat an element
declare void @g()
define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b) gc "statepoint-example" {
  %s = shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> <i32 2, i32 3>
  call void @g()
  ret <2 x ptr addrspace(1)> %s
}
