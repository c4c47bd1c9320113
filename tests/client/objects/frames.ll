; frames.ll - managed code that calls C code that calls managed code: for walk_check.c.
declare i64 @enter(i64)
declare i64 @many(i64, i32, double, i64, i64, ptr, i64, i8, i64, i64, double, double, double, double, double, double, double, double, double)
declare i64 @suspend(i64)

define i64 @outer(ptr addrspace(1) %p, i64 %depth) gc "statepoint-example" {
  %r = call i64 @enter(i64 %depth)
  %v = load i64, ptr addrspace(1) %p
  %s = add i64 %r, %v
  ret i64 %s
}

define i64 @wide(ptr addrspace(1) %p, ptr %q) gc "statepoint-example" {
  %r = call i64 @many(i64 1, i32 2, double 1.5, i64 3, i64 4, ptr %q, i64 6, i8 7, i64 8, i64 9, double 2.5, double 3.5, double 4.5, double 5.5, double 6.5, double 7.5, double 8.5, double 9.5, double 10.5)
  %v = load i64, ptr addrspace(1) %p
  %s = add i64 %r, %v
  ret i64 %s
}

define i64 @generator(ptr addrspace(1) %p) gc "statepoint-example" {
  %a = call i64 @suspend(i64 1)
  %b = call i64 @suspend(i64 2)
  %v = load i64, ptr addrspace(1) %p
  %s = add i64 %a, %b
  %t = add i64 %s, %v
  ret i64 %t
}
