"""In gdb, by frames_test.c: the frames and roots that gdb sees are those of the walk, which frames_check has written into DUMP.

    gdb -batch -ex "python DUMP='...'; CHAINS=N" -x gdb_frames.py --args frames_check ...
"""
import gdb

gdb.execute(f"source {ROOTS}")
PRESERVED = {62: {3: "rbx", 6: "rbp", 12: "r12", 13: "r13", 14: "r14", 15: "r15"},
             183: {i: f"x{i}" for i in range(19, 30)}}
WORD = 2**64 - 1
sums = {"chains": 0, "frames": 0, "registers": 0, "saved": 0, "roots": 0}


def fail(what):
    print("WRONG:", what)
    gdb.execute("kill")
    gdb.execute("quit 1")


def chains():
    """What the walk has seen, chain after chain."""
    frames = []
    with open(DUMP, encoding="ascii") as f:
        for line in f:
            words = line.split()
            if words[0] == "frame":
                registers = {int(n): (int(v, 16), int(at, 16)) for n, v, at in (w.split(":") for w in words[5:])}
                frames.append({"name": words[1], "pc": int(words[2], 16), "sp": int(words[3], 16), "cfa": int(words[4], 16),
                               "registers": registers, "roots": []})
            elif words[0] == "root":
                frames[-1]["roots"].append((int(words[1], 16), int(words[2], 16)))
            else:
                yield frames
                frames = []


def saved_at(frame):
    """Where gdb says that a frame has saved its caller's registers."""
    import re
    frame.select()
    text = gdb.execute("info frame", to_string=True)
    return {m[1]: int(m[2], 16) for m in re.finditer(r"(\w+) at (0x[0-9a-f]+)", text[text.index("Saved registers:"):])} \
        if "Saved registers:" in text else {}


def compare(frame, walked, caller):
    machine = machine_of(frame)
    where = f"{walked['name']} at {walked['pc']:#x}"
    sp = int(frame.read_register("sp")) & WORD
    if sp != walked["sp"]:
        fail(f"{where}: the stack pointer is {sp:#x}, by the walk {walked['sp']:#x}")
    cfa = int(frame.older().read_register("sp")) & WORD
    if cfa != walked["cfa"]:
        fail(f"{where}: the caller's stack pointer is {cfa:#x}, by the walk {walked['cfa']:#x}")
    for number, name in PRESERVED[machine].items():
        value = int(frame.read_register(name)) & WORD
        if value != walked["registers"][number][0]:
            fail(f"{where}: {name} is {value:#x}, by the walk {walked['registers'][number][0]:#x}")
        sums["registers"] += 1
    if caller:  # the next frame outwards is managed, too: its registers are where this one saved them
        saved = saved_at(frame)
        for number, name in PRESERVED[machine].items():
            if name in saved:
                at = caller["registers"][number][1]
                if saved[name] != at:
                    fail(f"{where}: {name} is saved at {saved[name]:#x}, by the walk at {at:#x}")
                sums["saved"] += 1


def compare_roots(frame, record, walked):
    roots = [(value_of(frame, base), value_of(frame, derived)) for base, derived in record.pairs
             if CONSTANT not in (base.kind, derived.kind)]
    if roots != walked["roots"]:
        fail(f"{walked['name']}: the roots are {roots}, by the walk {walked['roots']}")
    sums["roots"] += len(roots)


gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set breakpoint pending on")
gdb.execute("handle SIGSEGV nostop noprint pass")
gdb.execute("set backtrace limit unlimited")
gdb.execute("break frames_ready")
gdb.execute(START)
if START != "run":
    gdb.execute("continue")
walks = chains()
while sums["chains"] < CHAINS:
    if sums["chains"]:
        gdb.execute("continue", to_string=True)
    walked = next(walks)
    records = all_records()
    frame, ours = gdb.newest_frame(), []
    while frame:
        if waits_at(frame) in records:
            ours.append((frame, records[waits_at(frame)]))
        elif walked and not ours and frame.name() == walked[0]["name"]:
            ours.append((frame, None))  # stopped at a page poll: its record has the address behind that
        frame = frame.older()
    if len(ours) != len(walked):
        fail(f"gdb sees {len(ours)} frames, the walk {len(walked)}")
    for i, (frame, record) in enumerate(ours):
        if record and waits_at(frame) != walked[i]["pc"]:
            fail(f"{walked[i]['name']}: waits at {waits_at(frame):#x}, by the walk at {walked[i]['pc']:#x}")
        next_one = walked[i + 1] if i + 1 < len(ours) and frame.older() == ours[i + 1][0] else None
        compare(frame, walked[i], next_one)
        if record:
            compare_roots(frame, record, walked[i])
        sums["frames"] += 1
    if not sums["chains"]:
        text = gdb.execute("info roots all", to_string=True)
        with_record = [record for _, record in ours if record]
        if text.count(", safepoint ") != len(with_record) or text.count("\n  ") != sum(len(r.pairs) for r in with_record):
            fail(f"info roots all:\n{text}")
        print(text)
    sums["chains"] += 1
print("EQUAL:", ", ".join(f"{n} {what}" for what, n in sums.items()))
gdb.execute("kill")
gdb.execute("quit 0")
