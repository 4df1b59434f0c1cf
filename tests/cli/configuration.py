#!/usr/bin/env python3
"""`.sa-lint.yaml`: which file obeys which, what it says, and `sa-lint config`. Usage: configuration.py PROGRAM [unittest
options]."""
import json
import os
import re
import sys
import unittest

from run import PROGRAM, SITE, TOP, Case

SCHEMA = os.path.join(TOP, "docs", "schema", "sa-lint-config.schema.json")
WRAPPERS = os.path.join(TOP, "fixtures", "cases", "config", "wrappers")
# One sample of each key: right, and wrong in its value.
SAMPLES = {
    "exclude": ("exclude: [third_party/, '*.gen.cpp']\n", ["exclude: x\n", "exclude: [/abs]\n", "exclude: [../up]\n", "exclude: [a/../b]\n",
                                                          "exclude: ['']\n", "exclude: [{a: b}]\n"]),
    "levels": ("levels: {SA101: note, SA2: off, SA: error}\n", ["levels: [SA101]\n", "levels: {SA101: loud}\n", "levels: {XX1: off}\n"]),
    "overrides": ("overrides:\n- paths: [tests/]\n  levels: {SA1: off}\n",
                  ["overrides: {paths: [x], levels: {SA1: off}}\n", "overrides:\n- paths: [x]\n", "overrides:\n- levels: {SA1: off}\n",
                   "overrides:\n- {paths: [x], levels: {SA1: off}, rules: 1}\n", "overrides:\n- {paths: x, levels: {SA1: off}}\n"]),
    "api": ("api:\n- {paths: [include/], stability: stable}\n", ["api:\n- {paths: [x], stability: old}\n", "api:\n- {paths: [x]}\n"]),
    "defines": ("defines: [USE_X, 'Y=1']\n", ["defines: [-DX]\n", "defines: ['1X']\n", "defines: USE_X\n"]),
    "fail_on": ("fail_on: note\n", ["fail_on: off\n", "fail_on: [note]\n"]),
    "wrappers": ("wrappers: {family: ours, spellings: [mark_used]}\n", ["wrappers: []\n", "wrappers: {spellings: [x]}\n",
                                                                       "wrappers: {family: ours, api: []}\n"]),
}


class Configured(Case):
    def found(self, *args, **options):
        done = self.lint("--format", "json", *(args or ["."]), **options)
        return [(f["file"], f["rule"], f["level"]) for f in json.loads(done.stdout)["findings"]]


