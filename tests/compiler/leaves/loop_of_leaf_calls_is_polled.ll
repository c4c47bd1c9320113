; LLVM takes only safepoints for a reason to leave a loop's poll out, and calls of leaves are none.
; RUN: opt={0,1,2,3} poll=call:stop safepoints=backedge
; SAFEPOINTS: 1
; SAFEPOINTS @f reason=backedge-poll: 1
; SAFEPOINTS @f callee=stop: 1
; SYMBOL: stop
; ASM=1 @f: /call(q)? stop|bl stop/
; READOBJ: agrees
; RUN: opt={0,1,2,3} poll=call:stop safepoints=backedge elide=none
; SAFEPOINTS @f reason=call: 1
declare i64 @pure(i64) memory(none)

define void @f(ptr %p) gc "statepoint-example" {
  br label %l
l:
  %v = load volatile i64, ptr %p
  %w = call i64 @pure(i64 %v)
  store volatile i64 %w, ptr %p
  %c = icmp slt i64 %w, 9
  br i1 %c, label %l, label %d
d:
  ret void
}
