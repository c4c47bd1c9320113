; In a block that is never reached a value may be made of itself.
;--- %root = alloca ptr
; RUN: poll=call:stop opt={0,2}
; STACKMAP=1: "kind":"gcroot"
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  ret void
never:
  %q = getelementptr i8, ptr %q, i64 8
  %b = bitcast ptr %b to ptr
  store ptr %a, ptr %q
  store ptr %b, ptr %q
  br label %never
}
;--- call void @g()
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "name":"f"
declare void @g()
define void @f(ptr addrspace(1) %a) gc "statepoint-example" {
  call void @g()
  ret void
never:
  %q = getelementptr i8, ptr addrspace(1) %q, i64 8
  call void @g()
  store i8 1, ptr addrspace(1) %q
  br label %never
}
