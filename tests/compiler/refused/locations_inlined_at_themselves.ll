; LLVM follows such a circle for ever, while it parses.
; RUN:
; STATUS: parse_error
; ERROR: is inlined at itself
; AT: inlinedAt: !9
define void @f() !dbg !3 {
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a", directory: "b")
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!9 = distinct !DILocation(line: 1, scope: !3, inlinedAt: !9)
!4 = !{i32 2, !"Debug Info Version", i32 3}
