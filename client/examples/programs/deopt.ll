; Deoptimisation values at a call: constants small and large, and values that are alive; the runtime adds them up.
; run: 20 = 100000000179807
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe()
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  %square = mul i64 %n, %n
  %cube = mul i64 %square, %n
  %low = trunc i64 %cube to i16
  %seen = call i64 @observe() [ "deopt"(i32 7, i64 100000000000000, i64 %square, i16 %low, i64 %cube) ]
  %value = load i64, ptr addrspace(1) %box
  %a = mul i64 %value, %square
  %b = mul i64 %cube, 20
  %ab = add i64 %a, %b
  %abc = add i64 %ab, %seen
  %checked = sub i64 %abc, 4600
  ret i64 %checked
}
