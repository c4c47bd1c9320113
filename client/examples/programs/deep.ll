; Recursion some hundred frames deep, each with an object of its own that the frames below move again and again.
; run: 300 = 45150
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define i64 @descend(i64 %n, ptr addrspace(1) %above) gc "statepoint-example" {
entry:
  %bottom = icmp eq i64 %n, 0
  br i1 %bottom, label %leaf, label %inner

leaf:
  ret i64 0

inner:
  %mine = call ptr addrspace(1) @allocate(i64 16, i64 1)
  store ptr addrspace(1) %above, ptr addrspace(1) %mine
  %value.at = getelementptr i8, ptr addrspace(1) %mine, i64 8
  store i64 %n, ptr addrspace(1) %value.at
  %less = sub i64 %n, 1
  %below = call i64 @descend(i64 %less, ptr addrspace(1) %mine)
  %value = load i64, ptr addrspace(1) %value.at
  %above.again = load ptr addrspace(1), ptr addrspace(1) %mine
  %same = icmp eq ptr addrspace(1) %above.again, %above
  %bonus = select i1 %same, i64 0, i64 1000000
  %sum = add i64 %below, %value
  %checked = add i64 %sum, %bonus
  ret i64 %checked
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %sum = call i64 @descend(i64 %n, ptr addrspace(1) null)
  ret i64 %sum
}
