#!/usr/bin/env python3
"""Measures the linter's budgets as ratios within one run, so that the machine cancels out.

Usage: run.py PROGRAM [NAME...] [PATH...]. `lint` and `peers` measure real trees and sources: the paths. Prints one line a budget: name, figure, budget, ok or OVER. Ends with
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

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORDS = ("record_stream", "recordStream", "RecordStream", "recordDataPtrOnStream")
WORDS = (*RECORDS, "cudaFreeAsync", "cudaMallocAsync")
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
    return {name: float(value) for name, value in re.findall(r"(parse|lower|analyse|report) ([\d.]+) s", text)}


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
    """Analysis and classification over libclang's own parse, one file with 200 sites."""
    sites(directory, 1, 200)
    figures = timing(program, directory)
    return figures["analyse"] / figures["parse"], "<=", 0.10


def bench_cache(program, directory):
    """Second run with the cache over the first, 500 files."""
    sites(os.path.join(directory, "src"), 500, 5)
    command = [program, "--root", "src", "--exit-zero", "--cache-dir", os.path.join(directory, "cache"), "src"]
    start = time.perf_counter()
    subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, check=True)
    first = time.perf_counter() - start
    return seconds(command, directory, 3) / first, "<=", 0.05


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


def python_words():
    """What makes a Python source worth a parse: record APIs, and the words of rows about Python."""
    with open(os.path.join(TOP, "rules", "apis", "11-python-streams.yaml"), encoding="utf-8") as file:
        text = file.read()
    triggers = re.search(r"^triggers:\n((?:  - .*\n)+)", text, re.M).group(1)
    return [*RECORDS, *(line.strip()[2:] for line in triggers.splitlines())]


def python_files(tree, most):
    """The first Python files of a tree by path."""
    found = []
    for directory, names, files in os.walk(tree):
        names[:] = sorted(name for name in names if name not in (".git", "node_modules"))
        found += [os.path.join(directory, name) for name in sorted(files) if name.endswith(".py")]
        if len(found) >= most:
            break
    return found[:most]


def least(command, cwd, repeat=7):
    """(seconds, processor seconds) of the quickest of several runs: what other work on the machine adds is left out."""
    best = (float("inf"), float("inf"))
    for _ in range(repeat):
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            sys.exit("bench: status %d: %s" % (os.waitstatus_to_exitcode(status), " ".join(command)))
        wall, own = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
        best = (min(best[0], wall), min(best[1], own))
    return best


def compare_semgrep(directory, ours):
    semgrep = os.environ.get("SA_BENCH_SEMGREP") or shutil.which("semgrep")
    if not semgrep:
        return "semgrep is not there: not compared"
    rule = os.path.join(directory, "rule.yaml")
    put(rule, "rules:\n- {id: record, languages: [python], severity: INFO, message: m, pattern: $X.record_stream(...)}\n")
    slow = seconds([semgrep, "scan", "--metrics=off", "--disable-version-check", "--config", rule, "--json", "."],
                   directory, 1)
    return "semgrep with one pattern: %.1f s, %.0f times sa-lint" % (slow, slow / ours)


def measure_python(program, directory, files):
    """One row of the table, and what it says of the budget: ripgrep for the same words, and 20 ms for each file that holds
    a record call. Files without one that are analysed all the same, since streams meet in them, get nothing. Where other
    work takes the processors, the processor time of all workers counts: on a quiet machine with two processors the clock
    shows less than that."""
    for number, path in enumerate(files):
        folder = os.path.join(directory, "tree", "d%02d" % (number % 50))
        os.makedirs(folder, exist_ok=True)
        shutil.copyfile(path, os.path.join(folder, "f%04d_%s" % (number, os.path.basename(path))))
    tree, cache = os.path.join(directory, "tree"), os.path.join(directory, "cache")
    listed = subprocess.run([program, "--root", ".", "--list-files", "."], cwd=tree, capture_output=True, check=True)
    hits, sites = listed.stdout.count(b"\n"), 0
    for path in files:
        with open(path, "rb") as file:
            text = file.read()
        sites += any(word.encode() in text for word in RECORDS)
    command = [program, "--root", ".", "--exit-zero", "."]
    ours, own = least(command, tree)
    edits, _ = least([*command, "--format", "json"], tree, 3)
    words = [option for word in python_words() for option in ("-e", word)]
    theirs = min(least([shutil.which("rg"), "-c", "--no-ignore", "-F", *words, "."], tree))
    cold, _ = least([*command, "--cache-dir", cache], tree, 1)
    warm, _ = least([*command, "--cache-dir", cache], tree)
    budget = 2 * theirs + 0.020 * sites
    print("python     %5d %4d %5d %8.3f %8.3f %8.3f %9.3f %8.3f %8.3f %8.3f %8.3f" %
          (len(files), hits, sites, theirs, budget, ours, own, cold, warm, edits, min(ours, own) / budget), flush=True)
    print("python     " + compare_semgrep(tree, ours), flush=True)
    return min(ours, own) / budget


