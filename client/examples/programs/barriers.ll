; The frontend's own barriers: what the module's functions do is all that tells a generational collector.
; run: 40 = 879963
@card_table = external global ptr
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define internal void @gc.write_barrier(ptr addrspace(1) %value, ptr addrspace(1) %object, ptr addrspace(1) %slot) {
  store ptr addrspace(1) %value, ptr addrspace(1) %slot
  %address = ptrtoint ptr addrspace(1) %object to i64
  %index = lshr i64 %address, 9
  %cards = load ptr, ptr @card_table
  %card = getelementptr i8, ptr %cards, i64 %index
  store i8 1, ptr %card
  ret void
}

define internal ptr addrspace(1) @gc.read_barrier(ptr addrspace(1) %object, ptr addrspace(1) %slot) {
  %value = load ptr addrspace(1), ptr addrspace(1) %slot
  ret ptr addrspace(1) %value
}

; A new box is put in front of the list that an old object holds, again and again.
define void @push(ptr addrspace(1) %holder, i64 %n) gc "statepoint-example" {
entry:
  %slot = getelementptr i8, ptr addrspace(1) %holder, i64 8
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %box = call ptr addrspace(1) @allocate(i64 16, i64 1)
  %old = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %holder, ptr addrspace(1) %slot)
  call void @llvm.gcwrite(ptr addrspace(1) %old, ptr addrspace(1) %box, ptr addrspace(1) %box)
  %value = getelementptr i8, ptr addrspace(1) %box, i64 8
  store i64 %i, ptr addrspace(1) %value
  call void @llvm.gcwrite(ptr addrspace(1) %box, ptr addrspace(1) %holder, ptr addrspace(1) %slot)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %out, label %loop

out:
  ret void
}

define i64 @sum(ptr addrspace(1) %holder) gc "statepoint-example" {
entry:
  %slot = getelementptr i8, ptr addrspace(1) %holder, i64 8
  %first = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %holder, ptr addrspace(1) %slot)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %first, %entry ], [ %next, %more ]
  %sum = phi i64 [ 0, %entry ], [ %new, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %out, label %more

more:
  %field = getelementptr i8, ptr addrspace(1) %at, i64 8
  %value = load i64, ptr addrspace(1) %field
  %three = mul i64 %sum, 3
  %all = add i64 %three, %value
  %new = urem i64 %all, 1000003
  %next = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %at, ptr addrspace(1) %at)
  br label %loop

out:
  ret i64 %sum
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %holder = call ptr addrspace(1) @allocate(i64 16, i64 2)
  call void @push(ptr addrspace(1) %holder, i64 %n)
  call void @push(ptr addrspace(1) %holder, i64 %n)
  %sum = call i64 @sum(ptr addrspace(1) %holder)
  ret i64 %sum
}
