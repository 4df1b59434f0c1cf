#!/usr/bin/env python3
"""What is installed, and what the program says of itself. Usage: run.py PROGRAM BUILD-DIRECTORY [unittest options]."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = BUILD = None
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SITE = """#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  c10::cuda::CUDAStreamGuard guard(side);
  out.copy_(t, true);
  t.record_stream(side);
}
"""
PYTHON = "def f(t, side):\n    t.record_stream(side)\n"


def run(*command, **options):
    options.setdefault("capture_output", True)
    return subprocess.run(command, text=True, check=False, timeout=300, **options)


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="sa-install-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def put(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def lint(self, *args, status=0, program=None, environment=None):
        done = run(program or PROGRAM, *args, cwd=self.directory, env=dict(os.environ, **(environment or {})))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done


def options():
    """(name, letter, whether it takes a value) of each option in the help."""
    found = []
    for line in run(PROGRAM, "--help").stdout.split("\n"):
        match = re.match(r"  (?:-(\w),)? *--([\w-]+)(?: (\S+))?  ", line)
        if match:
            found.append((match.group(2), match.group(1), bool(match.group(3))))
    return found


class Manual(Case):
    def setUp(self):
        super().setUp()
        self.options = options()
        self.assertGreater(len(self.options), 30)

    def form(self, name):
        return self.lint("--help-as", name).stdout

    def test_man_page(self):
        text = self.form("man")
        for name, letter, _ in self.options:
            self.assertIn("\\fB\\-\\-" + name.replace("-", "\\-") + "\\fR", text)
            if letter:
                self.assertIn("\\fB\\-%s\\fR, " % letter, text)
        for section in ("NAME", "SYNOPSIS", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES"):
            self.assertIn(".SH " + section + "\n", text)
        path = self.put("sa-lint.1", text)
        if shutil.which("mandoc"):
            complaints = [line for line in run("mandoc", "-T", "lint", "-W", "warning", path).stdout.split("\n")
                          if line and "missing date" not in line]
            self.assertEqual(complaints, [])
        if shutil.which("groff"):
            self.assertEqual(run("groff", "-man", "-ww", "-z", path).stderr, "")

    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.put("sa-lint.bash", self.form("bash"))
        told = run("bash", "-c", 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sa_lint; '
                   'printf "%s\\n" "${COMPREPLY[@]}"', script, "sa-lint", *words, cwd=self.directory)
        self.assertEqual(told.stderr, "")
        return told.stdout.split()

    def test_bash(self):
        self.assertEqual(set(self.complete("--")), {"--" + name for name, _, _ in self.options})
        self.assertEqual(self.complete("--sarif-pro"), ["--sarif-profile"])
        self.assertEqual(self.complete("--color", ""), ["auto", "always", "never"])
        self.assertIn("sarif", self.complete("--format", "sa"))
        self.assertLessEqual({"check", "rules", "explain", "merge", "doctor"}, set(self.complete("")))
        self.put("a b.cpp", "")
        os.makedirs(self.path("folder"))
        self.assertIn("folder", self.complete("--root", "fol"))
        self.assertEqual(self.complete("-j", ""), [])

    def test_zsh(self):
        text = self.form("zsh")
        self.assertTrue(text.startswith("#compdef sa-lint\n"))
        for name, _, _ in self.options:
            self.assertIn("--" + name, text)
        path = self.put("_sa-lint", text)
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        self.assertEqual(run("zsh", "-n", path).stderr, "")
        # The words as zsh reads them, without its line editor.
        done = run("zsh", "-f", "-c", '_arguments() { print -rl -- "$@"; }; source "$0"', path)
        specs = [line for line in done.stdout.split("\n") if line.startswith("*-")]
        self.assertEqual({re.match(r"\*-+([\w-]+)", spec).group(1) for spec in specs} - {letter for _, letter, _ in self.options},
                         {name for name, _, _ in self.options})
        self.assertIn("*--fail-on=[note, warning or error\\: from where on findings give status 1]:LEVEL:(note warning error)",
                      specs)

    def test_fish(self):
        text = self.form("fish")
        path = self.put("sa-lint.fish", text)
        for name, _, _ in self.options:
            self.assertIn(" -l %s " % name, text)
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")
        self.assertEqual(run("fish", "-n", path).stderr, "")
        told = run("fish", "--no-config", "-c", "source %s; complete -C 'sa-lint --color '" % path, env=dict(os.environ, HOME=self.directory))
        self.assertEqual([line.split("\t")[0] for line in told.stdout.splitlines()], ["always", "auto", "never"])

    def test_words_are_what_the_options_take(self):
        text = self.form("fish")
        found = re.findall(r" -l ([\w-]+) -x -a '([^'(]+)'", text)
        self.assertGreater(len(found), 4)
        self.put("a.txt", "")
        for name, words in found:
            for word in words.split():
                done = run(PROGRAM, "--" + name, word, "--version")
                self.assertEqual(done.returncode, 0, (name, word, done.stderr))
            self.assertEqual(run(PROGRAM, "--" + name, "nonsense", "--version").returncode, 2)


class Libclang(Case):
    def real(self):
        return re.search(r"(?m)^libclang +\S+, (.*)$", self.lint("doctor").stdout).group(1)

    def environment_with(self, library):
        """A Python environment with the program and a libclang as PyPI's wheel puts it there."""
        program = self.path("env/bin/sa-lint")
        place = self.path("env/lib/python3.12/site-packages/clang/native/libclang.so")
        for path in (program, place):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(PROGRAM, program)
        os.symlink(library, place)
        return program, place

    def test_wheel_beside_the_program_comes_first(self):
        program, place = self.environment_with(self.real())
        self.assertIn(place, self.lint("doctor", program=program).stdout)
        self.assertNotIn(place, self.lint("doctor").stdout)

    def test_broken_wheel_is_passed_over(self):
        broken = self.put("libclang.so", "no library")
        program, _ = self.environment_with(broken)
        self.assertRegex(self.lint("--version", program=program).stdout, r"libclang \d+")

    def test_none(self):
        self.put("a.cpp", SITE)
        self.put("a.py", PYTHON)
        for args in (["a.cpp"], ["."]):
            done = self.lint("--libclang", "/nowhere/libclang.so", *args, status=2)
            self.assertRegex(done.stderr, r"libclang was not found \(.*/nowhere/libclang.so.*\); install libclang1-19 or the "
                             "Python package 'libclang', or set SA_LINT_LIBCLANG")
        self.assertIn("(no libclang found)", self.lint("--libclang", "/nowhere", "--version").stdout)
        # Python needs none.
        done = run(PROGRAM, "--libclang", "/nowhere", "--format", "json", "a.py", cwd=self.directory)
        self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_version_names_libclang(self):
        self.assertRegex(self.lint("--version").stdout, r"^sa-lint \d+\.\d+\.\d+ \(libclang \d+\.\d+\.\d+\)\n$")


