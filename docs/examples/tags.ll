; A reference as an integer with a tag: it stays a reference, and the collector sees it without the tag.
;
;   curl --data-binary @docs/examples/tags.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&tag_mask=7'
; gives: "tag_mask":7

declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare void @log(i64)

define ptr addrspace(1) @tagged(ptr addrspace(1) %object, i64 %n) gc "statepoint-example" {
  %bits = call i64 @smd.gc.to_int(ptr addrspace(1) %object)
  %value = or i64 %bits, 1
  call void @log(i64 %n)
  %same = call ptr addrspace(1) @smd.gc.from_int(i64 %value)
  ret ptr addrspace(1) %same
}
