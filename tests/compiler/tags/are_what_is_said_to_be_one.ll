; What is said to be one is one wherever it goes, also where the function makes no reference of it.
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
;--- %m = xor i64 %i, 4
; STACKMAP=1: "tag_mask":-281474976710649
declare void @llvm.gc.value.i64(i64, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @llvm.gc.value.i64(i64 %i, ptr null)
  %m = xor i64 %i, 4
  call void @g()
  %l = call i64 @take(i64 %m)
  ret i64 %l
}
declare i64 @take(i64)
define i64 @tag(ptr addrspace(1) %p) gc "statepoint-example" {
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  ret i64 %n
}
;--- %v = call i64 @get()
; STACKMAP=2: "tag_mask":-281474976710649
declare void @llvm.gc.value.i64(i64, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %v = call i64 @get()
  call void @llvm.gc.value.i64(i64 %v, ptr null)
  %m = select i1 %c, i64 %v, i64 %i
  call void @g()
  %l = call i64 @take(i64 %m)
  ret i64 %l
}
declare i64 @get()
declare i64 @take(i64)
define i64 @tag(ptr addrspace(1) %p) gc "statepoint-example" {
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  ret i64 %n
}
;--- %a = insertvalue { i64, i64 } zeroinitializer, i64 %i, 1
; STACKMAP=1: "tag_mask":-281474976710649
declare void @llvm.gc.value.i64(i64, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @llvm.gc.value.i64(i64 %i, ptr null)
  %a = insertvalue { i64, i64 } zeroinitializer, i64 %i, 1
  %m = extractvalue { i64, i64 } %a, 1
  call void @g()
  %l = call i64 @take(i64 %m)
  ret i64 %l
}
declare i64 @take(i64)
define i64 @tag(ptr addrspace(1) %p) gc "statepoint-example" {
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  ret i64 %n
}
;--- store i64 %i, ptr %s
; STACKMAP=4: "tag_mask":-281474976710649
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  call void @llvm.gc.declare(ptr %s, ptr null)
  store i64 %i, ptr %s
  call void @g()
  %m = load i64, ptr %s
  call void @g()
  %l = call i64 @take(i64 %m)
  ret i64 %l
}
declare i64 @take(i64)
define i64 @tag(ptr addrspace(1) %p) gc "statepoint-example" {
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  ret i64 %n
}
;--- %x = bitcast i64 %i to double
; STACKMAP=4: "tag_mask":-281474976710649
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  call void @llvm.gc.declare(ptr %s, ptr null)
  %x = bitcast i64 %i to double
  store double %x, ptr %s
  call void @g()
  %d = load double, ptr %s
  %m = bitcast double %d to i64
  call void @g()
  %l = call i64 @take(i64 %m)
  ret i64 %l
}
declare i64 @take(i64)
define i64 @tag(ptr addrspace(1) %p) gc "statepoint-example" {
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  ret i64 %n
}
