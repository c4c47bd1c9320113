; The bits of a constant reference are no address that a collection changes. Peeled loops have such constants.
; RUN: opt={0,2} safepoints=none
; WARNING-NOT:
; ROOTS: 0 1
declare void @g()
declare void @take(ptr addrspace(1))

define void @kept(i64 %n) gc "statepoint-example" {
  %bits = ptrtoint ptr addrspace(1) inttoptr (i64 1 to ptr addrspace(1)) to i64
  call void @g()
  %more = shl i64 %n, 3
  %sum = or i64 %more, %bits
  %fixnum = inttoptr i64 %sum to ptr addrspace(1)
  call void @take(ptr addrspace(1) %fixnum)
  ret void
}
