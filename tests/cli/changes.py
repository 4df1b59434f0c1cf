#!/usr/bin/env python3
"""Only what changed: --diff-base, --patch, --staged, --stdin-filename. Usage: changes.py PROGRAM [unittest options]."""
import json
import os
import shutil
import stat
import subprocess
import unittest

from run import PROGRAM, SITE, Case

OTHER = SITE.replace("read_aside", "other")
TWO = SITE + OTHER  # calls on lines 6 and 13
HEADER = SITE.replace("void read_aside", "inline void read_in_header").replace("#include", "#pragma once\n#include", 1)


class Change(Case):
    def found(self, *args, status=None, **options):
        """(file, line) of the findings."""
        done = self.lint("--format", "json", *args, status=status, **options)
        self.assertNotEqual(done.stdout, "", done.stderr)
        self.report = report = json.loads(done.stdout)
        return [(finding["file"], finding["line"]) for finding in report["findings"]]


class Repository(Change):
    def setUp(self):
        super().setUp()
        if shutil.which("git") is None:
            self.skipTest("no git")
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "a@example.com")
        self.git("config", "user.name", "A")
        self.git("config", "core.autocrlf", "false")

    def git(self, *args, **options):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        return subprocess.run(["git", "-C", self.directory, *args], check=True, capture_output=True, env=environment,
                              **options).stdout.decode()

    def commit(self, message="m"):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


class DiffBase(Repository):
    def test_only_changed_lines(self):
        self.put("a.cpp", TWO)
        self.put("b.cpp", SITE)
        self.commit()
        self.assertEqual(self.found("--diff-base", "HEAD", status=0), [])
        self.assertEqual(self.report["summary"]["files"], 0)
        self.put("a.cpp", TWO.replace("void other(", "void  other("))
        self.assertEqual(self.found("--diff-base", "HEAD", status=1), [("a.cpp", 13)])
        self.assertEqual(self.found("--diff-base", "main", ".", status=1), [("a.cpp", 13)])
        self.assertEqual(self.found("--diff-base", "HEAD", "b.cpp", status=0), [])
        self.assertIn("; 1 not on changed lines; ", self.lint("--diff-base", "HEAD").stdout)

    def test_a_step_of_the_evidence_counts(self):
        self.put("a.cpp", SITE)
        self.commit()
        self.put("a.cpp", SITE.replace("copy_(t, true)", "copy_(t,  true)"))
        self.assertEqual(self.found("--diff-base", "HEAD"), [("a.cpp", 6)])
        self.put("a.cpp", SITE.replace("#include <ATen", "#include  <ATen"))
        self.assertEqual(self.found("--diff-base", "HEAD"), [])

    def test_the_merge_base_counts_not_the_tip(self):
        self.put("a.cpp", SITE)
        self.commit()
        self.git("checkout", "-q", "-b", "work")
        self.put("new.cpp", SITE)
        self.commit()
        self.git("checkout", "-q", "main")
        self.put("a.cpp", TWO)
        self.commit()
        self.git("checkout", "-q", "work")
        self.assertEqual(self.found("--diff-base", "main"), [("new.cpp", 6)])

    def test_new_renamed_deleted(self):
        self.put("old.cpp", SITE + "// one\n// two\n// three\n")
        self.put("gone.cpp", SITE)
        self.commit()
        self.git("mv", "old.cpp", "moved.cpp")
        os.unlink(self.path("gone.cpp"))
        self.assertEqual(self.found("--diff-base", "HEAD"), [])
        self.put("unknown.cpp", SITE)
        self.put(".gitignore", "ignored.cpp\n")
        self.put("ignored.cpp", SITE)
        self.assertEqual(self.found("--diff-base", "HEAD"), [("unknown.cpp", 6)])

    def test_what_is_taken_away(self):
        self.put("a.cpp", SITE.replace("  t.record", "  before();\n  t.record"))
        self.commit()
        self.put("a.cpp", SITE)
        self.assertEqual(self.found("--diff-base", "HEAD"), [("a.cpp", 6)])

    def test_names(self):
        names = ["with space.cpp", "quote\".cpp", "caf\u00e9.cpp", "tab\there.cpp", "new\nline.cpp", "back\\slash.cpp", "b/a.cpp",
                 "a/b.cpp", "-x.cpp"]
        for name in names:
            self.put(name, "int x;\n")
        self.commit()
        for name in names:
            self.put(name, SITE)
        self.assertEqual(sorted(self.found("--diff-base", "HEAD")), sorted((name, 6) for name in names))

    def test_a_changed_header(self):
        self.put("lib/read.h", HEADER)
        self.put("lib/through.h", '#include "read.h"\n')
        self.put("src/use.cpp", '#include "../lib/read.h"\n' + SITE)
        self.put("src/far.cpp", '#  include <lib/through.h>\n' + SITE)
        self.put("src/not.cpp", '#include "other/read.h"\n// lib/read.h\n' + SITE)
        self.commit()
        self.put("lib/read.h", HEADER.replace("copy_(t, true)", "copy_(t, false)"))
        listed = self.lint("--list-files", "--diff-base", "HEAD", status=0).stdout.split()
        self.assertEqual(listed, ["lib/read.h", "src/far.cpp", "src/use.cpp"])
        self.assertIn(("lib/read.h", 7), self.found("--diff-base", "HEAD"))
        self.assertEqual(self.lint("--list-files", "--diff-base", "HEAD", "src", status=0).stdout.split(),
                         ["src/far.cpp", "src/use.cpp"])

    def test_root_below_the_top(self):
        self.put("sub/a.cpp", "int x;\n")
        self.put("other/a.cpp", "int x;\n")
        self.commit()
        self.put("sub/a.cpp", SITE)
        self.put("other/a.cpp", SITE)
        self.assertEqual(self.found("--root", "sub", "--diff-base", "HEAD"), [("a.cpp", 6)])

    def test_windows_line_ends(self):
        self.put("a.cpp", SITE.replace("\n", "\r\n"))
        self.commit()
        self.put("a.cpp", TWO.replace("\n", "\r\n"))
        self.assertEqual(self.found("--diff-base", "HEAD"), [("a.cpp", 13)])


