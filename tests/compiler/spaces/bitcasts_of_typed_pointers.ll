; A bitcast of a compressed reference to another type of pointee, as IR of typed pointers has at each access, changes
; nothing.
; RUN: opt={0,1,2,3} dialect=typed safepoints=none spaces=2:32:3:heap
; REGIONS @f: 1
; SAFEPOINT=1 @f: "size":4
declare void @work()
define i64 @f(i8 addrspace(2)* %c) gc "statepoint-example" {
  call void @work()
  %p = bitcast i8 addrspace(2)* %c to i64 addrspace(2)*
  %x = load i64, i64 addrspace(2)* %p
  ret i64 %x
}
