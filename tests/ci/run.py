#!/usr/bin/env python3
"""The GitHub Action and the recipes for CI: their shell parts are taken out and run. Usage: run.py PROGRAM [unittest options].

What a runner has (sudo, apt-get, gh, virtual environments) is played by small scripts that note how they were called."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = None
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(TOP, "docs", "examples", "ci")

BAD = """#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {
  c10::cuda::CUDAStreamGuard guard(side);
  out.copy_(t, true);
  t.record_stream(side);
}
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run_blocks(text):
    """{step's name: (its shell, its environment)} of an action; blocks are told by their indentation."""
    found = {}
    for step in re.split(r"(?m)^    - name: ", text)[1:]:
        name = step.split("\n", 1)[0]
        match = re.search(r"(?m)^      run: \|\n((?:        .*\n|\n)+)", step)
        env = re.search(r"(?m)^      env:\n((?:        .*\n)+)", step)
        if match:
            names = re.findall(r"(?m)^        (\w+): (.*)$", env.group(1)) if env else []
            found[name] = (re.sub(r"(?m)^        ", "", match.group(1)), dict(names))
    return found


def defaults(text):
    """{input: default} of an action."""
    part = text[text.index("\ninputs:"):text.index("\noutputs:")]
    return {name: value.strip('"') for name, value in
            re.findall(r"(?m)^  ([\w-]+):\n    description: .*\n    default: (.*)$", part)}


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="sa ci-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.work = self.path("work tree")
        self.put("bin/sudo", '#!/bin/sh\nexec "$@"\n')
        self.put("bin/apt-get", '#!/bin/sh\necho "apt-get $*" >> "$CALLS"\n')
        for name in ("output", "summary", "path", "calls"):
            self.put(name, "")
        os.makedirs(self.work)
        os.makedirs(self.path("temp"))
        self.action = read(os.path.join(TOP, "action.yml"))
        self.blocks = run_blocks(self.action)

    def path(self, name):
        return os.path.join(self.directory, name)

    def put(self, name, text, mode=0o755):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def bash(self, script, with_program=True, **variables):
        path = self.path("bin") + (":" + os.path.dirname(PROGRAM) if with_program else "") + ":/usr/bin:/bin"
        environment = {"PATH": path, "HOME": self.directory, "LC_ALL": "C.UTF-8", "CALLS": self.path("calls"),
                       "GITHUB_OUTPUT": self.path("output"), "GITHUB_STEP_SUMMARY": self.path("summary"),
                       "GITHUB_PATH": self.path("path"), "RUNNER_TEMP": self.path("temp"), **variables}
        environment.update((name, os.environ[name]) for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ)
        # As a runner calls it.
        return subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], cwd=self.work,
                              env=environment, capture_output=True, text=True, timeout=300, check=False)

    def outputs(self):
        return dict(line.split("=", 1) for line in read(self.path("output")).splitlines())


