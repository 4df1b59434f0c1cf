#!/usr/bin/env python3
"""Input made to break the program. Usage: hostile.py PROGRAM [unittest options].

Every run ends in bounded time with a known status, what could not be analysed is said, and nothing of
the input steers the terminal or the log that it is shown in.
"""
import json
import os
import random
import sys
import time
import unittest

import run
from run import Case, SITE, TOP

HEAD = SITE[:SITE.index("void read_aside")]
FUNCTION = SITE[SITE.index("void read_aside"):]
NAMES = ["a\nb.cpp", "q\"'.cpp", "\x1b[31mred.cpp", "::set-output name=x::y.cpp", "::error::z.cpp", "##[error]w.cpp",
         "a%0Ab.cpp", "-j.cpp", "tab\t.cpp", "\x9b31m.cpp", "\u202ereversed.cpp"]


class Hostile(Case):
    def assertHarmless(self, text):
        for character in text:
            self.assertTrue(character == "\n" or (character >= " " and not "\x7f" <= character < "\xa0"
                                                  and character not in "\u202e\u2066"), repr(text))

    def account(self, report):
        """Every site that was not analysed says why."""
        for site in report["sites"]:
            self.assertTrue(site["analysed"] or site["reason"], site)
        return report["sites"]


class Names(Hostile):
    def setUp(self):
        super().setUp()
        for name in NAMES:
            self.put(name, SITE)

    def test_text(self):
        done = self.lint(".")
        self.assertEqual(done.stdout.count("[SA101]"), len(NAMES))
        self.assertHarmless(done.stdout + done.stderr)
        for line in done.stdout.split("\n"):
            self.assertFalse(line.lstrip().startswith(("::", "##[")), line)

    def test_github(self):
        done = self.lint("--format", "github", ".")
        self.assertEqual(len(done.stdout.split("\n")), len(NAMES) + 1)
        self.assertNotIn("\x1b", done.stdout)
        for line in done.stdout.split("\n")[:-1]:
            self.assertRegex(line, r"^::(notice|warning|error) file=[^:,]+,line=\d+,")

    def test_json_and_sarif_keep_the_names(self):
        report = json.loads(self.lint("--format", "json", ".").stdout)
        self.assertEqual({site["file"] for site in report["sites"]}, set(NAMES))
        json.loads(self.lint("--format", "sarif", ".").stdout)

    def test_list_files_and_messages(self):
        self.assertHarmless(self.lint("--list-files", ".", status=0).stdout)
        for name in NAMES:
            self.put(name, b"\0" * 10, "wb")
        done = self.lint("--", *NAMES, status=3)
        self.assertHarmless(done.stderr)
        self.assertEqual(done.stderr.count("is a binary file"), len(NAMES))
        for line in done.stderr.split("\n"):
            self.assertFalse(line.startswith(("::", "##[")), line)

    def test_source_lines(self):
        self.put("only/a.cpp", SITE.replace("(side);\n", "(side); // \x1b[31m\x07\x9b\u202e ::error::x\n"))
        self.assertHarmless(self.lint("only").stdout)

    def test_database(self):
        self.put("only/a.cpp", SITE)
        entry = {"directory": "\x1b[31m\n::error::x", "file": "a.cpp", "command": "\x1b[31m -fplugin=\x1b[31m\n::error::y"}
        self.put("only/compile_commands.json", json.dumps([entry]))
        self.assertHarmless(self.lint("-p", "only", "only").stderr)


