; Of each call that is no safepoint, a remark says why; of all together, a warning.
; RUN: opt=0
; REMARKS=1: no statepoint at the call of t: nothing that it does can collect
; REMARKS=1: no statepoint at the call of pure: it touches no memory
; REMARKS=1: no statepoint at the call of die: it is cold
; RUN: opt=0 leaf=reads
; REMARKS=1: no statepoint at the call of reads: leaf lists it
; RUN: opt=0 elide=none
; REMARKS-NOT: no statepoint
; SAFEPOINTS @f: 4
declare i64 @pure(i64) memory(none)
declare i64 @reads(i64) memory(read)
declare void @die() cold noreturn nounwind

define internal i64 @t(i64 %n) noinline {
  ret i64 %n
}

define void @f(i64 %n) "smd-safepoints"="none" gc "statepoint-example" {
  %a = call i64 @t(i64 %n)
  %b = call i64 @pure(i64 %a)
  %c = call i64 @reads(i64 %b)
  call void @die()
  unreachable
}
