#!/usr/bin/env python3
"""Runs the program as a user would, on bad input most of all. Usage: run.py PROGRAM [unittest options].

Everything is made at test time in a directory of its own. Each run has a time limit, and a status
other than 0 to 3 (a signal, a sanitizer's report) fails the test whatever it is about.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SITE = """#include <c10/cuda/CUDAStream.h>
#include <ATen/ATen.h>
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  c10::cuda::CUDAStreamGuard guard(side);
  out.copy_(t, true);
  t.record_stream(side);
}
"""

# The same call, with classes of its own in place of model headers: much less to read.
LIGHT_SITE = """namespace c10::cuda { class CUDAStream {}; }
namespace at {
class Tensor {
 public:
  void record_stream(c10::cuda::CUDAStream stream) const;
  Tensor &copy_(const Tensor &from, bool later);
};
}
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  out.copy_(t, true);
  t.record_stream(side);
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="sa-cli-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def put(self, name, text, mode="w", **options):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if mode == "w":
            options.setdefault("encoding", "utf-8")
            options.setdefault("newline", "")
        with open(path, mode, **options) as file:
            file.write(text)
        return path

    def lint(self, *args, status=None, cwd=None, timeout=300, **options):
        """Runs the program; the result has text in stdout and stderr."""
        options.setdefault("stdout", subprocess.PIPE)
        done = subprocess.run([PROGRAM, *args], cwd=cwd or self.directory, timeout=timeout,
                              stderr=subprocess.PIPE, **options)
        done.stdout = (done.stdout or b"").decode("utf-8")
        done.stderr = done.stderr.decode("utf-8", "replace")
        self.assertIn(done.returncode, (0, 1, 2, 3), done.stderr)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def in_formats(self, formats, *args, **options):
        """({format: its report}, the run) of one run that writes them all, the first to standard output."""
        with tempfile.TemporaryDirectory(prefix="sa-formats-") as folder:
            paths = {name: os.path.join(folder, name) for name in formats[1:]}
            others = [word for name, path in paths.items() for word in ("--format", name + "=" + path)]
            done = self.lint("--format", formats[0], *others, *args, **options)
            said = {formats[0]: done.stdout}
            for name, path in paths.items():
                with open(path, "rb") as file:
                    said[name] = file.read().decode("utf-8")
        return said, done

    def sites(self, *args, **options):
        """The report of a run and its sites."""
        done = self.lint("--format", "json", "--report-all", *args, **options)
        report = json.loads(done.stdout)
        return report, report["sites"]

    def one_site(self, *args, line=6, **options):
        report, sites = self.sites(*args, **options)
        self.assertEqual([site["line"] for site in sites], [line], report["notifications"])
        return report


