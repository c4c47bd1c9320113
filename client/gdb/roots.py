"""info roots: the live references of frames that smd compiled, in gdb.

    gdb -x client/gdb/roots.py runtime
    (gdb) info roots            the selected frame's
    (gdb) info roots all        those of every frame of the thread

It reads stackmaps out of the process's memory, or a core dump's: of objects that libsmclient has loaded with SM_LOAD_GDB, and of
the program and its libraries; LLVM's table (version 3) and the compact one (docs/compact.md). It calls nothing in the
process. Registers and frames are gdb's own, by .eh_frame. x86-64 and AArch64.
"""
import re
import struct

import gdb

REGISTER, DIRECT, INDIRECT, CONSTANT = 1, 2, 3, 4  # kinds of locations, by LLVM's numbers
X86_64, AARCH64 = 62, 183
NAMES = {
    X86_64: ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"] + [f"r{i}" for i in range(8, 16)],
    AARCH64: [f"x{i}" for i in range(31)] + ["sp"],
}
SP = {X86_64: 7, AARCH64: 31}


class Location:
    """Where a value is: a kind, its bytes, a register by DWARF's number, an offset or a constant."""

    def __init__(self, kind, size, register, value):
        self.kind, self.size, self.register, self.value = kind, size, register, value

    def at(self, offset):
        """The same for a vector's element so many bytes on."""
        return Location(self.kind, 8, self.register, self.value + (offset if self.kind == INDIRECT else 0))

    def text(self, machine):
        if self.kind == CONSTANT:
            return str(self.value)
        name = NAMES[machine][self.register]
        return name if self.kind == REGISTER else f"[{name}{self.value:+d}]"


