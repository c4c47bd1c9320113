; A patchpoint calls, or has room for a call, so what x30 has before it is gone behind it: the function saves x30.
; RUN: target=aarch64-linux-gnu opt={0,1,2,3} safepoints=none
; READOBJ: agrees
; SAFEPOINTS @room: 1
; DISASM @room: / (stp|str) .*x30/
; DISASM @called: / (stp|str) .*x30/
; DISASM @any: / (stp|str) .*x30/
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)

define i64 @room(i64 %a) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 20, ptr null, i32 0, i64 %a)
  ret i64 %a
}

define i64 @called(i64 %a) "frame-pointer"="none" {
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 2, i32 20, ptr inttoptr (i64 4096 to ptr), i32 1, i64 %a)
  ret i64 %r
}

define i64 @any(i64 %a) "frame-pointer"="none" {
  %r = call anyregcc i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 3, i32 20, ptr inttoptr (i64 4096 to ptr), i32 1, i64 %a)
  %s = add i64 %r, %a
  ret i64 %s
}
