#!/usr/bin/env python3
"""Results of earlier runs. Usage: cache.py PROGRAM [unittest options].

Whatever happens to the sources, to the cache or to the runs that use it: a run with a cache says what
a run without one says, byte for byte.
"""
import json
import os
import random
import re
import shutil
import stat
import sys
import unittest

import run
import storm
from run import Case, SITE, TOP

USES_HEADER = '#include "own.h"\n' + SITE.replace("const at::Tensor &t", "const own_tensor &t")
OWN = "#include <ATen/ATen.h>\nusing own_tensor = at::Tensor;\n"
OTHER = "#include <ATen/ATen.h>\nstruct own_tensor { void record_stream(c10::cuda::CUDAStream); };\n"


class Cached(Case):
    FORMATS = ("json", "sarif", "text")

    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        os.mkdir(self.path("src"))

    PATH = "src"

    def plain(self, *args, form="json", **options):
        return self.lint("--root", "src", "--format", form, "--report-all", *args, self.PATH, **options).stdout

    def cached(self, *args, **options):
        """(report, units recalled, units kept, standard error)."""
        done = self.lint("--root", "src", "--format", "json", "--report-all", "--timing", "--cache-dir", self.cache, *args,
                         self.PATH, **options)
        recalled, kept = map(int, re.search(r"cache: (\d+) units recalled, (\d+) kept", done.stderr).groups())
        return done.stdout, recalled, kept, done.stderr

    def changes(self, *args):
        """The run after a change: as without a cache, and not as before it."""
        report, recalled, kept, _ = self.cached(*args)
        self.assertEqual(report, self.plain(*args))
        self.assertNotEqual(report, self.before)
        self.assertEqual(recalled, 0)
        self.assertGreater(kept, 0)
        self.assertEqual(self.cached(*args)[:3], (report, kept, 0))

    def first(self, *args):
        self.before = self.cached(*args)[0]
        self.assertEqual(self.cached(*args)[:3], (self.before, 1, 0))

    def entries(self):
        return sorted(os.path.join(directory, name) for directory, _, names in os.walk(self.cache) for name in names
                      if directory != self.cache)


class Same(Cached):
    def setUp(self):
        super().setUp()
        self.put("src/own.h", OWN)
        for i in range(5):
            self.put(f"src/a{i}.cpp", USES_HEADER)
        self.put("src/broken.cpp", SITE + "}}} template <")
        self.put("src/raw.c", '#include <cuda_runtime.h>\nvoid f(void *p, cudaStream_t s) { cudaFreeAsync(p, s); }\n')

    def test_cold_warm_and_any_number_of_workers(self):
        for form in self.FORMATS:
            expected = self.plain("-j1", form=form)
            for jobs in ("-j0", "-j1", "-j2", "-j7"):
                self.assertEqual(self.plain("--cache-dir", self.cache, jobs, form=form), expected)
        self.assertEqual(self.cached("-j1")[1:3], (7, 0))

    def test_files_are_private(self):
        os.umask(os.umask(0))
        self.cached()
        self.assertEqual(len(self.entries()), 7)
        for directory, directories, names in os.walk(self.cache):
            for name in names:
                self.assertEqual(stat.S_IMODE(os.stat(os.path.join(directory, name)).st_mode), 0o600, name)
            self.assertEqual(stat.S_IMODE(os.stat(directory).st_mode), 0o700, directory)

    def test_where(self):
        home = self.path("home")
        os.mkdir(home)
        environment = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
        self.plain(env=dict(environment, HOME=home))
        self.assertEqual(os.listdir(home), [])
        self.plain("--cache", env=dict(environment, HOME=home))
        self.assertIn("secret", os.listdir(os.path.join(home, ".cache/sa-lint/results")))
        self.plain("--cache", env=dict(environment, HOME=home, XDG_CACHE_HOME=self.path("x")))
        self.assertIn("secret", os.listdir(self.path("x/sa-lint/results")))

    def test_what_fails_is_not_kept(self):
        self.put("src/crash.cpp", "#pragma clang __debug crash\n" + SITE)
        first = self.cached()
        again = self.cached()
        self.assertEqual(first[1:3], (0, 7))
        self.assertEqual(again[1:3], (7, 0))
        self.assertEqual(first[0], again[0])
        self.assertIn("crash", again[3])

    def test_stages_and_explanations_use_none(self):
        for _ in range(2):
            self.assertIn("func", self.lint("--cache-dir", self.cache, "--dump", "ir", "src/a0.cpp").stdout)
            self.assertIn("Verdict", self.lint("explain", "--cache-dir", self.cache, "src/a0.cpp:7").stdout)


