#!/usr/bin/env python3
"""Report formats for other programs. Usage: formats.py PROGRAM [unittest options].

lintrunner itself is run when it is on the PATH, or in the directory that SA_LINTRUNNER names (`pip install lintrunner`
into a virtual environment makes one). rdjsonl is given to rdformat-validator when that is on the PATH or in the directory
that SA_RDFORMAT names (`npm install @umbrelladocs/rdformat-validator@1.0.1`, then node_modules/.bin), and to reviewdog
itself, likewise, by SA_REVIEWDOG (`go install github.com/reviewdog/reviewdog/cmd/reviewdog@v0.21.0`)."""
import json
import os
import shutil
import subprocess
import sys
import unittest

from run import PROGRAM, SITE, TOP, Case

CASE = os.path.join(TOP, "fixtures", "cases", "formats", "mixed", "mixed.cpp")
FORMATS = ("text", "json", "sarif", "github", "lintrunner", "rdjsonl", "gitlab")
# A directory and a stream expression that try to get out of a report.
EVIL_NAME = "::set-output name=x::y\n::error::\x1b[31m<img src=x>"
EVIL = SITE.replace("c10::cuda::CUDAStream side", "c10::cuda::CUDAStream side, Map pool").replace(
    "(side);\n}", "(pool[\"](http:x) <b> @all \\x1b[31m ::error::\x1b[1m\u202e\"]);\n}")


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Reports(Case):
    def report(self, name, *args, **options):
        options.setdefault("cwd", os.path.dirname(CASE))
        return self.lint("--format", name, "--root", ".", *args, **options).stdout

    def mixed(self, name):
        return self.report(name, "mixed.cpp")


class Formats(Reports):
    def test_several_at_once_are_the_same_as_one_by_one(self):
        args = []
        for name in FORMATS:
            args += ["--format", "%s=%s" % (name, self.path(name))]
        done = self.lint(*args, "--root", ".", "mixed.cpp", cwd=os.path.dirname(CASE), status=1)
        self.assertEqual(done.stdout, "")
        for name in FORMATS:
            with open(self.path(name), encoding="utf-8", newline="") as file:
                self.assertEqual(file.read(), self.mixed(name), name)

    def test_one_cannot_be_written(self):
        done = self.lint("--format", "json=" + self.path("none/x"), "--format", "gitlab=" + self.path("g"), "--root", ".",
                         "mixed.cpp", cwd=os.path.dirname(CASE), status=2)
        self.assertIn("none/x", done.stderr)
        with open(self.path("g"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)), 4)

    def test_only_one_on_standard_output(self):
        self.assertIn("only one format", self.lint("-f", "json", "-f", "sarif", CASE, status=2).stderr)
        self.assertIn("no such format", self.lint("-f", "xml", CASE, status=2).stderr)

    def test_all_tell_of_the_same_findings(self):
        findings = [(f["rule"], f["line"]) for f in json.loads(self.mixed("json"))["findings"]]
        self.assertEqual(len(findings), 4)
        self.assertEqual([(m["name"].split()[0], m["line"]) for m in lines(self.mixed("lintrunner"))], findings)
        self.assertEqual([(d["code"]["value"], d["location"]["range"]["start"]["line"])
                          for d in lines(self.mixed("rdjsonl"))], findings)
        self.assertEqual([(e["check_name"], e["location"]["lines"]["begin"])
                          for e in json.loads(self.mixed("gitlab"))], findings)
        results = json.loads(self.mixed("sarif"))["runs"][0]["results"]
        self.assertEqual([(r["ruleId"], r["locations"][0]["physicalLocation"]["region"]["startLine"])
                          for r in results], findings)

    def test_columns_are_bytes_for_reviewdog(self):
        with open(CASE, "rb") as file:
            source = file.read().split(b"\n")
        for diagnostic in lines(self.mixed("rdjsonl")):
            where = diagnostic["location"]["range"]
            start, end = where["start"], where["end"]
            self.assertEqual(start["line"], end["line"])
            text = source[start["line"] - 1][start["column"] - 1:end["column"] - 1]
            self.assertIn(text, (b"batch.record_stream(side)", b"batch.reset()", b"SA204"))

    def test_nothing_found(self):
        self.put("a.cpp", "int x;\n")
        for name, expected in (("lintrunner", ""), ("rdjsonl", ""), ("gitlab", "[]\n"), ("github", "")):
            self.assertEqual(self.report(name, "a.cpp", cwd=self.directory, status=0), expected)

    def test_a_full_disk(self):
        if os.path.exists("/dev/full"):
            for name in FORMATS:
                self.lint("--format", name + "=/dev/full", CASE, status=2)

    def test_status(self):
        self.report("lintrunner", "mixed.cpp", status=0)
        for name in ("rdjsonl", "gitlab", "github"):
            self.report(name, "mixed.cpp", status=1)
        self.lint("--format", "lintrunner=" + self.path("l"), CASE, status=1)

    def test_a_file_that_cannot_be_read(self):
        self.put("bad.cpp", b"\x7fELF\0\0record_stream\0", "wb")
        [failure] = lines(self.report("lintrunner", "bad.cpp", cwd=self.directory, status=0))
        self.assertEqual((failure["path"], failure["severity"], failure["name"]), ("bad.cpp", "error", "not-analysed"))
        self.report("rdjsonl", "bad.cpp", cwd=self.directory, status=3)

    def test_keys_do_not_move_with_lines(self):
        def keys(name):
            return [entry["fingerprint"] for entry in json.loads(self.report("gitlab", name, cwd=self.directory))]
        with open(CASE, encoding="utf-8") as file:
            text = file.read()
        self.put("a.cpp", text)
        before = keys("a.cpp")
        self.assertEqual(len(set(before)), len(before))
        self.put("a.cpp", "// One more line.\n" + text.replace("void releases", "int other;\n\nvoid releases"))
        self.assertEqual(keys("a.cpp"), before)


