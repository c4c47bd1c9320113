; Vectors of references that casts give are found lane by lane: LLVM's rewrite would end the process.
; RUN: opt={0,2} safepoints=none
; STATUS: ok
;--- of integers
; ROOTS: 1 1
declare void @g()
declare void @use(ptr addrspace(1))
define void @f(<2 x i64> %bits) gc "statepoint-example" {
  %v = inttoptr <2 x i64> %bits to <2 x ptr addrspace(1)>
  %first = extractelement <2 x ptr addrspace(1)> %v, i32 0
  call void @g()
  call void @use(ptr addrspace(1) %first)
  ret void
}
;--- of one
; SAFEPOINT>=1: "roots"
declare void @g()
declare void @use(ptr addrspace(1))
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = bitcast ptr addrspace(1) %o to <1 x ptr addrspace(1)>
  %pair = shufflevector <1 x ptr addrspace(1)> %v, <1 x ptr addrspace(1)> poison, <2 x i32> zeroinitializer
  %fields = getelementptr i8, <2 x ptr addrspace(1)> %pair, <2 x i64> <i64 8, i64 16>
  call void @g()
  %field = extractelement <2 x ptr addrspace(1)> %fields, i32 1
  call void @use(ptr addrspace(1) %field)
  ret void
}
;--- and back
; SAFEPOINT>=1: "roots"
declare void @g()
declare void @use(ptr addrspace(1))
define void @f(<1 x ptr addrspace(1)> %v) gc "statepoint-example" {
  %o = bitcast <1 x ptr addrspace(1)> %v to ptr addrspace(1)
  %field = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @g()
  call void @use(ptr addrspace(1) %field)
  ret void
}
