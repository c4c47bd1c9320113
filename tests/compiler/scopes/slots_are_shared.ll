; Slots whose scopes are apart may share a place; nobody else's may.
; RUN: opt=2 safepoints=none
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1

;--- apart
; IR=1: alloca
; REGIONS @f: 1
; SAFEPOINTS @f: 3
define void @f(ptr addrspace(1) %r) noinline optnone gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  store ptr addrspace(1) %r, ptr %a
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  store ptr addrspace(1) %r, ptr %b
  call void @g()
  call void @llvm.gc.undeclare(ptr %b)
  ret void
}

;--- a store stands before the scope, as in the document, and a callee has the address for its call alone
; IR=1: alloca
; REGIONS @f: 0 1 1 1
declare ptr addrspace(1) @make()
declare void @use(ptr nocapture)
define void @f() noinline optnone gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %first = call ptr addrspace(1) @make()
  store ptr addrspace(1) %first, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @use(ptr %a)
  call void @llvm.gc.undeclare(ptr %a)
  %second = call ptr addrspace(1) @make()
  store ptr addrspace(1) %second, ptr %b
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  call void @use(ptr %b)
  call void @llvm.gc.undeclare(ptr %b)
  ret void
}

;--- in the branches, and the scope of one lies in a loop
; IR=1: alloca
define void @f(ptr addrspace(1) %r, i1 %which) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  br i1 %which, label %loop, label %other
loop:
  store ptr addrspace(1) %r, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  br i1 %which, label %loop, label %other
other:
  store ptr addrspace(1) %r, ptr %b
  call void @g()
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %b)
  ret void
}

;--- what is stored before the loop is read after the other's scope
; IR=2: alloca
define ptr addrspace(1) @f(ptr addrspace(1) %r, i1 %again) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  br label %loop
loop:
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  store ptr addrspace(1) %r, ptr %b
  call void @g()
  call void @llvm.gc.undeclare(ptr %b)
  br i1 %again, label %loop, label %end
end:
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  call void @llvm.gc.undeclare(ptr %a)
  ret ptr addrspace(1) %v
}

;--- a callee keeps the address
; IR=2: alloca
declare void @keep(ptr)
define void @f(ptr addrspace(1) %r) noinline optnone gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @keep(ptr %a)
  call void @llvm.gc.undeclare(ptr %a)
  store ptr addrspace(1) %r, ptr %b
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %b)
  ret void
}

;--- one is read although nothing was stored to it on one way
; IR=2: alloca
define ptr addrspace(1) @f(ptr addrspace(1) %r, i1 %which) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  store ptr addrspace(1) %r, ptr %b
  call void @g()
  call void @llvm.gc.undeclare(ptr %b)
  br i1 %which, label %stores, label %end
stores:
  store ptr addrspace(1) %r, ptr %a
  br label %end
end:
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
