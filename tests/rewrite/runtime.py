#!/usr/bin/env python3
"""The runtime's programs, rewritten by the linter, compiled and run in every schedule.

    runtime.py SA_LINT BUILD [--json FILE]

Copies the programs, edits the copies with --fix, builds the runner with them (in BUILD, which is
kept between runs) and runs the recording and the rewritten form of each on the simulator. A
rewritten program must have one schedule, no hazard, and the results of the recording form. Programs
that are wrong on purpose, with findings that no edit settles, may stay as wrong as they were.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit("%s: status %d\n%s%s" % (command[0], done.returncode, done.stdout[-4000:], done.stderr[-4000:]))
    return done.stdout


def rewrite(lint, work):
    """Edits a copy of the programs. {name: (sites with an edit, sites without, why)}"""
    shutil.copytree(os.path.join(TOP, "runtime"), os.path.join(work, "runtime"))
    folder = os.path.join(work, "runtime", "fixtures")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".c"))
    paths = [os.path.join("runtime", "fixtures", name) for name in names]
    report = json.loads(run(lint, "--root", ".", "--no-config", "--exit-zero", "--format", "json", *paths, cwd=work))
    run(lint, "--root", ".", "--no-config", "--exit-zero", "--fix", "--quiet", "--format", "json=/dev/null", *paths,
        cwd=work)
    verdicts = {}
    for site in report["sites"]:
        if site["kind"] in ("call", "helper-call") and site["category"] == "avoidable":
            one = verdicts.setdefault(os.path.basename(site["file"])[:-2], [0, []])
            if site["fix"]:
                one[0] += 1
            else:
                one[1].append(site.get("fixReason", "nothing was planned"))
    return folder, verdicts


def made_by_ninja(build):
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
            return "CMAKE_GENERATOR:INTERNAL=Ninja\n" in file.read()
    except OSError:
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lint")
    parser.add_argument("build")
    parser.add_argument("--json", help="keep the runner's figures there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder, verdicts = rewrite(os.path.abspath(options.lint), work)
        if not made_by_ninja(options.build):  # cmake refuses a tree of another generator
            shutil.rmtree(options.build, ignore_errors=True)
        rewritten = os.path.join(options.build, "rewritten")
        shutil.rmtree(rewritten, ignore_errors=True)
        os.makedirs(rewritten)
        whole = sorted(name for name, (edits, without) in verdicts.items() if edits and not without)
        for name in whole:
            shutil.copy(os.path.join(folder, name + ".c"), rewritten)
    run("cmake", "-G", "Ninja", "-S", os.path.join(TOP, "runtime"), "-B", options.build, "-DSAR_CUDA=OFF", "-DBUILD_TESTING=OFF",
        "-DSAR_REWRITTEN=" + os.path.abspath(rewritten))
    run("cmake", "--build", options.build, "--target", "sar-run", "-j", str(os.cpu_count() or 2))
    figures = options.json or os.path.join(options.build, "rewritten.json")
    done = subprocess.run([os.path.join(options.build, "tools", "sar-run"), "--backend", "sim", "--json", figures],
                          capture_output=True, text=True)
    with open(figures, encoding="utf-8") as file:
        every = json.load(file)["rows"]
    rows = [row for row in every if row["form"] == "rewritten"]
    before = {row["fixture"]: row["hazards"] for row in every if row["form"] == "record"}
    bad = [row for row in rows if row["hazards"] > before[row["fixture"]] or row["schedules"] != 1 or not row["results"]
           or (row["wrong"] and not before[row["fixture"]])]
    for row in rows:
        print("%-22s schedules %d, hazards %d, results wrong %d of %d%s" %
              (row["fixture"], row["schedules"], row["hazards"], row["wrong"], row["results"], "" if row not in bad else "  BAD"))
    for name, (edits, without) in sorted(verdicts.items()):
        for why in without:
            print("%-22s no edit: %s" % (name, why))
    print("%d programs rewritten and run, %d bad" % (len(rows), len(bad)))
    if {row["fixture"] for row in rows} != set(whole) or bad or len(whole) < 19:
        sys.exit(done.stdout[-4000:] + done.stderr)


if __name__ == "__main__":
    main()
