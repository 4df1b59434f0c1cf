#!/usr/bin/env python3
"""A pull request of somebody with bad intentions: nothing of it runs, nothing outside the root is read into a report or
written, and nothing of it speaks to what reads the report. Usage: pull_request.py PROGRAM [unittest options]."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import run
from run import Case, LIGHT_SITE, SITE

FORMATS = ("text", "json", "sarif", "github", "lintrunner", "rdjsonl", "gitlab")
CALL = "t.record_stream(side);"
EVIL = "<img src=x onerror=alert(1)>"

# A shared object whose loading leaves a trace, and a program that does.
CONSTRUCTOR = """#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { close(open("%s", O_CREAT | O_WRONLY, 0644)); }
"""


class PullRequest(Case):
    def setUp(self):
        super().setUp()
        self.trace = self.path("trace of what ran")

    def assertNothingRan(self):
        self.assertFalse(os.path.exists(self.trace), "something of the pull request ran")

    def evil_program(self, name):
        path = self.put(name, '#!/bin/sh\ntouch "%s"\ncat\n' % self.trace)
        os.chmod(path, 0o755)
        return path

    def evil_library(self, name):
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            self.skipTest("no compiler")
        source = self.put("evil.txt", CONSTRUCTOR % self.trace.replace(" ", " "))
        library = self.path(name)
        os.makedirs(os.path.dirname(library), exist_ok=True)
        subprocess.run([compiler, "-x", "c", "-shared", "-fPIC", "-o", library, source], check=True)
        return library

    def test_the_trap_works(self):
        """What the other tests rely on: loading the library leaves the trace."""
        library = self.evil_library("evil.so")
        subprocess.run([sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", library], check=True)
        self.assertTrue(os.path.exists(self.trace))

    def all_files(self):
        return {os.path.relpath(os.path.join(folder, name), self.directory)
                for folder, _, names in os.walk(self.directory) for name in names}


class Database(PullRequest):
    """Commands of compile_commands.json, which a pull request may bring along."""

    def with_flags(self, *flags):
        self.put("src/a.cpp", SITE)
        entry = {"directory": self.directory, "file": "src/a.cpp", "arguments": ["c++", *flags, "-c", "src/a.cpp"]}
        self.put("compile_commands.json", json.dumps([entry]))
        before = self.all_files()
        report = json.loads(self.lint("-p", ".", "--root", ".", "--format", "json", "src").stdout)
        self.assertNothingRan()
        self.assertEqual(self.all_files(), before, "a flag made the parser write")
        self.assertEqual([site["line"] for site in report["sites"]], [6])
        return report

    def test_plugins(self):
        library = self.evil_library("evil.so")
        for flags in (["-fplugin=" + library], ["-fpass-plugin=" + library], ["-Xclang", "-load", "-Xclang", library],
                      ["-mllvm", "-load=" + library], ["-mllvm=-load=" + library], ["-Xclang", "-plugin", "-Xclang", library],
                      ["-fplugin=./evil.so"], ["-fno-integrated-cc1", "-B" + self.directory], ["-Wp,-load," + library],
                      ["-Xpreprocessor", "-load", "-Xpreprocessor", library]):
            with self.subTest(flags=flags):
                self.with_flags(*flags)

    def test_programs(self):
        wrapper = self.evil_program("wrapper")
        self.put("src/a.cpp", SITE)
        for command in ([wrapper, "c++", "-c", "src/a.cpp"], ["sh", "-c", "touch '%s'" % self.trace],
                        ["c++", "-wrapper", wrapper, "-c", "src/a.cpp"], ["c++", "-c", "src/a.cpp", ";", "touch", self.trace],
                        ["c++", "-ccbin", wrapper, "-c", "src/a.cpp"], ["c++", "`touch '%s'`" % self.trace, "src/a.cpp"]):
            for entry in ({"arguments": command}, {"command": " ".join(command)}):
                self.put("compile_commands.json", json.dumps([{"directory": self.directory, "file": "src/a.cpp", **entry}]))
                self.lint("-p", ".", "src")
                self.assertNothingRan()

    def test_outputs(self):
        for flags in (["-o", "out.o"], ["-MD", "-MF", "out.d"], ["-save-temps"], ["-ftime-trace"], ["-E", "-o", "x"],
                      ["-fcrash-diagnostics-dir=crash"], ["-fmodules", "-fmodules-cache-path=modules"], ["-H"],
                      ["--serialize-diagnostics", "out.dia"], ["-Xclang", "-emit-pch", "-o", "a.pch"],
                      ["-index-store-path", "index"], ["-Xclang", "-header-include-file", "-Xclang", "headers"],
                      ["-fdiagnostics-log=x"], ["-gen-reproducer=always"], ["-fprofile-generate=prof"]):
            with self.subTest(flags=flags):
                self.with_flags(*flags)

    def test_files_that_are_read_in(self):
        secret = os.path.join(os.path.dirname(self.directory), os.path.basename(self.directory) + "-secret.h")
        with open(secret, "w", encoding="utf-8") as file:
            file.write("#error TOPSECRET\n")
        self.addCleanup(os.remove, secret)
        self.put("src/inside.h", "int inside;\n")
        for flags in (["@" + secret], ["--config=" + secret], ["-include", secret], ["-imacros", secret],
                      ["-include-pch", secret], ["-fmodule-file=" + secret], ["-fmodule-map-file=" + secret],
                      ["-ivfsoverlay", secret]):
            with self.subTest(flags=flags):
                report = self.with_flags(*flags)
                self.assertNotIn("TOPSECRET", json.dumps(report))

    def test_standard_input(self):
        """What the run is given is not for a source to read."""
        self.put("src/a.cpp", LIGHT_SITE)
        for flags in (["-include", "/dev/stdin"], ["-include", "/proc/self/fd/0"], ["-I/dev/fd", "-include", "0"]):
            entry = {"directory": self.directory, "file": "src/a.cpp", "arguments": ["c++", *flags, "-c", "src/a.cpp"]}
            self.put("compile_commands.json", json.dumps([entry]))
            done = self.lint("-p", ".", "--root", ".", "--format", "json", "src", input=b"#define read_aside TOPSECRET\n")
            self.assertIn("read_aside", [site["function"] for site in json.loads(done.stdout)["sites"]], flags)

    def test_files_of_others(self):
        """An entry for a file outside does not make it a source."""
        self.put("src/a.cpp", SITE)
        entries = [{"directory": "/etc", "file": "/etc/passwd", "command": "c++ -c /etc/passwd"},
                   {"directory": self.directory, "file": "../../../etc/hostname", "command": "c++ -x c++ -c ../../../etc/hostname"}]
        self.put("compile_commands.json", json.dumps(entries))
        done = self.lint("-p", ".", "--root", ".", "--format", "json", ".")
        self.assertEqual({site["file"] for site in json.loads(done.stdout)["sites"]}, {"src/a.cpp"})
        self.assertNotIn("root:", done.stdout + done.stderr)


class Sources(PullRequest):
    def test_directives_that_read_files(self):
        secret = os.path.join(os.path.dirname(self.directory), os.path.basename(self.directory) + "-secret.cpp")
        with open(secret, "w", encoding="utf-8") as file:
            file.write(SITE.replace("read_aside", "topsecret"))
        self.addCleanup(os.remove, secret)
        name = os.path.basename(secret)
        lines = ['#include "../%s"' % name, '#include "%s"' % secret, "#include <%s>" % secret, '#embed "%s"' % secret,
                 '#pragma GCC dependency "%s"' % secret, '#pragma clang module load "%s"' % secret, '#include_next "%s"' % secret,
                 'const char x[] = {\n#embed "%s"\n};' % secret, '__asm__(".incbin \\"%s\\"");' % secret,
                 "#pragma clang __debug parser_crash_never", '#import "%s"' % secret]
        for line in lines:
            with self.subTest(line=line):
                self.put("a.cpp", line + "\n" + SITE)
                said, done = self.in_formats(FORMATS, "--root", ".", "a.cpp")
                for output in (*said.values(), done.stderr):
                    self.assertNotIn("topsecret", output)

    def test_line_directives(self):
        """`#line` names another file; places stay in the one that the review shows."""
        for line in ('#line 1 "/etc/passwd"', '#line 1 "../../up.cpp"', '# 1 "/etc/passwd"', '#line 1 "::error::x"',
                     '#line 4000000 "a.cpp"'):
            with self.subTest(line=line):
                self.put("a.cpp", SITE.replace("  " + CALL, line + "\n  " + CALL))
                said, _ = self.in_formats(FORMATS, "--root", ".", "--report-all", "a.cpp")
                self.assertEqual([(site["file"], site["line"]) for site in json.loads(said["json"])["sites"]], [("a.cpp", 7)])
                for output in said.values():
                    self.assertNotIn("/etc/passwd", "\n".join(row for row in output.split("\n") if "#line" not in row and
                                                              "# 1" not in row))

    def test_links_that_lead_outside(self):
        outside = os.path.join(os.path.dirname(self.directory), os.path.basename(self.directory) + "-outside")
        os.makedirs(outside)
        self.addCleanup(shutil.rmtree, outside)
        with open(os.path.join(outside, "secret.cpp"), "w", encoding="utf-8") as file:
            file.write(SITE.replace("read_aside", "topsecret"))
        self.put("src/a.cpp", SITE)
        os.symlink(os.path.join(outside, "secret.cpp"), self.path("src/link.cpp"))
        os.symlink(outside, self.path("src/folder"))
        for output, text in self.in_formats(FORMATS, "--root", ".", "--report-all", ".")[0].items():
            self.assertNotIn("topsecret", text, output)
            self.assertNotIn(outside, text, output)
        done = self.lint("--root", ".", "--verbose", "src")
        self.assertIn("src/link.cpp: note: a link that leads outside the project", done.stderr)

    def test_python_is_not_run(self):
        self.put("a.py", "import os\nos.system('touch \"%s\"')\ndef f(t, side):\n    t.record_stream(side)\n" % self.trace)
        self.put("sitecustomize.py", "open(%r, 'w')\n" % self.trace)
        self.lint(".")
        self.assertNothingRan()

    def test_words_of_the_source_in_reports(self):
        """Names, comments and reasons cannot be read as HTML, commands or control sequences."""
        reason = "because %s \x1b[31m ::error::x" % EVIL
        self.put("a.cpp", SITE.replace(CALL, CALL + " // %s \x1b[2J\u202e ::set-output name=a::b" % EVIL))
        self.put("b.cpp", SITE.replace(CALL, CALL + " // sa-lint: allow(SA101) " + reason))
        self.put("c.py", "def f(d, side):\n    d['%s\\x1b'].record_stream(side)\n" % EVIL)
        for output, text in self.in_formats(FORMATS, "--show-suppressed", "--report-all", ".")[0].items():
            with self.subTest(format=output):
                self.assertNotIn("\x1b", text)
                if output in ("text", "github", "rdjsonl", "gitlab", "lintrunner"):
                    self.assertNotIn("\u202e", text)
                for line in text.split("\n"):
                    if output != "github":
                        self.assertFalse(line.startswith("::"), line)
                if output == "rdjsonl":
                    self.assertNotIn("<img", text)
                if output == "github":
                    for line in text.splitlines():
                        self.assertRegex(line, r"^::(notice|warning|error) |^$|^[^:]")


class Links(PullRequest):
    """What links of the change lead to is neither told nor written."""

    def setUp(self):
        super().setUp()
        self.outside = os.path.join(os.path.dirname(self.directory), os.path.basename(self.directory) + "-outside")
        os.makedirs(self.outside)
        self.addCleanup(shutil.rmtree, self.outside)
        self.put("a.cpp", SITE)
        self.secret = self.put_outside("secret", "TOPSECRET\n" * 9)

    def put_outside(self, name, text):
        path = os.path.join(self.outside, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def assertKept(self, *args, **options):
        done = self.lint(*args, **options)
        self.assertNotIn("TOPSECRET", done.stdout + done.stderr)
        return done

    def test_headers(self):
        """Of a header that is really somewhere else not even a name comes into a report."""
        self.put_outside("token", "TOPSECRET\n")
        os.symlink(os.path.join(self.outside, "token"), self.path("token.h"))
        os.symlink(self.outside, self.path("folder"))
        for line in ('#include "token.h"', '#include "folder/token"', "#include <token.h>", "#define T <token.h>\n#include T"):
            with self.subTest(line=line):
                self.put("b.cpp", SITE.replace("void read_aside(", "void\n%s\n(" % line))
                for name, text in self.in_formats(FORMATS, "--root", ".", "--report-all", "--no-prefilter", "b.cpp")[0].items():
                    self.assertNotIn("TOPSECRET", text, name)

    def test_headers_with_a_cache(self):
        """The answer is kept, and asked again: where the header comes into the project, it is read."""
        os.symlink(self.secret, self.path("token.h"))
        self.put("b.cpp", '#include "token.h"\n' + SITE)
        args = ["--root", ".", "--timing", "--format", "json", "--cache-dir", ".cache", "b.cpp"]
        self.assertIn("1 kept", self.lint(*args, status=1).stderr)
        self.assertIn("1 units recalled", self.lint(*args, status=1).stderr)
        os.remove(self.path("token.h"))
        self.put("token.h", "#define read_aside another_name\n")
        report = json.loads(self.lint(*args, status=1).stdout)
        self.assertEqual([site["function"] for site in report["sites"]], ["another_name"])

    def test_lines_of_other_files(self):
        """A unit or a report may name any file; what stands there is shown only inside of the root."""
        os.symlink(self.secret, self.path("link"))
        unit = self.lint("--root", ".", "--dump", "ir", "a.cpp").stdout
        report = self.lint("--root", ".", "--format", "json", "a.cpp", status=1).stdout
        self.assertIn("a.cpp", unit)
        for name in ("../%s/secret" % os.path.basename(self.outside), self.secret, "link"):
            self.put("b.ir", unit.replace('"a.cpp"', '"%s"' % name))
            self.put("report.json", report.replace('"a.cpp"', '"%s"' % name))
            for output in FORMATS:
                with self.subTest(name=name, format=output):
                    self.assertKept("--root", ".", "--format", output, "b.ir")
                    self.assertKept("--root", ".", "merge", "--format", output, "report.json")

    def test_messages_about_broken_files(self):
        for name, args in (("compile_commands.json", ["-p", ".", "a.cpp"]), ("sa-lint.baseline", ["--baseline", "sa-lint.baseline", "."]),
                           ("report.json", ["merge", "report.json"]), ("b.ir", ["b.ir"]), ("b.ipynb", ["b.ipynb"]),
                           ("x.patch", ["--patch", "x.patch", "."]), ("s/x.sasum", ["--use-summary", "s", "a.cpp"])):
            with self.subTest(name=name):
                os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
                os.symlink(self.secret, self.path(name))
                self.assertKept("--root", ".", *args)

    def test_root(self):
        """A link inside does not make the directory that it leads to the root."""
        other = self.put_outside("x.cpp", SITE)
        self.put_outside(".sa-lint.yaml", "levels: {SA1: off}\n")
        os.symlink(other, self.path("link.cpp"))
        done = self.lint("--format", "json", "link.cpp", status=1)
        self.assertEqual([site["file"] for site in json.loads(done.stdout)["sites"]], ["link.cpp"])

    def test_what_is_written(self):
        """A report or a baseline goes where its name says, not where a link in the change says."""
        for name in ("secret", "target"):
            self.put_outside(name, "TOPSECRET\n")
        os.symlink(self.outside, self.path("folder"))
        os.symlink(os.path.join(self.outside, "target"), self.path("report"))
        os.symlink(os.path.join(self.outside, "not there"), self.path("dangling"))
        before = sorted(os.listdir(self.outside))
        for args in (["--format", "sarif=report"], ["-o", "report"], ["--format", "json=folder/new"], ["-o", self.path("report")], ["--write-baseline", "folder/new"], ["--emit-summary", "folder"], ["--emit-summary", "folder/new"], ["--emit-summary", self.path("folder/new/newer")]):
            with self.subTest(args=args):
                done = self.lint(*args, "a.cpp")
                self.assertIn("a link leads out of the working directory", done.stderr)
                self.assertEqual(sorted(os.listdir(self.outside)), before)
                with open(os.path.join(self.outside, "target"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "TOPSECRET\n")
        self.lint("-o", "report", "a.cpp", status=2)
        self.lint("-o", "dangling", "a.cpp", status=1)
        self.assertFalse(os.path.islink(self.path("dangling")))
        self.assertEqual(sorted(os.listdir(self.outside)), before)

    def test_directories_that_are_made(self):
        """Summaries and a cache likewise; a directory elsewhere that the arguments name is no matter of links."""
        os.symlink(self.outside, self.path("folder"))
        os.makedirs(self.path("real"))
        os.symlink("real", self.path("inside"))
        before = sorted(os.listdir(self.outside))
        done = self.lint("--emit-summary", "folder/new", "a.cpp", "--verbose", status=2)
        self.assertEqual(done.stderr.count("a link leads out of the working directory; name the place itself"), 1)
        for name in ("folder/c", "folder/c/d", "folder/../%s/c" % os.path.basename(self.outside), "none/../folder/c"):
            with self.subTest(name=name):
                done = self.lint("--timing", "--cache-dir", name, "a.cpp", status=1)
                self.assertIn("no cache is used: '%s' cannot be made: not written: a link leads out" % name, done.stderr)
                self.assertNotIn("recalled", done.stderr.replace("0 units recalled", ""))
                self.assertEqual(sorted(os.listdir(self.outside)), before)
        self.lint("--emit-summary", os.path.join(self.outside, "s"), "--cache-dir", "inside/c", "a.cpp", status=1)
        self.lint("--cache-dir", os.path.join(self.outside, "c"), "a.cpp", status=1)
        self.lint("--cache-dir", "inside/c", "a.cpp", status=1)
        self.assertEqual(sorted(os.listdir(self.outside)), sorted(before + ["c", "s"]))
        self.assertTrue(os.path.exists(self.path("real/c/secret")))


class Cache(PullRequest):
    def test_a_cache_that_the_change_brings(self):
        """git gives every file of a checkout to its owner, but for all to read; a cache's secret is not."""
        self.put("a.cpp", SITE)
        self.lint("--cache-dir", ".cache", "a.cpp", status=1)
        os.chmod(self.path(".cache/secret"), 0o644)
        done = self.lint("--timing", "--cache-dir", ".cache", "a.cpp", status=1)
        self.assertIn("no cache is used: '.cache' has a secret that others can read", done.stderr)
        os.chmod(self.path(".cache/secret"), 0o600)
        self.assertIn("1 units recalled", self.lint("--timing", "--cache-dir", ".cache", "a.cpp", status=1).stderr)


