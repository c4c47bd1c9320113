; A load that is executed anyway is taken out of the loop; one whose type says that it is a reference needs no mark.
; RUN: opt=2 safepoints=none
; IR @typed: /^entry:$/
; META-NOT: opt may load a reference before the test
@cell = global { i64, ptr addrspace(1) } zeroinitializer
declare i64 @weigh(ptr addrspace(1)) "gc-leaf-function" memory(argmem: read) nounwind

define i64 @typed(i64 %n) gc "statepoint-example" {
entry:
  %r = load ptr addrspace(1), ptr getelementptr ({ i64, ptr addrspace(1) }, ptr @cell, i32 0, i32 1)
  %w = call i64 @weigh(ptr addrspace(1) %r)
  ret i64 %w
}
