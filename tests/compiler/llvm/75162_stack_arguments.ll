; Arguments on the stack, and an aggregate by value, change no offset of a record: neither where they are stored nor
; where code for size pushes them.
; RUN: opt={0,1,2,3} safepoints=none
; RUN: opt=2 safepoints=none gc_registers=6
; RESULT: 7 = 653
; RESULT: --leave-out 0 7 != 653
%big = type { i64, i64, i64, i64 }
declare ptr addrspace(1) @allocate(i64, i64)

define i64 @takes(ptr byval(%big) %b, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, ptr addrspace(1) %o) noinline gc "statepoint-example" {
  %other = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %last = getelementptr %big, ptr %b, i64 0, i32 3
  %l = load i64, ptr %last
  %v = load i64, ptr addrspace(1) %o
  %s1 = add i64 %l, %a7
  %s2 = add i64 %s1, %a6
  %s3 = add i64 %s2, %v
  store i64 %s3, ptr addrspace(1) %other
  ret i64 %s3
}

define i64 @small(ptr addrspace(1) %x, i64 %n) noinline optsize minsize gc "statepoint-example" {
  %b = alloca %big
  %last = getelementptr %big, ptr %b, i64 0, i32 3
  store i64 %n, ptr %last
  %y = call i64 @takes(ptr byval(%big) %b, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 %n, ptr addrspace(1) %x)
  %v = load i64, ptr addrspace(1) %x
  %z = call i64 @takes(ptr byval(%big) %b, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 %y, ptr addrspace(1) %x)
  %w = load i64, ptr addrspace(1) %x
  %s1 = add i64 %v, %w
  %s2 = add i64 %s1, %z
  ret i64 %s2
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %x = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 100, ptr addrspace(1) %x
  %b = alloca %big
  %last = getelementptr %big, ptr %b, i64 0, i32 3
  store i64 %n, ptr %last
  %s = call i64 @small(ptr addrspace(1) %x, i64 %n)
  %y = call i64 @takes(ptr byval(%big) %b, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 %n, ptr addrspace(1) %x)
  %v = load i64, ptr addrspace(1) %x
  %t = add i64 %s, %y
  %u = add i64 %t, %v
  ret i64 %u
}
