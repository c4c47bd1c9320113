; Where all scoped roots of a function are references, the function is optimised, and those without metadata are reported
; as values. A declared one is alive until its scope ends, though nothing reads it any more.
;--- as if nothing were declared
; RUN: safepoints=none opt={1,2,3,s,z}
; ROOTS @f: 1 1 0
; REGIONS: 0
; IR-NOT @f: alloca
; IR-NOT: smd.use
; SAME-AS: ir
; RUN: safepoints=none opt={1,2,3,s,z} emit=obj,remarks
; ROOTS @v: 1 0
; RUN: safepoints=none opt=0
; REGIONS @f: 1 1 0
; REGIONS @v: 1 0
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @g()
define i64 @f(ptr addrspace(1) %r) gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr null)
  call void @g()
  %x = load ptr addrspace(1), ptr %a
  %v = load i64, ptr addrspace(1) %x
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  ret i64 %v
}
define i64 @v(ptr addrspace(1) %r) gc "statepoint-example" {
  call void @llvm.gc.value.p1(ptr addrspace(1) %r, ptr null)
  call void @g()
  %v = load i64, ptr addrspace(1) %r
  call void @g()
  ret i64 %v
}
;--- the function is left in its scope
; RUN: safepoints=none opt={1,2,3} elide=none
; ROOTS @f: 1 1
; ROOTS @raises: 1 1
; ROOTS @tail callee=g: 1
; REGIONS: 0
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare void @h()
declare void @next(ptr addrspace(1))
declare i32 @__gcc_personality_v0(...)
define void @f(ptr addrspace(1) %r, i1 %c) gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr null)
  br i1 %c, label %x, label %y
x:
  call void @g()
  ret void
y:
  call void @h()
  ret void
}
define void @raises(ptr addrspace(1) %r) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
  %a = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr null)
  invoke void @g() to label %on unwind label %pad
on:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  call void @g()
  resume { ptr, i32 } %l
}
define void @tail(ptr addrspace(1) %r) gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr null)
  call void @g()
  musttail call void @next(ptr addrspace(1) null)
  ret void
}
;--- nothing is alive from one scope to the next
; RUN: safepoints=none opt={1,2,3}
; ROOTS @f callee=first: 0
; ROOTS @f callee=second: 1
; ROOTS @f callee=third: 0
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare ptr addrspace(1) @new()
declare void @first()
declare void @second()
declare i1 @third()
define void @f() gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  br label %loop
loop:
  call void @llvm.gc.declare(ptr %a, ptr null)
  call void @first()
  %o = call ptr addrspace(1) @new()
  store ptr addrspace(1) %o, ptr %a
  call void @second()
  call void @llvm.gc.undeclare(ptr %a)
  %m = call i1 @third()
  br i1 %m, label %loop, label %out
out:
  ret void
}
;--- one with metadata has a slot with a type
; RUN: safepoints=none opt={1,2,3,s,z}
; REGIONS @typed: 1 1 0
; SAFEPOINT=2 @typed: "type":3
; REGIONS @value: 1 0
; SAFEPOINT=1 @value: "type":{"symbol":"box","addend":0}
; REGIONS @both: 1
; ROOTS @both: 1
; IR-NOT @typed: phi
; IR-NOT: !smd.typed
; SAME-AS: ir
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @g()
@box = constant i64 8
define i64 @typed(ptr addrspace(1) %r) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %n = alloca i64
  store ptr addrspace(1) %r, ptr %a
  store i64 0, ptr %n
  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 3 to ptr))
  call void @g()
  %x = load ptr addrspace(1), ptr %a
  %v = load i64, ptr addrspace(1) %x
  store i64 %v, ptr %n
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  %w = load i64, ptr %n
  ret i64 %w
}
define i64 @value(ptr addrspace(1) %r) gc "statepoint-example" {
  call void @llvm.gc.value.p1(ptr addrspace(1) %r, ptr @box)
  call void @g()
  %v = load i64, ptr addrspace(1) %r
  call void @g()
  ret i64 %v
}
define void @both(ptr addrspace(1) %r, ptr addrspace(1) %s) gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  store ptr addrspace(1) %s, ptr %b
  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 3 to ptr))
  call void @llvm.gc.declare(ptr %b, ptr null)
  call void @g()
  ret void
}
;--- what needs a slot keeps it
; RUN: safepoints=none opt={1,2,3}
; REGIONS @types callee=g: 1
; REGIONS @escapes callee=h: 1
; REGIONS @integer callee=g: 1
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.value.i64(i64, ptr)
declare void @g()
declare void @h(ptr)
define void @types(ptr addrspace(1) %r, i1 %c) gc "statepoint-example" {
  %a = alloca i64
  %b = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %b
  store i64 0, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 3 to ptr))
  call void @g()
  ret void
}
define void @escapes(ptr addrspace(1) %r) gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr null)
  call void @h(ptr %a)
  ret void
}
define i64 @integer(i64 %n) gc "statepoint-example" {
  call void @llvm.gc.value.i64(i64 %n, ptr null)
  call void @g()
  ret i64 %n
}
;--- moving
; RUN: opt={0,1,2,3} poll=call:collect
; RUN: opt={1,2,3} poll=flag:stop:collect safepoints=entry,backedge,return,precall,postcall gc_registers=8
; RESULT: 20 = 630
; RESULT: --leave-out 0 20 != 630
@stop = global i8 1
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
define ptr addrspace(1) @make(i64 %n) noinline gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr null)
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store ptr addrspace(1) %o, ptr %a
  store i64 %n, ptr addrspace(1) %o
  call void @collect()
  %moved = load ptr addrspace(1), ptr %a
  call void @llvm.gc.undeclare(ptr %a)
  ret ptr addrspace(1) %moved
}
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %last = alloca ptr addrspace(1)
  %two = call ptr addrspace(1) @make(i64 2)
  call void @llvm.gc.value.p1(ptr addrspace(1) %two, ptr null)
  store ptr addrspace(1) %two, ptr %last
  call void @llvm.gc.declare(ptr %last, ptr inttoptr (i64 5 to ptr))
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %j, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %s2, %loop ]
  %old = load ptr addrspace(1), ptr %last
  %x = load i64, ptr addrspace(1) %old
  %new = call ptr addrspace(1) @make(i64 %i)
  store ptr addrspace(1) %new, ptr %last
  call void @collect()
  %y = load i64, ptr addrspace(1) %two
  %z = load ptr addrspace(1), ptr %last
  %w = load i64, ptr addrspace(1) %z
  %s0 = add i64 %sum, %y
  %s1 = add i64 %s0, %w
  %s2 = add i64 %s1, %i
  %j = add i64 %i, 1
  %c = icmp ule i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  %o = load ptr addrspace(1), ptr %last
  %v = load i64, ptr addrspace(1) %o
  %more = mul i64 %v, 9
  %s3 = add i64 %s2, %more
  %s4 = sub i64 %s3, 10
  call void @llvm.gc.undeclare(ptr %last)
  ret i64 %s4
}
