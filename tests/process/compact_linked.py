"""Compact tables survive the linkers: programs of LLVM's own objects and of what smc compact makes of them are linked in
many ways, and told the same of by smc; and by a reader that was written from the document alone.

    compact_linked.py SMC FOLDER
"""
import json
import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compact_reader  # noqa: E402

SMC, FOLDER = sys.argv[1:]
WAYS = {
    "x86_64": [("gcc", f"-fuse-ld={linker} {way}") for linker in ("bfd", "gold", "lld")
               for way in ("-static", "-pie", "-no-pie", "-shared", "-static-pie",
                           "-pie -Wl,--gc-sections -ffunction-sections", "-static -Wl,--gc-sections")
               if (linker, way) != ("gold", "-static-pie")],  # which it does not know
    "aarch64": [("aarch64-linux-gnu-gcc", way) for way in ("-static", "-pie", "-shared", "-static -Wl,--gc-sections")],
}
MAIN = """
struct object; struct object *f0(struct object *, struct object *, long);
struct object *alloc(long n) { (void)n; return 0; }
void take(struct object *o) { (void)o; }
int main(void) { return f0 == 0; }
"""


def module(prefix, functions, seed):
    """Functions of many calls, with references and derived pointers alive across them; some in sections of their own."""
    r, out = random.Random(seed), []
    out += ["declare ptr addrspace(1) @alloc(i64)", "declare void @take(ptr addrspace(1))"]
    for f in range(functions):
        section = 'section ".text.own" ' if f % 5 == 4 else ""
        out.append(f"define ptr addrspace(1) @{prefix}{f}(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n)"
                   f' {section}gc "statepoint-example" {{')
        live = ["%a", "%b"]
        for i in range(r.choice([1, 3, 10, 25])):
            deopt = f' [ "deopt"(i32 {r.randrange(4)}, i64 %n) ]' if r.random() < 0.3 else ""
            if r.random() < 0.4:
                out.append(f"  %v{i} = call ptr addrspace(1) @alloc(i64 {r.choice([16, 24])}){deopt}")
            else:
                out.append(f"  %v{i} = getelementptr i8, ptr addrspace(1) {r.choice(live)}, i64 8")
                out.append(f"  call void @take(ptr addrspace(1) %v{i}){deopt}")
            live.append(f"%v{i}")
            if len(live) > 8:
                live.pop(r.randrange(len(live)))
        out.append(f"  ret ptr addrspace(1) {r.choice(live)}\n}}")
    out += [f"declare void @llvm.experimental.stackmap(i64, i32, ...)", f"define void @{prefix}map(i64 %a, ptr %p) {{",
            "  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 77, i32 8, i64 %a, ptr %p, i32 5, i64 -9999999999)",
            "  ret void\n}"]
    return "\n".join(out) + "\n"


def run(command, **more):
    return subprocess.run(command, shell=isinstance(command, str), check=True, stdout=subprocess.PIPE, **more).stdout


def place(name):
    return os.path.join(FOLDER, name)


def compile_module(arch, name, text):
    """Gives the object as LLVM writes it, and the compact one."""
    plain, compact = place(f"{arch}-{name}.o"), place(f"{arch}-{name}-compact.o")
    bitcode = run(["opt-19", f"-mtriple={arch}-linux-gnu", "-passes=rewrite-statepoints-for-gc"], input=text.encode())
    with open(plain, "wb") as out:
        out.write(run(["llc-19", "-O2", "-relocation-model=pic", "-filetype=obj"], input=bitcode))
    run([SMC, "compact", plain, "-o", compact])
    return plain, compact


def told(file):
    return json.loads(run([SMC, "stackmap", file]))


def by_name(answer):
    """What is the same however it was linked."""
    return {f["name"]: (f["frame_size"], f["safepoints"]) for f in answer["functions"]}


def section_of(file, name):
    """The bytes and the address of a section of an ELF file."""
    data = open(file, "rb").read()
    offset, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
    for h in headers:
        start = headers[names][4] + h[0]
        if data[start:data.index(b"\0", start)].decode() == name:
            return data[h[4]:h[4] + h[5]], h[3], h[2]
    return None


def plain_location(x):
    if x["kind"] == "constant":
        return ("constant", x["value"], x["size"])
    return (x["kind"], x["dwarf"], x.get("offset"), x["size"])


def check_reader(file, answer):
    section, address, flags = section_of(file, ".smd_maps")
    assert not flags & 1, "the section is writable"
    read = {start: (frame, records) for start, frame, records in compact_reader.functions(section, address)}
    assert len(read) == len(answer["functions"])
    for f in answer["functions"]:
        frame, records = read[f["address"]["offset"]]
        assert frame == f["frame_size"] and len(records) == len(f["safepoints"]), f["name"]
        for (offset, identity, shape), s in zip(records, f["safepoints"]):
            assert (offset, identity, shape["kind"], shape["reason"]) == (s["offset"], s["id"], s["kind"], s["reason"]), s
            if s["kind"] == "statepoint":
                assert shape["roots"] == [(plain_location(r["base"]), plain_location(r["derived"])) for r in s["roots"]], s
                assert shape["deopt"] == [plain_location(x) for x in s["deopt"]], s
                assert shape["regions"] == [plain_location(x) for x in s["regions"]], s
            else:
                assert shape["locations"] == [plain_location(x) for x in s["locations"]], s
    return sum(len(records) for _, records in read.values())


def link(arch, compiler, flags, objects, out):
    code = place(f"{arch}-main.c")
    with open(code, "w") as f:
        f.write(MAIN)
    run(f"{compiler} {flags} {'-fPIC' if '-shared' in flags or 'pie' in flags else ''} {code} {' '.join(objects)} -o {out}")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    total = programs = 0
    for arch, ways in WAYS.items():
        pairs = [compile_module(arch, name, module(name, 20, seed)) for seed, name in enumerate(("f", "g", "h"))]
        wanted = {}
        for plain, compact in pairs:
            assert by_name(told(plain)) == by_name(told(compact)), compact
            assert told(compact)["format"] == "compact"
            wanted.update(by_name(told(plain)))
        for i, (compiler, flags) in enumerate(ways):
            out = place(f"{arch}-{i}")
            link(arch, compiler, flags, [compact for _, compact in pairs], out)
            answer = told(out)
            assert by_name(answer) == wanted, f"{compiler} {flags}"
            total += check_reader(out, answer)
            programs += 1
    assert programs == sum(map(len, WAYS.values())) and total > 1000
    print(f"{programs} programs, {total} records read by both")


main()
