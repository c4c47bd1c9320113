#!/usr/bin/env python3
"""Reads what gcov has counted in a build: a table of rooms, or the lines of files that nothing ran.

    coverage.py BUILD
    coverage.py BUILD FILE ...
"""
import collections
import concurrent.futures
import json
import os
import subprocess
import sys

ROOMS = ("client", "core", "proto", "server")


def notes(build):
    for folder, _, names in os.walk(build):
        yield from (os.path.join(folder, n) for n in names if n.endswith(".gcno"))


def counted(note):
    """What one object file's lines were run: [(source, line, count)]."""
    out = subprocess.run(["gcov", "--json-format", "--stdout", os.path.abspath(note)], capture_output=True,
                         cwd=os.path.dirname(note)).stdout
    found = []
    for text in out.decode().splitlines():
        document = json.loads(text)
        for file in document["files"]:
            path = os.path.relpath(os.path.join(document["current_working_directory"], file["file"]))
            if path.split(os.sep)[0] in ROOMS:
                found += [(path, line["line_number"], line["count"]) for line in file["lines"]]
    return found


def main():
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(counted, notes(sys.argv[1])):
            for path, line, count in found:
                lines[path][line] += count
    if len(sys.argv) > 2:
        for path in sys.argv[2:]:
            for line in sorted(n for n, count in lines[path].items() if not count):
                print(f"{path}:{line}")
        return
    rooms = collections.defaultdict(lambda: [0, 0])
    for path, of_file in lines.items():
        for room in (os.path.dirname(path), "all"):
            rooms[room][0] += sum(1 for count in of_file.values() if count)
            rooms[room][1] += len(of_file)
    print("| room | lines | run |\n| --- | --- | --- |")
    for room in sorted(rooms, key=lambda r: (r == "all", r)):
        run, total = rooms[room]
        print(f"| {room} | {total} | {100 * run / total:.0f} % |")


main()
