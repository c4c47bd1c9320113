; With gc_registers, references stay in registers across a flag's poll. Its slow path saves them, and a walk finds them
; there: what the loop has in registers is moved while the flag is set.
; RUN: poll=flag:stop:collect gc_registers=32 opt={1,2,3}
; SAFEPOINT @program reason=backedge-poll: preserve_mostcc
; SAFEPOINT>=2 @program reason=backedge-poll: "kind":"register"
; SAFEPOINT-NOT @program reason=backedge-poll: "kind":"indirect"
; RESULT: 10 = 295
; RESULT: --leave-out 0 10 != 295
; RUN: poll=flag:stop:collect gc_registers=32 unwind=module
; SAFEPOINT-NOT: preserve_mostcc
@stop = global i8 1
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) uwtable gc "statepoint-example" {
entry:
  %a = call ptr addrspace(1) @allocate(i64 8, i64 0)
  %b = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 1, ptr addrspace(1) %a
  store i64 0, ptr addrspace(1) %b
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %x = load volatile i64, ptr addrspace(1) %a
  %y = load volatile i64, ptr addrspace(1) %b
  %z = add i64 %x, %y
  store volatile i64 %z, ptr addrspace(1) %b
  %x2 = add i64 %x, 1
  %t = mul i64 %i, 2
  %x3 = add i64 %x2, %t
  store volatile i64 %x3, ptr addrspace(1) %a
  %j = add i64 %i, 1
  %v = load volatile i64, ptr addrspace(1) %b
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  %r = load i64, ptr addrspace(1) %b
  ret i64 %r
}
