; Closures { environment, code }: the code is taken out of structs, arrays, vectors, results and choices, and called.
; run: 20 = 7480
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i32 @handle_all(...)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i64 @llvm.experimental.gc.result.i64(token)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

%closure = type { ptr addrspace(1), ptr }
%nested = type { i64, [2 x %closure] }
@codes = global [2 x ptr] [ptr @add, ptr @double]

define i64 @add(ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  call void @collect()
  %v = load i64, ptr addrspace(1) %env
  %s = add i64 %v, %n
  ret i64 %s
}

define i64 @double(ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  call void @collect()
  %v = load i64, ptr addrspace(1) %env
  %d = mul i64 %n, 2
  %s = add i64 %v, %d
  ret i64 %s
}

define ptr addrspace(1) @box(i64 %n) gc "statepoint-example" {
  %b = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %b
  ret ptr addrspace(1) %b
}

define %closure @make(i64 %n) noinline gc "statepoint-example" {
  %env = call ptr addrspace(1) @box(i64 %n)
  %odd = and i64 %n, 1
  %at = getelementptr [2 x ptr], ptr @codes, i64 0, i64 %odd
  %code = load ptr, ptr %at
  %c = insertvalue %closure poison, ptr addrspace(1) %env, 0
  %d = insertvalue %closure %c, ptr %code, 1
  ret %closure %d
}

