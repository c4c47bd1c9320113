#!/usr/bin/env python3
"""What core/llvm19 repairs is at fault in LLVM still. A file of tests/process/llvm19 has a COMMAND of LLVM's own tools, and
the FAULT, an expression that their output and exit status match. Where LLVM gives something else, it was repaired there:
the file of core/llvm19 of that name can go, or what it says of LLVM has to be looked at."""
import pathlib
import re
import shlex
import subprocess
import sys

SECONDS = 600


def field(text, name):
    return re.search(rf"^; {name}: (.*)$", text, re.M).group(1)


def run(command, path):
    """The output of a pipeline, whose exit status is that of its last command."""
    data, text = b"", ""
    for part in command.split(" | "):
        words = [str(path) if word == "%s" else word for word in shlex.split(part)]
        done = subprocess.run(words, input=data, capture_output=True, timeout=SECONDS, check=False)
        data, text = done.stdout, done.stderr.decode(errors="replace")
    return data.decode(errors="replace") + text + f"\nexit status {done.returncode}\n"


def main():
    folder = pathlib.Path(__file__).parent / "llvm19"
    files, failures = sorted(folder.glob("*.ll")), 0
    for path in files:
        text = path.read_text()
        output = run(field(text, "COMMAND"), path)
        if not re.search(field(text, "FAULT"), output):
            failures += 1
            print(f"{path.name}: LLVM has repaired this, or fails otherwise:\n{output[-2000:]}")
    print(f"{len(files) - failures} of {len(files)} faults are there")
    return failures != 0 or not files


sys.exit(main())
