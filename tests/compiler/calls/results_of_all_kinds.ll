; Struct results of invokes in phis, musttail calls that give structs, variadic functions that give results, arguments
; that are returned, vectors of four references as results, all across collections.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 40 = 2164
; RUN: opt={0,2} target=x86_64-linux-gnu cpu={x86-64-v3,x86-64-v4} safepoints=none
; SAFEPOINTS @same: 1
; RUN: opt=2 safepoints=none
; RESULT: --leave-out 0 40 != 2164
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i32 @handle_all(...)
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}
define internal ptr addrspace(1) @box(i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
define internal { ptr addrspace(1), i64 } @pair(i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @box(i64 %n)
  %a = insertvalue { ptr addrspace(1), i64 } poison, ptr addrspace(1) %o, 0
  %b = insertvalue { ptr addrspace(1), i64 } %a, i64 %n, 1
  call void @collect()
  ret { ptr addrspace(1), i64 } %b
}
define internal i64 @joined(ptr addrspace(1) %o, i64 %n, i1 %c) noinline gc "statepoint-example" personality ptr @handle_all {
e:
  %k = insertvalue { ptr addrspace(1), i64 } zeroinitializer, ptr addrspace(1) %o, 0
  br i1 %c, label %m, label %a
a:
  %r = invoke { ptr addrspace(1), i64 } @pair(i64 %n) to label %m unwind label %pad
m:
  %v = phi { ptr addrspace(1), i64 } [ %k, %e ], [ %r, %a ]
  call void @collect()
  %p = extractvalue { ptr addrspace(1), i64 } %v, 0
  %x = load i64, ptr addrspace(1) %p
  %q = extractvalue { ptr addrspace(1), i64 } %v, 1
  %s = add i64 %x, %q
  ret i64 %s
pad:
  %lp = landingpad { ptr, i32 } cleanup
  ret i64 -1
}
; the only edge that leads there, and a loop
define internal i64 @alone(i64 %n) noinline gc "statepoint-example" personality ptr @handle_all {
e:
  %r = invoke { ptr addrspace(1), i64 } @pair(i64 %n) to label %m unwind label %pad
m:
  %v = phi { ptr addrspace(1), i64 } [ %r, %e ]
  call void @collect()
  %w = insertvalue { ptr addrspace(1), i64 } %v, i64 5, 1
  br label %l
l:
  %i = phi i64 [ 0, %m ], [ %j, %l2 ]
  %u = phi { ptr addrspace(1), i64 } [ %w, %m ], [ %t, %l2 ]
  %t = invoke { ptr addrspace(1), i64 } @pair(i64 %i) to label %l2 unwind label %pad
l2:
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, 3
  br i1 %c, label %l, label %x
x:
  call void @collect()
  %p = extractvalue { ptr addrspace(1), i64 } %u, 0
  %p2 = extractvalue { ptr addrspace(1), i64 } %t, 0
  %p3 = extractvalue { ptr addrspace(1), i64 } %v, 0
  %a = load i64, ptr addrspace(1) %p
  %b = load i64, ptr addrspace(1) %p2
  %d = load i64, ptr addrspace(1) %p3
  %s = add i64 %a, %b
  %s2 = add i64 %s, %d
  ret i64 %s2
pad:
  %lp = landingpad { ptr, i32 } cleanup
  ret i64 -1
}
define internal { ptr addrspace(1), i64 } @tail(ptr addrspace(1) %a, { ptr addrspace(1), i64 } %b, i64 %n) noinline gc "statepoint-example" {
e:
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %a, ptr %slot
  call void @note(ptr %slot)
  %x = extractvalue { ptr addrspace(1), i64 } %b, 0
  call void @llvm.gc.value.p1(ptr addrspace(1) %x, ptr null)
  call void @collect()
  %v = load ptr addrspace(1), ptr %slot
  %y = load i64, ptr addrspace(1) %x
  %y1 = add i64 %y, 1
  store i64 %y1, ptr addrspace(1) %x
  %z = icmp eq i64 %n, 0
  br i1 %z, label %done, label %more
done:
  ret { ptr addrspace(1), i64 } %b
more:
  %m = sub i64 %n, 1
  %mt = musttail call { ptr addrspace(1), i64 } @tail(ptr addrspace(1) %v, { ptr addrspace(1), i64 } %b, i64 %m)
  ret { ptr addrspace(1), i64 } %mt
}
define internal void @note(ptr %slot) noinline gc "statepoint-example" {
  call void @collect()
  ret void
}
; a variadic function of the module's own: C's way to read its arguments is not needed here
define internal ptr addrspace(1) @var(ptr addrspace(1) %o, i64 %n, ...) noinline gc "statepoint-example" {
  call void @collect()
  %x = load i64, ptr addrspace(1) %o
  %s = add i64 %x, %n
  %r = call ptr addrspace(1) @box(i64 %s)
  ret ptr addrspace(1) %r
}
define internal ptr addrspace(1) @same(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  call void @collect()
  ret ptr addrspace(1) %o
}
define internal fastcc <4 x ptr addrspace(1)> @four(ptr addrspace(1) %a) noinline gc "statepoint-example" {
  call void @collect()
  %v = insertelement <4 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %a, i32 1
  %w = insertelement <4 x ptr addrspace(1)> %v, ptr addrspace(1) %a, i32 3
  ret <4 x ptr addrspace(1)> %w
}
define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_all {
entry:
  %o = call ptr addrspace(1) @box(i64 1000)
  %kept = call ptr addrspace(1) @box(i64 7)
  %j1 = call i64 @joined(ptr addrspace(1) %o, i64 %n, i1 true)   ; 1000
  %j2 = call i64 @joined(ptr addrspace(1) %o, i64 %n, i1 false)  ; 80
  %al = call i64 @alone(i64 %n)                                   ; 1 + 2 + 40
  %b0 = insertvalue { ptr addrspace(1), i64 } zeroinitializer, ptr addrspace(1) %o, 0
  %mt = call { ptr addrspace(1), i64 } @tail(ptr addrspace(1) %kept, { ptr addrspace(1), i64 } %b0, i64 5)
  %mp = extractvalue { ptr addrspace(1), i64 } %mt, 0
  %six = load i64, ptr addrspace(1) %mp                           ; 1006
  %va = call ptr addrspace(1) (ptr addrspace(1), i64, ...) @var(ptr addrspace(1) %kept, i64 3, i64 4, ptr addrspace(1) %o, i64 5)
  call void @collect()
  %ten = load i64, ptr addrspace(1) %va                           ; 10
  %vb = invoke ptr addrspace(1) (ptr addrspace(1), i64, ...) @var(ptr addrspace(1) %kept, i64 4, ptr addrspace(1) %o, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10)
    to label %go unwind label %pad
go:
  %re = call ptr addrspace(1) @same(ptr addrspace(1) returned %vb)
  call void @collect()
  %eleven = load i64, ptr addrspace(1) %re                        ; 11
  %f = call fastcc <4 x ptr addrspace(1)> @four(ptr addrspace(1) %kept)
  call void @collect()
  %f1 = extractelement <4 x ptr addrspace(1)> %f, i32 1
  %f3 = extractelement <4 x ptr addrspace(1)> %f, i32 3
  %se = load i64, ptr addrspace(1) %f1
  %sf = load i64, ptr addrspace(1) %f3                            ; 7 + 7
  %s0 = add i64 %j1, %j2
  %s1 = add i64 %s0, %al
  %s2 = add i64 %s1, %six
  %s3 = add i64 %s2, %ten
  %s4 = add i64 %s3, %eleven
  %s5 = add i64 %s4, %se
  %s6 = add i64 %s5, %sf
  ret i64 %s6
pad:
  %lp = landingpad { ptr, i32 } cleanup
  ret i64 -1
}