; An argument.
define i64 @apply(%closure %c, i64 %n) noinline gc "statepoint-example" {
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

; A result.
define i64 @made(i64 %n) noinline gc "statepoint-example" {
  %c = call %closure @make(i64 %n)
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

; One of two.
define i64 @choose(%closure %a, %closure %b, i1 %first, i64 %n) noinline gc "statepoint-example" {
  %c = select i1 %first, %closure %a, %closure %b
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

define i64 @chosen.code(%closure %a, %closure %b, i1 %first, i64 %n) noinline gc "statepoint-example" {
  %env = extractvalue %closure %a, 0
  %one = extractvalue %closure %a, 1
  %other = extractvalue %closure %b, 1
  %code = select i1 %first, ptr %one, ptr %other
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

; A phi.
define i64 @join(%closure %a, %closure %b, i1 %first, i64 %n) noinline gc "statepoint-example" {
entry:
  br i1 %first, label %other, label %both

other:
  call void @collect()
  br label %both

both:
  %c = phi %closure [ %b, %entry ], [ %a, %other ]
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

; An invoke.
define i64 @attempt(%closure %c, i64 %n) noinline gc "statepoint-example" personality ptr @handle_all {
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = invoke i64 %code(ptr addrspace(1) %env, i64 %n) to label %normal unwind label %handler

normal:
  ret i64 %r

handler:
  %pad = landingpad token
          cleanup
  ret i64 -1
}

; A tail call, and one that has to be.
define i64 @tail(%closure %c, i64 %n) noinline gc "statepoint-example" {
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = tail call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

define i64 @has.to(ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  %c = call %closure @make(i64 %n)
  %new = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = musttail call i64 %code(ptr addrspace(1) %new, i64 %n)
  ret i64 %r
}

; A call that says what its frame has.
define i64 @state(%closure %c, i64 %n) noinline gc "statepoint-example" {
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n) [ "deopt"(i64 %n, i32 7) ]
  ret i64 %r
}

; A statepoint of the module's own. Nothing is alive behind it.
define i64 @explicit(%closure %c, i64 %n) noinline gc "statepoint-example" {
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 5, i32 0, ptr elementtype(i64 (ptr addrspace(1), i64)) %code, i32 2, i32 0, ptr addrspace(1) %env, i64 %n, i32 0, i32 0)
  %r = call i64 @llvm.experimental.gc.result.i64(token %t)
  ret i64 %r
}

; Deep in structs and arrays, by way of memory that is read as a whole.
define i64 @deep(%closure %c, i64 %n) noinline gc "statepoint-example" {
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %p = insertvalue %nested poison, i64 %n, 0
  %q = insertvalue %nested %p, %closure %c, 1, 0
  %s = insertvalue %nested %q, ptr addrspace(1) %env, 1, 1, 0
  %t = insertvalue %nested %s, ptr %code, 1, 1, 1
  %r = call i64 @of.nested(%nested %t)
  ret i64 %r
}

define i64 @of.nested(%nested %t) noinline gc "statepoint-example" {
  %n = extractvalue %nested %t, 0
  %c = extractvalue %nested %t, 1, 1
  %env = extractvalue %closure %c, 0
  %code = extractvalue %closure %c, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

; Arrays and vectors of code, whole and element by element.
define i64 @array([2 x ptr] %codes, ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  %code = extractvalue [2 x ptr] %codes, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

define i64 @lane(<2 x ptr> %codes, i32 %k, ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  %code = extractelement <2 x ptr> %codes, i32 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

define i64 @any.lane({ i64, <2 x ptr> } %s, i32 %k, ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  %codes = extractvalue { i64, <2 x ptr> } %s, 1
  %code = extractelement <2 x ptr> %codes, i32 %k
  %r = call i64 %code(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

; An integer, stepped from and cast.
define i64 @word({ i64, i64 } %c, ptr addrspace(1) %env, i64 %n) noinline gc "statepoint-example" {
  %bits = extractvalue { i64, i64 } %c, 1
  %code = inttoptr i64 %bits to ptr
  %same = getelementptr i8, ptr %code, i64 0
  %r = call i64 %same(ptr addrspace(1) %env, i64 %n)
  ret i64 %r
}

; In a loop, from the second field of what was there in the round before.
define i64 @rounds(%closure %c, i64 %n) noinline gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %at = phi %closure [ %c, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %s, %loop ]
  %env = extractvalue %closure %at, 0
  %code = extractvalue %closure %at, 1
  %r = call i64 %code(ptr addrspace(1) %env, i64 %i)
  %s = add i64 %sum, %r
  %next = call %closure @make(i64 %i)
  %more = add i64 %i, 1
  %done = icmp eq i64 %more, 3
  br i1 %done, label %out, label %loop

out:
  ret i64 %s
}

define i64 @each(i64 %n) noinline gc "statepoint-example" {
  %odd = trunc i64 %n to i1
  %a = call %closure @make(i64 %n)
  %a.env = extractvalue %closure %a, 0
  %next = add i64 %n, 1
  %b = call %closure @make(i64 %next)
  %codes = load [2 x ptr], ptr @codes
  %lanes = load <2 x ptr>, ptr @codes
  %k = trunc i64 %n to i32
  %lane = and i32 %k, 1
  %in = insertvalue { i64, <2 x ptr> } { i64 3, <2 x ptr> poison }, <2 x ptr> %lanes, 1
  %bits = ptrtoint ptr @double to i64
  %words = insertvalue { i64, i64 } { i64 8, i64 poison }, i64 %bits, 1
  %1 = call i64 @apply(%closure %a, i64 1)
  %2 = call i64 @made(i64 %n)
  %3 = call i64 @choose(%closure %a, %closure %b, i1 %odd, i64 2)
  %4 = call i64 @chosen.code(%closure %a, %closure %b, i1 %odd, i64 3)
  %5 = call i64 @join(%closure %a, %closure %b, i1 %odd, i64 4)
  %6 = call i64 @attempt(%closure %b, i64 5)
  %7 = call i64 @tail(%closure %b, i64 6)
  %8 = call i64 @has.to(ptr addrspace(1) %a.env, i64 7)
  %9 = call i64 @state(%closure %a, i64 8)
  %10 = call i64 @explicit(%closure %b, i64 9)
  %11 = call i64 @deep(%closure %a, i64 10)
  %12 = call i64 @array([2 x ptr] %codes, ptr addrspace(1) %a.env, i64 11)
  %13 = call i64 @lane(<2 x ptr> %lanes, i32 %lane, ptr addrspace(1) %a.env, i64 12)
  %14 = call i64 @any.lane({ i64, <2 x ptr> } %in, i32 %lane, ptr addrspace(1) %a.env, i64 13)
  %15 = call i64 @word({ i64, i64 } %words, ptr addrspace(1) %a.env, i64 14)
  %16 = call i64 @rounds(%closure %a, i64 15)
  %s2 = add i64 %1, %2
  %s3 = add i64 %s2, %3
  %s4 = add i64 %s3, %4
  %s5 = add i64 %s4, %5
  %s6 = add i64 %s5, %6
  %s7 = add i64 %s6, %7
  %s8 = add i64 %s7, %8
  %s9 = add i64 %s8, %9
  %s10 = add i64 %s9, %10
  %s11 = add i64 %s10, %11
  %s12 = add i64 %s11, %12
  %s13 = add i64 %s12, %13
  %s14 = add i64 %s13, %14
  %s15 = add i64 %s14, %15
  %s16 = add i64 %s15, %16
  ret i64 %s16
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %r = call i64 @each(i64 %i)
  %more = add i64 %sum, %r
  %next = add i64 %i, 1
  %done = icmp ugt i64 %next, %n
  br i1 %done, label %out, label %loop

out:
  ret i64 %more
}
