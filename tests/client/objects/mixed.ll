; mixed.ll - one function of each kind that keeps a cell alive while it calls the next: for mixed_check.c.
declare ptr @pick(i64) "gc-leaf-function"
declare ptr addrspace(1) @new_cell(i64) "gc-leaf-function"
declare void @llvm.gcroot(ptr, ptr)

define i64 @f_s(i64 %depth) gc "statepoint-example" {
  %p = call ptr addrspace(1) @new_cell(i64 %depth)
  %n = sub i64 %depth, 1
  %f = call ptr @pick(i64 %n)
  %r = call i64 %f(i64 %n)
  %v = load i64, ptr addrspace(1) %p
  %s = add i64 %r, %v
  ret i64 %s
}

define i64 @f_h(i64 %depth) gc "shadow-stack" {
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %slot, ptr null)
  %p = call ptr @new_cell(i64 %depth)
  store ptr %p, ptr %slot
  %n = sub i64 %depth, 1
  %f = call ptr @pick(i64 %n)
  %r = call i64 %f(i64 %n)
  %q = load ptr, ptr %slot
  %v = load i64, ptr %q
  %s = add i64 %r, %v
  ret i64 %s
}

define i64 @f_p(i64 %depth) {
  %n = sub i64 %depth, 1
  %f = call ptr @pick(i64 %n)
  %r = call i64 %f(i64 %n)
  %s = add i64 %r, 0
  call void asm sideeffect "", ""()
  ret i64 %s
}
