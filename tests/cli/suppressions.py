#!/usr/bin/env python3
"""Comments that allow findings. Usage: suppressions.py PROGRAM [unittest options]."""
import json
import os
import unittest

from run import PROGRAM, Case

HEAD = """#include <c10/cuda/CUDAStream.h>
#include <ATen/ATen.h>
"""
# One SA101 on the line of the call, at @1; the marks are places for comments.
BODY = HEAD + """@above_function
void read_aside(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {@head
  c10::cuda::CUDAStreamGuard guard(side);@before
  out.copy_(t, true);
@far

@above
  t.record_stream(@inside
      side);@behind
@below
}
@after
"""
WITHOUT = HEAD + "void nothing(at::Tensor &out) {\n  @here\n  out.zero_();\n}\n"
ALLOW = "// sa-lint: allow(SA101) the consumer keeps it"


def filled(text, **marks):
    """The text with comments at some of its marks and nothing at the others."""
    for name in ("above_function", "head", "before", "far", "above", "inside", "behind", "below", "after", "here"):
        text = text.replace("@" + name + "\n", marks.pop(name, "") + "\n")
    assert not marks, marks
    return text


class Suppressions(Case):
    def rules(self, text, *args, name="a.cpp", **options):
        """Rules of the findings, then of the suppressed ones."""
        self.put(name, text)
        report = json.loads(self.lint("--format", "json", "--show-suppressed", "--today", "2026-06-01", *args, name,
                                      **options).stdout)
        self.report = report
        return ([finding["rule"] for finding in report["findings"]],
                [finding["rule"] for finding in report["suppressed"]])

    LIVE, GONE, UNUSED = (["SA101"], []), ([], ["SA101"]), (["SA101", "SA902"], [])

    def check(self, expected, **marks):
        found = self.rules(filled(BODY, **marks))
        self.assertEqual((sorted(found[0]), found[1]), expected, marks)


