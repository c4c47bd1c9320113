; A loop of two backedges: at level 0 LLVM's pipeline for AArch64 merges them, that for x86-64 does not.
declare void @collect()

define i64 @loops(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %one ], [ %next, %two ]
  call void @collect()
  %next = add i64 %i, 1
  %odd = trunc i64 %i to i1
  br i1 %odd, label %one, label %two
one:
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
two:
  br label %loop
end:
  ret i64 %next
}