class Action(Case):
    def step(self, name, status=0, with_program=True, **variables):
        script, names = self.blocks[name]
        inputs = defaults(self.action)
        environment = {}
        for variable, expression in names.items():
            match = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", expression)
            environment[variable] = inputs[match.group(1)] if match else ""
        done = self.bash(script, with_program, **{**environment, **variables})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def test_shape(self):
        self.assertEqual(set(self.blocks), {"Install", "Lint", "Result"})
        self.assertEqual(set(defaults(self.action)), {"paths", "args", "version", "checksum", "config", "build-dir", "diff-base",
                                                      "fail-on", "sarif-file", "upload-sarif", "category", "working-directory",
                                                      "token"})
        outputs = self.action[self.action.index("\noutputs:"):self.action.index("\nruns:")]
        self.assertEqual(re.findall(r"(?m)^  ([\w-]+):$", outputs), ["exit-code", "findings-count", "sarif-file", "version"])

    def test_nothing_from_outside_is_pasted_into_a_script(self):
        for name, (script, _) in self.blocks.items():
            self.assertNotIn("${{", script, name)

    def test_actions_are_pinned(self):
        for text in (self.action, read(os.path.join(EXAMPLES, "github.yml"))):
            for used in re.findall(r"uses: (\S+)", text):
                self.assertRegex(used, r"^[\w.-]+/[\w./-]+@[0-9a-f]{40}$|^sa-lint/sa-lint@v\d+\.\d+\.\d+$")

    def test_shellcheck(self):
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not installed")
        for name, (script, _) in self.blocks.items():
            done = subprocess.run(["shellcheck", "-s", "bash", "-e", "SC2153", "-"], input=script, capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout, "", name)

    def test_findings(self):
        self.put("work tree/src/a.cpp", BAD)
        done = self.step("Lint")
        self.assertIn("::warning file=src/a.cpp,line=6", done.stdout)
        self.assertEqual(self.outputs(), {"exit-code": "1", "findings-count": "1", "sarif-file": "sa-lint.sarif"})
        log = json.loads(read(os.path.join(self.work, "sa-lint.sarif")))
        self.assertEqual(log["runs"][0]["automationDetails"]["id"], "sa-lint/full/")
        self.assertIn("| SA101 | 1 |", read(self.path("summary")))
        self.assertIn("findings", self.step("Result", status=1, STATUS="1").stderr)

    def test_clean(self):
        self.put("work tree/src/a.cpp", "int clean;\n")
        self.step("Lint")
        self.assertEqual(self.outputs()["exit-code"], "0")
        self.assertEqual(self.outputs()["findings-count"], "0")
        self.assertEqual(json.loads(read(os.path.join(self.work, "sa-lint.sarif")))["runs"][0]["results"], [])
        self.step("Result", STATUS="0")

    def test_inputs_reach_the_program(self):
        self.put("work tree/a b/x.cpp", BAD)
        self.put("work tree/$(touch pwned)/y.cpp", BAD)
        self.put("work tree/-z.cpp", BAD)
        self.put("work tree/left out/z.cpp", BAD)
        self.step("Lint", PATHS="a b\n$(touch pwned)\n\n-z.cpp\n", ARGS="--ignore\nSA2\n", SARIF_FILE="out dir.sarif", CATEGORY="diff",
                  FAIL_ON="error")
        self.assertEqual(self.outputs(), {"exit-code": "0", "findings-count": "3", "sarif-file": "out dir.sarif"})
        self.assertFalse(os.path.exists(os.path.join(self.work, "pwned")))
        self.step("Lint", FAIL_ON="never")
        self.assertEqual(self.outputs()["exit-code"], "0")

    def test_hostile_inputs(self):
        self.put("work tree/a.cpp", BAD)
        for name in ("PATHS", "ARGS", "CONFIG", "BUILD_DIR", "DIFF_BASE", "FAIL_ON", "CATEGORY"):
            for value in ("$(touch pwned)", "`touch pwned`", "'; touch pwned; '", '"; touch pwned; "', "\n::set-output name=x::y"):
                self.step("Lint", **{name: value})
                for line in read(self.path("output")).splitlines():
                    self.assertRegex(line, r"^(exit-code=\d|findings-count=\d+|sarif-file=sa-lint\.sarif)$")
        self.step("Lint", status=2, SARIF_FILE="x\nexit-code=0")
        self.assertFalse(os.path.exists(os.path.join(self.work, "pwned")))

    def test_file_names_cannot_speak_to_the_runner(self):
        for name in ("a\nb.cpp", "::set-output name=x::y.cpp", "::error::z.cpp", "q\"'.cpp", "\x1b[31m.cpp", "<b>.cpp"):
            self.put("work tree/" + name, BAD)
        done = self.step("Lint")
        self.assertEqual(self.outputs()["findings-count"], "6")
        for line in done.stdout.splitlines():
            self.assertRegex(line, r"^::(notice|warning|error) file=[^:,\x1b]+,line=6,|^$|^[^:\x1b]")
        self.assertNotIn("<b>", read(self.path("summary")))

    def test_wrong_use(self):
        self.step("Lint", ARGS="--no-such-option")
        self.assertEqual(self.outputs(), {"exit-code": "2", "findings-count": "0", "sarif-file": "sa-lint.sarif"})
        self.step("Result", status=2, STATUS="2")
        self.step("Result", status=3, STATUS="3")

    def test_upload_is_not_for_forks_nor_the_last_word(self):
        step = self.action[self.action.index("- name: Upload"):self.action.index("- name: Result")]
        for part in ("always()", "inputs.upload-sarif == 'true'", "head.repo.fork != true", "continue-on-error: true"):
            self.assertIn(part, step)

    def test_install_takes_what_is_there(self):
        self.step("Install")
        self.assertRegex(self.outputs()["version"], r"^sa-lint \d+\.\d+\.\d+ \(libclang ")
        self.assertEqual(read(self.path("calls")), "")

    def test_install_of_a_release(self):
        package = b"a package"
        self.put("bin/gh", '#!/bin/bash\necho "gh $*" >> "$CALLS"\nprintf "a package" > "${9}/${7}"\n')
        good = hashlib.sha256(package).hexdigest()
        self.step("Install", VERSION="0.1.0", CHECKSUM=good, REPOSITORY="sa-lint/sa-lint")
        calls = read(self.path("calls"))
        self.assertIn("gh release download v0.1.0 --repo sa-lint/sa-lint --pattern sa-lint_0.1.0_amd64.deb", calls)
        self.assertIn("apt-get install -y -qq %s/temp/sa-lint_0.1.0_amd64.deb" % self.directory, calls)
        self.put("calls", "")
        self.step("Install", status=1, VERSION="0.1.0", CHECKSUM="0" * 64)
        self.assertNotIn("apt-get install", read(self.path("calls")))
        self.step("Install", status=2, VERSION="0.1.0; touch pwned")
        self.assertFalse(os.path.exists(os.path.join(self.work, "pwned")))

    def test_install_from_the_sources(self):
        pip = self.put("pip", '#!/bin/bash\necho "pip $*" >> "$CALLS"\ncp "$FAKE_PROGRAM" "${0%/*}/sa-lint"\n')
        program = self.put("fake", "#!/bin/sh\necho sa-lint 0.1.0\n")
        self.put("bin/python3", '#!/bin/bash\n[ "$1 $2 $3" = "-I -m venv" ] || exit 9\nmkdir -p "$4/bin"\ncp "$FAKE_PIP" "$4/bin/pip"\n')
        self.step("Install", with_program=False, SOURCES="/some where/sources", FAKE_PIP=pip, FAKE_PROGRAM=program)
        self.assertIn("pip install --quiet /some where/sources", read(self.path("calls")))
        self.assertEqual(read(self.path("path")).strip(), self.path("temp/sa-lint/bin"))
        self.assertEqual(self.outputs()["version"], "sa-lint 0.1.0")

    def test_python_takes_no_modules_of_the_checkout(self):
        self.put("work tree/venv.py", "open('ran', 'w')\n")
        gitlab = read(os.path.join(EXAMPLES, "gitlab.yml"))
        commands = re.findall(r"python3 .*-m venv", self.blocks["Install"][0] + gitlab)
        self.assertEqual(len(commands), 2)
        for command in commands:
            self.bash(command + " --help")
            self.assertFalse(os.path.exists(os.path.join(self.work, "ran")), command)

    def test_a_log_that_the_checkout_brings(self):
        self.put("work tree/a.cpp", BAD)
        self.put("outside", "precious")
        for make in (lambda path: os.symlink(self.path("outside"), path), lambda path: self.put(path, '"ruleId":"SA101"\n' * 9)):
            make(os.path.join(self.work, "sa-lint.sarif"))
            self.step("Lint", ARGS="--no-such-option")
            self.assertEqual(self.outputs()["findings-count"], "0")
            self.assertFalse(os.path.lexists(os.path.join(self.work, "sa-lint.sarif")))
        self.assertEqual(read(self.path("outside")), "precious")

    def test_what_is_built_has_its_packages(self):
        """The packages that the action and the GitLab job install are those that the build asks for."""
        wanted = set(re.search(r"apt-get install ([^\"]+)\"", read(os.path.join(TOP, "CMakeLists.txt"))).group(1).split())
        self.assertGreater(len(wanted), 3)
        for text in (self.action, read(os.path.join(EXAMPLES, "gitlab.yml")), read(os.path.join(TOP, "docs", "pre-commit.md"))):
            self.assertLessEqual(wanted, set(re.findall(r"[\w.-]+", text)))


