"""black and ruff, from PyPI in a folder that is kept beside the other downloads."""
import os
import subprocess
import sys

PINNED = ["black==24.10.0", "ruff==0.8.4"]
HOME = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sa-lint", "formatters")


def formatters():
    """({name: command that lays files out}, ""), or ({}, why there are none)."""
    place = os.path.join(HOME, "python%d.%d" % sys.version_info[:2])
    stamp = os.path.join(place, "installed")
    wanted = " ".join(PINNED)
    try:
        with open(stamp, encoding="utf-8") as file:
            there = file.read() == wanted
    except OSError:
        there = False
    if not there:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", place, *PINNED]
        try:
            done = subprocess.run(pip, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            return {}, str(error)
        if done.returncode != 0:
            return {}, (done.stderr.strip() or "pip failed").split("\n")[-1]
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    black = ["env", "PYTHONPATH=" + place, sys.executable, "-m", "black", "--quiet"]
    return {"black": black, "ruff": [os.path.join(place, "bin", "ruff"), "format", "--quiet", "--no-cache"]}, ""


def skipped(why):
    print("=" * 100 + f"\nSKIPPED: black and ruff are not there, layouts of Python are not checked: {why}\n" + "=" * 100,
          file=sys.stderr)
