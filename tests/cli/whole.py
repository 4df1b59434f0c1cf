#!/usr/bin/env python3
"""Whole program and merged reports, as a user runs them. Usage: whole.py PROGRAM [unittest options]."""
import glob
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from run import PROGRAM, SITE, TOP, Case

PROJECTS = os.path.join(TOP, "fixtures", "projects")
DAMAGES = {
    "empty": (b"", "not a summary"),
    "cut": (None, "cut off or changed"),
    "version": (b"; sa-lint summary 99 tool 0 source 0 checksum 0\n", "its format is 99"),
    "tool": (b"; sa-lint summary 1 tool 0.0.0 source 0 checksum 0\n", "written by version 0.0.0"),
    "binary": (b"; sa-lint summary 1\0\xff\xfe", "not a text"),
    "other": (b"int main() {}\n", "not a summary"),
    "long": (b"; sa-lint summary " + b"1" * 100000, "its format is not named"),
}


class Project(Case):
    def project(self, name):
        shutil.copytree(os.path.join(PROJECTS, name), self.directory, dirs_exist_ok=True)

    def summaries(self, directory="sum", *args):
        self.lint("-q", "--exit-zero", "--emit-summary", directory, *(args or ["."]), status=0)
        return self.read_all(directory)

    def read_all(self, directory):
        files = {}
        for path in sorted(glob.glob(os.path.join(self.path(directory), "**"), recursive=True)):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    files[os.path.basename(path)] = file.read()
        return files

    def verdicts(self, *args):
        """(file, kind, effect) of the decisions."""
        return [(site["file"], site["kind"], site["effect"]) for site in self.sites(*args, ".")[1] if site["category"]]

    def both(self, name):
        self.project(name)
        alone = self.verdicts()
        self.summaries()
        return alone, self.verdicts("--use-summary", "sum")


class Verdicts(Project):
    def test_helper_that_waits_elsewhere(self):
        alone, whole = self.both("waits")
        self.assertEqual(alone, [("use.cpp", "call", "protects")])
        self.assertEqual(whole, [("use.cpp", "call", "redundant")])

    def test_helper_that_records_elsewhere(self):
        alone, whole = self.both("records")
        self.assertEqual(alone, [])
        self.assertEqual(whole, [("use.cpp", "helper-call", "protects")])

    def test_caller_that_orders_elsewhere(self):
        alone, whole = self.both("caller")
        self.assertEqual(alone, [("worker.cpp", "call", "protects")])
        self.assertEqual(whole, [("worker.cpp", "call", "redundant")])

    def test_caller_that_does_not_order(self):
        self.project("caller")
        path = self.path("main.cpp")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.put("main.cpp", text.replace("  done.block(main);\n", ""))
        self.summaries()
        self.assertEqual(self.verdicts("--use-summary", "sum"), [("worker.cpp", "call", "protects")])

    def test_one_caller_of_two_does_not_order(self):
        self.project("caller")
        with open(self.path("main.cpp"), encoding="utf-8") as file:
            text = file.read()
        self.put("other.cpp", text.replace("  done.block(main);\n", "").replace("step", "other_step"))
        self.summaries()
        self.assertEqual(self.verdicts("--use-summary", "sum"), [("worker.cpp", "call", "protects")])

    def test_class_that_keeps_elsewhere(self):
        self.project("keeps")
        self.assertEqual(self.sites(".")[1][0]["verdict"], "input-used-aside")
        self.summaries()
        site = self.sites("--use-summary", "sum", ".")[1][0]
        self.assertEqual(site["verdict"], "handle-owns-blocks")
        self.assertTrue(any(step["file"] == "handle.cpp" for step in site["evidence"]), site["evidence"])

    def test_name_that_two_units_define(self):
        self.project("waits")
        self.put("twin.cpp", '#include "order.h"\nnamespace ext {\nvoid after(c10::cuda::CUDAStream, '
                             'c10::cuda::CUDAStream) {}\n}\n')
        self.summaries()
        self.assertEqual(self.verdicts("--use-summary", "sum"), [("use.cpp", "call", "protects")])

    def test_summaries_of_nothing_change_nothing(self):
        self.project("waits")
        os.makedirs(self.path("none"))
        self.assertEqual(self.lint("-f", "json", ".").stdout,
                         self.lint("-f", "json", "--use-summary", "none", ".").stdout)


