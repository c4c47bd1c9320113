; Reference counting by barriers and roots of the module's own: no collector, no table. Each object has a count of the references to it,
; in the heap and in frames; at 0 it is freed, with what only it refers to. Objects are { count, reference, number }.
;
;     smc run docs/examples/counting.ll; echo $?        ; 0: everything was freed, and nothing too early
;
; gc.write_barrier is given what the slot has before the store, as its fourth parameter. llvm.gcwrite goes into slots of frames (with no
; object) and of objects. gc.root_leave takes a slot's reference away where its function ends.
%object = type { i64, ptr, i64 }
@made = internal global i64 0
@freed = internal global i64 0

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.gcroot(ptr, ptr)
declare void @llvm.gcwrite(ptr, ptr, ptr)

define internal void @retain(ptr %p) noinline {
entry:
  %none = icmp eq ptr %p, null
  br i1 %none, label %out, label %some

some:
  %count = load i64, ptr %p
  %more = add i64 %count, 1
  store i64 %more, ptr %p
  br label %out

out:
  ret void
}

define internal void @release(ptr %p) noinline {
entry:
  %none = icmp eq ptr %p, null
  br i1 %none, label %out, label %some

some:
  %count = load i64, ptr %p
  %less = sub i64 %count, 1
  store i64 %less, ptr %p
  %dead = icmp eq i64 %less, 0
  br i1 %dead, label %end, label %out

end:
  %next.at = getelementptr %object, ptr %p, i64 0, i32 1
  %next = load ptr, ptr %next.at
  store i64 -1, ptr %p
  call void @free(ptr %p)
  %n = load i64, ptr @freed
  %n.more = add i64 %n, 1
  store i64 %n.more, ptr @freed
  call void @release(ptr %next)
  br label %out

out:
  ret void
}

; The new one first: it may be the old one.
define internal void @gc.write_barrier(ptr %value, ptr %object, ptr %slot, ptr %old) {
  call void @retain(ptr %value)
  store ptr %value, ptr %slot
  call void @release(ptr %old)
  ret void
}

define internal void @gc.root_leave(ptr %slot, ptr %metadata) {
  %last = load ptr, ptr %slot
  call void @release(ptr %last)
  ret void
}

; A new object, with a count of 1 for who gets it.
define internal ptr @make(i64 %number) noinline {
  %p = call ptr @malloc(i64 24)
  %next.at = getelementptr %object, ptr %p, i64 0, i32 1
  %number.at = getelementptr %object, ptr %p, i64 0, i32 2
  store i64 1, ptr %p
  store ptr null, ptr %next.at
  store i64 %number, ptr %number.at
  %n = load i64, ptr @made
  %n.more = add i64 %n, 1
  store i64 %n.more, ptr @made
  ret ptr %p
}

; N objects in a list, in a root: who calls gets a reference to the first.
define internal ptr @list(i64 %n) noinline gc "ocaml" {
entry:
  %first = alloca ptr
  call void @llvm.gcroot(ptr %first, ptr null)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %new = call ptr @make(i64 %i)
  %next.at = getelementptr %object, ptr %new, i64 0, i32 1
  %rest = load ptr, ptr %first
  call void @llvm.gcwrite(ptr %rest, ptr %new, ptr %next.at)
  call void @llvm.gcwrite(ptr %new, ptr null, ptr %first)
  call void @release(ptr %new)
  %more = add i64 %i, 1
  %end = icmp eq i64 %more, %n
  br i1 %end, label %done, label %loop

done:
  %result = load ptr, ptr %first
  call void @retain(ptr %result)
  ret ptr %result
}

; The sum of a list's numbers, on which a root goes along.
define internal i64 @sum(ptr %list) noinline gc "ocaml" {
entry:
  %at = alloca ptr
  call void @llvm.gcroot(ptr %at, ptr null)
  call void @llvm.gcwrite(ptr %list, ptr null, ptr %at)
  br label %loop

loop:
  %total = phi i64 [ 0, %entry ], [ %new, %more ]
  %here = load ptr, ptr %at
  %end = icmp eq ptr %here, null
  br i1 %end, label %done, label %more

more:
  %number.at = getelementptr %object, ptr %here, i64 0, i32 2
  %number = load i64, ptr %number.at
  %new = add i64 %total, %number
  %next.at = getelementptr %object, ptr %here, i64 0, i32 1
  %next = load ptr, ptr %next.at
  call void @llvm.gcwrite(ptr %next, ptr null, ptr %at)
  br label %loop

done:
  ret i64 %total
}

define internal i64 @work() noinline gc "ocaml" {
  %kept = alloca ptr
  call void @llvm.gcroot(ptr %kept, ptr null)
  %list = call ptr @list(i64 100)
  call void @llvm.gcwrite(ptr %list, ptr null, ptr %kept)
  call void @release(ptr %list)
  %before = call i64 @sum(ptr %list)
  %next.at = getelementptr %object, ptr %list, i64 0, i32 1
  %second = load ptr, ptr %next.at
  call void @llvm.gcwrite(ptr %second, ptr null, ptr %kept)
  %after = call i64 @sum(ptr %second)
  %half = load i64, ptr @freed
  %a = sub i64 %before, 4950
  %b = sub i64 %after, 4851
  %c = sub i64 %half, 1
  %ab = or i64 %a, %b
  %abc = or i64 %ab, %c
  ret i64 %abc
}

define i32 @main() {
  %wrong = call i64 @work()
  %made = load i64, ptr @made
  %freed = load i64, ptr @freed
  %left = sub i64 %made, %freed
  %all = or i64 %wrong, %left
  %is.wrong = icmp ne i64 %all, 0
  %status = zext i1 %is.wrong to i32
  ret i32 %status
}
