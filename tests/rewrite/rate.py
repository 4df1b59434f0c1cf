#!/usr/bin/env python3
"""How many of the avoidable C++ calls of a table get an edit or an exact advice.

    rate.py SA_LINT TABLE CHECKOUTS [-v]

TABLE has the columns lang, repo, commit, path, line and label, separated by tabs. CHECKOUTS holds a
tree OWNER__NAME@COMMIT (eight digits of it) for each. Prints one line a reason; -v one line a call.
An exact advice names a statement, in backquotes, and a line.
"""
import collections
import csv
import json
import os
import re
import subprocess
import sys


def main():
    lint, table, trees = sys.argv[1:4]
    verbose = "-v" in sys.argv[4:]
    files = collections.OrderedDict()
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["lang"] == "cpp" and row["label"] == "avoidable":
                tree = os.path.join(trees, "%s@%s" % (row["repo"].replace("/", "__"), row["commit"][:8]))
                files.setdefault((tree, row["path"]), []).append(int(row["line"]))
    counts, reasons = collections.Counter(), collections.Counter()
    for (tree, path), lines in files.items():
        done = subprocess.run([lint, "--root", tree, "--no-config", "--exit-zero", "--format", "json", os.path.join(tree, path)],
                              capture_output=True, text=True)
        sites = {site["line"]: site for site in json.loads(done.stdout)["sites"]} if done.stdout.startswith("{") else {}
        for line in lines:
            site = sites.get(line)
            exact = site and re.search(r"`[^`]+`", site["advice"]) and re.search(r"line \d+|in place of the call|:\d+\)", site["advice"])
            kind = "no tree" if not os.path.isdir(tree) else "no call there" if not site else "edit" if site["fix"] else \
                "advice" if exact else "neither"
            counts[kind] += 1
            if kind == "neither":
                reasons[site["verdict"] + ": " + site.get("fixReason", "not flagged")] += 1
            if verbose:
                print("%s %s:%d %s" % (kind, path, line, site["advice"] if site else ""))
    total = sum(counts.values())
    for kind, n in counts.most_common():
        print("%5d  %s" % (n, kind))
    for reason, n in reasons.most_common():
        print("%5d  neither: %s" % (n, reason))
    good = counts["edit"] + counts["advice"]
    print("%d of %d: %.0f %%" % (good, total, 100.0 * good / total))


if __name__ == "__main__":
    main()
