"""Runs what prepare.py made, on PyTorch and a GPU; prints a table and writes one JSON file.

    python3 run.py PREPARED OUT.json [--compile]

Per program and form: are the values right in every run, the peak of active memory, the time. C++
programs are built into one library. Python programs also run once in each form under PyTorch's
stream sanitizer (TORCH_CUDA_SANITIZER=1), which is a process for each; its reports are counted up to
the operation that it stops at. Ends with 1 where a right form is wrong, where the edited form needs
more memory than the original or the sanitizer reports it, where a negative control comes out right
or unreported, or where something does not compile.
"""
import concurrent.futures
import ctypes
import datetime
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time

FORMS = ("before", "after", "neither")
RUNS = 5
# Headers first, so that the macro renames the program's function only.
WRAPPER = """#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/Sleep.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#define run {name}
#include "{source}"
#undef run
extern "C" __attribute__((visibility("default"))) int values_of_{name}(float *values, int n) {{
  at::Tensor t = {name}().contiguous();
  for (int i = 0; i < n && i < t.numel(); i++) values[i] = t.data_ptr<float>()[i];
  return static_cast<int>(t.numel());
}}
"""


def driver():
    p = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True)
    return (p.stdout.splitlines() or ["unknown"])[0]


def compiler(*options):
    from torch.utils.cpp_extension import include_paths

    paths = [*include_paths("cuda"), sysconfig.get_paths()["include"]]
    return [shutil.which("g++") or "c++", "-std=c++20", "-w", *options, *(f"-I{i}" for i in paths)]


def output_of(command):
    """What a failing command said; "" when it did not fail."""
    p = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return "" if p.returncode == 0 else (p.stdout + p.stderr)[:2000] or "failed"


def in_parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        return dict(zip(items, pool.map(work, items)))


def build_all(prepared, work, programs):
    """One library of every C++ program in every form; the errors by name."""
    from torch.utils.cpp_extension import library_paths

    def compile_one(name):
        stem, form = name.rsplit("_", 1)
        with open(os.path.join(work, name + ".cpp"), "w") as f:
            f.write(WRAPPER.format(name=name, source=os.path.join(prepared, "c10", f"{stem}.{form}.cpp")))
        return output_of(compiler("-O0", "-fPIC", "-c", os.path.join(work, name + ".cpp"), "-o", os.path.join(work, name + ".o")))

    names = [f"{p['name']}_{form}" for p in programs if p["kind"] == "c10" for form in FORMS]
    errors = in_parallel(compile_one, names)
    objects = [os.path.join(work, n + ".o") for n in names if not errors[n]]
    library = os.path.join(work, "programs.so")
    failed = output_of([compiler()[0], "-shared", "-o", library, *objects, *(f"-L{p}" for p in library_paths("cuda")),
                        "-ltorch", "-ltorch_cpu", "-ltorch_cuda", "-lc10", "-lc10_cuda"])
    return library, {**errors, **({"the library": failed} if failed else {})}


