; Frames of the "erlang" strategy whose slots do not all count from the stack pointer, which the table does not tell:
; realigned, realigned and of variable size (a base pointer), and on AArch64 a slot in the gap above the frame pointer.
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
define void @both(ptr %a, i64 %n) gc "erlang" {
  %r = alloca ptr
  %w = alloca i64, align 64
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %a, ptr %r
  %q = alloca i8, i64 %n
  call void @g(ptr %q)
  call void @g(ptr %w)
  ret void
}
define void @realigned(ptr %a, i64 %n) gc "erlang" {
  %r = alloca ptr
  %w = alloca i64, align 64
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %a, ptr %r
  call void @g(ptr %w)
  ret void
}
define i64 @gap(ptr %a, i64 %n) "frame-pointer"="all" gc "erlang" {
  %r = alloca ptr
  %s = alloca ptr
  %w = alloca [6 x i64]
  call void @llvm.gcroot(ptr %r, ptr null)
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %a, ptr %r
  store ptr %a, ptr %s
  call void @g(ptr %w)
  call void @g(ptr %w)
  ret i64 %n
}
