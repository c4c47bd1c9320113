; A part of a wide integer, by a variable shift, is called: instruction selection crashes.
; COMMAND: llc-19 -O2 -mtriple=x86_64-linux-gnu %s -o /dev/null
; FAULT: exit status -11
define i64 @f(i256 %all, i64 %n) {
  %bits = and i64 %n, 192
  %wide = zext i64 %bits to i256
  %shifted = lshr i256 %all, %wide
  %part = trunc i256 %shifted to i64
  %code = inttoptr i64 %part to ptr
  %r = call i64 %code(i64 %n)
  %s = add i64 %r, 1
  ret i64 %s
}
