; References as integers with low tags, NaN-boxed ones beside numbers, across collections.
; run: 10 = 590
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare void @llvm.gc.value.i64(i64, ptr)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define internal i64 @box(i64 %n) noinline gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %object
  %bits = call i64 @smd.gc.to_int(ptr addrspace(1) %object)
  call void @collect()
  %tagged = or i64 %bits, 1
  call void @collect()
  ret i64 %tagged
}

; A value is a small number (upper bits 0x7ffc) or a box.
define internal i64 @value(i64 %n) noinline gc "statepoint-example" {
entry:
  %odd = and i64 %n, 1
  %is.odd = icmp eq i64 %odd, 1
  br i1 %is.odd, label %number, label %object
number:
  %low = trunc i64 %n to i32
  %wide = zext i32 %low to i64
  %boxed = or i64 %wide, 9222246136947933184
  br label %done
object:
  %box = call i64 @box(i64 %n)
  call void @llvm.gc.value.i64(i64 %box, ptr null) ; a poll may stand behind the call
  br label %done
done:
  %v = phi i64 [ %boxed, %number ], [ %box, %object ]
  call void @llvm.gc.value.i64(i64 %v, ptr null)
  call void @collect()
  ret i64 %v
}

define internal i64 @read(i64 %v) noinline gc "statepoint-example" {
entry:
  call void @collect()
  %tag = and i64 %v, 1
  %upper = lshr i64 %v, 48
  %is.number = icmp eq i64 %upper, 32764
  br i1 %is.number, label %number, label %object
number:
  %low = trunc i64 %v to i32
  %n = zext i32 %low to i64
  ret i64 %n
object:
  %plain = xor i64 %v, 1
  call void @collect()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %plain)
  call void @collect()
  %m = load i64, ptr addrspace(1) %o
  %both = mul i64 %m, %tag
  ret i64 %both
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %first = call i64 @box(i64 50)
  call void @llvm.gc.value.i64(i64 %first, ptr null)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %v = call i64 @value(i64 %k)
  call void @llvm.gc.value.i64(i64 %v, ptr null)
  %w = call i64 @value(i64 %k)
  call void @llvm.gc.value.i64(i64 %w, ptr null)
  call void @collect()
  %x = call i64 @read(i64 %v)
  %y = call i64 @read(i64 %w)
  %z = call i64 @read(i64 %first)
  %t = add i64 %x, %y
  %t2 = add i64 %t, %z
  %more = add i64 %sum, %t2
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret i64 %more
}