class Places(Suppressions):
    def test_no_comment(self):
        self.check(self.LIVE)

    def test_every_line_of_the_statement(self):
        self.check(self.GONE, inside=ALLOW)
        self.check(self.GONE, behind=ALLOW)
        self.check(self.GONE, behind="/* sa-lint: allow(SA101) the consumer keeps it */")

    def test_the_lines_above(self):
        self.check(self.GONE, above="  " + ALLOW)
        self.check(self.GONE, above="  // Some words.\n  " + ALLOW + "\n  // More words.")
        self.check(self.GONE, above="  /*\n   * sa-lint: allow(SA101) the consumer\n   * keeps it\n   */")

    def test_the_function(self):
        self.check(self.GONE, above_function=ALLOW)
        self.check(self.GONE, above_function="// Reads.\n" + ALLOW)
        self.check(self.GONE, head=" " + ALLOW)

    def test_out_of_reach(self):
        for place in ("before", "far", "below", "after"):
            self.check(self.UNUSED, **{place: ALLOW})
        self.check(self.UNUSED, above_function=ALLOW + "\n")

    def test_a_template_and_a_method(self):
        text = HEAD + ("struct Reader {\n" + ALLOW + "\n  template <typename T>\n  void read(const at::Tensor &t, at::Tensor &out,"
                       " c10::cuda::CUDAStream side) {\n    c10::cuda::CUDAStreamGuard guard(side);\n    out.copy_(t, true);\n"
                       "    t.record_stream(side);\n  }\n};\n")
        self.assertEqual(self.rules(text), self.GONE)
        self.assertEqual(self.rules(text.replace("struct Reader {\n" + ALLOW, ALLOW + "\nstruct Reader {"))[0],
                         ["SA902", "SA101"])

    def test_inside_a_lambda_the_statement_of_the_lambda_counts(self):
        text = HEAD + ("void run(const at::Tensor &t, at::Tensor &out, c10::cuda::CUDAStream side) {\n"
                       "  auto read = [&] {\n    c10::cuda::CUDAStreamGuard guard(side);\n    out.copy_(t, true);\n"
                       "    t.record_stream(side);@in\n  };@out\n  read();\n}\n")
        base = self.rules(text.replace("@in", "").replace("@out", ""))
        self.assertEqual(base[0], ["SA101"])
        self.assertEqual(self.rules(text.replace("@in", ALLOW).replace("@out", "")), self.GONE)
        self.assertEqual(sorted(self.rules(text.replace("@in", "").replace("@out", ALLOW))[0]), ["SA101", "SA902"])

    def test_two_functions(self):
        again = BODY.replace("read_aside", "again")
        both = filled(BODY, above_function=ALLOW) + filled(again)
        self.assertEqual(self.rules(both), (["SA101"], ["SA101"]))
        self.assertGreater(self.report["findings"][0]["line"], self.report["suppressed"][0]["line"])

    def test_nolint(self):
        self.check(self.GONE, behind="// NOLINT(SA101) the consumer keeps it")
        self.check(self.GONE, behind="// NOLINT(bugprone-*, SA101): the consumer keeps it")
        self.check(self.GONE, above="// NOLINTNEXTLINE(SA101): the consumer keeps it")
        self.check(self.UNUSED, above="// NOLINT(SA101) the consumer keeps it")
        self.check(self.LIVE, behind="// NOLINT")
        self.check(self.LIVE, behind="// NOLINT(bugprone-use-after-move)")
        self.check((["SA101", "SA903"], []), above="// NOLINTBEGIN(SA101) the consumer keeps it")

    def test_windows_line_ends(self):
        self.put("a.cpp", filled(BODY, above=ALLOW).replace("\n", "\r\n"))
        self.lint("--fail-on", "note", "a.cpp", status=0)

    def test_only_comments_count(self):
        for text in ('const char *s = "// sa-lint: allow(SA101) no";', 'const char *s = R"x(\n// sa-lint: allow(SA101) no\n)x";',
                     "int x = 1'000; // It's words, then sa-lint: allow(SA101) in the middle",
                     "#define S \"NOLINT(SA101) no\""):
            self.check(self.LIVE, below=text)
            self.check(self.LIVE, above_function=text)

    def test_python(self):
        text = ("import torch\n@above_function\n@decorator\ndef read(t, out, side):\n    with torch.cuda.stream(side):\n"
                "        out.copy_(t)\n    t.record_stream(\n        side)@behind\n    return out\n")
        found = self.rules(text.replace("@above_function\n", "").replace("@behind", ""), name="a.py")[0]
        if "built without Python" in self.lint("a.py").stderr:
            self.skipTest("built without Python")
        self.assertTrue(found)
        rule = found[0]
        comment = "# sa-lint: allow(%s) the consumer keeps it" % rule
        for marks in ({"@above_function": comment, "@behind": ""}, {"@above_function": "#", "@behind": "  " + comment}):
            changed = text
            for mark, put in marks.items():
                changed = changed.replace(mark, put)
            self.assertEqual(self.rules(changed, name="a.py"), (found[1:], [rule]))


    def test_a_notebook(self):
        cell = ["import torch\n", "def read(t, out, side):\n", "    with torch.cuda.stream(side):\n", "        out.copy_(t)\n",
                "    t.record_stream(side)@\n"]
        book = {"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# sa-lint: allow(SA101) no code\n"]},
                          {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell}],
                "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
        def found(comment):
            text = json.dumps(book, indent=1).replace("@", comment)
            return self.rules(text, name="a.ipynb")
        if "built without Python" in self.lint("--fail-on", "error", self.put("a.ipynb", json.dumps(book))).stderr:
            self.skipTest("built without Python")
        self.assertEqual(found(""), self.LIVE)
        self.assertEqual(found("  # sa-lint: allow(SA101) the consumer keeps it"), self.GONE)
        self.assertEqual(found("  # sa-lint: allow(SA101)"), (["SA101", "SA904"], []))
        place = self.report["findings"][1]
        with open(self.path("a.ipynb"), encoding="utf-8") as file:
            self.assertEqual(file.read().split("\n")[place["line"] - 1][place["column"] - 1:place["endColumn"] - 1], "SA101")