class Nearest(Configured):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path(".git"))
        for name in ("a.cpp", "sub/b.cpp", "sub/deep/c.cpp", "other/d.cpp"):
            self.put(name, SITE)

    def test_each_file_obeys_the_nearest(self):
        self.put(".sa-lint.yaml", "levels: {SA101: error}\n")
        self.put("sub/.sa-lint.yaml", "levels: {SA101: note}\n")
        self.put("sub/deep/.sa-lint.yaml", "{}\n")
        expected = [("a.cpp", "SA101", "error"), ("other/d.cpp", "SA101", "error"), ("sub/b.cpp", "SA101", "note"),
                    ("sub/deep/c.cpp", "SA101", "warning")]
        self.assertEqual(self.found(), expected)
        self.assertEqual(self.found("-j", "0", "."), expected)
        self.assertEqual(self.found("../a.cpp", "../other", "b.cpp", "deep", cwd=self.path("sub")), expected)
        self.assertEqual({level for _, _, level in self.found("--no-config", ".")}, {"warning"})
        self.assertEqual({level for _, _, level in self.found("--config", "sub/.sa-lint.yaml", ".")}, {"note"})

    def test_not_above_the_root(self):
        self.put("sub/.sa-lint.yaml", "levels: {SA101: note}\n")
        self.assertEqual(self.found("--root", "sub/deep", "sub/deep"), [("c.cpp", "SA101", "warning")])

    def test_fail_on_is_that_of_the_file(self):
        self.put("sub/.sa-lint.yaml", "fail_on: error\n")
        self.found("sub", status=0)
        self.found("a.cpp", status=1)
        self.found("--fail-on", "warning", "sub", status=1)

    def test_overrides(self):
        self.put(".sa-lint.yaml", "overrides:\n- paths: [sub/**]\n  levels: {SA101: off}\n- paths: [sub/deep/]\n  levels: {SA1: error}\n"
                 "levels: {SA101: note}\n")
        self.assertEqual(self.found(), [("a.cpp", "SA101", "note"), ("other/d.cpp", "SA101", "note"), ("sub/deep/c.cpp", "SA101", "error")])
        os.rename(self.path(".sa-lint.yaml"), self.path("sub/.sa-lint.yaml"))
        self.assertEqual(self.found("sub"), [("sub/b.cpp", "SA101", "note"), ("sub/deep/c.cpp", "SA101", "note")])

    def test_one_file_for_all(self):
        rules = "exclude: [other/]\noverrides:\n- {paths: [deep/], levels: {SA101: note}}\n"
        self.put("sub/x.yaml", rules)
        expected = [("a.cpp", "SA101", "warning"), ("other/d.cpp", "SA101", "warning"), ("sub/b.cpp", "SA101", "warning"),
                    ("sub/deep/c.cpp", "SA101", "note")]
        self.assertEqual(self.found("--config", "sub/x.yaml", "."), expected)
        outside = self.put("../%s.yaml" % os.path.basename(self.directory), rules.replace("deep/", "sub/deep/"))
        self.addCleanup(os.unlink, outside)
        self.assertEqual(self.found("--config", outside, "."), [row for row in expected if row[0] != "other/d.cpp"])
        self.assertIn("  SA101: note # line 3\n", self.lint("config", "--config", outside, "sub/deep/c.cpp", status=0).stdout)

    def test_excludes_add_up(self):
        self.put(".sa-lint.yaml", "exclude: [other/]\n")
        self.put("sub/.sa-lint.yaml", "exclude: [deep]\n")
        self.put("other/.sa-lint.yaml", "exclude: []\n")
        self.assertEqual([name for name, _, _ in self.found()], ["a.cpp", "sub/b.cpp"])
        self.assertEqual(self.found("other/d.cpp", "sub/deep/c.cpp", status=0), [])

    def test_a_broken_one_below(self):
        self.put("sub/deep/.sa-lint.yaml", "levels: {SA101: loud}\n")
        self.assertIn("sub/deep/.sa-lint.yaml:1:17: error: ", self.lint(".", status=2).stderr)
        self.lint("a.cpp", status=1)
        self.put("sub/deep/.sa-lint.yaml", "levels: {SA991: note}\n")
        self.assertIn("sub/deep/.sa-lint.yaml:1:10: error: there is no rule 'SA991'; did you mean", self.lint(".", status=2).stderr)

    def test_defines(self):
        text = SITE.replace("  t.record_stream", "#ifdef OURS\n  t.record_stream").replace("side);\n}", "side);\n#else\n  t.zero_();\n#endif\n}")
        self.put("sub/b.cpp", text)
        self.put("sub/.sa-lint.yaml", "defines: [OURS]\n")
        self.assertEqual(self.found("sub/b.cpp"), [("sub/b.cpp", "SA101", "warning")])


class Wrappers(Configured):
    def test_each_file_knows_those_of_its_configuration(self):
        with open(os.path.join(WRAPPERS, "wrapped.cpp"), encoding="utf-8") as file:
            source = file.read()
        with open(os.path.join(WRAPPERS, ".sa-lint.yaml"), encoding="utf-8") as file:
            rows = file.read()
        os.mkdir(self.path(".git"))
        self.put("ours/a.cpp", source)
        self.put("theirs/a.cpp", source)
        self.put("ours/.sa-lint.yaml", rows)
        expected = [("ours/a.cpp", "SA101", "warning"), ("ours/a.cpp", "SA202", "warning")]
        for jobs in ("0", "3"):
            self.assertEqual(self.found("-j", jobs, "."), expected)
        self.assertEqual(self.found("--format", "sarif=" + self.path("s"), "."), expected)
        with open(self.path("s"), encoding="utf-8") as file:
            self.assertEqual([r["ruleId"] for r in json.load(file)["runs"][0]["results"]], ["SA101", "SA202"])
        self.put("theirs/b.cpp", SITE)
        self.assertEqual(self.found("."), expected + [("theirs/b.cpp", "SA101", "warning")])

    def test_mistakes_have_a_place(self):
        self.put("a.cpp", SITE)
        self.put(".sa-lint.yaml", "wrappers:\n  family: ours\n  apis:\n  - function: ours::f\n    does: fly\n")
        self.assertRegex(self.lint("a.cpp", status=2).stderr, r"^\.sa-lint\.yaml:5:\d+: error: ")


