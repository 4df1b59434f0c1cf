"""Takes one legality check after another out of a copy of the sources, and wants the suite to turn
red each time. Exit code 0: every mutant was killed.

    python3 mutants.py RUNTIME BUILD
"""
import os
import shutil
import subprocess
import sys

TESTS = ("conformance", "capture", "capture_rules", "explore", "capture_graphs", "random_programs", "faults", "against_model")


def read_table(path):
    with open(path) as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            # Only a bar between blanks separates: the code has bars of its own.
            parts = line.rstrip("\n").replace(" |\n", " | ").split(" | ")
            if len(parts) == 3 and parts[2].endswith(" |"):
                parts = parts[:2] + [parts[2][:-2], ""]
            name, file, old, new = (p.strip() for p in parts)
            yield name, file, old, new


def quiet(command, **kw):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **kw)


def build(folder):
    targets = [f"sar-test-{test}" for test in TESTS]
    return quiet(["cmake", "--build", folder, "-j", "2", "--target", *targets]).returncode == 0


def killer(folder):
    """The first test that fails, or None."""
    for test in TESTS:
        try:
            run = quiet([os.path.join(folder, "tests", f"sar-test-{test}")], timeout=120)
        except subprocess.TimeoutExpired:
            return f"{test} (it does not end)"
        if run.returncode:
            return test
    return None


def try_mutant(copy, folder, file, old, new):
    path = os.path.join(copy, file)
    with open(path) as f:
        text = f.read()
    if old not in text:
        return "NOT APPLICABLE: the text is not there"
    with open(path, "w") as f:
        f.write(text.replace(old, new, 1))
    verdict = killer(folder) if build(folder) else "NOT APPLICABLE: does not build"
    with open(path, "w") as f:
        f.write(text)
    return verdict


def main():
    root, scratch = (os.path.abspath(p) for p in sys.argv[1:3])
    copy, folder = os.path.join(scratch, "runtime"), os.path.join(scratch, "build")
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(root, copy)
    flags = ["-DSAR_CUDA=OFF", "-DSAR_WERROR=OFF", "-DCMAKE_C_FLAGS=-w"]
    quiet(["cmake", "-S", copy, "-B", folder, *flags], check=True)
    if not build(folder) or killer(folder):
        sys.exit("mutants: the sources as they are do not pass")
    survivors = total = 0
    for name, file, old, new in list(read_table(os.path.join(copy, "tests", "mutants.txt"))):
        verdict = try_mutant(copy, folder, file, old, new)
        alive = verdict is None or verdict.startswith("NOT")
        survivors, total = survivors + alive, total + 1
        print(f"{name:<46} {'SURVIVES' if verdict is None else verdict}", flush=True)
    print(f"{total - survivors} of {total} mutants killed")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
