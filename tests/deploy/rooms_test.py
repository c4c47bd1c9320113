#!/usr/bin/env python3
"""The house as its own includes draw it: rooms whose arrows only go down, libraries behind one door, and maps that name
every file of their room. Run in the project's folder."""
import glob
import os
import re
import sys

wrong = []

# What each room may include, itself aside. CMake links no more than this, so that any other header is not found; this
# also sees what a header in the system's folders would hide. A room that stands in none of the rows is an error.
PROTO = ["proto/wire", "proto/options", "proto/elf", "proto/stackmap", "proto/compact", "proto/gcmap", "proto/lines", "proto/render", "proto/join", "proto"]
MAY = {
    "proto/wire": [],
    "proto/options": ["proto/wire"],
    "proto/elf": ["proto/wire"],
    "proto/stackmap": ["proto/wire", "proto/options", "proto/elf"],
    "proto/compact": ["proto/wire", "proto/elf", "proto/stackmap"],
    "proto/gcmap": ["proto/wire", "proto/elf", "proto/stackmap"],
    "proto/lines": ["proto/wire", "proto/elf"],
    "proto/render": ["proto/wire", "proto/elf", "proto/stackmap", "proto/lines"],
    "proto/join": ["proto/wire", "proto/options", "proto/elf", "proto/stackmap"],
    "proto": [*PROTO[:-1]],
    "server/ops": ["proto/wire", "proto/options"],
    "server/job": ["proto/wire", "proto/options", "server/ops"],
    "server/shared": ["proto/wire", "proto/options", "server/ops", "server/job"],
    "server/cache": ["proto/wire", "proto/options", "server/ops", "server/job", "server/shared"],
    "server/pool": ["proto/wire", "proto/options", "server/ops", "server/job"],
    "server/dispatch": ["proto/wire", "proto/options", "server/ops", "server/job", "server/shared", "server/cache", "server/pool"],
    "server/tls": ["proto/wire", "proto/options", "server/ops"],
    "server/access": ["proto/wire", "proto/options", "server/ops"],
    "server/trace": ["proto/wire", "proto/options", "server/ops"],
    "server/http": ["proto/wire", "proto/options", "server/ops", "server/tls", "server/access", "server/trace", "server/job"],
    "server/page": ["proto/wire", "proto/options", "server/ops", "server/access", "server/trace", "server/job", "server/http"],
    "server/routes": ["proto/wire", "proto/options", "server/ops", "server/access", "server/trace", "server/job", "server/shared", "server/cache", "server/pool", "server/dispatch",
                      "server/http", "server/page"],
    "server": ["proto/wire", "proto/options", "server/ops", "server/tls", "server/access", "server/trace", "server/job", "server/shared", "server/cache", "server/pool",
               "server/dispatch", "server/http", "server/page", "server/routes"],
    "core/sandbox": [*PROTO],
    "core/base": [*PROTO],
    "core/ir": [*PROTO, "core/base"],
    "core/target": [*PROTO, "core/base", "core/ir"],
    "core/analysis": [*PROTO, "core/base", "core/ir"],
    "core/llvm19": [*PROTO, "core/base", "core/ir", "core/analysis"],
    "core/input": [*PROTO, "core/sandbox", "core/base", "core/ir", "core/target", "core/llvm19"],
    "core/aggregates": [*PROTO, "core/base", "core/ir", "core/analysis"],
    "core/slots": [*PROTO, "core/base", "core/ir", "core/analysis"],
    "core/roots": [*PROTO, "core/base", "core/ir", "core/analysis", "core/slots"],
    "core/encoded": [*PROTO, "core/base", "core/ir", "core/analysis", "core/llvm19", "core/aggregates", "core/slots", "core/roots"],
    "core/safepoints": [*PROTO, "core/base", "core/ir", "core/target", "core/analysis", "core/llvm19"],
    "core/optimize": [*PROTO, "core/base", "core/ir", "core/target", "core/analysis", "core/llvm19", "core/slots", "core/roots", "core/encoded", "core/safepoints"],
    "core/barriers": [*PROTO, "core/base", "core/ir", "core/analysis", "core/llvm19", "core/safepoints", "core/optimize"],
    "core/strategy": [*PROTO, "core/base", "core/ir", "core/target", "core/encoded", "core/safepoints"],
    "core/gcroot": [*PROTO, "core/base", "core/ir", "core/analysis", "core/llvm19", "core/safepoints", "core/barriers"],
    "core/rewrite": [*PROTO, "core/base", "core/ir", "core/analysis", "core/llvm19", "core/aggregates", "core/slots", "core/roots", "core/encoded", "core/safepoints", "core/optimize"],
    "core/emit": [*PROTO, "core/base", "core/ir", "core/target", "core/analysis", "core/llvm19", "core/input", "core/safepoints", "core/gcroot", "core/rewrite"],
    "core/report": [*PROTO, "core/base", "core/ir", "core/target", "core/input", "core/roots", "core/encoded", "core/safepoints", "core/strategy", "core/gcroot", "core/emit"],
    "core": [*PROTO, "core/sandbox", "core/base", "core/ir", "core/target", "core/analysis", "core/llvm19", "core/input", "core/aggregates", "core/slots", "core/roots", "core/encoded", "core/safepoints", "core/optimize", "core/barriers", "core/strategy", "core/gcroot", "core/rewrite", "core/emit", "core/report"],
    "core/process": [*PROTO, "core/sandbox", "core/base", "core/ir", "core/target", "core/analysis", "core/llvm19", "core/input", "core/aggregates", "core/slots", "core/roots", "core/encoded", "core/safepoints", "core/optimize", "core/barriers", "core/strategy", "core/gcroot", "core/rewrite", "core/emit", "core/report", "core"],
    "core/upgrade": [*PROTO, "core/sandbox"],
    "client/include": [],
    "client": [*PROTO, "client/include"],
    "client/unwind": [*PROTO, "client", "client/include"],
    "client/load": [*PROTO, "client", "client/include", "client/unwind"],
    "client/walk": [*PROTO, "client", "client/include", "client/unwind", "client/load"],
    "client/zeal": [*PROTO, "client", "client/include", "client/unwind", "client/load", "client/walk"],
    "client/fetch": [*PROTO, "client", "client/include"],
    "client/smc": [*PROTO, "client/include"],
    "client/examples": ["client/include"],
}

