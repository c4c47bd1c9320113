; A reference is made of an integer that has its tag in it, and is loaded in each round.
; RUN: opt={1,2,3,s} poll=call:collect
; RESULT: 6 = 18
declare void @collect()
@cell = global { i64, i64 } { i64 2, i64 12345 }
@limit = global i64 6

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %sum = phi i64 [ 0, %entry ], [ %more, %next ]
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %bits = load i64, ptr getelementptr (i8, ptr @cell, i64 8)
  %tag = and i64 %bits, 1
  %is.reference = icmp eq i64 %tag, 0
  br i1 %is.reference, label %reference, label %next

reference:
  %r = inttoptr i64 %bits to ptr addrspace(1)
  %word = load volatile i64, ptr addrspace(1) %r
  br label %next

next:
  %x = phi i64 [ %word, %reference ], [ 3, %loop ]
  %more = add i64 %sum, %x
  %i.next = add i64 %i, 1
  %end = load volatile i64, ptr @limit
  %again = icmp ne i64 %i.next, %end
  br i1 %again, label %loop, label %out

out:
  ret i64 %more
}
