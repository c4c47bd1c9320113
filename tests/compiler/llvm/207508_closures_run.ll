; A callee out of the struct that a call returns is the one that is called, though the struct's first part is a
; reference that moves.
; RUN: opt={0,1,2,3} poll=call:collect
; RESULT: 5 = 47
; RESULT: --leave-out 0 5 != 47
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define i64 @adds(ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  %v = load i64, ptr addrspace(1) %env
  %s = add i64 %v, %n
  ret i64 %s
}

define i64 @subtracts(ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  %v = load i64, ptr addrspace(1) %env
  %s = sub i64 %v, %n
  ret i64 %s
}

define { ptr addrspace(1), ptr } @make(i64 %n) noinline gc "statepoint-example" {
  %env = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 42, ptr addrspace(1) %env
  %small = icmp slt i64 %n, 10
  %code = select i1 %small, ptr @adds, ptr @subtracts
  %a = insertvalue { ptr addrspace(1), ptr } undef, ptr addrspace(1) %env, 0
  %b = insertvalue { ptr addrspace(1), ptr } %a, ptr %code, 1
  ret { ptr addrspace(1), ptr } %b
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %closure = call { ptr addrspace(1), ptr } @make(i64 %n)
  %env = extractvalue { ptr addrspace(1), ptr } %closure, 0
  %code = extractvalue { ptr addrspace(1), ptr } %closure, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  %v = load i64, ptr addrspace(1) %env
  %d = sub i64 %r, %v
  %s = add i64 %d, 42
  ret i64 %s
}