class Arguments(PullRequest):
    """Names of files come behind the arguments; hooks and shells do not look at them."""

    def setUp(self):
        super().setUp()
        self.put("a.cpp", SITE)
        library = self.evil_library("evil.c")
        os.makedirs(self.path("--libclang=."))
        shutil.copy(library, self.path("--libclang=./evil.c"))
        shutil.copy(library, self.path("--libc=.c"))
        self.put("@x.py", "")
        self.put("x.py", "--libclang=./evil.c\n")

    def test_names_that_are_options(self):
        for name in ("--libclang=./evil.c", "--libc=.c", "@x.py"):
            with self.subTest(name=name):
                for args in (["--quiet", "a.cpp", name], ["--quiet", name, "a.cpp"]):
                    done = self.lint(*args, status=2)
                    self.assertIn("this is also the name of a file; put -- before the paths", done.stderr)
                    self.assertNothingRan()
                self.lint("--quiet", "--", "a.cpp", name)
                self.assertNothingRan()

    def test_lists_of_names(self):
        """Only a "--" in the list itself makes its lines paths: one behind the list says nothing of them."""
        for name in ("--libclang=./evil.c", "--libc=.c"):
            self.put("list", "a.cpp\n%s\n" % name)
            for args in (["@list"], ["a.cpp", "@list"], ["@list", "--", "a.cpp"]):
                with self.subTest(name=name, args=args):
                    done = self.lint("--quiet", *args, status=2)
                    self.assertIn(name + ": this is also the name of a file; put -- before the paths", done.stderr)
                    self.assertNothingRan()
            self.put("list", "--quiet\r\n--\r\na.cpp\r\n%s\r\n" % name)
            self.lint("@list", status=1)
            self.put("list", "a.cpp\n%s\n--\n" % name)
            self.assertIn("this is also the name of a file", self.lint("@list", status=2).stderr)
            self.assertNothingRan()

    def test_paths_only_behind_a_list(self):
        """A list that ends the options ends them for what comes behind it."""
        self.put("list", "--\na.cpp\n")
        self.lint("--quiet", "@list", "--libclang=./evil.c", "@x.py", status=1)
        self.assertNothingRan()

    def test_links_that_are_options(self):
        os.symlink("nowhere", self.path("--quiet"))
        self.assertIn("--quiet: this is also", self.lint("--quiet", "a.cpp", status=2).stderr)
        self.lint("--quiet", "--", "a.cpp", status=1)


