; Calls of native code: what the module does before and behind them, and what the record says.
;
; Where enter and leave call nothing, they stand around the call:
;   curl --data-binary @docs/examples/transitions.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&emit=disasm'
; gives: "gc_transition":true
; As a person reads it:
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/transitions.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&target=aarch64-linux-gnu'
; gives: transition between managed and native code
; An invoke has a function of its own between, which leaves on both edges:
;   curl --data-binary @docs/examples/transitions.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&emit=disasm'
; gives: "name":"careful.transition"
@native_threads = external global i32
declare i64 @read_file(i64)
declare i32 @handle(...)

define internal void @gc.transition_enter(ptr %thread) {
  store i32 1, ptr %thread
  %n = atomicrmw add ptr @native_threads, i32 1 seq_cst
  ret void
}

define internal void @gc.transition_leave(ptr %thread) {
  %n = atomicrmw sub ptr @native_threads, i32 1 seq_cst
  store i32 0, ptr %thread
  ret void
}

define i64 @plain(ptr addrspace(1) %object, i64 %file, ptr %thread) gc "statepoint-example" {
  %n = call i64 @read_file(i64 %file) [ "gc-transition"(ptr %thread) ]
  %field = load i64, ptr addrspace(1) %object
  %sum = add i64 %n, %field
  ret i64 %sum
}

define i64 @careful(ptr addrspace(1) %object, i64 %file, ptr %thread) gc "statepoint-example" personality ptr @handle {
  %n = invoke i64 @read_file(i64 %file) [ "gc-transition"(ptr %thread) ]
          to label %read unwind label %failed

read:
  ret i64 %n

failed:
  %pad = landingpad { ptr, i32 }
          cleanup
  %field = load i64, ptr addrspace(1) %object
  ret i64 %field
}
