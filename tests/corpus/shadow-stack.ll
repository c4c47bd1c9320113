; Roots of the "shadow-stack" strategy: with and without metadata, and with a number as metadata.
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
@meta = constant i32 7
@tab = constant [4 x i32] zeroinitializer
define void @one(ptr %a, ptr %b) gc "shadow-stack" {
  %r = alloca ptr
  %s = alloca ptr
  %t = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  call void @llvm.gcroot(ptr %s, ptr @meta)
  call void @llvm.gcroot(ptr %t, ptr getelementptr([4 x i32], ptr @tab, i32 0, i32 2))
  store ptr %a, ptr %r
  store ptr %b, ptr %s
  call void @g(ptr %a)
  ret void
}
define internal void @two(ptr %a) gc "shadow-stack" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %a, ptr %r
  call void @g(ptr %a)
  ret void
}
define void @three(ptr %a) gc "shadow-stack" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr inttoptr (i64 77 to ptr))
  store ptr %a, ptr %r
  call void @two(ptr %a)
  ret void
}
