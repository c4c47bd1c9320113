; Patchpoints and stackmaps that differ in their numbers alone are not joined, in calls or in invokes.
; RUN: opt={0,1,2,3} safepoints=none
; SAFEPOINT=1 @f: "id":1,
; SAFEPOINT=1 @f: "id":2,
; SAFEPOINT=1 @s: "id":3,
; SAFEPOINT=1 @s: "id":4,
; SAFEPOINTS @i: 2
declare i32 @personality(...)
declare void @llvm.experimental.stackmap(i64, i32, ...)
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)

define i64 @f(i1 %c, i64 %v) {
  br i1 %c, label %a, label %b

a:
  %x = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 1, i32 16, ptr null, i32 0, i64 %v)
  br label %j

b:
  %y = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 2, i32 16, ptr null, i32 0, i64 %v)
  br label %j

j:
  %z = phi i64 [ %x, %a ], [ %y, %b ]
  ret i64 %z
}

define void @s(i1 %c, i64 %v, ptr %p) {
  br i1 %c, label %a, label %b

a:
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 3, i32 16, i64 %v)
  store i64 %v, ptr %p
  br label %j

b:
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 4, i32 16, i64 %v)
  store i64 %v, ptr %p
  br label %j

j:
  ret void
}

define void @i(i1 %c, i64 %v) personality ptr @personality {
  br i1 %c, label %a, label %b

a:
  invoke void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 5, i32 16, ptr null, i32 0, i64 %v)
          to label %u unwind label %p

b:
  invoke void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 6, i32 16, ptr null, i32 0, i64 %v)
          to label %u unwind label %p

u:
  unreachable

p:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}
