; Stack slots as gc pointers.
; RUN: safepoints=none opt=0
;--- %s is the address of a stack slot
; STATUS: cannot_rewrite
; ERROR: %s is the address of a stack slot
declare void @g()
define ptr addrspace(1) @f() gc "statepoint-example" {
  %a = alloca i64
  %s = addrspacecast ptr %a to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %s
}
;--- %q = getelementptr i8, ref %s, i64 4
; STATUS: cannot_rewrite
; ERROR: %s is the address of a stack slot
declare void @g()
define ptr addrspace(1) @f() gc "statepoint-example" {
  %a = alloca i64
  %s = addrspacecast ptr %a to ptr addrspace(1)
  %q = getelementptr i8, ptr addrspace(1) %s, i64 4
  call void @g()
  ret ptr addrspace(1) %q
}
;--- %x = getelementptr i8, ptr %x, i64 1
; STACKMAP=1: "functions"
declare void @g()
define ptr addrspace(1) @f() gc "statepoint-example" {
  %a = alloca i64
  %s = addrspacecast ptr %a to ptr addrspace(1)
  store i64 1, ptr addrspace(1) %s
  ret ptr addrspace(1) null
never:
  %x = getelementptr i8, ptr %x, i64 1
  %y = addrspacecast ptr %x to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %y
}
;--- store i64 1, ref %s
; SAFEPOINTS: 1
declare void @g()
define ptr addrspace(1) @f() gc "statepoint-example" {
  %a = alloca i64
  %s = addrspacecast ptr %a to ptr addrspace(1)
  store i64 1, ptr addrspace(1) %s
  call void @g()
  ret ptr addrspace(1) null
}
