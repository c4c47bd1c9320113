; Matrices of AMX, whose registers code generation allocates before all others.
declare x86_amx @llvm.x86.tilezero.internal(i16, i16)
declare x86_amx @llvm.x86.tileloadd64.internal(i16, i16, ptr, i64)
declare x86_amx @llvm.x86.tdpbssd.internal(i16, i16, i16, x86_amx, x86_amx, x86_amx)
declare void @llvm.x86.tilestored64.internal(i16, i16, ptr, i64, x86_amx)

define void @multiply(ptr %a, ptr %b, ptr %c) #0 {
  %sum = call x86_amx @llvm.x86.tilezero.internal(i16 8, i16 8)
  %x = call x86_amx @llvm.x86.tileloadd64.internal(i16 8, i16 8, ptr %a, i64 32)
  %y = call x86_amx @llvm.x86.tileloadd64.internal(i16 8, i16 8, ptr %b, i64 32)
  %d = call x86_amx @llvm.x86.tdpbssd.internal(i16 8, i16 8, i16 8, x86_amx %sum, x86_amx %x, x86_amx %y)
  call void @llvm.x86.tilestored64.internal(i16 8, i16 8, ptr %c, i64 32, x86_amx %d)
  ret void
}

attributes #0 = { nounwind "target-features"="+amx-int8,+amx-tile,+avx512f" }
