; random: target=x86_64-unknown-linux-gnu opt=2 poll=call:collect safepoints=entry,backedge
; moving: failed: the stack cannot be walked; exit status 1
; A leaf had polls, and its caller no record.

declare ptr addrspace(1) @allocate(i64, i64)

define i64 @get(ptr addrspace(1) %o) noinline "gc-leaf-function" gc "statepoint-example" {
  %at = getelementptr i8, ptr addrspace(1) %o, i64 24
  %v = load i64, ptr addrspace(1) %at
  ret i64 %v
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %p = call i64 @get(ptr addrspace(1) %o)
  %at = getelementptr i8, ptr addrspace(1) %o, i64 24
  %v = load i64, ptr addrspace(1) %at
  %s = add i64 %p, %v
  ret i64 %s
}
