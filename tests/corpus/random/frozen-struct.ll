; random: target=x86_64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; compile: cannot_rewrite: its base cannot be found
; A struct that is frozen was refused where one that is not was split.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %at = and i64 %n, 8
  %d = getelementptr i8, ptr addrspace(1) %o, i64 %at
  %s = insertvalue { ptr addrspace(1), [2 x ptr addrspace(1)] } poison, ptr addrspace(1) %d, 1, 1
  %t = insertvalue { ptr addrspace(1), [2 x ptr addrspace(1)] } %s, ptr addrspace(1) %o, 0
  %f = freeze { ptr addrspace(1), [2 x ptr addrspace(1)] } %t
  call void @collect()
  %e = extractvalue { ptr addrspace(1), [2 x ptr addrspace(1)] } %f, 1, 1
  %w = getelementptr i8, ptr addrspace(1) %e, i64 24
  %v = load i64, ptr addrspace(1) %w
  ret i64 %v
}
