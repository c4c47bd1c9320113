; A struct is filled part by part, with safepoints between: what is not filled yet is null there.
; RUN: opt={0,1,2,3} poll=call:collect
; RESULT: 5 = 75
; RUN: opt=0 safepoints=none emit=ir
; IR-NOT @filled: / undef/
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define internal { ptr addrspace(1), i64, ptr addrspace(1) } @filled(i64 %v) noinline gc "statepoint-example" {
  %first = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 70, ptr addrspace(1) %first
  %a = insertvalue { ptr addrspace(1), i64, ptr addrspace(1) } undef, ptr addrspace(1) %first, 0
  call void @collect()
  %b = insertvalue { ptr addrspace(1), i64, ptr addrspace(1) } %a, i64 %v, 1
  %second = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %v, ptr addrspace(1) %second
  %c = insertvalue { ptr addrspace(1), i64, ptr addrspace(1) } %b, ptr addrspace(1) %second, 2
  call void @collect()
  ret { ptr addrspace(1), i64, ptr addrspace(1) } %c
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %s = call { ptr addrspace(1), i64, ptr addrspace(1) } @filled(i64 %n)
  %x = extractvalue { ptr addrspace(1), i64, ptr addrspace(1) } %s, 0
  %y = extractvalue { ptr addrspace(1), i64, ptr addrspace(1) } %s, 2
  call void @collect()
  %i = load i64, ptr addrspace(1) %x
  %j = load i64, ptr addrspace(1) %y
  %sum = add i64 %i, %j
  ret i64 %sum
}
