; A table of old objects that new ones are written into, over and over, in all the ways that a store can have: what a
; collector that depends on barriers would lose without them.
; run: 60 = 202099
declare noalias ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; A node: next, other, value.
define ptr addrspace(1) @node(ptr addrspace(1) %next, ptr addrspace(1) %other, i64 %value) gc "statepoint-example" {
  %node = call ptr addrspace(1) @allocate(i64 24, i64 2)
  store ptr addrspace(1) %next, ptr addrspace(1) %node
  %second = getelementptr i8, ptr addrspace(1) %node, i64 8
  store ptr addrspace(1) %other, ptr addrspace(1) %second
  %third = getelementptr i8, ptr addrspace(1) %node, i64 16
  store i64 %value, ptr addrspace(1) %third
  ret ptr addrspace(1) %node
}

; Writes through a pointer into the table, which its callers have stepped.
define void @put(ptr addrspace(1) %slot, ptr addrspace(1) %what) gc "statepoint-example" {
  store ptr addrspace(1) %what, ptr addrspace(1) %slot
  ret void
}

; Moves every entry up by one, and the last to the front: derived pointers, stores in a loop with polls.
define void @rotate(ptr addrspace(1) %table) gc "statepoint-example" {
entry:
  %last.slot = getelementptr i8, ptr addrspace(1) %table, i64 120
  %last = load ptr addrspace(1), ptr addrspace(1) %last.slot
  br label %loop

loop:
  %to = phi ptr addrspace(1) [ %last.slot, %entry ], [ %from, %more ]
  %done = icmp eq ptr addrspace(1) %to, %table
  br i1 %done, label %out, label %more

more:
  %from = getelementptr i8, ptr addrspace(1) %to, i64 -8
  %v = load ptr addrspace(1), ptr addrspace(1) %from
  store ptr addrspace(1) %v, ptr addrspace(1) %to
  br label %loop

out:
  store ptr addrspace(1) %last, ptr addrspace(1) %table
  ret void
}

; Two neighbours at once, as a vector and as a struct; the third as an exchange, the fourth null and back.
define void @shuffle(ptr addrspace(1) %table, i64 %n) gc "statepoint-example" {
entry:
  %a = getelementptr ptr addrspace(1), ptr addrspace(1) %table, i64 2
  %two = load <2 x ptr addrspace(1)>, ptr addrspace(1) %a
  %swapped = shufflevector <2 x ptr addrspace(1)> %two, <2 x ptr addrspace(1)> poison, <2 x i32> <i32 1, i32 0>
  store <2 x ptr addrspace(1)> %swapped, ptr addrspace(1) %a
  %b = getelementptr ptr addrspace(1), ptr addrspace(1) %table, i64 4
  %pair = load { ptr addrspace(1), ptr addrspace(1) }, ptr addrspace(1) %b
  %first = extractvalue { ptr addrspace(1), ptr addrspace(1) } %pair, 0
  %second = extractvalue { ptr addrspace(1), ptr addrspace(1) } %pair, 1
  %half = insertvalue { ptr addrspace(1), ptr addrspace(1) } poison, ptr addrspace(1) %second, 0
  %turned = insertvalue { ptr addrspace(1), ptr addrspace(1) } %half, ptr addrspace(1) %first, 1
  store { ptr addrspace(1), ptr addrspace(1) } %turned, ptr addrspace(1) %b
  %c = getelementptr ptr addrspace(1), ptr addrspace(1) %table, i64 6
  %kept = load volatile ptr addrspace(1), ptr addrspace(1) %c
  store volatile ptr addrspace(1) null, ptr addrspace(1) %c
  %new = call ptr addrspace(1) @node(ptr addrspace(1) %kept, ptr addrspace(1) null, i64 %n)
  store atomic ptr addrspace(1) %new, ptr addrspace(1) %c release, align 8
  %odd = and i64 %n, 1
  %is.odd = icmp eq i64 %odd, 0
  br i1 %is.odd, label %even, label %out

even:
  store atomic ptr addrspace(1) %kept, ptr addrspace(1) %c release, align 8
  br label %out

out:
  ret void
}

; The sum of all values, each with its place: next and other of four nodes deep.
define i64 @weigh(ptr addrspace(1) %node, i64 %depth) gc "statepoint-example" {
entry:
  %none = icmp eq ptr addrspace(1) %node, null
  %deep = icmp eq i64 %depth, 0
  %stop = or i1 %none, %deep
  br i1 %stop, label %nothing, label %some

nothing:
  ret i64 0

some:
  %less = sub i64 %depth, 1
  %next = load ptr addrspace(1), ptr addrspace(1) %node
  %x = call i64 @weigh(ptr addrspace(1) %next, i64 %less)
  %second = getelementptr i8, ptr addrspace(1) %node, i64 8
  %other = load ptr addrspace(1), ptr addrspace(1) %second
  %y = call i64 @weigh(ptr addrspace(1) %other, i64 %less)
  %third = getelementptr i8, ptr addrspace(1) %node, i64 16
  %value = load i64, ptr addrspace(1) %third
  %three = mul i64 %x, 3
  %five = mul i64 %y, 5
  %sum = add i64 %three, %five
  %all = add i64 %sum, %value
  %small = urem i64 %all, 1000003
  ret i64 %small
}

define i64 @weigh.table(ptr addrspace(1) %table) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %mod, %loop ]
  %slot = getelementptr ptr addrspace(1), ptr addrspace(1) %table, i64 %i
  %node = load ptr addrspace(1), ptr addrspace(1) %slot
  %w = call i64 @weigh(ptr addrspace(1) %node, i64 4)
  %twice = mul i64 %sum, 7
  %new = add i64 %twice, %w
  %mod = urem i64 %new, 1000003
  %more = add i64 %i, 1
  %done = icmp eq i64 %more, 16
  br i1 %done, label %out, label %loop

out:
  ret i64 %mod
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %table = call ptr addrspace(1) @allocate(i64 128, i64 16)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %seed = phi i64 [ 12345, %entry ], [ %seed.next, %loop ]
  %times = mul i64 %seed, 6364136223846793005
  %seed.next = add i64 %times, 1442695040888963407
  %high = lshr i64 %seed.next, 33
  %to = and i64 %high, 15
  %high2 = lshr i64 %seed.next, 40
  %from = and i64 %high2, 15
  %from.slot = getelementptr ptr addrspace(1), ptr addrspace(1) %table, i64 %from
  %next = load ptr addrspace(1), ptr addrspace(1) %from.slot
  %to.slot = getelementptr ptr addrspace(1), ptr addrspace(1) %table, i64 %to
  %other = load ptr addrspace(1), ptr addrspace(1) %to.slot
  %node = call ptr addrspace(1) @node(ptr addrspace(1) %next, ptr addrspace(1) %other, i64 %i)
  call void @put(ptr addrspace(1) %to.slot, ptr addrspace(1) %node)
  %field = getelementptr i8, ptr addrspace(1) %node, i64 8
  %again = call ptr addrspace(1) @node(ptr addrspace(1) %next, ptr addrspace(1) null, i64 %high2)
  store ptr addrspace(1) %again, ptr addrspace(1) %field
  call void @rotate(ptr addrspace(1) %table)
  call void @shuffle(ptr addrspace(1) %table, i64 %i)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %out, label %loop

out:
  %sum = call i64 @weigh.table(ptr addrspace(1) %table)
  ret i64 %sum
}
