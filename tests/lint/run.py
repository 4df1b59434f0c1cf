#!/usr/bin/env python3
"""What the compiler does not check about the sources. Usage: run.py C-COMPILER TREE-SITTER-INCLUDE [unittest options].
The directory of tree-sitter's header is "" in a build without Python.

Layering (who may include whom), headers that compile alone, sizes, leftovers, absolute paths."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else None
TREE_SITTER = sys.argv.pop(1) if len(sys.argv) > 1 else ""
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# stage: what its files may include, besides themselves and the C library
LAYERS = {
    "base": [],
    "model": ["base"],
    "ruleset": ["base", "model"],
    "project": ["base", "model"],
    "syntax": ["base"],
    "frontend": ["base", "model"],
    "frontend/clang": ["base", "model", "frontend"],
    "frontend/python": ["base", "model", "syntax", "frontend"],
    "link": ["base", "model"],
    "analysis": ["base", "model"],
    "classify": ["base", "model"],
    "filter": ["base", "model"],
    "rewrite": ["base", "model", "syntax"],
    "report": ["base", "model"],
    "merge": ["base", "model"],
    "cache": ["base", "model"],
    "cli": ["base", "model", "ruleset", "project", "frontend", "frontend/clang", "frontend/python", "link", "analysis",
            "classify", "filter", "rewrite", "report", "merge", "cache"],
}
# foreign header: the only places that may see it
ROOMS = {
    r"clang-c/": ["frontend/clang/"],
    r"tree_sitter/": ["syntax/"],
    r"yaml\.h": ["base/yaml.c"],
    r"jansson\.h": ["project/compile_db.c", "project/notebook.c", "merge/"],
    r"xxhash\.h": ["base/hash.c"],
    r"zlib\.h": ["base/gzip.c"],
}
MAX_FILE, MAX_HEADER, MAX_FUNCTION = 700, 120, 80


def sources(*suffixes, below="src"):
    for directory, _, names in os.walk(os.path.join(TOP, below)):
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(directory, name), TOP)


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def stage_of(path):
    """Of a path below src/."""
    return os.path.dirname(path)


def functions(path):
    """(name, first line, last line) of the functions of a source laid out by .clang-format: the head
    begins in column 1, and so does the closing brace."""
    start = name = None
    for number, line in enumerate(read(path).split("\n"), 1):
        if line.startswith("}") and start is not None:
            yield name, start, number
            start = None
        elif re.match(r"[A-Za-z_]", line) and not re.match(r"\w+:$", line):
            head = re.match(r"(?!typedef|struct|enum|union|#)[^=;]*?\b(\w+)\((?!.*;)", line)
            if head:
                name, start = head.group(1), number
            elif not line.rstrip().endswith(("{", ",")):
                start = None


class Layering(unittest.TestCase):
    def test_stages_include_only_what_they_may(self):
        for path in sources(".c", ".h"):
            stage = stage_of(os.path.relpath(path, "src"))
            self.assertIn(stage, LAYERS, path)
            allowed = [stage] + LAYERS[stage]
            for name in re.findall(r'#include "([^"]+)"', read(path)):
                if name.endswith(".inc"):
                    continue
                self.assertIn(stage_of(name), allowed, "%s includes %s" % (path, name))

    def test_foreign_headers_stay_in_their_room(self):
        for path in sources(".c", ".h"):
            for name in re.findall(r"#include <([^>]+)>", read(path)):
                for pattern, rooms in ROOMS.items():
                    if re.match(pattern, name):
                        inside = os.path.relpath(path, "src")
                        self.assertTrue(any(inside.startswith(room) for room in rooms), "%s sees <%s>" % (path, name))

    def test_the_runtime_stands_apart(self):
        for path in sources(".c", ".h", below="runtime"):
            for name in re.findall(r'#include "([^"]+)"', read(path)):
                self.assertNotIn(name.split("/")[0], LAYERS, "%s includes %s" % (path, name))
        for path in sources(".c", ".h"):
            self.assertNotIn("#include \"sar/", read(path), path)


class Headers(unittest.TestCase):
    def test_every_header_compiles_alone(self):
        flags = ["-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-Isrc"]
        foreign = [path for path in ("/usr/lib/llvm-%d/include" % v for v in (19, 20, 18, 17))
                   if os.path.isdir(os.path.join(path, "clang-c"))][:1]
        flags += ["-isystem" + path for path in foreign + [TREE_SITTER] if path]
        with tempfile.TemporaryDirectory() as directory:
            # One unit a header; all at once would hide what a header forgot.
            units = []
            for number, path in enumerate(sources(".h")):
                if not TREE_SITTER and path.startswith("src/frontend/python/"):
                    continue
                unit = os.path.join(directory, "%d.c" % number)
                with open(unit, "w", encoding="utf-8") as file:
                    file.write('#include "%s"\n#include "%s"\ntypedef int not_empty;\n' %
                               ((os.path.relpath(path, "src"),) * 2))
                units.append(unit)
            done = subprocess.run([COMPILER, *flags, *units], cwd=TOP, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr[:4000])

    def test_guards(self):
        for path in sources(".h"):
            guard = "SA_" + re.sub(r"[/.]", "_", os.path.relpath(path, "src")).upper()
            self.assertIn("#ifndef %s\n#define %s\n" % (guard, guard), read(path), path)


class Sizes(unittest.TestCase):
    def test_files(self):
        for path in list(sources(".c", ".h")) + list(sources(".c", ".h", below="runtime")):
            lines = read(path).count("\n")
            limit = MAX_FILE if path.endswith(".c") else 2 * MAX_HEADER
            self.assertLessEqual(lines, limit, "%s has %d lines" % (path, lines))

    def test_functions(self):
        for path in list(sources(".c")) + list(sources(".c", below="runtime")):
            long = [(last - first + 1, name) for name, first, last in functions(path)
                    if last - first + 1 > MAX_FUNCTION]
            # one flat switch a file
            self.assertLessEqual(len(long), 1, "%s: %s" % (path, long))

    def test_report(self):
        """Prints the figures of docs and style; fails only when nothing was measured."""
        sizes = sorted(last - first + 1 for path in sources(".c") for _, first, last in functions(path))
        self.assertGreater(len(sizes), 100)
        print("functions: %d, median %d, p90 %d, longest %d" %
              (len(sizes), sizes[len(sizes) // 2], sizes[len(sizes) * 9 // 10], sizes[-1]), file=sys.stderr)


def foreign_names():
    lines = (line.strip() for line in read("tests/lint/foreign_names.txt").split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def mentions(names, text):
    """The first of the names that stands in the text as a word of its own, or None."""
    pattern = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    found = re.search(r"(?<![A-Za-z0-9_])(?:%s)(?![A-Za-z0-9_])" % pattern, text)
    return found and found.group(0)


class Generality(unittest.TestCase):
    """No row, model header or line of C names a project, or what belongs to one project alone."""

    def test_rules_and_sources_know_no_project(self):
        names, seen = foreign_names(), 0
        paths = list(sources(".yaml", ".h", ".txt", below="rules"))
        paths += list(sources(".c", ".h", ".def")) + list(sources(".c", ".h", below="runtime"))
        for path in paths:
            seen += 1
            found = mentions(names, read(path))
            self.assertIsNone(found, "%s names '%s'" % (path, found))
        self.assertGreater(seen, 150)

    def test_the_list_is_used_as_it_says(self):
        names = foreign_names()
        self.assertGreater(len(names), 200)
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(mentions(names, "  - function: deep_ep::record"), "deep_ep")
        self.assertEqual(mentions(names, "/* as ProcessGroupHCCL does */"), "ProcessGroupHCCL")
        self.assertIsNone(mentions(names, "record_tensors deep_epoch c10_npu::NPUCachingAllocator torch_mlu"))


class Twins(unittest.TestCase):
    """Every rule about code has a source that breaks it and one that does not, in each language."""

    LANGUAGES = {"C++": ".cpp", "CUDA": ".cu", "C": ".c", "Python": ".py"}

    def test_each_rule_in_each_language(self):
        rules = [name[:-len(".yaml")] for name in sorted(os.listdir(os.path.join(TOP, "rules/rules")))]
        about_code = [rule for rule in rules if rule < "SA9"]
        self.assertGreaterEqual(len(about_code), 15)
        for rule in about_code:
            cases = list(sources(*self.LANGUAGES.values(), below="fixtures/cases/" + rule))
            for language, ending in self.LANGUAGES.items():
                for twin in ("bad", "good"):
                    self.assertTrue(any(path.endswith("/" + twin + ending) for path in cases),
                                    "%s has no %s twin in %s" % (rule, twin, language))


class Leftovers(unittest.TestCase):
    TREES = ("src", "rules", "tests", "runtime", "fixtures", "docs")

    def text_files(self):
        names = []
        if shutil.which("git") is not None:
            listed = subprocess.run(["git", "ls-files", "-z", "--cached", *self.TREES], cwd=TOP, capture_output=True,
                                    check=False).stdout.decode()
            names = [name for name in listed.split("\0") if name]
        if not names:  # no git, or an unpacked archive
            names = [path for tree in self.TREES for path in sources(".c", ".h", ".py", ".yaml", ".md", below=tree)]
        for name in names:
            if name != "tests/lint/run.py" and not name.startswith("fixtures/broken/"):
                try:
                    yield name, read(name)
                except (UnicodeDecodeError, FileNotFoundError):
                    continue

    def test_nothing_was_left_for_later(self):
        for name, text in self.text_files():
            found = re.search(r"\b(TODO|FIXME|XXX)\b|not implemented|unimplemented", text)
            self.assertIsNone(found, "%s: %s" % (name, found and found.group(0)))

    def test_no_path_of_somebodys_machine(self):
        for name, text in self.text_files():
            found = re.search(r"(?<![\w.])/(home|root|Users|work|mnt)/[\w.]+", text)
            self.assertIsNone(found, "%s: %s" % (name, found and found.group(0)))


if __name__ == "__main__":
    if COMPILER is None:
        sys.exit(__doc__)
    unittest.main()