class Hygiene(Suppressions):
    def messages(self):
        return " ".join(finding["message"] for finding in self.report["findings"])

    def test_without_a_reason(self):
        for comment in ("// sa-lint: allow(SA101)", "// sa-lint: allow(SA101): - ", "// NOLINT(SA101)",
                        "/* sa-lint: allow(SA101) */", "// sa-lint: allow(SA101) until=2027-01-31"):
            self.check((["SA101", "SA904"], []), behind=comment)
            self.assertEqual(self.rules(filled(WITHOUT, here=comment)), (["SA904"], []), comment)

    def test_unknown_rules(self):
        self.check((["SA101", "SA903"], []), behind="// sa-lint: allow(SA10) it is kept")
        self.check((["SA903"], ["SA101"]), behind="// sa-lint: allow(sa101, SA101) it is kept")
        self.assertIn("Did you mean 'SA101'", self.messages())
        self.assertEqual(self.rules(filled(WITHOUT, here="// sa-lint: allow(avoidable) it is kept")), (["SA903"], []))

    def test_cannot_be_read(self):
        for comment in ("// sa-lint: alow(SA101) it is kept", "// sa-lint: allow SA101", "// sa-lint: allow(SA101 it is kept",
                        "// sa-lint: allow() it is kept", "// sa-lint:", "// sa-lint: allow(SA101) until=2027-02-29 kept",
                        "// sa-lint: allow(SA101, until=tomorrow) it is kept"):
            self.check((["SA101", "SA903"], []), behind=comment)

    def test_unused(self):
        self.assertEqual(self.rules(filled(WITHOUT, here=ALLOW)), (["SA902"], []))
        self.check((["SA902"], ["SA101"]), behind="// sa-lint: allow(SA101, SA301) it is kept")
        self.check((["SA902"], ["SA101"]), behind=ALLOW, above=ALLOW)
        self.assertEqual(self.rules(filled(WITHOUT, here="// sa-lint: allow(SA902) never"))[0], ["SA902"])

    def test_files_without_anything_to_analyse(self):
        self.put("lib.h", "// sa-lint: allow(SA301) there was a call once\nint f();\n")
        self.put("other.h", "// see sa-lint: nothing\nint g(); // NOLINT(bugprone)\n")
        report = json.loads(self.lint("--format", "json", ".", status=0).stdout)
        self.assertEqual([(f["rule"], f["file"], f["line"]) for f in report["findings"]], [("SA902", "lib.h", 1)])
        self.assertEqual(report["summary"]["filesSkipped"], 2)
        self.lint("--fail-on", "note", ".", status=1)
        self.assertEqual(self.lint("--list-files", ".", status=0).stdout, "")

    def test_expiry(self):
        for comment in ("// sa-lint: allow(SA101) until=2026-05-31 it is kept", "// sa-lint: allow(SA101, until=2026-05-31) kept"):
            self.check((["SA101", "SA905"], []), behind=comment)
            self.check(self.GONE, behind=comment.replace("05-31", "06-01"))
        self.assertEqual(self.rules(filled(WITHOUT, here="// sa-lint: allow(SA101) until=2020-01-01 kept"))[0], ["SA905"])
        self.put("a.cpp", filled(BODY, behind="// sa-lint: allow(SA101) until=2030-05-31 it is kept"))
        for epoch, status in (("1906416000", 0), ("1906502400", 1)):  # 2030-05-31 and the day after
            self.lint("--fail-on", "warning", "a.cpp", status=status, env={**os.environ, "SOURCE_DATE_EPOCH": epoch})
        self.assertIn("--today", self.lint("--today", "2030-13-01", "a.cpp", status=2).stderr)

    def test_a_file_that_cannot_be_analysed(self):
        """Nobody can say that its comments are unused; what is wrong by itself is said."""
        self.put("rules/x", "")
        text = filled(BODY, behind=ALLOW, above="  // sa-lint: allow(SA101)")
        self.put("a.cpp", text)
        done = self.lint("--format", "json", "--timeout", "300", "--memory", "1", "a.cpp")
        rules = [finding["rule"] for finding in json.loads(done.stdout)["findings"]]
        self.assertIn("SA904", rules)
        self.assertNotIn("SA902", rules)

    def test_the_reason_may_itself_justify(self):
        """A comment that explains why the release cannot be controlled already takes the finding away."""
        found = self.rules(filled(BODY, behind="// sa-lint: allow(SA104) the release point cannot be controlled"))
        self.assertNotIn("SA902", found[0])

    def test_selection(self):
        text = filled(BODY, behind=ALLOW)
        self.assertEqual(self.rules(text, "--ignore", "SA101"), ([], []))
        self.assertEqual(self.rules(filled(BODY, above=ALLOW.replace("SA101", "SA301")), "--ignore", "SA9"), (["SA101"], []))


