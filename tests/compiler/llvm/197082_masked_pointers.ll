; LLVM's alias analysis took a masked pointer for one to the place where the pointer was before: here the second store was
; not seen, and a load was taken out of the wrong bytes of another.
; RUN: opt={0,1,2,3,s,z} poll=call:collect
; RESULT: 5 = 55555
; IR-NOT: smd.mask
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
@data = internal global [4 x i64] zeroinitializer

; References, in a function with safepoints.
define i64 @stored(ptr addrspace(1) %a, i64 %n) noinline gc "statepoint-example" {
  call void @collect()
  %v = trunc i64 %n to i16
  %inside = getelementptr i8, ptr addrspace(1) %a, i64 10
  %masked = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %inside, i64 -8)
  %same = getelementptr i8, ptr addrspace(1) %a, i64 8
  store i16 1, ptr addrspace(1) %masked
  store i16 %v, ptr addrspace(1) %same
  %r = load i16, ptr addrspace(1) %masked
  %w = zext i16 %r to i64
  ret i64 %w
}

; The address is masked before a safepoint, and used behind it.
define i64 @loaded(ptr addrspace(1) %a, i64 %n) noinline gc "statepoint-example" {
  %inside = getelementptr i8, ptr addrspace(1) %a, i64 18
  %masked = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %inside, i64 -8)
  %same = getelementptr i8, ptr addrspace(1) %a, i64 16
  store i64 %n, ptr addrspace(1) %same
  call void @collect()
  %lanes = load <4 x i32>, ptr addrspace(1) %same, align 8
  %lane = extractelement <4 x i32> %lanes, i32 1
  %r = load i64, ptr addrspace(1) %masked
  %high = zext i32 %lane to i64
  %w = add i64 %high, %r
  ret i64 %w
}

; In a function without.
define i64 @tagged(ptr addrspace(1) %tagged, i64 %n) noinline {
  %v = trunc i64 %n to i8
  %object = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %tagged, i64 -8)
  %same = getelementptr i8, ptr addrspace(1) %tagged, i64 -1
  store i8 1, ptr addrspace(1) %object
  store i8 %v, ptr addrspace(1) %same
  %r = load i8, ptr addrspace(1) %object
  %w = zext i8 %r to i64
  ret i64 %w
}

; Pointers that are no references, in a loop.
define i64 @pointers(ptr %tagged, i64 %n) noinline {
entry:
  %object = call ptr @llvm.ptrmask.p0.i64(ptr %tagged, i64 -8)
  %same = getelementptr i8, ptr %tagged, i64 -1
  store i8 0, ptr %object
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = load i8, ptr %object
  %new = add i8 %old, 1
  store i8 %new, ptr %same
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  %r = load i8, ptr %object
  %w = zext i8 %r to i64
  ret i64 %w
}

; The mask is not known, and the alignment neither.
define i64 @variable(ptr %p, i64 %mask, i64 %n) noinline {
  %v = trunc i64 %n to i8
  %masked = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 %mask)
  %same = getelementptr i8, ptr %p, i64 -3
  store i8 1, ptr %masked
  store i8 %v, ptr %same
  %r = load i8, ptr %masked
  %w = zext i8 %r to i64
  ret i64 %w
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 64, i64 0)
  %1 = call i64 @stored(ptr addrspace(1) %a, i64 %n)
  %2 = call i64 @loaded(ptr addrspace(1) %a, i64 %n)
  %t = getelementptr i8, ptr addrspace(1) %a, i64 33
  %3 = call i64 @tagged(ptr addrspace(1) %t, i64 %n)
  %4 = call i64 @pointers(ptr getelementptr (i8, ptr @data, i64 1), i64 %n)
  %5 = call i64 @variable(ptr getelementptr (i8, ptr @data, i64 19), i64 -4, i64 %n)
  %d1 = mul i64 %1, 10
  %s2 = add i64 %d1, %2
  %d2 = mul i64 %s2, 10
  %s3 = add i64 %d2, %3
  %d3 = mul i64 %s3, 10
  %s4 = add i64 %d3, %4
  %d4 = mul i64 %s4, 10
  %s5 = add i64 %d4, %5
  ret i64 %s5
}
