"""Merges what a GPU run measured, prints the acceptance lines, and fails if one does not hold.

    python3 gpu_report.py FOLDER    reads fixtures.json, bench.json, torch.json and tests.txt there,
                                    writes gpu.json beside them
"""
import datetime
import json
import os
import platform
import subprocess
import sys


def load(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return None
    with open(path) as f:
        try:
            return json.load(f)
        except ValueError:  # its program was stopped half way
            return None


def processor():
    try:
        with open("/proc/cpuinfo") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def machine():
    ask = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        seen = subprocess.run(ask, text=True, capture_output=True).stdout.splitlines()[0].split(", ")
    except (OSError, IndexError):
        seen = ["unknown", "unknown"]
    return {
        "date": datetime.date.today().isoformat(),
        "GPU": seen[0],
        "driver": seen[-1],
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
    }


def test_lines(folder):
    path = os.path.join(folder, "tests.txt")
    if not os.path.exists(path):
        return
    with open(path) as f:
        results = [line.split() for line in f]
    failed = [name for name, code in results if code != "0"]
    yield "tests on the device", f"{len(results)} programs, failed {failed}", bool(results) and not failed


def find(rows, fixture, form, rule="-"):
    for r in rows:
        if (r["fixture"], r["form"], r["capture"]) == (fixture, form, rule):
            return r
    return None


def fixture_lines(rows):
    safe = [r for r in rows if not r["wrong_on_purpose"]]
    controls = [r for r in rows if r["wrong_on_purpose"]]
    events = [r for r in rows if r["form"] == "event"]
    yield "results equal in every safe form", f"{len(safe)} rows", all(not r["wrong"] for r in safe)
    missed = [f"{r['fixture']}/{r['form']}" for r in controls if not r["wrong"]]
    yield "wrong forms give wrong values", f"{len(controls)} rows, missed {missed}", not missed
    most = max((r["sequences"] for r in events), default=0)
    yield "event forms: distinct block sequences in 10 runs", str(most), most == 1
    record, event = find(rows, "cpu_ahead", "record"), find(rows, "cpu_ahead", "event")
    ratio = record["active_peak"] / event["active_peak"]
    text = f"{record['active_peak'] >> 20} over {event['active_peak'] >> 20} MiB: {ratio:.1f}"
    yield "CPU ahead, 40 turns: record over event, active peak", text, ratio >= 30
    turns = 16 * 32 << 20
    off = find(rows, "capture_join_each", "record", "defer")["active_peak"]
    on = find(rows, "capture_join_each", "record", "per-stream")["active_peak"]
    good = turns <= off < turns + (1 << 20) and 32 << 20 <= on < 33 << 20
    yield "capture of 16 turns, reuse off and on", f"{off >> 20} and {on >> 20} MiB", good


def bench_lines(bench, torch):
    us = bench["us"]
    whole = {512: "512 B", 4096: "4 KiB", 65536: "64 KiB", 1 << 20: "1 MiB", 2 << 20: "2 MiB"}
    whole.update({16 << 20: "16 MiB", 64 << 20: "64 MiB"})
    ours = {size: us[f"hit: malloc + free, {name}, whole pair"] for size, name in whole.items()}
    worst = max(ours.values())
    yield "hit pair malloc + free, nothing pending", f"{worst:.3f} us at worst", worst <= 0.1
    turns = (torch or {}).get("hit_path") or {}
    theirs = turns.get("pair_less_empty_us")
    if theirs:
        size = max(theirs, key=lambda n: turns["ours_us"][n] / theirs[n])
        pair, torch_pair = turns["ours_us"][size], theirs[size]
        text = f"{pair:.3f} over {torch_pair:.3f} us at {size} bytes, the worst size: {pair / torch_pair:.3f}"
        yield "hit pair over PyTorch's raw pair less empty calls", text, pair / torch_pair <= 0.25
    polls = {n: us[f"poll over bare queries, {n} pending (ratio)"] for n in (1, 8, 64)}
    text = ", ".join(f"{n}: {r:.2f}" for n, r in polls.items())
    yield "poll over the bare queries it makes", text, max(polls.values()) <= 1.2
    many = max(us["10^5 over 10^2, one size (ratio)"], us["10^5 over 10^2, random sizes (ratio)"])
    yield "malloc with 10^5 free blocks over 10^2", f"{many:.2f}", many <= 2


def torch_lines(torch):
    off, on = torch.get("capture_reuse_off", {}), torch.get("capture_reuse_on", {})
    try:
        text = f"{off['join_each']['pool'] >> 20} and {on['join_each']['pool'] >> 20} MiB"
    except KeyError:
        text = f"not measured: {off.get('error') or on.get('error')}"
    yield "PyTorch, the same capture, reuse off and on", text, None
    for name in ("eager_use_before_capture", "same_stream_eager_and_inside", "second_capture"):
        for flag, side in (("off", off), ("on", on)):
            yield f"PyTorch, {name.replace('_', ' ')}, reuse {flag}", json.dumps(side.get(name)), None


def main():
    folder = sys.argv[1]
    fixtures, bench = load(folder, "fixtures.json"), load(folder, "bench.json")
    torch = load(folder, "torch.json")
    lines = [*test_lines(folder)]
    if fixtures:
        lines += fixture_lines(fixtures["rows"])
    if bench:
        lines += bench_lines(bench, torch)
    if torch:
        lines += torch_lines(torch)
    failed = sum(ok is False for _, _, ok in lines)
    for name, text, ok in lines:
        mark = {True: "holds", False: "FAILS", None: "-"}[ok]
        print(f"{name:<64} {mark:<6} {text}")
    missing = [n for n, part in (("fixtures", fixtures), ("bench", bench), ("torch", torch)) if not part]
    if missing:
        print("not measured:", ", ".join(missing))
    acceptance = [{"line": n, "figure": t, "holds": ok} for n, t, ok in lines]
    merged = {"machine": machine(), "acceptance": acceptance, "fixtures": fixtures, "bench": bench, "torch": torch}
    with open(os.path.join(folder, "gpu.json"), "w") as f:
        json.dump(merged, f, indent=1)
    sys.exit(1 if failed or missing else 0)


if __name__ == "__main__":
    main()