class Changed(Cached):
    """After each change a result that was kept would be wrong."""

    def setUp(self):
        super().setUp()
        self.put("src/lib/own.h", OWN)
        self.put("src/a.cpp", USES_HEADER)

    def test_source(self):
        self.first()
        self.put("src/a.cpp", USES_HEADER.replace("  out.copy_(t, true);\n", ""))
        self.changes()

    def test_header(self):
        self.first()
        self.put("src/lib/own.h", OTHER)
        self.changes()

    def test_header_that_goes(self):
        self.first()
        os.remove(self.path("src/lib/own.h"))
        report = self.cached()[0]
        self.assertEqual(report, self.plain())

    def test_header_that_was_not_there(self):
        """Nearer to the includer than the one that was found."""
        self.first()
        self.put("src/own.h", OTHER)
        self.changes()

    def test_header_that_was_nowhere(self):
        os.remove(self.path("src/lib/own.h"))
        self.put("src/a.cpp", USES_HEADER.replace('"own.h"', "<own/types.h>"))
        self.first()
        self.put("src/far/away/own/types.h", OTHER)
        self.changes()

    def test_header_of_a_header(self):
        self.put("src/lib/own.h", '#include "deep.h"\n')
        self.put("src/lib/deep.h", OWN)
        self.first()
        self.put("src/lib/deep.h", OTHER)
        self.changes()

    def python(self, waits):
        self.PATH = "src/user.py"
        self.put("src/pkg/__init__.py", "")
        self.put("src/pkg/marks.py", "import torch\n\n\ndef hand_over(stream, event):\n    %s\n" % waits)
        self.put("src/user.py", """import torch
from pkg.marks import hand_over


def step(x: torch.Tensor, side: torch.cuda.Stream, event: torch.cuda.Event):
    y = torch.empty_like(x)
    with torch.cuda.stream(side):
        y.mul_(2)
        event.record(side)
    y.record_stream(side)
    hand_over(torch.cuda.current_stream(), event)
    del y
""")

    def test_module(self):
        self.python("stream.wait_event(event)")
        self.first()
        self.put("src/pkg/marks.py", "def hand_over(stream, event):\n    event.query()\n")
        self.changes()

    def test_module_that_goes(self):
        self.python("stream.wait_event(event)")
        self.first()
        os.remove(self.path("src/pkg/marks.py"))
        self.changes()

    def test_module_that_comes(self):
        self.python("event.query()")
        os.rename(self.path("src/pkg/marks.py"), self.path("src/marks.py"))
        self.first()
        self.put("src/pkg/marks.py", "def hand_over(stream, event):\n    stream.wait_event(event)\n")
        self.changes()

    def test_module_that_a_link_leads_to(self):
        self.python("stream.wait_event(event)")
        os.rename(self.path("src/pkg/marks.py"), self.path("src/pkg/one.py"))
        self.put("src/pkg/two.py", "def hand_over(stream, event):\n    event.query()\n")
        os.symlink("one.py", self.path("src/pkg/marks.py"))
        self.first()
        os.remove(self.path("src/pkg/marks.py"))
        os.symlink("two.py", self.path("src/pkg/marks.py"))
        self.changes()

    def test_module_that_leads_outside(self):
        self.python("stream.wait_event(event)")
        os.makedirs(self.path("src/in/pkg"))
        os.rename(self.path("src/user.py"), self.path("src/in/user.py"))
        self.PATH = "src/in/user.py"
        os.symlink("/dev/null", self.path("src/in/pkg/marks.py"))
        self.first()
        os.remove(self.path("src/in/pkg/marks.py"))
        self.changes()

    def test_macro_of_the_command_line(self):
        self.put("src/a.cpp", SITE.replace("out.copy_(t, true);", "#ifndef NO_USE\n  out.copy_(t, true);\n#endif"))
        self.first()
        self.changes("-DNO_USE")

    def test_configuration(self):
        self.first()
        self.put("src/.sa-lint.yaml", "levels:\n  SA101: error\n")
        self.changes()

    def test_rules(self):
        shutil.copytree(os.path.join(TOP, "rules"), self.path("rules"))
        rules = ("--rules", self.path("rules"))
        self.first(*rules)
        path = self.path("rules/verdicts")
        for name in os.listdir(path):
            with open(os.path.join(path, name), encoding="utf-8") as file:
                text = file.read()
            self.put(os.path.join("rules/verdicts", name), re.sub(r"\bevent\b", "evt", text))
        self.changes(*rules)

    def test_summaries_of_others(self):
        self.put("src/a.cpp", SITE.replace("  t.record_stream(side);\n", "  keep(t, side);\n  t.record_stream(side);\n"))
        self.put("src/b.txt", "")
        head = SITE[:SITE.index("void read_aside")]
        body = "void keep(const at::Tensor &t, c10::cuda::CUDAStream s) {%s}\n"
        for directory, text in (("one", body % ""), ("two", body % " t.record_stream(s); ")):
            self.put(f"{directory}/b.cpp", head + text)
            self.lint("--root", directory, "--emit-summary", self.path(f"{directory}.sum"), directory)
        self.first("--use-summary", self.path("one.sum"))
        report = self.cached("--use-summary", self.path("two.sum"))
        self.assertEqual(report[1:3], (0, 1))
        self.assertEqual(report[0], self.plain("--use-summary", self.path("two.sum")))

    def test_another_place(self):
        self.first()
        os.rename(self.path("src/a.cpp"), self.path("src/b.cpp"))
        self.changes()


