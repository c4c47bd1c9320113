; An element of a vector, by a variable index, is called: instruction selection crashes.
; COMMAND: llc-19 -O2 -mtriple=x86_64-linux-gnu %s -o /dev/null
; FAULT: exit status -11
define i32 @f(<4 x ptr> %v, i32 %i) {
  %p = extractelement <4 x ptr> %v, i32 %i
  %r = call i32 %p(<4 x ptr> %v, i32 %i)
  %s = add i32 %r, 1
  ret i32 %s
}
