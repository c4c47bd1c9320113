; LLVM takes what is behind a store to null for never reached; the call would be gone, and its
; safepoint.
; RUN: safepoints=none transition=flag opt={0,1,2,3}
; STATUS: transition_conflict
;--- where no flag can be
; ERROR: where no flag can be
; ERROR: transition=flag: the first "gc-transition" operand of the call of g is null, whe
; AT: call void @g() [ "gc-transition"(ptr null) ]
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"(ptr null) ]
  ret void
}
;--- call void @g() [ "gc-transition"(ptr undef) ]
; ERROR: where no flag can be
; ERROR: transition=flag: the first "gc-transition" operand of the call of g is undefined
; AT: call void @g() [ "gc-transition"(ptr undef) ]
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"(ptr undef) ]
  ret void
}
;--- call void @g() [ "gc-transition"(ptr poison) ]
; ERROR: where no flag can be
; ERROR: transition=flag: the first "gc-transition" operand of the call of g is undefined
; AT: call void @g() [ "gc-transition"(ptr poison) ]
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"(ptr poison) ]
  ret void
}
;--- call void @g() [ "gc-transition"(ptr inttoptr (i64 0 to ptr)) ]
; ERROR: where no flag can be
; ERROR: transition=flag: the first "gc-transition" operand of the call of g is null, whe
; AT: call void @g() [ "gc-transition"(ptr inttoptr (i64 0 to ptr)) ]
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"(ptr inttoptr (i64 0 to ptr)) ]
  ret void
}
