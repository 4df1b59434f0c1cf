"""Makes the three forms of every program under fixtures/run, for a machine that has a GPU and no
libclang.

    python3 prepare.py --lint SA_LINT OUT

OUT/c10 and OUT/python get NAME.before, NAME.after (what `sa-lint --fix` makes of it) and
NAME.neither (the record_stream statements taken out, nothing in their place); Python programs also
NAME.unordered (NAME.after without any wait of a stream: a control of the stream sanitizer).
OUT/compile gets, in the first two forms, every C++ case of fixtures/cases whose report offers a safe
edit for a c10 call. OUT/programs.json lists them. A program for which the tool offers no safe edit
is an error.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUN = os.path.join(TOP, "fixtures", "run")
CASES = os.path.join(TOP, "fixtures", "cases")


def report(lint, folder, name, *options):
    p = subprocess.run([lint, "--format", "json", *options, name], cwd=folder, capture_output=True, text=True)
    if p.returncode > 1:
        sys.exit(f"prepare: {name}: {p.stderr.strip()}")
    return json.loads(p.stdout)


def fixed(lint, source, target):
    """The tool's own rewrite of `source` at `target`; what is left to say about it."""
    shutil.copyfile(source, target)
    folder, name = os.path.split(target)
    p = subprocess.run([lint, "--fix", "--format", "text", name], cwd=folder, capture_output=True, text=True)
    if p.returncode > 1:
        sys.exit(f"prepare: {name}: {p.stderr.strip()}")
    return report(lint, folder, name)


def without_lines(source, target, gone):
    """The statements on the lines `gone` taken out; each stands on lines of its own in these programs."""
    lines = open(source).read().split("\n")
    left = []
    for number, line in enumerate(lines, 1):
        if number not in gone:
            left.append(line)
        elif source.endswith(".py"):  # no suite may be empty
            left.append(line[: len(line) - len(line.lstrip())] + "pass")
    with open(target, "w") as f:
        f.write("\n".join(left))


def without_records(source, target, sites):
    without_lines(source, target, {n for s in sites for n in range(s["line"], s["endLine"] + 1)})


def without_waits(source, target):
    """Every wait of one stream for another taken out; whether there was one."""
    lines = open(source).read().split("\n")
    gone = {n for n, line in enumerate(lines, 1) if re.search(r"\.wait_(stream|event)\(", line)}
    without_lines(source, target, gone)
    return bool(gone)


def first_lines(path):
    with open(path) as f:
        return "".join(f.readline() for _ in range(2))


def wrong_forms(head):
    """The forms that must give wrong numbers."""
    if "before: wrong" in head:
        return ["before", "neither"]
    return [] if "neither: right" in head else ["neither"]


def run_program(lint, kind, name, out):
    source = os.path.join(RUN, kind, name)
    stem, ending = os.path.splitext(name)
    to = lambda form: os.path.join(out, kind, f"{stem}.{form}{ending}")
    before = report(lint, os.path.join(RUN, kind), name)
    shutil.copyfile(source, to("before"))
    without_records(source, to("neither"), before["sites"])
    after = fixed(lint, source, to("after"))
    left = [s for s in after["sites"] if s["category"] == "avoidable"]
    head = first_lines(source)
    waits = kind == "python" and without_waits(to("after"), to("unordered"))
    return {
        "kind": kind,
        "name": stem,
        "ending": ending,
        "rules": sorted({f["rule"] for f in before["findings"]}),
        "edited": not left and open(source).read() != open(to("after")).read(),
        "wrong": wrong_forms(head),
        "waits": waits,
    }


def compile_cases(lint, out):
    for folder, _, names in sorted(os.walk(CASES)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith((".cpp", ".cc")) or "c10" not in open(path, errors="replace").read():
                continue
            sites = report(lint, folder, name)["sites"]
            if not any(s["fix"] and s["fix"]["safe"] for s in sites):
                continue
            stem = os.path.relpath(path, CASES).replace(os.sep, "-").rsplit(".", 1)[0]
            shutil.copyfile(path, os.path.join(out, "compile", stem + ".before.cpp"))
            fixed(lint, path, os.path.join(out, "compile", stem + ".after.cpp"))
            yield stem


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lint", required=True)
    parser.add_argument("out")
    args = parser.parse_args()
    lint, out = os.path.abspath(args.lint), os.path.abspath(args.out)
    shutil.rmtree(out, ignore_errors=True)
    for kind in ("c10", "python", "compile"):
        os.makedirs(os.path.join(out, kind))
    programs = [
        run_program(lint, kind, name, out)
        for kind in ("c10", "python")
        for name in sorted(os.listdir(os.path.join(RUN, kind)))
    ]
    cases = list(compile_cases(lint, out))
    with open(os.path.join(out, "programs.json"), "w") as f:
        json.dump({"programs": programs, "compile": cases}, f, indent=1)
    not_edited = [f"{p['kind']}/{p['name']}" for p in programs if not p["edited"]]
    print(f"prepared {len(programs)} programs and {len(cases)} cases to compile in {args.out}")
    if not_edited:
        print("no safe edit for:", ", ".join(not_edited))
    return 1 if not_edited else 0


if __name__ == "__main__":
    sys.exit(main())
