; The address of a slot is exchanged in memory.
@gp = global ptr null
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
;--- ref store xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %s
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- ref load xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- ref both xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- ref late xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s seq_cst
  %a = load ptr, ptr %m
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- ref store cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s seq_cst seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %s
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- ref load cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s seq_cst seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- ref both cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s seq_cst seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- ref late cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca ptr addrspace(1), align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s seq_cst seq_cst
  %a = load ptr, ptr %m
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st store xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s1 seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %s1
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st load xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s1 seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %s1
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st both xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s1 seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st late xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  store ptr addrspace(1) %o, ptr %s1
  call void @collect()
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s1 seq_cst
  %a = load ptr, ptr %m
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st store cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s1 seq_cst seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %s1
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st load cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s1 seq_cst seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %s1
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st both cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s1 seq_cst seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- st late cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca { i64, ptr addrspace(1) }, align 8
  store volatile { i64, ptr addrspace(1) } zeroinitializer, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 8
  store ptr addrspace(1) %o, ptr %s1
  call void @collect()
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s1 seq_cst seq_cst
  %a = load ptr, ptr %m
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