TYPES = """namespace c10::cuda { class CUDAStream; }
namespace at { class Tensor { public: void record_stream(c10::cuda::CUDAStream s) const; }; }
"""
NO_TYPES = TYPES.replace("namespace at {", "namespace other {") + "namespace at { using other::Tensor; }\n"
NATIVE = """#include %s
namespace c10::cuda { class CUDAStream {}; }
void hand_over(at::Tensor t, c10::cuda::CUDAStream side) { t.record_stream(side); }
"""


class Native(Cached):
    """libclang itself looks for the headers, and does not say where it found none."""

    PATH = "src/a.cpp"

    def setUp(self):
        super().setUp()
        for name in ("early", "late/lib", "late/sys"):
            os.makedirs(self.path("src/" + name))
        self.put("src/late/lib/own.h", TYPES)
        self.source("<lib/own.h>")
        self.database("-Iearly -Ilate -std=c++17")

    def source(self, spelling, name="src/a.cpp", before=""):
        self.put(name, before + NATIVE % spelling)

    def database(self, flags, name="a.cpp"):
        self.put("src/compile_commands.json", json.dumps([
            {"directory": self.path("src"), "file": name, "command": "c++ %s -c %s" % (flags, name)}]))

    def plain(self, *args, **options):
        return super().plain("-p", "src", *args, **options)

    def cached(self, *args, **options):
        return super().cached("-p", "src", *args, **options)

    def test_source(self):
        self.first()
        self.source("<lib/own.h>", before="// one line more\n")
        self.changes()

    def test_header(self):
        self.first()
        self.put("src/late/lib/own.h", NO_TYPES)
        self.changes()

    def test_header_of_a_header(self):
        self.put("src/late/lib/own.h", '#include "more.h"\n')
        self.put("src/late/lib/more.h", TYPES)
        self.first()
        self.put("src/late/lib/more.h", NO_TYPES)
        self.changes()

    def test_header_that_goes(self):
        self.first()
        os.remove(self.path("src/late/lib/own.h"))
        self.changes()

    def test_header_that_comes_before(self):
        self.first()
        self.put("src/early/lib/own.h", NO_TYPES)
        self.changes()

    def test_header_that_comes_beside(self):
        self.source('"lib/own.h"')
        self.first()
        self.put("src/lib/own.h", NO_TYPES)
        self.changes()

    def test_header_that_comes_beside_another(self):
        self.put("src/late/lib/own.h", '#include "sys/more.h"\n')
        self.put("src/late/sys/more.h", TYPES)
        self.first()
        self.put("src/late/lib/sys/more.h", NO_TYPES)
        self.changes()

    def test_directory_that_comes(self):
        self.database("-Inot_yet -Ilate")
        self.first()
        self.put("src/not_yet/lib/own.h", NO_TYPES)
        self.changes()

    def test_link_that_turns(self):
        self.put("src/early/target.h", TYPES)
        self.put("src/late/target.h", NO_TYPES)
        os.symlink("../early/target.h", self.path("src/early/linked.h"))
        self.source("<linked.h>")
        self.first()
        os.remove(self.path("src/early/linked.h"))
        os.symlink("../late/target.h", self.path("src/early/linked.h"))
        self.changes()

    def asked_for(self, condition, define=""):
        self.put("src/late/other/own.h", NO_TYPES)
        self.put("src/a.cpp", define + "#if %s\n#include <other/own.h>\n#else\n#include <lib/own.h>\n#endif\n" % condition +
                 (NATIVE % "<lib/own.h>").split("\n", 1)[1])

    def test_what_was_asked_for_and_comes(self):
        for condition, define in (("__has_include(<some/where.h>)", ""), ('__has_include ( "some/where.h" )', ""),
                                  ("THERE_HAS_INCLUDE(<some/where.h>)", "#define THERE_HAS_INCLUDE(x) __has_include(x)\n")):
            with self.subTest(condition):
                self.asked_for(condition, define)
                self.first()
                self.put("src/early/some/where.h", "")
                self.changes()
                shutil.rmtree(self.path("src/early/some"))
                shutil.rmtree(self.cache)

    def test_what_nobody_can_tell_is_not_kept(self):
        self.asked_for("__has_include(NAME)", '#define NAME "some/where.h"\n')
        for _ in range(2):
            self.assertEqual(self.cached()[1:3], (0, 0))

    def test_flags(self):
        self.put("src/late/lib/own.h", "#ifdef TWO\n" + NO_TYPES + "#else\n" + TYPES + "#endif\n")
        self.first()
        self.database("-Iearly -Ilate -std=c++17 -DTWO")
        self.changes()

    def test_directories_of_the_environment(self):
        self.source("<lib/apart.h>")
        self.put("apart/lib/apart.h", TYPES)
        self.put("again/lib/apart.h", NO_TYPES)
        self.first("--no-config", env=dict(os.environ, CPATH=self.path("apart")))
        for place in ("apart", "again"):
            env = dict(os.environ, CPATH=self.path(place))
            report, recalled, _, _ = self.cached("--no-config", env=env)
            self.assertEqual(report, self.plain("--no-config", env=env))
            self.assertEqual(recalled, place == "apart")

    def test_real_headers(self):
        self.source("<lib/own.h>", before="#include <cstdio>\n#include <cstring>\n")
        self.first()
        for jobs in ("-j0", "-j2"):
            self.assertEqual(self.cached(jobs)[:3], (self.before, 1, 0))

    def first(self, *args, **options):
        self.before = self.cached(*args, **options)[0]
        self.assertIn('"kind":"forwarding"', self.before)
        self.assertEqual(self.cached(*args, **options)[:3], (self.before, 1, 0))


