; Safepoint polls that smd writes, wherever they are wanted: the module has none of its own. What is placed is asked for in
; the query, or by a function's attribute.
;
; A call, at entries and in loops:
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/polls.ll 'http://127.0.0.1:8199/v1/compile?poll=call:stop'
; gives: backedge-poll to stop
; A flag that is looked at, and a call that is rarely made:
;   curl --data-binary @docs/examples/polls.ll 'http://127.0.0.1:8199/v1/compile?poll=flag:wanted:stop&emit=disasm,remarks'
; gives: "callee":"stop"
; A load from a page that the runtime takes away, found by where it faults:
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/polls.ll 'http://127.0.0.1:8199/v1/compile?poll=page:the_page&target=aarch64-linux-gnu'
; gives: faults at
; Before returns and calls, which LLVM itself does not do:
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/polls.ll 'http://127.0.0.1:8199/v1/compile?poll=call:stop&safepoints=return,precall'
; gives: precall-poll to stop
; After at most 16 iterations, in loops that need no poll by LLVM's rules as well:
;   curl --data-binary @docs/examples/polls.ll 'http://127.0.0.1:8199/v1/compile?poll=call:stop&poll_interval=16&emit=remarks'
; gives: count their iterations: a poll after 16
; Why a loop has none:
;   curl --data-binary @docs/examples/polls.ll 'http://127.0.0.1:8199/v1/compile?poll=call:stop&emit=remarks'
; gives: no backedge poll in loop 'hundred'

declare void @work(ptr addrspace(1))

; Only LLVM can tell when this ends: its loop is polled.
define void @wait(ptr %flag, ptr addrspace(1) %object) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %v = load volatile i8, ptr %flag
  %again = icmp eq i8 %v, 0
  br i1 %again, label %loop, label %done

done:
  call void @work(ptr addrspace(1) %object)
  ret void
}

; A hundred turns need no poll, unless all_backedges=true.
define void @count(ptr %p) gc "statepoint-example" {
entry:
  br label %hundred

hundred:
  %i = phi i32 [ 0, %entry ], [ %next, %hundred ]
  store volatile i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %hundred, label %done

done:
  ret void
}

; This one asks for itself.
define void @never(ptr addrspace(1) %object) "smd-safepoints"="none" gc "statepoint-example" {
  call void @work(ptr addrspace(1) %object)
  ret void
}
