; What cannot collect needs no statepoint: helpers whose bodies show it, what touches no memory, cold ends, and what the
; query lists. Each call that is left out is said in the remarks.
;
;   curl --data-binary @docs/examples/leaf.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&emit=remarks'
; gives: no statepoint at the call of length: nothing that it does can collect
;   curl --data-binary @docs/examples/leaf.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&emit=remarks'
; gives: no statepoint at the call of out_of_bounds: it is cold, and neither returns nor unwinds
; What only the runtime's author knows:
;   curl --data-binary @docs/examples/leaf.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&emit=remarks&leaf=rt_clock,rt_trace'
; gives: no statepoint at the call of rt_clock: leaf lists it
; All of them safepoints again:
;   curl -H 'Accept: text/plain' --data-binary @docs/examples/leaf.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none&elide=none'
; gives: call to length

declare i64 @rt_clock()
declare i64 @rt_hash(i64) memory(none)
declare ptr addrspace(1) @rt_new(i64)
declare void @out_of_bounds() noreturn nounwind cold

define internal i64 @length(ptr addrspace(1) %array) noinline {
  %n = load i64, ptr addrspace(1) %array
  ret i64 %n
}

; It allocates: its calls are safepoints, as those of rt_new are.
define internal ptr addrspace(1) @pair(i64 %n) noinline "smd-safepoints"="none" gc "statepoint-example" {
  %p = call ptr addrspace(1) @rt_new(i64 16)
  store i64 %n, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}

define i64 @get(ptr addrspace(1) %array, i64 %i) gc "statepoint-example" {
entry:
  %n = call i64 @length(ptr addrspace(1) %array)
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %read, label %outside

outside:
  call void @out_of_bounds()
  unreachable

read:
  %at = getelementptr i64, ptr addrspace(1) %array, i64 %i
  %v = load i64, ptr addrspace(1) %at
  %h = call i64 @rt_hash(i64 %v)
  %now = call i64 @rt_clock()
  %key = xor i64 %h, %now
  %p = call ptr addrspace(1) @pair(i64 %key)
  %w = load i64, ptr addrspace(1) %p
  %again = call i64 @length(ptr addrspace(1) %array)
  %sum = add i64 %w, %again
  ret i64 %sum
}