class Usage(Case):
    def test_no_paths(self):
        self.assertIn("no paths", self.lint(status=2).stderr)

    def test_missing_file(self):
        done = self.lint("no-such-file.cpp", status=2)
        self.assertIn("no-such-file.cpp: error: no such file", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_unknown_option(self):
        self.assertIn("--no-such", self.lint("--no-such", ".", status=2).stderr)

    def test_help_and_version(self):
        self.assertIn("--format", self.lint("--help", status=0).stdout)
        self.assertRegex(self.lint("--version", status=0).stdout, r"^sa-lint \d+\.\d+\.\d+ \(libclang \d+")

    def test_rules(self):
        self.assertIn("SA101", self.lint("rules", status=0).stdout)
        rules = json.loads(self.lint("rules", "--format", "json", status=0).stdout)
        self.assertEqual([rule["id"] for rule in rules], sorted(rule["id"] for rule in rules))
        self.assertIn("SA101", self.lint("explain", "SA101", status=0).stdout)
        self.assertIn("SA999", self.lint("explain", "SA999", status=2).stderr)

    def test_explain_a_line(self):
        self.put("a.cpp", SITE)
        told = self.lint("explain", "a.cpp:6", status=0).stdout
        for heading in ("Verdict", "Streams, time downwards", "Facts", "What shows it", "Assumed", "Missing"):
            self.assertIn("\n" + heading, told)
        self.assertRegex(told, r"\n> +6  .*R record_stream of t\n")
        self.assertTrue(told.isascii())
        self.assertLessEqual(max(map(len, told.split("\n"))), 100)
        self.assertEqual(told, self.lint("explain", "a.cpp:6:3", status=0).stdout)
        self.assertEqual(told, self.lint("explain", "-j", "0", "a.cpp:6", status=0).stdout)
        self.assertNotIn("\033", told)
        self.assertIn("\033", self.lint("explain", "--color", "always", "a.cpp:6", status=0).stdout)

    def test_explain_a_line_with_nothing_on_it(self):
        self.put("a.cpp", SITE + SITE.replace("read_aside", "again"))
        stderr = self.lint("explain", "a.cpp:1", status=2).stderr
        self.assertIn("a.cpp:1: error: nothing on this line to explain; there is something on: 6, 13\n", stderr)
        self.lint("explain", "a.cpp:4000000", status=2)
        self.put("b.cpp", "int nothing;\n")
        self.assertIn("b.cpp: error: nothing in this file to explain",
                      self.lint("explain", "b.cpp:1", status=2).stderr)

    def test_explain_bad_places(self):
        self.put("a.cpp", SITE)
        self.put("dir/b.cpp", SITE)
        for place, why in (("a.cpp:0", "lines count from 1"), ("a.cpp:99999999999999999999", "lines count from 1"),
                           ("dir:3", "that is a directory"), ("none.cpp:3", "none.cpp"), ("a.cpp:", "there is no rule"),
                           ("a.cpp", "there is no rule"), (":3", "there is no rule"), ("a.cpp:x", "there is no rule"),
                           ("a.cpp:-1", "there is no rule"), ("", "there is no rule"), ("a.cpp:6:", "there is no rule")):
            self.assertIn(why, self.lint("explain", place, status=2).stderr, place)
        self.assertIn("which rule", self.lint("explain", status=2).stderr)
        self.assertIn("one place at a time", self.lint("explain", "a.cpp:6", "a.cpp:7", status=2).stderr)
        self.assertIn("as text", self.lint("explain", "-f", "json", "a.cpp:6", status=2).stderr)

    def test_explain_in_a_file_that_cannot_be_read(self):
        self.put("bad.cpp", b"\x7fELF\0\0record_stream\0", "wb")
        self.assertIn("binary", self.lint("explain", "bad.cpp:1", status=3).stderr)

    def test_explain_many_streams_and_wide_names(self):
        streams = ["s%d" % i + "\u6d41" * 20 for i in range(9)]
        text = "#include <ATen/ATen.h>\n#include <c10/cuda/CUDAGuard.h>\nvoid f(at::Tensor &out) {\n  at::Tensor t = at::ones({4});\n"
        for name in streams:
            text += "  { auto %s = c10::cuda::getStreamFromPool(); c10::cuda::CUDAStreamGuard g(%s); out.copy_(t); t.record_stream(%s); }\n" % ((name,) * 3)
        self.put("a.cpp", text + "}\n")
        told = self.lint("explain", "a.cpp:6", status=0).stdout
        table = told.split("Streams, time downwards\n")[1].split("\n\n")[0]
        self.assertTrue(table.isascii())
        self.assertLessEqual(max(map(len, table.split("\n"))), 100)
        self.assertIn("more happens here than is shown", table)

    def test_unknown_rule(self):
        self.put("a.cpp", SITE)
        self.assertIn("SA999", self.lint("--select", "SA999", "a.cpp", status=2).stderr)

    def test_arguments_from_a_file(self):
        self.put("a.cpp", SITE)
        self.put("list", "--format\njson\na.cpp\n")
        self.assertEqual(len(json.loads(self.lint("@list").stdout)["sites"]), 1)

    def test_list_files(self):
        self.put("a/b.cpp", SITE)
        self.put("c.cpp", "int nothing;\n")
        self.assertEqual(self.lint("--list-files", ".", status=0).stdout, "a/b.cpp\n")

    def test_statistics_and_timing_go_to_stderr(self):
        self.put("a.cpp", SITE)
        done = self.lint("--format", "json", "--statistics", "--timing", "a.cpp")
        json.loads(done.stdout)
        self.assertIn("sites in 1 files", done.stderr)
        self.assertIn("timing:", done.stderr)


class Selection(Case):
    def test_directory_without_sources(self):
        self.put("empty/notes.txt", "record_stream")
        done = self.lint("empty", status=0)
        self.assertEqual(done.stdout + done.stderr, "")

    def test_file_that_is_no_source(self):
        self.put("notes.txt", "record_stream")
        self.assertIn("notes.txt", self.lint("notes.txt", status=0).stderr)

    def test_directory_in_place_of_a_file(self):
        os.makedirs(self.path("trap.cpp"))
        self.put("a.cpp", SITE)
        self.one_site(".")

    def test_excluded_file_given_by_name(self):
        self.put("a.cpp", SITE)
        self.put(".sa-lint.yaml", "exclude: ['*.cpp']\n")
        self.assertEqual(self.sites("a.cpp", status=0)[1], [])

    def test_symlink_loops(self):
        self.put("d/a.cpp", SITE)
        os.symlink("..", self.path("d/up"))
        os.symlink("loop.cpp", self.path("d/loop.cpp"))
        os.symlink("a.cpp", self.path("d/same.cpp"))
        report = self.one_site("d", "d/same.cpp", "d/up/d")
        self.assertEqual(report["sites"][0]["file"], "d/a.cpp")

    def test_named_symlink_loop(self):
        os.symlink("loop.cpp", self.path("loop.cpp"))
        self.assertIn("loop.cpp", self.lint("loop.cpp", status=2).stderr)

    def test_spaces_and_other_letters(self):
        self.put("a b/ñ é 流.cpp", SITE)
        report = self.one_site("a b")
        self.assertEqual(report["sites"][0]["file"], "a b/ñ é 流.cpp")
        self.lint("--format", "sarif", "a b")
        self.lint("--format", "text", "a b/ñ é 流.cpp")

    def test_name_that_is_not_utf8(self):
        with open(os.path.join(os.fsencode(self.directory), b"x\xff.cpp"), "w", encoding="utf-8") as file:
            file.write(SITE)
        self.one_site(".")
        json.loads(self.lint("--format", "sarif", ".").stdout)

    def test_order_of_arguments_and_workers_do_not_matter(self):
        names = ["f%d.cpp" % i for i in range(6)]
        for i, name in enumerate(names):
            self.put(name, "\n" * i + (SITE if i < 2 else LIGHT_SITE))
        formats = ("json", "text", "sarif")
        runs = [self.in_formats(formats, "-j", jobs, *order)[0]
                for jobs in ("0", "1", "3") for order in (names, names[::-1], ["."])]
        for output in formats:
            self.assertEqual(len({said[output] for said in runs}), 1, output)
        self.assertEqual(runs[0]["text"].count("[SA101]"), 6)


class Contents(Case):
    def test_unreadable_file(self):
        # Rights mean nothing to root, so the file goes away by another road: its disk refuses.
        self.put("good.cpp", SITE)
        path = self.put("bad.cpp", SITE)
        os.chmod(path, 0)
        if os.geteuid() == 0:
            os.remove(path)
            os.symlink("/proc/self/mem", path)
        done = self.lint("--format", "json", "bad.cpp", "good.cpp")
        self.assertIn("bad.cpp: error: the file cannot be read: ", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["sites"]), 1)

    def test_binary_file(self):
        self.put("bad.cpp", b"\x7fELF\0\0record_stream\0", "wb")
        done = self.lint("bad.cpp", status=3)
        self.assertIn("bad.cpp: error: the file is a binary file", done.stderr)
        self.assertEqual(self.sites(".", status=0)[1], [])

    def test_bad_file_does_not_end_the_run(self):
        self.put("bad.cpp", b"\0record_stream", "wb")
        self.put("good.cpp", SITE)
        report = self.one_site("bad.cpp", "good.cpp")
        self.assertTrue(any(note["file"] == "bad.cpp" for note in report["notifications"]))

    def test_parse_errors_as_warnings(self):
        self.put("bad.cpp", b"\0record_stream", "wb")
        self.lint("--on-parse-error", "warn", "bad.cpp", status=0)
        self.lint("--exit-zero", "bad.cpp", status=0)

    def test_50_mib(self):
        self.put("big.cpp", SITE + "// filler filler filler filler filler filler\n" * (50 * 2**20 // 45))
        self.put("good.cpp", SITE)
        done = self.lint("--format", "json", "big.cpp", "good.cpp")
        self.assertIn("big.cpp: error: larger than", done.stderr)
        self.assertEqual([site["file"] for site in json.loads(done.stdout)["sites"]], ["good.cpp"])

    def test_50_mib_without_anything(self):
        self.put("big.cpp", "// filler filler filler filler filler filler\n" * (50 * 2**20 // 45))
        self.lint("big.cpp", status=0)

    def test_line_of_5_mib(self):
        self.put("a.cpp", SITE.replace("t.record_stream(side);",
                                       "/*" + "x" * (5 * 2**20) + "*/ t.record_stream(side);"))
        self.one_site("a.cpp")
        self.assertLess(len(self.lint("a.cpp").stdout), 20000)

    def test_invalid_utf8(self):
        self.put("a.cpp", SITE.encode().replace(b"  t.rec", b"  /* \xff\xfe\xc3 */ t.rec"), "wb")
        self.one_site("a.cpp")
        self.lint("a.cpp")
        json.loads(self.lint("--format", "sarif", "a.cpp").stdout)

    def test_crlf(self):
        self.put("a.cpp", SITE.replace("\n", "\r\n"))
        self.one_site("a.cpp")
        self.assertNotIn("\r", self.lint("a.cpp").stdout)

    def test_byte_order_mark(self):
        self.put("a.cpp", b"\xef\xbb\xbf" + SITE.encode(), "wb")
        self.one_site("a.cpp")

    def test_nul_byte_far_inside(self):
        self.put("a.cpp", SITE.encode() + b"// " + b"x" * 9000 + b"\n\0\nint y;\n", "wb")
        self.one_site("a.cpp")

    def test_1000_syntax_errors(self):
        self.put("a.cpp", SITE + "int f( { ] ) = ;\n" * 1000)
        self.one_site("a.cpp")

    def test_5000_braces(self):
        self.put("a.cpp", SITE + "void deep() " + "{" * 5000 + "}" * 5000 + "\n")
        self.one_site("a.cpp")

    def test_5000_braces_around_the_call(self):
        self.put("a.cpp", SITE.replace("  t.rec", "{" * 5000 + "t.rec")
                 .replace("(side);\n}", "(side);" + "}" * 5000 + "\n}"))
        self.one_site("a.cpp")

    def test_5000_parentheses(self):
        self.put("a.cpp", SITE + "int deep = " + "(" * 5000 + "1" + ")" * 5000 + ";\n")
        self.one_site("a.cpp")

    def test_unbalanced_braces(self):
        for text in (SITE + "{" * 3000, SITE.replace("}", ""), "}" * 3000 + SITE):
            self.put("a.cpp", text)
            self.assertEqual(len(self.sites("a.cpp")[1]), 1)

    def test_include_loops(self):
        self.put("a.h", '#include "b.h"\n#include "a.h"\n')
        self.put("b.h", '#include "a.h"\n')
        self.put("a.cpp", '#include "a.h"\n#include "a.cpp"\n#ifndef ONCE\n#define ONCE\n' + SITE + "#endif\n")
        self.assertEqual(len(self.sites("a.cpp")[1]), 1)

    def test_endless_macro(self):
        self.put("a.cpp", "#define A B B\n#define B A A\nA\n" + SITE)
        self.one_site("a.cpp", line=9)

    def test_empty_file(self):
        self.put("a.cpp", "")
        self.put("b.ir", "")
        self.lint("a.cpp", status=0)
        self.lint("b.ir")

    def test_broken_ir(self):
        self.put("a.ir", "this is no unit\n")
        self.put("good.cpp", SITE)
        self.assertRegex(self.lint("a.ir", status=3).stderr, r"a\.ir:\d+:\d+: error: ")
        self.one_site("a.ir", "good.cpp")

    def test_lost_worker_leaves_the_account(self):
        self.put("a.cpp", SITE + "// record_stream( in a comment\n")
        self.put("b.cpp", "int nothing;\n")
        report = self.one_site("--memory", "1", "-j", "2", "a.cpp", "b.cpp")
        site = report["sites"][0]
        if site["analysed"]:
            self.skipTest("a sanitized program has no limit of memory")
        self.assertIn("the analysis ", site["reason"])
        self.assertIsNone(site["category"])
        self.assertEqual(report["summary"]["filesFailed"], 1)
        self.assertEqual({note["file"] for note in report["notifications"]}, {None, "a.cpp"})

    def test_files_in_the_repository(self):
        directory = os.path.join(TOP, "fixtures", "broken")
        names = sorted(os.listdir(directory))
        self.assertTrue(names)
        for name in names:
            with self.subTest(name):
                json.loads(self.lint("--format", "json", name, cwd=directory).stdout)


class Database(Case):
    def database(self, text, status):
        self.put("a.cpp", SITE)
        self.put("build/compile_commands.json", text)
        return self.lint("-p", "build", "--format", "json", "a.cpp", status=status)

    def test_missing(self):
        self.put("a.cpp", SITE)
        self.assertIn("compile_commands.json", self.lint("-p", ".", "a.cpp", status=2).stderr)
        self.assertIn("no-such", self.lint("-p", "no-such", "a.cpp", status=2).stderr)
        self.assertIn("-p", self.lint("--require-compile-db", "a.cpp", status=2).stderr)

    def test_empty(self):
        self.assertIn("build/compile_commands.json:1:1: error: ", self.database("", 2).stderr)

    def test_broken(self):
        self.assertRegex(self.database('[{"directory": ".",\n "file" 3}]', 2).stderr,
                         r"build/compile_commands\.json:2:\d+: error: ")

    def test_wrong_type(self):
        self.assertIn("build/compile_commands.json:2:2: error: ",
                      self.database('[\n {"directory": ".", "file": 3}]', 2).stderr)

    def test_no_entries(self):
        done = self.database("[]", None)
        self.assertIn("no entries", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["sites"]), 1)

    def test_missing_directory(self):
        entry = {"directory": "/no/such/directory", "file": self.path("a.cpp"), "command": "c++ -c a.cpp"}
        done = self.database(json.dumps([entry]), None)
        self.assertIn("'/no/such/directory' does not exist", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["sites"]), 1)

    def native(self, name, text, *words):
        self.put(name, text)
        entry = {"directory": self.directory, "file": name, "arguments": [*words, "-c", name]}
        self.put("build/compile_commands.json", json.dumps([entry]))
        done = self.lint("-p", "build", "--format", "json", "--verbose", name, status=None)
        return done.stderr, json.loads(done.stdout)["sites"]

    def test_header_that_the_flags_do_not_find(self):
        said, sites = self.native("a.cpp", SITE, "c++", "-std=c++20")
        self.assertIn("a.cpp: warning: '", said)
        self.assertIn("' was not found with the flags of the compile database; analysed with model headers", said)
        self.assertEqual([site["analysed"] for site in sites], [True])

    def test_headers_of_the_project_in_native_mode(self):
        self.put("own/api.h", "namespace c10 { struct Stream {}; }\n"
                 "namespace at { struct Tensor { void record_stream(c10::Stream) const; }; }\n")
        said, sites = self.native("a.cu", '#include <api.h>\n#ifndef HOST\n#error\n#endif\n'
                                  "void f(at::Tensor b, c10::Stream s) { b.record_stream(s); }\n",
                                  "/opt/cuda/bin/nvcc", "-ccbin", "g++", "-gencode", "arch=compute_90,code=sm_90",
                                  "--include-path", "own", "-Xcompiler=-DHOST,-fno-semantic-interposition")
        self.assertNotIn("compile database", said)
        self.assertEqual([site["line"] for site in sites], [5])

    def test_errors_in_native_mode(self):
        said, sites = self.native("a.cpp", "void f(int p) { p = ; x.record_stream(p); }\n", "c++")
        self.assertRegex(said, r"a\.cpp: note: \d+ errors? with the flags of the compile database, the first: .*a\.cpp:1\)")

    def test_flags_that_load_code(self):
        marker = self.path("loaded")
        flags = ["-fplugin=/no/such.so", "-Xclang", "-load", "-Xclang", "/no/such.so", "-fpass-plugin=/no/such.so",
                 "@/etc/passwd", "-DX=1"]
        entry = {"directory": self.directory, "file": "a.cpp", "arguments": ["c++", *flags, "-c", "a.cpp"]}
        done = self.database(json.dumps([entry]), None)
        for flag in ("-fplugin=/no/such.so", "-Xclang -load", "-fpass-plugin=/no/such.so", "@/etc/passwd"):
            self.assertIn("flag '%s' is ignored" % flag, done.stderr)
        self.assertFalse(os.path.exists(marker))
        json.loads(done.stdout)


class Configuration(Case):
    def configured(self, text, status):
        self.put("a.cpp", SITE)
        self.put(".sa-lint.yaml", text)
        return self.lint("a.cpp", status=status)

    def test_unknown_key(self):
        self.assertIn(".sa-lint.yaml:2:1: error: unknown key 'exlude'",
                      self.configured("# ours\nexlude: [x]\n", 2).stderr)

    def test_wrong_type(self):
        self.assertIn(".sa-lint.yaml:1:10: error: ", self.configured("exclude: x\n", 2).stderr)

    def test_not_yaml(self):
        self.assertRegex(self.configured("exclude: [\n", 2).stderr, r"\.sa-lint\.yaml:\d+:\d+: error: ")

    def test_unknown_rule(self):
        self.assertIn(".sa-lint.yaml:2:3: error: there is no rule 'SA999'",
                      self.configured("levels:\n  SA999: off\n", 2).stderr)

    def test_every_mistake_is_reported(self):
        stderr = self.configured("a: 1\nb: 2\n", 2).stderr
        self.assertIn(".sa-lint.yaml:1:1: ", stderr)
        self.assertIn(".sa-lint.yaml:2:1: ", stderr)

    def test_mistake_is_not_hidden_by_exit_zero(self):
        self.put("a.cpp", SITE)
        self.put(".sa-lint.yaml", "a: 1\n")
        self.lint("--exit-zero", "a.cpp", status=2)
        self.lint("--exit-zero", "--no-config", "a.cpp", status=0)

    def test_levels(self):
        self.put("a.cpp", SITE)
        findings = json.loads(self.lint("-f", "json", "a.cpp").stdout)["findings"]
        self.assertTrue(findings)
        self.put(".sa-lint.yaml", "levels: {SA: off}\n")
        self.assertEqual(json.loads(self.lint("-f", "json", "a.cpp", status=0).stdout)["findings"], [])

    def test_found_upwards(self):
        self.put("sub/a.cpp", SITE)
        self.put(".sa-lint.yaml", "levels: {SA: off}\n")
        done = self.lint("-f", "json", "a.cpp", cwd=self.path("sub"), status=0)
        self.assertEqual(json.loads(done.stdout)["findings"], [])


class Rules(Case):
    """A copy of rules/ with one mistake in it."""

    def broken(self, name, text):
        shutil.copytree(os.path.join(TOP, "rules"), self.path("rules"))
        self.put("rules/" + name, text)
        self.put("a.cpp", SITE)
        return self.lint("--rules", "rules", "a.cpp", status=2).stderr

    def test_unchanged_copy_is_the_same(self):
        shutil.copytree(os.path.join(TOP, "rules"), self.path("rules"))
        self.put("a.cpp", SITE)
        self.assertEqual(self.lint("--rules", "rules", "-f", "json", "a.cpp").stdout,
                         self.lint("-f", "json", "a.cpp").stdout)

    def test_unknown_key(self):
        self.assertRegex(self.broken("rules/SA998.yaml", "id: SA998\nnonsense: 1\n"),
                         r"SA998\.yaml:2:1: error: .*nonsense")

    def test_wrong_type(self):
        self.assertRegex(self.broken("rules/SA998.yaml", "id: [SA998]\n"), r"SA998\.yaml:1:\d+: error: ")

    def test_not_yaml(self):
        self.assertRegex(self.broken("apis/zz.yaml", "- {\n"), r"zz\.yaml:\d+:\d+: error: ")

    def test_missing_directory(self):
        self.put("a.cpp", SITE)
        self.assertIn("no-such", self.lint("--rules", "no-such", "a.cpp", status=2).stderr)


class Output(Case):
    def setUp(self):
        super().setUp()
        self.put("a.cpp", SITE)

    def test_reader_that_went_away(self):
        read, write = os.pipe()
        os.close(read)
        for output in ("text", "json", "sarif"):
            done = self.lint("--report-all", "--format", output, "a.cpp", status=2, stdout=write)
            self.assertIn("cannot write to standard output: Broken pipe", done.stderr)
        os.close(write)

    def test_closed_stdout(self):
        done = subprocess.run(["sh", "-c", 'exec "$0" -f json a.cpp >&-', PROGRAM], cwd=self.directory,
                              stderr=subprocess.PIPE, timeout=100, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write to standard output", done.stderr)

    def test_full_disk(self):
        for output in ("text", "json", "sarif"):
            done = self.lint("--report-all", "-f", output, "--output", "/dev/full", "a.cpp", status=2)
            self.assertIn("/dev/full: error: cannot write: No space left on device", done.stderr)
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = self.lint("--report-all", "-f", output, "a.cpp", status=2, stdout=full)
            self.assertIn("No space left on device", done.stderr)

    def test_no_such_directory(self):
        self.assertIn("none/out.json: error: ",
                      self.lint("-f", "json", "-o", "none/out.json", "a.cpp", status=2).stderr)

    def test_several_formats(self):
        done = self.lint("-f", "json=out.json", "-f", "sarif=out.sarif", "-f", "text", "a.cpp")
        self.assertIn("a.cpp:6:", done.stdout)
        for name in ("out.json", "out.sarif"):
            with open(self.path(name), encoding="utf-8") as file:
                json.load(file)
        self.assertEqual(sorted(os.listdir(self.directory)), ["a.cpp", "out.json", "out.sarif"])

    def test_one_format_that_fails_does_not_stop_the_others(self):
        self.lint("-f", "json=/dev/full", "-f", "sarif=out.sarif", "a.cpp", status=2)
        with open(self.path("out.sarif"), encoding="utf-8") as file:
            json.load(file)

    def test_colour(self):
        self.assertNotIn("\033", self.lint("a.cpp").stdout)
        self.assertIn("\033", self.lint("--color", "always", "a.cpp").stdout)

    def test_status(self):
        self.put("clean.cpp", "int record_stream_not_called;\n")
        self.lint("clean.cpp", status=0)
        self.lint("--fail-on", "note", "a.cpp", status=1)
        self.lint("--fail-on", "note", "--exit-zero", "a.cpp", status=0)

    def test_parts_of_heads(self):
        """The parts of a loop's and an if's head stand where they run, whatever the text looks like."""
        head = SITE[:SITE.index("void read_aside")] + "void step(int);\n"
        signature = "void work(at::Tensor t, c10::cuda::CUDAStream side) {\n"
        self.put("loop.cpp", head + signature + "  for (int i = 0; i < 1'000; step(i)) t.record_stream(side);\n}\n")
        text = self.lint("--dump", "ir", "loop.cpp").stdout
        self.assertLess(text.index("record %"), text.index('"step"'))
        self.put("never.cpp", head + signature +
                 "  if consteval {\n    step(1);\n  } else {\n    t.record_stream(side);\n  }\n}\n")
        text = self.lint("--dump", "ir", "never.cpp").stdout
        self.assertLess(text.index("branch %0"), text.index('"step"'))

    def test_text_without_a_compiler(self):
        """A quote that stays open ends with its line: what follows is code all the same."""
        declaration = "void record_stream(at::Tensor tensor, c10::Stream stream);\n"
        self.put("b.cpp", '#if 0\na "lonely quote, and it\'s broken\n#endif\n' + SITE + declaration)
        self.put("c.cpp", "// a backslash \\\\\nstatic int one; // and spliced \\\n record_stream(1)\n" + SITE)
        self.assertIn("b.cpp:11:6: implementation", self.lint("--dump", "tokens", "b.cpp").stdout)
        self.assertIn("c.cpp:3:2: text", self.lint("--dump", "tokens", "c.cpp").stdout)

    def test_branch_that_crashes_libclang(self):
        """Of two branches one can be read: the other's call is a site with a reason."""
        call = "  t.record_stream(side);\n"
        self.put("b.cpp", SITE.replace(call, "#ifdef A\n" + call + "#else\n#pragma clang __debug crash\n" + call +
                                       "#endif\n"))
        sites = self.sites("-j", "0", "b.cpp")[1]
        self.assertEqual([site["analysed"] for site in sites], [True, False])
        self.assertIn("could not parse", sites[1]["reason"])

    def test_dumps(self):
        for what in ("ir", "cfg", "facts", "tokens"):
            self.assertTrue(self.lint("--dump", what, "a.cpp").stdout, what)
        self.put("again.ir", self.lint("--dump", "ir", "a.cpp").stdout)
        def facts(name):
            return self.lint("--dump", "facts", name).stdout
        self.assertEqual(facts("a.cpp"), facts("again.ir"))


if __name__ == "__main__":
    if PROGRAM is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
