"""A reader of .smd_maps that was written from docs/compact.md alone; shares no code with smd."""
import struct


class Bytes:
    def __init__(self, data, at, end):
        self.data, self.at, self.end = data, at, end

    def u8(self):
        assert self.at < self.end, "behind the end"
        self.at += 1
        return self.data[self.at - 1]

    def uv(self):
        value = shift = 0
        while True:
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def sv(self):
        n = self.uv()
        return -(n + 1) // 2 if n & 1 else n // 2


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def element(blob, directory, group, i):
    at = u32(blob, directory + i // group * 4)
    for _ in range(i % group):
        b = Bytes(blob, at, len(blob))
        n = b.uv()
        at = b.at + n
    b = Bytes(blob, at, len(blob))
    n = b.uv()
    return Bytes(blob, b.at, b.at + n)


KINDS = ["register", "direct", "indirect", "constant"]


def location(b):
    h = b.uv()
    kind = h & 3
    size = [8, 4, 16, None][h >> 2 & 3]
    if size is None:
        size = b.uv()
    value = b.sv() if kind else 0
    if kind == 3:
        return ("constant", value, size)
    return (KINDS[kind], h >> 4, value if kind else None, size)


def locations(b):
    return [location(b) for _ in range(b.uv())]


def slot(n, machine):
    return ("indirect", 7 if machine == 62 else 31, 8 * n, 8)


def roots(b, machine):
    v = b.uv()
    if v & 1:
        return [(slot(n, machine),) * 2 for n in range(62) if v >> (n + 1) & 1]
    pairs = []
    for _ in range(v // 2):
        c = b.uv()
        if c % 2 == 0:
            pairs.append((slot(c // 2, machine),) * 2)
        elif c % 4 == 1:
            base = slot(b.uv(), machine)
            pairs.append((base, slot(c // 4, machine)))
        elif c == 3:
            base = location(b)
            pairs.append((base, location(b)))
        else:
            assert c == 7, c
            pairs.append((location(b),) * 2)
    return pairs


REASONS = [None, "entry-poll", "backedge-poll", "return-poll", "precall-poll", "explicit", "call", "postcall-poll"]
RECORDS = ["unknown", "statepoint", "stackmap", "patchpoint", "gcroot"]


def shape(b, machine):
    head = b.u8()
    flags = b.u8() if head & 0x80 else 0
    s = {"kind": RECORDS[head & 7], "reason": REASONS[head >> 3 & 15]}
    if s["kind"] == "statepoint":
        s["convention"], s["flags"] = (b.uv(), b.uv()) if flags & 1 else (0, 0)
        s["deopt"] = locations(b) if flags & 2 else []
        s["roots"] = roots(b, machine)
        s["regions"] = locations(b) if flags & 4 else []
    else:
        s["locations"] = locations(b)
    s["live_outs"] = [(b.uv(), b.u8()) for _ in range(b.uv())] if flags & 8 else []
    s["fault"] = b.uv() if flags & 16 else None
    s["patch"] = b.uv() if flags & 32 else 0
    assert b.at == b.end, "a shape goes on behind its end"
    return s


def functions(section, address):
    """Of a section that lies at ADDRESS: (address, frame size or None, [(offset, id, shape)])."""
    at = 0
    while at < len(section):
        if section[at] == 0:
            at += 1
            continue
        magic, version, has_ids, machine, size, count, shapes, shapes_at, first_id = struct.unpack_from(
            "<IBBHIIIIQ", section, at)
        assert magic == 0x4D444D53 and version == 1 and size % 4 == 0
        blob = section[at:at + size]
        known = [shape(element(blob, shapes_at, 16, i), machine) for i in range(shapes)]
        for f in range(count):
            field = 32 + 4 * f
            start = address + at + field + struct.unpack_from("<i", blob, field)[0]
            b = element(blob, 32 + 4 * count, 8, f)
            frame = b.uv()
            frame = None if frame == 0 else frame // 2 * 8 if frame & 1 else frame // 2 - 1
            offset, which, identity, records = 0, 0, first_id, []
            while b.at < b.end:
                offset += b.uv() * (1 if machine == 62 else 4)
                n = b.uv()
                which = which if n == 0 else n - 1
                if has_ids:
                    identity += b.sv()
                records.append((offset, identity, known[which]))
            yield start, frame, records
        at += size
