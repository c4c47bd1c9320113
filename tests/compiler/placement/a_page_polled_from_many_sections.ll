; Functions in sections of their own, of which some have no relocations otherwise.
; RUN: poll=page:a_page reloc=static opt=0 safepoints=entry target=x86_64-linux-gnu
; OBJDUMP=4: R_X86_64_PC32	a_page-0x4
; RUN: poll=page:a_page opt=0 safepoints=entry
; STACKMAP=4: "fault_offset":
; RUN: poll=page:a_page reloc=static opt=0 safepoints=entry target=aarch64-linux-gnu
; OBJDUMP=4: R_AARCH64_ADR_PREL_PG_HI21	a_page
$k = comdat any
define void @f(ptr %p) section "one" gc "statepoint-example" {
  ret void
}
define void @g(ptr %p) section "two" gc "statepoint-example" {
  ret void
}
define linkonce_odr void @k(ptr %p) comdat gc "statepoint-example" {
  ret void
}
define void @h(ptr %p) gc "statepoint-example" {
  call void @k(ptr %p)
  ret void
}