class Doctor(Case):
    def test_everything_that_counts(self):
        told = self.lint("doctor").stdout
        for what in ("sa-lint", "libclang", "its headers", "Python", "rules", "project root", "configuration", "compile flags",
                     "CUDA headers"):
            self.assertRegex(told, r"(?m)^%s  " % what)
        self.assertIn("model headers", told)

    def test_database_and_configuration(self):
        self.put(".sa-lint.yaml", "exclude: ['third_party/**']\n")
        entries = [{"directory": self.directory, "file": "a.cpp", "command": "c++ -c a.cpp"},
                   {"directory": "/nowhere", "file": "b.cpp", "command": "c++ -c b.cpp"}]
        self.put("build/compile_commands.json", json.dumps(entries))
        done = self.lint("doctor", "-p", "build")
        self.assertIn("2 files, 1 of them usable", done.stdout)
        self.assertIn(self.path(".sa-lint.yaml"), done.stdout)
        self.assertIn("cannot be used", done.stdout)

    def test_what_ends_runs_gives_a_status(self):
        self.assertIn("not found", self.lint("doctor", "--libclang", "/nowhere", status=2).stdout)
        self.put(".sa-lint.yaml", "no-such-key: 1\n")
        done = self.lint("doctor", status=2)
        self.assertIn("not valid", done.stdout)
        self.assertIn(".sa-lint.yaml:1:1: error", done.stderr)
        self.lint("doctor", "-p", "nowhere", "--no-config", status=2)


