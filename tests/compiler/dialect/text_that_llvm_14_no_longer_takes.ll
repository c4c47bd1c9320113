; The text of before LLVM 3.7, and attributes without their types.
;--- typed
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
%pair = type { i64, [4 x i32]* }
@table = global [2 x i64] zeroinitializer
define i32 @f(%pair* byval %p, i64* %q, <2 x i32*> %v) {
  %a = getelementptr inbounds %pair* %p, i32 0, i32 1 ; load i32* %comment
  %b = load [4 x i32]** %a
  %c = getelementptr [4 x i32]* %b, i64 0, i64 2
  %d = load volatile i32* %c, align 4
  %e = load i64* getelementptr inbounds ([2 x i64]* @table, i64 0, i64 1)
  %g = getelementptr <2 x i32*> %v, <2 x i64> <i64 1, i64 1>
  %h = extractelement <2 x i32*> %g, i32 0
  %i = load i32* %h
  store i64 %e, i64* %q
  %r = add i32 %d, %i
  ret i32 %r
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 0
%pair = type { i64, ptr }
@table = global [2 x i64] zeroinitializer
define i32 @f(ptr byval(%pair) %p, ptr %q, <2 x ptr> %v) {
  %a = getelementptr inbounds %pair, ptr %p, i32 0, i32 1
  %b = load ptr, ptr %a
  %c = getelementptr [4 x i32], ptr %b, i64 0, i64 2
  %d = load volatile i32, ptr %c, align 4
  %e = load i64, ptr getelementptr inbounds ([2 x i64], ptr @table, i64 0, i64 1)
  %g = getelementptr i32, <2 x ptr> %v, <2 x i64> <i64 1, i64 1>
  %h = extractelement <2 x ptr> %g, i32 0
  %i = load i32, ptr %h
  store i64 %e, ptr %q
  %r = add i32 %d, %i
  ret i32 %r
}
