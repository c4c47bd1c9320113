; Stacks in another block are moved into the first.
; RUN: safepoints=none opt={0,1,2,3,z}
;--- br i1 %c, label %a, label %b
; STACKMAP=1: "kind":"direct"
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  br i1 %c, label %a, label %b
a:
  %s = alloca ptr addrspace(1)
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
b:
  ret ptr addrspace(1) %p
}
;--- function's first block
; STATUS: cannot_rewrite
; ERROR: function's first block
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  br label %loop
loop:
  %s = alloca ptr addrspace(1)
  call void @out(ptr %s)
  br i1 %c, label %loop, label %end
end:
  ret ptr addrspace(1) %p
}
