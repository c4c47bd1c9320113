; A statepoint passes no address for a result that is too large for registers.
; COMMAND: opt-19 -S -passes=rewrite-statepoints-for-gc %s | llc-19 -O0 -mtriple=x86_64-linux-gnu -o -
; FAULT: exit status -[1-9]
declare [16 x i64] @mk()
define i64 @f() gc "statepoint-example" {
  %s = call [16 x i64] @mk()
  %v = extractvalue [16 x i64] %s, 15
  ret i64 %v
}
