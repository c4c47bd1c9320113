; random: target=x86_64-unknown-linux-gnu opt=2 poll=call:collect safepoints=none
; different: the moving collector gave another result
; The optimiser took the card's number out of the loop, and the old object's card was marked; likewise the distance from the heap's start.

@cards = internal global [4096 x i8] zeroinitializer

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define internal i64 @marked(ptr addrspace(1) %object) noinline "gc-leaf-function" {
  %address = ptrtoint ptr addrspace(1) %object to i64
  %number = lshr i64 %address, 16
  %near = and i64 %number, 4095
  %card = getelementptr i8, ptr @cards, i64 %near
  %value = load volatile i8, ptr %card
  store volatile i8 0, ptr %card
  %wide = zext i8 %value to i64
  ret i64 %wide
}

define internal i64 @is_below(ptr addrspace(1) %object, i64 %limit) noinline "gc-leaf-function" {
  %address = ptrtoint ptr addrspace(1) %object to i64
  %below = icmp ult i64 %address, %limit
  %wide = zext i1 %below to i64
  ret i64 %wide
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %object = call ptr addrspace(1) @allocate(i64 16, i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %right = phi i64 [ 0, %entry ], [ %more, %loop ]
  store i64 %i, ptr addrspace(1) %object
  %address = ptrtoint ptr addrspace(1) %object to i64
  %number = lshr i64 %address, 16
  %near = and i64 %number, 4095
  %card = getelementptr i8, ptr @cards, i64 %near
  store i8 1, ptr %card
  %is = call i64 @marked(ptr addrspace(1) %object)
  %limit = add i64 %address, 1
  %below = call i64 @is_below(ptr addrspace(1) %object, i64 %limit)
  %both = and i64 %is, %below
  %more = add i64 %right, %both
  call void @collect()
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, 5
  br i1 %again, label %loop, label %done

done:
  ret i64 %right
}
