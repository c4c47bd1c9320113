; The state of frames that were inlined in one another: each says how many values it has, its method and its bytecode.
; 0x534d4446_0002_nnnn is a frame's mark, with n values; _0003_ an object's, with n fields; _0004_ an object again.
;--- Three methods in one another.
; RUN: opt={1,2,3} safepoints=none
; SAFEPOINTS @outer: 1
; SAFEPOINT @outer: /"frames":\[\{"method":1,"bytecode":11,"values":\[\{[^{}]*\}\]\},\{"method":2,"bytecode":22,"values":\[\{"kind":"constant","value":5,"size":8\},\{[^{}]*\}\]\},\{"method":3,"bytecode":33,"values":\[\]\}\],"roots"/
; EXPLAIN @outer: frame of method 1 at bytecode 11
; THEN: frame of method 2 at bytecode 22
; THEN: frame of method 3 at bytecode 33
; DECODED: "method":3,"bytecode":33
; SAME-AS: ir
declare void @stop()
define internal void @inner() gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 6002528945793269760, i64 3, i64 33) ]
  ret void
}
define internal void @middle(i64 %n) gc "statepoint-example" {
  call void @inner() [ "deopt"(i64 6002528945793269762, i64 2, i64 22, i64 5, i64 %n) ]
  ret void
}
define ptr addrspace(1) @outer(i64 %n, ptr addrspace(1) %p) gc "statepoint-example" {
  call void @middle(i64 %n) [ "deopt"(i64 6002528945793269761, i64 1, i64 11, ptr addrspace(1) %p) ]
  ret ptr addrspace(1) %p
}
;--- Objects that are nowhere in memory, in one another, and again.
; RUN: opt={0,2} safepoints=none stackmap_format={llvm,compact}
; SAFEPOINT @f: /"values":\[\{"kind":"object","object":0,"type":70,"fields":\[\{"kind":"constant","value":1,"size":8\},\{"kind":"object","object":1,"type":71,"fields":\[\]\},\{"kind":"indirect"[^{}]*\}\]\},\{"kind":"same","object":0\},\{"kind":"same","object":1\}\]/
; EXPLAIN @f: object 0 of type 70, 3 fields:
; THEN: object 1 of type 71, 0 fields:
; THEN: object 0 again
declare void @stop()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 6002528945793269768, i64 1, i64 2, i64 6002528945793335299, i64 70, i64 1, i64 6002528945793335296, i64 71, ptr addrspace(1) %p, i64 6002528945793400834, i64 6002528945793400833) ]
  ret ptr addrspace(1) %p
}
;--- A state that says nothing of frames has none, whatever is in it later.
; RUN: opt={0,2} safepoints=none
; SAFEPOINT-NOT @f: "frames"
declare void @stop()
define void @f() gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 1, i64 6002528945793269767, i64 1, i64 2) ]
  ret void
}
;--- Fewer values than the frame says.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: The deoptimisation state of the call of stop has 4 values, and is not what its frames say from value 0 on
declare void @stop()
define void @f() gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 6002528945793269762, i64 1, i64 2, i64 3) ]
  ret void
}
;--- More values: what follows has to be a frame.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: has 4 values, and is not what its frames say from value 3 on
declare void @stop()
define void @f() gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 6002528945793269760, i64 1, i64 2, i64 3) ]
  ret void
}
;--- A method that is no constant.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: from value 0 on (the first is 0): a frame has another number of values
declare void @stop()
define void @f(i64 %m) gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 6002528945793269760, i64 %m, i64 2) ]
  ret void
}
;--- An object whose fields the frame does not have.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: from value 6 on
declare void @stop()
define void @f() gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 6002528945793269763, i64 1, i64 2, i64 6002528945793335298, i64 70, i64 1, i64 6002528945793269760, i64 3, i64 4) ]
  ret void
}
;--- An object that has not begun.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: from value 3 on
declare void @stop()
define void @f() gc "statepoint-example" {
  call void @stop() [ "deopt"(i64 6002528945793269761, i64 1, i64 2, i64 6002528945793400833) ]
  ret void
}