class BadRevisions(Repository):
    def test_messages(self):
        self.put("a.cpp", SITE)
        self.assertIn("no such commit", self.lint("--diff-base", "HEAD", status=2).stderr)
        self.commit()
        for revision in ("-x", "--output=evil", "nothing", "HEAD~5", "", "x" * 5000, "HEAD:a.cpp", "a\nb"):
            done = self.lint("--diff-base=" + revision, status=2)
            self.assertIn("--diff-base", done.stderr, revision)
            self.assertEqual(done.stdout, "")
        self.assertFalse(os.path.exists(self.path("evil")))
        self.git("checkout", "-q", "--orphan", "alone")
        self.commit("another")
        self.assertIn("no commit in common", self.lint("--diff-base", "main", status=2).stderr)

    def test_no_repository(self):
        shutil.rmtree(self.path(".git"))
        self.assertIn("git cannot be used here", self.lint("--diff-base", "HEAD", status=2).stderr)
        self.assertIn("git cannot be used here", self.lint("--staged", status=2).stderr)

    def test_no_git(self):
        self.put("a.cpp", SITE)
        self.commit()
        done = self.lint("--staged", status=2, env={**os.environ, "PATH": self.directory})
        self.assertIn("cannot be started", done.stderr)

    def test_contradictions(self):
        self.assertIn("only one of them", self.lint("--staged", "--diff-base", "HEAD", status=2).stderr)
        self.assertIn("standard input", self.lint("--patch", "-", "--stdin-filename", "a.cpp", status=2).stderr)


