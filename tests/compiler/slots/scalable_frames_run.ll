; Frames with scalable vectors: each slot of a record is where the code has it. LLVM 19 leaves the vectors' part out of the
; distance from the stack pointer of what lies above them, as of slots among the saved registers.
;--- programs
; RUN: target=aarch64-linux-gnu opt={0,1,2,3} safepoints=none features=+sve
; RUN: target=aarch64-linux-gnu opt=2 safepoints=none features=+sve frame_pointer=all
; RUN: target=aarch64-linux-gnu opt=2 safepoints=none features=+sve gc_registers=4
; RESULT: 5 = 15
declare ptr addrspace(1) @allocate(i64, i64)

define void @sink(ptr %p) noinline "gc-leaf-function" {
  store volatile i64 1, ptr %p
  ret void
}

define i64 @plain(ptr addrspace(1) %p, i64 %n) noinline gc "statepoint-example" {
  %v = alloca <vscale x 4 x i32>
  store volatile <vscale x 4 x i32> zeroinitializer, ptr %v
  call void @sink(ptr %v) "gc-leaf-function"
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  call void @sink(ptr %v) "gc-leaf-function"
  %r = load i64, ptr addrspace(1) %p
  ret i64 %r
}

define i64 @aligned(ptr addrspace(1) %p, i64 %n) noinline gc "statepoint-example" {
  %v = alloca <vscale x 4 x i32>
  %d = alloca i64, align 64
  store volatile <vscale x 4 x i32> zeroinitializer, ptr %v
  call void @sink(ptr %v) "gc-leaf-function"
  call void @sink(ptr %d) "gc-leaf-function"
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  call void @sink(ptr %v) "gc-leaf-function"
  call void @sink(ptr %d) "gc-leaf-function"
  %r = load i64, ptr addrspace(1) %p
  ret i64 %r
}

; The vector itself is alive across the safepoint.
define i64 @alive(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) noinline gc "statepoint-example" {
  %one = insertelement <vscale x 2 x i64> poison, i64 %n, i64 0
  %all = shufflevector <vscale x 2 x i64> %one, <vscale x 2 x i64> poison, <vscale x 2 x i32> zeroinitializer
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %e = extractelement <vscale x 2 x i64> %all, i64 1
  %a = load i64, ptr addrspace(1) %p
  %b = load i64, ptr addrspace(1) %q
  %x = sub i64 %e, %n
  %s = add i64 %a, %b
  %y = add i64 %s, %x
  ret i64 %y
}

; A parameter on the stack.
define i64 @passed(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, ptr addrspace(1) %p) noinline gc "statepoint-example" {
  %v = alloca <vscale x 4 x i32>
  store volatile <vscale x 4 x i32> zeroinitializer, ptr %v
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %a, ptr addrspace(1) %o
  call void @sink(ptr %v) "gc-leaf-function"
  %r = load i64, ptr addrspace(1) %p
  %k = add i64 %h, %g
  %s = add i64 %r, %k
  ret i64 %s
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 3, ptr addrspace(1) %p
  %a = call i64 @plain(ptr addrspace(1) %p, i64 %n)
  %b = call i64 @plain(ptr addrspace(1) %p, i64 %n)
  %c = call i64 @aligned(ptr addrspace(1) %p, i64 %n)
  %q = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 0, ptr addrspace(1) %q
  %d = call i64 @alive(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n)
  %e = call i64 @passed(i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 0, i64 0, ptr addrspace(1) %p)
  %s1 = add i64 %a, %b
  %s2 = add i64 %s1, %c
  %s3 = add i64 %s2, %d
  %s4 = add i64 %s3, %e
  ret i64 %s4
}

;--- frames of dynamic size, in which all slots are found by another register
; RUN: target=aarch64-linux-gnu opt={0,2} safepoints=none features=+sve
; STATUS: codegen_failed
; ERROR @dynamic: an alloca of variable size, and safepoints
declare ptr addrspace(1) @allocate(i64, i64)
declare void @sink(ptr)
define i64 @dynamic(ptr addrspace(1) %p, i64 %n) noinline gc "statepoint-example" {
  %v = alloca <vscale x 4 x i32>
  %d = alloca i64, i64 %n
  store volatile <vscale x 4 x i32> zeroinitializer, ptr %v
  call void @sink(ptr %v) "gc-leaf-function"
  call void @sink(ptr %d) "gc-leaf-function"
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  call void @sink(ptr %v) "gc-leaf-function"
  call void @sink(ptr %d) "gc-leaf-function"
  %r = load i64, ptr addrspace(1) %p
  ret i64 %r
}
