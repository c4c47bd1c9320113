; The shadow-stack strategy: roots in a chain of frames that the code keeps itself.
; run: 25 = 325
declare ptr @allocate(i64, i64)
declare void @llvm.gcroot(ptr, ptr)

declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define i64 @descend(i64 %n) gc "shadow-stack" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr null, ptr %root
  %bottom = icmp eq i64 %n, 0
  br i1 %bottom, label %leaf, label %inner

leaf:
  ret i64 0

inner:
  %box = call ptr @allocate(i64 8, i64 0)
  store i64 %n, ptr %box
  store ptr %box, ptr %root
  %less = sub i64 %n, 1
  %below = call i64 @descend(i64 %less)
  %again = load ptr, ptr %root
  %value = load i64, ptr %again
  %sum = add i64 %below, %value
  ret i64 %sum
}

define i64 @program(i64 %n) {
  %sum = call i64 @descend(i64 %n)
  ret i64 %sum
}
