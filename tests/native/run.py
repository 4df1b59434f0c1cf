#!/usr/bin/env python3
"""Compares the two modes of the linter: flags from a compile database and real headers, against model headers.

The sources are those of fixtures/cases. Each must give the same sites (line, kind, category, effect, confidence)
and findings (line, rule, level) in both.
Where the real headers are is said by the environment:
  SA_NATIVE_TORCH  include directories for C++ (PyTorch's, its torch/csrc/api/include, the CUDA Toolkit's), with ':'
  SA_NATIVE_CUDA   toolkits for plain CUDA and C, with blanks between: NAME=DIRECTORY[:DIRECTORY...] ...
A case may hold a file `native` that says what is special, with the reason: `errors` (it does not compile, on purpose),
`differs` (today's real headers make it another program; it is not compared).
Without either variable the test is skipped (status 77). --download CACHE fetches the headers with pip and uses them.
"""
import argparse
import collections
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(TOP, "fixtures", "cases")
SKIPPED = 77

# What no real header of these packages declares: other vendors' headers, names that are unknown on purpose.
ELSEWHERE = re.compile(
    r'#\s*include\s*[<"](torch_npu|torch_musa|third_party/hccl|cncl|framework/|paddle/|dgl/|THC/|sar/|ops/'
    r'|[^">]*(/hip/|/xpu/))')
TORCH = re.compile(r'#\s*include\s*[<"](ATen|c10|torch)/')

WHEELS = {
    "torch": ["torch", "nvidia-cuda-runtime==13.*", "nvidia-cuda-crt==13.*", "nvidia-cuda-cccl==13.*", "nvidia-cublas",
              "nvidia-cusparse", "nvidia-cusolver", "nvidia-nccl-cu13"],
    "11.8": ["nvidia-cuda-runtime-cu11", "nvidia-cuda-nvcc-cu11"],
    "12": ["nvidia-cuda-runtime-cu12", "nvidia-cuda-nvcc-cu12", "nvidia-cuda-cccl-cu12"],
    "13": ["nvidia-cuda-runtime==13.*", "nvidia-cuda-crt==13.*", "nvidia-cuda-cccl==13.*"],
}


