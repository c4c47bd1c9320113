; What code generation makes of values: comparisons that end in a phi become one memcmp, a reduction becomes instructions, a square root an instruction and a call.
; On AArch64 variables become one only in functions that are to be small.
declare void @collect()
declare double @sqrt(double)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
@counter = internal global i32 0
@limit = internal global i32 0

define zeroext i1 @same(ptr dereferenceable(8) %a, ptr dereferenceable(8) %b) nofree nosync {
entry:
  %a0 = load i32, ptr %a, align 4
  %b0 = load i32, ptr %b, align 4
  %same0 = icmp eq i32 %a0, %b0
  br i1 %same0, label %second, label %end
second:
  %pa = getelementptr inbounds i8, ptr %a, i64 4
  %pb = getelementptr inbounds i8, ptr %b, i64 4
  %a1 = load i32, ptr %pa, align 4
  %b1 = load i32, ptr %pb, align 4
  %same1 = icmp eq i32 %a1, %b1
  br label %end
end:
  %same = phi i1 [ false, %entry ], [ %same1, %second ]
  ret i1 %same
}

define i32 @reduce(<4 x i32> %v, ptr addrspace(1) %p) gc "statepoint-example" {
  call void @collect()
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %field = load i32, ptr addrspace(1) %p
  %all = add i32 %sum, %field
  %count = load i32, ptr @counter
  %limit = load i32, ptr @limit
  %next = add i32 %count, %limit
  store i32 %next, ptr @counter
  store i32 %field, ptr @limit
  ret i32 %all
}

define double @root(double %x) {
  %r = call double @sqrt(double %x)
  ret double %r
}

declare void @arrive()
define void @gc.safepoint_poll() {
  call void @arrive()
  ret void
}
