#!/usr/bin/env python3
"""Both hooks in a real repository, with pre-commit from PyPI and with the distribution's.
Usage: run.py --lint PROGRAM [--download]

The hook of `language: python` builds a wheel, so this needs PyPI and a minute; without SA_TEST_PRE_COMMIT in the
environment or --download it says so and is skipped. What is checked without either stands in Manifest."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = None
PRE_COMMIT = "pre-commit==4.7.0"

BAD = """#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  c10::cuda::CUDAStreamGuard guard(side);
  out.copy_(t, true);
  t.record_stream(side);
}
"""
GOOD = """#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  at::cuda::CUDAEvent ready, done;
  ready.record();
  ready.block(side);
  {
    c10::cuda::CUDAStreamGuard guard(side);
    out.copy_(t, true);
    done.record();
  }
  done.block(c10::cuda::getCurrentCUDAStream());
}
"""


def run(*command, **options):
    return subprocess.run(command, text=True, check=False, timeout=900, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)


class Manifest(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(TOP, ".pre-commit-hooks.yaml"), encoding="utf-8") as file:
            self.text = file.read()

    def test_hooks(self):
        self.assertEqual(re.findall(r"(?m)^- id: (\S+)$", self.text), ["sa-lint", "sa-lint-system"])
        self.assertEqual(re.findall(r"(?m)^  language: (\S+)$", self.text), ["python", "system"])

    def test_names_are_no_options(self):
        """pre-commit puts the names of files behind the arguments."""
        hooks = self.text.split("- id: ")[1:]
        for hook in hooks:
            self.assertRegex(hook, r"(?m)^  args: \[--\]$")
        with open(os.path.join(TOP, "docs", "pre-commit.md"), encoding="utf-8") as file:
            for args in re.findall(r"args: \[(.*?)\]", file.read()):
                self.assertTrue(args.endswith("--"), args)

    def test_every_language_is_chosen(self):
        """The pattern is the list of extensions that the program knows."""
        with open(os.path.join(TOP, "src", "project", "select.c"), encoding="utf-8") as file:
            table = re.findall(r'\{"(\.[\w+]+)", *"(\w+)"\}', file.read())
        known = {extension for extension, language in table if language != "ir"}
        self.assertGreater(len(known), 15)
        for pattern in re.findall(r"(?m)^  files: '(.*)'$", self.text):
            listed = set(re.fullmatch(r"\\\.\((.*)\)\$", pattern).group(1).replace("\\", "").split("|"))
            self.assertEqual({"." + name for name in listed}, known)
            self.assertTrue(re.search(pattern, "a/b.hip"))
            self.assertFalse(re.search(pattern, "a/b.txt"))


class Hooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="sa-hooks-")
        cls.addClassCleanup(shutil.rmtree, cls.directory, True)
        cls.environment = dict(os.environ, PRE_COMMIT_HOME=os.path.join(cls.directory, "cache"), GIT_CONFIG_GLOBAL="/dev/null",
                               GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@example.com", GIT_COMMITTER_NAME="a",
                               GIT_COMMITTER_EMAIL="a@example.com", XDG_CACHE_HOME=os.path.join(cls.directory, "xdg"))
        cls.environment["PATH"] = os.path.dirname(PROGRAM) + ":" + cls.environment["PATH"]
        # The sources as they are now, committed or not, as the repository that users would name.
        cls.source = os.path.join(cls.directory, "sa-lint")
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".", ":!fixtures",
                                ":!tests", ":!runtime"], cwd=TOP, capture_output=True, check=True).stdout.split(b"\0")
        for name in (os.fsdecode(name) for name in names if name):
            if os.path.exists(os.path.join(TOP, name)):
                os.makedirs(os.path.dirname(os.path.join(cls.source, name)), exist_ok=True)
                shutil.copy2(os.path.join(TOP, name), os.path.join(cls.source, name))
        cls.git(cls.source, "init", "-q", "-b", "main")
        cls.git(cls.source, "add", "-A")
        cls.git(cls.source, "commit", "-q", "-m", "all")
        cls.revision = cls.git(cls.source, "rev-parse", "HEAD").strip()
        cls.programs = cls.get_pre_commit()

    @classmethod
    def get_pre_commit(cls):
        """{name: program}: PyPI's in an environment of its own, and the distribution's where it is installed."""
        home = os.path.join(cls.directory, "venv")
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([os.path.join(home, "bin", "pip"), "install", "-q", PRE_COMMIT], check=True)
        programs = {PRE_COMMIT: os.path.join(home, "bin", "pre-commit")}
        if os.path.exists("/usr/bin/pre-commit"):
            programs[run("/usr/bin/pre-commit", "--version").stdout.strip() + " of the distribution"] = "/usr/bin/pre-commit"
        else:
            print("SKIPPED: pre-commit of the distribution is not installed")
        return programs

    @classmethod
    def git(cls, directory, *args):
        done = run("git", *args, cwd=directory, env=cls.environment)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def repository(self, hook, program, arguments=""):
        work = tempfile.mkdtemp(dir=self.directory)
        self.git(work, "init", "-q", "-b", "main")
        self.put(work, ".pre-commit-config.yaml", "repos:\n- repo: file://%s\n  rev: %s\n  hooks:\n  - id: %s\n%s" %
                 (self.source, self.revision, hook, arguments))
        done = run(program, "install", cwd=work, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.put(work, "README", "x\n")
        start = time.time()
        done = self.commit(work, "first")
        self.assertEqual(done.returncode, 0, done.stdout)
        print("  first commit, with the hook's installation: %.1f s" % (time.time() - start))
        return work

    def put(self, work, name, text):
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, work, message):
        self.git(work, "add", ".")
        return run("git", "commit", "-m", message, cwd=work, env=self.environment)

    def check(self, hook, name, program):
        print("\n%s, %s:" % (hook, name))
        work = self.repository(hook, program)
        self.put(work, "src/a.cpp", BAD)
        refused = self.commit(work, "bad")
        self.assertNotEqual(refused.returncode, 0, refused.stdout)
        self.assertIn("src/a.cpp:6:3: warning", refused.stdout)
        self.assertIn("[SA101]", refused.stdout)
        self.put(work, "src/a.cpp", GOOD)
        passed = self.commit(work, "good")
        self.assertEqual(passed.returncode, 0, passed.stdout)
        self.assertIn("Passed", passed.stdout)
        self.assertEqual(len(self.git(work, "log", "--oneline").splitlines()), 2)
        self.staged(work)
        self.many(work)
        self.timing(work)

    def staged(self, work):
        """What is staged counts, not what lies in the work tree."""
        self.put(work, "src/b.cpp", BAD)
        self.git(work, "add", ".")
        self.put(work, "src/b.cpp", GOOD)
        done = run("git", "commit", "-m", "b", cwd=work, env=self.environment)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.git(work, "add", ".")
        self.put(work, "src/b.cpp", BAD)
        done = run("git", "commit", "-m", "b", cwd=work, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.git(work, "checkout", "-q", "src/b.cpp")

    def many(self, work):
        for i in range(1500):
            self.put(work, "many/%s%04d.cpp" % ("x" * 100, i), "int x%d;\n" % i)
        self.put(work, "many/kernel.hip", BAD)
        done = self.commit(work, "many")
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn("many/kernel.hip:6:3", done.stdout)
        self.git(work, "rm", "-q", "--cached", "many/kernel.hip")
        os.remove(os.path.join(work, "many", "kernel.hip"))
        done = self.commit(work, "many")
        self.assertEqual(done.returncode, 0, done.stdout)

    def timing(self, work):
        """Three changed files, seen before: the whole commit with pre-commit's own start."""
        best = 1e9
        for turn in range(4):
            for name in "abc":
                self.put(work, "src/%s.cpp" % name, "// %d\n" % (turn % 2) + GOOD)
            start = time.time()
            done = self.commit(work, "turn %d" % turn)
            self.assertEqual(done.returncode, 0, done.stdout)
            best = min(best, time.time() - start) if turn > 1 else best
        print("  commit of 3 changed files, warm: %.2f s" % best)
        self.assertLess(best, 2.0)

    def test_python_hook(self):
        for name, program in self.programs.items():
            self.check("sa-lint", name, program)

    def test_system_hook(self):
        for name, program in self.programs.items():
            self.check("sa-lint-system", name, program)

    def test_arguments(self):
        """Only the lines that are staged."""
        program = self.programs[PRE_COMMIT]
        work = self.repository("sa-lint-system", program, "    args: [--staged]\n")
        self.put(work, "src/a.cpp", BAD)
        self.git(work, "add", ".")
        run("git", "commit", "--no-verify", "-m", "old", cwd=work, env=self.environment)
        self.put(work, "src/a.cpp", BAD + "int more;\n")
        done = self.commit(work, "elsewhere")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.put(work, "src/a.cpp", BAD.replace("  t.record", "    t.record"))
        self.assertNotEqual(self.commit(work, "there").returncode, 0)


def main():
    global PROGRAM
    args = sys.argv[1:]
    if "--lint" not in args:
        sys.exit(__doc__)
    at = args.index("--lint")
    PROGRAM = os.path.abspath(args[at + 1])
    del args[at:at + 2]
    wanted = "--download" in args or os.environ.get("SA_TEST_PRE_COMMIT")
    args = [arg for arg in args if arg != "--download"]
    if not wanted:
        print("=" * 100 + "\nSKIPPED: the hooks are not installed and run; `./dev test --pre-commit` does so (needs PyPI)\n" +
              "=" * 100, flush=True)
        args = args or ["Manifest"]
    program = unittest.main(argv=[sys.argv[0], *args], verbosity=1, exit=False)
    sys.exit(1 if not program.result.wasSuccessful() else 0 if wanted else 77)


main()
