; Polls at returns and calls do not move the poll at the entry: in put it stands behind the store, as it does without
; them. What put gets is derived from an object, and no safepoint may come before its last use.
; RUN: opt={0,1,2,3} safepoints=entry poll={flag:stop:collect,page:poll_page,tls:poll_thread:8,call:collect}
; RUN: opt={0,1,2,3} safepoints=entry,return poll={flag:stop:collect,page:poll_page,tls:poll_thread:8,call:collect}
; RUN: opt={0,1,2,3} safepoints=entry,backedge,return poll={flag:stop:collect,page:poll_page,tls:poll_thread:8}
; RUN: opt={0,1,2,3} safepoints=entry,precall,postcall poll={flag:stop:collect,page:poll_page,tls:poll_thread:8}
; RUN: opt={0,1,2,3} safepoints=entry,return,precall poll={flag:stop:collect,tls:poll_thread:8} gc_registers=8
; SAFEPOINTS @put reason=entry-poll: 1
; ROOTS @put: 0
; SAFEPOINTS @get reason=entry-poll: 1
; ROOTS @get #0: 1
; RESULT: 5 = 7
; RESULT: --leave-out 0 5 != 7
@stop = global i8 1
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @put(ptr addrspace(1) %slot, ptr addrspace(1) %what) noinline gc "statepoint-example" {
  store ptr addrspace(1) %what, ptr addrspace(1) %slot
  ret void
}

; The runtime's memory is read: the poll is before that.
@count = global i64 2
define i64 @get(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  %n = load volatile i64, ptr @count
  %v = load i64, ptr addrspace(1) %o
  %s = add i64 %n, %v
  ret i64 %s
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %holder = call ptr addrspace(1) @allocate(i64 16, i64 2)
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %slot = getelementptr i8, ptr addrspace(1) %holder, i64 8
  call void @put(ptr addrspace(1) %slot, ptr addrspace(1) %o)
  call void @collect()
  %again = getelementptr i8, ptr addrspace(1) %holder, i64 8
  %p = load ptr addrspace(1), ptr addrspace(1) %again
  %r = call i64 @get(ptr addrspace(1) %p)
  ret i64 %r
}
