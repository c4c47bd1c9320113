; !smd.type gives the type of what a stack slot holds: a number, or a global's address.
; RUN: opt={0,1,2,3} stackmap_format={llvm,compact} safepoints=none
declare void @g()
declare void @out(ptr)
@t = constant i64 1

;--- of a struct with a reference in it
; REGIONS @f: 1
; SAFEPOINT=1 @f: "fields":[{"offset":8,"size":8,"space":1}],"type":9
define i64 @f(i64 %i) gc "statepoint-example" {
  %s = alloca { i64, ptr addrspace(1) }, !smd.type !0
  call void @out(ptr %s)
  ret i64 %i
}
!0 = !{i64 9}

;--- of a local that becomes a value
; SAFEPOINT=1 @f callee=g: "type":{"symbol":"t","addend":0}
define i64 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca ptr addrspace(1), !smd.type !0
  store ptr addrspace(1) %p, ptr %s
  call void @g()
  %o = load ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}
!0 = !{ptr @t}

;--- neither a number nor an address
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_gcroot
; ERROR: !smd.type has one operand
define i64 @f(i64 %i) gc "statepoint-example" {
  %s = alloca ptr addrspace(1), !smd.type !0
  call void @out(ptr %s)
  ret i64 %i
}
!0 = !{!"t"}

;--- two operands
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_gcroot
; ERROR: !smd.type has one operand
define i64 @f(i64 %i) gc "statepoint-example" {
  %s = alloca ptr addrspace(1), !smd.type !0
  call void @out(ptr %s)
  ret i64 %i
}
!0 = !{i64 1, i64 2}
