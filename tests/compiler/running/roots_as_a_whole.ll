; The collector is given a declared root as a whole, with its type: of a union it alone knows whether the word is a
; reference. A value of llvm.gc.value is one region, whose references move in it.
; RUN: poll=call:collect opt={0,1,2,3}
; RESULT: 7 = 1049
; RESULT: --leave-out 0 7 != 1049
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.value.s({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] }, ptr)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define ptr addrspace(1) @boxed(i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}

; The type is "union", as a number.
define i64 @either(i64 %n, i1 %is) noinline gc "statepoint-example" {
entry:
  %d = alloca { i64, i64 }
  store { i64, i64 } zeroinitializer, ptr %d
  call void @llvm.gc.declare(ptr %d, ptr inttoptr (i64 504363577198 to ptr))
  %r = call ptr addrspace(1) @boxed(i64 %n)
  %at = getelementptr i8, ptr %d, i64 8
  br i1 %is, label %reference, label %number
reference:
  store i64 1, ptr %d
  store ptr addrspace(1) %r, ptr %at
  br label %end
number:
  store i64 %n, ptr %at
  br label %end
end:
  call void @collect()
  call void @collect()
  %tag = load i64, ptr %d
  %one = icmp eq i64 %tag, 1
  br i1 %one, label %read, label %out
read:
  %o = load ptr addrspace(1), ptr %at
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
out:
  %m = load i64, ptr %at
  ret i64 %m
}

define i64 @three(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(1) @boxed(i64 %n)
  %v0 = insertvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } zeroinitializer, ptr addrspace(1) %a, 0
  call void @llvm.gc.value.s({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v0, ptr null)
  %b = call ptr addrspace(1) @boxed(i64 1000)
  %v1 = insertvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v0, ptr addrspace(1) %b, 2, 1
  %v2 = insertvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v1, i32 35, 1
  call void @llvm.gc.value.s({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v2, ptr null)
  call void @collect()
  call void @collect()
  %x = extractvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v2, 0
  %y = extractvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v2, 2, 1
  %z = extractvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v2, 1
  %l = load i64, ptr addrspace(1) %x
  %m = load i64, ptr addrspace(1) %y
  %w = zext i32 %z to i64
  %s = add i64 %l, %m
  %t = add i64 %s, %w
  ret i64 %t
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %t = call i64 @three(i64 %n)
  %r = call i64 @either(i64 %n, i1 true)
  %i = call i64 @either(i64 %r, i1 false)
  %s = add i64 %t, %i
  ret i64 %s
}
