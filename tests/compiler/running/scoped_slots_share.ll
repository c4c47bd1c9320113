; Six roots in three slots that are shared: stored before their scopes, in branches, in a loop, and lent to a callee
; that writes to one. Each object that is read is the one that was stored.
; RUN: poll=call:collect opt={0,1,2,3}
; RESULT: 10 = 1235
; RUN: target=x86_64-linux-gnu poll=call:collect opt=0
; IR=3: = alloca
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@meta = constant i32 1

define ptr addrspace(1) @boxed(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}

define void @replace(ptr nocapture %slot, i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @boxed(i64 %n)
  store ptr addrspace(1) %o, ptr %slot
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %c = alloca ptr addrspace(1)
  %d = alloca ptr addrspace(1)
  %e = alloca ptr addrspace(1)
  %f = alloca ptr addrspace(1)
  %first = call ptr addrspace(1) @boxed(i64 1000)
  store ptr addrspace(1) %first, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @collect()
  %held = call ptr addrspace(1) @boxed(i64 100)
  store ptr addrspace(1) %held, ptr %e
  call void @llvm.gc.declare(ptr %e, ptr @meta)
  call void @collect()
  %va = load ptr addrspace(1), ptr %a
  %na = load i64, ptr addrspace(1) %va
  call void @llvm.gc.undeclare(ptr %a)
  %second = call ptr addrspace(1) @boxed(i64 1)
  store ptr addrspace(1) %second, ptr %b
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  call void @replace(ptr %b, i64 70)
  call void @collect()
  %vb = load ptr addrspace(1), ptr %b
  %nb = load i64, ptr addrspace(1) %vb
  call void @llvm.gc.undeclare(ptr %b)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %third = call ptr addrspace(1) @boxed(i64 %i)
  store ptr addrspace(1) %third, ptr %c
  call void @llvm.gc.declare(ptr %c, ptr @meta)
  %inner = call ptr addrspace(1) @boxed(i64 1)
  store ptr addrspace(1) %inner, ptr %f
  call void @llvm.gc.declare(ptr %f, ptr @meta)
  call void @collect()
  %vf = load ptr addrspace(1), ptr %f
  %nf = load i64, ptr addrspace(1) %vf
  call void @llvm.gc.undeclare(ptr %f)
  call void @collect()
  %vc = load ptr addrspace(1), ptr %c
  %nc = load i64, ptr addrspace(1) %vc
  call void @llvm.gc.undeclare(ptr %c)
  %one = add i64 %sum, %nc
  %more = add i64 %one, %nf
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %last = call ptr addrspace(1) @boxed(i64 10)
  store ptr addrspace(1) %last, ptr %d
  call void @llvm.gc.declare(ptr %d, ptr @meta)
  call void @collect()
  %ve = load ptr addrspace(1), ptr %e
  %ne = load i64, ptr addrspace(1) %ve
  call void @llvm.gc.undeclare(ptr %e)
  %vd = load ptr addrspace(1), ptr %d
  %nd = load i64, ptr addrspace(1) %vd
  call void @llvm.gc.undeclare(ptr %d)
  %s1 = add i64 %na, %nb
  %s2 = add i64 %s1, %ne
  %s3 = add i64 %s2, %nd
  %s4 = add i64 %s3, %more
  ret i64 %s4
}
