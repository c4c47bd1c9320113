; An immediate number (a fixnum) is a reference by its type alone: made of the address bits of others by shifts, by signed
; arithmetic with a check for overflow, by integers of 63 bits. The collector tells it by its low bits; it may be alive
; across safepoints as any reference, and nobody is warned.
; RUN: opt={0,1,2,3} safepoints=none
; SAFEPOINTS @shifts: 1
; SAFEPOINTS @narrow: 1
; SAFEPOINTS @sum: 1
; SAFEPOINTS @next: 1
; ROOTS @mul: 1
; ROOTS @inc: 1
; ROOTS @retag: 1
; WARNING-NOT: takes it for an object
declare void @work()
declare {i64,i1} @llvm.sadd.with.overflow.i64(i64,i64)
declare {i63,i1} @llvm.sadd.with.overflow.i63(i63,i63)
; fixnum + 1, tag 0
define ptr addrspace(1) @inc(ptr addrspace(1) %a) gc "statepoint-example" {
 %ai = ptrtoint ptr addrspace(1) %a to i64
 %so = call {i64,i1} @llvm.sadd.with.overflow.i64(i64 %ai, i64 2)
 %o = extractvalue {i64,i1} %so, 1
 br i1 %o, label %s, label %f
s:
  call void @work()
  ret ptr addrspace(1) %a
f:
 %v = extractvalue {i64,i1} %so, 0
 %r = inttoptr i64 %v to ptr addrspace(1)
 call void @work()
 ret ptr addrspace(1) %r
}
define ptr addrspace(1) @add1(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {
 %ai = ptrtoint ptr addrspace(1) %a to i64
 %bi = ptrtoint ptr addrspace(1) %b to i64
 %am = add i64 %ai, -1
 %so = call {i64,i1} @llvm.sadd.with.overflow.i64(i64 %am, i64 %bi)
 %o = extractvalue {i64,i1} %so, 1
 br i1 %o, label %s, label %f
s:
  call void @work()
  ret ptr addrspace(1) %a
f:
 %v = extractvalue {i64,i1} %so, 0
 %r = inttoptr i64 %v to ptr addrspace(1)
 call void @work()
 ret ptr addrspace(1) %r
}
define ptr addrspace(1) @mul(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {
 %ai = ptrtoint ptr addrspace(1) %a to i64
 %bi = ptrtoint ptr addrspace(1) %b to i64
 %x = ashr i64 %ai, 1
 %y = add i64 %bi, -1
 %m = mul i64 %x, %y
 %v = add i64 %m, 1
 %z = and i64 %v, -2
 %q = or i64 %z, 1
 %r = inttoptr i64 %q to ptr addrspace(1)
 call void @work()
 ret ptr addrspace(1) %r
}
define ptr addrspace(1) @count(ptr addrspace(1) %a) gc "statepoint-example" {
e:
 %ai = ptrtoint ptr addrspace(1) %a to i64
 %n = ashr i64 %ai, 1
 br label %l
l:
 %i = phi i64 [ 0, %e ], [ %j, %l ]
 %sh = shl i64 %i, 1
 %t = add i64 %sh, 1
 %r = inttoptr i64 %t to ptr addrspace(1)
 call void @work()
 %j = add i64 %i, 1
 %c = icmp slt i64 %j, %n
 br i1 %c, label %l, label %x
x:
 call void @work()
 ret ptr addrspace(1) %r
}
define ptr addrspace(1) @shifts(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {

 %ai = ptrtoint ptr addrspace(1) %a to i64
 %bi = ptrtoint ptr addrspace(1) %b to i64
 %x = ashr i64 %ai, 1
 %y = ashr i64 %bi, 1
 %s = add i64 %x, %y
 %sh = shl i64 %s, 1
 %o = or i64 %sh, 1
 %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  ret ptr addrspace(1) %r
}
define ptr addrspace(1) @narrow(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {

 %ai = ptrtoint ptr addrspace(1) %a to i64
 %bi = ptrtoint ptr addrspace(1) %b to i64
 %x = lshr i64 %ai, 1
 %y = lshr i64 %bi, 1
 %x3 = trunc i64 %x to i63
 %y3 = trunc i64 %y to i63
 %so = call {i63,i1} @llvm.sadd.with.overflow.i63(i63 %x3, i63 %y3)
 %s3 = extractvalue {i63,i1} %so, 0
 %s = zext i63 %s3 to i64
 %sh = shl i64 %s, 1
 %o = or i64 %sh, 1
 %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  ret ptr addrspace(1) %r
}
define ptr addrspace(1) @sum(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) gc "statepoint-example" {
e:
  br label %l
l:
  %acc = phi ptr addrspace(1) [ %a, %e ], [ %r, %l ]
  %i = phi i64 [ 0, %e ], [ %j, %l ]
  %ai = ptrtoint ptr addrspace(1) %acc to i64
  %bi = ptrtoint ptr addrspace(1) %b to i64
  %x = ashr i64 %ai, 1
  %y = ashr i64 %bi, 1
  %s = add i64 %x, %y
  %sh = shl i64 %s, 1
  %o = or i64 %sh, 1
  %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, %n
  br i1 %c, label %l, label %x1
x1:
  ret ptr addrspace(1) %r
}
define ptr addrspace(1) @next(ptr addrspace(1) %a, i64 %n) gc "statepoint-example" {
e:
  br label %l
l:
  %acc = phi ptr addrspace(1) [ %a, %e ], [ %r, %l ]
  %i = phi i64 [ 0, %e ], [ %j, %l ]
  %ai = ptrtoint ptr addrspace(1) %acc to i64
  %x = ashr i64 %ai, 1
  %s = add i64 %x, 1
  %sh = shl i64 %s, 1
  %o = or i64 %sh, 1
  %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, %n
  br i1 %c, label %l, label %x1
x1:
  ret ptr addrspace(1) %r
}
; both tags are in the sum
define ptr addrspace(1) @retag(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {
 %ai = ptrtoint ptr addrspace(1) %a to i64
 %bi = ptrtoint ptr addrspace(1) %b to i64
 %so = call {i64,i1} @llvm.sadd.with.overflow.i64(i64 %ai, i64 %bi)
 %o = extractvalue {i64,i1} %so, 1
 br i1 %o, label %s, label %f
s:
  call void @work()
  ret ptr addrspace(1) %a
f:
 %v = extractvalue {i64,i1} %so, 0
 %w = sub i64 %v, 1
 %r = inttoptr i64 %w to ptr addrspace(1)
 call void @work()
 ret ptr addrspace(1) %r
}
