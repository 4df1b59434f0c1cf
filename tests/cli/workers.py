#!/usr/bin/env python3
"""Files that end their worker. Usage: workers.py PROGRAM [unittest options].

A crash, a parse without an end and one that takes all memory cost their files, and nothing else.
"""
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
import unittest

import run
from run import LIGHT_SITE, SITE, Case

BOMB = "#define A0 0+0+\n" + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, 60)) + "#if A59 0\n#endif\n"
HOG = "template <class T, T... I> struct S {};\n__make_integer_seq<S, int, 400000000> m;\n"
CRASH = "#pragma clang __debug crash\n"
PR_SET_CHILD_SUBREAPER = 36


def sanitized():
    with open(run.PROGRAM, "rb") as program:
        return b"__asan_init" in program.read()


class Workers(Case):
    def setUp(self):
        super().setUp()
        # A process that the program left behind becomes a child of this one.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.temporary = self.path("tmp")
        os.mkdir(self.temporary)

    def assertNoneLeft(self, within=0.0):
        end = time.time() + within
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                self.assertLess(time.time(), end, "a process is left")
                time.sleep(0.05)

    def files(self):
        return sorted(os.path.join(directory, name) for directory, _, names in os.walk(self.directory) for name in names)

    def report(self, *args, **options):
        environment = dict(os.environ, TMPDIR=self.temporary)
        done = self.lint("--root", "src", "--format", "json", "--report-all", *args, "src", env=environment, **options)
        return json.loads(done.stdout), done

    def test_three_of_many(self):
        """200 files; fewer in the sanitized build, which has no limit of memory."""
        slow = sanitized()
        for i in range(40 if slow else 197):
            self.put(f"src/d{i % 7}/f{i}.cpp", (LIGHT_SITE if i % 4 else SITE).replace("read_aside", f"f{i}"))
        clean, done = self.report("--fail-on", "error", status=0)
        planted = {"src/d0/crash.cpp": CRASH, "src/d3/endless.cpp": BOMB}
        if not slow:
            planted["src/d5/hog.cpp"] = HOG
        for name, text in planted.items():
            self.put(name, SITE + text)
        names = {name[len("src/"):] for name in planted}
        before = self.files()
        report, done = self.report("-j2", "--timeout", "3", "--memory", "1000", "--fail-on", "error", status=3)
        self.assertEqual(self.files(), before)
        self.assertNoneLeft()
        self.assertEqual([site for site in report["sites"] if site["file"] not in names], clean["sites"])
        self.assertEqual([found for found in report["findings"] if found["file"] not in names], clean["findings"])
        told = {note["file"]: note["text"] for note in report["notifications"] if note["level"] == "error"}
        self.assertEqual(set(told), names)
        self.assertIn("crashed", told["d0/crash.cpp"])
        self.assertIn("--timeout", told["d3/endless.cpp"])
        if not slow:
            self.assertIn("--memory", told["d5/hog.cpp"])
        self.assertEqual(report["summary"]["filesFailed"], len(names))
        for site in report["sites"]:
            self.assertEqual(site["analysed"], site["file"] not in names)
        again, _ = self.report("-j7", "--timeout", "3", "--memory", "1000", "--fail-on", "error", status=3)
        self.assertEqual(again, report)

    def test_a_crash_is_not_a_lack_of_memory(self):
        """Also of a worker that had most of what it may take."""
        if sanitized():
            self.skipTest("a sanitized program has no limit of memory")
        self.put("src/a.cpp", SITE + "".join(f"int v{i}[] = {{{','.join(['1'] * 3000)}}};\n" for i in range(200)) + CRASH)
        for memory in ("60", "120", "180", "240"):
            report, _ = self.report("--memory", memory, status=3)
            (note,) = [note["text"] for note in report["notifications"] if note["level"] == "error"]
            if "--memory" not in note:
                self.assertIn("crashed", note)
                break
        else:
            self.fail("no limit lets the file come to its crash")
        self.assertLess(int(memory), 240)

    def test_end_of_the_run(self):
        """A worker does not outlive the program, however that ends."""
        self.put("src/a.cpp", SITE + BOMB)
        for number in (signal.SIGKILL, signal.SIGTERM):
            child = subprocess.Popen([run.PROGRAM, "--root", "src", "-j2", "--timeout", "0", "src"], cwd=self.directory,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1)
            self.assertIsNone(child.poll())
            child.send_signal(number)
            child.wait(timeout=30)
            self.assertNoneLeft(within=30)

    def test_default_limits_end_a_bomb(self):
        """A minute of processor time, without being asked."""
        self.put("src/a.cpp", SITE + BOMB)
        start = time.process_time(), os.times().children_user
        report, _ = self.report("--on-parse-error", "warn", timeout=400)
        self.assertEqual([site["analysed"] for site in report["sites"]], [False])
        self.assertLess(os.times().children_user - start[1], 90)

    def test_what_the_library_says(self):
        self.put("src/a.cpp", SITE + CRASH)
        self.assertNotIn("Stack dump", self.report(status=3)[1].stderr)


if __name__ == "__main__":
    if run.PROGRAM is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