class Hidden(PullRequest):
    def test_a_byte_that_compilers_read_over(self):
        self.put("src/a.cpp", "// \0\n" + SITE)
        self.put("src/picture.h", "\0" * 100)
        done = self.lint("src", status=0)
        self.assertIn("src/a.cpp: warning: a binary file that names what is looked for; passed over", done.stderr)
        self.assertNotIn("picture.h", done.stderr)


class Names(PullRequest):
    """Each format on its own, with every name that could end a record, a command or an attribute."""

    NAMES = ["a\nb.cpp", "c\rd.cpp", "q\"'`.cpp", "\x1b[31mred.cpp", "::set-output name=x::y.cpp", "::error file=a::z.cpp",
             "##vso[task.setvariable variable=x]y.cpp", EVIL.replace("/", "") + ".cpp", "a,b:c%0A%25.cpp", "--help.cpp",
             "[link](javascript:alert(1)).cpp", "@user.cpp", "$(touch x).cpp", "a|b.cpp", "\u202ecod.cpp", "a\tb.cpp"]

    def setUp(self):
        super().setUp()
        for name in self.NAMES:
            self.put("src/" + name, SITE)

    said = None  # by the one run that all tests look at

    def output(self, name):
        if Names.said is None:
            Names.said, _ = self.in_formats(FORMATS, "src", status=1)
        for character in Names.said[name]:
            self.assertFalse(character != "\n" and (character < " " or "\x7f" <= character < "\xa0"), repr(character))
        return Names.said[name]

    def test_text(self):
        text = self.output("text")
        self.assertEqual(len(re.findall(r"(?m)^src/.*: warning: .*\[SA101\]$", text)), len(self.NAMES))
        self.assertFalse([line for line in text.split("\n") if line.startswith(("::", "##"))])

    def test_github(self):
        lines = [line for line in self.output("github").split("\n") if line.startswith("::")]
        self.assertEqual(len(lines), len(self.NAMES))
        for line in lines:
            self.assertRegex(line, r"^::warning file=src/[^:,]+,line=6,[\w,=]+,title=[^:,]+::")

    def test_json(self):
        report = json.loads(self.output("json"))
        self.assertEqual({site["file"] for site in report["sites"]}, {"src/" + name for name in self.NAMES})

    def test_sarif(self):
        results = json.loads(self.output("sarif"))["runs"][0]["results"]
        uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results}
        self.assertEqual(len(uris), len(self.NAMES))
        for uri in uris:
            self.assertRegex(uri, r"^src/[A-Za-z0-9._~+,=@%-]+$")

    def test_line_formats(self):
        for name in ("lintrunner", "rdjsonl"):
            lines = self.output(name).splitlines()
            self.assertEqual(len(lines), len(self.NAMES))
            for line in lines:
                json.loads(line)

    def test_gitlab(self):
        self.assertEqual(len(json.loads(self.output("gitlab"))), len(self.NAMES))


