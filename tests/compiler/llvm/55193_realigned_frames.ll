; A stackmap in a function with "stackrealign" names its slots by the register that code generation addresses them by,
; which LLVM asserts to be the frame pointer.
; RUN: opt={1,2,3} target=x86_64-linux-gnu
; EXPLAIN @f: rsp+15
; OBJDUMP @f: leaq 0xf(%rsp), %rdi
; EXPLAIN @g: rbx+0
; OBJDUMP @g: movq %rbx, %rdi
; READOBJ: agrees
; RUN: opt={1,2,3} target=aarch64-linux-gnu
; EXPLAIN @g: x19+0
; OBJDUMP @g: add x0, x19, #0x0
; READOBJ: agrees
declare void @llvm.experimental.stackmap(i64, i32, ...)
declare void @use(ptr)

define void @f() "stackrealign" {
  %p = alloca i8
  call void @use(ptr %p)
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 0, i32 0, ptr %p)
  ret void
}

define void @g(i32 %n) "stackrealign" {
  %p = alloca i8, align 64
  %more = alloca i8, i32 %n
  call void @use(ptr %p)
  call void @use(ptr %more)
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 0, i32 0, ptr %p, ptr %more)
  ret void
}
