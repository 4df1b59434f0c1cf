#!/usr/bin/env python3
"""Random programs of the oracle, rewritten by the linter and run in every schedule.

    fuzz.py --lint SA_LINT --harness SAR_ORACLE [-n N] [--seed S] [--keep DIR]

Runs until N calls were rewritten. A rewritten program must compile, have no hazard that it did not have
before, and leave nothing for a second run to edit; without a record call it must have one sequence of
blocks. Programs that break this are kept in DIR. Ends with status 1 when there is one.
"""
import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "oracle"))
from execute import Broken, Harness, compile_text, every_value, programs_of  # noqa: E402
from generate import generate  # noqa: E402
from program import print_programs  # noqa: E402

FILES, IN_A_FILE = 20, 5


def lint(program, folder, *args):
    names = sorted(name for name in os.listdir(folder) if name.endswith(".c"))
    done = subprocess.run([program, "--root", ".", "--no-config", "--exit-zero", "-q", *args, *names], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit("the linter ended with status %d\n%s" % (done.returncode, done.stderr))
    return done.stdout


def outcomes(harness, source, library):
    """{(program, flags): (hazards by kind, sequences)}"""
    compile_text(source, library)
    harness.load(library)
    with open(source, encoding="utf-8") as file:
        text = file.read()
    answers = {}
    for name, flags in programs_of(text):
        for value in every_value(flags):
            answer = harness.run(name, value)
            kinds = collections.Counter(hazard["kind"] for hazard in answer["hazards"])
            answers[name, value] = (kinds, answer["sequences"])
    return answers


class Totals:
    def __init__(self):
        self.programs = self.changed = self.calls = self.left = 0
        self.bad = collections.Counter()

    def complain(self, keep, what, before, after):
        self.bad[what.split(":")[0]] += 1
        print("%s in %s" % (what, os.path.basename(after)), flush=True)
        os.makedirs(keep, exist_ok=True)
        stem = os.path.join(keep, "%s-%d" % (os.path.basename(after)[:-2], self.programs))
        shutil.copy(before, stem + ".before.c")
        shutil.copy(after, stem + ".after.c")


def compare(totals, keep, harness, before, after, work):
    with open(before, encoding="utf-8") as file:
        old = file.read()
    with open(after, encoding="utf-8") as file:
        new = file.read()
    if old == new:
        return
    totals.changed += 1
    totals.calls += old.count("sar_record_stream(") - new.count("sar_record_stream(")
    try:
        was = outcomes(harness, before, os.path.join(work, "before.so"))
        now = outcomes(harness, after, os.path.join(work, "after.so"))
    except Broken as broken:
        totals.complain(keep, "does not compile: %s" % broken, before, after)
        return
    for key, (kinds, sequences) in now.items():
        worse = {kind for kind, n in kinds.items() if n > was[key][0][kind]}
        if worse:
            totals.complain(keep, "new hazard: %s of %s with flags %d" % (", ".join(sorted(worse)), *key), before, after)
        body = new[new.index("void %s(" % key[0]):]
        end = body.find("\nvoid program_")
        if "sar_record_stream(" not in new and sequences != 1 and not was[key][0]:
            totals.complain(keep, "several block sequences: %s" % key[0], before, after)
        del body, end


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lint", required=True)
    parser.add_argument("--harness", required=True)
    parser.add_argument("-n", type=int, default=300, help="calls to rewrite")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", default="rewrites-that-failed")
    options = parser.parse_args()
    program, totals = os.path.abspath(options.lint), Totals()
    harness = Harness(options.harness)
    number = 0
    while totals.calls < options.n and not totals.bad["new hazard"] > 20:
        with tempfile.TemporaryDirectory() as work:
            before, after = os.path.join(work, "before"), os.path.join(work, "after")
            os.makedirs(before)
            for i in range(FILES):
                several = [generate(options.seed, number + k) for k in range(IN_A_FILE)]
                with open(os.path.join(before, "f%d.c" % (number // IN_A_FILE)), "w", encoding="utf-8") as file:
                    file.write(print_programs(several)[0])
                number += IN_A_FILE
            totals.programs = number
            shutil.copytree(before, after)
            lint(program, after, "--fix")
            again = lint(program, after, "--diff")
            for name in sorted(os.listdir(after)):
                if "+++ b/" + name in again:
                    totals.complain(options.keep, "not idempotent", os.path.join(before, name), os.path.join(after, name))
                compare(totals, options.keep, harness, os.path.join(before, name), os.path.join(after, name), work)
    harness.close()
    print("%d programs in %d files, %d of them changed, %d calls rewritten; new hazards %d, do not compile %d, not idempotent %d, "
          "several sequences %d" % (totals.programs, totals.programs // IN_A_FILE, totals.changed, totals.calls,
                                    totals.bad["new hazard"], totals.bad["does not compile"], totals.bad["not idempotent"],
                                    totals.bad["several block sequences"]))
    sys.exit(1 if sum(totals.bad.values()) else 0)


if __name__ == "__main__":
    main()