class Recipes(Case):
    def test_workflow(self):
        text = read(os.path.join(EXAMPLES, "github.yml"))
        self.assertIn("\npermissions: {}\n", text)
        for job in ("full", "diff"):
            part = re.search(r"(?m)^  %s:\n((?:    .*\n|\n)+)" % job, text).group(1)
            self.assertIn("contents: read", part)
            self.assertIn("security-events: write", part)
            self.assertIn("category: " + job, part)
        self.assertIn("diff-base: origin/${{ github.base_ref }}", text)
        self.assertIn("fetch-depth: 0", text)
        self.assertEqual(set(re.findall(r"(?m)^          ([\w-]+): ", text)) - {"persist-credentials", "fetch-depth"},
                         {"category", "fail-on", "diff-base"})

    def gitlab(self, **variables):
        text = read(os.path.join(EXAMPLES, "gitlab.yml"))
        lines = re.findall(r"(?m)^    - (.*)$", text[text.index("  script:"):text.index("  artifacts:")])
        self.put("bin/python3", '#!/bin/bash\nshift 3\nmkdir -p "$1/bin"\nprintf "#!/bin/sh\\necho pip \\$* >> \\$CALLS\\n" > "$1/bin/pip"\n'
                 'printf "#!/bin/sh\\nexec %s \\"\\$@\\"\\n" > "$1/bin/sa-lint"\nchmod +x "$1/bin/"*\n' % PROGRAM)
        prefix = self.path("opt").replace(" ", "\\ ")
        # GitLab's shell ends at the first line that fails.
        return self.bash("set -e\n" + "\n".join(lines).replace("/opt/sa-lint", prefix), SA_LINT_VERSION="v0.1.0", **variables)

    def test_gitlab(self):
        self.put("work tree/src/a.cpp", BAD)
        done = self.gitlab()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("[SA101]", done.stdout)
        report = json.loads(read(os.path.join(self.work, "gl-code-quality-report.json")))
        self.assertEqual([(entry["check_name"].split()[0], entry["location"]["path"]) for entry in report],
                         [("SA101", "src/a.cpp")])
        self.assertIn("sa-lint@v0.1.0", read(self.path("calls")))

    def test_gitlab_merge_request(self):
        git = ["git", "-C", self.work, "-c", "user.name=a", "-c", "user.email=a@example.com"]
        self.put("work tree/src/a.cpp", BAD)
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "old"]):
            subprocess.run(git + command, check=True)
        base = subprocess.run(git + ["rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        self.put("work tree/src/b.cpp", BAD)
        subprocess.run(git + ["add", "."], check=True)
        subprocess.run(git + ["commit", "-q", "-m", "new"], check=True)
        done = self.gitlab(CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads(read(os.path.join(self.work, "gl-code-quality-report.json")))
        self.assertEqual([entry["location"]["path"] for entry in report], ["src/b.cpp"])

    def test_lintrunner_entry(self):
        text = read(os.path.join(EXAMPLES, "lintrunner.toml"))
        command = re.findall(r"'([^']*)'", re.search(r"(?m)^command = \[(.*)\]$", text).group(1))
        self.put("work tree/a.cpp", BAD)
        self.put("list", os.path.join(self.work, "a.cpp") + "\n")
        words = [word.replace("{{PATHSFILE}}", self.path("list")) for word in command]
        done = self.bash('"$0" "$@"'.replace("$0", words[0]).replace("$@", '" "'.join(words[1:])))
        self.assertEqual(done.returncode, 0, done.stderr)
        message = json.loads(done.stdout)
        self.assertEqual((message["line"], message["severity"]), (6, "warning"))
        init = re.findall(r"'([^']*)'", re.search(r"(?m)^init_command = \[(.*)\]$", text).group(1))
        self.put("bin/pip", '#!/bin/sh\necho "pip $*" >> "$CALLS"\n')
        for dry, called in (("1", ""), ("0", "pip install git+https://github.com/sa-lint/sa-lint@v0.1.0\n")):
            done = self.bash(init[2].replace("{{DRYRUN}}", dry))
            self.assertEqual((done.returncode, read(self.path("calls"))), (0, called))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
