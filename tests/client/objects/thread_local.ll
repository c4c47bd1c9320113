; thread_local.ll - thread-local variables: for thread_local_check.c. MODEL is what the test puts there.
@first = thread_local MODEL global i64 11
@zeros = thread_local MODEL global [3 x i64] zeroinitializer, align 32
@own = internal thread_local MODEL global i64 7
@own_too = internal thread_local MODEL global i64 70
@data = global i64 500
@pointer = thread_local MODEL global ptr @data
@of_program = external thread_local HOSTMODEL global i64

; Adds N to each variable, and gives their sum. The floating-point values live across the accesses.
define i64 @bump(i64 %n, double %x, double %y) {
  %p0 = call ptr @llvm.threadlocal.address.p0(ptr @first)
  %v0 = load i64, ptr %p0
  %n0 = add i64 %v0, %n
  store i64 %n0, ptr %p0
  %p1 = call ptr @llvm.threadlocal.address.p0(ptr @zeros)
  %q1 = getelementptr i64, ptr %p1, i64 1
  %v1 = load i64, ptr %q1
  %n1 = add i64 %v1, %n
  store i64 %n1, ptr %q1
  %p2 = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %v2 = load i64, ptr %p2
  %n2 = add i64 %v2, %n
  store i64 %n2, ptr %p2
  %p3 = call ptr @llvm.threadlocal.address.p0(ptr @own_too)
  %v3 = load i64, ptr %p3
  %n3 = add i64 %v3, %n
  store i64 %n3, ptr %p3
  %p4 = call ptr @llvm.threadlocal.address.p0(ptr @pointer)
  %q4 = load ptr, ptr %p4
  %v4 = load i64, ptr %q4
  %p5 = call ptr @llvm.threadlocal.address.p0(ptr @of_program)
  %v5 = load i64, ptr %p5
  %n5 = add i64 %v5, %n
  store i64 %n5, ptr %p5
  %d = fsub double %x, %y
  %i = fptosi double %d to i64
  %s1 = add i64 %n0, %n1
  %s2 = add i64 %s1, %n2
  %s3 = add i64 %s2, %n3
  %s4 = add i64 %s3, %v4
  %s5 = add i64 %s4, %n5
  %s6 = add i64 %s5, %i
  ret i64 %s6
}

define ptr @where() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @zeros)
  ret ptr %p
}

declare ptr @llvm.threadlocal.address.p0(ptr)
