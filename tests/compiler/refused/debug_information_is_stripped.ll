; Debug information that is wrong, or of another version, is dropped with a warning, as LLVM does.
; RUN: opt={0,2}
; WARNING: ignoring
;--- another version
define void @f() !dbg !3 {
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a", directory: "b")
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!9 = !DILocation(line: 1, scope: !3)
!4 = !{i32 2, !"Debug Info Version", i32 2}
;--- a location whose scope is a type
define void @f() !dbg !3 {
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a", directory: "b")
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !1, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!9 = !DILocation(line: 1, scope: !3)
!4 = !{i32 2, !"Debug Info Version", i32 3}
