"""Compiles programs and runs them on the simulated device, in every schedule.

    python3 tests/oracle/execute.py --harness build/tests/sar-oracle FILE.c...

runs each function program_N of the files, for every value of its flags, and prints a line of JSON
each: hazards, how many schedules there are and how many sequences of blocks.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
# What is wrong in any program, whatever the next owner does, is a mistake of the generator.
MISTAKES = ("use-after-free", "outside", "freed")


class Broken(Exception):
    """The text does not compile, or the harness ended."""


def compile_text(source, output, compiler="cc"):
    command = [compiler, "-std=c17", "-O0", "-w", "-shared", "-fPIC", "-include",
               os.path.join(HERE, "hooks.h"), "-I", os.path.join(TOP, "runtime", "include"),
               source, "-o", output]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"{source} does not compile:\n{done.stderr}")


class Harness:
    """One running sar-oracle."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def load(self, library):
        self.process.stdin.write(f"load {os.path.abspath(library)}\n")

    def run(self, name, flags, without=()):
        """What happens with these record calls (by line) left out."""
        self.process.stdin.write(" ".join(["run", name, str(flags), *map(str, sorted(without))]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Broken(f"the harness ended in {name} with flags {flags} (status {self.process.wait()})")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise Broken("the harness failed")


def programs_of(text):
    """Names of the programs in a source, and the flags that each looks at."""
    heads = list(re.finditer(r"^void (program_\w+)\(", text, re.M))
    for i, head in enumerate(heads):
        end = heads[i + 1].start() if i + 1 < len(heads) else len(text)
        body = text[text.index("{", head.start()):end]
        flags = {int(n) for n in re.findall(r"\bflag(\d)\b", body)}
        yield head[1], sorted(flags | ({3, 4} if re.search(r"\bcount\b", body) else set()))


def every_value(flags):
    values = [0]
    for flag in flags:
        values += [v | 1 << flag for v in values]
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harness", default=os.path.join(TOP, "build", "tests", "sar-oracle"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    harness = Harness(options.harness)
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(options.files):
            library = os.path.join(folder, f"{number}.so")
            compile_text(path, library)
            harness.load(library)
            with open(path) as f:
                text = f.read()
            for name, flags in programs_of(text):
                for value in every_value(flags):
                    answer = harness.run(name, value)
                    print(json.dumps({"file": path, "program": name, "flags": value, **answer}))
    harness.close()


if __name__ == "__main__":
    try:
        main()
    except Broken as broken:
        sys.exit(str(broken))