class Hostile(Repository):
    """A repository whose settings and attributes name programs."""

    def test_nothing_is_run(self):
        trap = self.put("trap.sh", "#!/bin/sh\necho \"$0 $*\" >>'%s'\ncat\n" % self.path("sprung"))
        os.chmod(trap, os.stat(trap).st_mode | stat.S_IXUSR)
        self.put("a.cpp", SITE)
        self.commit()
        for name in ("pre-commit", "post-index-change", "fsmonitor-watchman", "post-checkout"):
            shutil.copy(trap, self.path(".git/hooks/" + name))
        for key in ("core.fsmonitor", "diff.external", "diff.x.command", "diff.x.textconv", "filter.x.clean", "filter.x.smudge",
                    "filter.x.process", "core.pager", "pager.diff", "core.askPass", "core.sshCommand",
                    "filter.a.b.c.clean"):
            self.git("config", key, trap)
        self.git("config", "filter.x.required", "true")
        self.put(".gitattributes", "*.cpp diff=x filter=x\n*.h filter=a.b.c\n")
        self.put("b.h", HEADER)
        self.put("a.cpp", TWO)
        environment = {**os.environ, "GIT_EXTERNAL_DIFF": trap, "GIT_PAGER": trap, "PAGER": trap}
        found = self.found("--diff-base", "HEAD", env=environment)
        self.assertEqual(found, [("a.cpp", 13), ("b.h", 7)])
        self.found("--staged", env=environment)
        self.assertFalse(os.path.exists(self.path("sprung")))

    def test_attributes_hide_nothing(self):
        self.put("a.cpp", SITE)
        self.commit()
        self.put("a.cpp", TWO)
        for attributes in ("*.cpp -diff\n", "*.cpp binary\n", "*.cpp -text diff=none\n"):
            self.put(".gitattributes", attributes)
            self.assertEqual(self.found("--diff-base", "HEAD"), [("a.cpp", 13)])


