; LLVM ends the process over what it cannot do, in its own words. They are an error of the module, with the function.
; RUN: opt={0,2} target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR @f: LLVM ERROR: Invalid register name "rsp". (in the stage 'emit')
; AT: define i64 @f
declare i64 @llvm.read_register.i64(metadata)
!0 = !{!"rsp"}

define i64 @f() {
  %x = call i64 @llvm.read_register.i64(metadata !0)
  ret i64 %x
}
