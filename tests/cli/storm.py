#!/usr/bin/env python3
"""Runs that share a cache, killed at random. Usage: storm.py PROGRAM [--rounds N] [--runs N] [--seed N].

Each round starts several runs at once on one cache directory, kills some of them at a random moment,
and changes a source or an entry of the cache in between. Every run that ends by itself, and one more
at the end of each round, must say what a run without a cache says. Status 1 when one does not.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from run import PROGRAM, SITE

VARIANTS = [SITE, SITE.replace("read_aside", "again"), SITE.replace("  out.copy_(t, true);\n", ""),
            SITE.replace("t.record_stream", "out.record_stream")]


class Project:
    def __init__(self, program, chance):
        self.program, self.chance = program, chance
        self.directory = tempfile.mkdtemp(prefix="sa-storm-")
        self.cache = os.path.join(self.directory, "cache")
        self.known = {}
        self.state = [0, 0, 0, 0]
        os.mkdir(os.path.join(self.directory, "src"))
        for number in range(len(self.state)):
            self.write(number)

    def write(self, number):
        path = os.path.join(self.directory, "src", f"a{number}.cpp")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(VARIANTS[self.state[number]])
        os.rename(path + ".new", path)

    def change(self):
        number = self.chance.randrange(len(self.state))
        self.state[number] = self.chance.randrange(len(VARIANTS))
        self.write(number)

    def damage(self):
        entries = [os.path.join(directory, name) for directory, _, names in os.walk(self.cache) for name in names
                   if directory != self.cache]
        if not entries:
            return
        path = self.chance.choice(sorted(entries))
        with open(path, "r+b") as file:
            size = os.path.getsize(path)
            file.seek(self.chance.randrange(size + 1))
            file.write(bytes([self.chance.randrange(256)]))
            if self.chance.random() < 0.3:
                file.truncate(self.chance.randrange(size + 1))

    def start(self, cached=True):
        command = [self.program, "--root", "src", "--format", "json", "--report-all", "-j2", "src"]
        command += ["--cache-dir", self.cache] if cached else []
        return subprocess.Popen(command, cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def expected(self):
        state = tuple(self.state)
        if state not in self.known:
            self.known[state] = self.start(cached=False).communicate()[0]
        return self.known[state]


def storm_round(project, runs):
    """(killed, finished); ends the program when a run says something else than it should."""
    expected = project.expected()
    started = [project.start() for _ in range(runs)]
    victims = [run for run in started if project.chance.random() < 0.6]
    for victim in victims:
        time.sleep(project.chance.random() * 0.05)
        victim.send_signal(signal.SIGKILL)
    killed = finished = 0
    for run in started:
        said = run.communicate(timeout=300)[0]
        if run.returncode == -signal.SIGKILL:
            killed += 1
        elif run.returncode in (0, 1) and said == expected:
            finished += 1
        else:
            raise AssertionError(f"status {run.returncode}, {project.state}:\n{said.decode()}\ninstead of\n{expected.decode()}")
    last = project.start().communicate(timeout=300)[0]
    if last != expected:
        raise AssertionError(f"{project.state}:\n{last.decode()}\ninstead of\n{expected.decode()}")
    return killed, finished + 1


def storm(program, rounds, runs, seed):
    chance = random.Random(seed)
    project = Project(program, chance)
    sums = {"rounds": 0, "killed": 0, "finished": 0}
    try:
        for _ in range(rounds):
            killed, finished = storm_round(project, runs)
            sums["rounds"] += 1
            sums["killed"] += killed
            sums["finished"] += finished
            project.change()
            project.damage()
    finally:
        shutil.rmtree(project.directory, ignore_errors=True)
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if PROGRAM is None:
        sys.exit(__doc__)
    start = time.time()
    sums = storm(PROGRAM, options.rounds, options.runs, options.seed)
    print("%(rounds)d rounds, %(killed)d runs killed, %(finished)d finished with the right result" % sums,
          "in %.0f s" % (time.time() - start))


if __name__ == "__main__":
    main()
