#!/usr/bin/env python3
"""Damaged Python sources and notebooks: no crash, no hang.

Usage: python.py PROGRAM [--files N] [--seed S] [--limit SECONDS] [--keep DIR] [SOURCE...]

Makes N files (400) out of the Python fixtures, sources of this repository and the SOURCEs: bytes
flipped, cut and doubled, nesting without end, tabs, form feeds, mixed line ends, encodings with and
without their cookie, byte-order marks, NUL bytes, lone surrogates. The program analyses each one (`--no-prefilter`) in
batches. A crash, a report of a sanitizer, a file that needs more than the limit (2 s) or a status other
than 0, 1 and 3 is a failure; the file is then kept in DIR and the status of this script is 1.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BATCH = 100
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=1:exitcode=97:detect_leaks=0",
                   UBSAN_OPTIONS="print_stacktrace=1:exitcode=97")
CALL = b"x.record_stream(s)\n"
CODECS = ("utf-8", "latin-1", "utf-16", "utf-16-le", "utf-32", "cp1252", "shift_jis", "euc-kr", "utf-7", "koi8-r")


def flip(rng, data):
    out = bytearray(data)
    for _ in range(rng.choice((1, 3, 20))):
        if out:
            out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def swap_bits(rng, data):
    out = bytearray(data)
    for _ in range(rng.choice((1, 5))):
        if out:
            out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def cut(rng, data):
    return data[:rng.randrange(len(data) + 1)]


def cut_out(rng, data):
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(200):]


def double(rng, data):
    start = rng.randrange(len(data) + 1)
    piece = data[start:start + rng.randrange(1, 400)]
    return data[:start] + piece * rng.choice((2, 3, 50)) + data[start:]


def put_token(rng, data):
    token = rng.choice((b"(", b")", b"[", b"]", b"{", b"}", b'"""', b"'''", b'"', b"'", b"\\", b"\\\n", b"#", b":", b";",
                        b"=", b":=", b"->", b"*", b"**", b"@", b"lambda", b"yield", b"await", b"async ", b"del ", b"with ",
                        b"match x:\n", b"case _:\n", b"try:\n", b"finally:\n", b"except* E:\n", b"f'{", b"rb'", b"\xff",
                        b"\x0c", b"\t", b"\r", b"\x00", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xed\xa0\x80",
                        b"\xed\xbf\xbf\xed\xa0\x80", b"'\\ud800'", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"return ", b"global x\n",
                        b"nonlocal y\n", b"class C(C): pass\n", b"!ls\n", b"%magic\n", b"print x\n", b"exec 'y'\n"))
    start = rng.randrange(len(data) + 1)
    return data[:start] + token * rng.choice((1, 1, 2, 30)) + data[start:]


def shuffle_lines(rng, data):
    lines = data.split(b"\n")
    if len(lines) > 2:
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
        lines[i] = b" " * rng.randrange(12) + lines[i].lstrip()
    return b"\n".join(lines)


def blanks(rng, data):
    old, new = rng.choice(((b"    ", b"\t"), (b"  ", b"\t "), (b"\n    ", b"\n\x0c   "), (b"\n", b"\n\x0c"), (b" ", b"\xc2\xa0")))
    return data.replace(old, new)


def line_ends(rng, data):
    ends = (b"\n", b"\r\n", b"\r", b"\n\r")
    return b"".join(line + rng.choice(ends) for line in data.split(b"\n"))


def recode(rng, data):
    codec, cookie = rng.choice(CODECS), rng.choice(CODECS + ("no-such-codec", "", "utf-8-sig" * 40))
    text = "# -*- coding: %s -*-\nx = 'ä\u20ac\U0001f600'\n" % cookie + data.decode("utf-8", "replace")
    return text.encode(codec, "ignore")


def mark(rng, data):
    return rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00", b"\x1a", b"#!x\n# coding: latin-1\n")) + data


def nest(rng, data):
    n = rng.choice((50, 300, 3000, 30000))
    deep = {
        0: b"(" * n, 1: b"(" * n + b"x" + b")" * n, 2: b"[" * n, 3: b"{" * n, 4: b"not " * n + b"x", 5: b"-" * n + b"1",
        6: b"lambda: " * n + b"x", 7: b"x" + b".a" * n, 8: b"x" + b"[0]" * n, 9: b"f(" * n + b"x" + b")" * n,
        10: b"x" + b" + x" * n, 11: b"".join(b" " * i + b"if x:\n" for i in range(min(n, 900))),
        12: b"".join(b" " * i + b"def f():\n" for i in range(min(n, 600))),
        13: b"".join(b" " * i + b"with a:\n" for i in range(min(n, 400))),
        14: b"".join(b" " * i + b"for a in b:\n" for i in range(min(n, 300))),
        15: b"".join(b" " * i + b"try:\n" for i in range(min(n, 300))), 16: b"f'{" * n, 17: b"x if y else " * n + b"z",
        18: b"await " * n + b"x", 19: b"a = " * n + b"b", 20: b"@d\n" * n + b"def f(): pass",
        21: b"if x: pass\n" + b"elif x: pass\n" * n, 22: b"'''" + b"x" * n, 23: b"x = " + b"'a' " * n,
        24: b"x.record_stream(" * n + b")" * n, 25: b"class C" + b"(C" * n, 26: b"(x for y in " * n,
        27: b"match x:\n" + b" case " + b"[" * n, 28: b"x = y = " + b"*" * n, 29: b"a" * n * 10, 30: b"\\\n" * n,
        31: b"def f(" + b"a, " * n + b"): pass", 32: b"f(" + b"a, " * n + b")", 33: b"#" * n, 34: b"\n" * n,
        35: b"x = torch.rand(2)\n" * min(n, 3000) + CALL, 36: b"with s:\n " + b"x.record_stream(s)\n " * min(n, 1000),
        37: b"while x:\n" + b" if y: continue\n" * min(n, 3000), 38: b"1a2b " * n, 39: b"class:\n" * n,
        40: b"elif x: pass\n" * n, 41: b"a..b\n" * n, 42: b"lambda: : x\n" * n,
    }
    piece = deep[rng.randrange(len(deep))]
    where = rng.randrange(len(data) + 1)
    return rng.choice((piece + b"\n" + data, data + b"\n" + piece, data[:where] + piece + data[where:], piece, piece + CALL))


