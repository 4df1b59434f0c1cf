#!/usr/bin/env python3
"""Accepted findings: --baseline and --write-baseline. Usage: baseline.py PROGRAM [unittest options]."""
import json
import os
import random
import unittest

from run import PROGRAM, SITE, TOP, Case

OTHER = SITE.replace("read_aside", "other")
HEAD = "# sa-lint baseline 1\n"
ENTRY = "SA101\ta.cpp\tf\t0123456789abcdef:1\n"


class Baseline(Case):
    def write(self, *paths, status=0, name="accepted.txt"):
        self.lint("--write-baseline", name, *(paths or ["."]), status=status)
        return self.read(name)

    def read(self, name="accepted.txt"):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def found(self, *args, **options):
        self.done = self.lint("--format", "json", "--baseline", "accepted.txt", *(args or ["."]), **options)
        return [(f["file"], f["line"]) for f in json.loads(self.done.stdout)["findings"]]

    def entries(self):
        return [line.split("\t") for line in self.read().splitlines()[1:]]


class Writing(Baseline):
    def test_form(self):
        self.put("b.cpp", SITE + OTHER)
        self.put("a.cpp", SITE)
        text = self.write()
        self.assertTrue(text.startswith(HEAD))
        self.assertEqual([entry[:3] for entry in self.entries()],
                         [["SA101", "a.cpp", "read_aside"], ["SA101", "b.cpp", "other"], ["SA101", "b.cpp", "read_aside"]])
        self.assertEqual(self.write("b.cpp", "a.cpp"), text)
        self.assertEqual(self.found(status=0), [])
        self.assertIn("; 3 in the baseline; ", self.lint("--baseline", "accepted.txt", ".").stdout)

    def test_nothing_found(self):
        self.put("a.cpp", "int x;\n")
        self.assertEqual(self.write(), HEAD)
        self.assertEqual(self.found(status=0), [])

    def test_stable_under_unrelated_edits(self):
        self.put("a.cpp", SITE + OTHER)
        before = self.write()
        rng = random.Random(7)
        lines = (SITE + OTHER).split("\n")
        for _ in range(12):
            lines.insert(rng.choice([2, 0, 7]), rng.choice(["", "// words", "int v%d;" % rng.randrange(10 ** 9)]))
            self.put("a.cpp", "\n".join(lines))
            self.assertEqual(self.found(status=0), [], "\n".join(lines))
            self.assertEqual(self.done.stderr, "")
        self.assertEqual(self.write(), before)

    def test_reasons_are_kept(self):
        self.put("a.cpp", SITE + OTHER)
        self.write()
        text = self.read().replace("\tother\t", "\tother\t", 1).split("\n")
        text[1] += "\tthe caller is rewritten next; caf\u00e9\\09tab"
        self.put("accepted.txt", "\n".join(text))
        self.assertEqual(self.write(), "\n".join(text))
        told = self.lint("--baseline", "accepted.txt", "--show-suppressed", ".", status=0).stdout
        self.assertIn("baseline: ", told)
        self.assertIn("  reason: the caller is rewritten next; caf\u00e9 tab\n", told)
        self.assertIn("  reason: none is given\n", told)

    def test_parts_of_the_project(self):
        self.put("a.cpp", SITE)
        self.put("b.cpp", SITE)
        both = self.write()
        self.assertEqual(self.write("a.cpp"), both)
        self.put("a.cpp", "int x;\n")
        self.assertEqual([entry[1] for entry in (self.write("a.cpp"), self.entries())[1]], ["b.cpp"])
        self.lint("--select", "SA3", "--write-baseline", "accepted.txt", ".", status=0)
        self.assertEqual([entry[1] for entry in self.entries()], ["b.cpp"])
        os.unlink(self.path("b.cpp"))
        self.assertEqual(self.write("a.cpp"), HEAD)

    def test_a_file_that_could_not_be_analysed_keeps_its_entries(self):
        self.put("a.cpp", SITE)
        before = self.write()
        self.put("a.cpp", b"\x7fELF\0record_stream", "wb")
        self.lint("--write-baseline", "accepted.txt", "a.cpp", status=3)
        self.assertEqual(self.read(), before)
        self.assertEqual(self.found("a.cpp", status=3), [])
        self.assertNotIn("no longer found", self.done.stderr)

    def test_whole_or_not_at_all(self):
        self.put("a.cpp", SITE)
        self.assertIn("none", self.lint("--write-baseline", "none/b.txt", ".", status=2).stderr)
        self.put("accepted.txt", "my notes\n")
        self.assertIn("accepted.txt:1: error: not a baseline", self.lint("--write-baseline", "accepted.txt", ".", status=2).stderr)
        self.assertEqual(self.read(), "my notes\n")
        if os.path.exists("/dev/full"):
            self.put("accepted.txt", HEAD)
            os.symlink("/dev/full", self.path("full"))
            self.lint("--write-baseline", "full", ".", status=2)
        self.assertEqual(sorted(os.listdir(self.directory)), sorted(n for n in ("a.cpp", "accepted.txt", "full")
                                                                    if os.path.lexists(self.path(n))))

    def test_hostile_names(self):
        names = ["a\tb.cpp", "c\nd.cpp", "e\\f.cpp", "\x1b[31m.cpp", "# g.cpp"]
        for name in names:
            self.put(name, SITE)
        self.write()
        self.assertEqual(len(self.read().splitlines()), 1 + len(names))
        self.assertNotIn("\x1b", self.read())
        self.assertEqual(self.found(status=0), [])
        self.assertEqual(self.done.stderr, "")
        for name in names:
            self.put(name, "int x;\n")
        self.found(status=0)
        self.assertNotIn("\x1b", self.done.stderr)
        self.assertEqual(self.done.stderr.count("\n"), len(names))