class Configuration(PullRequest):
    def test_keys_that_would_run_or_write(self):
        self.put("a.cpp", SITE)
        self.evil_library("libclang.so")
        for key in ("libclang: ./libclang.so", "rules: ./rules", "output: /tmp/x", "cache_dir: /tmp", "plugins: [./evil.so]",
                    "extra_args: [-fplugin=./libclang.so]", "database: ../../x", "root: /", "format: [sarif=/tmp/x]", "include: [/etc]"):
            with self.subTest(key=key):
                self.put(".sa-lint.yaml", key + "\n")
                self.assertIn("unknown key", self.lint("a.cpp", status=2).stderr)
                self.assertNothingRan()

    def test_tags(self):
        self.put("a.cpp", SITE)
        for text in ("!!python/object/apply:os.system ['touch x']\n", "exclude: !!python/name:os.system x\n",
                     "exclude: [!include /etc/passwd]\n"):
            self.put(".sa-lint.yaml", text)
            done = self.lint("a.cpp")
            self.assertNotIn("root:", done.stdout + done.stderr)
            self.assertNothingRan()

    def test_configuration_of_the_parent_is_not_read(self):
        """Only from the working directory up to the root of the project."""
        self.put(".sa-lint.yaml", "no such key: 1\n")
        self.put("project/.git/HEAD", "ref: refs/heads/main\n")
        self.put("project/a.cpp", SITE)
        self.lint("a.cpp", status=1, cwd=self.path("project"))

    def test_defines_cannot_be_flags(self):
        library = self.evil_library("evil.so")
        self.put("a.cpp", SITE)
        for define in ("X -fplugin=" + library, "-fplugin=" + library, "X\n-fplugin=" + library):
            self.put(".sa-lint.yaml", "defines: [%s]\n" % json.dumps(define))
            self.lint("a.cpp")
            self.assertNothingRan()

    def test_library_in_the_work_tree_is_not_loaded(self):
        self.put("a.cpp", SITE)
        for name in ("libclang.so", "libclang.so.1", "libclang-19.so.1", "lib/libclang.so"):
            self.evil_library(name)
        self.lint("a.cpp", status=1)
        self.lint("doctor", status=0)
        self.assertNothingRan()