def fetch(cache, package):
    """The include directories of one wheel, downloaded and unpacked (headers only) at most once."""
    home = os.path.join(cache, re.sub(r"[^\w.-]", "_", package))
    done = os.path.join(home, ".done")
    if not os.path.exists(done):
        os.makedirs(home, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", home, package],
                       check=True)
        for wheel in glob.glob(os.path.join(home, "*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if "/include/" in name:
                        archive.extract(name, home)
            os.remove(wheel)
        open(done, "w").close()
    found = glob.glob(os.path.join(home, "*", "include")) + glob.glob(os.path.join(home, "*", "*", "include"))
    for below in ("torch/csrc/api/include", "cccl"):
        found += [path for base in found for path in [os.path.join(base, below)] if os.path.isdir(path)]
    return found


def download(cache):
    sets = {name: [path for package in packages for path in fetch(cache, package)] for name, packages in WHEELS.items()}
    python = sysconfig.get_path("include")
    if os.path.exists(os.path.join(python, "Python.h")):
        sets["torch"].append(python)
    return sets.pop("torch"), sets


def from_environment():
    torch = [path for path in os.environ.get("SA_NATIVE_TORCH", "").split(":") if path]
    toolkits = {}
    for word in os.environ.get("SA_NATIVE_CUDA", "").split():
        name, _, paths = word.rpartition("=")
        toolkits[name or os.path.basename(paths)] = paths.split(":")
    return torch, toolkits


def sources():
    """{options of the case: [relative path, text]}; hermetic options are the database's business here."""
    for directory, below, names in os.walk(CASES):
        below.sort()
        args = ()
        if "args" in names:
            with open(os.path.join(directory, "args"), encoding="utf-8") as file:
                args = tuple(shlex.split(file.read(), comments=True))
        for name in sorted(names):
            if name.endswith((".c", ".cc", ".cpp", ".cu")):
                path = os.path.join(directory, name)
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, CASES), args, file.read()


def command(path, includes, args, extra):
    """A line as a build system writes it: nvcc's for .cu, with flags that no clang knows, g++'s otherwise."""
    defines = ["-D" + b for a, b in zip(args, args[1:]) if a == "-D"] + [a for a in args if re.match(r"-D\w", a)]
    system = [word for directory in includes for word in ("-isystem", directory)]
    if path.endswith(".cu"):
        words = ["/usr/local/cuda/bin/nvcc", "-forward-unknown-to-host-compiler", "-ccbin", "/usr/bin/g++",
                 "--expt-relaxed-constexpr", "--expt-extended-lambda", "-gencode", "arch=compute_90,code=sm_90",
                 "-Xcompiler", "-fPIC,-fno-strict-aliasing", "-Xcudafe", "--diag_suppress=20012", "-std=c++20", "-x", "cu"]
    elif path.endswith(".c"):
        words = ["/usr/bin/gcc", "-O2", "-fno-plt", "-std=gnu17"]
    else:
        words = ["/usr/bin/c++", "-O2", "-fPIC", "-fno-semantic-interposition", "-fconcepts", "-mtune=native",
                 "-std=c++20"]
    return words + defines + system + extra + ["-c", path, "-o", "x.o"]


def special(path):
    """The first word of the file `native` in the source's case, or ''."""
    try:
        with open(os.path.join(CASES, os.path.dirname(path), "native"), encoding="utf-8") as file:
            return file.read().split(None, 1)[0]
    except FileNotFoundError:
        return ""


def run(options, files, args, database):
    words = [options.lint, "--root", CASES, "--format", "json", "--timeout", "3600", "--timing", "--verbose"]
    if options.libclang:
        words += ["--libclang", options.libclang]
    if database:
        words += ["-p", database]
    done = subprocess.run(words + list(args) + ["--"] + files, cwd=CASES, capture_output=True, text=True)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        sys.exit("native: no result (status %d)\n%s" % (done.returncode, done.stderr))
    by_file = collections.defaultdict(list)
    for site in result["sites"]:
        by_file[site["file"]].append((site["line"], site["kind"], site["category"], site["effect"], site["confidence"]))
    for finding in result["findings"]:
        by_file[finding["file"]].append((finding["line"], finding["rule"], finding["level"]))
    parse = re.search(r"pars\w*\D*([\d.]+) ?(m?)s", done.stderr)
    seconds = float(parse.group(1)) / (1000 if parse.group(2) else 1) if parse else 0.0
    return by_file, done.stderr, seconds


def compare(options, name, includes, chosen):
    """Prints the table of one set of headers; returns how many sources differ or do not compile."""
    groups = collections.defaultdict(list)
    for path, args, _ in chosen:
        groups[args].append(path)
    rows, native_time, model_time = [], 0.0, 0.0
    for args, files in sorted(groups.items()):
        with tempfile.TemporaryDirectory() as directory:
            extra = shlex.split(options.flags) if name == "torch" else []
            entries = [{"directory": CASES, "file": f, "arguments": command(f, includes, args, [] if f.endswith(".cu") else extra)} for f in files]
            with open(os.path.join(directory, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump(entries, file)
            model, _, seconds = run(options, files, args, None)
            model_time += seconds
            native, said, seconds = run(options, files, args, directory)
            native_time += seconds
        for path in files:
            errors = [line for line in said.splitlines() if line.startswith(path + ":") and "compile database" in line]
            equal = native[path] == model[path]
            broken = errors and special(path) != "errors"
            rows.append((path, "does not compile" if broken else "equal" if equal else "different",
                         errors, model[path], native[path]))
    count = collections.Counter(row[1] for row in rows)
    sites = sum(len(site) == 5 for row in rows for site in row[3])
    findings = sum(len(site) == 3 for row in rows for site in row[3])
    for path, answer, errors, model, native in sorted(rows):
        if answer == "equal" and not options.verbose:
            continue
        print("%-10s %-16s %s" % (name, answer, path))
        for line in errors:
            print("    " + line)
        if native != model:
            for site in sorted(set(model) | set(native), key=str):
                if model.count(site) != native.count(site):
                    print("    %s %s" % ("model " if site in model else "native", site))
    n = max(len(rows), 1)
    print("%-10s %d sources, %d sites, %d findings: %d equal, %d different, %d do not compile; %.2f s native, %.3f s hermetic a file"
          % (name, len(rows), sites, findings, count["equal"], count["different"], count["does not compile"],
             native_time / n, model_time / n), flush=True)
    return len(rows) - count["equal"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lint", required=True, help="the program to run")
    parser.add_argument("--libclang", help="the library to use")
    parser.add_argument("--download", metavar="CACHE", help="get the headers with pip; kept in CACHE")
    parser.add_argument("--flags", default="", help="more compiler flags for the sources that include PyTorch")
    parser.add_argument("--only", default="", help="only sources whose path this expression finds")
    parser.add_argument("--verbose", action="store_true", help="also list what is equal")
    options = parser.parse_args()
    options.lint = os.path.abspath(options.lint)
    torch, toolkits = download(os.path.abspath(options.download)) if options.download else from_environment()
    if not torch and not toolkits:
        print("SKIPPED: native mode is not tested, since SA_NATIVE_TORCH and SA_NATIVE_CUDA are not set;\n"
              "`./dev test --native` downloads the headers (2 GB) and runs it")
        sys.exit(SKIPPED)
    chosen = [s for s in sources() if re.search(options.only, s[0]) and not ELSEWHERE.search(s[2])
              and special(s[0]) != "differs"]
    failed = compared = 0
    for name, includes in [("torch", torch)] * bool(torch) + sorted(toolkits.items()):
        mine = [s for s in chosen if bool(TORCH.search(s[2])) == (name == "torch") and "nccl.h" not in s[2] * (name != "torch")]
        compared += len(mine)
        failed += compare(options, name, includes, mine) if mine else 0
    if not compared:
        sys.exit("native: no source was compared")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
