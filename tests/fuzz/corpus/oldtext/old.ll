; before LLVM 3.7
@g = global i32 1
define i32 @f(i32* %p, [4 x {i32, i8*}]* nocapture %q) nounwind {
entry:
  %a = load i32* %p, align 4 ; a comment
  %b = getelementptr inbounds [4 x {i32, i8*}]* %q, i32 0, i64 1
  %c = load volatile i32* @g
  %d = call i32 (i8*, ...)* @printf(i8* null, i32 %a)
  invoke void @h(i32* byval %p) to label %x unwind label %y
  store i32 %c, i32* %p, !tbaa !0
  ret i32 %d
}
!0 = metadata !{metadata !"a \22b", i32 1, null}
