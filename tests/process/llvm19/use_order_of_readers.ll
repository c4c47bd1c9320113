; A reader of the text lists the last use first, whatever the order was before: it needs no word for this one.
; COMMAND: opt-19 -S -preserve-ll-uselistorder %s
; FAULT: \A(?![\s\S]*uselistorder i64 %w)[\s\S]*uselistorder i64 %v, \{ 1, 0, 2 \}[\s\S]*exit status 0
define i64 @f(i64 %v) {
  %a = add i64 %v, 1
  %b = mul i64 %v, %a
  %c = sub i64 %b, %v
  ret i64 %c

  uselistorder i64 %v, { 1, 0, 2 }
}
define i64 @g(i64 %w) {
  %a = add i64 %w, 1
  %b = mul i64 %w, %a
  ret i64 %b
}
