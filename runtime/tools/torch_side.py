"""PyTorch beside the runtime, on the same GPU in the same run. Writes one JSON object.

    python3 torch_side.py OUT.json SAR_BENCH

Hit path of the raw allocator calls, in turns with SAR_BENCH's (machines change their pace); the CPU-ahead and the level loop; capture with and without
reuse; and three situations that the runtime's capture tests pin down, tried against PyTorch.
"""
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch

MIB = 1 << 20
CONF = "PYTORCH_CUDA_ALLOC_CONF"


def timed(fn, samples=51, reps=100):
    fn()
    out = []
    for _ in range(samples):
        start = time.perf_counter()
        for _ in range(reps):
            fn()
        out.append((time.perf_counter() - start) / reps)
    return 1e6 * statistics.median(out)


def stat(key):
    return torch.cuda.memory_stats().get(key, 0)


def cycles_per_ms():
    a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(50_000_000)
    a.record()
    torch.cuda._sleep(20_000_000)
    b.record()
    b.synchronize()
    return 20_000_000 / a.elapsed_time(b)


HIT_SIZES = {512: "512 B", 4096: "4 KiB", 65536: "64 KiB", MIB: "1 MiB", 2 * MIB: "2 MiB",
             16 * MIB: "16 MiB", 64 * MIB: "64 MiB"}


def torch_pairs():
    """Microseconds by size of raw_alloc + raw_delete, less two calls that do nothing."""
    raw = torch.cuda.current_stream().cuda_stream
    alloc = torch._C._cuda_cudaCachingAllocator_raw_alloc
    delete = torch._C._cuda_cudaCachingAllocator_raw_delete
    nothing = gc.isenabled

    def two_calls():
        nothing()
        nothing()

    empty = timed(two_calls, reps=1000)
    rows = {}
    for size in HIT_SIZES:

        def pair():
            delete(alloc(size, raw))

        rows[size] = timed(pair, reps=1000) - empty
    return rows


def our_pairs(bench):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([bench, "--cuda", "--hit", "--json", out.name], check=True,
                       stdout=subprocess.DEVNULL, timeout=30)
        us = json.load(open(out.name))["us"]
    return {size: us[f"hit: malloc + free, {name}, whole pair"] for size, name in HIT_SIZES.items()}


