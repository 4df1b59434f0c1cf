"""Runs what prepare.py made, on PyTorch and a GPU; prints a table and writes one JSON file.

    python3 run.py PREPARED OUT.json

Per program and form: are the values right in every run, the peak of active memory, the time. C++
programs are built as extensions, all at once. Python programs also run once under PyTorch's stream
sanitizer. Ends with 1 where a right form is wrong, where the edited form needs more memory than
the original, where a negative control comes out right, or where something does not compile.
"""
import concurrent.futures
import importlib.util
import json
import os
import subprocess
import sys
import time

FORMS = ("before", "after", "neither")
RUNS = 5
BINDING = """#include <torch/extension.h>
at::Tensor run();
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
"""


def build(source, name, folder):
    from torch.utils import cpp_extension

    os.makedirs(folder, exist_ok=True)
    binding = os.path.join(folder, "binding.cpp")
    with open(binding, "w") as f:
        f.write(BINDING)
    return cpp_extension.load(name=name, sources=[source, binding], build_directory=folder, with_cuda=True,
                              extra_cflags=["-O1", "-w"])


def load(source, name, folder):
    if source.endswith(".py"):
        spec = importlib.util.spec_from_file_location(name, source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    return build(source, name, folder)


def one(source, name, folder, sanitize):
    """A child's work: one program in one form, in a process of its own."""
    import torch

    if sanitize:
        import torch.cuda._sanitizer as sanitizer

        sanitizer.enable_cuda_sanitizer()
    module = load(source, name, folder)
    module.run()
    wrong, times, peaks = 0, [], []
    for _ in range(1 if sanitize else RUNS):
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        start = time.perf_counter()
        values = module.run().tolist()
        times.append(1e3 * (time.perf_counter() - start))
        peaks.append(torch.cuda.memory_stats()["active_bytes.all.peak"])
        wrong += sum(v != i + 1 for i, v in enumerate(values))
    print(json.dumps({"wrong": wrong, "values": len(values) * len(times), "active_peak": max(peaks),
                      "ms": sorted(times)[len(times) // 2]}))


def child(*words):
    p = subprocess.run([sys.executable, os.path.abspath(__file__), "--one", *words], capture_output=True, text=True,
                       timeout=400)
    try:
        return json.loads(p.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return {"error": (p.stderr.strip().splitlines() or ["no output"])[-1][:300]}


def compile_only(source):
    """The error messages of compiling one source against PyTorch's headers; "" when it compiles."""
    from torch.utils.cpp_extension import include_paths

    command = ["g++", "-std=c++20", "-fsyntax-only", "-w", source]
    p = subprocess.run(command + [f"-I{i}" for i in include_paths("cuda")], capture_output=True, text=True, timeout=400)
    return "" if p.returncode == 0 else p.stderr


def build_all(prepared, work, programs):
    jobs = [(p, form) for p in programs if p["kind"] == "c10" for form in FORMS]

    def job(pair):
        program, form = pair
        name = f"{program['name']}_{form}"
        source = os.path.join(prepared, "c10", f"{program['name']}.{form}{program['ending']}")
        code = f"import sys; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r}); import run; " \
               f"run.build({source!r}, {name!r}, {os.path.join(work, name)!r})"
        p = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=500)
        return name, "" if p.returncode == 0 else p.stdout[-2000:] + p.stderr[-2000:]

    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        return dict(pool.map(job, jobs))


def run_all(prepared, work, programs):
    for p in programs:
        row = {**p, "forms": {}}
        for form in FORMS:
            source = os.path.join(prepared, p["kind"], f"{p['name']}.{form}{p['ending']}")
            name = f"{p['name']}_{form}"
            row["forms"][form] = child(source, name, os.path.join(work, name), "plain")
        if p["kind"] == "python":
            source = os.path.join(prepared, "python", f"{p['name']}.after{p['ending']}")
            row["sanitizer"] = child(source, p["name"] + "_after", work, "sanitize")
        yield row


def faults(row):
    """What does not hold for a program, in words."""
    forms = row["forms"]
    for form in FORMS:
        if "error" in forms[form]:
            yield f"{form}: {forms[form]['error']}"
            return
    for form in FORMS:
        if bool(forms[form]["wrong"]) != (form in row["wrong"]):
            yield f"{form}: {forms[form]['wrong']} of {forms[form]['values']} values wrong"
    if "before" not in row["wrong"] and forms["after"]["active_peak"] > forms["before"]["active_peak"]:
        yield "the edited form needs more memory"
    if "error" in row.get("sanitizer", {}):
        yield f"stream sanitizer: {row['sanitizer']['error']}"


def main():
    if sys.argv[1] == "--one":
        return one(*sys.argv[2:5], sys.argv[5] == "sanitize")
    import torch

    if not torch.cuda.is_available():
        print("skipped: no device")
        return 77
    prepared, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    work = os.path.join(os.path.dirname(out), "programs")
    with open(os.path.join(prepared, "programs.json")) as f:
        listed = json.load(f)
    bad = []
    for name, error in build_all(prepared, work, listed["programs"]).items():
        if error:
            print(f"{name}: does not build\n{error}")
    sources = [os.path.join(prepared, "compile", f"{c}.{form}.cpp") for c in listed["compile"] for form in FORMS[:2]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        errors = dict(zip(sources, pool.map(compile_only, sources)))
    compiled = []
    for case in listed["compile"]:
        before, after = (errors[os.path.join(prepared, "compile", f"{case}.{form}.cpp")] for form in FORMS[:2])
        compiled.append({"case": case, "before": not before, "after": not after})
        if after and not before:
            bad.append(f"{case}: compiles before the edit and not after it: {after[:500]}")
        elif before:
            print(f"{case}: does not compile against this PyTorch, before the edit too: {before.splitlines()[0][:200]}")
    rows = list(run_all(prepared, work, listed["programs"]))
    for row in rows:
        print(row["kind"], row["name"], ",".join(row["rules"]))
        for form in FORMS:
            print(f"    {form:<8}", json.dumps(row["forms"][form]))
        for fault in faults(row):
            bad.append(f"{row['kind']}/{row['name']}: {fault}")
    with open(out, "w") as f:
        json.dump({"torch": torch.__version__, "gpu": torch.cuda.get_device_name(), "programs": rows,
                   "compiled": compiled, "bad": bad}, f, indent=1)
    print(f"{len(rows)} programs, {len(compiled)} cases compiled, {len(bad)} faults")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