class Reports(Suppressions):
    LONG = ("  // sa-lint: allow(SA101) until=2027-01-31 the consumer keeps it\n  // until its own stream is done\n"
            "  // sa-lint: allow(SA301) other")

    def test_text(self):
        self.put("a.cpp", filled(BODY, above=self.LONG))
        told = self.lint("--today", "2026-06-01", "a.cpp", status=0).stdout
        self.assertNotIn("[SA101]", told)
        self.assertIn("; 1 suppressed; 1 file\n", told)
        told = self.lint("--today", "2026-06-01", "--show-suppressed", "a.cpp", status=0).stdout
        self.assertRegex(told, r"a\.cpp:\d+:3: suppressed: .* \[SA101\]\n")
        self.assertIn("  reason: the consumer keeps it until its own stream is done (until 2027-01-31)\n", told)

    def test_json(self):
        self.rules(filled(BODY, above=self.LONG))
        suppression = self.report["suppressed"][0]["suppression"]
        self.assertEqual(suppression["reason"], "the consumer keeps it until its own stream is done")
        self.assertEqual(suppression["until"], "2027-01-31")
        plain = json.loads(self.lint("--format", "json", "a.cpp").stdout)
        self.assertNotIn("suppressed", plain)

    def test_sarif(self):
        self.put("a.cpp", filled(BODY, above=self.LONG))
        results = self.sarif("--today", "2026-06-01")
        self.assertEqual([result["ruleId"] for result in results], ["SA902"])
        results = self.sarif("--today", "2026-06-01", "--show-suppressed")
        self.assertEqual(sorted(result["ruleId"] for result in results), ["SA101", "SA902"])
        one = [result for result in results if result["ruleId"] == "SA101"][0]
        self.assertEqual(one["suppressions"], [{"kind": "inSource", "status": "accepted", "justification":
                                                "the consumer keeps it until its own stream is done"}])
        self.assertNotIn("suppressions", [result for result in results if result["ruleId"] == "SA902"][0])

    def sarif(self, *args):
        return json.loads(self.lint("--format", "sarif", *args, "a.cpp").stdout)["runs"][0]["results"]

    def test_other_formats_leave_them_out(self):
        self.put("a.cpp", filled(BODY, behind=ALLOW))
        self.assertEqual(self.lint("--format", "github", "--show-suppressed", "a.cpp", status=0).stdout, "")

    def test_any_number_of_workers(self):
        for number in range(5):
            self.put("f%d.cpp" % number, filled(BODY, behind=ALLOW, above=self.LONG))
        outputs = {self.lint("--format", "json", "--show-suppressed", "--today", "2026-06-01", "-j", jobs, ".").stdout
                   for jobs in ("0", "1", "3")}
        self.assertEqual(len(outputs), 1)

    def test_hostile_reasons(self):
        self.put("a.cpp", filled(BODY, behind="// sa-lint: allow(SA101) \x1b[31m::set-output <b>\u202e it"))
        told = self.lint("--show-suppressed", "a.cpp", status=0).stdout
        self.assertNotIn("\x1b", told)
        self.assertNotIn("\u202e", told)
        self.assertFalse(any(line.startswith("::") for line in told.split("\n")))
        self.put("b.cpp", "// sa-lint: allow(" + "SA101," * 20000 + ") many\n" + "//sa-lint:allow(SA101)x\n" * 20000)
        self.assertEqual(self.lint("-q", "b.cpp", timeout=60, status=0).stderr, "")


if __name__ == "__main__":
    unittest.main()
