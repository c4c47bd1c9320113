; The rewrite dies when it looks for the bases of a vector that is taken out of a struct.
; COMMAND: opt-19 -S -passes=rewrite-statepoints-for-gc %s
; FAULT: exit status -(6|11)
declare void @g()
declare { <2 x ptr addrspace(1)>, i64 } @mk()
define ptr addrspace(1) @f() gc "statepoint-example" {
  %s = call { <2 x ptr addrspace(1)>, i64 } @mk()
  %v = extractvalue { <2 x ptr addrspace(1)>, i64 } %s, 0
  call void @g()
  %a = extractelement <2 x ptr addrspace(1)> %v, i64 1
  ret ptr addrspace(1) %a
}
