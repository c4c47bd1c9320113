; An element of a vector that was alive across a call, by a variable index: AArch64's code generation divides by zero.
; RUN: opt={0,1,2,3} poll=call:collect
; RESULT: 1 = 11
; RESULT: 0 = 10
; RESULT: --leave-out 0 0 != 10
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define i64 @program(i64 %i) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 10, ptr addrspace(1) %a
  %b = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 11, ptr addrspace(1) %b
  %v = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %a, i64 0
  %w = insertelement <2 x ptr addrspace(1)> %v, ptr addrspace(1) %b, i64 1
  call void @collect()
  %e = extractelement <2 x ptr addrspace(1)> %w, i64 %i
  call void @collect()
  %r = load i64, ptr addrspace(1) %e
  ret i64 %r
}
