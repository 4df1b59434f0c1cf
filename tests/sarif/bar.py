#!/usr/bin/env python3
"""The numbered checks that our SARIF meets, one test a number. Usage: bar.py PROGRAM [unittest options].

Checks 1, 2 and 48 are in validators.py, for they need other programs; 45 and the end of 44 are in a unit test
(report_sarif_size), for they need a large input."""
import hashlib
import json
import os
import re
import subprocess
import sys
import unittest
import urllib.parse

import line_hash
import logs
import upload
from logs import BODY, CALL, HEAD, LOCAL, SITE, TOP, Project, git, place, uri, whole, write

ORDERED = ("SA101", "SA202", "SA203", "SA301", "SA302", "SA303", "SA304")


def everything(run):
    """Every object of the run, depth first."""
    stack = [run]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def source_lines(data):
    """Lines as editors and GitHub count them, in UTF-16 units, bad bytes as U+FFFD."""
    text = data.decode("utf-8", "replace")
    return re.split("\r\n|\r|\n", text)


def cut(line, start, end):
    """From UTF-16 column `start` to before `end`."""
    units = line.encode("utf-16-le")
    return units[2 * start - 2:2 * end - 2].decode("utf-16-le")


class Bar(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.files = logs.sources()
        cls.run_ = whole().run()
        cls.driver = cls.run_["tool"]["driver"]
        cls.rules = cls.driver["rules"]
        cls.results = cls.run_["results"]

    def of(self, name, run=None):
        """The results in one file."""
        wanted = urllib.parse.quote(name, safe="/+,=@~")
        return [result for result in (run or self.run_)["results"] if uri(result) == wanted]

    def one(self, name, rule="SA101", run=None):
        found = [result for result in self.of(name, run) if result["ruleId"] == rule]
        self.assertEqual(len(found), 1, name)
        return found[0]

    def source_of(self, result):
        return self.files[urllib.parse.unquote(uri(result))]

    def data_of(self, location):
        return self.files[urllib.parse.unquote(location["artifactLocation"]["uri"])]

    def test_there_is_enough_to_check(self):
        self.assertGreater(len(self.results), 50)
        self.assertGreaterEqual({result["ruleId"] for result in self.results},
                                {"SA101", "SA102", "SA103", "SA104", "SA201", "SA202", "SA203", "SA204", "SA301",
                                 "SA302", "SA303", "SA304", "SA401", "SA501", "SA502", "SA901", "SA902"})

    # file and run

    def test_03_one_json_text_and_nothing_else(self):
        for args in (["--verbose"], ["--verbose", "--statistics", "--timing", "-j", "0"]):
            heard = []
            text = whole().text(*args, paths=["src", "src/binary.cpp"], stderr=heard)
            self.assertEqual(json.loads(text)["version"], "2.1.0")
            self.assertTrue(text.startswith('{"$schema"') and text.endswith("}\n"))
            self.assertIn("binary.cpp", heard[0])

    def test_04_results_are_there_when_empty(self):
        self.assertEqual(whole().run(paths=["src/nothing.cpp"], status=[0])["results"], [])
        self.assertEqual(Project({"a.txt": "x"}).run(status=[0])["results"], [])
        self.assertEqual(whole().run(paths=["src/binary.cpp"], status=[3])["results"], [])

    def test_05_schema_version_and_bytes(self):
        text = whole().text(paths=["src"])
        log = json.loads(text)
        self.assertEqual(log["$schema"], "https://json.schemastore.org/sarif-2.1.0.json")
        self.assertEqual(log["version"], "2.1.0")
        self.assertFalse(text.startswith("\ufeff"))
        self.assertEqual(text.count("\n"), 1)
        self.assertNotIn("\r", text)
        self.assertTrue(text.endswith("}\n"))

    def test_06_same_bytes(self):
        names = ["src", "cases/SA301"]
        first = whole().text("-j", "1", paths=names)
        self.assertEqual(first, whole().text("-j", "1", paths=names))
        self.assertEqual(first, whole().text("-j", "3", paths=names[::-1]))
        self.assertEqual(first, whole().text("-j", "0", paths=names))
        self.assertNotIn(whole().directory, first)
        self.assertNotIn(TOP, first)
        self.assertNotRegex(first, r"\d\d:\d\d:\d\dZ|/tmp/|/usr/|/root/")
        asked = whole().run("--sarif-invocation", paths=["src/plain.cpp"])["invocations"][0]
        self.assertEqual(asked["workingDirectory"]["uri"], "file://" + whole().directory + "/")
        self.assertRegex(asked["startTimeUtc"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(asked["endTimeUtc"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(asked["arguments"][-1], "src/plain.cpp")

    def test_07_one_run(self):
        self.assertEqual(len(whole().log(paths=["src", "cases"])["runs"]), 1)
        # Two logs of one category would be refused by the upload; `merge` makes them one run.
        project = Project({"a.cpp": SITE, "b.cpp": SITE})
        for name in "ab":
            with open(project.path(name + ".sarif"), "w", encoding="utf-8") as file:
                file.write(project.text(paths=[name + ".cpp"]))
        merged = subprocess.run([logs.PROGRAM, "merge", "--format", "sarif", "a.sarif", "b.sarif"], cwd=project.directory,
                                capture_output=True, text=True, check=False)
        runs = json.loads(merged.stdout)["runs"]
        self.assertEqual([[uri(result) for result in run["results"]] for run in runs], [["a.cpp", "b.cpp"]])

    def test_08_category(self):
        ids = {args: whole().run(*args, paths=["src/plain.cpp"])["automationDetails"]["id"]
               for args in ((), ("--sarif-category", "full"), ("--sarif-category", "full/"), ("--sarif-category", ""))}
        self.assertEqual(list(ids.values()), ["sa-lint/", "sa-lint/full/", "sa-lint/full/", "sa-lint/"])

    def test_09_driver(self):
        expected = {"name": "sa-lint", "organization": "sa-lint", "language": "en-US"}
        self.assertEqual({key: self.driver.get(key) for key in expected}, expected)
        self.assertIn("sa-lint", self.driver["fullName"])
        self.assertRegex(self.driver["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(self.driver["semanticVersion"], self.driver["version"])
        self.assertRegex(self.driver["informationUri"], r"^https://")
        with open(os.path.join(TOP, "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertIn("VERSION " + self.driver["version"], file.read())

    def test_10_columns_are_utf16(self):
        self.assertEqual(self.run_["columnKind"], "utf16CodeUnits")
        # A tab, "/* ", an emoji of two units, a letter of two bytes, " */ ".
        for name in ("src/a b/emoji \u6d41.cpp", "src/crlf.cpp", "src/bom.cpp"):
            region = place(self.one(name))["region"]
            self.assertEqual((region["startColumn"], region["endColumn"]), (12, 12 + len(CALL) - 1), name)
            self.assertEqual(region["snippet"]["text"], CALL[:-1])
        self.assertEqual(place(self.one("src/tabs.cu"))["region"]["startColumn"], 3)

    def test_11_root(self):
        self.assertNotIn("uri", self.run_["originalUriBaseIds"]["%SRCROOT%"])
        for given in ("file:///a/b", "file:///a/b/"):
            run = whole().run("--sarif-root-uri", given, paths=["src/plain.cpp"])
            self.assertEqual(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///a/b/")
        for bad in ("/a/b", "https://example.com/", "file://host/a", "file:///a b", "src"):
            heard = []
            whole().text("--sarif-root-uri", bad, paths=["src/plain.cpp"], status=[2], stderr=heard)
            self.assertIn("--sarif-root-uri", heard[0])

    def test_12_provenance(self):
        provenance, = self.run_["versionControlProvenance"]
        self.assertEqual(provenance, {"repositoryUri": "https://example.com/some/project.git",
                                      "revisionId": git(whole().directory, "rev-parse", "HEAD"), "branch": "main",
                                      "mappedTo": {"uriBaseId": "%SRCROOT%"}})
        self.assertNotIn("secret", whole().text(paths=["src"]))
        self.assertNotIn("versionControlProvenance", whole().run("--no-sarif-provenance", paths=["src/plain.cpp"]))
        self.assertNotIn("versionControlProvenance", Project({"a.cpp": SITE}, remote=None).run())
        self.assertNotIn("versionControlProvenance", Project({"a.cpp": SITE}, remote="/srv/git/project.git").run())
        remote = Project({"a.cpp": SITE}, remote="git@example.com:some/project.git").run()["versionControlProvenance"]
        self.assertEqual(remote[0]["repositoryUri"], "ssh://example.com/some/project.git")

    def test_13_failed_file(self):
        invocation = self.run_["invocations"][0]
        self.assertIs(invocation["executionSuccessful"], False)
        failed = [note for note in invocation["toolExecutionNotifications"] if note["level"] == "error"]
        self.assertEqual([note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for note in failed],
                         ["src/binary.cpp"])
        kinds = {kind["id"] for kind in self.driver["notifications"]}
        for notes in ("toolExecutionNotifications", "toolConfigurationNotifications"):
            for note in invocation[notes]:
                self.assertIn(note["descriptor"]["id"], kinds)
                self.assertTrue(note["message"]["text"])
        self.assertEqual(self.of("src/binary.cpp"), [])
        self.assertIs(whole().run(paths=["src/plain.cpp"])["invocations"][0]["executionSuccessful"], True)

    def test_14_configuration_notifications(self):
        def told(project, *args):
            return [note["message"]["text"]
                    for note in project.run(*args)["invocations"][0]["toolConfigurationNotifications"]]
        self.assertTrue(any("no compile database" in text for text in told(Project({"a.cpp": SITE}))))
        project = Project({"a.cpp": SITE, "b.cpp": SITE, "compile_commands.json":
                           json.dumps([{"directory": ".", "file": "a.cpp", "command": "c++ -c -fplugin=x a.cpp"}])})
        texts = told(project, "-p", ".")
        self.assertTrue(any("not in the compile database" in text for text in texts), texts)
        self.assertTrue(any("-fplugin" in text for text in texts), texts)
        # A suppression that nothing needs is a result of its own (SA902), as code review wants to see it.
        self.assertEqual([result["ruleId"] for result in self.of("src/useless.cpp") if result["ruleId"] != "SA101"],
                         ["SA902"])

    def test_15_artifacts(self):
        names = [artifact["location"]["uri"] for artifact in self.run_["artifacts"]]
        self.assertEqual(names, sorted({uri(result) for result in self.results}, key=urllib.parse.unquote))
        for artifact in self.run_["artifacts"]:
            data = self.files[urllib.parse.unquote(artifact["location"]["uri"])]
            self.assertEqual(artifact["length"], len(data))
            self.assertEqual(artifact["hashes"]["sha-256"], hashlib.sha256(data).hexdigest())
            self.assertIn(artifact["sourceLanguage"], ("cplusplus", "c", "cuda", "python"))
        for value in everything(self.results):
            if "index" in value:
                self.assertEqual(names[value["index"]], value["uri"])

    # rules

    def test_16_rules_are_complete(self):
        for rule in self.rules:
            self.assertRegex(rule["name"], r"^([A-Z][a-z]+)+$")
            self.assertNotEqual(rule["name"], rule["id"])
            texts = [rule["shortDescription"]["text"], rule["fullDescription"]["text"], rule["help"]["text"],
                     rule["help"]["markdown"], rule["helpUri"], rule["defaultConfiguration"]["level"]]
            texts += [message["text"] for message in rule["messageStrings"].values()]
            self.assertTrue(all(text.strip() for text in texts), rule["id"])
            self.assertLessEqual(len(rule["shortDescription"]["text"]), 1024)
            self.assertLessEqual(len(rule["fullDescription"]["text"]), 1024)
            self.assertGreaterEqual(len(rule["messageStrings"]), 1)

    def test_17_rules_do_not_depend_on_the_input(self):
        empty = Project({"a.txt": "x"}).run()["tool"]
        self.assertEqual(empty, self.run_["tool"])
        text = json.dumps(empty)
        for result in self.results:
            for value in result["message"]["arguments"][:-1]:
                if len(value) > 25 and " " not in value:
                    self.assertNotIn(value, text)

    def test_18_ids_are_frozen(self):
        with open(os.path.join(TOP, "tests", "sarif", "rule_ids.txt"), encoding="utf-8") as file:
            frozen = [tuple(line.split()) for line in file]
        self.assertEqual(len({rule_id for rule_id, _ in frozen}), len(frozen), "an id stands there twice")
        here = {rule["id"]: rule["name"] for rule in self.rules}
        former = {old: rule["name"] for rule in self.rules for old in rule.get("deprecatedIds", [])}
        self.assertFalse(set(here) & set(former), "an id is used again")
        for rule_id, name in frozen:
            self.assertRegex(rule_id, r"^[A-Za-z0-9]+$")
            pascal = "".join(part.capitalize() for part in name.split("-"))
            self.assertTrue(here.get(rule_id) == pascal or rule_id in former, rule_id + " is gone or renamed")
        self.assertEqual(set(here) - {rule_id for rule_id, _ in frozen}, set(), "add the new ids to rule_ids.txt")

    def test_18_renamed_rule_keeps_its_old_id(self):
        folder = Project({"a.txt": "x"}).directory
        subprocess.run(["cp", "-r", os.path.join(TOP, "rules"), folder], check=True)
        path = os.path.join(folder, "rules", "rules", "SA401.yaml")
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("id: SA401", "id: SA402\nformerly: [SA401]")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        rules = whole().run("--rules", os.path.join(folder, "rules"), paths=["src/nothing.cpp"])["tool"]["driver"]["rules"]
        self.assertEqual([rule["id"] for rule in rules if rule.get("deprecatedIds") == ["SA401"]], ["SA402"])

    def test_19_precision_and_severity(self):
        severity = {"error": "error", "warning": "warning", "note": "recommendation"}
        for rule in self.rules:
            self.assertIn(rule["properties"]["precision"], ("very-high", "high", "medium", "low"))
            self.assertEqual(rule["properties"]["problem.severity"], severity[rule["defaultConfiguration"]["level"]])

    def test_20_no_security_severity(self):
        self.assertNotIn("security-severity", json.dumps(self.run_))
        self.assertNotIn("security", [tag for rule in self.rules for tag in rule["properties"]["tags"]])

    def test_21_tags(self):
        for rule in self.rules:
            tags = rule["properties"]["tags"]
            self.assertTrue(1 <= len(tags) <= 10)
            self.assertLessEqual(set(tags), {"gpu", "memory", "correctness", "performance", "maintainability"})

    def test_22_help_pages_exist(self):
        for rule in self.rules:
            before, page = rule["helpUri"].split("/docs/", 1)
            self.assertTrue(before.endswith("/v" + self.driver["version"]), rule["helpUri"])
            with open(os.path.join(TOP, "docs", page), encoding="utf-8") as file:
                self.assertIn(rule["id"], file.readline())

    # results

    def test_23_level_is_written(self):
        self.assertLessEqual({result["level"] for result in self.results}, {"error", "warning", "note"})
        self.assertEqual({result["level"] for result in self.results}, {"error", "warning", "note"})

    def test_24_rule_by_id_and_index(self):
        for result in self.results:
            self.assertEqual(self.rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertNotIn("rule", result)

    def test_25_message_renders(self):
        for result in self.results:
            message = result["message"]
            words = self.rules[result["ruleIndex"]]["messageStrings"][message["id"]]["text"]
            numbers = {int(number) for number in re.findall(r"\{(\d+)\}", words)}
            self.assertEqual(numbers, set(range(len(message["arguments"]))))
            self.assertEqual(re.sub(r"\{(\d+)\}", lambda m: message["arguments"][int(m.group(1))], words), message["text"])
            self.assertTrue(message["text"].endswith("."))
            self.assertRegex(message["text"], r"^(?:[A-Z']|record_)[^.]*(?:\.|'.*\.)")
        for rule in self.rules:
            for message in rule["messageStrings"].values():
                self.assertNotRegex(message["text"], r"(?<!')\{\d+\}|\{\d+\}(?!')", "a name without quotes")

    def test_26_messages_are_plain(self):
        self.assertFalse([value for result in self.results for value in everything(result) if "markdown" in value])

    def test_27_one_location_where_the_call_is_seen(self):
        for result in self.results:
            self.assertEqual(len(result["locations"]), 1)
        region = place(self.one("src/macro.cpp"))["region"]
        self.assertEqual((region["startLine"], region["snippet"]["text"]), (8, "HAND_OVER(t, side)"))

    def test_28_regions(self):
        for location in (value for value in everything(self.results) if "region" in value):
            region = location["region"]
            numbers = [region[key] for key in ("startLine", "startColumn", "endLine", "endColumn")]
            self.assertGreaterEqual(min(numbers), 1)
            self.assertLess((region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"]))
            line = source_lines(self.data_of(location))[region["startLine"] - 1]
            self.assertLessEqual(region["endColumn"] - 1, max(len(line.encode("utf-16-le")) // 2, 1))

    def test_29_region_is_the_call_on_one_line(self):
        for result in self.results:
            region = place(result)["region"]
            self.assertEqual(region["startLine"], region["endLine"])
        self.assertEqual(place(self.one("src/plain.cpp"))["region"]["snippet"]["text"], CALL[:-1])
        self.assertEqual(place(self.one("src/many_lines.cpp"))["region"]["snippet"]["text"], "t.record_stream(")

    def test_30_snippets(self):
        for result in self.results:
            region, context = place(result)["region"], place(result).get("contextRegion")
            lines = source_lines(self.source_of(result))
            self.assertEqual(region["snippet"]["text"],
                             cut(lines[region["startLine"] - 1], region["startColumn"], region["endColumn"]))
            if context is None:
                continue
            self.assertTrue(region["startLine"] - 3 <= context["startLine"] <= region["startLine"])
            self.assertTrue(region["endLine"] <= context["endLine"] <= region["endLine"] + 3)
            self.assertLess(context["startLine"], context["endLine"])
            self.assertEqual(re.split("\r\n|\r|\n", context["snippet"]["text"]),
                             lines[context["startLine"] - 1:context["endLine"]])
        self.assertTrue(any("contextRegion" in place(result) for result in self.results))

    def test_31_uris(self):
        for value in everything(self.run_):
            if "uriBaseId" not in value or "uri" not in value:
                continue
            self.assertEqual(value["uriBaseId"], "%SRCROOT%")
            self.assertRegex(value["uri"], r"^[A-Za-z0-9._~/+,=@%-]+$")
            self.assertNotIn("..", value["uri"].split("/"))
            self.assertFalse(value["uri"].startswith("/"))
            self.assertIn(urllib.parse.unquote(value["uri"]), self.files)
        project = Project({"in/a.cpp": SITE, "b.cpp": SITE})
        os.symlink("a.cpp", project.path("in/link.cpp"))
        self.assertEqual([uri(result) for result in project.run("--root", "in", paths=["in/link.cpp"])["results"]], ["a.cpp"])
        outside = project.run("--root", "in", paths=["in", "b.cpp"])
        self.assertEqual([uri(result) for result in outside["results"]], ["a.cpp"])
        notes = [note["message"]["text"] for note in outside["invocations"][0]["toolExecutionNotifications"]]
        self.assertTrue(any("outside the project root" in note for note in notes), notes)

    def test_32_functions(self):
        text = HEAD + "namespace n { struct S { static void f(at::Tensor, at::Tensor, c10::cuda::CUDAStream); }; }\n" + BODY \
            .replace("read_aside(const at::Tensor &t, at::Tensor &out,", "n::S::f(at::Tensor t, at::Tensor out,")
        logical = Project({"a.cpp": text}).run()["results"][0]["locations"][0]["logicalLocations"]
        self.assertEqual(logical, [{"fullyQualifiedName": "n::S::f", "kind": "function"}])

    def test_33_related_locations(self):
        for result in self.results:
            ids = [related["id"] for related in result["relatedLocations"]]
            self.assertEqual(len(set(ids)), len(ids))
            self.assertTrue(all(related["message"]["text"] and related["physicalLocation"]["region"]
                                for related in result["relatedLocations"]))
            links = [int(link) for link in re.findall(r"\]\((\d+)\)", result["message"]["text"])]
            self.assertEqual(sorted(links), sorted(ids), result["message"]["text"])
        # Sources must not make links of their own.
        text = LOCAL.replace("batch.record_stream(side);", "(&batch)[0](7).record_stream(side);")
        for result in Project({"a.cpp": text}).run()["results"]:
            links = {int(link) for link in re.findall(r"\]\((\d+)\)", result["message"]["text"])}
            self.assertLessEqual(links, {related["id"] for related in result["relatedLocations"]})

    def test_34_code_flows(self):
        for result in self.results:
            flows = result.get("codeFlows", [])
            if result["ruleId"] in ORDERED:
                self.assertEqual(len(flows), 1, (result["ruleId"], uri(result), result["message"]["text"]))
            for flow in flows:
                steps = flow["threadFlows"][0]["locations"]
                self.assertTrue(1 <= len(steps) <= 100)
                for step in steps:
                    self.assertIn(step["importance"], ("essential", "important"))
                    self.assertNotIn("index", step)
                    self.assertTrue(step["location"]["message"]["text"])
                    self.assertTrue(step["location"]["physicalLocation"]["region"])
        kinds = [step["kinds"][0] for step in
                 self.one("src/local.cpp")["codeFlows"][0]["threadFlows"][0]["locations"]]
        self.assertEqual(kinds, ["creation", "side-use", "record", "release"])

    def test_35_line_hash_is_githubs(self):
        for result in self.results:
            expected = line_hash.hashes(self.source_of(result))[place(result)["region"]["startLine"] - 1]
            self.assertEqual(result["partialFingerprints"]["primaryLocationLineHash"], expected, uri(result))

    def test_36_site_key(self):
        keys = [result["partialFingerprints"]["saLintSite/v1"] for result in self.results]
        self.assertEqual(len(set(keys)), len(keys))
        changes = {"block": SITE.replace("&t,", "&u,").replace("(t,", "(u,").replace("t.rec", "u.rec"),
                   "stream": SITE.replace("side", "other"), "function": SITE.replace("read_aside", "read"), "same": SITE}
        found = {name: self.key(text) for name, text in changes.items()}
        self.assertEqual(len(set(found.values())), 4, found)
        self.assertNotEqual(found["same"], self.key(SITE, "b.cpp"))
        # One of two equal calls has an ordinal.
        lines = SITE.replace(CALL, CALL + "\n  " + CALL)
        twice = [result["partialFingerprints"]["saLintSite/v1"] for result in Project({"a.cpp": lines}).run()["results"]]
        self.assertEqual(len(set(twice)), 2)
        self.assertIn(found["same"], twice)

    def key(self, text, name="a.cpp", which="saLintSite/v1"):
        result, = Project({name: text}).run()["results"]
        return result["partialFingerprints"][which]

    def test_37_one_line_is_one_result(self):
        result = self.one("src/twice.cpp")
        self.assertEqual(result["occurrenceCount"], 2)
        self.assertNotIn("occurrenceCount", self.one("src/plain.cpp"))

    def test_38_keys_survive_edits(self):
        both = ("primaryLocationLineHash", "saLintSite/v1")
        padded = LOCAL.replace(HEAD, HEAD + "// line\n" * 60)
        before = [self.key(padded, which=which) for which in both]
        inserted = padded.replace("// line\n", "// one more\n// line\n", 1)
        self.assertEqual([self.key(inserted, which=which) for which in both], before)
        indented = padded.replace("  batch.record", "\t  \tbatch.record")
        self.assertEqual([self.key(indented, which=which) for which in both], before)
        renamed = padded + "int unrelated_name() { return 1; }\n"
        other = padded + "int another_name() { return 1; }\n"
        self.assertEqual(self.key(renamed), self.key(other))

    def test_39_suppressed(self):
        self.assertEqual(self.of("src/allowed.cpp"), [])
        for option in ("--sarif-suppressed", "--show-suppressed"):
            shown = self.one("src/allowed.cpp", run=whole().run(option, paths=["src"]))
            self.assertEqual(shown["suppressions"], [{"kind": "inSource", "status": "accepted",
                                                      "justification": "the caller keeps 't' until it waits"}])
            github = whole().run(option, "--sarif-profile", "github", paths=["src"])
            self.assertEqual(self.of("src/allowed.cpp", github), [])
        # What the terminal does not show, SARIF does not show.
        terminal = subprocess.run([logs.PROGRAM, "--no-config", "src"], cwd=whole().directory, capture_output=True, text=True,
                                  check=False).stdout
        self.assertNotIn("src/allowed.cpp", terminal)
        self.assertEqual(len(re.findall(r"^src/.*\[SA\d+\]$", terminal, re.M)),
                         sum(result.get("occurrenceCount", 1) for result in self.results if uri(result).startswith("src/")))

    def test_40_kinds(self):
        self.assertEqual({result["kind"] for result in self.results}, {"fail"})
        passed = [result for result in whole().run("--report-all", paths=["src"])["results"] if result["kind"] != "fail"]
        self.assertEqual([(result["kind"], result["level"], uri(result)) for result in passed
                          if uri(result).startswith("src/")], [("pass", "none", "src/justified.cpp")])
        github = whole().run("--report-all", "--sarif-profile", "github", paths=["src"])
        self.assertEqual({result["kind"] for result in github["results"]}, {"fail"})
        self.assertEqual(github["results"], whole().run(paths=["src"])["results"])

    def test_41_rank_and_properties(self):
        for result in self.results:
            self.assertTrue(0 <= result["rank"] <= 100)
            self.assertLessEqual(set(result.get("properties", {})), {"saLint"})
        order = {"note": 0, "warning": 1, "error": 2}
        ranks = {level: [result["rank"] for result in self.results if result["level"] == level] for level in order}
        self.assertLess(max(ranks["note"]), min(ranks["warning"]))
        self.assertLess(max(ranks["warning"]), min(ranks["error"]))
        private = self.one("src/local.cpp")["properties"]["saLint"]
        self.assertEqual(private["category"], "avoidable")
        self.assertEqual(private["release"], {"kind": "scope-end", "line": 10})
        self.assertIsNone(private["sync"])
        self.assertIs(private["degraded"], True)
        self.assertLessEqual({"missing", "proved", "assumed"}, set(private))
        joined = self.one("cases/SA202/joined-and-recorded/bad.cpp", "SA202")["properties"]["saLint"]
        self.assertEqual(joined["sync"]["file"], "cases/SA202/joined-and-recorded/bad.cpp")

    def test_42_fixes(self):
        fixed = [result for result in self.results if result.get("fixes")]
        self.assertGreater(len(fixed), 5)
        for result in fixed:
            for fix in result["fixes"]:
                self.assertIsInstance(fix["description"]["text"], str)
                names = [change["artifactLocation"]["uri"] for change in fix["artifactChanges"]]
                self.assertEqual(len(set(names)), len(names))
                for change in fix["artifactChanges"]:
                    regions = [replacement["deletedRegion"] for replacement in change["replacements"]]
                    ends = [(region["startLine"], region["startColumn"], region["endLine"], region["endColumn"])
                            for region in regions]
                    self.assertEqual(ends, sorted(ends))
                    self.assertTrue(all(a[2:] <= b[:2] for a, b in zip(ends, ends[1:])))
                    self.assertTrue(all("text" in replacement["insertedContent"]
                                        for replacement in change["replacements"]))

    def apply(self, fix):
        """{name: text} of the files that the fix changes, as an editor would apply it."""
        changed = {}
        for change in fix["artifactChanges"]:
            name = urllib.parse.unquote(change["artifactLocation"]["uri"])
            text = self.files[name].decode()
            starts = [0] + [match.end() for match in re.finditer("\r\n|\r|\n", text)]

            def offset(line, column, text=text, starts=starts):
                units = text[starts[line - 1]:].encode("utf-16-le")[:2 * column - 2]
                return starts[line - 1] + len(units.decode("utf-16-le"))

            for replacement in reversed(change["replacements"]):
                region = replacement["deletedRegion"]
                start = offset(region["startLine"], region["startColumn"])
                end = offset(region["endLine"], region["endColumn"])
                text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
            changed[name] = text
        return changed

    def test_42_fixed_code_has_the_finding_no_more(self):
        changed = {}
        for result in self.results:
            for fix in result.get("fixes", [])[:1]:
                for name, text in self.apply(fix).items():
                    if name not in changed: # one fix a file
                        changed[name] = (text, result)
        run = Project({name: text for name, (text, _) in changed.items()}).run()
        self.assertIs(run["invocations"][0]["executionSuccessful"], True)
        for name, (_, result) in changed.items():
            before = [other for other in self.of(name) if other["ruleId"] == result["ruleId"]]
            after = [other for other in self.of(name, run) if other["ruleId"] == result["ruleId"]]
            self.assertLess(sum(other.get("occurrenceCount", 1) for other in after),
                            sum(other.get("occurrenceCount", 1) for other in before), name)
            self.assertFalse([other for other in self.of(name, run) if other["ruleId"] == "SA901"], name)

    def test_43_baseline_state(self):
        self.assertFalse([result for result in self.results if "baselineState" in result])
        project = Project({"a.cpp": SITE, "b.cpp": LOCAL})
        project.text("--write-baseline", "accepted", "b.cpp", paths=["b.cpp"])
        write(project.directory, {"b.cpp": "int x;\n"})
        def states(*args):
            return [result["baselineState"] for result in project.run("--baseline", "accepted", *args)["results"]]
        self.assertEqual(states(), ["new"])
        self.assertEqual(states("--report-absent"), ["new", "absent"])
        self.assertEqual(states("--report-absent", "--sarif-profile", "github"), ["new"])
        _, absent = project.run("--baseline", "accepted", "--report-absent")["results"]
        self.assertEqual(set(re.findall(r"\]\((\d+)\)", absent["message"]["text"])),
                         {str(location["id"]) for location in absent["relatedLocations"]})

    def test_44_limits(self):
        """A unit test (report_sarif_size) makes more results than a log may hold."""
        for result in self.results:
            self.assertLessEqual(len(result["relatedLocations"]), 100)
        self.assertLessEqual(max(len(rule["properties"]["tags"]) for rule in self.rules), 10)

    def test_46_bad_utf8(self):
        result = self.one("src/latin1.cpp")
        self.assertIn("\ufffd\ufffd", place(result)["contextRegion"]["snippet"]["text"])
        self.assertEqual(place(result)["region"]["startColumn"], 3 + len("/* xx */ "))
        # A character that is cut off in the middle is one, as in every decoder of the web.
        data = SITE.replace("  " + CALL, "  /*@*/ " + CALL).encode().replace(b"@", b"\xe6\xb5\xf0\x9f\x98\xff")
        project = Project({"a.cpp": data})
        result, = project.run()["results"]
        self.assertEqual(place(result)["region"]["startColumn"], 3 + len("/*xyz*/ "))
        self.assertIn("/*\ufffd\ufffd\ufffd*/", place(result)["contextRegion"]["snippet"]["text"])
        self.assertEqual(result["partialFingerprints"]["primaryLocationLineHash"], line_hash.hashes(data)[5])

    def test_47_gitlab(self):
        for result in self.results:
            self.assertTrue(place(result)["artifactLocation"]["uri"] and place(result)["region"]["startLine"])
            self.assertTrue(result["ruleId"])

    def test_49_levels_for_readers_of_rules(self):
        """Readers that take the level of the rule see the same, but where doubt lowered it."""
        order = ["note", "warning", "error"]
        for result in self.results:
            level = self.rules[result["ruleIndex"]]["defaultConfiguration"]["level"]
            self.assertIn(order.index(level) - order.index(result["level"]), (0, 1))
        with open(os.path.join(TOP, "docs", "sarif.md"), encoding="utf-8") as file:
            text = file.read()
        for reader in ("SonarQube", "Visual Studio Code"):
            self.assertIn(reader, text)

    def test_50_reviewdog(self):
        """Reads the log as reviewdog does: a diagnostic per location, all of it given up for one bad URI."""
        diagnostics = []
        for result in self.results:
            for location in result["locations"]:
                path = urllib.parse.unquote(urllib.parse.urlparse(place(result)["artifactLocation"]["uri"]).path)
                region = location["physicalLocation"]["region"]
                diagnostics.append((path, region["startLine"], result["message"].get("markdown", result["message"]["text"])))
                self.assertIn(path, self.files)
        self.assertEqual(len(diagnostics), len(self.results))


class Upload(unittest.TestCase):
    """GitHub's upload, without GitHub: our logs pass, and each fault that others' logs had is seen."""

    def setUp(self):
        self.log = whole().log("--sarif-profile", "github", "--report-all", "--show-suppressed", paths=["src", "cases/SA301"])
        self.run_ = self.log["runs"][0]

    def test_ours_passes(self):
        self.assertEqual(upload.problems(self.log), [])
        self.assertEqual(upload.problems(whole().log("--sarif-category", "diff", paths=["src/nothing.cpp"])), [])

    def test_missing_results(self):
        del self.run_["results"]
        self.assertEqual(upload.problems(self.log), ["a run without results"])

    def test_absent_fingerprints(self):
        del self.run_["results"][3]["partialFingerprints"]
        self.assertEqual(len(upload.problems(self.log)), 1)

    def test_several_runs_of_one_category(self):
        self.log["runs"].append(whole().run("--sarif-category", "diff", paths=["src/plain.cpp"]))
        self.assertEqual(upload.problems(self.log), [])
        self.log["runs"].append(whole().run("--sarif-category", "diff/", paths=["src/plain.cpp"]))
        self.assertEqual(upload.problems(self.log), ["2 runs of sa-lint in category sa-lint/diff/"])

    def test_other_faults(self):
        self.run_["tool"]["driver"]["rules"][0]["properties"]["security-severity"] = 7.5
        self.run_["results"][0]["ruleId"] = "SA999"
        self.run_["results"][1]["suppressions"] = [{"kind": "inSource"}]
        self.run_["results"][2]["locations"] = []
        self.assertEqual(len(upload.problems(self.log)), 4)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    logs.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
