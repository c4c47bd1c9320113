; Records of llvm.experimental.stackmap and patchpoint: values in registers and constants of both sizes, an alloca, live-outs.

declare void @llvm.experimental.stackmap(i64, i32, ...)
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)

define i64 @mapped(i64 %a, i64 %b, double %d) {
  %slot = alloca i64
  store i64 %a, ptr %slot
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 18446744073709551615, i32 8, i64 %a, i64 %b, i64 -3, i64 4611686018427387904, ptr %slot, double %d)
  %sum = add i64 %a, %b
  %sum2 = add i64 %sum, 1
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 7, i32 0)
  ret i64 %sum2
}

define i64 @patched(i64 %a, i64 %b) {
  %c = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 8, i32 32, ptr inttoptr (i64 12297829382473034410 to ptr), i32 2, i64 %a, i64 %b, i64 %a, i64 12345678901234)
  %e = add i64 %c, %b
  ret i64 %e
}
