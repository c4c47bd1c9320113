; An optional result whose reference is set only where its flag is. What is undefined is null where it is returned,
; passed or stored: the caller lists it across its next call.
; RUN: opt={0,1,2,3} safepoints=none
; IR @part: insertvalue { i1, ptr addrspace(1) } zeroinitializer, i1 %c, 0
; IR @filled: insertvalue { i1, ptr addrspace(1) } poison
; IR @nested: zeroinitializer, i1 %c, 0
; IR @constant: ret { i1, ptr addrspace(1) } zeroinitializer
; IR @lanes: insertelement <2 x ptr addrspace(1)> zeroinitializer
; IR @passes: { i1, ptr addrspace(1) } zeroinitializer
; IR @without_strategy: insertvalue { i1, ptr addrspace(1) } zeroinitializer
; IR @filled_by_memory: ptr addrspace(1) null
; IR-NOT: undef
declare void @work()
declare void @take({ i1, ptr addrspace(1) })
declare void @leaf(ptr) "gc-leaf-function"
define { i1, ptr addrspace(1) } @part(i1 %c) gc "statepoint-example" {
  %x = insertvalue { i1, ptr addrspace(1) } undef, i1 %c, 0
  ret { i1, ptr addrspace(1) } %x
}
define { i1, ptr addrspace(1) } @filled(ptr addrspace(1) %a, i1 %c) gc "statepoint-example" {
  %x = insertvalue { i1, ptr addrspace(1) } poison, i1 %c, 0
  %y = insertvalue { i1, ptr addrspace(1) } %x, ptr addrspace(1) %a, 1
  ret { i1, ptr addrspace(1) } %y
}
define { i1, { i32, [2 x ptr addrspace(1)] } } @nested(i1 %c, ptr addrspace(1) %a) gc "statepoint-example" {
  %x = insertvalue { i1, { i32, [2 x ptr addrspace(1)] } } poison, i1 %c, 0
  %y = insertvalue { i1, { i32, [2 x ptr addrspace(1)] } } %x, ptr addrspace(1) %a, 1, 1, 1
  ret { i1, { i32, [2 x ptr addrspace(1)] } } %y
}
define { i1, ptr addrspace(1) } @constant() gc "statepoint-example" {
  ret { i1, ptr addrspace(1) } { i1 false, ptr addrspace(1) undef }
}
define <2 x ptr addrspace(1)> @lanes(ptr addrspace(1) %a) gc "statepoint-example" {
  %x = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %a, i32 0
  ret <2 x ptr addrspace(1)> %x
}
define void @passes() gc "statepoint-example" {
  call void @take({ i1, ptr addrspace(1) } { i1 false, ptr addrspace(1) poison })
  ret void
}
define { i1, ptr addrspace(1) } @without_strategy(i1 %c) {
  %x = insertvalue { i1, ptr addrspace(1) } undef, i1 %c, 0
  ret { i1, ptr addrspace(1) } %x
}
; A slot that others may write to is no value, and no safepoint reports it.
define { i1, ptr addrspace(1) } @filled_by_memory(i1 %c) gc "statepoint-example" {
  %r = alloca { i1, ptr addrspace(1) }
  store i1 %c, ptr %r
  call void @leaf(ptr %r)
  %v = load { i1, ptr addrspace(1) }, ptr %r
  ret { i1, ptr addrspace(1) } %v
}
define ptr addrspace(1) @chosen(i1 %c, ptr addrspace(1) %a) noinline optnone gc "statepoint-example" {
  %x = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) undef
  %y = freeze ptr addrspace(1) undef
  call void @work()
  %z = select i1 %c, ptr addrspace(1) %x, ptr addrspace(1) %y
  ret ptr addrspace(1) %z
}
