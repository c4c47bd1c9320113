; thread_local_user.ll - uses a variable of thread_local.ll, in a second object; its own begins as zero.
@first = external thread_local MODEL global i64
@count = thread_local MODEL global i64 0

define i64 @see() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @first)
  %v = load i64, ptr %p
  %q = call ptr @llvm.threadlocal.address.p0(ptr @count)
  %c = load i64, ptr %q
  %n = add i64 %c, 1
  store i64 %n, ptr %q
  %w = mul i64 %n, 1000
  %s = add i64 %v, %w
  ret i64 %s
}

declare ptr @llvm.threadlocal.address.p0(ptr)
