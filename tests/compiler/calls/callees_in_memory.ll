; A callee that code generation itself puts into memory: instruction selection would move the load into the call, below
; the stores, and never end, or crash.
; RUN: opt={0,1,2,3} safepoints=none
; SAME-AS: ir
; DISASM @element: /jmp|br\t|br +x/
; DISASM @inserted: /jmp|br\t|br +x/
; DISASM @part: /call|blr/
declare <4 x ptr> @make(i64)
declare i256 @wide(i64)

define i64 @element(i64 %n) gc "statepoint-example" {
  %all = call <4 x ptr> @make(i64 %n)
  %i = and i64 %n, 3
  %code = extractelement <4 x ptr> %all, i64 %i
  %r = musttail call i64 %code(i64 %n)
  ret i64 %r
}

define i64 @inserted(i64 %n) gc "statepoint-example" {
  %all = call <4 x ptr> @make(i64 %n)
  %i = and i64 %n, 3
  %more = insertelement <4 x ptr> %all, ptr @element, i64 %i
  %code = extractelement <4 x ptr> %more, i64 2
  %r = musttail call i64 %code(i64 %n)
  ret i64 %r
}

define i64 @part(i64 %n) {
  %all = call i256 @wide(i64 %n)
  %bits = and i64 %n, 192
  %by = zext i64 %bits to i256
  %shifted = lshr i256 %all, %by
  %part = trunc i256 %shifted to i64
  %code = inttoptr i64 %part to ptr
  %r = call i64 %code(i64 %n)
  %s = add i64 %r, 1
  ret i64 %s
}
