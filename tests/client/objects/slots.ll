; slots.ll - roots of several pointers: for slots_check.c. gc= says of which strategy.
declare void @llvm.gcroot(ptr, ptr)
declare ptr @new_cell(i64) "gc-leaf-function"
declare i64 @enter(i64)
@one = external global i8
@other = external global i8

define i64 @f(i64 %n) {
  %a = alloca { i64, ptr, [2 x ptr] }
  %b = alloca { ptr, ptr, ptr, i64 }
  %c = alloca ptr
  %d = alloca [2 x { i32, ptr }]
  %e = alloca i64
  %h = alloca { i64, ptr }
  %s = alloca ptr, i32 3
  call void @llvm.gcroot(ptr %a, ptr @other)
  call void @llvm.gcroot(ptr %b, ptr @one)
  call void @llvm.gcroot(ptr %c, ptr @other)
  call void @llvm.gcroot(ptr %d, ptr @one)
  call void @llvm.gcroot(ptr %e, ptr @other)
  call void @llvm.gcroot(ptr %h, ptr @one)
  call void @llvm.gcroot(ptr %s, ptr null)
  %p0 = getelementptr { i64, ptr, [2 x ptr] }, ptr %a, i32 0, i32 0
  store i64 1, ptr %p0
  %p1 = getelementptr { i64, ptr, [2 x ptr] }, ptr %a, i32 0, i32 1
  %p2 = getelementptr { i64, ptr, [2 x ptr] }, ptr %a, i32 0, i32 2, i32 0
  %p3 = getelementptr { i64, ptr, [2 x ptr] }, ptr %a, i32 0, i32 2, i32 1
  %p4 = getelementptr { ptr, ptr, ptr, i64 }, ptr %b, i32 0, i32 3
  store i64 1, ptr %p4
  %p5 = getelementptr { ptr, ptr, ptr, i64 }, ptr %b, i32 0, i32 0
  %p6 = getelementptr { ptr, ptr, ptr, i64 }, ptr %b, i32 0, i32 1
  %p7 = getelementptr { ptr, ptr, ptr, i64 }, ptr %b, i32 0, i32 2
  %p9 = getelementptr [2 x { i32, ptr }], ptr %d, i32 0, i32 0, i32 1
  %p10 = getelementptr [2 x { i32, ptr }], ptr %d, i32 0, i32 1, i32 1
  %p12 = getelementptr { i64, ptr }, ptr %h, i32 0, i32 0
  store i64 1, ptr %p12
  %p13 = getelementptr { i64, ptr }, ptr %h, i32 0, i32 1
  %p14 = getelementptr ptr, ptr %s, i32 0
  %p15 = getelementptr ptr, ptr %s, i32 2
  %o0 = call ptr @new_cell(i64 1)
  store ptr %o0, ptr %p1
  %o1 = call ptr @new_cell(i64 2)
  store ptr %o1, ptr %p2
  %o2 = call ptr @new_cell(i64 3)
  store ptr %o2, ptr %p3
  %o3 = call ptr @new_cell(i64 4)
  store ptr %o3, ptr %p5
  %o4 = call ptr @new_cell(i64 5)
  store ptr %o4, ptr %p6
  %o5 = call ptr @new_cell(i64 6)
  store ptr %o5, ptr %p7
  %o6 = call ptr @new_cell(i64 7)
  store ptr %o6, ptr %c
  %o7 = call ptr @new_cell(i64 8)
  store ptr %o7, ptr %p9
  %o8 = call ptr @new_cell(i64 9)
  store ptr %o8, ptr %p10
  %o9 = call ptr @new_cell(i64 10)
  store ptr %o9, ptr %e
  %o10 = call ptr @new_cell(i64 11)
  store ptr %o10, ptr %p13
  %o11 = call ptr @new_cell(i64 12)
  store ptr %o11, ptr %p14
  %o12 = call ptr @new_cell(i64 13)
  store ptr %o12, ptr %p15
  %x = call i64 @enter(i64 %n)
  %y = call i64 @enter(i64 %x)
  %q0 = load ptr, ptr %p1
  %v0 = load i64, ptr %q0
  %w0 = shl i64 %v0, 0
  %t0 = add i64 %y, %w0
  %q1 = load ptr, ptr %p2
  %v1 = load i64, ptr %q1
  %w1 = shl i64 %v1, 1
  %t1 = add i64 %t0, %w1
  %q2 = load ptr, ptr %p3
  %v2 = load i64, ptr %q2
  %w2 = shl i64 %v2, 2
  %t2 = add i64 %t1, %w2
  %q3 = load ptr, ptr %p5
  %v3 = load i64, ptr %q3
  %w3 = shl i64 %v3, 3
  %t3 = add i64 %t2, %w3
  %q4 = load ptr, ptr %p6
  %v4 = load i64, ptr %q4
  %w4 = shl i64 %v4, 4
  %t4 = add i64 %t3, %w4
  %q5 = load ptr, ptr %p7
  %v5 = load i64, ptr %q5
  %w5 = shl i64 %v5, 5
  %t5 = add i64 %t4, %w5
  %q6 = load ptr, ptr %c
  %v6 = load i64, ptr %q6
  %w6 = shl i64 %v6, 6
  %t6 = add i64 %t5, %w6
  %q7 = load ptr, ptr %p9
  %v7 = load i64, ptr %q7
  %w7 = shl i64 %v7, 7
  %t7 = add i64 %t6, %w7
  %q8 = load ptr, ptr %p10
  %v8 = load i64, ptr %q8
  %w8 = shl i64 %v8, 8
  %t8 = add i64 %t7, %w8
  %q9 = load ptr, ptr %e
  %v9 = load i64, ptr %q9
  %w9 = shl i64 %v9, 9
  %t9 = add i64 %t8, %w9
  %q10 = load ptr, ptr %p13
  %v10 = load i64, ptr %q10
  %w10 = shl i64 %v10, 10
  %t10 = add i64 %t9, %w10
  %q11 = load ptr, ptr %p14
  %v11 = load i64, ptr %q11
  %w11 = shl i64 %v11, 11
  %t11 = add i64 %t10, %w11
  %q12 = load ptr, ptr %p15
  %v12 = load i64, ptr %q12
  %w12 = shl i64 %v12, 12
  %t12 = add i64 %t11, %w12
  ret i64 %t12
}
