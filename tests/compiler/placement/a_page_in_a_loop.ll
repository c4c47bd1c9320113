; A poll of a page costs a loop nothing but its load: the page's address is in its register before the loop, and what is
; alive, references too where the records may name registers, stays where it is.
; RUN: opt=1 poll=page:a_page gc_registers=8 target=x86_64-linux-gnu
; ASM: xorl	%eax, %eax
; THEN: nopl
; THEN: addq	16(%rdi), %rax
; THEN: movq	8(%rdi), %rdi
; THEN: testq	%rdi, %rdi
; THEN: jne
; ASM-NOT: (%rsp)
; ASM=2: GOTPCREL(%rip), %r10
; STACKMAP>=1: "kind":"register","register":"rdi"
; RUN: opt=1 poll=page:a_page gc_registers=8 target=aarch64-linux-gnu
; ASM: mov	x10, xzr
; THEN: nop
; THEN: ldp	x9, x8, [x9, #8]
; THEN: add	x10, x8, x10
; THEN: cbnz	x9
; STACKMAP>=1: "kind":"register","register":"x9"
%cell = type { i64, ptr addrspace(1), i64 }
define i64 @sum(ptr addrspace(1) %list) gc "statepoint-example" {
entry:
  %empty = icmp eq ptr addrspace(1) %list, null
  br i1 %empty, label %done, label %loop
loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %place = getelementptr %cell, ptr addrspace(1) %at, i64 0, i32 2
  %value = load i64, ptr addrspace(1) %place
  %more = add i64 %sum, %value
  %link = getelementptr %cell, ptr addrspace(1) %at, i64 0, i32 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  %last = icmp eq ptr addrspace(1) %next, null
  br i1 %last, label %done, label %loop
done:
  %result = phi i64 [ 0, %entry ], [ %more, %loop ]
  ret i64 %result
}
