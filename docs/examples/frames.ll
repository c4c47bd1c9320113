; Deoptimisation values, a derived pointer, and a call that may throw: what a frame can hold at a safepoint.
;
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/frames.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none'
; gives: deopt value

declare void @callback(ptr addrspace(1))
declare i32 @personality(...)

; The element's address is derived from the array's: the collector moves the array, and the element's address with it.
define i64 @visit(ptr addrspace(1) %array, i64 %index, i32 %line) gc "statepoint-example" personality ptr @personality {
entry:
  %element = getelementptr i64, ptr addrspace(1) %array, i64 %index
  invoke void @callback(ptr addrspace(1) %array) [ "deopt"(i32 1, i32 %line, i64 %index) ]
      to label %done unwind label %thrown

done:
  %value = load i64, ptr addrspace(1) %element
  ret i64 %value

thrown:
  %pad = landingpad token cleanup
  %first = load i64, ptr addrspace(1) %array
  ret i64 %first
}
