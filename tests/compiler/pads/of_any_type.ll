; Landing pads of any type that can hold the exception, or nothing of it, are compiled: of two addresses, of one number,
; of one address in a struct, of none.
;--- two addresses
; RUN: opt={0,2} safepoints=none
; RESULT: 40 = 2460
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @collect()
declare i32 @handle_all(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Throws a box of N from a frame some calls away.
define void @thrower(i64 %n, i64 %depth) gc "statepoint-example" {
entry:
  %there = icmp eq i64 %depth, 0
  br i1 %there, label %throw, label %deeper

deeper:
  %less = sub i64 %depth, 1
  call void @thrower(i64 %n, i64 %less)
  ret void

throw:
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  ret void
}

define i64 @attempt(i64 %n, ptr addrspace(1) %kept) gc "statepoint-example" personality ptr @handle_all {
entry:
  invoke void @thrower(i64 %n, i64 3)
          to label %normal unwind label %handler

normal:
  ret i64 -1

handler:
  %pad = landingpad { ptr, ptr }
          cleanup
  %box = call ptr addrspace(1) @caught()
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %other
  %thrown = load i64, ptr addrspace(1) %box
  %mine = load i64, ptr addrspace(1) %kept
  %again = load i64, ptr addrspace(1) %other
  %two = add i64 %thrown, %mine
  %three = add i64 %two, %again
  ret i64 %three
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @allocate(i64 8, i64 0)
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  store i64 %i, ptr addrspace(1) %kept
  %one = call i64 @attempt(i64 %i, ptr addrspace(1) %kept)
  %sum.next = add i64 %sum, %one
  %i.next = add i64 %i, 1
  %more = icmp sle i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret i64 %sum.next
}

;--- a number
; RUN: opt={0,2} safepoints=none
; RESULT: 40 = 2460
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @collect()
declare i32 @handle_all(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Throws a box of N from a frame some calls away.
define void @thrower(i64 %n, i64 %depth) gc "statepoint-example" {
entry:
  %there = icmp eq i64 %depth, 0
  br i1 %there, label %throw, label %deeper

deeper:
  %less = sub i64 %depth, 1
  call void @thrower(i64 %n, i64 %less)
  ret void

throw:
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  ret void
}

define i64 @attempt(i64 %n, ptr addrspace(1) %kept) gc "statepoint-example" personality ptr @handle_all {
entry:
  invoke void @thrower(i64 %n, i64 3)
          to label %normal unwind label %handler

normal:
  ret i64 -1

handler:
  %pad = landingpad i64
          cleanup
  %box = call ptr addrspace(1) @caught()
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %other
  %thrown = load i64, ptr addrspace(1) %box
  %mine = load i64, ptr addrspace(1) %kept
  %again = load i64, ptr addrspace(1) %other
  %two = add i64 %thrown, %mine
  %three = add i64 %two, %again
  ret i64 %three
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @allocate(i64 8, i64 0)
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  store i64 %i, ptr addrspace(1) %kept
  %one = call i64 @attempt(i64 %i, ptr addrspace(1) %kept)
  %sum.next = add i64 %sum, %one
  %i.next = add i64 %i, 1
  %more = icmp sle i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret i64 %sum.next
}

;--- one address
; RUN: opt={0,2} safepoints=none
; RESULT: 40 = 2460
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @collect()
declare i32 @handle_all(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Throws a box of N from a frame some calls away.
define void @thrower(i64 %n, i64 %depth) gc "statepoint-example" {
entry:
  %there = icmp eq i64 %depth, 0
  br i1 %there, label %throw, label %deeper

deeper:
  %less = sub i64 %depth, 1
  call void @thrower(i64 %n, i64 %less)
  ret void

throw:
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  ret void
}

define i64 @attempt(i64 %n, ptr addrspace(1) %kept) gc "statepoint-example" personality ptr @handle_all {
entry:
  invoke void @thrower(i64 %n, i64 3)
          to label %normal unwind label %handler

normal:
  ret i64 -1

handler:
  %pad = landingpad { ptr }
          cleanup
  %box = call ptr addrspace(1) @caught()
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %other
  %thrown = load i64, ptr addrspace(1) %box
  %mine = load i64, ptr addrspace(1) %kept
  %again = load i64, ptr addrspace(1) %other
  %two = add i64 %thrown, %mine
  %three = add i64 %two, %again
  ret i64 %three
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @allocate(i64 8, i64 0)
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  store i64 %i, ptr addrspace(1) %kept
  %one = call i64 @attempt(i64 %i, ptr addrspace(1) %kept)
  %sum.next = add i64 %sum, %one
  %i.next = add i64 %i, 1
  %more = icmp sle i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret i64 %sum.next
}

;--- nothing
; RUN: opt={0,2} safepoints=none
; RESULT: 40 = 2460
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @collect()
declare i32 @handle_all(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Throws a box of N from a frame some calls away.
define void @thrower(i64 %n, i64 %depth) gc "statepoint-example" {
entry:
  %there = icmp eq i64 %depth, 0
  br i1 %there, label %throw, label %deeper

deeper:
  %less = sub i64 %depth, 1
  call void @thrower(i64 %n, i64 %less)
  ret void

throw:
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  ret void
}

define i64 @attempt(i64 %n, ptr addrspace(1) %kept) gc "statepoint-example" personality ptr @handle_all {
entry:
  invoke void @thrower(i64 %n, i64 3)
          to label %normal unwind label %handler

normal:
  ret i64 -1

handler:
  %pad = landingpad {}
          cleanup
  %box = call ptr addrspace(1) @caught()
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %other
  %thrown = load i64, ptr addrspace(1) %box
  %mine = load i64, ptr addrspace(1) %kept
  %again = load i64, ptr addrspace(1) %other
  %two = add i64 %thrown, %mine
  %three = add i64 %two, %again
  ret i64 %three
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @allocate(i64 8, i64 0)
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  store i64 %i, ptr addrspace(1) %kept
  %one = call i64 @attempt(i64 %i, ptr addrspace(1) %kept)
  %sum.next = add i64 %sum, %one
  %i.next = add i64 %i, 1
  %more = icmp sle i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret i64 %sum.next
}

;--- two numbers
; RUN: opt={0,2} safepoints=none
; RESULT: 40 = 2460
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @collect()
declare i32 @handle_all(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Throws a box of N from a frame some calls away.
define void @thrower(i64 %n, i64 %depth) gc "statepoint-example" {
entry:
  %there = icmp eq i64 %depth, 0
  br i1 %there, label %throw, label %deeper

deeper:
  %less = sub i64 %depth, 1
  call void @thrower(i64 %n, i64 %less)
  ret void

throw:
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  ret void
}

define i64 @attempt(i64 %n, ptr addrspace(1) %kept) gc "statepoint-example" personality ptr @handle_all {
entry:
  invoke void @thrower(i64 %n, i64 3)
          to label %normal unwind label %handler

normal:
  ret i64 -1

handler:
  %pad = landingpad [2 x i64]
          cleanup
  %box = call ptr addrspace(1) @caught()
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %other
  %thrown = load i64, ptr addrspace(1) %box
  %mine = load i64, ptr addrspace(1) %kept
  %again = load i64, ptr addrspace(1) %other
  %two = add i64 %thrown, %mine
  %three = add i64 %two, %again
  ret i64 %three
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @allocate(i64 8, i64 0)
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  store i64 %i, ptr addrspace(1) %kept
  %one = call i64 @attempt(i64 %i, ptr addrspace(1) %kept)
  %sum.next = add i64 %sum, %one
  %i.next = add i64 %i, 1
  %more = icmp sle i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret i64 %sum.next
}