class Git(PullRequest):
    """A work tree whose own git configuration and attributes name programs."""

    def setUp(self):
        super().setUp()
        self.put("a.cpp", SITE)
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        self.put("a.cpp", SITE + "int more;\n")
        self.put("b.cpp", SITE)
        self.git("add", ".")
        program = self.evil_program("evil")
        self.put(".gitattributes", "*.cpp diff=evil filter=evil merge=evil\n")
        for key in ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "diff.external",
                    "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process",
                    "pager.diff", "alias.diff", "gpg.program", "credential.helper", "core.gitProxy", "uploadpack.packObjectsHook"):
            self.git("config", key, "!" + program if key == "alias.diff" else program)
        self.put("hooks/x", "")
        for hook in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman", "reference-transaction"):
            shutil.copy(program, self.path("hooks/" + hook))
        self.git("config", "core.hooksPath", self.path("hooks"))
        if os.path.exists(self.trace):
            os.remove(self.trace)

    def git(self, *args):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *args], cwd=self.directory, check=True,
                       capture_output=True)

    def test_provenance_runs_no_git(self):
        self.put("bin/git", '#!/bin/sh\ntouch "%s"\n' % self.trace)
        os.chmod(self.path("bin/git"), 0o755)
        self.git("config", "remote.origin.url", "https://example.com/x.git")
        if os.path.exists(self.trace):
            os.remove(self.trace)
        done = self.lint("--format", "sarif", "a.cpp", env=dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"]))
        run_ = json.loads(done.stdout)["runs"][0]
        self.assertEqual(run_["versionControlProvenance"][0]["branch"], "main")
        self.assertNothingRan()

    def test_provenance_of_odd_repositories(self):
        """What .git says is taken as text of a certain shape, or not at all."""
        shutil.rmtree(self.path(".git"))
        commit = "0" * 39 + "a"
        secret = self.put("secret", "ref: refs/heads/TOPSECRET\n")
        for files in ({"HEAD": "x\n"}, {"HEAD": "ref: ../../secret\n"}, {"HEAD": "ref: refs/heads/../../../secret\n"},
                      {"HEAD": "ref: HEAD\n"}, {"HEAD": "ref: refs/heads/a\n", "refs/heads/a": "ref: refs/heads/a\n"},
                      {"HEAD": commit + "\n", "config": '[remote "origin"]\n\turl = %s\n' % EVIL},
                      {"HEAD": commit + "\n", "config": '[remote "origin"]\n\turl = javascript://x/y\n'},
                      {"HEAD": commit + "\n", "config": '[remote "origin"]\n\turl = https://\n'},
                      {"HEAD": "\0" * 100}, {"HEAD": "ref: refs/heads/" + "a" * 100000 + "\n"}):
            for name, text in {"config": '[remote "origin"]\n\turl = https://example.com/x\n', **files}.items():
                self.put(".git/" + name, text)
            text = self.lint("--root", ".", "--format", "sarif", "a.cpp").stdout
            self.assertNotIn("versionControlProvenance", text, files)
            self.assertNotIn("TOPSECRET", text)
            shutil.rmtree(self.path(".git"))
        for link in ("gitdir: /dev/zero", "gitdir: " + secret, "gitdir: .git", "x", ""):
            self.put(".git", link + "\n")
            self.assertNotIn("versionControlProvenance", self.lint("--root", ".", "--format", "sarif", "a.cpp").stdout)
            os.remove(self.path(".git"))

    def test_changed_lines(self):
        for args in (["--staged"], ["--diff-base", "HEAD"], ["--diff-base", "main"]):
            with self.subTest(args=args):
                done = self.lint("--format", "json", *args, ".")
                self.assertEqual({finding["file"] for finding in json.loads(done.stdout)["findings"]}, {"b.cpp"}, done.stderr)
                self.assertNothingRan()

    def test_nothing_is_fetched(self):
        """The settings of a repository cannot allow a protocol again, and so name a program."""
        self.put("bin/git", '#!/bin/sh\necho "allowed: [${GIT_ALLOW_PROTOCOL-any}]" >&2\nexit 1\n')
        os.chmod(self.path("bin/git"), 0o755)
        done = self.lint("--staged", ".", status=2, env=dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"]))
        self.assertIn("allowed: []", done.stderr)

    def test_revisions_cannot_be_options(self):
        for revision in ("--output=x", "-O/etc/passwd", "--ext-diff", "--upload-pack=./evil", "HEAD;touch x", "$(touch x)", ""):
            with self.subTest(revision=revision):
                before = self.all_files()
                self.lint("--diff-base=" + revision, ".", status=2)
                self.assertEqual(self.all_files(), before)
                self.assertNothingRan()


if __name__ == "__main__":
    if run.PROGRAM is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
