; An address in an object that is used behind a safepoint is computed there, where an access can fold it, and is no root.
;--- behind a call
; RUN: safepoints=none opt={1,2,3} gc_registers=32
; EXPLAIN-NOT: derived
; RUN: safepoints=none opt={0,2} remat=false
; EXPLAIN: derived
declare void @g()
define i64 @f(ptr addrspace(1) %a, i64 %i) gc "statepoint-example" {
  %items = getelementptr i8, ptr addrspace(1) %a, i64 8
  %item = getelementptr i64, ptr addrspace(1) %items, i64 %i
  store i64 1, ptr addrspace(1) %item
  call void @g()
  %x = load i64, ptr addrspace(1) %item
  ret i64 %x
}
;--- a loop has no instruction for it
; RUN: opt=2 poll=page:a_page gc_registers=32 target=x86_64-linux-gnu
; ASM-NOT: lea
define void @f(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {
entry:
  br label %turn
turn:
  %items = getelementptr i8, ptr addrspace(1) %a, i64 8
  %i = load volatile i64, ptr addrspace(1) %b
  %item = getelementptr i64, ptr addrspace(1) %items, i64 %i
  store volatile i64 7, ptr addrspace(1) %item
  %more = icmp ne i64 %i, 0
  br i1 %more, label %turn, label %out
out:
  ret void
}
;--- it runs as before
; RUN: opt={1,2,3} poll=call:collect gc_registers={0,32}
; RESULT: 10 = 165
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %a = call ptr addrspace(1) @allocate(i64 128, i64 0)
  %items = getelementptr i8, ptr addrspace(1) %a, i64 8
  br label %write
write:
  %i = phi i64 [ 0, %entry ], [ %next, %write ]
  %item = getelementptr i64, ptr addrspace(1) %items, i64 %i
  store i64 %i, ptr addrspace(1) %item
  call void @collect()
  %old = load i64, ptr addrspace(1) %item
  %twice = mul i64 %old, 2
  store i64 %twice, ptr addrspace(1) %item
  call void @collect()
  %next = add i64 %i, 1
  %more = icmp ule i64 %next, %n
  br i1 %more, label %write, label %read
read:
  %k = phi i64 [ 0, %write ], [ %after, %read ]
  %sum = phi i64 [ 0, %write ], [ %total, %read ]
  %at = getelementptr i64, ptr addrspace(1) %items, i64 %k
  %v = load i64, ptr addrspace(1) %at
  call void @collect()
  %w = load i64, ptr addrspace(1) %at
  %half = lshr i64 %w, 1
  %both = add i64 %v, %half
  %total = add i64 %sum, %both
  %after = add i64 %k, 1
  %goes = icmp ule i64 %after, %n
  br i1 %goes, label %read, label %out
out:
  ret i64 %total
}
