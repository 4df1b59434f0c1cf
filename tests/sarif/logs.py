"""A project with everything that makes a log difficult, and the logs of runs over it."""
import atexit
import json
import os
import shutil
import subprocess
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = None

HEAD = """#include <c10/cuda/CUDAGuard.h>
#include <ATen/ATen.h>
"""
CALL = "t.record_stream(side);"
BODY = """void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  c10::cuda::CUDAStreamGuard guard(side);
  out.copy_(t, true);
  t.record_stream(side);
}
"""
SITE = HEAD + BODY
LOCAL = HEAD + """void sum_aside(at::Tensor &total, c10::cuda::CUDAStream side) {
  at::Tensor batch = at::rand({1 << 20}, total.options());
  {
    c10::cuda::CUDAStreamGuard guard(side);
    total.add_(batch.sum());
  }
  batch.record_stream(side);
}
"""
MACRO = HEAD + """#define HAND_OVER(tensor, stream) \\
  (tensor).record_stream(stream)
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  c10::cuda::CUDAStreamGuard guard(side);
  out.copy_(t, true);
  HAND_OVER(t, side);
}
"""
JUSTIFIED = os.path.join("fixtures", "cases", "SA104", "callback", "good.cpp")
UNJUSTIFIED = os.path.join("fixtures", "cases", "SA104", "callback", "bad.cpp")


def fixture(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def sources():
    """name: bytes, of the whole project."""
    emoji = SITE.replace("  " + CALL, "\t/* \U0001f600\u00e9 */ " + CALL)
    twice = SITE.replace(CALL, CALL + " " + CALL)
    texts = {
        "src/plain.cpp": SITE,
        "src/local.cpp": LOCAL,
        "src/a b/emoji \u6d41.cpp": emoji,
        "src/crlf.cpp": emoji.replace("\n", "\r\n"),
        "src/bom.cpp": "\ufeff" + emoji,
        "src/tabs.cu": SITE.replace("  ", "\t\t"),
        "src/macro.cpp": MACRO,
        "src/twice.cpp": twice,
        "src/many_lines.cpp": SITE.replace("(side);\n}", "(\n      side\n  );\n}"),
        "src/allowed.cpp": SITE.replace(CALL, CALL + " // sa-lint: allow(SA101) the caller keeps 't' until it waits"),
        "src/useless.cpp": SITE.replace(CALL, "// sa-lint: allow(SA203) nothing says so\n  " + CALL),
        "src/justified.cpp": fixture(JUSTIFIED),
        "src/unjustified.cpp": fixture(UNJUSTIFIED),
        "src/nothing.cpp": "int nothing;\n",
    }
    data = {name: text.encode() for name, text in texts.items()}
    data["src/latin1.cpp"] = SITE.replace("  " + CALL, "  /* \u00e9\u00fc */ " + CALL).encode("latin-1")
    data["src/binary.cpp"] = b"\x7fELF\0\0 record_stream\0"
    for rule in sorted(os.listdir(os.path.join(TOP, "fixtures", "cases"))):
        folder = os.path.join(TOP, "fixtures", "cases", rule)
        for case in sorted(os.listdir(folder)) if rule.startswith("SA") else []:
            for name in sorted(os.listdir(os.path.join(folder, case))):
                if name.startswith("bad."):
                    with open(os.path.join(folder, case, name), "rb") as file:
                        data[f"cases/{rule}/{case}/{name}"] = file.read()
    return data


def git(directory, *args):
    """Runs git with a fixed author and clock, and with no configuration of the user."""
    environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_NAME="a",
                       GIT_AUTHOR_EMAIL="a@example.com", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.com",
                       GIT_AUTHOR_DATE="2020-01-01T00:00:00Z", GIT_COMMITTER_DATE="2020-01-01T00:00:00Z")
    return subprocess.run(["git", *args], cwd=directory, env=environment, capture_output=True, text=True,
                          check=True).stdout.strip()


def write(directory, files):
    for name, data in files.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())


class Project:
    """A work tree under git with its own files."""

    def __init__(self, files, remote="https://user:secret@example.com/some/project.git?token=secret"):
        self.directory = tempfile.mkdtemp(prefix="sa-sarif-")
        atexit.register(shutil.rmtree, self.directory, True)
        write(self.directory, files)
        git(self.directory, "init", "-q", "-b", "main")
        git(self.directory, "add", ".")
        git(self.directory, "commit", "-q", "-m", "all")
        if remote:
            git(self.directory, "remote", "add", "origin", remote)

    def path(self, name):
        return os.path.join(self.directory, name)

    named = (".",)

    def text(self, *args, paths=None, status=(0, 1, 3), environment=None, stderr=None):
        """The bytes of a run with --format sarif, as text."""
        done = subprocess.run([PROGRAM, "--no-config", "--format", "sarif", *args, *(paths or self.named)], cwd=self.directory, timeout=300,
                              env=dict(os.environ, **(environment or {})), capture_output=True, check=False)
        assert done.returncode in status, (done.returncode, done.stderr.decode())
        if stderr is not None:
            stderr.append(done.stderr.decode("utf-8", "replace"))
        return done.stdout.decode()

    def log(self, *args, **options):
        return json.loads(self.text(*args, **options))

    def run(self, *args, **options):
        """The one run of the log."""
        runs = self.log(*args, **options)["runs"]
        assert len(runs) == 1, len(runs)
        return runs[0]


_whole = None


def whole():
    """The project of all sources, made once."""
    global _whole
    if _whole is None:
        _whole = Project(sources())
        _whole.named = (".", "src/binary.cpp")
    return _whole


def place(result):
    return result["locations"][0]["physicalLocation"]


def uri(result):
    return place(result)["artifactLocation"]["uri"]
