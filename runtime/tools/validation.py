"""The measured parts of docs/validation.md, from the JSON files that the runs leave.

    python3 validation.py gpu GPU.json          prints the part that a GPU run fills
    python3 validation.py sim SIM.json          prints the simulator's table
    python3 validation.py rewritten SIM.json    prints the table of programs that the linter rewrote
    python3 validation.py put DOC PART [...]    replaces those parts of DOC, and copies memory.svg
                                                from beside a part to the folder of DOC
"""
import json
import os
import re
import shutil
import sys

PICTURE = "runtime-memory-gpu.svg"
HAZARDS = {
    "eager_use_before_capture": "eager use before the capture, freed inside",
    "same_stream_eager_and_inside": "the same stream, eager and inside",
}


def mib(n):
    return f"{n / (1 << 20):,.1f}"


def span(low, high):
    return str(low) if low == high else f"{low} to {high}"


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def yes(flag):
    return "yes" if flag else "no"


def fixture_table(run):
    simulated = run["backend"] == "sim"
    head = ["fixture", "form", "capture rule", "results wrong", "blocks", "active peak, MiB",
            "reserved peak, MiB", "block sequences"]
    head += ["schedules", "states", "hazards", "witness"] if simulated else ["ms"]
    rows = []
    for r in run["rows"]:
        row = [r["fixture"], r["form"], r["capture"], f"{r['wrong']} of {r['results']}",
               span(r["blocks_min"], r["blocks_max"]), mib(r["active_peak"]), mib(r["reserved_peak"]),
               f"{r['sequences']} in {r['runs']}"]
        if simulated:
            row += [f"{r['schedules']:,}", f"{r['states']:,}", r["hazards"], yes(r["witness"])]
        else:
            row.append(f"{r['ms']:.2f}")
        rows.append(row + ["yes" if r["as_expected"] else "**no**"])
    return table(head + ["as expected"], rows)


# ---- a GPU run ----------------------------------------------------------------------------------


def machine_table(gpu):
    m, torch = gpu.get("machine") or {}, gpu.get("torch") or {}
    rows = [(key, m[key]) for key in ("date", "GPU", "driver", "processor", "cores", "system") if key in m]
    rows.append(("CUDA", gpu["fixtures"]["device"].split(", ", 1)[1]))
    rows.append(("PyTorch", torch.get("torch", "not there")))
    return table(("machine", ""), rows)


def acceptance_table(gpu):
    mark = {True: "holds", False: "**fails**"}
    rows = [(a["line"], a["figure"], mark[a["holds"]]) for a in gpu["acceptance"] if a["holds"] is not None]
    return table(("line", "figure", ""), rows)


def hit_rows(bench, torch):
    names = {"512": "512 B", "4096": "4 KiB", "65536": "64 KiB", "1048576": "1 MiB", "2097152": "2 MiB",
             "16777216": "16 MiB", "67108864": "64 MiB"}
    turns = torch.get("hit_path", {})
    theirs, in_turns = turns.get("pair_less_empty_us", {}), turns.get("ours_us", {})
    for size, name in names.items():
        ours = in_turns.get(size, bench["us"][f"hit: malloc + free, {name}, whole pair"])
        yield (f"cached malloc + free, {name}, us", f"{ours:.3f}", f"{theirs[size]:.3f}" if size in theirs else "-")


def loop_rows(gpu, torch):
    ours = {(r["fixture"], r["form"]): r for r in gpu["fixtures"]["rows"]}
    for fixture, turns in (("cpu_ahead", "40 turns of 32 MiB"), ("level", "200 turns of 4 MiB")):
        for form in ("record", "event", "neither"):
            a, b = ours.get((fixture, form)), torch.get(fixture, {}).get(form)
            if not a or not b:
                continue

            def text(r, ms):
                return (f"{mib(r['active_peak'])} MiB, {span(r['blocks_min'], r['blocks_max'])} blocks, "
                        f"{r['sequences']} sequences, {r['wrong']} wrong, {ms:.1f} ms")

            yield (f"{fixture}, {turns}: {form}", text(a, a["ms"]), text(b, b["total_ms"]))


def capture_rows(gpu, torch):
    ours = {(r["fixture"], r["form"], r["capture"]): r for r in gpu["fixtures"]["rows"]}
    for case in ("join_each", "join_end"):
        for rule, key in (("defer", "capture_reuse_off"), ("per-stream", "capture_reuse_on")):
            a, b = ours.get((f"capture_{case}", "record", rule)), torch.get(key, {}).get(case)
            if a and b and "pool" in b:
                name = f"capture of 16 turns of 32 MiB, {case.replace('_', ' ')}, reuse {key.rsplit('_', 1)[1]}"
                yield (name, f"{mib(a['active_peak'])} MiB active", f"{mib(b['pool'])} MiB in the pool")