class Keys(Configured):
    def check(self, text):
        self.put(".sa-lint.yaml", text)
        return self.lint("config", "--check")

    def known(self, text):
        """The keys that the message about an unknown one lists."""
        listed = re.search(r"known: ([\w, ]+)", self.check(text).stderr)
        return sorted(listed.group(1).split(", "))

    def schema(self):
        with open(SCHEMA, encoding="utf-8") as file:
            return json.load(file)

    def test_the_schema_has_the_keys_of_the_program(self):
        properties = self.schema()["properties"]
        self.assertEqual(sorted(properties), self.known("nonsense: 1\n"))
        self.assertEqual(sorted(SAMPLES), sorted(properties))
        for key in ("api", "overrides"):
            entry = properties[key]["items"]
            self.assertEqual(sorted(entry["properties"]), self.known("%s: [{nonsense: 1}]\n" % key))
            self.assertEqual(sorted(entry["required"]), sorted(entry["properties"]))
        for key in properties["wrappers"]["properties"]:
            self.assertNotIn("unknown key '%s'" % key, self.check("wrappers: {family: x, %s: []}\n" % key).stderr)

    def test_samples(self):
        for key, (right, wrong) in SAMPLES.items():
            done = self.check(right)
            self.assertEqual((done.returncode, done.stdout), (0, ".sa-lint.yaml: ok\n"), done.stderr)
            for text in wrong:
                done = self.check(text)
                self.assertEqual(done.returncode, 2, text)
                self.assertRegex(done.stderr, r"^\.sa-lint\.yaml:\d+:\d+: error: ", text)

    def test_samples_against_the_schema(self):
        try:
            import jsonschema
            import yaml
        except ImportError:
            print("configuration: no jsonschema and yaml for this Python, so the schema is not tried on samples", file=sys.stderr)
            self.skipTest("no jsonschema")
        validator = jsonschema.Draft202012Validator(self.schema())
        for right, wrong in SAMPLES.values():
            self.assertEqual(list(validator.iter_errors(yaml.load(right, Loader=yaml.BaseLoader))), [], right)
            for text in wrong:
                self.assertTrue(list(validator.iter_errors(yaml.load(text, Loader=yaml.BaseLoader))), text)

    def test_did_you_mean(self):
        for text, meant in (("exlude: []\n", "exclude"), ("fail-on: note\n", "fail_on"), ("overides: []\n", "overrides"),
                            ("api: [{path: [x], stability: stable}]\n", "paths"), ("Levels: {}\n", "levels")):
            self.assertIn("did you mean '%s'?" % meant, self.check(text).stderr, text)
        self.assertNotIn("did you mean", self.check("something_else: 1\n").stderr)


