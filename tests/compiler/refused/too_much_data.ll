; An object has the bytes of what is no zero in .bss.
; RUN: target=x86_64-linux-gnu
; STATUS: output_too_large
; ERROR: would have more than 512 MiB of data
;--- zeros in a section
@g = global [4294967296 x i8] zeroinitializer, section ".data"
;--- a constant
@g = constant [4294967296 x i8] zeroinitializer
;--- a struct of which one byte is not zero
@g = global <{ [4294967296 x i8], i8 }> <{ [4294967296 x i8] zeroinitializer, i8 1 }>
;--- more than 64 bits can count
@g = constant [2305843009213693952 x i64] zeroinitializer
;--- alignment
@g = global i8 1, align 4294967296
;--- alignment of what has no bytes itself
@g = global i8 0, align 4294967296
;--- alignment of a function
define void @f() align 4294967296 {
  ret void
}
;--- of several
define void @f() align 268435456 {
  ret void
}
define void @g() align 268435456 {
  ret void
}
define void @h() align 268435456 {
  ret void
}
