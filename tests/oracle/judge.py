"""Asks the linter and the simulator about the same programs, and compares.

What the linter says of a release is one of the words of --dump=facts: covered (ordered or recorded),
unordered, unknown ("cannot tell"). The truth is whether some schedule, for some value of the flags,
lets the worst next owner touch a block before its last use is over.
"""
import json
import os
import re
import subprocess
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import python_side
from execute import Broken, Harness, compile_text
from program import flag_values, print_programs

HAZARD_RULES = ("SA301", "SA303", "SA304")
PER_FILE = 50

RELEASE = re.compile(r"^release (\w+) @(\d+):\d+ in (\S+) block '[^']*'(?: made @(\d+):\d+)?(?:: (.*))?", re.M)


class TooMany(Exception):
    """The program has more schedules than are looked at."""


@dataclass
class Verdict:
    """One program: what was asked, and where the answers differ."""
    program: object
    language: str = "c"
    releases: int = 0
    unknown: int = 0
    hazardous: int = 0
    records: int = 0
    reasons: dict = field(default_factory=lambda: defaultdict(int))
    rules: dict = field(default_factory=lambda: defaultdict(int))
    schedules: int = 0
    skipped: bool = False
    unwritten: bool = False  # the language has no text for it
    wrong: list = field(default_factory=list)  # (kind, text)
    text: str = ""
    first: int = 1  # the line of the source that the text begins at

    def kinds(self):
        return {kind for kind, _ in self.wrong}


class Tools:
    def __init__(self, lint, harness, compiler="cc", language="c", seed=""):
        self.lint, self.harness, self.compiler = lint, harness, compiler
        self.language, self.seed = language, seed


def run_lint(tools, folder, name, *options):
    command = [tools.lint, "--no-config", "--root", folder, "--exit-zero", "-q", "-j", "0", *options, name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"sa-lint ended with {done.returncode} on {os.path.join(folder, name)}:\n{done.stderr}")
    return done.stdout


def read_releases(dump):
    """line -> [(state, line of the allocation, reason)]"""
    found = defaultdict(list)
    for match in RELEASE.finditer(dump):
        state, line, _, made, why = match.groups()
        found[int(line)].append((state, int(made or 0), why))
    return found


def read_findings(text):
    """Of rdjsonl, which comes without a proof of every edit: rule, line, evidence as (role, line)."""
    for line in text.splitlines():
        entry = json.loads(line)
        evidence = [(e["message"].split(":")[0], e["location"]["range"]["start"]["line"])
                    for e in entry.get("related_locations", ())]
        yield {"rule": entry["code"]["value"], "line": entry["location"]["range"]["start"]["line"], "evidence": evidence}


def lines_of(finding, role):
    return [line for what, line in finding["evidence"] if what == role]


class Truth:
    """All flags of one program, with some record calls left out."""

    def __init__(self, harness, program, without=()):
        self.hazards, self.races, self.releases, self.schedules = set(), set(), set(), 0
        self.freed = set()   # lines of the allocations that are released
        self.blocks = set()  # lines of the allocations that are in hazard
        for value in flag_values(program):
            answer = harness.run(program.name, value, without)
            if not answer["exhausted"]:
                raise TooMany
            if answer["status"] != "ok" or answer["overflow"]:
                raise Broken(f"{program.name}: the simulator gave up: {answer}")
            self.schedules += answer["schedules"]
            for line, call, made, made_call in answer["releases"]:
                self.releases.add(((line, call), (made, made_call)))
                self.freed.update((made, made_call))
            for h in answer["hazards"]:
                self.add(h)

    def add(self, h):
        release, made = tuple(h["release"]), tuple(h["made"])
        if h["kind"] == "reuse" and h["ours"]:
            self.hazards.add((release, made, tuple(h["first"])))
            self.blocks.update(made)
        elif h["kind"] == "race":
            self.races.update({h["first"][0], h["second"][0], h["first"][1], h["second"][1]})
        elif h["kind"] in ("use after free", "outside every block"):
            raise Broken(f"a program is not sound: {h}")

    def hazardous(self):
        return {release for release, _, _ in self.hazards}


def place_of(releases, place, made):
    """Where the linter speaks of a release: at the outermost call on the way to it, or at the line itself. A block
    that one call makes and releases is the callee's own."""
    line, call = place
    return call if call in releases and made[1] != call else line


def state_at(facts):
    if not facts:
        return "silent", "no word about this release"
    for state in ("unordered", "unknown", "covered"):
        for said, _, why in facts:
            if said == state:
                return state, why
    raise Broken(f"no state in {facts}")


