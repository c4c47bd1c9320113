; A test for null that is made a fault of an access, after a gather, which has no pointer in the IR: code generation crashes.
; COMMAND: llc-19 -O2 -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 -enable-implicit-null-checks %s -o /dev/null
; FAULT: exit status -11
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
define i32 @f(ptr %p, <4 x ptr> %from, ptr %q) {
  %c = icmp eq ptr %p, null
  br i1 %c, label %nothing, label %something, !make.implicit !0
something:
  %g = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x i32> zeroinitializer)
  store <4 x i32> %g, ptr %q
  %a = getelementptr i8, ptr %p, i64 8
  store i32 4, ptr %a
  ret i32 1
nothing:
  ret i32 0
}
!0 = !{}