class Use(Baseline):
    def test_only_new_findings(self):
        self.put("a.cpp", SITE)
        self.write()
        self.put("a.cpp", OTHER + SITE)
        self.assertEqual(self.found(status=1), [("a.cpp", 6)])
        self.put("b.cpp", SITE)
        self.assertEqual(self.found("--fail-on", "error", ".", status=0), [("a.cpp", 6), ("b.cpp", 6)])

    def test_equal_findings_are_counted(self):
        self.put("a.cpp", SITE + SITE.replace("read_aside(const", "read_aside(int, const"))
        self.write("a.cpp")
        self.assertEqual(self.found("a.cpp", status=0), [])
        self.assertEqual(len({entry[3] for entry in self.entries()}), 2)

    def test_stale_entries(self):
        self.put("a.cpp", SITE + OTHER)
        self.put("b.cpp", SITE)
        self.write()
        self.put("a.cpp", SITE)
        os.unlink(self.path("b.cpp"))
        self.assertEqual(self.found("a.cpp", status=0), [])
        self.assertEqual(self.done.stderr, "accepted.txt:2: warning: SA101 in 'other' of a.cpp is no longer found: delete the "
                         "entry, or write the baseline anew\naccepted.txt:4: warning: SA101 in 'read_aside' of b.cpp is no "
                         "longer found: delete the entry, or write the baseline anew\n")
        self.assertEqual(len([n for n in json.loads(self.done.stdout)["notifications"] if n["file"] == "accepted.txt"]), 2)

    def test_what_was_not_looked_for_is_not_stale(self):
        self.put("a.cpp", SITE)
        self.put("b.cpp", SITE)
        self.write()
        self.put("a.cpp", "int x;\n")
        for args in (["b.cpp"], ["--select", "SA3", "."], ["--ignore", "SA1", "."]):
            self.found(*args, status=0)
            self.assertEqual(self.done.stderr, "", args)
        self.put("change.patch", "--- a/b.cpp\n+++ b/b.cpp\n@@ -6 +6 @@\n-x\n+y\n")
        self.assertEqual(self.found("--patch", "change.patch", ".", status=0), [])
        self.assertEqual(self.done.stderr, "")

    def test_with_comments_and_changes(self):
        self.put("a.cpp", SITE + OTHER)
        self.write()
        self.put("a.cpp", (SITE + OTHER).replace("t.record_stream(side);\n", "t.record_stream(side); // sa-lint: allow(SA101) kept\n", 1))
        self.assertEqual(self.found(status=0), [])
        self.assertIn("accepted.txt:3: warning: ", self.done.stderr)

    def test_edits(self):
        """What is accepted is not edited."""
        with open(os.path.join(TOP, "docs", "examples", "upload.cpp"), encoding="utf-8") as file:
            text = file.read()
        self.put("a.cpp", text)
        self.assertIn("+++ b/a.cpp", self.lint("--diff", "a.cpp").stdout)
        self.write()
        self.assertEqual(self.lint("--diff", "--baseline", "accepted.txt", "a.cpp", status=0).stdout, "")
        self.put("b.cpp", text)
        self.assertEqual(self.lint("--diff", "--baseline", "accepted.txt", ".").stdout.count("+++ "), 1)

    def test_sarif(self):
        self.put("a.cpp", SITE)
        self.write()
        self.put("b.cpp", SITE)
        def results(*args):
            text = self.lint("--format", "sarif", "--baseline", "accepted.txt", *args, ".").stdout
            return [(r["ruleId"], r.get("baselineState"), r.get("suppressions")) for r in json.loads(text)["runs"][0]["results"]]
        self.assertEqual(results(), [("SA101", "new", None)])
        self.assertEqual(results("--show-suppressed"), [
            ("SA101", "unchanged", [{"kind": "external", "status": "accepted"}]), ("SA101", "new", None)])

    def test_what_is_gone_in_sarif(self):
        self.put("a.cpp", SITE)
        self.put("b.cpp", SITE + OTHER)
        self.put("gone.cpp", SITE)
        self.put("unseen.cpp", SITE)
        self.write()
        with open(self.path("accepted.txt"), encoding="utf-8") as file:
            keys = {line.split("\t")[1]: line.split("\t")[3].strip() for line in file if "\t" in line}
        self.put("a.cpp", "int x;\n")
        self.put("b.cpp", SITE)
        os.remove(self.path("gone.cpp"))
        def results(*args):
            text = self.lint("--format", "sarif", "--baseline", "accepted.txt", *args, "a.cpp", "b.cpp", status=0).stdout
            return json.loads(text)["runs"][0]["results"]
        self.assertEqual(results(), [])
        self.assertEqual(results("--report-absent", "--sarif-profile", "github"), [])
        found = results("--report-absent")
        self.assertEqual([(r["ruleId"], r["baselineState"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
                          for r in found],
                         [("SA101", "absent", name) for name in ("a.cpp", "b.cpp", "gone.cpp")])
        self.assertEqual(found[0]["partialFingerprints"], {"saLintSite/v1": keys["a.cpp"]})
        self.assertEqual(found[0]["locations"][0]["logicalLocations"], [{"fullyQualifiedName": "read_aside", "kind": "function"}])
        self.assertEqual([r["baselineState"] for r in results("--report-absent", "--show-suppressed")],
                         ["absent", "absent", "unchanged", "absent"])

    def test_files_elsewhere_are_not_looked_for(self):
        """What a baseline names outside the root is no way to learn whether it is there."""
        self.put("src/a.cpp", "int x;\n")
        names = ["/nonexistent", "../nonexistent", "../../etc/passwd", "/etc/passwd", "b/../../x", "./c.cpp", "gone.cpp"]
        self.put("accepted.txt", HEAD + "".join(
            ENTRY.replace("a.cpp", name).replace("0123456789abcdef", "%016x" % i) for i, name in enumerate(names)))
        for form in ("json", "sarif"):
            done = self.lint("--root", "src", "--baseline", "accepted.txt", "--report-absent", "-f", form, "src", status=0)
            self.assertEqual(done.stderr.count("is no longer found"), 1, done.stderr)
            self.assertIn("gone.cpp is no longer found", done.stderr)
            for name in names[:-1]:
                self.assertNotIn(name, done.stdout)


class Broken(Baseline):
    def test_messages(self):
        self.put("a.cpp", SITE)
        for text, line, why in (
                ("", 1, "not a baseline"), ("x\n", 1, "not a baseline"), ("# sa-lint baseline 2\n", 1, "not a baseline"),
                (HEAD + "SA101\ta.cpp\n", 2, "between tabs"), (HEAD + ENTRY[:-1] + "\tr\tmore\n", 2, "between tabs"),
                (HEAD + "\n<<<<<<< mine\n", 3, "between tabs"), (HEAD + ENTRY.replace("SA101", "SA1"), 2, "id of a rule"),
                (HEAD + ENTRY.replace("0123", "012"), 2, "the key"), (HEAD + ENTRY.replace(":1", ":x"), 2, "the key"),
                (HEAD + ENTRY.replace(":1", ":99999999999"), 2, "the key"), (HEAD + ENTRY.replace("a.cpp", ""), 2, "the file"),
                (HEAD + ENTRY.replace("a.cpp", "a\\q.cpp"), 2, "backslash"), (HEAD + ENTRY.replace("a.cpp", "a\\00"), 2, "backslash"),
                (HEAD + ENTRY + "# words\n" + ENTRY, 4, "same key")):
            self.put("accepted.txt", text)
            for option in ("--baseline", "--write-baseline"):
                done = self.lint(option, "accepted.txt", "a.cpp", status=2)
                self.assertRegex(done.stderr, r"^accepted\.txt:%d: error: .*%s" % (line, why))
                self.assertEqual(self.read(), text)
        self.put("accepted.txt", HEAD.encode() + b"\0", "wb")
        self.assertIn("not a text", self.lint("--baseline", "accepted.txt", "a.cpp", status=2).stderr)

    def test_missing(self):
        self.put("a.cpp", SITE)
        self.assertIn("none.txt", self.lint("--baseline", "none.txt", "a.cpp", status=2).stderr)
        self.assertIn(".: error", self.lint("--baseline", ".", "a.cpp", status=2).stderr)

    def test_other_line_ends_and_comments(self):
        self.put("a.cpp", SITE)
        self.write()
        self.put("accepted.txt", ("# sa-lint baseline 1\n\n# a comment\n" + self.read().split("\n", 1)[1]).replace("\n", "\r\n"))
        self.assertEqual(self.found(status=0), [])

    def test_contradictions(self):
        self.put("a.cpp", SITE)
        for args in (["--baseline", "a", "--write-baseline", "b"], ["--write-baseline", "b", "--staged"],
                     ["--write-baseline", "b", "--patch", "p"]):
            self.lint(*args, "a.cpp", status=2)
            self.assertFalse(os.path.exists(self.path("b")))


if __name__ == "__main__":
    unittest.main()
