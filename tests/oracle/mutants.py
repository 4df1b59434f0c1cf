"""Breaks one rule of the analysis after another in a copy of the sources, and wants the oracle to notice.
Exit code 0: every mutant was caught.

    python3 tests/oracle/mutants.py HARNESS FOLDER [N]
"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))


def read_table(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            parts = [p.strip().replace("\\|", "|") for p in line.rstrip("\n").split(" | ")]
            yield parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else ""


def build(folder):
    done = subprocess.run(["ninja", "-C", folder, "--quiet", "sa-lint"], capture_output=True, text=True)
    return done.returncode == 0


def caught(folder, harness, count):
    """The first line that names a wrong answer, or None."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "run.py"), "--lint", os.path.join(folder, "bin", "sa-lint"),
                           "--harness", harness, "-n", str(count), "--no-shrink"], capture_output=True, text=True)
    wrong = [line for line in done.stdout.split("\n") if line.startswith("wrong: ")]
    return wrong[0] if wrong else None


def try_mutant(copy, folder, harness, count, file, old, new):
    path = os.path.join(copy, file)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if old not in text:
        return "NOT APPLICABLE: the text is not there"
    try:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new, 1))
        if not build(folder):
            return "NOT APPLICABLE: does not build"
        return caught(folder, harness, count) or "SURVIVES"
    finally:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


def main():
    harness, scratch = (os.path.abspath(p) for p in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    copy, folder = os.path.join(scratch, "source"), os.path.join(scratch, "build")
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(TOP, copy, ignore=lambda where, names: [n for n in names if where == TOP and
                                                            (n in (".git", "fixtures") or n.startswith("build"))])
    subprocess.run(["cmake", "-S", copy, "-B", folder, "-G", "Ninja", "-DSA_TESTS=OFF", "-DSAR_CUDA=OFF", "-DCMAKE_C_FLAGS=-w",
                    "-DCMAKE_BUILD_TYPE=Release"], check=True, capture_output=True)
    if not build(folder) or caught(folder, harness, count):
        sys.exit("mutants: the sources as they are do not pass")
    alive = total = 0
    for name, file, old, new in read_table(os.path.join(HERE, "mutants.txt")):
        verdict = try_mutant(copy, folder, harness, count, file, old, new)
        alive, total = alive + (verdict == "SURVIVES" or verdict.startswith("NOT")), total + 1
        print(f"{name:<46} {verdict}", flush=True)
    print(f"{total - alive} of {total} mutants caught")
    sys.exit(1 if alive else 0)


if __name__ == "__main__":
    main()
