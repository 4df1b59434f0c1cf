"""black and ruff, from PyPI in an environment that is kept beside the other downloads."""
import os
import subprocess
import sys
import venv

PINNED = ["black==24.10.0", "ruff==0.8.4"]
HOME = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sa-lint", "formatters")


def formatters():
    """({name: command that lays files out}, ""), or ({}, why there are none)."""
    programs = {name: os.path.join(HOME, "bin", name) for name in ("black", "ruff")}
    stamp = os.path.join(HOME, "installed")
    wanted = " ".join(PINNED)
    try:
        with open(stamp, encoding="utf-8") as file:
            there = file.read() == wanted
    except OSError:
        there = False
    if not there:
        try:
            venv.create(HOME, with_pip=True, clear=True)
            pip = [os.path.join(HOME, "bin", "python"), "-m", "pip", "install", "--quiet", *PINNED]
            done = subprocess.run(pip, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            return {}, str(error)
        if done.returncode != 0:
            return {}, done.stderr.strip().split("\n")[-1]
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    return {"black": [programs["black"], "--quiet"], "ruff": [programs["ruff"], "format", "--quiet", "--no-cache"]}, ""


def skipped(why):
    print("=" * 100 + f"\nSKIPPED: black and ruff are not there, layouts of Python are not checked: {why}\n" + "=" * 100,
          file=sys.stderr)
