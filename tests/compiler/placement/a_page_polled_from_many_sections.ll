; Functions in sections of their own.
; RUN: poll=page:a_page opt=0 safepoints=entry target=x86_64-linux-gnu
; STACKMAP=4: "fault_offset":
; OBJDUMP=4: testl	%eax, (%r10)
; RUN: poll=page:a_page opt=0 safepoints=entry target=aarch64-linux-gnu
; STACKMAP=4: "fault_offset":
; OBJDUMP=4: ldr	wzr, [x20]
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
