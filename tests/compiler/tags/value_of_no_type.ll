; An integer that is a root and has no type is a tagged reference, in every module: nothing else in it says so. One with a
; type is 64 bits that its collector knows.
; RUN: opt={0,1,2,3} safepoints=none
; REGIONS @handed_on: 1
; SAFEPOINT=1 @handed_on: "tag_mask":
; SAFEPOINT=1 @handed_on: "fields":[{"offset":0,"size":8,"space":1}]
; REGIONS @through_a_phi: 1
; SAFEPOINT=1 @through_a_phi: "tag_mask":
; RUN: opt={0,2} safepoints=none tag_mask=7
; SAFEPOINT>=2: "tag_mask":7
; WARNING-NOT: tag_mask
declare void @llvm.gc.value.i64(i64, ptr)
declare i64 @get() "gc-leaf-function"
declare void @work()

define i64 @handed_on(i64 %a) gc "statepoint-example" {
  call void @llvm.gc.value.i64(i64 %a, ptr null)
  call void @work()
  ret i64 %a
}

define i64 @through_a_phi(i64 %a, i1 %c) gc "statepoint-example" {
  br i1 %c, label %other, label %join
other:
  %b = call i64 @get()
  br label %join
join:
  %v = phi i64 [ %a, %0 ], [ %b, %other ]
  call void @llvm.gc.value.i64(i64 %v, ptr null)
  call void @work()
  ret i64 %v
}
