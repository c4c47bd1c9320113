; A naked function has no frame for slots, and a record at its first byte is no return address.
; RUN: gc={erlang,ocaml,shadow-stack} opt={0,2}
;--- two records at the first byte
; STATUS: codegen_failed
; ERROR @f: the call of llvm.experimental.stackmap needs one
; AT: stackmap
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f() naked {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0)
  unreachable
}
define void @g() naked {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 2, i32 0)
  unreachable
}
;--- a call
; STATUS: codegen_failed
; ERROR @f: the call of g needs one
declare void @g()
define void @f() naked {
  call void @g()
  unreachable
}
;--- a root
; STATUS: codegen_failed
; ERROR @f: the call of llvm.gcroot needs one
declare void @llvm.gcroot(ptr, ptr)
define void @f() naked {
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  call void asm sideeffect "ret", ""()
  unreachable
}
;--- assembly
; DISASM @f: ret
define void @f() naked {
  call void asm sideeffect "ret", ""()
  unreachable
}
