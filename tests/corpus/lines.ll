; Inlined calls with debug information, statepoints in place.

source_filename = "small.cc"

; Function Attrs: mustprogress uwtable
define dso_local range(i32 -2147483647, -2147483648) i32 @top(i32 noundef %0) local_unnamed_addr #0 gc "statepoint-example" !dbg !9 {
    #dbg_value(i32 %0, !14, !DIExpression(), !15)
  %statepoint_token = tail call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2882400000, i32 0, ptr elementtype(i32 (i32)) @sink, i32 1, i32 0, i32 noundef %0, i32 0, i32 0), !dbg !16
  %2 = call i32 @llvm.experimental.gc.result.i32(token %statepoint_token), !dbg !16
  %.not = icmp eq i32 %2, 0, !dbg !16
  br i1 %.not, label %6, label %3, !dbg !16

3:                                                ; preds = %1
    #dbg_value(i32 %0, !17, !DIExpression(), !20)
  %statepoint_token2 = tail call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2882400000, i32 0, ptr elementtype(i32 (i32)) @sink, i32 1, i32 0, i32 noundef %0, i32 0, i32 0), !dbg !22
  %4 = call i32 @llvm.experimental.gc.result.i32(token %statepoint_token2), !dbg !23
  %5 = add nsw i32 %4, 1, !dbg !23
    #dbg_value(i32 %5, !17, !DIExpression(), !24)
  br label %6, !dbg !16

6:                                                ; preds = %3, %1
  %.sink = phi i32 [ %5, %3 ], [ 3, %1 ]
  %statepoint_token3 = tail call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2882400000, i32 0, ptr elementtype(i32 (i32)) @sink, i32 1, i32 0, i32 noundef %.sink, i32 0, i32 0), !dbg !26
  %7 = call i32 @llvm.experimental.gc.result.i32(token %statepoint_token3), !dbg !16
  %8 = add nsw i32 %7, 1, !dbg !16
  ret i32 %8, !dbg !28

}

declare !dbg !29 i32 @sink(i32 noundef) local_unnamed_addr #1

declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare i32 @llvm.experimental.gc.result.i32(token) #2

attributes #0 = { mustprogress uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "small.cc", directory: "/src", checksumkind: CSK_MD5, checksum: "b46c59bf1164b9c6ef436f7639eac155")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{!"clang"}
!9 = distinct !DISubprogram(name: "top", scope: !1, file: !1, line: 3, type: !10, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !13)
!10 = !DISubroutineType(types: !11)
!11 = !{!12, !12}
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !{!14}
!14 = !DILocalVariable(name: "n", arg: 1, scope: !9, file: !1, line: 3, type: !12)
!15 = !DILocation(line: 0, scope: !9)
!16 = !DILocation(line: 3, column: 36, scope: !9)
!17 = !DILocalVariable(name: "x", arg: 1, scope: !18, file: !1, line: 2, type: !12)
!18 = distinct !DISubprogram(name: "helper", linkageName: "_ZL6helperi", scope: !1, file: !1, line: 2, type: !10, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !19)
!19 = !{!17}
!20 = !DILocation(line: 0, scope: !18, inlinedAt: !21)
!21 = distinct !DILocation(line: 3, column: 53, scope: !9)
!22 = !DILocation(line: 2, column: 35, scope: !18, inlinedAt: !21)
!23 = !DILocation(line: 2, column: 43, scope: !18, inlinedAt: !21)
!24 = !DILocation(line: 0, scope: !18, inlinedAt: !25)
!25 = distinct !DILocation(line: 3, column: 46, scope: !9)
!26 = !DILocation(line: 2, column: 35, scope: !18, inlinedAt: !27)
!27 = !DILocation(line: 3, scope: !9)
!28 = !DILocation(line: 3, column: 29, scope: !9)
!29 = !DISubprogram(name: "sink", scope: !1, file: !1, line: 1, type: !10, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)

; smd.final opt=2 cpu= features= reloc=pic code_model=default bases=exact unwind=always frame_pointer=module stackmap_format=llvm null_checks=explicit split=never
; smd.registers 0
; smd.digest 57e87924eb066cbd771e25f08570cc3c61ac821577515ace4b0f751e1367689a
