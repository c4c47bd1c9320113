#!/usr/bin/env python3
"""The stackmap in an assembly text of LLVM 19 becomes one that an older LLVM would have written.

    old_stackmap.py 2015|3.6|3.7|4.0 <new.s >old.s

2015: the form of Statepoints.rst of that year, one constant; 3.6: two; 3.7: three, all of version 1; 4.0: version 2. In
all of them a spilled value is "direct". Records have no live-outs.
"""
import re
import sys

CONSTANTS = {"2015": 1, "3.6": 2, "3.7": 3, "4.0": 3}
SIZE = {"byte": 1, "short": 2, "hword": 2, "long": 4, "word": 4, "quad": 8, "xword": 8}
NAME = {1: "byte", 2: "2byte", 4: "4byte", 8: "8byte"}
INDIRECT, DIRECT = 3, 2


class Reader:
    def __init__(self, lines):
        self.items = [line.split(None, 1) for line in lines]
        self.at = 0

    def take(self, size):
        kind, value = self.items[self.at]
        assert SIZE[kind[1:]] == size, (kind, value, size)
        self.at += 1
        return value.split("#")[0].split("//")[0].strip()

    def number(self, size):
        return int(self.take(size))

    def align(self):
        assert self.items[self.at][0] == ".p2align"
        self.at += 1


def put(out, size, value):
    out.append(f"\t.{NAME[size]}\t{value}")


def put_locations(out, locations):
    for kind, size, register, value in locations:
        put(out, 1, DIRECT if kind == INDIRECT else kind)
        put(out, 1, size)
        put(out, 2, register)
        put(out, 4, value)


def convert(text, form):
    r, out = Reader(text), []
    version = 2 if form == "4.0" else 1
    assert r.number(1) == 3
    r.take(1), r.take(2)
    functions, constants, records = (r.number(4) for _ in range(3))
    for size, value in ((1, version), (1, 0), (2, 0), (4, functions), (4, constants), (4, records)):
        put(out, size, value)
    for _ in range(functions):
        put(out, 8, r.take(8))
        put(out, 8, r.take(8))
        count = r.take(8)
        if version > 1:
            put(out, 8, count)
    for _ in range(constants):
        put(out, 8, r.take(8))
    for _ in range(records):
        put(out, 8, r.take(8))
        put(out, 4, r.take(4))
        put(out, 2, r.take(2))
        locations = []
        for _ in range(r.number(2)):
            kind, _, size, register, _ = r.number(1), r.take(1), r.number(2), r.number(2), r.take(2)
            locations.append([kind, size, register, r.number(4)])
        skipped = 3 - CONSTANTS[form]
        if skipped == 1:  # flags and convention in one
            locations[1][3] |= locations[0][3] << 1
        locations = locations[skipped:]
        put(out, 2, len(locations))
        put_locations(out, locations)
        r.align(), r.take(2)
        assert r.number(2) == 0
        r.align()
        out.append("\t.p2align\t3")
        put(out, 4, 0)
        out.append("\t.p2align\t3")
    return out


def main():
    lines = sys.stdin.read().split("\n")
    begin = lines.index("__LLVM_StackMaps:") + 1
    end = begin
    while re.match(r"\t\.(byte|short|hword|long|word|quad|xword|p2align)\t", lines[end]):
        end += 1
    print("\n".join(lines[:begin] + convert(lines[begin:end], sys.argv[1]) + lines[end:]))


main()