class Bytes(Project):
    def test_workers_order_and_place_do_not_matter(self):
        self.project("waits")
        first = self.summaries("a", "-j1", ".")
        self.assertEqual(len(first), 3)
        self.assertEqual(self.summaries("b", "-j2", "use.cpp", "order.h", "order.cpp"), first)
        moved = self.path("deeper/below")
        shutil.copytree(os.path.join(PROJECTS, "waits"), moved)
        self.lint("-q", "--exit-zero", "--root", ".", "--emit-summary", "sum", ".", cwd=moved)
        self.assertEqual(self.read_all("deeper/below/sum"), first)
        self.assertFalse(any(self.directory.encode() in text for text in first.values()))

    def test_one_run_for_each_unit(self):
        self.project("waits")
        first = self.summaries("a")
        for name in ("order.h", "use.cpp", "order.cpp"):
            self.summaries("b/" + name, name)
        self.assertEqual(self.read_all("b"), first)
        one = self.lint("-f", "json", "--use-summary", "a", "use.cpp").stdout
        for jobs, order in (("-j1", ("use.cpp", "order.h", "order.cpp")), ("-j2", ("order.cpp", "use.cpp", "order.h"))):
            uses = [word for name in order for word in ("--use-summary", "b/" + name)]
            self.assertEqual(self.lint("-f", "json", jobs, *uses, "use.cpp").stdout, one)

    def test_summaries_do_not_depend_on_summaries(self):
        self.project("waits")
        first = self.summaries("a")
        self.lint("-q", "--exit-zero", "--use-summary", "a", "--emit-summary", "b", ".")
        self.assertEqual(self.read_all("b"), first)

    def test_reports_do_not_depend_on_writing(self):
        self.project("waits")
        self.assertEqual(self.lint("-f", "json", ".").stdout, self.lint("-f", "json", "--emit-summary", "a", ".").stdout)

    def test_source_without_effects(self):
        self.put("a.cpp", "int nothing;\n")
        (text,) = self.summaries().values()
        self.assertEqual(text.decode().split("\n")[1:], ['unit "a.cpp" cpp', 'file 0 "a.cpp"', ""])


class Damage(Project):
    def damaged(self, kind):
        self.project("waits")
        names = sorted(self.summaries())
        for name in names:
            path = self.path("sum/" + name)
            with open(path, "rb") as file:
                text = file.read()
            with open(path, "wb") as file:
                file.write(text[:-20] if DAMAGES[kind][0] is None else DAMAGES[kind][0])
        done = self.lint("-f", "json", "--use-summary", "sum", "use.cpp")
        lines = [line for line in done.stderr.split("\n") if ".sasum" in line]
        self.assertEqual(len(lines), len(names), done.stderr)
        for line, name in zip(lines, names):
            self.assertRegex(line, r"^sum/%s:\d+:\d+: warning: the summary is ignored: " % re.escape(name))
            self.assertIn(DAMAGES[kind][1], line)
        self.assertEqual(json.loads(done.stdout)["sites"][0]["effect"], "protects")

    def test_each_damage_is_one_message_for_each_file(self):
        for kind in DAMAGES:
            with self.subTest(kind):
                self.damaged(kind)

    def test_old_summary_of_a_changed_source(self):
        self.project("waits")
        self.summaries()
        with open(self.path("use.cpp"), "a", encoding="utf-8") as file:
            file.write("// changed\n")
        self.assertIn("use.cpp: warning: its summary is older than the file",
                      self.lint("--use-summary", "sum", "use.cpp").stderr)

    def test_missing_directory(self):
        self.put("a.cpp", SITE)
        self.assertIn("nowhere: error: there is no such directory", self.lint("--use-summary", "nowhere", "a.cpp",
                                                                              status=2).stderr)

    def test_directory_that_cannot_be_made(self):
        self.put("a.cpp", SITE)
        self.assertIn("error: cannot make the directory", self.lint("--emit-summary", "a.cpp/sum", "a.cpp",
                                                                    status=2).stderr)
        self.assertIn("is not a directory", self.lint("--emit-summary", "a.cpp", "a.cpp", status=2).stderr)

    def test_source_outside_the_root(self):
        os.makedirs(self.path("in"))
        self.put("out.cpp", SITE)
        done = self.lint("--root", "in", "--emit-summary", "sum", "out.cpp")
        self.assertIn("no summary is written for a file outside", done.stderr)
        self.assertEqual(os.listdir(self.path("sum")), [])

    def test_two_summaries_of_one_unit(self):
        self.project("waits")
        self.summaries("a")
        with open(self.path("order.cpp"), "a", encoding="utf-8") as file:
            file.write("// changed\n")
        self.summaries("b")
        done = self.lint("--use-summary", "a", "--use-summary", "b", "use.cpp")
        self.assertEqual(done.stderr.count("has another one for 'order.cpp'"), 1, done.stderr)


