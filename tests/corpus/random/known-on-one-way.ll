; random: target=x86_64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; moving: a root is outside the heap, or was moved before
; Others know the slot's address on one way only, and the safepoint of the other did not tell of it: what was in it
; grew old there, and behind the two ways it was told of again.

declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define internal i64 @weigh(ptr %slot) noinline gc "statepoint-example" {
  call void @collect()
  %o = load ptr addrspace(1), ptr %slot
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}

define internal i64 @one_way(i64 %n) noinline gc "statepoint-example" {
entry:
  %slot = alloca { i64, ptr addrspace(1) }
  %field = getelementptr i8, ptr %slot, i64 8
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %o
  store ptr addrspace(1) %o, ptr %field
  %odd = trunc i64 %n to i1
  br i1 %odd, label %known, label %unknown

known:
  %w = call i64 @weigh(ptr %field)
  br label %join

unknown:
  call void @collect()
  br label %join

join:
  %v = phi i64 [ %w, %known ], [ 3, %unknown ]
  call void @collect()
  ret i64 %v
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call i64 @one_way(i64 4)
  %b = call i64 @one_way(i64 5)
  %s = add i64 %a, %b
  ret i64 %s
}
