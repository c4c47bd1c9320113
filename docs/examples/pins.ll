; A raw pointer into an object, for code that knows no references: between pin and unpin the map says that it must not move.
;
;   curl --data-binary @docs/examples/pins.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none'
; gives: "pinned":true

declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
declare void @read_into(ptr, i64)

define ptr addrspace(1) @fill(ptr addrspace(1) %buffer, i64 %bytes) gc "statepoint-example" {
  %raw = call ptr @smd.gc.pin(ptr addrspace(1) %buffer)
  call void @read_into(ptr %raw, i64 %bytes)
  call void @smd.gc.unpin(ptr %raw)
  ret ptr addrspace(1) %buffer
}
