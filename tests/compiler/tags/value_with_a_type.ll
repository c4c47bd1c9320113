; An integer that is a root with a type is 64 bits that its collector knows, unless the module makes references of integers.
; RUN: opt={0,2} safepoints=none
; REGIONS: 1
; SAFEPOINT=1: "bytes":8
; SAFEPOINT-NOT: "tag_mask":
@type = global i8 0
declare void @llvm.gc.value.i64(i64, ptr)
declare void @work()

define i64 @f(i64 %a) gc "statepoint-example" {
  call void @llvm.gc.value.i64(i64 %a, ptr @type)
  call void @work()
  ret i64 %a
}
