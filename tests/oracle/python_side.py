"""Programs as Python: the text that is linted, and a harness that plays what the text does."""
import json
import subprocess

from execute import Broken
from program import flag_values
from spell import HEAD
from standin import Source
from write_python import Unwritten, start_of, write_program


class Played:
    """Answers like execute.Harness, of a source that was run with the stand-in for PyTorch."""

    def __init__(self, path, source, writers):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.source, self.writers = source, writers
        self.recorders, self.answers, self.loaded = {}, {}, None

    def steps(self, name, flags):
        if (name, flags) not in self.recorders:
            program, writer = self.writers[name]
            recorder = self.source.run(start_of(program, writer.style, flags))
            self.recorders[name, flags] = tuple(
                f"step {what} {line} {call} {' '.join(str(o) for o in (*operands, 0, 0, 0)[:3])}\n"
                for what, line, call, operands in recorder.steps)
        return self.recorders[name, flags]

    def run(self, name, flags, without=()):
        steps = self.steps(name, flags)
        asked = (steps, tuple(sorted(without)))
        if asked not in self.answers:
            if self.loaded != steps:
                self.process.stdin.write("steps\n" + "".join(steps))
                self.loaded = steps
            self.process.stdin.write(" ".join(["run", "steps", "0", *map(str, asked[1])]) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
            if not line:
                raise Broken(f"the harness ended in {name} with flags {flags} (status {self.process.wait()})")
            self.answers[asked] = json.loads(line)
        return self.answers[asked]

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise Broken("the harness failed")


def write_programs(programs, seed):
    """One source of many programs: text, first and last line of each or None where no text was found, and writers by name."""
    lines, places, writers = HEAD.split("\n")[:-1], [], {}
    for program in programs:
        try:
            make, _ = write_program(program, seed, Source)
        except Unwritten:
            places.append(None)
            continue
        writer = make()
        first = len(lines) + 1
        lines += writer.write(first)
        writers[program.name] = (program, writer)
        places.append((first, len(lines)))
    return "\n".join(lines) + "\n", places, writers


def open_harness(path, text, writers):
    return Played(path, Source(text, HEAD.count("\n")), writers)
