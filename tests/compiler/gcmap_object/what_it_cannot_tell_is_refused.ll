; Roots that the layout has no place for are not left out: there is no object.
;--- derived from another
; RUN: stackmap_format=gcmap safepoints=none remat=false
; STATUS: codegen_failed
; ERROR: derived from another
declare void @g()
define i64 @f(ptr addrspace(1) %a, i64 %n) gc "statepoint-example" {
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %n
  call void @g()
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- in a register
; RUN: stackmap_format=gcmap safepoints=none gc_registers=4 opt=2
; STATUS: codegen_failed
; ERROR: in a register
declare void @g()
define i64 @f(ptr addrspace(1) %a) gc "statepoint-example" {
  call void @g()
  %v = load i64, ptr addrspace(1) %a
  ret i64 %v
}
;--- not known before it runs
; RUN: stackmap_format=gcmap safepoints=none
; STATUS: codegen_failed
; ERROR: not known before it runs
declare void @g(ptr)
define i64 @f(ptr addrspace(1) %a, i64 %n) gc "statepoint-example" {
  %x = alloca i8, i64 %n
  call void @g(ptr %x)
  %v = load i64, ptr addrspace(1) %a
  ret i64 %v
}
