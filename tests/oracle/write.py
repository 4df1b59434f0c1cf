"""Writes random programs as C files, one program a file.

    python3 tests/oracle/write.py DIR [N] [SEED]
"""
import os
import sys

from generate import generate
from program import print_programs


def main():
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        text, _, _ = print_programs([generate(seed, number)])
        with open(os.path.join(folder, f"program_{number}.c"), "w") as f:
            f.write(text)


if __name__ == "__main__":
    main()