class Includes(Hostile):
    def test_pipes_and_devices(self):
        os.mkfifo(self.path("pipe.h"))
        os.symlink("/dev/zero", self.path("zero.h"))
        os.symlink("/etc", self.path("outside"))
        up = "../" * 20
        heads = ["pipe.h", "zero.h", "/dev/zero", up + "dev/zero", "outside/passwd", self.path("pipe.h")]
        text = "".join(f'#include "{head}"\n' for head in heads) + "#include </dev/zero>\n"
        self.put("a.cpp", text + SITE)
        self.one_site("--root", ".", "a.cpp", line=6 + len(heads) + 1)

    def test_pipes_and_devices_as_sources(self):
        os.mkfifo(self.path("pipe.cpp"))
        os.symlink("/dev/zero", self.path("zero.cpp"))
        self.put("a.cpp", SITE)
        self.one_site(".")
        for name in ("pipe.cpp", "zero.cpp"):
            self.assertIn("is not a regular file", self.lint(name, status=3).stderr)

    def test_names_that_only_the_preprocessor_makes(self):
        """Every way to spell a directive opens no device and no pipe, and costs no time."""
        os.mkfifo(self.path("pipe.h"))
        os.symlink("/dev/zero", self.path("zero.h"))
        targets = ["/dev/zero", "zero.h", "pipe.h", self.path("pipe.h"), "/proc/self/mem"]
        ways = []
        for target in targets:
            ways += [f'#define A{len(ways)} "{target}"\n#include A{len(ways)}\n',
                     f'#define I{len(ways)}(x) <x>\n#include I{len(ways)}({target})\n',
                     f'#define S{len(ways)}(x) #x\n#include S{len(ways)}({target})\n',
                     f'#/**/include "{target}"\n', f'%:include "{target}"\n', f'#inc\\\nlude "{target}"\n',
                     f'# /*\n*/ include "{target}"\n', f'#include_next "{target}"\n', f'#import "{target}"\n',
                     f'#if __has_include("{target}")\nint there{len(ways)}[-1];\n#endif\n',
                     f'char e{len(ways)}[] = {{\n#embed "{target}" limit(100000000)\n}};\n']
        start = time.time()
        for name, text in (("a.cpp", "".join(ways) + SITE), ("b.cpp", '#include "ways.h"\n' + SITE)):
            self.put("ways.h", "".join(ways))
            self.put(name, text)
            line = 6 + text.count("\n") - SITE.count("\n")
            report = self.one_site("--root", ".", "--timeout", "20", name, line=line)
            self.assertTrue(report["sites"][0]["analysed"], report["sites"])
        self.assertLess(time.time() - start, 20)

    def test_name_in_a_macro(self):
        """What a macro names is read where it is a header of the project."""
        self.put("deep/types.h", '#include <ATen/ATen.h>\nusing tensor = at::Tensor;\n')
        self.put("sub/a.cpp", "#define TYPES <types.h>\n#include TYPES\n" +
                 SITE.replace("const at::Tensor &t", "const tensor &t"))
        report = self.one_site("--root", ".", "sub", line=8)
        self.assertEqual(report["sites"][0]["analysed"], True)
        self.assertEqual(report["sites"][0]["category"], "avoidable")

    def test_itself(self):
        self.put("a.cpp", '#include "a.cpp"\n' + SITE)
        self.assertEqual(len(self.account(self.sites("a.cpp")[0])), 1)

    def test_many_that_include_each_other(self):
        for i in range(300):
            self.put(f"h{i}.h", f'#include "h{i + 1}.h"\n#include "h{i * 7 % 300}.h"\n')
        self.put("a.cpp", '#include "h0.h"\n' + SITE)
        self.assertEqual(len(self.account(self.sites("a.cpp")[0])), 1)


