; A search tree, built by insertion and summed by recursion: several roots in each of many frames.
; run: 60 = 101071
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; A node is left, right, key.
define ptr addrspace(1) @insert(ptr addrspace(1) %tree, i64 %key) gc "statepoint-example" {
entry:
  %empty = icmp eq ptr addrspace(1) %tree, null
  br i1 %empty, label %new, label %old

new:
  %node = call ptr addrspace(1) @allocate(i64 24, i64 2)
  %node.key = getelementptr i8, ptr addrspace(1) %node, i64 16
  store i64 %key, ptr addrspace(1) %node.key
  ret ptr addrspace(1) %node

old:
  %key.at = getelementptr i8, ptr addrspace(1) %tree, i64 16
  %here = load i64, ptr addrspace(1) %key.at
  %less = icmp slt i64 %key, %here
  %offset = select i1 %less, i64 0, i64 8
  %side = getelementptr i8, ptr addrspace(1) %tree, i64 %offset
  %child = load ptr addrspace(1), ptr addrspace(1) %side
  %changed = call ptr addrspace(1) @insert(ptr addrspace(1) %child, i64 %key)
  store ptr addrspace(1) %changed, ptr addrspace(1) %side
  ret ptr addrspace(1) %tree
}

; The sum of key * depth.
define i64 @weigh(ptr addrspace(1) %tree, i64 %depth) gc "statepoint-example" {
entry:
  %empty = icmp eq ptr addrspace(1) %tree, null
  br i1 %empty, label %none, label %some

none:
  ret i64 0

some:
  %deeper = add i64 %depth, 1
  %left = load ptr addrspace(1), ptr addrspace(1) %tree
  %left.sum = call i64 @weigh(ptr addrspace(1) %left, i64 %deeper)
  %right.at = getelementptr i8, ptr addrspace(1) %tree, i64 8
  %right = load ptr addrspace(1), ptr addrspace(1) %right.at
  %right.sum = call i64 @weigh(ptr addrspace(1) %right, i64 %deeper)
  %key.at = getelementptr i8, ptr addrspace(1) %tree, i64 16
  %key = load i64, ptr addrspace(1) %key.at
  %own = mul i64 %key, %depth
  %sums = add i64 %left.sum, %right.sum
  %sum = add i64 %sums, %own
  ret i64 %sum
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %more.i, %more ]
  %tree = phi ptr addrspace(1) [ null, %entry ], [ %more.tree, %more ]
  %random = phi i64 [ 12345, %entry ], [ %more.random, %more ]
  %end = icmp eq i64 %i, %n
  br i1 %end, label %done, label %more

more:
  %scaled = mul i64 %random, 1103515245
  %shifted = add i64 %scaled, 12345
  %more.random = and i64 %shifted, 2147483647
  %high = lshr i64 %more.random, 16
  %key = urem i64 %high, 500
  %more.tree = call ptr addrspace(1) @insert(ptr addrspace(1) %tree, i64 %key)
  %more.i = add i64 %i, 1
  br label %loop

done:
  %sum = call i64 @weigh(ptr addrspace(1) %tree, i64 1)
  ret i64 %sum
}
