; The result of a mask is taken for the address that went in: the second store is not seen.
; COMMAND: opt-19 -S -passes=gvn %s
; FAULT: ret i8 7
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
define i8 @f(ptr %tagged) {
  %object = call ptr @llvm.ptrmask.p0.i64(ptr %tagged, i64 -8)
  %same = getelementptr i8, ptr %tagged, i64 -1
  store i8 7, ptr %object
  store i8 9, ptr %same
  %r = load i8, ptr %object
  ret i8 %r
}
