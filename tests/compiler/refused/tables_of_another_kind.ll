; What looks like a table of a collector's, and is none, and tables of another format than ELF's, are the module's fault.
;--- a name of a frame table
; RUN: stackmap_format={llvm,compact,gcmap}
; STATUS: codegen_failed
; ERROR: cannot be read
@camlx__frametable = global i32 7
define void @f() {
  ret void
}
;--- tables of Windows
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR: The module flag "cfguard" asks for tables that only Windows has
@x = global ptr @g
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g()
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"cfguard", i32 2}
