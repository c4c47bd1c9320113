; LLVM follows such a circle for ever, while it reads.
; RUN:
;--- an instruction
; STATUS: invalid_module
; ERROR @f: is inlined at itself
define void @f() !dbg !3 {
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a", directory: "b")
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!9 = distinct !DILocation(line: 1, scope: !3, inlinedAt: ; at itself
                          !9)
!4 = !{i32 2, !"Debug Info Version", i32 3}
;--- a circle of two, of a loop
; STATUS: parse_error
; ERROR: is inlined at itself
; AT: = distinct !DILocation
define void @f() !dbg !3 {
  br label %loop
loop:
  br label %loop, !llvm.loop !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a", directory: "b")
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!7 = distinct !{!7, !8, !8}
!8 = distinct !DILocation(line: 1, scope: !3, inlinedAt: !9)
!9 = distinct !DILocation(line: 2, scope: !3, inlinedAt: !8)
!4 = !{i32 2, !"Debug Info Version", i32 3}
;--- IR of LLVM 14
; STATUS: parse_error
; ERROR: is inlined at itself
; AT: = distinct !DILocation
define void @f(i8* %p) !dbg !3 {
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
;--- definitions of several lines, for LLVM 14
; RUN: dialect=typed
; STATUS: parse_error
; ERROR: is inlined at itself
; AT: !9
define void @f() !dbg !3 {
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a", directory: "b")
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!9
  = distinct
    !DILocation(line: 1, scope: !3, inlinedAt:
                !9)
!4 = !{i32 2, !"Debug Info Version", i32 3}