class Limits(Hostile):
    def test_time(self):
        macros = "#define A0 x,x\n" + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, 60))
        self.put("a.cpp", SITE + macros + "int x; void f() { g(A59); }\n")
        self.put("b.cpp", SITE)
        start = time.time()
        done = self.lint("--timeout", "3", "--memory", "4096", "--format", "json", "a.cpp", "b.cpp", status=1)
        self.assertLess(time.time() - start, 120)
        report = json.loads(done.stdout)
        self.account(report)
        self.assertEqual([site["analysed"] for site in report["sites"]], [False, True])
        self.assertIn("--timeout", report["sites"][0]["reason"])
        self.assertIn("a.cpp: error: the analysis of this file took longer", done.stderr)
        self.assertIn("took longer", self.lint("--timeout", "1", "--memory", "4096", "a.cpp", status=3).stderr)

    def test_memory(self):
        with open(run.PROGRAM, "rb") as program:
            if b"__asan_init" in program.read():
                self.skipTest("a sanitized program has no limit of memory, so the parse would take gigabytes")
        self.put("a.cpp", SITE + "template <class T, T... I> struct S {};\n"
                 "__make_integer_seq<S, int, 200000000> m;\n")
        self.put("b.cpp", SITE)
        report, sites = self.sites("-j1", "--memory", "300", "a.cpp", "b.cpp")
        self.assertEqual([site["analysed"] for site in self.account(report)], [False, True])
        self.assertIn("--memory", sites[0]["reason"])

    def test_memory_of_python(self):
        with open(run.PROGRAM, "rb") as program:
            if b"__asan_init" in program.read():
                self.skipTest("a sanitized program has no limit of memory")
        self.put("a.py", "def f(t, side):\n    t.record_stream(side)\n" + "(" * 4000000)
        done = self.lint("--memory", "100", "a.py", status=3)
        self.assertIn("a.py: error: the analysis of this file needs more memory than the limit of 100 MiB", done.stderr)

    def test_errors_in_a_row(self):
        """After each error the parser copies what it has skipped since the first: a long run would take minutes."""
        call = "def f(t, side):\n    t.record_stream(side)\n"
        for text in ("1a2b ", "class:\n"):
            with self.subTest(text):
                self.put("few.py", call + text * 1000)
                self.put("many.py", call + text * 200000)
                report, sites = self.sites("--timeout", "100", "few.py", "many.py")
                self.assertEqual([(site["analysed"], site.get("reason")) for site in self.account(report)],
                                 [(True, None), (False, "the file could not be parsed")])
                said = [note["text"] for note in report["notifications"] if note["file"] == "many.py"]
                self.assertEqual(said, ["the Python parser gave no tree for this file: it has too many syntax errors in a row"])

    def test_classes_of_classes(self):
        """Each of forty Python classes derives from all others, and none has the method that is called."""
        names = [f"C{i}" for i in range(40)]
        text = "".join(f"class {name}({', '.join(other for other in names if other != name)}):\n    pass\n" for name in names)
        self.put("a.py", text + "def f(t, side):\n    c = C0()\n    c.go(t, c.field)\n    t.record_stream(side)\n")
        report, sites = self.sites("--timeout", "20", "a.py")
        self.assertEqual([site["analysed"] for site in self.account(report)], [True])

    def test_hierarchies(self):
        """Ten classes a level, each with all ten of the next as bases: 10^8 ways up."""
        bases = ["".join(f' base "A{level + 1}_{i}"' for i in range(10)) for level in range(9)] + [""]
        classes = [f'class "A{level}_{i}"{bases[level]}' for level in range(10) for i in range(10)]
        self.put("a.ir", "\n".join(['unit "a.cpp" cpp', 'file 0 "a.cpp"', *classes, """\
func 0 "A0_0::f" class "A0_0" method returns void "void" @1:1-3:2
  this %1 "this": object "A0_0" ref
  param %2 "t": tensor "at::Tensor" ref const @1:1-1:2
  param %3 "side": stream "c10::cuda::CUDAStream" @1:1-1:2
  block 0:
    record %2 %3 "at::Tensor::record_stream" site 0 @2:1-2:9
    return
site 0 call "at::Tensor::record_stream" func 0 @2:1-2:9
"""]))
        self.assertIn("site ", self.lint("--dump", "facts", "a.ir", timeout=100).stdout)

    def test_places_in_files_that_are_not_there(self):
        self.put("a.ir", 'unit "a.cpp" cpp\nfile 0 "a.cpp"\ntoken text why "a" @f9:1:1-1:2\n')
        self.assertEqual(self.lint("--dump", "tokens", "a.ir").stdout, "a.cpp:1:1: text: a\n")

    def test_deep_conditionals(self):
        call = "  t.record_stream(side);\n"
        opened = "".join(f"#ifdef A{i}\n" for i in range(70))
        self.put("a.cpp", SITE.replace(call, opened + "#endif\n" * 10 + call + "#endif\n" * 60))
        self.assertEqual([site["analysed"] for site in self.account(self.sites("a.cpp")[0])], [True])

    def test_more_than_can_be_listed(self):
        """A file that ends its worker, with more calls and comments than the run has time to list: the next one counts."""
        call = "  t.record_stream(side); // sa-lint: allow(SA101) x\n"
        self.put("a.cpp", "#pragma clang __debug crash\n" + SITE.replace("  t.record_stream(side);\n", call * 60000))
        self.put("b.cpp", SITE)
        start = time.time()
        done = self.lint("--timeout", "10", "--format", "json", "a.cpp", "b.cpp", status=1)
        self.assertLess(time.time() - start, 120)
        report = json.loads(done.stdout)
        self.assertEqual([site["file"] for site in report["sites"]], ["b.cpp"])
        self.assertEqual(report["summary"]["filesFailed"], 1)
        self.assertIn("a.cpp: error: the list of its calls took longer than --timeout allows", done.stderr)

    def test_crash_of_the_library(self):
        self.put("a.cpp", "#pragma clang __debug crash\n" + SITE)
        self.put("b.cpp", SITE)
        report, sites = self.sites("--timeout", "100", "a.cpp", "b.cpp")
        self.assertEqual([site["analysed"] for site in self.account(report)], [False, True])
        self.assertEqual(report["summary"]["filesFailed"], 1)

    def test_large_sources(self):
        call = "  t.record_stream(side);\n"
        body = {
            "functions": HEAD + "".join(FUNCTION.replace("read_aside", f"f{i}") for i in range(2000)),
            "lines": SITE.replace(call, "".join(f"  int v{i} = {i};\n" for i in range(100000)) + call),
            "lambdas": SITE.replace(call, "[&] {" * 300 + call + "}();" * 300),
            "chain": SITE.replace(call, "auto u = t" + ".add(1)" * 3000 + ";" + call),
            "branches": SITE.replace(call, "".join(f"  if (n == {i}) {{ {call} }}\n" for i in range(2000))),
            "conditionals": SITE.replace(call, "".join(f"#ifdef A{i}\n{call}#else\n{call}#endif\n" for i in range(500))),
            "elifs": SITE.replace(call, "#if 0\n" + "".join(f"#elif A{i}\n{call}" for i in range(500)) + "#endif\n"),
            "depth": SITE.replace(call, "#if 1\n" * 2000 + call + "#endif\n" * 2000),
            "comments": "//\n" * 200000 + "// sa-lint: allow(SA101) x\n" * 100000 + "//\n" * 200000 + SITE,
            "macros": HEAD + "".join(f"#define M{i}(t, s) t.record_stream(s)\n" for i in range(1500)),
            "templates": SITE + "template <int N> struct F { static constexpr int v = F<N - 1>::v + F<N + 1>::v; };\n"
                                "int z = F<9>::v;\n",
            "constant": SITE + "constexpr int f() { int s = 0; for (long i = 0; i < 1L << 50; i++) s += i & 1;\n"
                               "  return s; }\nint a[f()];\n",
        }
        for name, text in body.items():
            with self.subTest(name):
                self.put(name + ".cpp", text)
                report, sites = self.sites("--timeout", "250", name + ".cpp")
                self.assertEqual(report["summary"]["filesFailed"], 0)
                tokens = text.count("record_stream(")
                self.assertTrue(0 < len(self.account(report)) <= tokens, (len(sites), tokens))


