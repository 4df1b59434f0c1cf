#!/usr/bin/env python3
"""Measures the linter's budgets as ratios within one run, so that the machine cancels out.

Usage: run.py PROGRAM [NAME...]. Prints one line a budget: name, figure, budget, ok or OVER. Ends with
status 1 when one is over. A budget that needs something this machine lacks is skipped, and says so."""
import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

WORDS = ("record_stream", "recordStream", "RecordStream", "recordDataPtrOnStream", "cudaFreeAsync", "cudaMallocAsync")
SITE = """
static void read_aside_%(n)d(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  c10::cuda::CUDAStreamGuard guard(side);
  out.copy_(t, true);
  t.record_stream(side);
}
"""
HEAD = "#include <ATen/ATen.h>\n#include <c10/cuda/CUDAGuard.h>\n#include <c10/cuda/CUDAStream.h>\n"


def seconds(command, cwd, repeat=5):
    """Median of several runs, after one that warms the disk."""
    times = []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        times.append(time.perf_counter() - start)
        if done.returncode not in (0, 1):
            sys.exit("bench: status %d: %s\n%s" % (done.returncode, " ".join(command), done.stderr.decode()))
    return statistics.median(times[1:])


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def sites(directory, files, each):
    for i in range(files):
        put(os.path.join(directory, "f%03d.cpp" % i), HEAD + "".join(SITE % {"n": n} for n in range(each)))


def timing(program, directory, *options):
    """The figures of --timing."""
    done = subprocess.run([program, "--timing", "-j", "0", *options, "."], cwd=directory, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    text = done.stderr.decode()
    return {name: float(value) for name, value in re.findall(r"(parse|analyse|report) ([\d.]+) s", text)}


def bench_prefilter(program, directory):
    """A tree of 6,000 sources without sites against ripgrep for the same words."""
    grep = shutil.which("rg")
    if grep is None:
        return "skipped: no ripgrep here"
    rng = random.Random(1)
    lines = ["  auto value_%d = compute(stream, record, %d); // streams of records" % (i, i) for i in range(400)]
    for i in range(6000):
        body = "\n".join(rng.choices(lines, k=rng.randrange(20, 400)))
        put(os.path.join(directory, "d%02d" % (i % 60), "f%d.cpp" % i), "void f() {\n%s\n}\n" % body)
    ours = seconds([program, "--root", ".", "."], directory)
    theirs = seconds([grep, "-c", "--no-ignore", "|".join(WORDS), "."], directory)
    return ours / theirs, "<=", 2.0


def bench_analysis(program, directory):
    """Analysis and classification over parsing and lowering, one file with 200 sites."""
    sites(directory, 1, 200)
    figures = timing(program, directory)
    return figures["analyse"] / figures["parse"], "<=", 0.10


def bench_workers(program, directory):
    """Two workers against one."""
    if len(os.sched_getaffinity(0)) < 2:
        return "skipped: one processor"
    sites(directory, 40, 40)
    one, two = (seconds([program, "--root", ".", "--exit-zero", "-j", n, "."], directory, 3) for n in "12")
    return one / two, ">=", 1.8


def bench_sarif(program, directory):
    """Seconds to write SARIF of 25,000 results."""
    sites(directory, 25, 1000)
    out = os.path.join(directory, "out.sarif")
    figures = timing(program, directory, "--format", "sarif=" + out, "--fail-on", "note", "--report-all")
    with open(out, encoding="utf-8") as file:
        results = len(json.load(file)["runs"][0]["results"])
    if results < 25000:
        sys.exit("bench: only %d results" % results)
    return figures["report"], "<=", 1.0


def python_files(tree, most):
    """The first Python files of a tree by path."""
    found = []
    for directory, names, files in os.walk(tree):
        names[:] = sorted(name for name in names if name not in (".git", "node_modules"))
        found += [os.path.join(directory, name) for name in sorted(files) if name.endswith(".py")]
        if len(found) >= most:
            break
    return found[:most]


def bench_python(program, directory):
    """5,000 Python files of SA_BENCH_TREE against twice ripgrep and 20 ms a file with a site, and semgrep if it is there."""
    tree, grep = os.environ.get("SA_BENCH_TREE"), shutil.which("rg")
    if not tree or grep is None:
        return "skipped: SA_BENCH_TREE names no tree" if grep else "skipped: no ripgrep here"
    for number, path in enumerate(python_files(tree, 5000)):
        folder = os.path.join(directory, "d%02d" % (number % 50))
        os.makedirs(folder, exist_ok=True)
        shutil.copyfile(path, os.path.join(folder, "f%04d_%s" % (number, os.path.basename(path))))
    listed = subprocess.run([program, "--root", ".", "--list-files", "."], cwd=directory, capture_output=True, check=True)
    hits = listed.stdout.count(b"\n")
    ours = seconds([program, "--root", ".", "--exit-zero", "--format", "json", "."], directory)
    theirs = seconds([grep, "-c", "--no-ignore", "|".join(WORDS), "."], directory)
    print("python     %d files, %d with a site: sa-lint %.3f s, ripgrep %.3f s" % (number + 1, hits, ours, theirs))
    semgrep = os.environ.get("SA_BENCH_SEMGREP") or shutil.which("semgrep")
    if semgrep:
        rule = os.path.join(directory, "rule.yaml")
        put(rule, "rules:\n- {id: record, languages: [python], severity: INFO, message: m, pattern: $X.record_stream(...)}\n")
        slow = seconds([semgrep, "scan", "--metrics=off", "--disable-version-check", "--config", rule, "--json", "."],
                       directory, 1)
        print("python     semgrep with one pattern: %.1f s, %.0f times sa-lint" % (slow, slow / ours))
    else:
        print("python     semgrep is not there: not compared")
    return ours / (2 * theirs + 0.020 * hits), "<=", 1.0


BENCHES = {"prefilter": bench_prefilter, "analysis": bench_analysis, "workers": bench_workers, "sarif": bench_sarif,
           "python": bench_python}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*", choices=[*BENCHES, []], help="which budgets; default: all")
    options = parser.parse_args()
    over = False
    for name in options.names or BENCHES:
        with tempfile.TemporaryDirectory(prefix="sa-bench-") as directory:
            result = BENCHES[name](os.path.abspath(options.program), directory)
        what = BENCHES[name].__doc__.strip()
        if isinstance(result, str):
            print("%-10s %s (%s)" % (name, result, what))
            continue
        figure, sign, budget = result
        good = figure <= budget if sign == "<=" else figure >= budget
        over |= not good
        print("%-10s %8.3f  budget %s %.2f  %s  (%s)" % (name, figure, sign, budget, "ok" if good else "OVER", what),
              flush=True)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
