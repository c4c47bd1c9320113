; A poll before returns stands before a resume as well: no way out of a function is without one.
; RUN: opt={0,2} safepoints=return poll=call:stop
; SAFEPOINTS @cleanup: 3
; SAFEPOINT=2 @cleanup: "reason":"return-poll"
; SAFEPOINT=2 @marked: "reason":"return-poll"
; WARNING-NOT:
declare void @g()
declare void @release(ptr addrspace(1))
declare i32 @__gxx_personality_v0(...)
declare void @llvm.gcroot(ptr, ptr)

define void @cleanup(ptr addrspace(1) %o) gc "statepoint-example" personality ptr @__gxx_personality_v0 {
  invoke void @g() to label %done unwind label %pad
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  call void @release(ptr addrspace(1) %o) "gc-leaf-function"
  resume { ptr, i32 } %e
}

define void @marked(ptr %o) gc "erlang" personality ptr @__gxx_personality_v0 {
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %o, ptr %root
  invoke void @g() to label %done unwind label %pad
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
