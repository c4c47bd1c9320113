; What is told apart by its place in a table.
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=2: "type":{"symbol":"table","addend":44}
; STACKMAP=2: "type":{"symbol":"table","addend":16}
@table = constant [4 x { i64, [2 x i32] }] zeroinitializer
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p, ptr getelementptr ([4 x { i64, [2 x i32] }], ptr @table, i64 0, i64 2, i32 1, i64 1)) ]
  call void @g() [ "gc-type"(ptr addrspace(1) %q, ptr getelementptr (i64, ptr @table, i64 2)) ]
  %v = load i64, ptr addrspace(1) %p
  %w = load i64, ptr addrspace(1) %q
  %s = add i64 %v, %w
  ret i64 %s
}
