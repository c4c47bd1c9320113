; A load where the poll is, of the page that the symbol names; the record says where it faults.
;--- 1
; RUN: poll=page:a_page
; STACKMAP=2: "callee":"a_page","fault_offset":
; META=1: smc page-polls --map=
; RUN: poll=page:a_page reloc=static opt=0
; STACKMAP=2: "fault_offset":
; RUN: poll=page:a_page reloc={pic,static} target=x86_64-linux-gnu
; OBJDUMP=2: testl	%eax, (%r10)
; OBJDUMP: R_X86_64_REX_GOTPCRELX	a_page-0x4
; RUN: poll=page:a_page code_model=large target=x86_64-linux-gnu
; OBJDUMP=2: testl	%eax, (%r10)
; OBJDUMP: R_X86_64_GOT64	a_page
; RUN: poll=page:a_page reloc={pic,static} target=aarch64-linux-gnu
; OBJDUMP=2: ldr	wzr, [x20]
; OBJDUMP: R_AARCH64_LD64_GOT_LO12_NC	a_page
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- @a_page = global [4096 x i8] zeroinitializer
; RUN: poll=page:a_page
; STACKMAP=2: "fault_offset":
; RUN: poll=page:a_page reloc=static target=aarch64-linux-gnu
; OBJDUMP=2: ldr	wzr, [x20]
; OBJDUMP: a_page
@a_page = global [4096 x i8] zeroinitializer
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
