; random: target=x86_64-unknown-linux-gnu opt=1 poll=call:collect safepoints=none
; moving: a stale pointer in the heap
; What came as an integer was a reference across the allocation, and the optimiser made the integer of it again.

declare ptr addrspace(1) @allocate(i64, i64)

define i64 @pair(i64 %first, i64 %second) noinline gc "statepoint-example" {
  %a = inttoptr i64 %first to ptr addrspace(1)
  %b = inttoptr i64 %second to ptr addrspace(1)
  %pair = call ptr addrspace(1) @allocate(i64 16, i64 2)
  %x = ptrtoint ptr addrspace(1) %a to i64
  store i64 %x, ptr addrspace(1) %pair
  %place = getelementptr i8, ptr addrspace(1) %pair, i64 8
  %y = ptrtoint ptr addrspace(1) %b to i64
  store i64 %y, ptr addrspace(1) %place
  %z = ptrtoint ptr addrspace(1) %pair to i64
  ret i64 %z
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 7, ptr addrspace(1) %object
  %address = ptrtoint ptr addrspace(1) %object to i64
  %made = call i64 @pair(i64 %address, i64 0)
  %pair = inttoptr i64 %made to ptr addrspace(1)
  %first = load ptr addrspace(1), ptr addrspace(1) %pair
  %value = load i64, ptr addrspace(1) %first
  ret i64 %value
}