def bench_python(program, directory):
    """5,000 Python files of each of SA_BENCH_TREE (parted by colons) against twice ripgrep and 20 ms a file with a record call;
    what the cache makes of it, what JSON with proved edits takes, and semgrep if it is there."""
    trees = [tree for tree in os.environ.get("SA_BENCH_TREE", "").split(os.pathsep) if tree]
    if not trees or shutil.which("rg") is None:
        return "skipped: no ripgrep here" if trees else "skipped: SA_BENCH_TREE names no tree"
    print("python     files hits sites  ripgrep   budget  sa-lint processor     cold     warm    edits   sa-lint/budget")
    worst = 0.0
    for number, tree in enumerate(trees):
        files = python_files(tree, 5000)
        if files:
            worst = max(worst, measure_python(program, os.path.join(directory, str(number)), files))
    return worst, "<=", 1.0


def real_sources(program, paths, number):
    """(directory, file) of the largest C++ and CUDA sources with something to analyse."""
    found = []
    for path in map(os.path.abspath, paths):
        base = path if os.path.isdir(path) else os.path.dirname(path)
        done = subprocess.run([program, "--root", base, "--no-config", "--list-files", path], capture_output=True,
                              cwd=base, check=False)
        for name in done.stdout.decode("utf-8", "surrogateescape").split("\n"):
            if name.endswith((".cpp", ".cc", ".cxx", ".cu")):
                found.append((os.path.getsize(os.path.join(base, name)), base, name))
    return [(base, name) for _, base, name in sorted(found, reverse=True)[:number]]


def bench_lint(program, paths):
    """Analysis, classification and report over libclang's own parse, the ten largest sources of the given trees."""
    if not paths:
        return "skipped: no trees given"
    parse = ours = 0.0
    for base, name in real_sources(program, paths, 10):
        done = subprocess.run([program, "--root", base, "--no-config", "--timing", "-j", "0", name], cwd=base,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        figures = {word: float(value) for word, value in
                   re.findall(r"(parse|lower|analyse|report) ([\d.]+) s", done.stderr.decode())}
        own = figures["analyse"] + figures["report"]
        print("  %-70s parse %.3f s, lower %.3f s, analyse and report %.3f s: %.3f" %
              (name[-70:], figures["parse"], figures["lower"], own, own / figures["parse"]), flush=True)
        parse += figures["parse"]
        ours += own
    return ours / parse, "<=", 0.10


SEMGREP_RULE = """rules:
  - id: record-stream
    languages: [cpp]
    severity: WARNING
    message: record_stream
    pattern: $T.record_stream($S)
"""


def once(command, cwd, **options):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False, timeout=3600, **options)
    return time.perf_counter() - start, done


def semgrep_of():
    """The program, from the system or a virtual environment made for it; None without either."""
    if shutil.which("semgrep"):
        return shutil.which("semgrep")
    home = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sa-lint", "semgrep")
    program = os.path.join(home, "bin", "semgrep")
    if not os.path.exists(program):
        import venv
        venv.create(home, with_pip=True)
        subprocess.run([os.path.join(home, "bin", "pip"), "install", "-q", "semgrep"], check=False)
    return program if os.path.exists(program) else None


