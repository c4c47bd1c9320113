; Zeros in .bss take no room in the object, however many they are.
; RUN: opt={0,2}
; DEFINED: g
@g = global [4294967296 x i8] zeroinitializer
@h = internal thread_local global [4294967296 x i8] zeroinitializer
@c = common global [4294967296 x i8] zeroinitializer
@e = external global [4294967296 x i8]
define ptr @f() {
  store i8 1, ptr @h
  store i8 1, ptr @e
  ret ptr @g
}
