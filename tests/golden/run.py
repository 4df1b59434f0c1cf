#!/usr/bin/env python3
"""Runs the linter over fixtures/cases and compares with what stands beside each case.

A case is a directory with sources. It may hold
  args           options for the linter, one a line or several on a line, shell quoting
  expected.json  the result, reduced to what a reader would check (see project())
  expected.txt   the text report; compared only where it exists
  expected.NAME  likewise the report of format NAME (github, lintrunner, rdjsonl, gitlab)
  expected.diff  the proved edits as --diff prints them; compared only where it exists
  explain.txt    what `explain` says about a line: the first line is the command, the rest its output
  known-bug      why the result is wrong today. expected.json then holds the right result; the case
                 passes as long as the result differs, and fails once it is right
--bless rewrites expected.json (and the other files where they exist) of the cases that are no known bugs.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import shlex
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(TOP, "fixtures", "cases")
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".hip", ".mu", ".h", ".hpp", ".ir", ".py", ".ipynb")

REPORTS = {"expected.txt": "text", "expected.github": "github", "expected.lintrunner": "lintrunner",
           "expected.rdjsonl": "rdjsonl", "expected.gitlab": "gitlab"}


def find_cases(roots):
    """Topmost directories that hold a source; what lies below a case belongs to it."""
    for root in roots:
        for directory, below, names in os.walk(root):
            below.sort()
            if any(name.endswith(SOURCES) for name in names):
                below.clear()
                yield directory


def run_lint(lint, case, output):
    args = []
    path = os.path.join(case, "args")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            args = shlex.split(file.read(), comments=True)
    sources = sorted(name for name in os.listdir(case) if name.endswith(SOURCES))
    command = [lint, "--root", ".", "--color", "never", "--format", output, *args, "--", *sources]
    return subprocess.run(command, cwd=case, capture_output=True, timeout=120)


def run_diff(lint, case):
    sources = sorted(name for name in os.listdir(case) if name.endswith(SOURCES))
    done = subprocess.run([lint, "--root", ".", "--diff", "--", *sources], cwd=case, capture_output=True, timeout=120)
    return done.stdout.decode("utf-8", "replace")


def project(result, status, many):
    """The part of the JSON report that a case is about."""
    sites = []
    for site in result["sites"]:
        row = {"file": site["file"]} if many else {}
        for key in ("line", "kind", "category", "effect", "confidence"):
            row[key] = site[key]
        if not site["analysed"]:
            row["reason"] = site["reason"]
        if site["justified"]:
            row["justified"] = True
        sites.append(row)
    findings = []
    for finding in result["findings"]:
        row = {"file": finding["file"]} if many else {}
        row.update(line=finding["line"], rule=finding["rule"], level=finding["level"])
        findings.append(row)
    return {"exit": status, "sites": sites, "findings": findings}


def dump(projection):
    """JSON with one site or finding a line, so that a difference reads well."""
    lines = ["{", '  "exit": %d,' % projection["exit"]]
    for key, last in (("sites", False), ("findings", True)):
        rows = projection[key]
        body = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)
        lines.append('  "%s": [%s]%s' % (key, "\n" + body + "\n  " if rows else "", "" if last else ","))
    return "\n".join(lines + ["}"]) + "\n"


def read(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


def actual_outputs(lint, case):
    """{file name: text} of what the linter says now, or a string that tells what went wrong."""
    many = sum(name.endswith(SOURCES) for name in os.listdir(case)) > 1
    done = run_lint(lint, case, "json")
    errors = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in (0, 1, 2, 3):
        return "exit status %d\n%s" % (done.returncode, errors)
    try:
        result = json.loads(done.stdout.decode("utf-8"))
    except ValueError as error:
        return "output is not JSON (%s), exit status %d\n%s" % (error, done.returncode, errors)
    outputs = {"expected.json": dump(project(result, done.returncode, many))}
    for name, format_name in REPORTS.items():
        if os.path.exists(os.path.join(case, name)):
            outputs[name] = run_lint(lint, case, format_name).stdout.decode("utf-8", "replace")
    if os.path.exists(os.path.join(case, "expected.diff")):
        outputs["expected.diff"] = run_diff(lint, case)
    explain = read(os.path.join(case, "explain.txt"))
    if explain is not None:
        command = explain.split("\n", 1)[0]
        args = shlex.split(command)
        if args[:3] != ["$", "sa-lint", "explain"]:
            return "explain.txt does not begin with `$ sa-lint explain FILE:LINE`"
        done = subprocess.run([lint, "explain", "--root", ".", "--color", "never", *args[3:]], cwd=case,
                              capture_output=True, timeout=120)
        outputs["explain.txt"] = command + "\n" + done.stdout.decode("utf-8", "replace")
    return outputs


def check(case, outputs):
    """None, or the difference between what is expected and what came."""
    if isinstance(outputs, str):
        return outputs + "\n"
    text = ""
    for name, got in sorted(outputs.items()):
        want = read(os.path.join(case, name))
        if want is None:
            text += "%s is missing; `./dev bless %s` makes it\n%s" % (name, os.path.relpath(case, TOP), got)
        elif want != got:
            text += "".join(difflib.unified_diff(want.splitlines(True), got.splitlines(True), name, "now"))
    return text or None


def bless(case, outputs):
    changed = []
    for name, got in outputs.items():
        path = os.path.join(case, name)
        if read(path) != got:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(got)
            changed.append(name)
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lint", required=True, help="the program to run")
    parser.add_argument("--bless", action="store_true", help="rewrite the expected results")
    parser.add_argument("cases", nargs="*", help="case directories, or directories above some; default: all")
    options = parser.parse_args()
    lint = os.path.abspath(options.lint)
    cases = sorted(set(find_cases([os.path.abspath(path) for path in options.cases] or [CASES])))
    if not cases:
        sys.exit("golden: no case found")
    failed = known = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for case, outputs in zip(cases, pool.map(lambda case: actual_outputs(lint, case), cases)):
            name = os.path.relpath(case, CASES)
            bug = os.path.exists(os.path.join(case, "known-bug"))
            if options.bless and not bug and not isinstance(outputs, str):
                for changed in bless(case, outputs):
                    print("blessed %s/%s" % (name, changed))
                continue
            difference = check(case, outputs)
            if bug and difference is None:
                difference = "the known bug is gone: delete the file known-bug\n"
            elif bug and not isinstance(outputs, str):
                known += 1
                difference = None
            if difference is not None:
                failed += 1
                print("FAILED %s\n%s" % (name, difference))
    print("golden: %d cases, %d failed, %d known bugs" % (len(cases), failed, known))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