class Staged(Repository):
    def test_the_index_counts(self):
        self.put("a.cpp", "int x;\n")
        self.put("b.cpp", "int x;\n")
        self.commit()
        self.put("a.cpp", SITE)
        self.git("add", "a.cpp")
        self.put("a.cpp", "int changed_again;\n")
        self.put("b.cpp", SITE)
        self.put("new.cpp", SITE)
        self.assertEqual(self.found("--staged", status=1), [("a.cpp", 6)])
        told = self.lint("--staged", "a.cpp", "b.cpp", "new.cpp", status=1).stdout
        self.assertIn("     6 |   t.record_stream(side);\n", told)
        self.git("add", "-A")
        self.assertEqual(self.found("--staged"), [("b.cpp", 6), ("new.cpp", 6)])

    def test_first_commit(self):
        self.put("a.cpp", SITE)
        self.git("add", "-A")
        self.assertEqual(self.found("--staged"), [("a.cpp", 6)])
        os.unlink(self.path("a.cpp"))
        self.assertEqual(self.found("--staged", "a.cpp"), [("a.cpp", 6)])

    def test_a_staged_header(self):
        self.put("read.h", "#pragma once\n")
        self.put("use.cpp", '#include "read.h"\nvoid use(const at::Tensor &t, at::Tensor &o, c10::cuda::CUDAStream s) {\n'
                 "  read_in_header(t, o, s);\n}\n")
        self.commit()
        self.put("read.h", HEADER)
        self.git("add", "read.h")
        self.put("read.h", "#pragma once\nint later;\n")
        self.assertIn(("read.h", 7), self.found("--staged"))

    def test_in_a_hook(self):
        """A commit of some paths has an index of its own, which git names in the hook's environment."""
        self.put("sub/a.cpp", "int x;\n")
        self.put("sub/b.cpp", "int x;\n")
        self.commit()
        hook = self.put(".git/hooks/pre-commit", "#!/bin/sh\nexec '%s' --staged --root sub\n" % PROGRAM)
        os.chmod(hook, 0o755)
        self.put("sub/a.cpp", SITE)
        self.put("sub/b.cpp", "int y;\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "fine", "sub/b.cpp")
        with self.assertRaises(subprocess.CalledProcessError) as refused:
            self.git("commit", "-q", "-m", "not fine", "sub/a.cpp")
        self.assertIn("[SA101]", (refused.exception.stdout + refused.exception.stderr).decode())
        self.assertEqual(self.git("log", "--format=%s").split("\n")[0], "fine")

    def test_nothing_staged(self):
        self.put("a.cpp", SITE)
        self.commit()
        self.assertEqual(self.found("--staged", status=0), [])


class Patch(Change):
    PATCH = "--- a/%s\n+++ b/%s\n@@ -10,0 +11,2 @@\n+x\n+y\n"

    def patched(self, text, *args, **options):
        self.put("change.patch", text.encode() if isinstance(text, str) else text, "wb")
        return self.found("--patch", "change.patch", *args, **options)

    def hunk(self, line, name="a.cpp"):
        return "--- a/%s\n+++ b/%s\n@@ -%d +%d @@\n-x\n+y\n" % (name, name, line, line)

    def test_forms(self):
        self.put("a.cpp", TWO)
        six = [("a.cpp", 6)]
        self.assertEqual(self.patched(self.hunk(6)), six)
        self.assertEqual(self.patched(self.hunk(6).replace("\n", "\r\n")), six)
        self.assertEqual(self.patched(self.hunk(6).replace("a/a", "a").replace("b/a", "a")), six)
        self.assertEqual(self.patched("From: somebody\n\n---\n a.cpp | 2 +-\n\ndiff --git a/a.cpp b/a.cpp\nindex 1..2 100644\n" +
                                      self.hunk(6) + "-- \n2.39\n"), six)
        self.assertEqual(self.patched("Index: a.cpp\n======\n--- a.cpp\t(revision 1)\n+++ a.cpp\t(working copy)\n@@ -6 +6 @@\n-x\n+y\n"),
                         six)
        self.assertEqual(self.patched("--- a/a.cpp\n+++ b/a.cpp\n@@ -5,3 +5,3 @@ void f()\n x\n-y\n+y\n\n"), six)
        self.assertEqual(self.patched("--- /dev/null\n+++ b/a.cpp\n@@ -0,0 +1,6 @@\n" + "+x\n" * 6), six)
        self.assertEqual(self.patched(self.hunk(6) + "\\ No newline at end of file\n" + self.hunk(13)), six + [("a.cpp", 13)])
        self.assertEqual(self.patched("--- a/a.cpp\n+++ b/a.cpp\n@@ -3,4 +3,5 @@\n x\n-y\n+y\n+y\n x\n x\n@@ -13,1 +14 @@\n-x\n+x\n"), six)
        self.assertEqual(self.patched(""), [])

    def test_text_that_looks_like_heads(self):
        self.put("a.cpp", TWO)
        self.assertEqual(self.patched("--- a/a.cpp\n+++ b/a.cpp\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n-@@ -6 +6 @@\n+@@ -6 +6 @@\n"), [])

    def test_other_files(self):
        self.put("a.cpp", SITE)
        self.put("b/b.cpp", SITE)
        self.assertEqual(self.patched("--- a/a.cpp\n+++ /dev/null\n@@ -6 +0,0 @@\n-x\n" + self.hunk(6, "none.cpp")), [])
        self.assertEqual(self.patched("diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n"
                                      "diff --git a/y b/y\nGIT binary patch\nliteral 3\nKc$@@ -1\n\n" + self.hunk(6)), [("a.cpp", 6)])
        self.assertEqual(self.patched("--- b/b.cpp\n+++ b/b.cpp\n@@ -6 +6 @@\n-x\n+y\n"), [("b/b.cpp", 6)])
        self.assertEqual(self.patched("--- a/b.cpp\n+++ b/b.cpp\n@@ -6 +6 @@\n-x\n+y\n"), [("b/b.cpp", 6)])
        self.assertEqual(self.patched("diff --git a/o.cpp b/a.cpp\nsimilarity index 100%\nrename from o.cpp\nrename to a.cpp\n"), [])
        self.assertEqual(self.patched(self.hunk(6, "../a.cpp") + self.hunk(6, "/etc/passwd")), [])

    def test_quoted_names(self):
        self.put("caf\u00e9 \"\t.cpp", SITE)
        self.assertEqual(self.patched('--- "a/caf\\303\\251 \\"\\t.cpp"\n+++ "b/caf\\303\\251 \\"\\t.cpp"\n@@ -6 +6 @@\n-x\n+y\n'),
                         [("caf\u00e9 \"\t.cpp", 6)])

    def test_standard_input(self):
        self.put("a.cpp", TWO)
        self.assertEqual(self.found("--patch", "-", input=self.hunk(13).encode()), [("a.cpp", 13)])

    def test_broken(self):
        self.put("a.cpp", SITE)
        for text, line in ((self.hunk(6)[:-3], 4), ("@@ -1 +1 @@\n-x\n+y\n", 1), ("--- a/a.cpp\n+++ b/a.cpp\n@@ -x +1 @@\n", 3),
                           ("--- a/a.cpp\n+++ b/a.cpp\n@@ -1 +1,99999999999999 @@\n", 3), ("--- a/a.cpp\n", 1),
                           ('--- "a/a.cpp\n+++ "b/a.cpp\n', 2), ("--- a/a.cpp\n+++ b/a.cpp\n@@ -1 +1 @@\n?x\n", 4),
                           ("--- a/a.cpp\n+++ b/a.cpp\n@@@ -1 -1 +1 @@@\n", 3), ("--- a/a.cpp\n+++ b/a.cpp\n@@ -1 +1 @@\n+x\n+y\n", 5)):
            self.put("change.patch", text)
            done = self.lint("--patch", "change.patch", status=2)
            self.assertRegex(done.stderr, r"^change\.patch:%d: error: not a patch that can be read: " % line, text)
        self.assertIn("none.patch", self.lint("--patch", "none.patch", status=2).stderr)
        self.lint("--patch", "change.patch", "none.cpp", status=2)
        self.put("zero.patch", b"--- a/a.cpp\0\n+++ b/a.cpp\n@@ -1 +1 @@\n\0x\n", "wb")
        self.lint("--patch", "zero.patch", status=2)


class StandardInput(Change):
    def test_an_editors_buffer(self):
        self.put("dir/a.cpp", "int saved;\n")
        for name in ("dir/a.cpp", "new.cpp"):
            done = self.lint("--stdin-filename", name, status=1, input=SITE.encode())
            self.assertIn(name + ":6:3: warning: ", done.stdout)
            self.assertIn("     6 |   t.record_stream(side);\n", done.stdout)
        self.assertEqual(self.lint("--stdin-filename", "dir/a.cpp", status=0, input=b"").stderr, "")
        self.assertIn("not a C", self.lint("--stdin-filename", "a.txt", input=SITE.encode()).stderr)

    def test_a_header_in_the_buffer(self):
        self.put("read.h", "#pragma once\n")
        self.put("use.cpp", '#include "read.h"\n' + SITE)
        found = self.found("--stdin-filename", "read.h", ".", input=HEADER.encode())
        self.assertEqual(found, [("read.h", 7), ("use.cpp", 7)])

    def test_a_cache_knows_the_buffer(self):
        self.put("read.h", "#pragma once\n#define SIDE side\n")
        self.put("use.cpp", '#include "read.h"\n' + SITE.replace("t.record_stream(side)", "SIDE_CALL"))
        kept = ["--cache-dir", "kept", "--stdin-filename", "read.h", "."]
        buffers = ["#define SIDE_CALL t.record_stream(side)\n", "#define SIDE_CALL t.zero_()\n"]
        for text in buffers + buffers:
            alone = self.lint("--format", "json", *kept[2:], input=text.encode()).stdout
            self.assertEqual(self.lint("--format", "json", *kept, input=text.encode()).stdout, alone)

    def test_bad_input(self):
        self.lint("--stdin-filename", "a.cpp", status=3, input=b"record_stream\0" + SITE.encode())
        self.lint("--stdin-filename", "a.cpp", input=b"\xff\xfe" + SITE.encode())
        self.assertIn("too large", self.lint("--stdin-filename", "a.cpp", status=2, input=b" " * (17 << 20)).stderr)


if __name__ == "__main__":
    unittest.main()
