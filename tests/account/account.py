#!/usr/bin/env python3
"""Counts every spelling of a record call in a tree and asks the linter what became of each.

Usage: account.py --lint PROGRAM [--rules DIR] [--markdown] [--list] [--only ENDINGS] DIR...

The tokens are counted here, from the raw bytes, by scanners that share nothing with the program.
The fates come from `--dump=tokens`, and each is held against the JSON report: a token whose fate is
a site must lie in a site of the report (or in a macro that one expands), a token that was not
analysed must be a site that says so, with a reason. What fits nothing is unaccounted, and a single
such token makes the status 1.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXTENSIONS = set(""".c .cc .cpp .cxx .cu .cuh .mu .muh .hip .h .hh .hpp .hxx .inl .inc .ipp .tpp .py""".split())
ALL = tuple(EXTENSIONS)
SKIPPED_DIRECTORIES = {".git", ".hg", ".svn"}

# What is not code: the longest piece from its start on. A quote after a name character is a digit
# separator, one that does not close on its line is stray; a string that does not ends with the line.
TEXT = re.compile(rb"""
    //(?:\\\r?\n|[^\n])*
  | /\*.*?(?:\*/|\Z)
  | R"(?P<delimiter>[^ ()\\\t\v\f\r\n]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)
  | "(?:\\\r?\n|\\.|[^"\\\n])*(?:"|(?=\n)|\Z)
  | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*'
""", re.VERBOSE | re.DOTALL)

# The same for Python. A string with one quote ends with its line unless a backslash joins the next.
PYTHON_TEXT = re.compile(rb"""
    \#[^\n]*
  | (?<![0-9A-Za-z_])(?P<prefix>[rRbBuUfF]{0,3})
    (?: (?P<triple>\"\"\"|\'\'\')(?:\\.|(?!(?P=triple)).)*(?:(?P=triple)|\Z)
      | "(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z)
      | '(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z) )
  | [\"\'](?:(?<=")(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z)|(?<=')(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z))
""", re.VERBOSE | re.DOTALL)

Token = collections.namedtuple("Token", "line column text")
COLUMNS = ("tokens", "site", "forwarding", "implementation", "text", "namesake", "not analysed", "unaccounted")


def spellings(rules):
    """The items of every `spellings:` list below the folder of the API rows."""
    found = set()
    folder = os.path.join(rules, "apis")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines = file.read().split("\n")
        for start in (i for i, line in enumerate(lines) if line.startswith("spellings:")):
            for line in lines[start + 1:]:
                item = re.match(r"\s+-\s+(\w+)", line)
                if not item:
                    break
                found.add(item.group(1))
    return sorted(found)


def python_texts(data):
    """What is text in a Python source; what a replacement field of an f-string holds is code."""
    for m in PYTHON_TEXT.finditer(data):
        start, depth = m.start(), 0
        if b"f" in (m.group("prefix") or b"").lower():
            body = data[m.start():m.end()].replace(b"{{", b"..").replace(b"}}", b"..")
            for at, byte in enumerate(body, m.start()):
                if byte == ord("{"):
                    if depth == 0:
                        yield start, at
                    depth += 1
                elif byte == ord("}") and depth > 0:
                    depth -= 1
                    start = at
        yield start, m.end()


def scan(data, word, python):
    """The tokens of a file's bytes."""
    lines = [0] + [m.end() for m in re.finditer(rb"\n", data)]
    texts = list(python_texts(data)) if python else [(m.start(), m.end()) for m in TEXT.finditer(data)]
    tokens, line, piece = [], 0, 0
    for m in word.finditer(data):
        while line + 1 < len(lines) and lines[line + 1] <= m.start():
            line += 1
        while piece < len(texts) and texts[piece][1] <= m.start():
            piece += 1
        inside = piece < len(texts) and texts[piece][0] <= m.start()
        tokens.append(Token(line + 1, m.start() - lines[line] + 1, inside))
    return tokens


def sources(tree):
    for directory, names, files in os.walk(tree):
        names[:] = sorted(n for n in names if n not in SKIPPED_DIRECTORIES)
        for name in sorted(files):
            path = os.path.join(directory, name)
            if os.path.splitext(name)[1] in EXTENSIONS and os.path.isfile(path):
                yield os.path.relpath(path, tree)


def holds(path, word):
    with open(path, "rb") as file:
        return word.search(file.read()) is not None


def fates_of(lint, tree, path):
    """{(line, column): (fate, why)} of one file."""
    done = subprocess.run([lint, "--root", ".", "--no-config", "--quiet", "--dump=tokens", path], cwd=tree,
                          capture_output=True, timeout=900)
    fates = {}
    for row in done.stdout.decode("utf-8", "replace").split("\n"):
        m = re.match(r".*?:(\d+):(\d+): ([a-z-]+)(?:: (.*))?$", row)
        if m:
            place = int(m.group(1)), int(m.group(2))
            # C++ in a string of a Python source is text for the one language and code for the other.
            if m.group(3) != "text" or place not in fates:
                fates[place] = (m.group(3), m.group(4) or "")
    return fates


def covers(site, token):
    return (site["line"], site["column"]) <= (token.line, token.column) < (site["endLine"], site["endColumn"])


def settle(token, fate, why, sites, python=False):
    """(column of the table, reason)"""
    if fate is None:
        return "unaccounted", "no fate"
    embedded = python and token.text and (fate == "namesake" or any(
        covers(s, token) and s["language"] != "python" for s in sites))
    if (fate == "text") != token.text and not embedded:
        return "unaccounted", "text for one scanner, code for the other"
    if fate in ("text", "namesake"):
        return fate, why
    mine = [s for s in sites if covers(s, token)]
    if fate == "site" and not mine:  # spelled in a macro: the site stands where it is expanded
        mine = [s for s in sites if s["kind"] == "macro"]
    if fate == "site" and not mine:
        return "unaccounted", "a site that the report does not hold"
    if fate == "implementation" and why.startswith("calls a function"):
        return ("site", "") if mine else ("namesake", why)
    if fate == "implementation":
        mine = [s for s in mine if s["kind"] == "implementation"]
        return ("implementation", why) if mine else ("unaccounted", "an implementation that the report does not hold")
    silent = [s for s in mine if not s["analysed"]]
    if fate == "not-analysed" or (silent and len(silent) == len(mine)):
        reasons = [s["reason"] for s in silent if s["reason"]]
        return ("not analysed", reasons[0]) if reasons else ("unaccounted", "not analysed, and no reason given")
    kinds = {s["kind"] for s in mine}
    return ("forwarding" if kinds == {"forwarding"} else "site"), ""


def report_of(lint, tree, paths):
    done = subprocess.run([lint, "--root", ".", "--no-config", "--quiet", "--report-all", "--format", "json", *paths],
                          cwd=tree, capture_output=True, timeout=3600)
    report = json.loads(done.stdout.decode("utf-8", "surrogateescape"))
    by_file = collections.defaultdict(list)
    for site in report["sites"]:
        by_file[site["file"]].append(site)
    return by_file


def account(lint, tree, word, endings):
    """One row per token: (path, token, column, reason)."""
    rows, sites = [], None
    files = [path for path in sources(tree) if path.endswith(endings)]
    holders = [path for path in files if holds(os.path.join(tree, path), word)]
    for path in holders:
        with open(os.path.join(tree, path), "rb") as file:
            data = file.read()
        python = path.endswith(".py")
        tokens = scan(data, word, python)
        if not tokens:
            continue
        if sites is None:
            sites = report_of(lint, tree, ["."] if endings == ALL else holders)
        fates = fates_of(lint, tree, path)
        for token in tokens:
            fate, why = fates.pop((token.line, token.column), (None, ""))
            rows.append((path, token, *settle(token, fate, why, sites[path], python)))
        for (line, column), (fate, _) in fates.items():
            rows.append((path, Token(line, column, False), "unaccounted", f"only the linter sees this {fate}"))
    return rows


def show(table, markdown):
    head = ("tree",) + COLUMNS
    lines = [head] + [(name, *(str(counts[c]) for c in COLUMNS)) for name, counts in table]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for number, line in enumerate(lines):
        cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
        print("| " + " | ".join(cells) + " |" if markdown else "  ".join(cells))
        if markdown and number == 0:
            print("|" + "|".join(["---"] + ["--:"] * len(COLUMNS)) + "|")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lint", required=True, type=os.path.abspath)
    parser.add_argument("--rules", default=os.path.join(TOP, "rules"))
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--only", metavar="ENDINGS", help="files whose name ends so, parted by commas: .py or .cpp,.cu")
    parser.add_argument("--list", action="store_true", help="name every token that is not analysed, and every namesake")
    parser.add_argument("trees", nargs="+")
    options = parser.parse_args()
    names = "|".join(spellings(options.rules))
    word = re.compile(rb"(?<![0-9A-Za-z_])(?:%s)(?![0-9A-Za-z_])" % names.encode())
    table, reasons, total = [], collections.Counter(), collections.Counter()
    for tree in options.trees:
        counts = collections.Counter()
        for path, token, column, reason in account(options.lint, tree, word, tuple(options.only.split(",")) if options.only else ALL):
            counts["tokens"] += 1
            counts[column] += 1
            if column in ("not analysed", "unaccounted", "namesake"):
                reasons[column, reason] += 1
            if column == "unaccounted" or (options.list and column in ("not analysed", "namesake")):
                print(f"{tree}/{path}:{token.line}:{token.column}: {column}: {reason}", flush=True)
        total.update(counts)
        table.append((os.path.basename(os.path.normpath(tree)), counts))
    table.append(("all", total))
    show(table, options.markdown)
    for (column, reason), n in sorted(reasons.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        print(f"{column}: {n}: {reason}")
    return 1 if total["unaccounted"] else 0


if __name__ == "__main__":
    sys.exit(main())
