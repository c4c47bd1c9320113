; Results that are too large for registers, of calls that are safepoints: each goes where its callee puts it. On x86-64 three
; floats come in registers, the third in one of x87's.

declare { i64, i64, i64, i64 } @four()
declare [9 x i64] @nine()
declare i600 @wide()
declare <16 x i64> @lanes()
declare fastcc { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } @mixed(i64 zeroext, ptr nest)
declare [3 x float] @floats()
declare i32 @handler(...)
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare [9 x i64] @llvm.experimental.gc.result.a9i64(token)

define i64 @f(ptr addrspace(1) %p, ptr %nest) gc "statepoint-example" personality ptr @handler {
entry:
  %a = call { i64, i64, i64, i64 } @four()
  %b = call [9 x i64] @nine()
  %c = call i600 @wide()
  %d = call <16 x i64> @lanes()
  %g = call [3 x float] @floats()
  %e = invoke fastcc { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } @mixed(i64 zeroext 1, ptr nest %nest) to label %ok unwind label %bad

bad:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad

ok:
  call { i64, i64, i64, i64 } @four()
  %a3 = extractvalue { i64, i64, i64, i64 } %a, 3
  %b8 = extractvalue [9 x i64] %b, 8
  %shifted = lshr i600 %c, 520
  %c8 = trunc i600 %shifted to i64
  %d9 = extractelement <16 x i64> %d, i32 9
  %e2 = extractvalue { ptr addrspace(1), i64, [2 x ptr addrspace(1)] } %e, 2, 1
  %e3 = load i64, ptr addrspace(1) %e2
  %g2 = extractvalue [3 x float] %g, 2
  %g3 = fptosi float %g2 to i64
  %word = load i64, ptr addrspace(1) %p
  %s1 = add i64 %a3, %b8
  %s2 = add i64 %s1, %c8
  %s3 = add i64 %s2, %d9
  %s4 = add i64 %s3, %e3
  %s5 = add i64 %s4, %g3
  %s6 = add i64 %s5, %word
  ret i64 %s6
}

define i64 @own(ptr addrspace(1) %p) gc "statepoint-example" {
  %token = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype([9 x i64] ()) @nine, i32 0, i32 0, i32 0, i32 0) [ "deopt"(i32 5), "gc-live"(ptr addrspace(1) %p) ]
  %all = call [9 x i64] @llvm.experimental.gc.result.a9i64(token %token)
  %one = extractvalue [9 x i64] %all, 7
  ret i64 %one
}
