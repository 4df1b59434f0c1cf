"""The oracle: what the linter says of random programs against every schedule of the simulator.

    python3 tests/oracle/run.py --lint build/bin/sa-lint --harness build/tests/sar-oracle [-n N] [--seed S]

Ends with status 1 when an answer is wrong; each wrong program is made as small as it goes and printed.
"""
import argparse
import itertools
import os
import sys
import time
from collections import defaultdict

from execute import Broken
from generate import FEATURES, generate
from judge import Tools, judge
from program import renamed_program, smaller

MOST_SHRUNK = 5


def shrink(tools, verdict, kind):
    """The smallest program found on which the answer is still wrong in that way."""
    best = verdict
    while True:
        candidates = list(itertools.islice(smaller(best.program), 60))
        if not candidates:
            return best
        spellings = 3 if tools.language == "python" else 1
        renamed = [renamed_program(c, i) for i, c in enumerate(candidates * spellings)]
        for answer in judge(tools, renamed):
            if kind in answer.kinds():
                best = answer
                break
        else:
            return best


class Totals:
    def __init__(self):
        self.rows = defaultdict(lambda: defaultdict(int))
        self.reasons, self.rules = defaultdict(int), defaultdict(int)
        self.wrong, self.skipped, self.unwritten = [], 0, 0

    def add(self, v):
        if v.skipped:
            self.skipped += not v.unwritten
            self.unwritten += v.unwritten
            return
        for name in v.program.features or ("straight-line",):
            self.count(name, v)
        self.count("all", v)
        for why, n in v.reasons.items():
            self.reasons[why] += n
        for rule, n in v.rules.items():
            self.rules[rule] += n
        if v.wrong:
            self.wrong.append(v)

    def count(self, name, v):
        row = self.rows[name]
        row["programs"] += 1
        for key in ("releases", "unknown", "hazardous", "records", "schedules"):
            row[key] += getattr(v, key)
        row["wrong"] += len(v.wrong)

    def table(self):
        head = ("programs with", "programs", "releases", "in hazard", "record calls", "schedules", "cannot tell", "wrong")
        rows = [head, tuple("---" for _ in head)]
        for name in ("straight-line",) + FEATURES + ("all",):
            r = self.rows.get(name)
            if r is None:
                continue
            share = 100 * r["unknown"] / max(1, r["releases"])
            rows.append((name, *(f"{r[k]:,}" for k in ("programs", "releases", "hazardous", "records", "schedules")),
                         f"{r['unknown']:,} ({share:.1f} %)", str(r["wrong"])))
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def document(path, text):
    with open(path, encoding="utf-8") as f:
        old = f.read()
    head, rest = old.split("<!-- oracle: figures -->\n", 1)
    _, tail = rest.split("<!-- oracle: end -->", 1)
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"{head}<!-- oracle: figures -->\n{text}\n<!-- oracle: end -->{tail}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lint", required=True)
    parser.add_argument("--harness", required=True)
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--language", choices=("c", "python"), default="c")
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--last", type=int, default=0, help="only the last so many of them")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", help="one program, by number")
    parser.add_argument("--features", help="comma-separated; all programs have exactly these (helpers_, views, ...)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--document", metavar="FILE", help="write the figures between the marks of this file")
    parser.add_argument("--statistics", action="store_true", help="also why there was no answer, and the rules")
    options = parser.parse_args()
    tools = Tools(os.path.abspath(options.lint), os.path.abspath(options.harness), options.compiler,
                  options.language, options.seed)
    features = None if options.features is None else tuple(f for f in options.features.split(",") if f)
    numbers = [int(options.only)] if options.only else range(max(0, options.n - options.last) if options.last else 0, options.n)
    start, totals = time.monotonic(), Totals()
    for v in judge(tools, [generate(options.seed, i, features) for i in numbers], options.jobs):
        totals.add(v)
    print(totals.table())
    if totals.skipped:
        print(f"left out, with more than 200,000 states: {totals.skipped}")
    if totals.unwritten:
        print(f"left out, without a text that takes the steps of the model: {totals.unwritten}")
    if options.document:
        what = f"the last {options.last:,} of " if options.last else ""
        document(options.document, f"Figures of {what}`./dev fuzz oracle {options.n} {options.seed}`:\n\n{totals.table()}")
    if options.statistics:
        for title, counts in (("no answer because", totals.reasons), ("findings", totals.rules)):
            for what, n in sorted(counts.items(), key=lambda item: -item[1]):
                print(f"  {title}: {n:6} {what}")
        print(f"  {time.monotonic() - start:.1f} s", file=sys.stderr)
    shown = defaultdict(int)
    for v in totals.wrong:
        for kind in sorted(v.kinds()):
            shown[kind] += 1
            if shown[kind] > (1 if not options.no_shrink else 2) or sum(shown.values()) > 3 * MOST_SHRUNK:
                continue
            small = v if options.no_shrink else shrink(tools, v, kind)
            print(f"\n{v.program.name} of seed {options.seed}: {kind}")
            for _, text in small.wrong:
                print(f"  {text}")
            for number, line in enumerate(small.text.split("\n"), small.first):
                print(f"{number:5} {line}")
    for kind, n in sorted(shown.items()):
        print(f"wrong: {kind}: {n}")
    return 1 if totals.wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Broken as broken:
        sys.exit(f"oracle: {broken}")
