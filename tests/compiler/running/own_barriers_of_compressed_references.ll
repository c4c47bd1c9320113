; The module's own barrier has one function for each width. With the young heap, what one forgets is lost.
; RUN: opt={0,1,2,3} safepoints=none barriers=auto spaces=2:32:0:heap_base
; RESULT: 12 = 156
; RESULT: --heap generational 12 = 156
; SYMBOL-NOT: gc.write_barrier
; SYMBOL-NOT: gc.write_barrier.p2
; RUN: opt=2 safepoints=none spaces=2:32:0:heap_base
; RESULT: --heap generational 12 != 156
@card_table = external global ptr
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define internal void @mark(ptr addrspace(1) %o) alwaysinline {
  %cards = load ptr, ptr @card_table
  %address = ptrtoint ptr addrspace(1) %o to i64
  %number = lshr i64 %address, 9
  %card = getelementptr i8, ptr %cards, i64 %number
  store i8 1, ptr %card
  ret void
}

define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  call void @mark(ptr addrspace(1) %o) "gc-leaf-function"
  ret void
}

define internal void @gc.write_barrier.p2(ptr addrspace(2) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(2) %v, ptr addrspace(1) %s
  call void @mark(ptr addrspace(1) %o) "gc-leaf-function"
  ret void
}

define internal ptr addrspace(2) @box(i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 24, i64 4294967297) ; a whole reference and a compressed one
  %at = getelementptr i8, ptr addrspace(1) %o, i64 16
  store i64 %n, ptr addrspace(1) %at
  %small = addrspacecast ptr addrspace(1) %o to ptr addrspace(2)
  ret ptr addrspace(2) %small
}

define internal void @push(ptr addrspace(2) %holder, i64 %n) noinline gc "statepoint-example" {
  %box = call ptr addrspace(2) @box(i64 %n)
  %slot = getelementptr i8, ptr addrspace(2) %holder, i64 8
  %list = load ptr addrspace(2), ptr addrspace(2) %slot
  %next = getelementptr i8, ptr addrspace(2) %box, i64 8
  store ptr addrspace(2) %list, ptr addrspace(2) %next
  store ptr addrspace(2) %box, ptr addrspace(2) %slot
  %whole = addrspacecast ptr addrspace(2) %box to ptr addrspace(1)
  store ptr addrspace(1) %whole, ptr addrspace(2) %holder
  call void @collect()
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %holder = call ptr addrspace(2) @box(i64 0)
  call void @collect()
  call void @collect()
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %more, %loop ]
  call void @push(ptr addrspace(2) %holder, i64 %i)
  %more = add i64 %i, 1
  %again = icmp ule i64 %more, %n
  br i1 %again, label %loop, label %read

read:
  %slot = getelementptr i8, ptr addrspace(2) %holder, i64 8
  %first = load ptr addrspace(2), ptr addrspace(2) %slot
  br label %sum

sum:
  %at = phi ptr addrspace(2) [ %first, %read ], [ %after, %sum ]
  %total = phi i64 [ 0, %read ], [ %sum.more, %sum ]
  call void @collect()
  %value = getelementptr i8, ptr addrspace(2) %at, i64 16
  %v = load i64, ptr addrspace(2) %value
  %sum.more = add i64 %total, %v
  %next = getelementptr i8, ptr addrspace(2) %at, i64 8
  %after = load ptr addrspace(2), ptr addrspace(2) %next
  %end = icmp eq ptr addrspace(2) %after, null
  br i1 %end, label %out, label %sum

out:
  %last = load ptr addrspace(1), ptr addrspace(2) %holder
  %last.at = getelementptr i8, ptr addrspace(1) %last, i64 16
  %w = load i64, ptr addrspace(1) %last.at
  %seven = mul i64 %w, 6
  %both = add i64 %sum.more, %seven
  %result = add i64 %both, 6
  ret i64 %result
}
