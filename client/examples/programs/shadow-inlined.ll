; Roots of functions that the optimiser makes part of others: one called in a loop, one that may throw, slots that ask for more
; alignment than a frame of the shadow stack has.
; run: 20 = 890
declare ptr @allocate(i64, i64)
declare void @collect()
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p0(ptr, ptr)
declare void @llvm.gcroot(ptr, ptr)
declare i32 @handle_all(...)

define internal ptr @box(i64 %n) gc "shadow-stack" {
  %box = call ptr @allocate(i64 8, i64 0)
  store i64 %n, ptr %box
  ret ptr %box
}

; Two slots side by side, which an optimiser fills at once.
define internal i64 @pair(i64 %n) gc "shadow-stack" {
  %a = alloca ptr, align 16
  %b = alloca ptr, align 16
  call void @llvm.gcroot(ptr %a, ptr null)
  call void @llvm.gcroot(ptr %b, ptr null)
  store ptr null, ptr %a, align 16
  store ptr null, ptr %b, align 16
  %x = call ptr @box(i64 %n)
  store ptr %x, ptr %a, align 16
  %y = call ptr @box(i64 3)
  store ptr %y, ptr %b, align 16
  call void @collect()
  %p = load ptr, ptr %a, align 16
  %q = load ptr, ptr %b, align 16
  %v = load i64, ptr %p
  %w = load i64, ptr %q
  %s = add i64 %v, %w
  ret i64 %s
}

define internal i64 @kept(ptr %object, i64 %n) gc "shadow-stack" {
  %slot = alloca ptr, align 16
  call void @llvm.gc.value.p0(ptr %object, ptr null)
  call void @llvm.gc.declare(ptr %slot, ptr null)
  %x = call ptr @box(i64 %n)
  store ptr %x, ptr %slot, align 16
  %s = call i64 @pair(i64 %n)
  %y = load ptr, ptr %slot, align 16
  %v = load i64, ptr %y
  call void @llvm.gc.undeclare(ptr %slot)
  call void @collect()
  %w = load i64, ptr %object
  %t = add i64 %s, %v
  %u = add i64 %t, %w
  ret i64 %u
}

define i64 @program(i64 %n) gc "shadow-stack" personality ptr @handle_all {
entry:
  %object = call ptr @box(i64 5)
  call void @llvm.gc.value.p0(ptr %object, ptr null)
  br label %loop

loop:
  %i = phi i64 [ %n, %entry ], [ %less, %next ]
  %sum = phi i64 [ 0, %entry ], [ %more, %next ]
  %half = lshr i64 %i, 1
  %odd = trunc i64 %i to i1
  br i1 %odd, label %next, label %inside

inside:
  %k = invoke i64 @kept(ptr %object, i64 %half)
          to label %next unwind label %pad

next:
  %v = phi i64 [ 70, %loop ], [ %k, %inside ]
  %more = add i64 %sum, %v
  %less = sub i64 %i, 1
  %end = icmp eq i64 %less, 0
  br i1 %end, label %done, label %loop

done:
  ret i64 %more

pad:
  %l = landingpad { ptr, i32 } cleanup
  ret i64 -1
}
