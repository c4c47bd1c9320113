; old.ll - an object and a pointer into it are alive across two calls: for old_check.c.
declare i64 @enter(i64)

define i64 @sum(ptr addrspace(1) %p, i64 %n) gc "statepoint-example" {
  %d = getelementptr i64, ptr addrspace(1) %p, i64 %n
  %a = call i64 @enter(i64 1) [ "deopt"(i64 7, i64 %n, ptr addrspace(1) %p) ]
  %v = load i64, ptr addrspace(1) %d
  %b = call i64 @enter(i64 2) [ "deopt"() ]
  %w = load i64, ptr addrspace(1) %d
  %x = load i64, ptr addrspace(1) %p
  %s = add i64 %a, %v
  %t = add i64 %b, %w
  %u = add i64 %s, %t
  %y = add i64 %u, %x
  ret i64 %y
}
