; Whoever calls a function with "gc-leaf-function" has no record there, and no walk would come past the leaf's frame: so
; the leaf itself has neither polls nor statepoints.
; RUN: opt={0,1,2,3} poll=call:stop safepoints=entry,backedge,return
; SAFEPOINTS: 0
; REMARKS=1: neither polls nor statepoints: the function is a leaf
; REMARKS=1: no statepoint at the call of reads: the function that makes it is a leaf
; UNDEFINED-NOT: stop
; SECTION-NOT: .llvm_stackmaps
@x = external global i64
declare i64 @reads(i64) memory(read)

define i64 @t(i64 %n) noinline "gc-leaf-function" gc "statepoint-example" {
entry:
  br label %l
l:
  %k = phi i64 [ 0, %entry ], [ %m, %l ]
  %a = call i64 @reads(i64 %k)
  store volatile i64 %a, ptr @x
  %m = add i64 %k, 1
  %c = icmp slt i64 %m, %n
  br i1 %c, label %l, label %d
d:
  ret i64 %k
}