def splice(rng, data, other):
    return data[:rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1):]


MUTATIONS = (flip, swap_bits, cut, cut_out, double, put_token, put_token, shuffle_lines, blanks, line_ends, recode, mark,
             nest, nest)


def notebook(rng, data):
    """The source as a notebook, whole or damaged as text."""
    lines = data.decode("utf-8", "replace").splitlines(True)
    cells = [{"cell_type": rng.choice(("code", "code", "markdown", "raw", 7)), "metadata": {}, "outputs": [],
              "source": rng.choice((lines[i:i + 9], "".join(lines[i:i + 9]), ["%%bash\n"] + lines[i:i + 3], None, [1]))}
             for i in range(0, len(lines), 9)]
    text = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}, indent=rng.choice((None, 1)),
                      ensure_ascii=rng.random() < 0.5).encode("utf-8", "replace")
    lone = text.replace(b"e", rng.choice((b"\\ud800", b"\\udfff\\ud800", b"\\u0000", b"\xed\xa0\x80")), rng.choice((1, 40)))
    return rng.choice((lambda: text, lambda: flip(rng, text), lambda: cut(rng, text), lambda: nest(rng, text), lambda: lone))()


def mutate(rng, seeds):
    data = rng.choice(seeds)
    if rng.random() < 0.1:
        data = splice(rng, data, rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice(MUTATIONS)(rng, data)[:200000]
    if rng.random() < 0.08:
        return ".ipynb", notebook(rng, data)
    return ".py", data


def seeds_of(paths):
    found = [os.path.join(directory, name) for tree in ("fixtures", "tests", "runtime/tools", "cmake")
             for directory, _, names in sorted(os.walk(os.path.join(TOP, tree))) for name in sorted(names)
             if name.endswith(".py")]
    seeds = []
    for path in found + paths:
        with open(path, "rb") as file:
            seeds.append(file.read()[:40000])
    return seeds


def run(program, folder, limit):
    """(messages that say a file was lost, status, what was said)"""
    done = subprocess.run([program, "--root", ".", "--no-config", "--no-prefilter", "--timeout", str(limit), "-j2", "--format",
                           "json", "."], cwd=folder, capture_output=True, env=ENVIRONMENT, timeout=120 + BATCH * limit)
    said = done.stderr.decode("utf-8", "replace")
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return [], done.returncode if done.returncode not in (0, 1, 3) else 99, said
    lost = [m for m in report["notifications"] if m["text"].startswith("the analysis of this file")]
    return lost, done.returncode, said


def alone(program, folder, name, limit):
    """Whether the file takes its time on a quiet machine, too: processor seconds of one process."""
    child = subprocess.Popen([program, "--root", ".", "--no-config", "--no-prefilter", "-j0", "--format", "json", name],
                             cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    watchdog = threading.Timer(60 * limit, child.kill)
    watchdog.start()
    _, status, usage = os.wait4(child.pid, 0)
    watchdog.cancel()
    return os.WIFSIGNALED(status) or usage.ru_utime + usage.ru_stime > limit


def batch(program, files, limit, keep):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        lost, status, said = run(program, folder, limit)
        bad = [(m["file"], m["text"]) for m in lost
               if "took longer" not in m["text"] or alone(program, folder, m["file"], limit)]
        if status not in (0, 1, 3) or "Sanitizer" in said or "runtime error:" in said:
            bad.append((files[0][0], "status %d in this batch\n%s" % (status, said[-3000:])))
        for name, why in bad:
            failed += 1
            print("%s: %s" % (name, why), flush=True)
            if keep:
                os.makedirs(keep, exist_ok=True)
                shutil.copy(os.path.join(folder, name), keep)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("sources", nargs="*")
    options = parser.parse_args()
    seeds, failed = seeds_of(options.sources), 0
    for start in range(0, options.files, BATCH):
        files = []
        for number in range(start, min(start + BATCH, options.files)):
            ending, data = mutate(random.Random("%d %d" % (options.seed, number)), seeds)
            files.append(("m%06d%s" % (number, ending), data))
        failed += batch(options.program, files, options.limit, options.keep)
    print("python: %d files from %d sources, %d failed" % (options.files, len(seeds), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
