"""Replay of traces: the runtime's own come out as they went in, a PyTorch snapshot is read as the
format says, and what is no snapshot or no trace is refused with a message.

    python3 snapshot.py SNAPSHOT_PY SAR_REPLAY SAR_RUN FOLDER
"""
import collections
import os
import pickle
import subprocess
import sys

MIB = 1 << 20
BASE = 0x7F0000000000
failures = 0


def check(ok, what):
    global failures
    if not ok:
        failures += 1
        print("FAILED", what)


def run(*command):
    p = subprocess.run(command, text=True, capture_output=True)
    return p.returncode, p.stdout, p.stderr


def entry(action, addr, size, stream=0):
    return {"action": action, "addr": addr, "size": size, "stream": stream, "frames": [], "time_us": 0}


def free_now(addr, size):
    return [entry("free_requested", addr, size), entry("free_completed", addr, size)]


def snapshot():
    """What PyTorch's rules give: a block that waits keeps its segment, so a second one is made."""
    side, big = 0x5A0, 32 * MIB
    old, segment, a, b = BASE, BASE + 2 * MIB, BASE + 64 * MIB, BASE + 128 * MIB
    trace = [
        *free_now(old, 700),  # allocated before the trace
        entry("snapshot", 0, 0),
        entry("segment_alloc", a, big),
        entry("alloc", a, big - 100),
        entry("free_requested", a, big - 100),  # was recorded on another stream
        entry("segment_alloc", b, big),
        entry("alloc", b, big - 100),
        entry("free_completed", a, big - 100),
        *free_now(b, big - 100),
        entry("alloc", a, big),
        entry("segment_alloc", segment, 2 * MIB, side),
        entry("alloc", segment, 1000, side),
        *free_now(a, big),
        {"action": "oom", "device_free": 0, "size": 1 << 40, "stream": 0, "frames": []},
        entry("segment_free", a, big),
        entry("segment_free", b, big),
        entry("segment_free", old, 2 * MIB),
    ]
    segments = [{"address": segment, "total_size": 2 * MIB, "stream": side, "device": 1}]
    return {"segments": segments, "device_traces": [[], trace]}


EXPECTED = [
    "0 segment_alloc 1 2097152 0 0 0 2097152",
    "1 malloc 1 700 1 1024 1024 2097152",
    "2 free 1 700 1 0 1024 2097152",
    "3 available 1 700 1 0 0 2097152",
    "4 segment_alloc 1 33554432 0 0 0 35651584",
    "5 malloc 1 33554332 2 33554432 33554432 35651584",
    "6 free 1 33554332 2 0 33554432 35651584",
    "7 segment_alloc 1 33554432 0 0 33554432 69206016",
    "8 malloc 1 33554332 3 33554432 67108864 69206016",
    "9 available 1 33554332 2 33554432 33554432 69206016",
    "10 free 1 33554332 3 0 33554432 69206016",
    "11 available 1 33554332 3 0 0 69206016",
    "12 malloc 1 33554432 4 33554432 33554432 69206016",
    "13 segment_alloc 2 2097152 0 33554432 33554432 71303168",
    "14 malloc 2 1000 5 33555456 33555456 71303168",
    "15 free 1 33554432 4 1024 33555456 71303168",
    "16 available 1 33554432 4 1024 1024 71303168",
    "17 oom 1 1099511627776 0 1024 1024 71303168",
    "18 segment_free 1 33554432 0 1024 1024 37748736",
    "19 segment_free 1 33554432 0 1024 1024 4194304",
    "20 segment_free 1 2097152 0 1024 1024 2097152",
]


def read_snapshot(reader, replay, folder):
    path, trace = os.path.join(folder, "snapshot.pickle"), os.path.join(folder, "snapshot.tsv")
    with open(path, "wb") as f:
        pickle.dump(snapshot(), f)
    code, text, message = run(sys.executable, reader, path, "--device", "1")
    check(code == 0, f"reading a snapshot: {message}")
    got = text.replace("\t", " ").splitlines()
    for want, line in zip(EXPECTED, got):
        check(want == line, f"wanted '{want}', got '{line}'")
    check(len(got) == len(EXPECTED), "number of entries")
    with open(trace, "w") as f:
        f.write(text)
    code, text, message = run(replay, trace)
    check(code == 0, f"replaying a snapshot: {message}")
    report = {line[:32].strip(): line[32:] for line in text.splitlines()}
    check(report.get("segments made, trace") == "4", text)
    check(report.get("segments made, here") == "4", text)
    check(report.get("frees that waited") == "1", text)
    check(report.get("reserved peak, here") == "68.0 MiB", text)
    check(report.get("reserved apart at most") == "0.0 MiB", text)


def refuse(reader, replay, folder):
    def expect(words, *command):
        code, _, message = run(*command)
        check(code != 0 and words in message and "Traceback" not in message, f"'{words}': {message}")

    def write(name, data):
        path = os.path.join(folder, name)
        with open(path, "wb") as f:
            f.write(data)
        return path

    whole = pickle.dumps(snapshot())
    read = (sys.executable, reader)
    expect("names collections.OrderedDict", *read, write("class.pickle", pickle.dumps(collections.OrderedDict())))
    expect("short.pickle", *read, write("short.pickle", whole[: len(whole) // 2]))
    expect("no device_traces", *read, write("list.pickle", pickle.dumps([1])))
    expect("device 2 of 2", *read, write("whole.pickle", whole), "--device", "2")
    expect("has no addr", *read, write("addr.pickle", pickle.dumps({"device_traces": [[{"action": "alloc"}]]})))
    lines = (
        ("malloc one", "not an entry"),
        ("0 malloc 1 512 2 0 0 0", "numbered from 1"),
        ("0 free 1 512 1 0 0 0", "not allocated before"),
        ("0 malloc 1 512 1 0 0 0\n1 free 1 512 1 0 0 0\n2 free 1 512 1 0 0 0", "tsv:3: block is not live"),
        ("0 malloc 1 512 1 0 0 0\n1 available 1 512 1 0 0 0", "tsv:2: wrong state"),
        ("0 shrink 1 512 0 0 0 0", "tsv:1: bad argument"),
    )
    for text, words in lines:
        expect(words, replay, write("bad.tsv", text.encode() + b"\n"))


def own_traces(replay, runner, folder):
    for fixture, form in (("cpu_ahead", "R"), ("cpu_ahead", "E"), ("small_blocks", "R"), ("container", "R")):
        trace, again = (os.path.join(folder, name) for name in ("own.tsv", "again.tsv"))
        code, _, _ = run(runner, "--fixture", fixture, "--form", form, "--runs", "1", "--trace", trace)
        check(code == 0, f"{fixture}: no trace")
        code, text, message = run(replay, trace, "--trace", again)
        check(code == 0, f"{fixture}: {message}")
        sides = []
        for path in (trace, again):
            with open(path) as f:
                rows = [line.split("\t")[1:] for line in f]
            sides.append([r for r in rows if r[0] != "record_stream"])
        check(sides[0] and sides[0] == sides[1], f"{fixture} {form}: the replay differs")


def main():
    reader, replay, runner, folder = sys.argv[1:5]
    os.makedirs(folder, exist_ok=True)
    read_snapshot(reader, replay, folder)
    refuse(reader, replay, folder)
    own_traces(replay, runner, folder)
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
