; Tagged references in the states of polls and of frames.
;--- a poll's state, of llvm.gc.value, beside a number that the word gives
; RUN: opt={0,1,2,3} safepoints=entry poll=call:collect
; SAFEPOINT @f reason=entry-poll: /"deopt":\[\{"kind":"constant","value":1,"size":8\},\{"kind":"indirect",/
; RESULT: 7 = 8
declare ptr addrspace(1) @allocate(i64, i64)
declare void @smd.gc.state()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare void @llvm.gc.value.i64(i64, ptr)
define i64 @f(i64 %w) noinline gc "statepoint-example" {
  call void @llvm.gc.value.i64(i64 %w, ptr null)
  call void @smd.gc.state() [ "deopt"(i64 1, i64 %w) ]
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  %tag = and i64 %w, 1
  %r = add i64 %v, %tag
  ret i64 %r
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  %a = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = or i64 %a, 1
  %r = call i64 @f(i64 %w)
  ret i64 %r
}
;--- frames, in which tagged words are values and fields
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f callee=observe: /"frames":\[\{"method":1,"bytecode":2,"values":\[\{"kind":"indirect"[^{}]*\},\{"kind":"object","object":0,"type":70,"fields":\[\{"kind":"indirect"/
declare i64 @observe()
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w) gc "statepoint-example" {
  %s = call i64 @observe() [ "deopt"(i64 6002528945793269764, i64 1, i64 2, i64 %w, i64 6002528945793335297, i64 70, i64 %w) ]
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