def hit_path(bench, rounds=7):
    """Medians over rounds; a round measures one side and then the other."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(our_pairs(bench))
        theirs.append(torch_pairs())
    middle = lambda side: {str(n): statistics.median(r[n] for r in side) for n in HIT_SIZES}
    return {"rounds": rounds, "ours_us": middle(ours), "pair_less_empty_us": middle(theirs)}


def loop(protect, turns, size, cycles):
    """A block a turn: filled on s0, read late on s1, released."""
    s0, s1 = torch.cuda.Stream(), torch.cuda.Stream()
    out = torch.zeros(turns, device="cuda")
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = stat("active_bytes.all.current")
    order, sequence = {}, []
    start = time.perf_counter()
    for i in range(turns):
        with torch.cuda.stream(s0):
            x = torch.empty(size // 4, device="cuda")
            x.fill_(i + 1)
        sequence.append(order.setdefault(x.data_ptr(), len(order)))
        s1.wait_stream(s0)
        with torch.cuda.stream(s1):
            torch.cuda._sleep(cycles)
            out[i].copy_(x[size // 8])
            if protect == "record":
                x.record_stream(s1)
        if protect == "event":
            s0.wait_stream(s1)
        del x
    issue = time.perf_counter() - start
    s0.wait_stream(s1)
    torch.cuda.synchronize()
    wrong = int((out != torch.arange(1, turns + 1, device="cuda")).sum())
    return {
        "active": stat("active_bytes.all.peak") - before,
        "blocks": len(order),
        "sequence": sequence,
        "wrong": wrong,
        "issue_ms": 1e3 * issue,
        "total_ms": 1e3 * (time.perf_counter() - start),
    }


def loops(turns, size, cycles, runs):
    table = {}
    for protect in ("record", "event", "neither"):
        loop(protect, turns, size, cycles)
        rs = [loop(protect, turns, size, cycles) for _ in range(runs)]
        table[protect] = {
            "active_peak": max(r["active"] for r in rs),
            "blocks_min": min(r["blocks"] for r in rs),
            "blocks_max": max(r["blocks"] for r in rs),
            "sequences": len({tuple(r["sequence"]) for r in rs}),
            "wrong": max(r["wrong"] for r in rs),
            "total_ms": statistics.median(r["total_ms"] for r in rs),
        }
    return table


def level(per_ms):
    turn_ms = loop("event", 200, 4 * MIB, 1)["issue_ms"] / 200
    return loops(200, 4 * MIB, max(1, int(turn_ms * per_ms)), 10)


# ---- capture, each in a process of its own, since the option is read once ------------------------


def pool_bytes(graph):
    return sum(
        s["total_size"]
        for s in torch.cuda.memory_snapshot()
        if tuple(s["segment_pool_id"]) == tuple(graph.pool())
    )


def capture(join_each, turns=16, size=32 * MIB, pool=None):
    s0, s1 = torch.cuda.Stream(), torch.cuda.Stream()
    out = torch.zeros(turns, device="cuda")
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(s0):
        graph.capture_begin(pool) if pool else graph.capture_begin()
        for i in range(turns):
            x = torch.empty(size // 4, device="cuda")
            x.fill_(i + 1)
            s1.wait_stream(s0)
            with torch.cuda.stream(s1):
                out[i].copy_(x[size // 8])
                x.record_stream(s1)
            if join_each:
                s0.wait_stream(s1)
            del x
        s0.wait_stream(s1)
        graph.capture_end()
    graph.replay()
    torch.cuda.synchronize()
    wrong = int((out != torch.arange(1, turns + 1, device="cuda")).sum())
    return graph, {"pool": pool_bytes(graph), "wrong": wrong}


def second_capture():
    """Does a second capture into one pool reuse what the first one deferred?"""
    first, row = capture(False, turns=4)
    second, again = capture(False, turns=4, pool=first.pool())
    return {"after_first": row["pool"], "after_second": again["pool"], "keep": bool(second)}


def eager_use_erased(per_ms, also_inside):
    """x is used eagerly on s1, which is busy; its last reference goes inside a capture. Is its
    memory handed out again while s1 has yet to read it?"""
    n = 32 * MIB // 4
    s0, s1 = torch.cuda.Stream(), torch.cuda.Stream()
    out = torch.zeros(1, device="cuda")
    with torch.cuda.stream(s0):
        x = torch.empty(n, device="cuda")
        x.fill_(1.0)
    s1.wait_stream(s0)
    with torch.cuda.stream(s1):
        torch.cuda._sleep(int(600 * per_ms))
        out.copy_(x[:1])
        x.record_stream(s1)
    address = x.data_ptr()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(s0):
        graph.capture_begin(capture_error_mode="relaxed")
        a = torch.empty(1024, device="cuda")
        a.fill_(0.0)
        s1.wait_stream(s0)
        with torch.cuda.stream(s1):
            a.add_(1.0)
            if also_inside:
                x.record_stream(s1)
        s0.wait_stream(s1)
        del x
        b = torch.empty(1024, device="cuda")
        b.fill_(0.0)
        graph.capture_end()
        y = torch.empty(n, device="cuda")
        handed_out = y.data_ptr() == address
        busy = not s1.query()
        y.fill_(2.0)
    torch.cuda.synchronize()
    return {"handed_out": handed_out, "while_busy": busy, "wrong_value": float(out[0]) != 1.0}


def attempt(fn, *args):
    try:
        return fn(*args)
    except Exception as e:  # the report says so; the other measurements go on
        return {"error": f"{type(e).__name__}: {e}"[:300]}


def child():
    x = torch.empty(8, device="cuda").fill_(1.0)
    x[0].copy_(x[1])
    x.add_(1.0)
    per_ms = cycles_per_ms()
    capture(True, turns=2)
    result = {
        "join_each": attempt(lambda: capture(True)[1]),
        "join_end": attempt(lambda: capture(False)[1]),
        "second_capture": attempt(second_capture),
        "eager_use_before_capture": attempt(eager_use_erased, per_ms, False),
        "same_stream_eager_and_inside": attempt(eager_use_erased, per_ms, True),
    }
    print(json.dumps(result))


def in_child(flag):
    env = dict(os.environ)
    env.pop("PYTORCH_ALLOC_CONF", None)
    env[CONF] = f"graph_capture_record_stream_reuse:{flag}"
    command = [sys.executable, os.path.abspath(__file__), "--child"]
    p = subprocess.run(command, env=env, text=True, capture_output=True, timeout=40)
    if p.returncode:
        raise RuntimeError(p.stderr.strip().splitlines()[-1] if p.stderr.strip() else "child died")
    return json.loads(p.stdout.strip().splitlines()[-1])


def main():
    if not torch.cuda.is_available():
        sys.exit("torch_side: no CUDA GPU here")
    if "--child" in sys.argv:
        return child()
    torch.cuda.init()
    per_ms = cycles_per_ms()
    result = {
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "gpu": torch.cuda.get_device_name(),
        "hit_path": attempt(hit_path, sys.argv[2]),
        "cpu_ahead": attempt(loops, 40, 32 * MIB, int(2 * per_ms), 3),
        "level": attempt(level, per_ms),
        "capture_reuse_off": attempt(in_child, "False"),
        "capture_reuse_on": attempt(in_child, "True"),
    }
    with open(sys.argv[1], "w") as f:
        json.dump(result, f, indent=1)


if __name__ == "__main__":
    main()
