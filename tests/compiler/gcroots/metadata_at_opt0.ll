; Metadata of roots at opt=0: each root has that of its own slot, in whatever order LLVM lists the roots. Stack protectors
; move slots, so that nobody can tell there.
; RUN: opt=0 safepoints=none target=x86_64-linux-gnu
; SAFEPOINT @f: /"offset":32[^}]*\}[^}]*"metadata":\{"symbol":"a"/
; SAFEPOINT @f: /"offset":16[^}]*\}[^}]*"metadata":\{"symbol":"b"/
; SAFEPOINT @f: /"offset":8[^}]*\}[^}]*"metadata":\{"symbol":"c"/
; SAFEPOINT-NOT @guarded: metadata
; RUN: opt=0 safepoints=none target=aarch64-linux-gnu
; SAFEPOINT @f: /"offset":24[^}]*\}[^}]*"metadata":\{"symbol":"a"/
; SAFEPOINT @f: /"offset":8[^}]*\}[^}]*"metadata":\{"symbol":"b"/
; SAFEPOINT @f: /"offset":0[^}]*\}[^}]*"metadata":\{"symbol":"c"/
; SAFEPOINT-NOT @guarded: metadata
@a = external global i8
@b = external global i8
@c = external global i8
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(ptr %p, ptr %q, ptr %r) gc "ocaml" {
  %x = alloca ptr
  %n = alloca i64
  %y = alloca ptr
  %z = alloca ptr
  call void @llvm.gcroot(ptr %z, ptr @c)
  call void @llvm.gcroot(ptr %x, ptr @a)
  call void @llvm.gcroot(ptr %y, ptr @b)
  store i64 1, ptr %n
  store ptr %p, ptr %x
  store ptr %q, ptr %y
  store ptr %r, ptr %z
  call void @g()
  ret void
}
define void @guarded(ptr %p, ptr %q, ptr %r) sspstrong gc "ocaml" {
  %x = alloca ptr
  %n = alloca i64
  %y = alloca ptr
  %z = alloca ptr
  call void @llvm.gcroot(ptr %z, ptr @c)
  call void @llvm.gcroot(ptr %x, ptr @a)
  call void @llvm.gcroot(ptr %y, ptr @b)
  store i64 1, ptr %n
  store ptr %p, ptr %x
  store ptr %q, ptr %y
  store ptr %r, ptr %z
  call void @g()
  ret void
}