class Record:
    """A safepoint: its function's address, its id, pairs of base and derived locations, regions."""

    def __init__(self, function, number, pairs, regions):
        self.function, self.number, self.regions = function, number, regions
        self.pairs = []
        for base, derived in pairs:
            for i in range(max(derived.size // 8, 1)):
                self.pairs.append((base.at(8 * i) if base.size > 8 else base, derived.at(8 * i)))


def statepoint(locations):
    """Splits a statepoint's locations, as LLVM's StackMaps document has them, into pairs and regions."""
    first = 3 + locations[2].value
    rest = locations[first:]
    regions = []
    while rest and rest[-1].kind == DIRECT:
        regions.insert(0, rest.pop())
    if len(rest) % 2:  # a pair of an alloca's address
        rest.append(regions.pop(0))
    return list(zip(rest[::2], rest[1::2])), regions


# ---- LLVM's table ---------------------------------------------------------------------------------------------------


def llvm_records(data, address_of):
    """The records of one table or of several, one behind another. ADDRESS_OF gives the function's address that the field
    at an offset of DATA means."""
    records, at = {}, 0
    while at + 16 <= len(data):
        version, functions, constants, count = struct.unpack_from("<B3xIII", data, at)
        if version != 3:
            at += 8  # padding between tables
            continue
        function = at + 16
        constant = function + 24 * functions
        at = constant + 8 * constants
        pool = struct.unpack_from(f"<{constants}Q", data, constant)
        for f in range(functions):
            start = address_of(function + 24 * f)
            for _ in range(struct.unpack_from("<Q", data, function + 24 * f + 16)[0]):
                number, offset, n = struct.unpack_from("<QI2xH", data, at)
                locations = []
                for i in range(n):
                    kind, size, register, value = struct.unpack_from("<BxHH2xi", data, at + 16 + 12 * i)
                    if kind == 5:
                        kind, value = CONSTANT, pool[value]
                    locations.append(Location(kind, size, register, value))
                at += (16 + 12 * n + 7) & ~7
                at += (4 + 4 * struct.unpack_from("<2xH", data, at)[0] + 7) & ~7
                if n >= 3 and all(x.kind == CONSTANT for x in locations[:3]):
                    records[start + offset] = Record(start, number, *statepoint(locations))
    return records


# ---- The compact table ----------------------------------------------------------------------------------------------


class Bytes:
    """Numbers of any length, read one after another."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def uv(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                return value

    def sv(self):
        n = self.uv()
        return -(n >> 1) - 1 if n & 1 else n >> 1

    def location(self):
        h = self.uv()
        size = [8, 4, 16, 0][h >> 2 & 3] or self.uv()
        return Location([REGISTER, DIRECT, INDIRECT, CONSTANT][h & 3], size, h >> 4, 0 if h & 3 == 0 else self.sv())

    def list(self):
        return [self.location() for _ in range(self.uv())]


def compact_roots(b, machine):
    def plain(n):
        return Location(INDIRECT, 8, SP[machine], 8 * n)

    v = b.uv()
    if v & 1:
        return [(plain(n), plain(n)) for n in range(62) if v >> (n + 1) & 1]
    pairs = []
    for _ in range(v // 2):
        c = b.uv()
        if c & 1 == 0:
            pairs.append((plain(c // 2), plain(c // 2)))
        elif c & 3 == 1:
            pairs.append((plain(b.uv()), plain(c // 4)))
        elif c == 3:
            base = b.location()
            pairs.append((base, b.location()))
        else:
            both = b.location()
            pairs.append((both, both))
    return pairs


def compact_shape(data, at, machine):
    """Pairs and regions of a statepoint's shape; None of another's."""
    b = Bytes(data, at)
    head = b.byte()
    flags = b.byte() if head & 128 else 0
    if head & 7 == 4:
        return [(x, x) for x in b.list()], []
    if head & 7 != 1:
        return None
    if flags & 1:
        b.uv(), b.uv()
    if flags & 2:
        b.list()
    pairs = compact_roots(b, machine)
    return pairs, b.list() if flags & 4 else []


def compact_records(data, address):
    """The records of the section, which stands at ADDRESS."""
    records, blob = {}, 0
    while blob + 32 <= len(data):
        magic, _, has_ids, machine, size, functions, shapes, directory, first = struct.unpack_from("<IBBHIIIIQ", data, blob)
        if magic != 0x4D444D53:
            blob += 4  # padding between blobs
            continue
        shape_at = []
        for s in range(shapes):
            if s % 16 == 0:
                b = Bytes(data, blob + struct.unpack_from("<I", data, blob + directory + 4 * (s // 16))[0])
            length = b.uv()
            shape_at.append(b.at)
            b.at += length
        for f in range(functions):
            field = blob + 32 + 4 * f
            start = address + field + struct.unpack_from("<i", data, field)[0]
            if f % 8 == 0:
                b = Bytes(data, blob + struct.unpack_from("<I", data, blob + 32 + 4 * functions + 4 * (f // 8))[0])
            length = b.uv()
            end = b.at + length
            b.uv()
            place, shape, number = start, 0, first
            while b.at < end:
                place += b.uv() * (4 if machine == AARCH64 else 1)
                again = b.uv()
                shape = again - 1 if again else shape
                number = number + b.sv() if has_ids & 1 else first
                parts = compact_shape(data, shape_at[shape], machine)
                if parts:
                    records[place] = Record(start, number, *parts)
        blob += size
    return records


# ---- Where tables are -----------------------------------------------------------------------------------------------


def memory(address, size):
    return gdb.selected_inferior().read_memory(address, size).tobytes()


def object_records(file):
    """The records of an object that was loaded: FILE is its bytes, with its sections' addresses."""
    offset, entry, count, names = struct.unpack_from("<Q10xHHH", file, 40)
    section = [struct.unpack_from("<IIQQQQIIQQ", file, offset + entry * i) for i in range(count)]

    def name(s):
        start = section[names][4] + s[0]
        return file[start:file.index(b"\0", start)].decode()

    records = {}
    for i, s in enumerate(section):
        if name(s) == ".smd_maps" and s[3]:
            records.update(compact_records(memory(s[3], s[5]), s[3]))
        if name(s) != ".llvm_stackmaps":
            continue
        target = {}
        for r in section:
            if r[1] != 4 or r[7] != i:  # SHT_RELA of this section
                continue
            for at in range(r[4], r[4] + r[5], 24):
                where, info, addend = struct.unpack_from("<QQq", file, at)
                _, _, _, index, value, _ = struct.unpack_from("<IBBHQQ", file, section[r[6]][4] + 24 * (info >> 32))
                target[where] = section[index][3] + value + addend
        records.update(llvm_records(file[s[4]:s[4] + s[5]], lambda field: target.get(field, 0)))
    return records


loaded = {}  # what was read of objects, by where their files are


def jit_records():
    """The records of all objects that libsmclient has told gdb of."""
    global loaded
    try:
        descriptor = int(gdb.parse_and_eval("(unsigned long)&__jit_debug_descriptor"))
    except gdb.error:
        return {}
    records, seen = {}, {}
    entry = struct.unpack("<Q", memory(descriptor + 16, 8))[0]
    while entry:
        following, _, file, size = struct.unpack("<QQQQ", memory(entry, 32))
        key = (entry, file, size)
        seen[key] = loaded[key] if key in loaded else object_records(memory(file, size))
        records.update(seen[key])
        entry = following
    loaded = seen
    return records


def program_records():
    """The records of the program and its libraries."""
    records = {}
    for line in gdb.execute("info files", to_string=True).splitlines():
        m = re.match(r"\s*(0x[0-9a-f]+) - (0x[0-9a-f]+) is (\.llvm_stackmaps|\.smd_maps)\b", line)
        if not m:
            continue
        start, end = int(m[1], 16), int(m[2], 16)
        try:
            data = memory(start, end - start)
        except gdb.MemoryError:
            continue
        if m[3] == ".smd_maps":
            records.update(compact_records(data, start))
        else:
            records.update(llvm_records(data, lambda field: struct.unpack_from("<Q", data, field)[0]))
    return records


def all_records():
    return {**program_records(), **jit_records()}


# ---- Frames ---------------------------------------------------------------------------------------------------------


def machine_of(frame):
    return AARCH64 if frame.architecture().name().startswith("aarch64") else X86_64


def address_of(frame, location):
    """Where the value of a location is in memory; None if it is in a register, or a constant."""
    if location.kind != INDIRECT:
        return None
    register = NAMES[machine_of(frame)][location.register]
    return (int(frame.read_register(register)) + location.value) & (2**64 - 1)


def value_of(frame, location):
    """A location's value in a frame; None if gdb does not know the register."""
    if location.kind == CONSTANT:
        return location.value
    try:
        register = int(frame.read_register(NAMES[machine_of(frame)][location.register])) & (2**64 - 1)
    except gdb.error:
        return None
    if location.kind == REGISTER:
        return register
    if location.kind == DIRECT:
        return (register + location.value) & (2**64 - 1)
    return struct.unpack("<Q", memory((register + location.value) & (2**64 - 1), 8))[0]


def waits_at(frame):
    """The address where a frame goes on. After a return barrier of libsmclient's (docs/client.md, "Watermarks"), whose stub is
    a signal's frame to gdb, gdb has the address before it."""
    stub = frame.newer()
    is_stub = stub is not None and stub.type() == gdb.SIGTRAMP_FRAME and \
        stub.read_register("sp") == frame.read_register("sp")
    return frame.pc() + is_stub


def show(frame, record):
    """Writes a frame's references."""
    machine = machine_of(frame)
    print(f"#{frame.level()}  {frame.name() or '?'}+{waits_at(frame) - record.function:#x}, safepoint {record.number}: "
          f"{len(record.pairs)} references")
    for base, derived in record.pairs:
        value = value_of(frame, derived)
        line = f"  {derived.text(machine):<14} {'not known' if value is None else hex(value)}"
        if base.text(machine) != derived.text(machine):
            line += f"  derived from {base.text(machine)}"
            origin = value_of(frame, base)
            if value is not None and origin is not None:
                line += f", {value - origin:+d}"
        print(line)
    for region in record.regions:
        value = value_of(frame, region)
        print(f"  {region.text(machine):<14} {'not known' if value is None else hex(value)}  a variable with references")


class Roots(gdb.Command):
    """The live references of the selected frame, or of all frames: info roots [all].

Each line has the place, the value and, of a derived pointer, the place of the object that it points into. A frame
that does not wait at a safepoint of smd's has no known references."""

    def __init__(self):
        super().__init__("info roots", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if argument not in ("", "all"):
            raise gdb.GdbError("info roots, or info roots all")
        records = all_records()
        frame = gdb.newest_frame() if argument else gdb.selected_frame()
        shown = 0
        while frame:
            record = records.get(waits_at(frame))
            if record:
                show(frame, record)
                shown += 1
            frame = frame.older() if argument else None
        if not shown:
            print("This frame waits at no safepoint of smd's; 'info roots all' looks at every one." if not argument else "No frame waits at a safepoint of smd's.")


Roots()
