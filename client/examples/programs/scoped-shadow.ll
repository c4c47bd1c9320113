; Scoped roots in a function with the shadow-stack strategy: its frames hold them.
; run: 20 = 350
declare ptr @allocate(i64, i64)
declare void @collect()
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p0(ptr, ptr)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define i64 @rooted(ptr %object, i64 %n) gc "shadow-stack" {
entry:
  %slot = alloca ptr
  call void @llvm.gc.value.p0(ptr %object, ptr null)
  call void @llvm.gc.declare(ptr %slot, ptr null)
  br label %loop

loop:
  %i = phi i64 [ %n, %entry ], [ %less, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %box = call ptr @allocate(i64 8, i64 0)
  store i64 %i, ptr %box
  store ptr %box, ptr %slot
  call void @collect()
  %again = load ptr, ptr %slot
  %v = load i64, ptr %again
  %w = load i64, ptr %object
  %s = add i64 %v, %w
  %more = add i64 %sum, %s
  %less = sub i64 %i, 1
  %end = icmp eq i64 %less, 0
  br i1 %end, label %done, label %loop

done:
  call void @llvm.gc.undeclare(ptr %slot)
  ret i64 %more
}

define i64 @program(i64 %n) gc "shadow-stack" {
  %box = call ptr @allocate(i64 8, i64 0)
  store i64 7, ptr %box
  %sum = call i64 @rooted(ptr %box, i64 %n)
  ret i64 %sum
}
