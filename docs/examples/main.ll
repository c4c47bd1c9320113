; A program: it writes its arguments, one a line, and how many there were is its exit status.
;
;   build/release/bin/smc run docs/examples/main.ll -- first second
;
; `smc run` compiles it for this machine, loads it and calls main; puts comes from the C library.

declare i32 @puts(ptr)

define i32 @main(i32 %count, ptr %words) {
entry:
  %given = sub i32 %count, 1
  br label %head

head:
  %i = phi i32 [ 1, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %count
  br i1 %more, label %body, label %done

body:
  %at = getelementptr ptr, ptr %words, i32 %i
  %word = load ptr, ptr %at
  call i32 @puts(ptr %word)
  %next = add i32 %i, 1
  br label %head

done:
  ret i32 %given
}
