#!/usr/bin/env python3
"""What holds for every edit that is offered, shown on all fixtures, and the safety of --diff and --fix.

    run.py SA_LINT [--few] [unittest arguments]
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import formatters

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = (".c", ".cc", ".cpp", ".cu", ".py")
LINT = ""
FEW = False  # a sanitized build is slow


def fixtures(top):
    """Paths of all sources below it, relative to it."""
    for root in ("fixtures/cases/rewrites",) if FEW else ("fixtures/cases", "runtime/fixtures"):
        for directory, below, names in os.walk(os.path.join(top, root)):
            below.sort()
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(directory, name), top)


def lint(directory, *args):
    return subprocess.run([LINT, "--root", ".", "--no-config", *args], cwd=directory, capture_output=True)


def report(directory, names):
    done = lint(directory, "--format", "json", "--exit-zero", "--", *names)
    return json.loads(done.stdout.decode("utf-8", "replace"))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def edited(text, edits):
    """The text (bytes) after the edits of the JSON report; equal edits of several sites count once."""
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    place = lambda line, column: starts[line - 1] + column - 1
    seen, splices = set(), []
    for number, edit in enumerate(edits):
        key = (place(edit["startLine"], edit["startColumn"]), place(edit["endLine"], edit["endColumn"]), edit["text"])
        if key not in seen:
            seen.add(key)
            splices.append((key[0], key[1], number, edit["text"].encode()))
    for begin, end, _, new in sorted(splices, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def is_python(text):
    try:
        compile(text, "text", "exec")
    except SyntaxError:
        return False
    return True


class Offered(unittest.TestCase):
    """Every edit for every fixture; few runs over many files."""

    @classmethod
    def setUpClass(cls):
        cls.result = report(TOP, list(fixtures(TOP)))
        cls.fixed = [site for site in cls.result["sites"] if site["fix"]]
        cls.all = cls.fixed + [finding for finding in cls.result["findings"] if finding.get("fix")]
        cls.names = sorted({one["file"] for one in cls.all})
        cls.want = {name: edited(read(os.path.join(TOP, name)), [edit for site in cls.all if site["file"] == name
                                                                 for edit in site["fix"]["edits"]])
                    for name in cls.names}

    def copied(self):
        """A tree with the fixtures that have an edit, and everything that they include."""
        work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, work)
        for root in ("fixtures/cases", "runtime"):
            shutil.copytree(os.path.join(TOP, root), os.path.join(work, root))
        return work

    def test_there_are_enough(self):
        self.assertGreater(len(self.fixed), 12 if FEW else 80)
        self.assertGreater(len(self.names), 10 if FEW else 60)
        python = [site for site in self.fixed if site["language"] == "python"]
        self.assertGreater(len(python), 20 if FEW else 40)

    def test_patch_fix_and_report_agree_and_nothing_is_left_to_edit(self):
        patched, fixed = self.copied(), self.copied()
        diff = lint(TOP, "--diff", "--", *self.names)
        done = subprocess.run(["git", "apply", "-"], cwd=patched, input=diff.stdout, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        done = lint(fixed, "--fix", "--quiet", "--", *self.names)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode())
        for name in self.names:
            with self.subTest(case=name):
                self.assertEqual(read(os.path.join(patched, name)), self.want[name], "--diff")
                self.assertEqual(read(os.path.join(fixed, name)), self.want[name], "--fix")
        again = lint(fixed, "--diff", "--", *self.names)
        self.assertEqual(again.stdout.decode(), "", "a second --diff finds more to do")
        left = {(site["file"], site["id"]) for site in report(fixed, self.names)["sites"]}
        for site in self.fixed:
            with self.subTest(case=site["file"], line=site["line"]):
                self.assertNotIn((site["file"], site["id"]), left)

    def test_each_edit_alone_is_safe(self):
        """What one site's fix says is enough without the others."""
        work = self.copied()
        known, now = {}, {}
        for finding in self.result["findings"]:
            if finding["rule"].startswith("SA3"):
                known.setdefault(finding["file"], []).append(finding["rule"])
        copies = {}
        for number, site in enumerate(self.fixed):
            stem, ending = os.path.splitext(site["file"])
            name = "%s.%d%s" % (stem, number, ending)
            with open(os.path.join(work, name), "wb") as file:
                file.write(edited(read(os.path.join(TOP, site["file"])), site["fix"]["edits"]))
            copies[name] = site
        for finding in report(work, sorted(copies))["findings"]:
            if finding["rule"].startswith("SA3"):
                now.setdefault(finding["file"], []).append(finding["rule"])
        for name, site in copies.items():
            with self.subTest(case=site["file"], line=site["line"]):
                for rule in set(now.get(name, [])):
                    self.assertLessEqual(now[name].count(rule), known.get(site["file"], []).count(rule), rule)

    def test_layout_is_stable(self):
        """A file that clang-format leaves alone is still one after the edits."""
        formatter = shutil.which("clang-format-19") or shutil.which("clang-format")
        if formatter is None:
            self.skipTest("clang-format is not there")
        work = self.copied()
        with open(os.path.join(work, ".clang-format"), "w", encoding="utf-8") as file:
            file.write("BasedOnStyle: LLVM\nColumnLimit: 0\nAllowShortLoopsOnASingleLine: true\n"
                       "AllowShortIfStatementsOnASingleLine: AllIfsAndElse\n")
        for below in ("fixtures", "runtime"):
            for directory, _, names in os.walk(os.path.join(work, below)):
                if ".clang-format" in names:
                    os.remove(os.path.join(directory, ".clang-format"))
        names = [name for name in self.names if "/tabs/" not in name and not name.endswith(".py")]
        subprocess.run([formatter, "-i", *names], cwd=work, check=True)
        before = {name: read(os.path.join(work, name)) for name in names}
        lint(work, "--fix", "--quiet", "--", *names)
        after = {name: read(os.path.join(work, name)) for name in names}
        self.assertGreater(sum(before[name] != after[name] for name in names), 8 if FEW else 60)
        subprocess.run([formatter, "-i", *names], cwd=work, check=True)
        for name in names:
            with self.subTest(case=name):
                self.assertEqual(after[name].decode(), read(os.path.join(work, name)).decode())

    def test_python_is_still_python(self):
        for name in self.names:
            if name.endswith(".py") and is_python(read(os.path.join(TOP, name))):
                with self.subTest(case=name):
                    self.assertTrue(is_python(self.want[name]))

    def test_layout_of_python_is_stable(self):
        """A file that black, or ruff, leaves alone is still one after the edits."""
        commands, why = formatters.formatters()
        if not commands:
            formatters.skipped(why)
            self.skipTest(why)
        for program, command in commands.items():
            work = self.copied()
            names = [name for name in self.names if name.endswith(".py") and "/syntax-error/" not in name]
            subprocess.run([*command, *names], cwd=work, check=True)
            before = {name: read(os.path.join(work, name)) for name in names}
            lint(work, "--fix", "--quiet", "--", *names)
            after = {name: read(os.path.join(work, name)) for name in names}
            self.assertGreater(sum(before[name] != after[name] for name in names), 8 if FEW else 20)
            subprocess.run([*command, *names], cwd=work, check=True)
            for name in names:
                with self.subTest(case=name, program=program):
                    self.assertEqual(after[name].decode(), read(os.path.join(work, name)).decode())


if __name__ == "__main__":
    FEW = "--few" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--few"]
    LINT = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=0)