def hazard_rows(torch):
    for name, words in HAZARDS.items():
        for flag in ("off", "on"):
            r = torch.get(f"capture_reuse_{flag}", {}).get(name) or {}
            if "handed_out" in r:
                wrong = "**yes**" if r["wrong_value"] else "no"
                yield (words, flag, yes(r["handed_out"]), yes(r["while_busy"]), wrong)


def gpu_part(gpu):
    if not gpu.get("fixtures"):
        sys.exit("validation: the fixtures did not run")
    torch, bench = gpu.get("torch") or {}, gpu.get("bench")
    yield "<!-- gpu: written by runtime/tools/gpu.sh -->\n"
    yield from machine_table(gpu)
    yield "### Acceptance\n"
    yield from acceptance_table(gpu)
    yield f"![Active memory over the calls of a program: record_stream and events]({PICTURE})\n"
    yield "### Fixtures\n"
    yield from fixture_table(gpu["fixtures"])
    if bench:
        yield "### What a call costs\n"
        yield from table(("what", "us, median"), [(k, f"{v:.4f}") for k, v in bench["us"].items()])
    if torch and bench:
        yield "### PyTorch in the same run\n"
        rows = [*hit_rows(bench, torch), *loop_rows(gpu, torch), *capture_rows(gpu, torch)]
        yield from table(("what", "the runtime", f"PyTorch {torch.get('torch', '')}"), rows)
        yield "### Hazards of PyTorch, shown\n"
        yield from table(("situation", "reuse", "handed out", "while busy", "wrong value"), hazard_rows(torch))
    yield "<!-- /gpu -->"


def sim_part(sim):
    yield "<!-- sim: written by runtime/tools/sim.sh --json -->\n"
    yield from fixture_table(sim)
    yield "<!-- /sim -->"


def rewritten_part(sim):
    """Each rewritten program beside the recording form that it was made from."""
    yield "<!-- rewritten: written by tests/rewrite/runtime.py --json -->\n"
    recording = {r["fixture"]: r for r in sim["rows"] if r["form"] == "record" and r["capture"] in ("-", "defer")}
    rows = []
    for after in sim["rows"]:
        if after["form"] != "rewritten":
            continue
        before = recording[after["fixture"]]
        rows.append([after["fixture"], f"{before['schedules']:,}", f"{after['schedules']:,}", before["hazards"], after["hazards"],
                     f"{after['wrong']} of {after['results']}", span(before["blocks_min"], before["blocks_max"]),
                     span(after["blocks_min"], after["blocks_max"]), mib(before["active_peak"]), mib(after["active_peak"])])
    yield from table(["program", "schedules before", "after", "hazards before", "after", "results wrong after", "blocks before",
                      "after", "active peak before, MiB", "after"], rows)
    yield "<!-- /rewritten -->"


# ---- into the document --------------------------------------------------------------------------


def put(doc, parts):
    with open(doc) as f:
        text = f.read()
    for path in parts:
        with open(path) as f:
            part = f.read().strip()
        name = re.match(r"<!-- (\w+):", part)
        if not name:
            sys.exit(f"validation: {path} is no part of a report")
        place = re.compile(f"<!-- {name[1]}:.*<!-- /{name[1]} -->", re.S)
        if not place.search(text):
            sys.exit(f"validation: {doc} has no place for {name[1]}")
        text = place.sub(lambda _: part, text)
        picture = os.path.join(os.path.dirname(path), "memory.svg")
        if name[1] == "gpu" and os.path.exists(picture):
            shutil.copyfile(picture, os.path.join(os.path.dirname(doc), PICTURE))
    with open(doc, "w") as f:
        f.write(text)


def main():
    if len(sys.argv) >= 4 and sys.argv[1] == "put":
        return put(sys.argv[2], sys.argv[3:])
    parts = {"gpu": gpu_part, "sim": sim_part, "rewritten": rewritten_part}
    if len(sys.argv) != 3 or sys.argv[1] not in parts:
        sys.exit(__doc__.strip())
    with open(sys.argv[2]) as f:
        run = json.load(f)
    print("\n".join(parts[sys.argv[1]](run)))


if __name__ == "__main__":
    main()