# The header whose first comment names every file of these rooms.
MAPS = {
    "proto/proto.h": ["proto"] + PROTO,
    "server/smd.h": [room for room in MAY if room.startswith("server")],
    "core/core.h": ["core", "core/process", "core/sandbox"],
    "core/base/base.h": ["core/base"],
    "core/ir/ir.h": ["core/ir"],
    "core/target/target.h": ["core/target"],
    "core/analysis/analysis.h": ["core/analysis"],
    "core/llvm19/llvm19.h": ["core/llvm19"],
    "core/input/input.h": ["core/input"],
    "core/aggregates/aggregates.h": ["core/aggregates"],
    "core/slots/slots.h": ["core/slots"],
    "core/roots/roots.h": ["core/roots"],
    "core/encoded/encoded.h": ["core/encoded"],
    "core/safepoints/safepoints.h": ["core/safepoints"],
    "core/optimize/optimize.h": ["core/optimize"],
    "core/barriers/barriers.h": ["core/barriers"],
    "core/strategy/strategy.h": ["core/strategy"],
    "core/gcroot/gcroot.h": ["core/gcroot"],
    "core/rewrite/rewrite.h": ["core/rewrite"],
    "core/emit/emit.h": ["core/emit"],
    "core/report/report.h": ["core/report"],
    "core/upgrade/upgrade.h": ["core/upgrade"],
    "client/fetch/fetch.h": ["client/fetch"],
    "client/load/loader.h": ["client", "client/load", "client/unwind", "client/walk"],
    "client/zeal/zeal.h": ["client/zeal"],
    "client/smc/smc.h": ["client/smc"],
}

# Who alone may use a library.
LIBRARIES = {r"<microhttpd\.h>": ["server/http"], r"<curl/": ["client/fetch", "server/shared", "server/trace"], r"<llvm-c/": [room for room in MAY if room.startswith("core")],
             r"<seccomp\.h>": ["core/sandbox", "server/ops"], r"<gnutls/": ["server/access", "server/tls"], r"<zlib\.h>": ["server/http", "server/page"]}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


files = [path for top in ("proto", "server", "core", "client") for path in glob.glob(top + "/**/*.[chS]", recursive=True)
         if "/programs/" not in path]
if len(files) < 250:
    sys.exit(f"this test finds only {len(files)} files")
home = {}
for path in files:
    if path.endswith(".h"):
        home.setdefault(os.path.basename(path), []).append(os.path.dirname(path))

# Includes.
for path in files:
    room = os.path.dirname(path)
    if room not in MAY:
        wrong.append(f"{path}: {room} is no room that this test knows")
        continue
    for line in re.findall(r"^\s*#\s*include\s+(.*)$", read(path), re.M):
        name = re.match(r'"([^"]+)"', line)
        if name and "/" in name[1]:
            wrong.append(f"{path}: includes by a path: {name[1]}")
        elif name and not set(home.get(name[1], ["?"])) & set(MAY[room] + [room]):
            wrong.append(f"{path}: includes {name[1]} of {' and '.join(home.get(name[1], ['nowhere']))}")
        for library, rooms in LIBRARIES.items():
            if re.match(library, line) and room not in rooms:
                wrong.append(f"{path}: includes {line}, which is for {' and '.join(rooms)} alone")

