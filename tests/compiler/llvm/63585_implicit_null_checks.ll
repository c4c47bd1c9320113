; A test for null that is made a fault of an access, behind a gather or behind one load made of two: LLVM crashes, as it
; compares the pointers of the accesses in the IR, and these have none. The test stays a test.
; RUN: opt={1,2,3} null_checks=implicit target=x86_64-linux-gnu cpu=skylake-avx512
; DISASM @gathers: /testq|cmpq/
; DISASM @chosen: /testq|cmpq/
; DISASM-NOT @plain: /testq|cmpq/
; SAME-AS: ir
; RUN: opt={1,2,3} null_checks=implicit target=aarch64-linux-gnu
; ERROR-NOT:
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)

define i32 @gathers(ptr %p, <4 x ptr> %from, ptr %q) {
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

define i32 @chosen(ptr %p, ptr %a, ptr %b, i1 %which) {
  %c = icmp eq ptr %p, null
  br i1 %c, label %nothing, label %something, !make.implicit !0

something:
  %x = load volatile i32, ptr %a
  %y = load volatile i32, ptr %b
  %v = select i1 %which, i32 %x, i32 %y
  store i32 %v, ptr %p
  ret i32 1

nothing:
  ret i32 0
}

define i32 @plain(ptr %p) {
  %c = icmp eq ptr %p, null
  br i1 %c, label %nothing, label %something, !make.implicit !0

something:
  %v = load i32, ptr %p
  ret i32 %v

nothing:
  ret i32 0
}
!0 = !{}
