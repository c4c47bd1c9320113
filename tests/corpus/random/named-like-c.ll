; random: target=x86_64-unknown-linux-gnu opt=1 poll=call:collect safepoints=none
; moving: the stack cannot be walked: a return address of no safepoint
; LLVM's rewrite takes what has a name and a type of C's library for a leaf, also if it is defined here and collects.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define i32 @remove(ptr %path) noinline gc "statepoint-example" {
  call void @collect()
  ret i32 1
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %slot = alloca i64
  %object = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 42, ptr addrspace(1) %object
  %one = call i32 @remove(ptr %slot)
  %wide = zext i32 %one to i64
  %value = load i64, ptr addrspace(1) %object
  %sum = add i64 %value, %wide
  ret i64 %sum
}
