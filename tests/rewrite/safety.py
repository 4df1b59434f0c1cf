#!/usr/bin/env python3
"""What --diff and --fix do with files that they must not write, and in the middle of trouble.

    safety.py SA_LINT [unittest arguments]
"""
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

LINT = ""
SOURCE = b"""#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>

void run(const at::Tensor &in) {
  at::Tensor x = at::empty_like(in);
  x.copy_(in);
  x.record_stream(c10::cuda::getCurrentCUDAStream());
  x.add_(1);
}
"""
CALL = b"  x.record_stream(c10::cuda::getCurrentCUDAStream());\n"
FIXED = SOURCE.replace(CALL, b"")
PYTHON = b"""import torch


def run(batch, out, side: torch.cuda.Stream):
    x = torch.sum(batch, 1)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        out.copy_(x)
    x.record_stream(side)
"""
PYTHON_FIXED = PYTHON.replace(b"x.record_stream(side)", b"torch.cuda.current_stream().wait_stream(side)")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text)


class Case(unittest.TestCase):
    def setUp(self):
        self.top = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.root = os.path.join(self.top, "project")
        self.path = os.path.join(self.root, "a.cpp")
        write(self.path, SOURCE)

    def lint(self, *args, status=(0, 1), **options):
        done = subprocess.run([LINT, "--root", self.root, "--no-config", *args], cwd=self.root, capture_output=True, **options)
        self.assertIn(done.returncode, status, done.stderr.decode())
        return done

    def names(self):
        return sorted(os.listdir(self.root))


class Files(Case):
    def test_fix_writes_the_file_and_reports_what_is_left(self):
        done = self.lint("--fix", "a.cpp", status=(0,))
        self.assertEqual(read(self.path), FIXED)
        self.assertNotIn(b"SA201", done.stdout)
        self.assertIn(b"1 of 1 files edited", done.stderr)
        self.assertEqual(self.names(), ["a.cpp"])

    def test_diff_writes_nothing(self):
        done = self.lint("--diff", "a.cpp")
        self.assertIn(b"-" + CALL, done.stdout)
        self.assertEqual(read(self.path), SOURCE)

    def test_mode_bits_stay(self):
        os.chmod(self.path, 0o750)
        self.lint("--fix", "a.cpp")
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o750)
        self.assertEqual(read(self.path), FIXED)

    def test_a_read_only_file_is_refused(self):
        os.chmod(self.path, 0o444)
        done = self.lint("--fix", "a.cpp")
        self.assertIn(b"a.cpp: error: not edited: it is read-only", done.stderr)
        self.assertEqual(read(self.path), SOURCE)
        self.assertEqual(done.returncode, 1, "the finding is still there")

    def test_a_link_inside_stays_a_link(self):
        real = os.path.join(self.root, "real", "b.cpp")
        write(real, SOURCE)
        os.remove(self.path)
        os.symlink("real/b.cpp", self.path)
        self.lint("--fix", "a.cpp")
        self.assertTrue(os.path.islink(self.path))
        self.assertEqual(read(real), FIXED)

    def test_a_link_out_of_the_root_is_refused(self):
        outside = os.path.join(self.top, "outside.cpp")
        write(outside, SOURCE)
        os.remove(self.path)
        os.symlink(outside, self.path)
        done = self.lint("--fix", "a.cpp", status=(0, 1, 2, 3))
        self.assertEqual(read(outside), SOURCE)
        self.assertNotEqual(done.returncode, 0)

    def test_a_file_outside_of_the_root_is_refused(self):
        outside = os.path.join(self.top, "outside.cpp")
        write(outside, SOURCE)
        done = self.lint("--fix", outside)
        self.assertIn(b"not edited: it lies outside of the project's root", done.stderr)
        self.assertEqual(read(outside), SOURCE)

    def test_a_header_is_not_edited_through_its_source(self):
        """A site in a header belongs to the header's own run; outside the root it has none."""
        header = os.path.join(self.top, "include", "h.hpp")
        write(header, SOURCE)
        write(self.path, b'#include "../include/h.hpp"\nvoid other(const at::Tensor &in) { run(in); }\n')
        self.lint("--fix", "--no-prefilter", "a.cpp", status=(0, 1))
        self.assertEqual(read(header), SOURCE)

    def test_two_findings_on_one_line(self):
        text = SOURCE.replace(CALL, CALL[:-1] + b" in.record_stream(c10::cuda::getCurrentCUDAStream());\n")
        write(self.path, text)
        self.lint("--fix", "a.cpp", status=(0, 1))
        self.assertNotIn(b"x.record_stream", read(self.path))
        self.assertIn(b"x.add_(1);", read(self.path))

    def test_only_what_is_selected(self):
        self.lint("--fix", "--select", "SA101", "a.cpp", status=(0, 1))
        self.assertEqual(read(self.path), SOURCE)

    def test_an_allowed_finding_is_left_alone(self):
        text = SOURCE.replace(CALL, CALL[:-1] + b" // sa-lint: allow(SA201) shown in a talk\n")
        write(self.path, text)
        self.lint("--fix", "a.cpp", status=(0, 1))
        self.assertEqual(read(self.path), text)


