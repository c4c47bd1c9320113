; The shadow-stack strategy with polls: at entries, in loops, before returns and around calls. What is loaded from a root, and
; what is derived from that, is used across each of them.
; run: 30 = 930
declare ptr @allocate(i64, i64)
declare void @collect()
declare void @llvm.gcroot(ptr, ptr)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Adds 2 to a number in the object, n times, by a pointer into it that was made before the loop.
define i64 @count(ptr %object, i64 %n) "smd-safepoints"="entry,loop,return,precall,postcall" gc "shadow-stack" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %object, ptr %root
  %same = load ptr, ptr %root
  %field = getelementptr i8, ptr %same, i64 8
  store i64 0, ptr %field
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = load i64, ptr %field
  %new = add i64 %old, 2
  store i64 %new, ptr %field
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %sum = load i64, ptr %field
  ret i64 %sum
}

; A list of n objects, each with its number; then the sum over it, one root for the list and one that goes through it.
define i64 @program(i64 %n) "smd-safepoints"="entry,backedge,return,precall,postcall" gc "shadow-stack" {
entry:
  %list = alloca ptr
  %at = alloca ptr
  call void @llvm.gcroot(ptr %list, ptr null)
  call void @llvm.gcroot(ptr %at, ptr null)
  store ptr null, ptr %list
  store ptr null, ptr %at
  br label %build

build:
  %i = phi i64 [ 1, %entry ], [ %next, %build ]
  %box = call ptr @allocate(i64 24, i64 1)
  store ptr %box, ptr %at
  %head = load ptr, ptr %list
  store ptr %head, ptr %box
  %number = getelementptr i8, ptr %box, i64 16
  store i64 %i, ptr %number
  store ptr %box, ptr %list
  %next = add i64 %i, 1
  %built = icmp ugt i64 %next, %n
  br i1 %built, label %walk, label %build

walk:
  %s = phi i64 [ 0, %build ], [ %t, %walk ]
  %here = load ptr, ptr %at
  %counted = call i64 @count(ptr %here, i64 1)
  %again = load ptr, ptr %at
  %of = getelementptr i8, ptr %again, i64 16
  %value = load i64, ptr %of
  %both = add i64 %value, %counted
  %t = add i64 %s, %both
  %follower = load ptr, ptr %again
  store ptr %follower, ptr %at
  %end = icmp eq ptr %follower, null
  br i1 %end, label %last, label %walk

last:
  %first = load ptr, ptr %list
  %c = call i64 @count(ptr %first, i64 %n)
  %u = add i64 %t, %c
  %v = add i64 %u, 345
  ret i64 %v
}
