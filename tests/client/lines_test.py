#!/usr/bin/env python3
"""Lines of safepoints, as llvm-symbolizer has them: modules by clang -g, of C and C++, at each level, on both targets,
whole and in parts, in DWARF 4 and 5. The DWARF of joined objects is valid.
libsmclient has the same lines. Usage: lines_test.py SMD_WORKER LINES_CHECK QEMU LINES_CHECK_OF_AARCH64."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

WORKER, CHECKS = sys.argv[1], {"x86_64": [sys.argv[2]], "aarch64": sys.argv[3:5]}
META, OBJECT, STACKMAP, EXPLAIN, LINES = 1, 3, 4, 9, 15

HEADER = """
extern "C" int sink(int);
static inline __attribute__((always_inline)) int twice(int v) {
    return sink(v) +
           sink(v * 2);
}
template <class T> struct box {
    T value;
    T take(int n) {
        for (int i = 0; i < n; i++)
            value += twice(i) + sink(value);
        return value;
    }
};
"""

PROGRAM = """
#include "sub/header.h"
static inline int helper(int x) {
    int y = sink(x) + 1;
    return twice(y);
}
namespace outer {
static int chain(int n) { return n > 100 ? helper(n) : helper(n + 1) + twice(n); }
}
extern "C" int top%(n)d(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += helper(i);
        if (s & 1)
            s ^= outer::chain(s);
        else
            s ^= sink(s);
    }
    box<int> b = {s};
    auto f = [&](int k) { return helper(k) - s; };
    return b.take(n) + f(3) + f(4);
}
"""


def parts(artifact):
    count = struct.unpack_from("<I", artifact, 16)[0]
    found = {}
    for i in range(count):
        kind, _, offset, length = struct.unpack_from("<IIQQ", artifact, 64 + 24 * i)
        found[kind] = artifact[offset:offset + length]
    return found


def module(folder, name, text, *flags):
    """IR with debug information, every function with a strategy."""
    source = os.path.join(folder, name)
    with open(source, "w") as f:
        f.write(text)
    ir = subprocess.run(["clang-19", "-g", "-O2", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", source, "-o", "-", *flags],
                        check=True, stdout=subprocess.PIPE, text=True, cwd=folder).stdout
    ir = re.sub(r"^(define [^!\n]*?)((?: personality [^!\n]*)?) !dbg", r'\1 gc "statepoint-example"\2 !dbg', ir, flags=re.M)
    path = source + ".ll"
    with open(path, "w") as f:
        f.write(ir)
    return path


def compile_module(path, *options):
    run = subprocess.run([WORKER, "--compile", path, "emit=obj,lines", *options], stdout=subprocess.PIPE)
    found = parts(run.stdout)
    assert run.returncode == 0, found
    return found


def symbolize(path, addresses):
    """What llvm-symbolizer says of each address: its frames, the innermost first."""
    out = subprocess.run(["llvm-symbolizer-19", "--obj=" + path, "--no-demangle", "--output-style=JSON"],
                         input="".join(f"{a:#x}\n" for a in addresses), check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line)["Symbol"] for line in out.splitlines() if line]


def check_client(target, path, functions, ours, what):
    """What libsmclient has of the object, of its safepoints and of all code; the bytes of its table for each safepoint."""
    want = {(f["name"], s["offset"]): [(x["function"] or "-", x["file"] or "-", x["line"]) for x in records[i] or []]
            for f, records in zip(functions, ours) for i, s in enumerate(f["safepoints"])}
    for table in ("all", "safepoints"):
        out = subprocess.run(CHECKS[target.split("-")[0]] + [path, table, "top0", "5"], check=True, stdout=subprocess.PIPE, text=True).stdout
        got, traces, at = {}, [], None
        for line in out.splitlines():
            word = line.split()
            if word[0] == "site":
                at = got.setdefault((word[1], int(word[2])), [])
            elif word[0] == "trace":
                traces.append([])
                at = traces[-1]
            elif word[0] != "bytes":
                at.append((word[0], word[1], int(word[2])))
        assert got == want, f"{what}, {table}: " + str([(k, got.get(k), want[k]) for k in want if got.get(k) != want[k]][:3])
        assert len(traces) > 10 and all(t[-1][0] == "top0" for t in traces), what
        assert all(any(w and t[:len(w)] == w for w in want.values()) for t in traces), what
    streams, every, sites = map(int, out.split()[-3:])
    return streams / sites, every / sites


def check_gdb(path, what):
    """gdb has the loaded object's DWARF: it names lines of frames, and prints a variable."""
    out = subprocess.run(["gdb", "-batch", "-nx", "-ex", "set breakpoint pending on", "-ex", "break called_by_code", "-ex", "run", "-ex", "backtrace",
                          "-ex", "up", "-ex", "up", "-ex", "info locals", "--args", *CHECKS["x86_64"], path, "safepoints", "top0", "5"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    assert re.search(r"helper\d* \(x=0\) at [^\n]*\.cc:\d+\n", out) and re.search(r"top0 \(n=[^)]*\) at [^\n]*\.cc:\d+\n", out), f"{what}:\n{out}"


def check(folder, path, what, target, *options):
    """All safepoints of a module; gives how many there are, and how many are in inlined calls."""
    found = compile_module(path, "target=" + target, *options)
    linked = os.path.join(folder, "linked")
    with open(linked + ".o", "wb") as f:
        f.write(found[OBJECT])
    subprocess.run(["llvm-dwarfdump-19", "--verify", "--quiet", linked + ".o"], check=True)
    # Of a relocatable object with several sections the symbolizer cannot be asked.
    machine = "aarch64linux" if "aarch64" in target else "elf_x86_64"
    subprocess.run(["ld.lld", "-m", machine, "--unresolved-symbols=ignore-all", "-shared", "-Bsymbolic", "-z", "notext",
                    linked + ".o", "-o", linked], check=True)
    of_linked = parts(subprocess.run([WORKER, "--stackmap", linked], check=True, stdout=subprocess.PIPE).stdout)
    base = {f["name"]: f["address"]["offset"] for f in json.loads(of_linked[STACKMAP])["functions"]}
    addresses, ours = [], []
    functions, lines = json.loads(found[STACKMAP])["functions"], json.loads(found[LINES])
    assert len(lines) == len(functions)
    for function, records in zip(functions, lines):
        assert len(records) == len(function["safepoints"])
        addresses += [base[function["name"]] + s["offset"] - 1 for s in function["safepoints"]]
        ours += records
    for address, mine, theirs in zip(addresses, ours, symbolize(linked, addresses)):
        want = [{"function": f["FunctionName"] or None, "file": f["FileName"] or None, "line": f["Line"], "column": f["Column"]}
                for f in theirs]
        if mine is None:                                   # smd's own function, of which the symbolizer has the symbol
            assert len(want) == 1 and want[0]["line"] == 0 and want[0]["function"].startswith("smd."), want
            continue
        assert mine == want, f"{what}, {address:#x}:\n{mine}\n{want}"
    streams, every = check_client(target, linked + ".o", functions, lines, what)
    if "x86_64" in target and "hard" not in what:
        check_gdb(linked + ".o", what)
    # The text of the linked file's map has the same lines: DWARF without relocations.
    text = of_linked[EXPLAIN].decode()
    for frames in ours:
        for f in frames or []:
            assert f"{f['function']}, {f['file']}:{f['line']}" in text, f
    meta = json.loads(found[META])
    assert ("split=never" in options or "many" not in path or "opt=0" in options) or meta["parts"] > 1, meta
    return len(ours), sum(len(frames or []) > 1 for frames in ours), streams, every


# Functions in themselves, a body in two files, over a thousand lines, and lines that are in no order.
HARD = """
extern "C" int sink(int);
static inline __attribute__((always_inline)) int down(int n, int depth) {
    return depth ? down(n + sink(n), depth - 1) + sink(depth) : n;
}
static inline int around(int n) { return n > 3 ? sink(n) : around(n + sink(n)) - 1; }
extern "C" int mixed(int n) {
    int s = down(n, 3) + around(n);
#include "sub/body.h"
#line 70000
    s += sink(s);
#line 3
    return s + down(s, 2) * sink(s);
}
extern "C" int top0(int n) {
    int s = mixed(n);
%s
    return s;
}
""" % "\n".join("    s ^= sink(s + %d);" % n for n in range(1200))


def many_programs():
    return HEADER + "".join(re.sub(r"\b(helper|chain)\b", r"\g<1>%d" % n, PROGRAM).replace('#include "sub/header.h"', "") % {"n": n}
                            for n in range(30))


def main():
    points = inlined = 0
    ways = [("one", "opt=%s" % opt) for opt in "0123"]
    ways += [("many", "opt=3", split) for split in ("split=auto", "split=functions", "split=never")]
    ways += [("hard", "opt=0"), ("hard", "opt=2")]
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "sub"))
        with open(os.path.join(folder, "sub", "header.h"), "w") as f:
            f.write(HEADER)
        with open(os.path.join(folder, "sub", "body.h"), "w") as f:
            f.write("s += sink(1);\ns += around(s) + sink(2);\n")
        for dwarf in ("-gdwarf-5", "-gdwarf-4"):
            for target in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
                path = {"one": module(folder, "one.cc", PROGRAM % {"n": 0}, dwarf, "--target=" + target, "-I."),
                        "many": module(folder, "many.cc", many_programs(), dwarf, "--target=" + target),
                        "hard": module(folder, "hard.cc", HARD, dwarf, "--target=" + target, "-I.")}
                for name, *options in ways:
                    what = " ".join((name, dwarf, target, *options))
                    n, k, streams, every = check(folder, path[name], what, target, "poll=flag:f:slow", "safepoints=entry,backedge", *options)
                    points += n
                    inlined += k
                    print(f"{n:6} safepoints, {k:6} inlined, {every:.2f} bytes each, {streams:.2f} of them paths: {what}", flush=True)
                    assert every <= (2 if n > 100 else 2.1)
    assert points > 5000 and inlined > 2000
    print(f"{points} safepoints, {inlined} in inlined calls")


main()