class Trouble(Case):
    def wait_for(self, what):
        end = time.time() + 60
        while not what() and time.time() < end:
            time.sleep(0.002)

    def test_a_file_that_changes_while_it_is_analysed(self):
        """A second file, large enough to take a while, keeps the run busy after the first was read."""
        slow = os.path.join(self.root, "b.cpp")
        body = b"".join(b"void f%d(const at::Tensor &in) {\n  at::Tensor x = at::empty_like(in);\n"
                        b"  x.record_stream(c10::cuda::getCurrentCUDAStream());\n}\n" % i for i in range(150))
        write(slow, b"#include <ATen/ATen.h>\n#include <c10/cuda/CUDAStream.h>\n" + body)
        process = subprocess.Popen([LINT, "--root", self.root, "--no-config", "--fix", "-j", "1", "a.cpp", "b.cpp"],
                                   cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        changed = SOURCE + b"// another word\n"
        write(self.path, changed)
        _, errors = process.communicate(timeout=300)
        text = read(self.path)
        self.assertIn(text, (changed, FIXED + b"// another word\n"))
        if text == changed:
            self.assertIn(b"a.cpp: error: not edited: it has changed since it was read", errors)

    def test_a_kill_in_the_middle_leaves_whole_files(self):
        names = ["f%02d.cpp" % i for i in range(12)]
        for delay in (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.2):
            for name in names:
                write(os.path.join(self.root, name), SOURCE)
            process = subprocess.Popen([LINT, "--root", self.root, "--no-config", "--fix", *names], cwd=self.root,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(delay)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for name in names:
                self.assertIn(read(os.path.join(self.root, name)), (SOURCE, FIXED), "half-written after %s s" % delay)

    def test_a_full_disk_leaves_the_file(self):
        done = subprocess.run(["sh", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$0" --root . --no-config --fix a.cpp', LINT],
                              cwd=self.root, capture_output=True)
        self.assertEqual(read(self.path), SOURCE)
        self.assertEqual(self.names(), ["a.cpp"], done.stderr.decode())


class Staged(Case):
    def git(self, *args, **options):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=self.root, check=True,
                              capture_output=True, **options).stdout

    def setUp(self):
        super().setUp()
        self.sub = os.path.join(self.root, "src", "b.cpp")
        write(self.sub, SOURCE.replace(CALL, b""))
        os.remove(self.path)
        self.git("init", "-q", ".")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "one")
        write(self.sub, SOURCE)
        self.git("add", ".")

    def staged(self):
        return self.git("show", ":src/b.cpp")

    def test_index_and_work_tree_get_the_edit(self):
        os.chmod(self.sub, 0o755)
        self.git("add", ".")
        self.lint("--fix", "--staged")
        self.assertEqual(self.staged(), FIXED)
        self.assertEqual(read(self.sub), FIXED)
        self.assertTrue(self.git("ls-files", "-s", "src/b.cpp").startswith(b"100755"))
        self.assertEqual(self.git("diff", "--name-only"), b"")

    def test_what_is_not_staged_stays(self):
        more = SOURCE.replace(b"x.add_(1);\n}\n", b"x.add_(1);\n}\n\n// not staged\nint more;\n")
        write(self.sub, more)
        self.lint("--fix", "--staged")
        self.assertEqual(self.staged(), FIXED)
        self.assertEqual(read(self.sub), more.replace(CALL, b""))

    def test_an_unstaged_change_of_the_same_lines_is_not_touched(self):
        other = SOURCE.replace(b"  x.record_stream(", b"  if (x.defined()) x.record_stream(")
        write(self.sub, other)
        done = self.lint("--fix", "--staged")
        self.assertIn(b"not edited: what is not staged touches the edit", done.stderr)
        self.assertEqual(self.staged(), SOURCE)
        self.assertEqual(read(self.sub), other)

    def test_an_unstaged_call_is_not_edited(self):
        self.git("commit", "-q", "-m", "two")
        text = FIXED + SOURCE.split(b"\n\n")[1].replace(b"run", b"other")
        write(self.sub, FIXED + b"// staged\n")
        self.git("add", ".")
        write(self.sub, text)
        self.lint("--fix", "--staged")
        self.assertEqual(read(self.sub), text)

    def test_python(self):
        path = os.path.join(self.root, "src", "c.py")
        write(path, PYTHON)
        self.git("add", ".")
        write(path, b"# not staged\n" + PYTHON)
        self.lint("--fix", "--staged")
        self.assertEqual(self.git("show", ":src/c.py"), PYTHON_FIXED)
        self.assertEqual(read(path), b"# not staged\n" + PYTHON_FIXED)

    def test_from_a_directory_below_the_top(self):
        done = subprocess.run([LINT, "--root", "src", "--no-config", "--fix", "--staged"], cwd=self.root, capture_output=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(self.staged(), FIXED)
        self.assertEqual(read(self.sub), FIXED)

    def test_no_file_to_edit(self):
        done = self.lint("--fix", "--stdin-filename", "src/b.cpp", status=(2,), input=SOURCE)
        self.assertIn(b"there is no file to edit", done.stderr)


class Patches(Case):
    def apply(self, text, name="a.cpp"):
        path = os.path.join(self.root, name)
        write(path, text)
        diff = self.lint("--diff", name).stdout
        subprocess.run(["git", "init", "-q", "."], cwd=self.root, check=True)
        done = subprocess.run(["git", "apply", "-"], cwd=self.root, input=diff, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr.decode() + repr(diff))
        return read(path)

    def test_odd_names(self):
        for name in ("a b.cpp", 'quo"te.cpp', "d\u00e4sh.cpp", "back\\slash.cpp"):
            self.assertEqual(self.apply(SOURCE, name), FIXED, name)

    def test_no_newline_at_the_end(self):
        text = SOURCE.rstrip(b"\n")
        self.assertEqual(self.apply(text), text.replace(CALL, b""))

    def test_crlf_and_bytes_that_are_no_utf8(self):
        text = SOURCE.replace(b"x.add_(1);", b"x.add_(1); // \xff\xfe").replace(b"\n", b"\r\n")
        self.assertEqual(self.apply(text), text.replace(CALL.replace(b"\n", b"\r\n"), b""))

    def test_many_hunks(self):
        one = SOURCE.split(b"\n\n")[1]
        functions = [one.replace(b"run", b"run%d" % i) for i in range(15)]
        text = SOURCE.split(b"\n\n")[0] + b"\n\n" + b"\n".join(functions)
        self.assertEqual(self.apply(text), text.replace(CALL, b""))


if __name__ == "__main__":
    LINT = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=0)
