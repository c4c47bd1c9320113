; Functions with llvm.gcroot have no statepoints: what only those heed is said to do nothing.
;--- rooted
; RUN: barriers=auto
; WARNING=1:
; WARNING: 'barriers' has no effect
; RUN: bases=none
; WARNING=1:
; WARNING: 'bases' has no effect
; RUN: poll_interval=5 poll=call:p
; WARNING=1:
; WARNING: 'poll_interval' has no effect
; RUN: all_backedges=1 poll=call:p
; WARNING=1:
; WARNING: 'all_backedges' has no effect
; RUN: leaf=g
; WARNING=1:
; WARNING: 'leaf' has no effect
; RUN: gc_registers=3
; WARNING=1:
; WARNING: 'gc_registers' has no effect
; RUN: elide=none
; WARNING=1:
; WARNING: 'elide' has no effect
; RUN: tag_mask=1
; WARNING=1:
; WARNING: 'tag_mask' has no effect
; RUN: spaces=2:32
; WARNING=1:
; WARNING: 'spaces' has no effect
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f() gc "erlang" {
entry:
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr null, ptr %r
  br label %l
l:
  call void @g()
  br label %l
}
;--- ret void
; RUN:
; WARNING=1:
; WARNING: The attribute "smd-poll-interval" has no effect
declare void @llvm.gcroot(ptr, ptr)
define void @f() "smd-poll-interval"="4" gc "ocaml" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  ret void
}
