; A reference that is chosen from constants alone (null, immediate numbers) never moves, wherever it is joined with more
; of them; one that may be an object is relocated all the same.
; RUN: opt={0,1,2,3} safepoints=none
; SAFEPOINTS @object: 3
; RUN: opt=2 safepoints=none
; IR @object: gc.relocate
define ptr addrspace(1) @"f1#1.0"(i1 %t25, i1 %t55) gc "statepoint-example" personality ptr null {
entry:
  %l6 = alloca ptr addrspace(1), i32 0, align 8
  store ptr addrspace(1) inttoptr (i64 50 to ptr addrspace(1)), ptr %l6, align 8
  br i1 %t55, label %L40, label %B56

B56:                                              ; preds = %entry
  %t59 = invoke ptr addrspace(1) @rt_prim(ptr null, i64 0, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null)
          to label %L94 unwind label %P3

L40:                                              ; preds = %entry
  store ptr addrspace(1) null, ptr %l6, align 8
  br label %L94

L94:                                              ; preds = %L40, %B56
  %t493 = invoke ptr addrspace(1) @rt_arith(ptr null, i64 0, ptr addrspace(1) null, ptr addrspace(1) null)
          to label %B494 unwind label %P3

common.ret:                                       ; preds = %P3, %B555, %B494
  ret ptr addrspace(1) null

B494:                                             ; preds = %L94
  %t520 = load ptr addrspace(1), ptr %l6, align 8
  %t536 = call ptr addrspace(1) @rt_deoptv(ptr null) [ "deopt"(i64 0, i64 0, i64 0, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) %t520, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null) ]
  br label %common.ret

B555:                                             ; preds = %P3
  %t570 = load ptr addrspace(1), ptr %l6, align 8
  %t587 = call ptr addrspace(1) @rt_deoptv(ptr null) [ "deopt"(i64 0, i64 0, i64 0, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) %t570, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null) ]
  br label %common.ret

P3:                                               ; preds = %L94, %B56
  %p3 = landingpad { ptr, i32 }
          catch ptr null
  %t540 = call ptr addrspace(1) @rt_prim()
  br i1 %t25, label %common.ret, label %B555
}

declare ptr addrspace(1) @rt_arith()

declare ptr addrspace(1) @rt_prim()

declare ptr addrspace(1) @rt_deoptv(ptr)

declare void @work()
define ptr addrspace(1) @object(i1 %c, i1 %d, ptr addrspace(1) %o) gc "statepoint-example" {
  %p = select i1 %c, ptr addrspace(1) inttoptr (i64 50 to ptr addrspace(1)), ptr addrspace(1) null
  call void @work()
  br i1 %d, label %a, label %b
a:
  call void @work()
  br label %b
b:
  %q = phi ptr addrspace(1) [ %p, %0 ], [ %o, %a ]
  call void @work()
  ret ptr addrspace(1) %q
}
