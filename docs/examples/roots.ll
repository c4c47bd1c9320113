; Roots on the stack, for a strategy of the gcroot family: each root is an alloca that llvm.gcroot marks, with metadata or without.
;
;   curl --data-binary @docs/examples/roots.ll http://127.0.0.1:8199/v1/compile
; gives: "kind":"gcroot"

declare void @llvm.gcroot(ptr, ptr)
declare ptr @allocate()
declare void @use(ptr, ptr)

@a_list = constant i32 7

define void @two_roots() gc "erlang" {
entry:
  %first = alloca ptr
  %second = alloca ptr
  call void @llvm.gcroot(ptr %first, ptr null)
  call void @llvm.gcroot(ptr %second, ptr @a_list)
  store ptr null, ptr %first
  store ptr null, ptr %second
  %one = call ptr @allocate()
  store ptr %one, ptr %first
  %two = call ptr @allocate()
  store ptr %two, ptr %second
  call void @use(ptr %first, ptr %second)
  ret void
}
