; Stores of compressed references into objects have cards and snapshots, beside those of whole ones.
;--- a card for each object
; RUN: opt={0,1,2,3} safepoints=none barriers=auto barrier=card:card_table:9 spaces=2:32:0:heap_base
; RESULT: 12 = 156
; RESULT: --heap generational 12 = 156
; IR @push: store i8 1
; RUN: opt=2 safepoints=none spaces=2:32:0:heap_base
; RESULT: --heap generational 12 != 156
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

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
;--- what each overwrites is kept
; RUN: opt={0,2} safepoints=none barriers=auto barrier=satb:keep:marking spaces=2:32:0:heap_base
; IR=1 @small: @keep.p2(i32
; IR=1 @whole: @keep(ptr addrspace(1)
declare void @keep.p2(ptr addrspace(2))
define void @small(ptr addrspace(2) %o, ptr addrspace(2) %v) gc "statepoint-example" {
  store ptr addrspace(2) %v, ptr addrspace(2) %o
  ret void
}
define void @whole(ptr addrspace(2) %o, ptr addrspace(1) %v) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(2) %o
  ret void
}
;--- one name for both kinds
; RUN: safepoints=none barriers=auto barrier=satb:keep:marking spaces=2:32:0:heap_base
; STATUS: barrier_conflict
; ERROR: 'keep' is in the module, but is not a function void(ptr), of the references' kind
declare void @keep(ptr addrspace(1))
define void @small(ptr addrspace(2) %o, ptr addrspace(2) %v) gc "statepoint-example" {
  store ptr addrspace(2) %v, ptr addrspace(2) %o
  ret void
}
;--- a function that the optimiser would not call
; RUN: safepoints=none barriers=auto barrier=satb:keep:marking spaces=2:32:0:heap_base
; STATUS: barrier_conflict
; ERROR: keep.p2
declare void @keep.p2(ptr addrspace(2)) memory(none)
define void @small(ptr addrspace(2) %o, ptr addrspace(2) %v) gc "statepoint-example" {
  store ptr addrspace(2) %v, ptr addrspace(2) %o
  ret void
}
;--- the module's own, one for each width
; RUN: safepoints=none barriers=auto spaces=2:32:0:heap_base opt={0,1,2,3}
; IR=1 @small: store volatile i8 4
; IR-NOT @small: store volatile i8 8
; IR=1 @whole: store volatile i8 8
; IR-NOT @whole: store volatile i8 4
; IR=1 @both: store volatile i8 8
; IR=1 @both: store volatile i8 4
; SYMBOL-NOT: gc.write_barrier.p2
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  store volatile i8 8, ptr addrspace(1) %o
  ret void
}
define internal void @gc.write_barrier.p2(ptr addrspace(2) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(2) %v, ptr addrspace(1) %s
  store volatile i8 4, ptr addrspace(1) %o
  ret void
}
define void @small(ptr addrspace(2) %o, ptr addrspace(2) %v) gc "statepoint-example" {
  store ptr addrspace(2) %v, ptr addrspace(2) %o
  ret void
}
define void @whole(ptr addrspace(2) %o, ptr addrspace(1) %v) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(2) %o
  ret void
}
define void @both(ptr addrspace(1) %o, { ptr addrspace(1), ptr addrspace(2), i32 } %v) gc "statepoint-example" {
  store { ptr addrspace(1), ptr addrspace(2), i32 } %v, ptr addrspace(1) %o
  ret void
}
;--- a read barrier of the module's own for each width, and gcread and gcwrite of both
; RUN: safepoints=none barriers=auto spaces=2:32:0:heap_base opt={0,1,2,3}
; IR=2 @small: store volatile i8 4
; IR-NOT @small: store volatile i8 8
; IR=2 @whole: store volatile i8 8
; IR-NOT @whole: store volatile i8 4
declare ptr addrspace(2) @llvm.gcread.p2(ptr addrspace(1), ptr addrspace(1))
declare ptr addrspace(1) @llvm.gcread.p1(ptr addrspace(1), ptr addrspace(1))
define internal ptr addrspace(1) @gc.read_barrier(ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store volatile i8 8, ptr addrspace(1) %o
  %v = load ptr addrspace(1), ptr addrspace(1) %s
  ret ptr addrspace(1) %v
}
define internal ptr addrspace(2) @gc.read_barrier.p2(ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store volatile i8 4, ptr addrspace(1) %o
  %v = load ptr addrspace(2), ptr addrspace(1) %s
  ret ptr addrspace(2) %v
}
define i1 @small(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load ptr addrspace(2), ptr addrspace(1) %o
  %s = getelementptr i8, ptr addrspace(1) %o, i64 4
  %w = call ptr addrspace(2) @llvm.gcread.p2(ptr addrspace(1) %o, ptr addrspace(1) %s)
  %same = icmp eq ptr addrspace(2) %v, %w
  ret i1 %same
}
define i1 @whole(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load ptr addrspace(1), ptr addrspace(1) %o
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %w = call ptr addrspace(1) @llvm.gcread.p1(ptr addrspace(1) %o, ptr addrspace(1) %s)
  %same = icmp eq ptr addrspace(1) %v, %w
  ret i1 %same
}
;--- the module's own takes whole ones
; RUN: safepoints=none barriers=auto spaces=2:32:0:heap_base
; STATUS: barrier_conflict
; ERROR: A reference of address space 2 needs a barrier here, and the module has no gc.write_barrier.p2
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
define void @small(ptr addrspace(2) %o, ptr addrspace(2) %v) gc "statepoint-example" {
  store ptr addrspace(2) %v, ptr addrspace(2) %o
  ret void
}
;--- or compressed ones alone
; RUN: safepoints=none barriers=auto spaces=2:32:0:heap_base
; STATUS: barrier_conflict
; ERROR: A reference of address space 1 needs a barrier here, and the module has no gc.write_barrier, only
define internal void @gc.write_barrier.p2(ptr addrspace(2) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(2) %v, ptr addrspace(1) %s
  ret void
}
define void @whole(ptr addrspace(1) %o, ptr addrspace(1) %v) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- a ready-made one beside it
; RUN: safepoints=none barriers=auto barrier=card:cards:9 spaces=2:32:0:heap_base
; STATUS: barrier_conflict
; ERROR: The module has a gc.write_barrier.p2 of its own
define internal void @gc.write_barrier.p2(ptr addrspace(2) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(2) %v, ptr addrspace(1) %s
  ret void
}
define void @whole(ptr addrspace(1) %o, ptr addrspace(1) %v) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- loads with a bit of the mask are healed
; RUN: safepoints=none barriers=auto barrier=load:heal:7 spaces=2:32:0:heap_base opt={0,1,2,3}
; IR=1 @small: @heal.p2
; IR=1 @small: = and i64
; IR=1 @whole: @heal,
declare ptr addrspace(2) @heal.p2(ptr addrspace(2), ptr addrspace(1))
define i1 @small(ptr addrspace(2) %o) gc "statepoint-example" {
  %v = load ptr addrspace(2), ptr addrspace(2) %o
  %null = icmp eq ptr addrspace(2) %v, null
  ret i1 %null
}
define i1 @whole(ptr addrspace(2) %o) gc "statepoint-example" {
  %v = load ptr addrspace(1), ptr addrspace(2) %o
  %null = icmp eq ptr addrspace(1) %v, null
  ret i1 %null
}
;--- one name for both kinds of loads
; RUN: safepoints=none barriers=auto barrier=load:heal:7 spaces=2:32:0:heap_base
; STATUS: barrier_conflict
; ERROR: 'heal' is in the module, but is not a function ptr(ptr value, ptr slot), of the references' kind
declare ptr addrspace(1) @heal(ptr addrspace(1), ptr addrspace(1))
define i1 @small(ptr addrspace(2) %o) gc "statepoint-example" {
  %v = load ptr addrspace(2), ptr addrspace(2) %o
  %null = icmp eq ptr addrspace(2) %v, null
  ret i1 %null
}
