; A callee is an element of a vector, by a variable index: LLVM's instruction selection would crash, or never end.
; RUN: opt={0,1,2,3}
; DISASM @plain: /call|blr/
; DISASM @tail: /jmp|br\t|br +x/
; DISASM @number: /jmp|br\t|br +x/
define i32 @plain(<4 x ptr> %v, i32 %i) {
  %p = extractelement <4 x ptr> %v, i32 %i
  %r = call i32 %p(<4 x ptr> %v, i32 %i)
  %s = add i32 %r, 1
  ret i32 %s
}
define tailcc void @tail(<4 x ptr> %v, i32 %i) {
  %p = extractelement <4 x ptr> %v, i32 %i
  musttail call tailcc void %p(<4 x ptr> %v, i32 %i)
  ret void
}
define tailcc i32 @number(<4 x i64> %v, i32 %i) {
  %p = extractelement <4 x i64> %v, i32 %i
  %q = inttoptr i64 %p to ptr
  %r = musttail call tailcc i32 %q(<4 x i64> %v, i32 %i)
  ret i32 %r
}
