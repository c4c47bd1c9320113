; The same of calls that are the module's.
; RUN: opt={0,1,2,3} safepoints=none
; IR=1: ptr sret(i64) %o, ptr nest %o, i8 signext %x, i16 zeroext %y, i32 0, i32 0)
declare void @g(ptr sret(i64), ptr nest, i8 signext, i16 zeroext)
define void @f(ptr %o, i8 %x, i16 %y) gc "statepoint-example" {
  call void @g(ptr %o, ptr %o, i8 %x, i16 %y)
  ret void
}
