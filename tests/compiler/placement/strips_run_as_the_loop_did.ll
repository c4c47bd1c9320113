; A loop in strips runs as often as the loop, whichever way it counts, and sees where the polls have moved objects.
; RUN: opt={1,2,3} poll=call:collect counted_loop_turns={1,2,7,64} gc_registers={0,32}
; RUN: opt=2 poll=flag:stop:collect counted_loop_turns=3 gc_registers=32
; RESULT: 1 = 1000
; RESULT: 2 = 1001
; RESULT: 9 = 1156
; RESULT: 100 = 17950
; RESULT: 257 = 117096
; RESULT: --leave-out 0 257 != 117096
@stop = global i8 1
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define internal void @fill(ptr addrspace(1) %o, i64 %n) noinline gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %i
  store i64 %i, ptr addrspace(1) %p
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}

; Up by one, to what is not equal; LLVM makes vectors of it.
define internal i64 @up(ptr addrspace(1) %o, i64 %n) noinline gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %i
  %v = load i64, ptr addrspace(1) %p
  %t = add i64 %s, %v
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %done, label %loop
done:
  ret i64 %t
}

; Down by one, in 32 bits, with signs, and with another way out.
define internal i64 @down(ptr addrspace(1) %o, i64 %n) noinline gc "statepoint-example" {
entry:
  %m = trunc i64 %n to i32
  %last = sub i32 %m, 1
  br label %loop
loop:
  %i = phi i32 [ %last, %entry ], [ %j, %next ]
  %s = phi i64 [ 0, %entry ], [ %t, %next ]
  %k = sext i32 %i to i64
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %k
  %v = load volatile i64, ptr addrspace(1) %p
  %out = icmp eq i64 %v, -5
  br i1 %out, label %away, label %next
next:
  %t = add i64 %s, %v
  %j = add i32 %i, -1
  %c = icmp sgt i32 %j, -1
  br i1 %c, label %loop, label %done
done:
  ret i64 %t
away:
  ret i64 77
}

; Up by four to what it passes, with a volatile load that keeps it so; and a reference that changes each turn.
define internal i64 @four(ptr addrspace(1) %o, i64 %n) noinline gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %q = phi ptr addrspace(1) [ %o, %entry ], [ %r, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %v = load volatile i64, ptr addrspace(1) %q
  %r = getelementptr i64, ptr addrspace(1) %q, i64 4
  %t = add i64 %s, %v
  %j = add i64 %i, 4
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret i64 %t
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %words = mul i64 %n, 8
  %o = call ptr addrspace(1) @allocate(i64 %words, i64 0)
  call void @fill(ptr addrspace(1) %o, i64 %n)
  %a = call i64 @up(ptr addrspace(1) %o, i64 %n)
  %b = call i64 @down(ptr addrspace(1) %o, i64 %n)
  %c = call i64 @four(ptr addrspace(1) %o, i64 %n)
  %same = icmp eq i64 %a, %b
  %x = zext i1 %same to i64
  %k = mul i64 %x, 1000
  %y = mul i64 %c, 10
  %z = add i64 %k, %y
  %r = add i64 %z, %a
  ret i64 %r
}