class Merge(Project):
    def shards(self, form):
        for name in ("waits", "caller", "keeps"):
            shutil.copytree(os.path.join(PROJECTS, name), self.path(name))
        names = []
        for number, args in enumerate((["waits"], ["caller"], ["keeps"])):
            names.append("%d.%s" % (number, form))
            self.lint("--root", ".", "-f", form + "=" + names[-1], *args)
        return names, self.lint("--root", ".", "-f", form, ".").stdout

    def test_shards_give_the_report_of_one_run(self):
        for form in ("json", "sarif"):
            names, whole = self.shards(form)
            for order in itertools.permutations(names):
                self.assertEqual(self.lint("merge", "--root", ".", "-f", form, *order, status=1).stdout, whole, form)
            self.assertEqual(self.lint("merge", "--root", ".", "-f", form, *names, *names).stdout, whole, form)
            for name in ("waits", "caller", "keeps"):
                shutil.rmtree(self.path(name))

    def test_overlapping_shards_name_each_site_once(self):
        for form in ("json", "sarif"):
            names, whole = self.shards(form)
            self.lint("--root", ".", "-f", form + "=more", "waits", "caller")
            merged = json.loads(self.lint("merge", "--root", ".", "-f", form, "more", *names).stdout)
            whole = json.loads(whole)
            for key in ("sites", "findings", "notifications", "runs"):
                self.assertEqual(merged.get(key), whole.get(key), form)
            for name in ("waits", "caller", "keeps"):
                shutil.rmtree(self.path(name))

    def test_json_gives_any_format(self):
        names, _ = self.shards("json")
        self.assertEqual(self.lint("merge", "--root", ".", *names, status=1).stdout.count("warning:"), 3)
        self.lint("merge", "--root", ".", "--exit-zero", "-f", "sarif", *names, status=0)
        self.lint("merge", "--root", ".", "--fail-on", "error", *names, status=0)
        self.assertEqual(self.lint("merge", "-f", "json", "--select", "SA3", *names, status=0).stdout.count('"rule"'), 0)

    def left_out(self):
        """Sources with a finding that a comment allows, one in a baseline, and one that is neither."""
        self.put("a.cpp", SITE.replace("(side);\n}", "(side); // sa-lint: allow(SA101) the caller waits\n}") +
                 SITE.replace("read_aside", "again"))
        self.put("b.cpp", SITE)
        self.put("c.cpp", SITE)
        self.lint("--root", ".", "--write-baseline", "accepted", "b.cpp")
        return ["--root", ".", "--baseline", "accepted"]

    def test_findings_that_are_left_out_are_counted(self):
        args = self.left_out()
        for form in ("json", "sarif"):
            for shown in ([], ["--show-suppressed"]):
                whole = self.lint(*args, *shown, "-f", form, ".", status=1).stdout
                names = ["%s.%s" % (name, form) for name in "abc"]
                for name in names:
                    self.lint(*args, *shown, "-f", form + "=" + name, name[0] + ".cpp")
                for order in (names, names[::-1]):
                    merged = self.lint("merge", "--root", ".", *shown, "-f", form, *order, status=1).stdout
                    self.assertEqual(merged, whole, (form, shown))
                if form == "json":
                    self.assertEqual([json.loads(whole)["summary"][key] for key in ("suppressed", "baselined", "unchanged")],
                                     [1, 1, None])
                    told = self.lint("merge", "--root", ".", *shown, *names, status=1)
                    self.assertIn("; 1 suppressed; 1 in the baseline; 3 files\n", told.stdout)
                else:
                    self.assertEqual(json.loads(whole)["runs"][0]["properties"], {"saLint": {"suppressed": 1, "baselined": 1}})

    def test_findings_that_two_shards_list_are_counted_once(self):
        args = self.left_out() + ["--show-suppressed"]
        for form in ("json", "sarif"):
            whole = json.loads(self.lint(*args, "-f", form, ".", status=1).stdout)
            self.lint(*args, "-f", form + "=one", "a.cpp", "b.cpp")
            self.lint(*args, "-f", form + "=two", "b.cpp", "c.cpp", "a.cpp")
            merged = json.loads(self.lint("merge", "--root", ".", "--show-suppressed", "-f", form, "one", "two", status=1).stdout)
            if form == "sarif":
                self.assertEqual(merged, whole)
                continue
            self.assertEqual(merged["suppressed"], whole["suppressed"])
            for key in ("suppressed", "baselined"):
                self.assertEqual(merged["summary"][key], whole["summary"][key])
            none = json.loads(self.lint("merge", "--show-suppressed", "-f", "json", "--ignore", "SA101", "one", "two").stdout)
            self.assertEqual((none["suppressed"], none["summary"]["suppressed"], none["summary"]["baselined"]), ([], 0, 0))

    def test_findings_off_the_changed_lines_are_counted(self):
        self.left_out()
        self.put("change", "--- a/c.cpp\n+++ b/c.cpp\n@@ -1,0 +1,1 @@\n+#include <c10/cuda/CUDAGuard.h>\n")
        for form, path in (("json", ("summary",)), ("sarif", ("runs", 0, "properties", "saLint"))):
            for name in "bc":
                self.lint("--root", ".", "--patch", "change", "-f", form + "=" + name, name + ".cpp")
            for order in (("b", "c"), ("c", "b", "b")):
                merged = json.loads(self.lint("merge", "--root", ".", "-f", form, *order, status=0).stdout)
                for key in path:
                    merged = merged[key]
                self.assertEqual(merged["unchanged"], 1, form)

    def test_more_results_than_an_upload_takes(self):
        self.put("a.cpp", SITE)
        log = json.loads(self.lint("-f", "sarif", "a.cpp").stdout)
        run = log["runs"][0]
        weak = {key: run["results"][0][key] for key in ("ruleId", "ruleIndex", "message", "locations", "partialFingerprints")}
        for name, level, rank, number in (("weak", "note", 30, 24000), ("strong", "warning", 66, 1010)):
            run["results"] = []
            for line in range(1, number + 1):
                result = json.loads(json.dumps(dict(weak, level=level, rank=rank)))
                place = result["locations"][0]["physicalLocation"]
                place["artifactLocation"]["uri"] = name + ".cpp"
                place["region"].update(startLine=line, endLine=line)
                run["results"].append(result)
            run["artifacts"] = [{"location": {"uri": name + ".cpp", "uriBaseId": "%SRCROOT%"}}]
            self.put(name, json.dumps(log))
        done = self.lint("merge", "-f", "sarif", "weak", "strong", status=1)
        told = "10 results are left out: a log holds 25000 at most, and 10 MB after gzip"
        self.assertIn("sa-lint: warning: " + told, done.stderr)
        merged = json.loads(done.stdout)["runs"][0]
        levels = [result["level"] for result in merged["results"]]
        self.assertEqual((levels.count("warning"), levels.count("note")), (1010, 23990))
        notes = merged["invocations"][0]["toolConfigurationNotifications"]
        self.assertEqual([note["message"]["text"][:len(told)] for note in notes if "left out" in note["message"]["text"]], [told])
        for result in (merged["results"][0], merged["results"][-1]):
            at = result["locations"][0]["physicalLocation"]["artifactLocation"]
            self.assertEqual(merged["artifacts"][at["index"]]["location"]["uri"], at["uri"])

    def refuse(self, text, *words, other=None):
        self.put("bad", text)
        done = self.lint("merge", "bad", *([other] if other else []), status=2)
        self.assertEqual(done.stdout, "")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_other_versions_are_refused(self):
        self.put("a.cpp", SITE)
        for form in ("json", "sarif"):
            text = self.lint("-f", form, "a.cpp").stdout
            version = re.search(r'"version":"(\d+\.\d+\.\d+)"', text.replace('"version":"2.1.0"', "")).group(1)
            self.refuse(text.replace(version, "0.0.9"), "bad:1:1: error: the report was written by version '0.0.9'")
        text = self.lint("-f", "json", "a.cpp").stdout
        self.put("good", text)
        self.refuse(re.sub(r'"libclang":"[^"]+"', '"libclang":"1"', text), "libclang", other="good")

    def test_what_is_no_report(self):
        self.put("a.cpp", SITE)
        good = json.loads(self.lint("-f", "json", "a.cpp").stdout)
        self.refuse("", "bad:1:")
        self.refuse('{"schema":\n nonsense}', "bad:2:")
        self.refuse("[]", "neither a JSON report")
        self.refuse('{"schema":"sa-lint/2"}', "neither a JSON report")
        self.refuse('{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"other"}}}]}', "not written by sa-lint")
        self.refuse("[" * 100000, "bad:1:")
        for change, words in ((lambda r: r["sites"][0].update(line="6"), "sites[0].line: must be a number"),
                              (lambda r: r["sites"][0].update(line=-1), "sites[0].line: must be a number"),
                              (lambda r: r["sites"].append(7), "sites[1].id: must be a text"),
                              (lambda r: r["findings"][0].update(rule="SA999"), "there is no such rule"),
                              (lambda r: r["findings"][0].update(level="bad"), "must be note, warning or error"),
                              (lambda r: r["findings"][0].update(message="a\0b"), "must be a text"),
                              (lambda r: r.pop("notifications"), "must be a list"),
                              (lambda r: r.pop("summary"), "must be a number")):
            report = json.loads(json.dumps(good))
            change(report)
            self.refuse(json.dumps(report), words)

    def test_sarif_that_is_not_ours(self):
        self.put("a.cpp", SITE)
        text = self.lint("-f", "sarif", "a.cpp").stdout
        report = json.loads(text)
        report["runs"][0]["results"][0]["rank"] = 0.5
        self.put("deep", json.dumps(report))
        self.assertIn("holds what sa-lint does not write", self.lint("merge", "-f", "sarif", "deep", status=2).stderr)
        report = json.loads(text)
        report["runs"][0]["tool"]["driver"]["rules"].pop()
        self.put("one", text)
        self.put("two", json.dumps(report))
        self.assertIn("different rules", self.lint("merge", "-f", "sarif", "one", "two", status=2).stderr)
        self.assertIn("SARIF only", self.lint("merge", "-f", "json", "one", status=2).stderr)
        self.put("a.json", self.lint("-f", "json", "a.cpp").stdout)
        self.assertIn("cannot be merged with each other", self.lint("merge", "one", "a.json", status=2).stderr)

    def test_no_reports(self):
        self.assertIn("which reports", self.lint("merge", status=2).stderr)
        self.assertIn("gone", self.lint("merge", "gone", status=2).stderr)


class Documented(Project):
    def test_the_ninja_file_of_the_page(self):
        if shutil.which("ninja") is None:
            self.skipTest("no ninja")
        with open(os.path.join(TOP, "docs", "whole-program.md"), encoding="utf-8") as file:
            block = re.search(r"```ninja\n(.*?)```", file.read(), re.S).group(1)
        self.project("waits")
        self.put("build.ninja", re.sub(r"(?m)^lint = .*$", "lint = " + PROGRAM, block))
        subprocess.run(["ninja"], cwd=self.directory, check=True, capture_output=True)
        with open(self.path("report.json"), encoding="utf-8") as file:
            self.assertEqual([site["effect"] for site in json.load(file)["sites"]], ["redundant"])
        again = subprocess.run(["ninja"], cwd=self.directory, check=True, capture_output=True, text=True)
        self.assertIn("no work to do", again.stdout)


if __name__ == "__main__":
    if PROGRAM is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