# A file and its header are one; none of them needs, by whatever way, something that needs it.
needs = {}
for path in files:
    room, unit = os.path.dirname(path), os.path.splitext(path)[0]
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', read(path), re.M):
        there = home.get(name, [])
        at = room if room in there else there[0] if there else None
        if at is not None and os.path.splitext(os.path.join(at, name))[0] != unit:
            needs.setdefault(unit, set()).add(os.path.splitext(os.path.join(at, name))[0])
ends = True
while ends:
    needed = set().union(*needs.values())
    ends = [unit for unit in needs if unit not in needed or not needs[unit] & needs.keys()]
    for unit in ends:
        del needs[unit]
for unit, others in sorted(needs.items()):
    wrong.append(f"{unit} is in a circle of includes, or between two: {', '.join(sorted(others & needs.keys()))}")

# The rows have no circle: whatever a room may use stands above it.
seen = []
for room, uses in MAY.items():
    for used in uses:
        if used not in seen and used != "client/include":
            wrong.append(f"{room} may use {used}, which stands further down")
    seen.append(room)

# Two static functions of the core do not share a name, so that a name says which one is meant. smd-upgrade is a program
# of its own.
homes = {}
for path in sorted(files):
    if path.startswith("core/") and path.endswith(".c") and not path.startswith("core/upgrade/"):
        for name in re.findall(r"^static [\w \*]*?\b(\w+)\(", read(path), re.M):
            if homes.setdefault(name, path) != path:
                wrong.append(f"{path}: {name} is also a static function of {homes[name]}")

# What the core's rooms offer one another, and what is public in it at all, does not grow. A room's own header, which is
# its map, declares nothing that its room alone uses: that is in headers of its files. smd-upgrade is left out as above.
OFFERED_MAX, PUBLIC_MAX = 249, 439


def code(text):
    """TEXT without comments, and without what is in quotes."""
    return re.sub(r"""/\*.*?\*/|//[^\n]*|"(?:\\\\.|[^"\\\\\n])*"|'(?:\\\\.|[^'\\\\\n])*'""",
                  lambda m: " " if m[0][0] == "/" else "0", text, flags=re.S)


sources = {path: code(read(path)) for path in files if path.startswith("core/") and not path.startswith("core/upgrade/")}
words = {path: set(re.findall(r"\b[A-Za-z_]\w*\b", text)) for path, text in sources.items()}
defined = {}
for path, text in sources.items():
    if path.endswith(".c"):
        for name in re.findall(r"^(?!static|typedef|enum|extern|union)[A-Za-z_][\w \*]*?[ \*](\w+)\([^;{}]*\)\s*\{", text, re.M):
            defined[name] = os.path.dirname(path)
public = {name: room for name, room in defined.items() if name not in ("main",)}
offered = {name for name, room in public.items()
           if any(name in words[path] for path in sources if path.endswith(".c") and os.path.dirname(path) != room)}
for what, count, most in (("offer one another", len(offered), OFFERED_MAX), ("have", len(public), PUBLIC_MAX)):
    if count > most:
        wrong.append(f"core's rooms {what} {count} public functions; there were {most}: make static what one file uses")
for room in {os.path.dirname(path) for path in sources}:
    header = f"{room}/{os.path.basename(room)}.h"
    if not any(room in uses for uses in MAY.values()):
        continue
    for name in re.findall(r"\b(\w+)\([^;{}]*\)[^;{}]*;", re.sub(r"\{.*?^\}", "", sources.get(header, ""), flags=re.S | re.M)):
        if public.get(name) == room and name not in offered:
            wrong.append(f"{header}: declares {name}, which only its own room uses")

# Maps.
for path, rooms in MAPS.items():
    comment = re.match(r"/\*.*?\*/", read(path), re.S)[0]
    named = set(re.findall(r"\b([\w]+)\.[chS8]\b", comment))
    for room in rooms:
        there = {os.path.splitext(os.path.basename(f))[0] for f in files if os.path.dirname(f) == room}
        for name in sorted(there - named):
            wrong.append(f"{path}: does not name {name} of {room}")
    everywhere = {os.path.splitext(os.path.basename(f))[0] for f in files}
    for name in sorted(named - everywhere):
        wrong.append(f"{path}: names {name}, which is nowhere")

for line in wrong:
    print(line)
sys.exit(1 if wrong else 0)
