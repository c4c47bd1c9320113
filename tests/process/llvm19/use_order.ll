; The text of a module does not say in which order a value lists its uses, unless it is asked to.
; COMMAND: opt-19 -S %s
; FAULT: \A(?![\s\S]*uselistorder)[\s\S]*exit status 0
define i64 @f(i64 %v) {
  %a = add i64 %v, 1
  %b = mul i64 %v, %a
  %c = sub i64 %b, %v
  ret i64 %c

  uselistorder i64 %v, { 1, 0, 2 }
}
