; A frame of variable size and large alignment: AArch64 addresses its slots by x19, which the records say (#117757).
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 9 = 128
; RESULT: --leave-out 0 9 != 128
declare ptr addrspace(1) @allocate(i64, i64)

define void @use(ptr %p, i64 %n) noinline {
  store volatile i64 %n, ptr %p
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 100, ptr addrspace(1) %o
  %bytes = mul i64 %n, 16
  %d = alloca i8, i64 %bytes
  %a = alloca [64 x i8], align 64
  call void @use(ptr %d, i64 %n)
  call void @use(ptr %a, i64 10)
  %p = call ptr addrspace(1) @allocate(i64 16, i64 0)
  call void @use(ptr %d, i64 9)
  store i64 9, ptr addrspace(1) %p
  %q = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %x = load i64, ptr addrspace(1) %o
  %y = load i64, ptr addrspace(1) %p
  %z = load volatile i64, ptr %d
  %w = load volatile i64, ptr %a
  %s1 = add i64 %x, %y
  %s2 = add i64 %s1, %z
  %s3 = add i64 %s2, %w
  ret i64 %s3
}
