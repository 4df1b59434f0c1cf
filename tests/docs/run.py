#!/usr/bin/env python3
"""Compares what documents show with what is there: sources in fenced blocks and the output below
`$ ./dev lint`, links, the answers of docs/bug-reports.md, and the page of each rule."""
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

PAGES = ("README.md", "docs/suppressions.md")  # pages that show runs
OTHERS = ("docs/configuration.md",)  # pages that only show files


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def check_page(lint, page):
    """Sources and runs that a page shows."""
    text = read(page)
    failures = []
    for path, shown in re.findall(r"`((?:docs/examples|fixtures)/[^`]+)`:\n\n```\w+\n(.*?)```", text, re.S):
        if read(path) != shown:
            failures.append("%s is not what %s shows" % (path, page))
    runs = re.findall(r"```\n\$ \./dev lint ([^\n]+)\n(.*?)```", text, re.S)
    for args, shown in runs:
        done = subprocess.run([lint, "--no-config", "--color", "never", *args.split()], cwd=TOP,
                              capture_output=True, text=True, timeout=120, check=False)
        if done.stdout != shown:
            failures.append("the output of `./dev lint %s` is not what %s shows:\n%s" % (args, page, done.stdout))
    if not runs and page in PAGES:
        failures.append(page + " shows no run")
    return failures


def check_links():
    failures = []
    for folder, _, names in sorted(os.walk(os.path.join(TOP, "docs"))):
        for name in sorted(names):
            if name.endswith(".md"):
                failures += dead_links(os.path.relpath(os.path.join(folder, name), TOP))
    return failures + dead_links("README.md")


def dead_links(path):
    dead = []
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", read(path)):
        if not os.path.exists(os.path.join(TOP, os.path.dirname(path), target)):
            dead.append("%s links to %s, which is not there" % (path, target))
    return dead


def check_shown_files():
    """A block of code below the name of a file is that file."""
    failures = []
    for folder, _, names in sorted(os.walk(os.path.join(TOP, "docs"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), TOP)
            for shown, text in re.findall(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", read(path), re.S | re.M) if name.endswith(".md") else []:
                if not os.path.exists(os.path.join(TOP, shown)) or read(shown) != text:
                    failures.append("%s: %s is not what it shows" % (path, shown))
    return failures


def rules_in(findings, name):
    return " ".join(sorted({finding["rule"] for finding in findings if finding["file"] == name})) or "-"


def check_bug_reports():
    """Each row of docs/bug-reports.md against what is expected of its case; every pair of the folder has a row."""
    failures, told = [], set()
    folder = os.path.join("fixtures", "cases", "reports")
    for case, faulty, fixed in re.findall(r"^\|[^|]*\|[^|]*\| ([\w-]+) \| ([^|]+) \| ([^|]+) \|$",
                                          read("docs/bug-reports.md"), re.M):
        if case in ("case", "---"):
            continue
        told.add(case)
        findings = json.loads(read(os.path.join(folder, case, "expected.json")))["findings"]
        suffix = next(s for s in (".py", ".cpp", ".cu") if os.path.exists(os.path.join(folder, case, "faulty" + s)))
        for name, shown in (("faulty" + suffix, faulty), ("fixed" + suffix, fixed)):
            expected = rules_in(findings, name)
            if expected != shown.strip():
                failures.append("docs/bug-reports.md: %s/%s is %s, not %s" % (case, name, expected, shown))
    if len(told) < 10:
        failures.append("docs/bug-reports.md tells of %d reports only" % len(told))
    return failures


def main():
    failures = sum((check_page(sys.argv[1], page) for page in PAGES + OTHERS), []) + check_links() + check_bug_reports()
    for failure in failures:
        print(failure)
    print("docs: %d failed" % len(failures))
    return 1 if failures else 0


sys.exit(main())
