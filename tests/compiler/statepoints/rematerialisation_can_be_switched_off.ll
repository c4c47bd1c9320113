; Rematerialisation can be switched off.
; RUN: safepoints=none opt=0 remat=true
; ROOTS: 1
; RUN: safepoints=none opt=0 remat=false
; ROOTS: 2
declare void @g()
define i64 @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %a, i64 8
  call void @g()
  %x = load i64, ptr addrspace(1) %a
  %y = load i64, ptr addrspace(1) %d
  %z = add i64 %x, %y
  ret i64 %z
}
