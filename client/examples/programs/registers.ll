; Many objects alive across every call: with gc_registers they stay in callee-saved registers, which the frames below
; save and restore.
; run: 30 = 19530
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define ptr addrspace(1) @box(i64 %value) gc "statepoint-example" {
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %value, ptr addrspace(1) %box
  ret ptr addrspace(1) %box
}

; Uses the registers itself, so that its caller's values are on its frame.
define i64 @spill(i64 %value) noinline gc "statepoint-example" {
  %a = call ptr addrspace(1) @box(i64 %value)
  %b = call ptr addrspace(1) @box(i64 %value)
  %c = call ptr addrspace(1) @box(i64 %value)
  %d = call ptr addrspace(1) @box(i64 %value)
  %va = load i64, ptr addrspace(1) %a
  %vb = load i64, ptr addrspace(1) %b
  %vc = load i64, ptr addrspace(1) %c
  %vd = load i64, ptr addrspace(1) %d
  %ab = add i64 %va, %vb
  %cd = add i64 %vc, %vd
  %sum = add i64 %ab, %cd
  ret i64 %sum
}

define i64 @round(i64 %i) noinline gc "statepoint-example" {
  %a = call ptr addrspace(1) @box(i64 %i)
  %b = call ptr addrspace(1) @box(i64 %i)
  %c = call ptr addrspace(1) @box(i64 %i)
  %d = call ptr addrspace(1) @box(i64 %i)
  %e = call ptr addrspace(1) @box(i64 %i)
  %first = call i64 @spill(i64 %i)
  %second = call i64 @spill(i64 %first)
  %va = load i64, ptr addrspace(1) %a
  %vb = load i64, ptr addrspace(1) %b
  %vc = load i64, ptr addrspace(1) %c
  %vd = load i64, ptr addrspace(1) %d
  %ve = load i64, ptr addrspace(1) %e
  %ab = add i64 %va, %vb
  %abc = add i64 %ab, %vc
  %abcd = add i64 %abc, %vd
  %abcde = add i64 %abcd, %ve
  %most = add i64 %abcde, %second
  ret i64 %most
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  %i.next = add i64 %i, 1
  %one = call i64 @round(i64 %i.next)
  %twice = mul i64 %one, 2
  %sum.next = add i64 %sum, %twice
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret i64 %sum.next
}
