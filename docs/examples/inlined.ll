; Deoptimisation state that says whose it is: a method that was inlined in another one, as two frames.
;
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/inlined.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none'
; gives: frame of method 2 at bytecode 7

declare void @callback()

; A frame begins with a mark (0x534d4446_0002_nnnn, n values), the method and the bytecode. Here it is method 2 at bytecode 7 with
; one value.
define internal void @element(ptr addrspace(1) %array, i64 %index) gc "statepoint-example" {
  call void @callback() [ "deopt"(i64 6002528945793269761, i64 2, i64 7, i64 %index) ]
  ret void
}

; Method 1 at bytecode 30, with two values. Behind them stands the frame of method 2, when it has been inlined.
define i64 @visit(ptr addrspace(1) %array, i64 %index) gc "statepoint-example" {
  %next = add i64 %index, 1
  call void @element(ptr addrspace(1) %array, i64 %next) [ "deopt"(i64 6002528945793269762, i64 1, i64 30, ptr addrspace(1) %array, i64 %index) ]
  %value = load i64, ptr addrspace(1) %array
  ret i64 %value
}
