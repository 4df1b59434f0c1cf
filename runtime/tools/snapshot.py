"""A PyTorch memory snapshot as a trace of the runtime, for sar-replay and plot.py.

    python3 snapshot.py SNAPSHOT.pickle [--device N] >TRACE.tsv

Reads what torch.cuda.memory._dump_snapshot wrote and needs no PyTorch; a pickle that names any class
or function is refused. Blocks and segments older than the trace's first entry come first, as if made
then. Streams get numbers from 1 in the order of their first use. Levels count sizes rounded to 512
bytes, so a block that PyTorch did not split counts as what was asked for.
"""
import pickle
import sys

ROUND = 512
ACTIONS = {
    "alloc": "malloc",
    "free_requested": "free",
    "free_completed": "available",
    "segment_alloc": "segment_alloc",
    "segment_map": "segment_alloc",
    "segment_free": "segment_free",
    "segment_unmap": "segment_free",
    "oom": "oom",
}


class PlainData(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"it names {module}.{name}; a snapshot is plain data")


def fail(message):
    sys.exit(f"snapshot: {message}")


def load(path, device):
    try:
        with open(path, "rb") as f:
            snapshot = PlainData(f).load()
    except (OSError, EOFError, ValueError, IndexError, KeyError, AttributeError, TypeError,
            pickle.UnpicklingError) as e:
        fail(f"{path}: {e}")
    if not isinstance(snapshot, dict) or not isinstance(snapshot.get("device_traces"), list):
        fail(f"{path}: there are no device_traces in it")
    traces = snapshot["device_traces"]
    if not 0 <= device < len(traces):
        fail(f"{path}: device {device} of {len(traces)}")
    entries = [check_entry(path, i, e) for i, e in enumerate(traces[device])]
    segments = [s for s in snapshot.get("segments", []) if s.get("device", 0) == device]
    return [e for e in entries if e["action"] in ACTIONS], segments


def check_entry(path, i, e):
    if not isinstance(e, dict) or not isinstance(e.get("action"), str):
        fail(f"{path}: entry {i} has no action")
    wanted = ("size", "stream") if e["action"] == "oom" else ("addr", "size", "stream")
    if e["action"] in ACTIONS:
        for key in wanted:
            if not isinstance(e.get(key), int) or e[key] < 0:
                fail(f"{path}: entry {i} ({e['action']}) has no {key}")
    return e


def older_blocks(entries):
    """Blocks whose free is in the trace and whose malloc is not, by address."""
    live, pending, older = set(), set(), {}
    for e in entries:
        a = e.get("addr")
        if e["action"] == "alloc":
            live.add(a)
        elif e["action"] == "free_requested":
            pending.add(a)
            if a not in live:
                older[a] = dict(e, action="alloc")
            live.discard(a)
        elif e["action"] == "free_completed":
            if a not in pending and a not in older:  # asked for before the trace began
                older[a] = dict(e, action="alloc", asked=True)
            pending.discard(a)
    return [older[a] for a in sorted(older)]


def older_segments(entries, segments):
    """Segments at the end, or freed in the trace, that the trace did not make."""
    made, older = set(), {}
    for e in entries:
        if e["action"] in ("segment_alloc", "segment_map"):
            made.add(e["addr"])
        elif e["action"] in ("segment_free", "segment_unmap"):
            if e["addr"] not in made:
                older[e["addr"]] = dict(e, action="segment_alloc")
            made.discard(e["addr"])
    for s in segments:
        if s["address"] not in made:
            older[s["address"]] = {
                "action": "segment_alloc", "addr": s["address"], "size": s["total_size"], "stream": s.get("stream", 0),
            }
    return [older[a] for a in sorted(older)]


class Writer:
    def __init__(self, out):
        self.out, self.step, self.mallocs = out, 0, 0
        self.allocated = self.active = self.reserved = 0
        self.blocks, self.streams = {}, {}  # address -> (ordinal, bytes), raw stream -> number

    def line(self, kind, stream, size, ordinal):
        number = self.streams.setdefault(stream, len(self.streams) + 1)
        fields = (self.step, kind, number, size, ordinal, self.allocated, self.active, self.reserved)
        self.out.write("\t".join(map(str, fields)) + "\n")
        self.step += 1

    def entry(self, e):
        kind, size, addr = ACTIONS[e["action"]], e["size"], e.get("addr")
        rounded = -(-size // ROUND) * ROUND
        ordinal = 0
        if kind == "malloc":
            self.mallocs += 1
            ordinal = self.mallocs
            self.blocks[addr] = (ordinal, rounded)
            self.allocated += rounded
            self.active += rounded
        elif kind in ("free", "available"):
            ordinal, rounded = self.blocks[addr]
            if kind == "free":
                self.allocated -= rounded
            else:
                self.active -= rounded
                del self.blocks[addr]
        elif kind == "segment_alloc":
            self.reserved += size
        elif kind == "segment_free":
            self.reserved -= size
        self.line(kind, e["stream"], size, ordinal)


def main():
    args = sys.argv[1:]
    device = 0
    if "--device" in args:
        i = args.index("--device")
        if i + 1 >= len(args) or not args[i + 1].isdigit():
            fail("--device wants a number")
        device = int(args[i + 1])
        del args[i : i + 2]
    if len(args) != 1:
        sys.exit(__doc__.strip())
    entries, segments = load(args[0], device)
    writer = Writer(sys.stdout)
    for e in older_segments(entries, segments):
        writer.entry(e)
    for e in older_blocks(entries):
        writer.entry(e)
        if e.get("asked"):
            writer.entry(dict(e, action="free_requested"))
    for e in entries:
        writer.entry(e)


if __name__ == "__main__":
    main()
