; mixed_erlang.ll - as mixed.ll, of the strategy erlang.
declare ptr @pick(i64) "gc-leaf-function"
declare ptr @new_cell(i64) "gc-leaf-function"
declare void @llvm.gcroot(ptr, ptr)

define i64 @f_g(i64 %depth) gc "erlang" {
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