class Broken(Hostile):
    """Real sources, cut and changed: a file may lose its sites, never the run."""

    def sources(self):
        cases = os.path.join(TOP, "fixtures", "cases")
        paths = sorted(os.path.join(directory, name) for directory, _, names in os.walk(cases) for name in names
                       if name.endswith((".cpp", ".cu", ".c")))
        self.assertTrue(paths)
        for path in paths:
            with open(path, "rb") as file:
                yield os.path.splitext(path)[1], file.read()

    def lint_all(self):
        report = json.loads(self.lint("--no-prefilter", "--format", "json", ".").stdout)
        self.account(report)
        for note in report["notifications"]:
            self.assertNotIn("the analysis", note["text"])

    def test_cut(self):
        extension, text = max(self.sources(), key=lambda source: len(source[1]))
        for i in range(1, 20):
            self.put(f"cut{i}{extension}", text[:len(text) * i // 20], "wb")
        self.lint_all()

    def test_changed(self):
        chance = random.Random(20)
        sources = list(self.sources())
        for i in range(40):
            extension, text = sources[i * len(sources) // 40]
            text = bytearray(text)
            for _ in range(chance.choice([1, 5, 30])):
                at = chance.randrange(len(text))
                text[at] = chance.choice([text[at] ^ 1 << chance.randrange(8), *b"(){}<>;\"'/*\\#,:&[]\n"])
            self.put(f"changed{i}{extension}", bytes(text), "wb")
        self.lint_all()


class Configuration(Hostile):
    def refused(self, text, what):
        self.put("a.cpp", SITE)
        self.put(".sa-lint.yaml", text)
        done = self.lint("a.cpp", status=2)
        self.assertIn(what, done.stderr)
        self.assertHarmless(done.stderr)

    def test_aliases(self):
        rows = ["a: &a [x,x,x,x,x,x,x,x,x]"]
        rows += [f"{name}: &{name} [{','.join(['*' + before] * 9)}]" for before, name in zip("abcdefgh", "bcdefghi")]
        self.refused("\n".join(rows) + "\n", ".sa-lint.yaml:1:4: error: anchors")

    def test_alias_of_itself(self):
        self.refused("exclude: &a [*a]\n", "anchors")

    def test_depth(self):
        self.refused("exclude: " + "[" * 100000, "nesting is deeper")
        self.refused("{a: " * 50000, "nesting is deeper")

    def test_size(self):
        self.refused("exclude:\n" + "  - a*b\n" * 500000, "too large")

    def test_controls(self):
        self.refused('"\\e[31mred\\n::error::x": 2\n', "unknown key")

    def test_device(self):
        self.put("a.cpp", SITE)
        os.symlink("/dev/zero", self.path(".sa-lint.yaml"))
        self.assertIn("a link that leads out of the project", self.lint("a.cpp", status=2).stderr)
        done = self.lint("a.cpp", "--config", "/dev/zero", status=2)
        self.assertIn("not a regular file", done.stderr)

    def test_pipe(self):
        self.put("a.cpp", SITE)
        os.mkfifo(self.path(".sa-lint.yaml"))
        self.assertIn("not a regular file", self.lint("a.cpp", status=2).stderr)

    def test_patterns_that_match_slowly(self):
        self.put("a" * 200 + ".cpp", SITE)
        self.put(".sa-lint.yaml", 'exclude:\n  - "' + "*a" * 60 + '*b"\n  - "' + "**/a" * 60 + '**/b"\n')
        self.assertEqual(len(self.sites(".")[1]), 1)

    def test_response_files(self):
        os.mkfifo(self.path("pipe"))
        for name in ("pipe", "/dev/zero", "nowhere"):
            self.lint("@" + name, status=2)
        self.put("circle", "@circle\n")
        self.lint("@circle", status=2)

    def test_deep_database(self):
        self.put("a.cpp", SITE)
        self.put("compile_commands.json", "[" * 200000)
        self.assertIn("not valid JSON", self.lint("-p", ".", "a.cpp", status=2).stderr)


if __name__ == "__main__":
    if run.PROGRAM is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