def compare_releases(v, truth, releases, findings):
    told = {line for f in findings if f["rule"] in HAZARD_RULES + ("SA203",) for line in lines_of(f, "creation")}
    places, made, nested = defaultdict(bool), defaultdict(set), set()
    hazardous = {(place, where) for place, where, _ in truth.hazards}
    for place, where in truth.releases:
        line = place_of(releases, place, where)
        places[line] |= (place, where) in hazardous
        if place[1] and place[1] == where[1]:
            nested.add(line)
        if (place, where) in hazardous:
            made[line].update(where)
    for line, hazard in sorted(places.items()):
        state, why = state_at(releases.get(line))
        if state == "silent" and line in nested:
            # Below two calls: the linter speaks at the inner one, and the harness knows the outer one only.
            state, why = "unknown", "released below two calls"
        if state == "silent" and v.language == "python":
            # A container or an object lets go of it, and which element it was is not known.
            said = [word for facts in releases.values() for word, by, _ in facts if by in made[line]]
            if not hazard or not said or set(said) != {"covered"}:
                state, why = "unknown", "no word about this release"
        v.releases += 1
        v.hazardous += hazard
        if state == "unknown":
            v.unknown += 1
            v.reasons[why] += 1
            if not v.program.features and v.language == "c":
                v.wrong.append(("no answer", f"line {line} of a straight line: {why}"))
        elif state == "silent":
            v.wrong.append(("silent", f"line {line}: {why}"))
        elif state == "covered" and hazard:
            v.wrong.append(("covered", f"line {line} is said to be covered, and a schedule has a hazard"))
        elif state == "unordered" and not hazard:
            v.wrong.append(("unordered", f"line {line} is said to be unordered, and no schedule has a hazard"))
        elif state == "unordered" and not made[line] & told:
            v.wrong.append(("no finding", f"line {line} is in hazard, and nothing is reported"))


def more_hazards(harness, program, without, truth):
    try:
        return Truth(harness, program, without).hazards - truth.hazards
    except TooMany:
        return set()


def compare_findings(v, truth, harness, program, findings):
    hazardous = {line for place in truth.hazardous() for line in place}
    useless = []
    for f in findings:
        v.rules[f["rule"]] += 1
        where = f"{f['rule']} at line {f['line']}"
        if f["rule"] in HAZARD_RULES:
            at = lines_of(f, "release")
            if at and not hazardous & set(at):
                v.wrong.append((f["rule"], f"{where}, and no schedule has a hazard there"))
        elif f["rule"] == "SA302":
            if f["line"] not in truth.races:
                v.wrong.append(("SA302", f"{where}, and the use is ordered in every schedule"))
        elif f["rule"] == "SA203":
            made = set(lines_of(f, "creation"))
            if truth.freed & made and not truth.blocks & made:
                v.wrong.append(("SA203", f"{where}, and the block is in no hazard"))
        elif f["rule"] in ("SA201", "SA202"):
            useless.append(f["line"])
            if more_hazards(harness, program, [f["line"]], truth):
                v.wrong.append((f["rule"], f"{where}: without the call a schedule has a hazard"))
    if len(useless) > 1 and not v.wrong and more_hazards(harness, program, useless, truth):
        v.wrong.append(("SA202", f"without the calls at {useless} together a schedule has a hazard"))


def compare(program, language, text, lines, harness, dump, findings):
    v = Verdict(program, language)
    inside = range(lines[0], lines[1] + 1)
    v.first = lines[0]
    v.text = "\n".join(text.split("\n")[lines[0] - 1:lines[1]])
    try:
        truth = Truth(harness, program)
    except TooMany:
        v.skipped = True
        return v
    findings = [f for f in findings if f["line"] in inside]
    releases = read_releases(dump)
    v.records = sum(int(line) in inside for line in re.findall(r"^site [\w-]+ @(\d+):", dump, re.M))
    v.schedules = truth.schedules
    compare_releases(v, truth, releases, findings)
    compare_findings(v, truth, harness, program, findings)
    return v


def open_c(tools, folder, programs):
    """Writes the source to be linted; its name and text, the lines of each program, and the harness."""
    linted, run, lines = print_programs(programs)
    for name, text in (("linted.c", linted), ("run.c", run)):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    os.mkdir(os.path.join(folder, "out"))
    library = os.path.join(folder, "out", "run.so")
    compile_text(os.path.join(folder, "run.c"), library, tools.compiler)
    harness = Harness(tools.harness)
    harness.load(library)
    return "linted.c", linted, lines, harness


def open_python(tools, folder, programs):
    text, lines, writers = python_side.write_programs(programs, tools.seed)
    with open(os.path.join(folder, "linted.py"), "w") as f:
        f.write(text)
    return "linted.py", text, lines, python_side.open_harness(tools.harness, text, writers)


def judge_batch(tools, programs):
    with tempfile.TemporaryDirectory() as folder:
        name, text, lines, harness = (open_python if tools.language == "python" else open_c)(tools, folder, programs)
        dump = run_lint(tools, folder, name, "--dump", "facts")
        findings = list(read_findings(run_lint(tools, folder, name, "--format", "rdjsonl")))
        verdicts = [compare(p, tools.language, text, at, harness, dump, findings) if at
                    else Verdict(p, tools.language, skipped=True, unwritten=True)
                    for p, at in zip(programs, lines)]
        harness.close()
        return verdicts


def judge(tools, programs, jobs=1):
    """Verdicts in the order of the programs."""
    batches = [programs[i:i + PER_FILE] for i in range(0, len(programs), PER_FILE)]
    with ThreadPoolExecutor(jobs) as pool:
        for verdicts in pool.map(lambda b: judge_batch(tools, b), batches):
            yield from verdicts
