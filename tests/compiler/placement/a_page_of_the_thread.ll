; The page's address is in a thread-local variable; each poll asks it, as the runtime may change it for one thread.
;--- declared by smd
; RUN: poll=tls:poll_thread:8
; STACKMAP=2: "callee":"poll_thread","fault_offset":
; IR: @poll_thread = external thread_local(initialexec) global i8
; IR=2: load volatile ptr, ptr getelementptr inbounds (i8, ptr @poll_thread, i32 8)
; META=1: smc page-polls --map=
; RUN: poll=tls:poll_thread:8 target=x86_64-linux-gnu
; OBJDUMP=2: testl	%eax, (%r10)
; OBJDUMP=1: R_X86_64_GOTTPOFF	poll_thread-0x4
; RUN: poll=tls:poll_thread:8 target=aarch64-linux-gnu
; OBJDUMP=2: ldr	wzr, [x20]
; OBJDUMP=1: R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC	poll_thread
; RUN: poll=tls:poll_thread:8 code_model=large target=aarch64-linux-gnu
; OBJDUMP: R_AARCH64_TLSLE_ADD_TPREL_HI12	poll_thread
; RESULT: 10 = 10
; RUN: poll=tls:poll_thread:8 opt={0,1,2,3,s} gc_registers=32
; WARNING-NOT: poll
; SAFEPOINTS: 2
; RESULT: 10 = 10
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %p = alloca i64
  store volatile i64 0, ptr %p
  br label %loop
loop:
  %i = load volatile i64, ptr %p
  %j = add i64 %i, 1
  store volatile i64 %j, ptr %p
  %c = icmp eq i64 %j, %n
  br i1 %c, label %done, label %loop
done:
  ret i64 %j
}
;--- local exec
; RUN: poll=tls:word:16 target=x86_64-linux-gnu
; OBJDUMP=2: movq	%fs:0x0, %r10
; OBJDUMP=2: R_X86_64_TPOFF32	word+0x10
; OBJDUMP-NOT: GOT
@word = external thread_local(localexec) global [8 x i64]
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
;--- not thread-local
; RUN: poll=tls:word:16
; STATUS: safepoint_poll_conflict
; ERROR: thread-local
@word = external global [8 x i64]
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
;--- a function
; RUN: poll=tls:word:16
; STATUS: safepoint_poll_conflict
; ERROR: thread-local
declare void @word()
define void @f(ptr %p) gc "statepoint-example" {
  ret void
}
;--- roots of the shadow stack
; RUN: poll=tls:word:16
; WARNING @f: No polls
define void @f(ptr %p) gc "shadow-stack" {
  ret void
}
