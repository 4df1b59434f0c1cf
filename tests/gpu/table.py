"""Puts what run.py wrote into a page, between the marks of its section.

    python3 table.py RESULT.json docs/validation.md
"""
import json
import sys

BEGIN, END = "<!-- rewrites: written by tests/gpu/table.py -->", "<!-- end of rewrites -->"


def cell(form):
    if "error" in form:
        return "does not run"
    return f"{form['wrong']} of {form['values']}, {form['active_peak'] / 2**20:.0f} MiB, {form['ms']:.1f} ms"


def table(result):
    yield f"PyTorch {result['torch']}, {result['gpu']}, {result['date']}, driver {result['driver']}."
    yield ""
    yield "| program | findings | before | after the edit | neither | sanitizer's reports |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for p in result["programs"]:
        forms = p["forms"]
        said = ", ".join(f"{form} {answer}" for form, answer in p.get("sanitizer", {}).items()) or "-"
        after = cell(forms["after"]) if p["edited"] else "no edit offered"
        yield (f"| {p['kind']}/{p['name']} | {', '.join(p['rules'])} | {cell(forms['before'])} | {after} | "
               f"{cell(forms['neither'])} | {said} |")
    cases = result["compiled"]
    if cases:
        before, after = sum(c["before"] for c in cases), sum(c["after"] for c in cases)
        yield ""
        yield (f"Of the {len(cases)} C++ cases of `fixtures/cases` with a safe edit of a c10 call, {before} compile against "
               f"this PyTorch's headers as they are, and {after} with the edit.")


def main():
    result, page = sys.argv[1:3]
    with open(result) as f:
        text = "\n".join(table(json.load(f)))
    with open(page) as f:
        old = f.read()
    head, rest = old.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    with open(page, "w") as f:
        f.write(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}")


if __name__ == "__main__":
    main()