def compare_tree(program, tree, scratch):
    """Prints what each tool needed and found in one tree."""
    words = "|".join(WORDS)
    command = [program, "--root", tree, "--no-config", "--list-files", "."]
    once(command, tree)  # warms the disk
    ours, listed = once(command, tree)
    files = [name for name in listed.stdout.decode("utf-8", "surrogateescape").split("\n") if name.endswith((".cpp", ".cc", ".cu", ".h"))]
    grep = shutil.which("rg")
    if grep:
        theirs, done = once([grep, "-l", "--no-ignore", words, "."], tree)
        print("  prefilter %.2f s, ripgrep %.2f s: %.2f; %d files and %d" %
              (ours, theirs, ours / theirs, len(listed.stdout.split(b"\n")) - 1, len(done.stdout.split(b"\n")) - 1), flush=True)
    else:
        print("  SKIPPED: no ripgrep here")
    ours, done = once([program, "--root", tree, "--no-config", "--report-all", "-f", "json", "."], tree)
    report = json.loads(done.stdout)
    mine = {(site["file"], site["line"]) for site in report["sites"] if site["language"] != "python"}
    print("  sa-lint   %.2f s: %d record calls in C++, %d findings" % (ours, len(mine), len(report["findings"])), flush=True)
    semgrep = semgrep_of()
    if semgrep:
        rule = os.path.join(scratch, "rule.yaml")
        put(rule, SEMGREP_RULE)
        environment = dict(os.environ, SEMGREP_SEND_METRICS="off", SEMGREP_ENABLE_VERSION_CHECK="0",
                           PATH=os.path.dirname(semgrep) + os.pathsep + os.environ["PATH"])
        theirs, done = once([semgrep, "scan", "--config", rule, "--metrics", "off", "--no-git-ignore", "--json", "-q", "."], tree,
                            env=environment)
        if done.returncode not in (0, 1) or not done.stdout:
            print("  SKIPPED: semgrep ends with status %d" % done.returncode)
        else:
            found = {(os.path.normpath(one["path"]), one["start"]["line"]) for one in json.loads(done.stdout)["results"]}
            print("  semgrep   %.2f s: %d matches, %d of them sites here too; sa-lint takes %.2f of its time" %
                  (theirs, len(found), len(found & mine), ours / theirs), flush=True)
    else:
        print("  SKIPPED: semgrep is not there and cannot be installed")
    tidy = shutil.which("clang-tidy-19") or shutil.which("clang-tidy")
    units = [name for name in files if name.endswith((".cpp", ".cc"))][:20]
    if tidy and units:
        theirs, done = once([tidy, "--quiet", "--checks=-*,bugprone-*", *units, "--", "-std=c++17"], tree)
        same, _ = once([program, "--root", tree, "--no-config", *units], tree)
        about = sum("record" in line and "Stream" in line for line in done.stdout.decode(errors="replace").split("\n"))
        print("  clang-tidy %.2f s on %d files, of whose headers it finds few: %d warnings, %d about streams; "
              "sa-lint %.2f s on the same: %.2f" %
              (theirs, len(units), done.stdout.count(b" warning: "), about, same, same / theirs), flush=True)
    elif not tidy:
        print("  SKIPPED: no clang-tidy here")


def bench_peers(program, paths):
    """Beside ripgrep, semgrep and clang-tidy, on the given trees."""
    if not paths:
        return "skipped: no trees given"
    for tree in map(os.path.abspath, paths):
        print(os.path.basename(tree), flush=True)
        with tempfile.TemporaryDirectory(prefix="sa-bench-") as scratch:
            compare_tree(program, tree, scratch)
    return "no budget"


BENCHES = {"prefilter": bench_prefilter, "analysis": bench_analysis, "workers": bench_workers, "cache": bench_cache,
           "sarif": bench_sarif, "python": bench_python}
OF_TREES = {"lint": bench_lint, "peers": bench_peers}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("names", nargs="*", help="which budgets (%s; default: all but the last two); paths for lint and peers" %
                        ", ".join([*BENCHES, *OF_TREES]))
    options = parser.parse_args()
    names = [name for name in options.names if name in BENCHES or name in OF_TREES]
    paths = [name for name in options.names if name not in names]
    if not all(map(os.path.exists, paths)):
        parser.error("neither a budget nor a path: " + " ".join(path for path in paths if not os.path.exists(path)))
    over = False
    for name in names or BENCHES:
        bench = BENCHES.get(name) or OF_TREES[name]
        if name in OF_TREES:
            result = bench(options.program, paths)
        else:
            with tempfile.TemporaryDirectory(prefix="sa-bench-") as directory:
                result = bench(options.program, directory)
        what = " ".join(bench.__doc__.split())
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