class Hostile(Reports):
    """Names of files, and words of sources in messages."""

    def outputs(self):
        directory = os.path.join(self.directory, EVIL_NAME)
        os.makedirs(directory)
        with open(os.path.join(directory, "a.cpp"), "w", encoding="utf-8") as file:
            file.write(EVIL)
        done = {}
        for name in FORMATS:
            done[name] = self.lint("--format", name, "--report-all", "--root", ".", ".")
        return done

    def test_nothing_gets_out(self):
        outputs = self.outputs()
        self.assertIn("SA101", outputs["text"].stdout)
        for name, done in outputs.items():
            for stream in (done.stdout, done.stderr):
                self.assertNotIn("\x1b", stream, name)
                if name not in ("json", "sarif"):  # these hold exact text of the source, for programs
                    self.assertNotIn("\u202e", stream)
                commands = [line for line in stream.split("\n") if line.lstrip().startswith("::")]
                self.assertEqual([c for c in commands if not c.startswith(("::warning file=", "::notice file=", "::error file="))],
                                 [], name)
        self.assertEqual(len([c for c in outputs["github"].stdout.split("\n") if c]), 1)

    def test_what_is_printed_as_it_is(self):
        outputs = self.outputs()
        for message in lines(outputs["lintrunner"].stdout):
            shown = message["path"] + message["description"]
            self.assertFalse(any(ord(c) < 32 for c in shown.replace("\nHelp: ", "")), shown)
            self.assertFalse(message["path"].startswith(":"))
        for diagnostic in lines(outputs["rdjsonl"].stdout):
            for text in [diagnostic["message"]] + [r["message"] for r in diagnostic["related_locations"]]:
                self.assertNotRegex(text, r"(?<!\\)<|\]\(|@(?!\u200b)")
        for entry in json.loads(outputs["gitlab"].stdout):
            self.assertFalse(any(ord(c) < 32 for c in entry["description"] + entry["location"]["path"]))


