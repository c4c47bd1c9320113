"""perf inject names every sample in loaded code, by the jitdump, also where other code has stood at the same address since; and knows its line.

    perf_test.py PERF_CHECK FOLDER

No sample is taken, which some kernels forbid: a recording is written here, with a sample at every fourth byte of every function, at
a time when it was there. What becomes of it is perf's work.
"""
import glob
import os
import shutil
import struct
import subprocess
import sys

PROGRAM, FOLDER = sys.argv[1:]
CLOCK_MONOTONIC = 1
IP, TID, TIME = 1, 2, 4                                    # sample_type
MMAP, COMM, ID_ALL, MMAP2, CLOCKID = (1 << i for i in (8, 9, 18, 23, 25))  # perf_event_attr's flags
RECORD_MMAP2, RECORD_COMM, RECORD_SAMPLE = 10, 3, 9
USER = 2                                                   # misc
SOURCES = {
    "one": "long first(long n) { while (n > 9) n = n / 3 + 1; return n; }\nlong second(long n) { return n ^ 5; }",
    "two": "long third(long n) { return n * n; }\nlong fourth(long n) { for (long i = 1; i < n; i++) n ^= i * 7; return n; }",
}


os.environ["PERF_BUILDID_DIR"] = FOLDER + "/cache"  # not the user's own


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def record(kind, body, pid, time):
    """With the fields that sample_id_all has at the end."""
    body += struct.pack("<IIQ", pid, pid, time)
    return struct.pack("<IHH", kind, USER, 8 + len(body)) + body


def name_of(text):
    """At a multiple of 8, ended by a zero."""
    data = text.encode() + b"\0"
    return data + bytes(-len(data) % 8)


def write_recording(path, pid, dump, samples):
    """The file format of perf (tools/perf/Documentation/perf.data-file-format.txt): header, one event, records."""
    attributes = struct.pack("<IIQQQQQ", 1, 112, 0, 1000000, IP | TID | TIME, 0, MMAP | COMM | ID_ALL | MMAP2 | CLOCKID)
    attributes += struct.pack("<IIQQQQIiQIHH", 0, 0, 0, 0, 0, 0, 0, CLOCK_MONOTONIC, 0, 0, 0, 0)
    assert len(attributes) == 112
    begin = samples[0][0] - 10**9
    data = record(RECORD_COMM, struct.pack("<II", pid, pid) + name_of("jit"), pid, begin)
    data += record(RECORD_MMAP2, struct.pack("<IIQQQIIQQII", pid, pid, 0x10000, 4096, 0, 0, 0, os.stat(dump).st_ino, 0, 5, 2)
                   + name_of(dump), pid, begin + 1)
    for time, address, _ in samples:
        body = struct.pack("<QIIQ", address, pid, pid, time)
        data += struct.pack("<IHH", RECORD_SAMPLE, USER, 8 + len(body)) + body
    event = attributes + struct.pack("<QQ", 0, 0)          # with no ids
    at = 104 + len(event)
    header = b"PERFILE2" + struct.pack("<QQ", 104, len(event)) + struct.pack("<QQ", 104, len(event))
    header += struct.pack("<QQQQ", at, len(data), 0, 0) + bytes(32)
    with open(path, "wb") as out:
        out.write(header + event + data)


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    for name, text in SOURCES.items():
        with open(f"{FOLDER}/{name}.c", "w") as source:
            source.write(text)
        run(["cc", "-O1", "-g", "-c", "-o", f"{FOLDER}/{name}.o", f"{FOLDER}/{name}.c"])
    said = run([PROGRAM, f"{FOLDER}/one.o", f"{FOLDER}/two.o", f"{FOLDER}/one.o"], env=dict(os.environ, JITDUMPDIR=FOLDER))
    functions = [line.split() for line in said.splitlines()]
    samples = sorted((int(time), int(address) + i, name) for time, address, size, name in functions
                     for i in range(0, int(size), 4))
    assert len(functions) == 6 and len(samples) > 12, said
    dump, = glob.glob(f"{FOLDER}/jit-*.dump")
    pid = int(dump.rsplit("-", 1)[1].split(".")[0])
    write_recording(f"{FOLDER}/taken.data", pid, dump, samples)
    run(["perf", "inject", "--jit", "-i", f"{FOLDER}/taken.data", "-o", f"{FOLDER}/named.data"])
    told = run(["perf", "script", "-i", f"{FOLDER}/named.data", "-F", "time,ip,sym", "--ns"]).split()
    times, names = told[0::3], told[2::3]
    expected = [name for _, _, name in samples]
    assert names == expected, f"{list(zip(times, names))}\n{expected}"
    for i, line in enumerate((1, 2) * 3):                  # each function is a line of its source
        file = f"{FOLDER}/jitted-{pid}-{i}.so"
        rows = run(["llvm-dwarfdump-19", "--debug-line", file]).splitlines()
        assert any(row.split()[1:2] == [str(line)] for row in rows if row.startswith("0x")), rows
        assert any(f"{FOLDER}/{name}.c".encode() in open(file, "rb").read() for name in SOURCES), file
    print(f"{len(samples)} samples, all named")


main()