class Command(Configured):
    def test_show(self):
        self.put(".git/x", "")
        self.put(".sa-lint.yaml", "levels: {SA104: off}\nexclude: [gen/]\noverrides:\n- {paths: ['*.cu'], levels: {SA101: error}}\n"
                 "api:\n- {paths: [include/], stability: stable}\ndefines: [X=1]\nfail_on: note\n")
        self.put("include/a.cu", "")
        self.put("gen/a.cpp", "")
        told = self.lint("config", "--show", "include/a.cu", status=0).stdout
        for line in ("path: include/a.cu", "configuration: .sa-lint.yaml", "excluded: no", "fail_on: note", "api: stable",
                     "exclude: [gen/]", "defines: [X=1]", "wrappers: no", "  SA101: error # line 4", "  SA104: off # line 1", "  SA102: note"):
            self.assertIn(line + "\n", told)
        self.assertIn("excluded: yes\n", self.lint("config", "gen/a.cpp", status=0).stdout)
        self.assertIn("configuration: none\n", self.lint("config", "--no-config", status=0).stdout)
        self.assertIn("no such file", self.lint("config", "none.cpp", status=2).stderr)

    def test_check(self):
        self.put("sub/.sa-lint.yaml", "levels: {SA999: off}\n")
        self.put("fine.yaml", "{}\n")
        self.assertEqual(self.lint("config", "--check", status=0).stdout, ".: no configuration\n")
        done = self.lint("config", "--check", "fine.yaml", "sub", status=2)
        self.assertEqual(done.stdout, "fine.yaml: ok\n")
        self.assertIn("sub/.sa-lint.yaml:1:10: error: there is no rule 'SA999'", done.stderr)


class Hostile(Configured):
    """A configuration is part of the change that is looked at: it may not reach out, run anything, or hang."""

    def test_a_link_out_of_the_project(self):
        outside = self.put("secret", "password: 12345\n")
        self.put("project/.git/x", "")
        self.put("project/a.cpp", SITE)
        os.symlink(outside, self.path("project/.sa-lint.yaml"))
        for args in (["a.cpp"], ["config", "--show"], ["config", "--check", "a.cpp"]):
            done = self.lint(*args, cwd=self.path("project"), status=2)
            self.assertIn("a link that leads out of the project", done.stderr)
            self.assertNotIn("password", done.stdout + done.stderr)

    def test_patterns_stay_inside(self):
        self.put("a.cpp", SITE)
        for pattern in ("/", "/etc/**", "..", "../x", "a/..", "a/../../b"):
            self.put(".sa-lint.yaml", "exclude: ['%s']\n" % pattern)
            self.assertIn("leads out of", self.lint("a.cpp", status=2).stderr)
        self.put(".sa-lint.yaml", "exclude: ['..a/', 'b../c', '...']\n")
        self.lint("a.cpp", status=1)

    def test_values_are_only_text(self):
        self.put("a.cpp", SITE)
        for value in ("-include/etc/passwd", "X -include /etc/passwd", "'X=1\\n-fplugin=x'", "$(touch evil)", "`touch evil`"):
            self.put(".sa-lint.yaml", "defines: ['%s']\n" % value.strip("'"))
            self.lint("a.cpp")
        self.put(".sa-lint.yaml", 'defines: ["X=1 -include/etc/passwd", "Y=`touch evil`$(touch evil)"]\n')
        self.lint("a.cpp", status=1)
        self.assertFalse(os.path.exists(self.path("evil")))

    def test_names_cannot_steer_a_terminal(self):
        self.put("a.cpp", SITE)
        self.put(".sa-lint.yaml", '"\\e[31m::error::\\n::set-output name=a::b": 1\nexclude: ["\\e[31m"]\n')
        for args in (["a.cpp"], ["config", "--check"], ["config", "--show"]):
            done = self.lint(*args, status=2)
            self.assertNotIn("\x1b", done.stderr + done.stdout)
            self.assertFalse(any(line.startswith("::") for line in done.stderr.split("\n")))

    def test_sizes(self):
        self.put("a.cpp", SITE)
        for text in ("[" * 100000, "a: &x [1]\nb: *x\n", "x: " + "y" * (2 << 20), "levels: {" + "SA101: off," * 50000 + "}", "\0", "\xff"):
            self.put(".sa-lint.yaml", text.encode("latin-1"), "wb")
            self.lint("a.cpp", status=2, timeout=60)
        self.put(".sa-lint.yaml", "exclude: ['%s']\n" % ("*a" * 5000))
        self.lint("a.cpp", timeout=60)
        os.unlink(self.path(".sa-lint.yaml"))
        os.mkfifo(self.path(".sa-lint.yaml"))
        self.lint("a.cpp", status=2, timeout=60)


if __name__ == "__main__":
    unittest.main()