class Rdformat(Reports):
    """A validator of reviewdog's format, strict, no field that the format does not have."""

    def test_it_accepts_every_line(self):
        program = shutil.which("rdformat-validator", path=os.environ.get("SA_RDFORMAT")) or shutil.which("rdformat-validator")
        if program is None:
            print("formats: rdformat-validator is not here, so it is not run; see the head of this file", file=sys.stderr)
            self.skipTest("no rdformat-validator")
        names = []
        for number, line in enumerate(self.mixed("rdjsonl").splitlines()):
            names.append(self.put("%d.json" % number, line))
        done = subprocess.run([program, "--strict", "--no-extra-fields", *names], capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        broken = self.put("broken.json", self.mixed("rdjsonl").splitlines()[0].replace('"message"', '"massage"'))
        done = subprocess.run([program, "--strict", "--no-extra-fields", broken], capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertNotEqual(done.returncode, 0)


class Reviewdog(Reports):
    """The real program takes what is written for it, and keeps what a change adds."""

    def setUp(self):
        super().setUp()
        self.program = shutil.which("reviewdog", path=os.environ.get("SA_REVIEWDOG")) or shutil.which("reviewdog")
        if self.program is None:
            print("formats: reviewdog is not here, so it is not run; see the head of this file", file=sys.stderr)
            self.skipTest("no reviewdog")

    def git(self, *args):
        subprocess.run(["git", "-C", self.directory, "-c", "user.name=n", "-c", "user.email=e", *args], check=True)

    def changed(self):
        """A repository whose last commit adds mixed.cpp, under a name with a space and a letter that is not ASCII."""
        subprocess.run(["git", "init", "-q", "-b", "main", self.directory], check=True)
        self.put("old.cpp", SITE)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "old")
        shutil.copy(CASE, self.path("a ü.cpp"))
        self.git("add", ".")
        self.git("commit", "-q", "-m", "new")
        return self.lint("--format", "rdjsonl", "--no-config", ".", status=1).stdout

    def reviewdog(self, report, *args):
        return subprocess.run([self.program, "-f=rdjsonl", *args], cwd=self.directory, input=report, capture_output=True,
                              text=True, timeout=120, check=False)

    def test_it_reads_every_line(self):
        report = self.changed()
        done = self.reviewdog(report, "-reporter=sarif", "-filter-mode=nofilter")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = [r for run in json.loads(done.stdout)["runs"] for r in run["results"]]
        seen = [(r["ruleId"], r["locations"][0]["physicalLocation"]["region"]["startLine"]) for r in results]
        self.assertEqual(sorted(seen), sorted((d["code"]["value"], d["location"]["range"]["start"]["line"]) for d in lines(report)))

    def test_it_keeps_what_the_change_adds(self):
        report = self.changed()
        self.assertEqual({d["location"]["path"] for d in lines(report)}, {"a ü.cpp", "old.cpp"})
        done = self.reviewdog(report, "-reporter=local", "-diff=git diff HEAD~1", "-fail-level=any")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([(d["location"]["path"], d["location"]["range"]["start"]["line"]) for d in lines(done.stdout)],
                         [("a ü.cpp", 11), ("a ü.cpp", 20), ("a ü.cpp", 29), ("a ü.cpp", 39)])


class Lintrunner(Case):
    """The real program reads what is written for it."""

    CONFIG = ("merge_base_with = 'main'\n[[linter]]\ncode = 'SALINT'\ninclude_patterns = ['**/*.cpp']\n"
              "command = ['%s', '--format', 'lintrunner', '--no-config', '@{{PATHSFILE}}']\n")

    def setUp(self):
        super().setUp()
        self.program = shutil.which("lintrunner", path=os.environ.get("SA_LINTRUNNER")) or shutil.which("lintrunner")
        if self.program is None or shutil.which("git") is None:
            print("formats: lintrunner is not here, so it is not run; see the head of this file", file=sys.stderr)
            self.skipTest("no lintrunner")

    def run_it(self, *args):
        return subprocess.run([self.program, *args],
                              cwd=self.directory, capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "NO_COLOR": "1"})

    def test_it_reads_all_messages(self):
        subprocess.run(["git", "init", "-q", "-b", "main", self.directory], check=True)
        self.put(".lintrunner.toml", self.CONFIG % PROGRAM)
        shutil.copy(CASE, self.path("mixed.cpp"))
        self.put("clean.cpp", "int x;\n")
        done = self.run_it("--output", "json", "--paths-cmd", "printf 'mixed.cpp\\nclean.cpp\\n'")
        messages = [m for m in lines(done.stdout)]
        self.assertEqual([(m["name"].split()[0], m["severity"], m["line"]) for m in sorted(messages, key=lambda m: m["line"])],
                         [("SA101", "warning", 11), ("SA301", "warning", 20), ("SA104", "advice", 29), ("SA902", "advice", 39)],
                         done.stdout + done.stderr)
        done = self.run_it("--output", "oneline", "--paths-cmd", "echo clean.cpp")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
