; The pads of a module may be of several types: what one resumes, another of another type catches, inlined or not.
;--- two addresses, inlined
; RUN: opt={0,2} safepoints=none
; RESULT: 30 = 1545
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @collect()
declare i32 @handle_catches(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Throws a box of N if N is odd.
define void @thrower(i64 %n) gc "statepoint-example" {
entry:
  %bit = and i64 %n, 1
  %odd = icmp ne i64 %bit, 0
  br i1 %odd, label %throw, label %done

throw:
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  br label %done

done:
  ret void
}

; Cleans up: adds what it has been given to the second word of KEPT, by way of another object, and unwinds on with the
; exception that it was given.
define void @cleaner(i64 %n, ptr addrspace(1) %kept) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %second = getelementptr i64, ptr addrspace(1) %kept, i64 1
  invoke void @thrower(i64 %n)
          to label %normal unwind label %clean

normal:
  ret void

clean:
  %pad = landingpad { ptr, ptr }
          cleanup
  %copy = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %copy
  %another = call ptr addrspace(1) @allocate(i64 8, i64 0)
  %old = load i64, ptr addrspace(1) %second
  %more = load i64, ptr addrspace(1) %copy
  %new = add i64 %old, %more
  store i64 %new, ptr addrspace(1) %second
  resume { ptr, ptr } %pad
}

; Two calls with one handler; what it has is different, by where it was thrown.
define i64 @attempt(i64 %n, ptr addrspace(1) %kept) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %first = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 1, ptr addrspace(1) %first
  %inside = getelementptr i8, ptr addrspace(1) %first, i64 8
  store i64 %n, ptr addrspace(1) %inside
  invoke void @cleaner(i64 %n, ptr addrspace(1) %kept)
          to label %again unwind label %handler

again:
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 7, ptr addrspace(1) %other
  %odd = add i64 %n, 1
  invoke void @cleaner(i64 %odd, ptr addrspace(1) %kept)
          to label %normal unwind label %handler

normal:
  ret i64 -1000000

handler:
  %mine = phi ptr addrspace(1) [ %first, %entry ], [ %other, %again ]
  %pad = landingpad { ptr, i32 }
          catch ptr null
  %exception = extractvalue { ptr, i32 } %pad, 0
  %none = icmp eq ptr %exception, null
  %penalty = select i1 %none, i64 1000000, i64 0
  %box = call ptr addrspace(1) @caught()
  %room = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 0, ptr addrspace(1) %room
  %thrown = load i64, ptr addrspace(1) %box
  %own = load i64, ptr addrspace(1) %mine
  %derived = load i64, ptr addrspace(1) %inside
  %zero = load i64, ptr addrspace(1) %room
  %a = add i64 %thrown, %own
  %b = add i64 %a, %derived
  %c = add i64 %b, %zero
  %d = sub i64 %c, %penalty
  ret i64 %d
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %second = getelementptr i64, ptr addrspace(1) %kept, i64 1
  store i64 0, ptr addrspace(1) %second
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  %one = call i64 @attempt(i64 %i, ptr addrspace(1) %kept)
  %sum.next = add i64 %sum, %one
  %i.next = add i64 %i, 1
  %more = icmp sle i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %cleaned = load i64, ptr addrspace(1) %second
  %result = add i64 %sum.next, %cleaned
  ret i64 %result
}
;--- a number
; RUN: opt={0,2} safepoints=none
; RESULT: 30 = 1545
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @collect()
declare i32 @handle_catches(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Throws a box of N if N is odd.
define void @thrower(i64 %n) noinline gc "statepoint-example" {
entry:
  %bit = and i64 %n, 1
  %odd = icmp ne i64 %bit, 0
  br i1 %odd, label %throw, label %done

throw:
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  br label %done

done:
  ret void
}

; Cleans up: adds what it has been given to the second word of KEPT, by way of another object, and unwinds on with the
; exception that it was given.
define void @cleaner(i64 %n, ptr addrspace(1) %kept) noinline gc "statepoint-example" personality ptr @handle_catches {
entry:
  %second = getelementptr i64, ptr addrspace(1) %kept, i64 1
  invoke void @thrower(i64 %n)
          to label %normal unwind label %clean

normal:
  ret void

clean:
  %pad = landingpad i64
          cleanup
  %copy = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %copy
  %another = call ptr addrspace(1) @allocate(i64 8, i64 0)
  %old = load i64, ptr addrspace(1) %second
  %more = load i64, ptr addrspace(1) %copy
  %new = add i64 %old, %more
  store i64 %new, ptr addrspace(1) %second
  resume i64 %pad
}

; Two calls with one handler; what it has is different, by where it was thrown.
define i64 @attempt(i64 %n, ptr addrspace(1) %kept) noinline gc "statepoint-example" personality ptr @handle_catches {
entry:
  %first = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 1, ptr addrspace(1) %first
  %inside = getelementptr i8, ptr addrspace(1) %first, i64 8
  store i64 %n, ptr addrspace(1) %inside
  invoke void @cleaner(i64 %n, ptr addrspace(1) %kept)
          to label %again unwind label %handler

again:
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 7, ptr addrspace(1) %other
  %odd = add i64 %n, 1
  invoke void @cleaner(i64 %odd, ptr addrspace(1) %kept)
          to label %normal unwind label %handler

normal:
  ret i64 -1000000

handler:
  %mine = phi ptr addrspace(1) [ %first, %entry ], [ %other, %again ]
  %pad = landingpad { ptr, i32 }
          catch ptr null
  %exception = extractvalue { ptr, i32 } %pad, 0
  %none = icmp eq ptr %exception, null
  %penalty = select i1 %none, i64 1000000, i64 0
  %box = call ptr addrspace(1) @caught()
  %room = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 0, ptr addrspace(1) %room
  %thrown = load i64, ptr addrspace(1) %box
  %own = load i64, ptr addrspace(1) %mine
  %derived = load i64, ptr addrspace(1) %inside
  %zero = load i64, ptr addrspace(1) %room
  %a = add i64 %thrown, %own
  %b = add i64 %a, %derived
  %c = add i64 %b, %zero
  %d = sub i64 %c, %penalty
  ret i64 %d
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %second = getelementptr i64, ptr addrspace(1) %kept, i64 1
  store i64 0, ptr addrspace(1) %second
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  %one = call i64 @attempt(i64 %i, ptr addrspace(1) %kept)
  %sum.next = add i64 %sum, %one
  %i.next = add i64 %i, 1
  %more = icmp sle i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %cleaned = load i64, ptr addrspace(1) %second
  %result = add i64 %sum.next, %cleaned
  ret i64 %result
}