class Install(Case):
    def install(self, *components):
        for component in components:
            done = run("cmake", "--install", BUILD, "--prefix", "/usr", "--component", component,
                       env=dict(os.environ, DESTDIR=self.directory))
            self.assertEqual(done.returncode, 0, done.stderr)

    def check_tree(self, root):
        for name in ("share/man/man1/sa-lint.1", "share/bash-completion/completions/sa-lint",
                     "share/zsh/vendor-completions/_sa-lint", "share/fish/vendor_completions.d/sa-lint.fish",
                     "share/doc/sa-lint/README.md", "share/doc/sa-lint/docs/rules/SA101.md", "share/doc/sa-lint/LICENSE"):
            self.assertTrue(os.path.exists(os.path.join(root, name)), name)
        self.assertTrue(glob.glob(os.path.join(root, "lib*/**/cmake/sa-lint/sa-lint-config.cmake"), recursive=True))
        self.put("a.cpp", SITE)
        done = self.lint("a.cpp", status=1, program=os.path.join(root, "bin", "sa-lint"))
        self.assertIn("[SA101]", done.stdout)

    def test_cmake_install(self):
        self.install("program", "extras")
        self.check_tree(self.path("usr"))
        with open(self.path("usr/share/man/man1/sa-lint.1"), encoding="utf-8") as file:
            self.assertEqual(file.read(), run(PROGRAM, "--help-as", "man").stdout)

    def test_program_alone(self):
        self.install("program")
        self.assertEqual(sorted(os.listdir(self.path("usr"))), ["bin"])

    def test_debian_package(self):
        if not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
            self.skipTest("no tools for Debian packages")
        done = run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-G", "DEB", "-B", self.path("out"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        package, = glob.glob(self.path("out/*.deb"))
        depends = run("dpkg-deb", "-f", package, "Depends").stdout
        for library in ("libclang1-19 |", "libyaml-0-2", "libjansson4", "libxxhash0", "zlib1g"):
            self.assertIn(library, depends)
        self.assertEqual(run("dpkg-deb", "-f", package, "Version").stdout.strip(),
                         run(PROGRAM, "--version").stdout.split()[1])
        run("dpkg-deb", "-x", package, self.path("tree"))
        self.check_tree(self.path("tree/usr"))
        self.assertFalse(glob.glob(self.path("tree/usr/**/libsar*"), recursive=True), "the runtime has no place here")


class Module(Case):
    """A CMake project that lints its targets."""

    def project(self, *lines):
        self.put("src/good.cpp", "int good() { return 1; }\n")
        # The headers need not be there to compile it; the linter reads regions with calls all the same.
        self.put("src/bad.cpp", "#if __has_include(<ATen/ATen.h>)\n" + SITE + "#endif\n")
        self.put("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(p CXX)\nset(CMAKE_EXPORT_COMPILE_COMMANDS ON)\n"
                 'list(APPEND CMAKE_MODULE_PATH "%s/cmake")\ninclude(SaLint)\n' % TOP + "\n".join(lines) + "\n")
        done = run("cmake", "-S", self.directory, "-B", self.path("build"), "-G", "Ninja", "-DSA_LINT_PROGRAM=" + PROGRAM)
        return done

    def build(self, *targets):
        return run("cmake", "--build", self.path("build"), "--target", *targets)

    def test_target(self):
        self.put("src/notes.txt", "")
        done = self.project("add_library(bad src/bad.cpp)", "add_library(good src/good.cpp src/notes.txt)",
                            "sa_lint_target(bad ARGS --no-config)", "sa_lint_target(good)")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.build("bad-sa-lint")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("[SA101]", done.stdout)
        self.assertEqual(self.build("good-sa-lint").returncode, 0)
        self.assertNotEqual(self.build("sa-lint").returncode, 0)

    def test_level(self):
        self.project("add_library(bad src/bad.cpp)", "sa_lint_target(bad FAIL_ON error)")
        self.assertEqual(self.build("bad-sa-lint").returncode, 0)

    def test_while_compiling(self):
        done = self.project("add_library(bad src/bad.cpp)", "sa_lint_target(bad CO_COMPILE)")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.build("bad")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[SA101]", done.stdout + done.stderr)

    def test_mistakes(self):
        self.assertIn("there is no target 'x'", self.project("sa_lint_target(x)").stderr)
        self.assertIn("unknown arguments 'QUICK'",
                      self.project("add_library(bad src/bad.cpp)", "sa_lint_target(bad QUICK)").stderr)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    PROGRAM, BUILD = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    unittest.main(verbosity=1)
