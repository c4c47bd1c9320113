; LLVM's place-safepoints leaves such functions out.
; RUN: poll=call:stop opt={0,2}
; STACKMAP=1: entry-poll
define void @f() noinline optnone gc "statepoint-example" {
  ret void
}
