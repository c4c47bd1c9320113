; References in stack slots whose addresses callees have: structs, arrays of structs, loops with lifetimes, arguments by value.
; run: 10 = 362
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
%pair = type { i64, ptr addrspace(1), ptr addrspace(1) }

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define internal void @put(ptr %slot, i64 %n) noinline gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %object
  store ptr addrspace(1) %object, ptr %slot
  ret void
}

define internal i64 @get(ptr %slot) noinline gc "statepoint-example" {
  call void @collect()
  %object = load ptr addrspace(1), ptr %slot
  %none = icmp eq ptr addrspace(1) %object, null
  br i1 %none, label %nothing, label %something
something:
  %n = load i64, ptr addrspace(1) %object
  ret i64 %n
nothing:
  ret i64 1
}

; One slot for each round, null at first whatever the round before left.
define internal i64 @rounds(i64 %n) noinline gc "statepoint-example" {
entry:
  %slot = alloca ptr addrspace(1)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  call void @llvm.lifetime.start.p0(i64 8, ptr %slot)
  store ptr addrspace(1) null, ptr %slot
  %one = call i64 @get(ptr %slot)
  call void @put(ptr %slot, i64 %k)
  call void @collect()
  %v = call i64 @get(ptr %slot)
  call void @llvm.lifetime.end.p0(i64 8, ptr %slot)
  call void @collect()
  %both = add i64 %one, %v
  %more = add i64 %sum, %both
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret i64 %more
}

; An array that is indexed, and walked by a pointer.
define internal i64 @array(i64 %n) noinline gc "statepoint-example" {
entry:
  %slots = alloca [100 x %pair]
  %end = getelementptr [100 x %pair], ptr %slots, i64 0, i64 %n
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %next, %fill ]
  %at = getelementptr [100 x %pair], ptr %slots, i64 0, i64 %k, i32 2
  call void @put(ptr %at, i64 %k)
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %fill, label %sum
sum:
  %p = phi ptr [ %slots, %fill ], [ %after, %sum ]
  %s = phi i64 [ 0, %fill ], [ %s2, %sum ]
  %field = getelementptr i8, ptr %p, i64 16
  %v = call i64 @get(ptr %field)
  %s2 = add i64 %s, %v
  %after = getelementptr %pair, ptr %p, i64 1
  %at.end = icmp eq ptr %after, %end
  br i1 %at.end, label %done, label %sum
done:
  ret i64 %s2
}

; The callee has a copy of its own.
define internal i64 @by_value(ptr byval(%pair) %copy) noinline gc "statepoint-example" {
  %at = getelementptr %pair, ptr %copy, i32 0, i32 1
  call void @collect()
  %v = call i64 @get(ptr %at)
  call void @put(ptr %at, i64 1000)
  ret i64 %v
}

define internal i64 @copies(i64 %n) noinline gc "statepoint-example" {
  %a = alloca %pair
  %b = alloca %pair
  %a1 = getelementptr %pair, ptr %a, i32 0, i32 1
  %a2 = getelementptr %pair, ptr %a, i32 0, i32 2
  %b2 = getelementptr %pair, ptr %b, i32 0, i32 2
  call void @put(ptr %a1, i64 %n)
  call void @put(ptr %a2, i64 92)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 24, i1 false)
  %x = call i64 @by_value(ptr byval(%pair) %a)
  call void @put(ptr %a2, i64 0)
  %y = call i64 @by_value(ptr byval(%pair) %b)
  %z = call i64 @get(ptr %b2)
  %w = call i64 @get(ptr %a1)
  %s = add i64 %x, %y
  %s2 = add i64 %s, %z
  %s3 = add i64 %s2, %w
  ret i64 %s3
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call i64 @rounds(i64 %n)
  %b = call i64 @array(i64 %n)
  %c = call i64 @copies(i64 %n)
  %d = add i64 %a, %b
  %e = add i64 %d, %c
  %f = add i64 %e, 140
  ret i64 %f
}