class Damaged(Cached):
    def setUp(self):
        super().setUp()
        self.put("src/a.cpp", SITE)
        self.expected = self.cached()[0]
        (self.entry,) = self.entries()
        with open(self.entry, "rb") as file:
            self.bytes = file.read()

    def heals(self, said=True):
        report, recalled, kept, stderr = self.cached("-j0")
        self.assertEqual(report, self.expected)
        self.assertEqual((recalled, kept), (0, 1), stderr)
        self.assertEqual("of the cache was damaged; made again" in stderr, said, stderr)
        self.assertEqual(self.cached("-j0")[1:3], (1, 0))

    def write(self, data):
        with open(self.entry, "wb") as file:
            file.write(data)

    def test_bits(self):
        chance = random.Random(4)
        for place in [0, 8, 16, 24, 40, 55, 56, 60] + [chance.randrange(len(self.bytes)) for _ in range(12)]:
            data = bytearray(self.bytes)
            data[place] ^= 1 << chance.randrange(8)
            self.write(data)
            self.heals()

    def test_lengths(self):
        for length in [0, 1, 55, 56, 57, len(self.bytes) // 2, len(self.bytes) - 1]:
            self.write(self.bytes[:length])
            self.heals()
        self.write(self.bytes + b"x")
        self.heals()

    def test_entry_of_another_unit(self):
        self.put("src/b.cpp", SITE.replace("read_aside", "other"))
        self.cached()
        other = next(path for path in self.entries() if path != self.entry)
        with open(other, "rb") as file:
            self.write(file.read())
        report, _, _, stderr = self.cached()
        self.assertEqual(report, self.plain())
        self.assertIn("damaged", stderr)

    def test_no_file_in_its_place(self):
        target = self.put("outside", self.bytes, "wb")
        os.remove(self.entry)
        os.symlink(target, self.entry)
        self.heals()
        os.remove(self.entry)
        os.mkfifo(self.entry)
        self.heals()
        with open(target, "rb") as file:
            self.assertEqual(file.read(), self.bytes)
        os.remove(self.entry)
        os.mkdir(self.entry)
        self.assertEqual(self.cached()[0], self.expected)

    def test_folders_that_lead_out(self):
        outside = self.path("outside")
        folder = os.path.dirname(self.entry)
        os.rename(folder, outside)
        os.symlink(outside, folder)
        before = os.stat(os.path.join(outside, os.path.basename(self.entry)))
        report, recalled, kept, _ = self.cached("--cache-size", "0")
        self.assertEqual((report, recalled, kept), (self.expected, 0, 0))
        self.assertEqual(os.stat(os.path.join(outside, os.path.basename(self.entry))), before)
        self.assertEqual(len(os.listdir(outside)), 1)

    def test_secret(self):
        secret = os.path.join(self.cache, "secret")
        for data in (b"", b"short", b"x" * 500):
            with open(secret, "wb") as file:
                file.write(data)
            self.assertEqual(self.cached()[:3], (self.expected, 0, 1))
        os.remove(secret)
        os.symlink("/dev/zero", secret)
        self.assertEqual(self.cached()[:3], (self.expected, 0, 1))
        self.assertFalse(os.path.islink(secret))

    def test_directories_that_are_not_safe(self):
        os.chmod(self.cache, 0o777)
        os.symlink(self.cache, self.path("link"))
        file = self.put("file", "")
        for path, why in ((self.cache, "other users"), (self.path("link"), "link"), (file, "cannot be made"),
                          (file + "/below", "cannot be made")):
            done = self.lint("--root", "src", "--format", "json", "--report-all", "--cache-dir", path, "src")
            self.assertIn("no cache is used", done.stderr)
            self.assertIn(why, done.stderr)
            self.assertEqual(json.loads(done.stdout)["sites"], json.loads(self.expected)["sites"])

    def test_read_only(self):
        if os.geteuid() == 0:
            self.skipTest("nothing is read-only for root")
        os.chmod(os.path.dirname(self.entry), 0o500)
        self.addCleanup(os.chmod, os.path.dirname(self.entry), 0o700)
        self.write(b"")
        self.assertEqual(self.cached()[0], self.expected)


class Size(Cached):
    def test_it_stays_within_its_size(self):
        for i in range(8):
            self.put(f"src/a{i}.cpp", SITE)
        self.cached()
        self.assertEqual(len(self.entries()), 8)
        self.put("src/b.cpp", SITE)
        report, recalled, kept, _ = self.cached("--cache-size", "0")
        self.assertEqual((recalled, kept), (8, 1))
        self.assertEqual(self.entries(), [])
        self.assertEqual(self.cached()[0], report)


class Storm(Case):
    def test_killed_runs(self):
        """The long form: tests/cli/storm.py PROGRAM --rounds 1000."""
        said = storm.storm(run.PROGRAM, rounds=6, runs=8, seed=1)
        self.assertGreater(said["killed"], 0)
        self.assertGreater(said["finished"], 0)


if __name__ == "__main__":
    if run.PROGRAM is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
