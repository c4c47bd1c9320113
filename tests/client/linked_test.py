"""Linked programs are walked by their compact tables: by every linker, in every form, on both targets.

    linked_test.py SMC FOLDER LIBRARY INCLUDE EMULATOR AARCH64_PROGRAM_FLAGS... -- SOURCES...

LIBRARY is libsmclient-loader.a. For AArch64 the library's SOURCES are compiled.
"""
import functools
import json
import os
import random
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SMC, FOLDER, LIBRARY, INCLUDE, EMULATOR, *REST = sys.argv[1:]
FLAGS, SOURCES = REST[:REST.index("--")], REST[REST.index("--") + 1:]

MODULE = """
declare void @collect()
define i64 @walk(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) uwtable gc "statepoint-example" {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %deeper
deeper:
  %m = sub i64 %n, 1
  call void @collect()
  %below = call i64 @walk(ptr addrspace(1) %b, ptr addrspace(1) %a, i64 %m)
  br label %sum
last:
  call void @collect()
  br label %sum
sum:
  %rest = phi i64 [ %below, %deeper ], [ 0, %last ]
  %x = load i64, ptr addrspace(1) %a
  %y = load i64, ptr addrspace(1) %b
  %xy = add i64 %x, %y
  %all = add i64 %xy, %rest
  ret i64 %all
}
define i64 @checked(ptr addrspace(1) %a) uwtable gc "statepoint-example" {
  %null = icmp eq ptr addrspace(1) %a, null
  br i1 %null, label %none, label %some, !make.implicit !0
some:
  %x = load i64, ptr addrspace(1) %a
  ret i64 %x
none:
  ret i64 -1
}
; A reference in a stack slot, of a type that is a symbol: its region is told of as smd does it (proto/stackmap/facts.h).
@descriptor = internal global i64 0
@smd.types = internal constant [1 x { i64, ptr }] [{ i64, ptr } { i64 706113746574557696, ptr @descriptor }], section ".smd_types", align 8
@llvm.used = appending global [1 x ptr] [ptr @smd.types], section "llvm.metadata"
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define ptr @described() {
  ret ptr @descriptor
}
define i64 @typed(ptr addrspace(1) %a) uwtable gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %a, ptr %slot
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 1, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) ["deopt"(i64 12, i64 706113746574557696, i64 6002528945793204226), "gc-live"(ptr %slot)]
  %b = load volatile ptr addrspace(1), ptr %slot
  %x = load i64, ptr addrspace(1) %b
  ret i64 %x
}
!0 = !{}
"""
OTHER = """
declare void @collect()
define void @OTHER(ptr addrspace(1) %p) uwtable gc "statepoint-example" {
  call void @collect()
  store i64 1, ptr addrspace(1) %p
  ret void
}
"""
WAYS = ["-static", "-pie", "-no-pie", "-static-pie", "-shared", "-pie -Wl,--gc-sections", "-static -Wl,--gc-sections"]


def run(command, **more):
    done = subprocess.run(command, shell=isinstance(command, str), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stdout.decode(errors='replace')}")
    return done.stdout


def place(name):
    return os.path.join(FOLDER, name)


@functools.cache
def compact_object(arch, name, text, flags=""):
    plain, compact = place(f"{arch}-{name}.o"), place(f"{arch}-{name}-compact.o")
    flags += " -enable-implicit-null-checks"
    bitcode = run(["opt-19", f"-mtriple={arch}-linux-gnu", "-passes=rewrite-statepoints-for-gc"], input=text.encode())
    run(["llc-19", "-O2", "-relocation-model=pic", "-filetype=obj", *flags.split(), "-o", plain], input=bitcode)
    run([SMC, "compact", plain, "-o", compact])
    return compact


def link(arch, cc, library, way, linker, first=None):
    """Other managed functions stand on both sides; in a section each, in part."""
    objects = " ".join([first or compact_object(arch, "before", OTHER.replace("OTHER", "before")),
                        compact_object(arch, "walk", MODULE),
                        compact_object(arch, "behind", OTHER.replace("OTHER", "behind"), "-function-sections")])
    program = place(f"{arch}-{linker}{way.replace(' ', '')}")
    use = f"-fuse-ld={linker}" if linker else ""
    is_static = int("-static" in way)
    defines = f"-DIS_STATIC={is_static} -DIS_LIBRARY={int(way == '-shared')}"
    common = f"-O1 -g -I{INCLUDE} {defines} {HERE}/linked_check.c {library} -lpthread"
    if way == "-shared":
        run(f"{cc} {use} -shared -o {program}.so {objects}")
        run(f"{cc} {use} -rdynamic -o {program} {common} {program}.so -Wl,-rpath,{FOLDER}")
    else:
        pie = "-fPIE" if "pie" in way and "no-pie" not in way else "-fno-pie"
        run(f"{cc} {use} {way} {pie} -o {program} {objects} {common}")
    return program


def section_of(file, wanted):
    """Where a section's bytes are in a file."""
    data = open(file, "rb").read()
    at, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, at + i * size) for i in range(count)]
    for name, _, _, _, offset, length in headers:
        start = headers[names][4] + name
        if data[start:data.index(b"\0", start)] == wanted:
            return offset, length
    sys.exit(f"{file} has no {wanted}")


def damage(program, rounds):
    """Of damaged tables only what is in bounds is read; the program ends by itself."""
    places = [section_of(program, b".smd_maps"), section_of(program, b".llvm_faultmaps")]
    good = open(program, "rb").read()
    r = random.Random(1)
    for i in range(rounds):
        bad = bytearray(good)
        offset, length = places[i % 4 == 0]
        for _ in range(r.choice([1, 1, 2, 5, 30])):
            bad[offset + r.randrange(length)] = r.choice([0, 1, 0x7f, 0x80, 0xff, r.randrange(256)])
        with open(program + "-damaged", "wb") as out:
            out.write(bad)
        os.chmod(program + "-damaged", 0o755)
        run([program + "-damaged", "look"], timeout=60)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    count = 0
    for linker in ("bfd", "gold", "lld"):
        for way in WAYS:
            if (linker, way) == ("gold", "-static-pie"):  # which it does not know
                continue
            program = link("x86_64", "gcc", LIBRARY, way, linker)
            assert b"roots" in run([program]), program
            run(["strip", program])
            assert b"roots" in run([program]), program
            count += 1
    damage(place("x86_64-bfd-pie"), 200)
    program = link("x86_64", "gcc", LIBRARY, "-no-pie", "lld", place("x86_64-before.o"))
    assert b".llvm_stackmaps" in run([program, "refused"]), program
    told = json.loads(run([SMC, "stackmap", program]))
    formats = {f["name"]: f["format"] for f in told["functions"] if f["safepoints"]}
    assert told["format"] == "mixed", told["format"]
    assert formats == {"before": "llvm-v3", "walk": "compact", "typed": "compact", "behind": "compact"}, formats
    for source in SOURCES:
        run(["aarch64-linux-gnu-gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-fPIC", "-c", *FLAGS, source, "-o",
             place("aarch64-" + os.path.basename(source) + ".o")])
    library = " ".join(place("aarch64-" + os.path.basename(source) + ".o") for source in SOURCES)
    for way in ("-static", "-pie", "-shared", "-static -Wl,--gc-sections"):
        program = link("aarch64", "aarch64-linux-gnu-gcc", library, way, "bfd")
        assert b"roots" in run([EMULATOR, "-L", "/usr/aarch64-linux-gnu", program]), program
        count += 1
    print(f"{count} programs")


main()
