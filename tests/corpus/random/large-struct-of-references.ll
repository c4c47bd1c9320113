; random: target=x86_64-unknown-linux-gnu opt=2 poll=call:collect safepoints=none
; compile: compiler_crashed: the compiler's process ended by SIGSEGV
; Code generation looked for the parts of a struct that is too large for registers.

declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define ptr addrspace(1) @box(i64 %v) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %v, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
declare i32 @handle_all(...)
define { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } @mk(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(1) @box(i64 7)
  %b = call ptr addrspace(1) @box(i64 %n)
  %s0 = insertvalue { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } undef, ptr addrspace(1) %a, 0
  %s1 = insertvalue { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %s0, i64 3, 1
  %s2 = insertvalue { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %s1, ptr addrspace(1) %b, 2, 1
  %s3 = insertvalue { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %s2, ptr addrspace(1) null, 2, 0
  ret { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %s3
}
define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_all {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k2, %ok ]
  %acc = phi { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } [ zeroinitializer, %entry ], [ %sel, %ok ]
  %r = invoke { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } @mk(i64 %k) to label %ok unwind label %h
h:
  %x = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %x
ok:
  %odd = trunc i64 %k to i1
  %sel = select i1 %odd, { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %acc, { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %r
  call void @collect()
  %k2 = add i64 %k, 1
  %c = icmp slt i64 %k2, %n
  br i1 %c, label %loop, label %done
done:
  %p = extractvalue { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %sel, 0
  %arr = extractvalue { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %sel, 2
  %q = extractvalue [2 x ptr addrspace(1)] %arr, 1
  %v = load i64, ptr addrspace(1) %p
  %w = load i64, ptr addrspace(1) %q
  %z = mul i64 %v, %w
  ret i64 %z
}
