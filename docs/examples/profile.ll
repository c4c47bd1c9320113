; A strategy of one's own: "mygc" is described in docs/examples/profiles/mygc.json, which a server reads that is started so:
;
;   smd --profiles docs/examples/profiles
;
; Then it works as a builtin one does:
;   smc compile docs/examples/profile.ll
; A request can bring its own:
;   jq -n --rawfile ir docs/examples/profile.ll --slurpfile p docs/examples/profiles/mygc.json '{ir: $ir, profile: $p[0]}' |
;     curl --json @- http://127.0.0.1:8199/v1/compile

declare ptr addrspace(1) @mygc_new(i64)
declare i64 @mygc_clock()
declare void @llvm.gcwrite(ptr, ptr, ptr)

define ptr addrspace(1) @stamp(ptr addrspace(1) %list, ptr %value, ptr %object) gc "mygc" {
  %now = call i64 @mygc_clock()
  %cell = call ptr addrspace(1) @mygc_new(i64 16)
  store i64 %now, ptr addrspace(1) %cell
  call void @llvm.gcwrite(ptr %value, ptr %object, ptr %object)
  %next = getelementptr i8, ptr addrspace(1) %cell, i64 8
  store ptr addrspace(1) %list, ptr addrspace(1) %next
  ret ptr addrspace(1) %cell
}
