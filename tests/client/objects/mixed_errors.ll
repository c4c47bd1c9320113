; mixed_errors.ll - frames that a walk cannot understand: for mixed_check.c. Compiled with unwind=module.
declare i64 @end(i64)
declare ptr addrspace(1) @new_cell(i64) "gc-leaf-function"

; It collects in a call that promised not to.
define i64 @f_l(i64 %depth) uwtable gc "statepoint-example" {
  %p = call ptr addrspace(1) @new_cell(i64 %depth)
  %a = call i64 @end(i64 0)
  %b = call i64 @end(i64 0) "gc-leaf-function"
  %v = load i64, ptr addrspace(1) %p
  %s = add i64 %v, %b
  ret i64 %s
}

; Nothing says how its frame is unwound.
define i64 @f_n(i64 %depth) nounwind {
  %r = call i64 @end(i64 0)
  %s = add i64 %r, %depth
  ret i64 %s
}