def program(source, name):
    """The program's run(), giving a list of numbers."""
    if source.endswith(".py"):
        spec = importlib.util.spec_from_file_location(name, source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return lambda: module.run().tolist()
    function = getattr(ctypes.CDLL(source), "values_of_" + name)
    values = (ctypes.c_float * 1024)()
    return lambda: list(values[: function(values, 1024)])


def measured(source, name):
    """One program in one form: wrong values over all runs, the peak of active memory, the time."""
    import torch

    try:
        run = program(source, name)
        run()
        wrong, total, times, peaks = 0, 0, [], []
        for _ in range(RUNS):
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
            start = time.perf_counter()
            values = run()
            times.append(1e3 * (time.perf_counter() - start))
            peaks.append(torch.cuda.memory_stats()["active_bytes.all.peak"])
            wrong += sum(v != i + 1 for i, v in enumerate(values))
            total += len(values)
    except Exception as e:  # the report says so; the other programs go on
        return {"error": f"{type(e).__name__}: {e}"[:300]}
    return {"wrong": wrong, "values": total, "active_peak": max(peaks), "ms": sorted(times)[len(times) // 2]}


def path_of(prepared, p, form):
    return os.path.join(prepared, p["kind"], f"{p['name']}.{form}{p['ending']}")


def sanitized(source, name):
    """A child's work, TORCH_CUDA_SANITIZER is set: one program once. Writes [reports, error]."""
    reports, error = 0, ""
    try:
        program(source, name)()
    except Exception as e:
        reports = len(getattr(e, "errors", ()))
        error = "" if reports else f"{type(e).__name__}: {e}"[:300]
    print(json.dumps([reports, error]), flush=True)


def sanitize(prepared, p, form):
    """How many reports the stream sanitizer has for a form, or in words why that is not known."""
    source = path_of(prepared, p, form)
    command = [sys.executable, os.path.abspath(__file__), "--sanitized", source, f"{p['name']}_{form}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "TORCH_CUDA_SANITIZER": "1"})
    except subprocess.TimeoutExpired:
        return "it does not end"
    answer = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if not answer:
        return "it gave no answer: " + done.stderr[-200:]
    reports, error = json.loads(answer[-1])
    return error or reports


def sanitize_all(prepared, programs):
    """{(name, form): answer} of all Python programs, a few processes at a time."""
    jobs = [(p, form) for p in programs if p["kind"] == "python"
            for form in FORMS + (("unordered",) if p["waits"] else ())]
    with concurrent.futures.ThreadPoolExecutor(min(6, os.cpu_count() or 2)) as pool:
        answers = list(pool.map(lambda job: sanitize(prepared, *job), jobs))
    return {(p["name"], form): answer for (p, form), answer in zip(jobs, answers)}


def run_all(prepared, library, programs):
    said = sanitize_all(prepared, programs)
    for p in programs:
        row = {**p, "forms": {}}
        for form in FORMS:
            source = library if p["kind"] == "c10" else path_of(prepared, p, form)
            row["forms"][form] = measured(source, f"{p['name']}_{form}")
        if p["kind"] == "python":
            row["sanitizer"] = {form: answer for (name, form), answer in said.items() if name == p["name"]}
        yield row


def compile_cases(prepared, cases):
    """For each case whether it compiles before and after the edit, and what the compiler says after."""
    path = lambda case, form: os.path.join(prepared, "compile", f"{case}.{form}.cpp")
    sources = [path(case, form) for case in cases for form in FORMS[:2]]
    errors = in_parallel(lambda source: output_of(compiler("-fsyntax-only", source)), sources)
    for case in cases:
        yield {"case": case, "before": not errors[path(case, "before")], "after": not errors[path(case, "after")],
               "error": errors[path(case, "after")]}


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
    if row["edited"] and "before" not in row["wrong"] and forms["after"]["active_peak"] > forms["before"]["active_peak"]:
        yield "the edited form needs more memory"
    said = row.get("sanitizer", {})
    for form, answer in said.items():
        if not isinstance(answer, int):
            yield f"stream sanitizer, {form}: {answer}"
    if said.get("after"):
        yield f"stream sanitizer, after: {said['after']} reports"
    if said.get("unordered") == 0:
        yield "stream sanitizer, unordered: no report"
    if not row["edited"]:
        yield "the tool offers no safe edit"


def main():
    if sys.argv[1] == "--sanitized":
        return sanitized(*sys.argv[2:4])
    import torch

    if not torch.cuda.is_available():
        print("skipped: no device")
        return 77
    prepared, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    start = time.perf_counter()
    with open(os.path.join(prepared, "programs.json")) as f:
        listed = json.load(f)
    with tempfile.TemporaryDirectory() as work:
        library, errors = build_all(prepared, work, listed["programs"])
        bad = [f"{name}: does not build: {error}" for name, error in errors.items() if error]
        print(f"built {len(errors)} in {time.perf_counter() - start:.0f} s", flush=True)
        rows = []
        for row in run_all(prepared, library, listed["programs"]):
            rows.append(row)
            bad += [f"{row['kind']}/{row['name']}: {fault}" for fault in faults(row)]
            print(row["kind"], row["name"], ",".join(row["rules"]))
            for form in FORMS:
                print(f"    {form:<8}", json.dumps(row["forms"][form]), flush=True)
            if "sanitizer" in row:
                print("    reports ", json.dumps(row["sanitizer"]), flush=True)
    print(f"ran {len(rows)} programs by {time.perf_counter() - start:.0f} s; faults so far: {bad}", flush=True)
    compiled = list(compile_cases(prepared, listed["compile"])) if "--compile" in sys.argv[3:] else []
    bad += [f"{c['case']}: compiles only before the edit: {c['error']}" for c in compiled if c["before"] and not c["after"]]
    with open(out, "w") as f:
        json.dump({"torch": torch.__version__, "gpu": torch.cuda.get_device_name(), "driver": driver(),
                   "date": datetime.date.today().isoformat(), "programs": rows, "compiled": compiled, "bad": bad},
                  f, indent=1)
    print(f"{len(rows)} programs; {sum(c['before'] for c in compiled)} of {len(compiled)} cases compile before the edit, "
          f"{sum(c['after'] for c in compiled)} after it; {len(bad)} faults")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
