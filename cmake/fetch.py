#!/usr/bin/env python3
"""Gets the archives that archives.txt names, each checked by its SHA-256. Usage: fetch.py DIRECTORY

Archives that lie in DIRECTORY already are only checked. The others come from the package index that
pip is set up to use; pip itself would run an archive's setup code, so only its answer to "which
index" is used here. Status 0 when all are there."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
SIMPLE = "application/vnd.pypi.simple.v1+json"  # the index's JSON form, PEP 691
LIMIT = 64 << 20


def archives():
    with open(os.path.join(HERE, "archives.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line.split()


def package_index():
    """pip's own help names the index after its configuration and environment."""
    done = subprocess.run([sys.executable, "-m", "pip", "download", "--help"], capture_output=True, text=True,
                          env=dict(os.environ, COLUMNS="1000"), check=False)
    found = re.search(r"--index-url <url>.*?\(default\s+(\S+?)\)", done.stdout, re.DOTALL)
    if not found:
        raise OSError("pip is missing or does not name its package index")
    return found.group(1).rstrip("/")


def get(url, accept="*/*"):
    request = urllib.request.Request(url, headers={"Accept": accept, "User-Agent": "sa-lint build"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read(LIMIT)


def address(index, project, archive):
    for row in json.loads(get("%s/%s/" % (index, project), SIMPLE))["files"]:
        if row["filename"] == archive:
            return urllib.parse.urljoin("%s/%s/" % (index, project), row["url"])
    raise OSError("%s is not in the package index" % archive)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def is_there(path, sha256):
    try:
        with open(path, "rb") as file:
            return digest(file.read()) == sha256
    except FileNotFoundError:
        return False


def store(path, data):
    """Whole or not at all: two builds may do this at once."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)


def fetch(directory):
    missing = [row for row in archives() if not is_there(os.path.join(directory, row[1]), row[2])]
    if not missing:
        return
    os.makedirs(directory, exist_ok=True)
    index = package_index()
    for project, archive, sha256 in missing:
        data = get(address(index, project, archive))
        if digest(data) != sha256:
            raise OSError("%s has SHA-256 %s, not %s" % (archive, digest(data), sha256))
        store(os.path.join(directory, archive), data)


def main():
    directory = os.path.abspath(sys.argv[1])
    try:
        fetch(directory)
    except (OSError, ValueError, KeyError) as error:
        lines = ["fetch: %s" % error, "Without a network, put these files into %s:" % directory]
        lines += ["  %s (SHA-256 %s)" % (archive, sha256) for _, archive, sha256 in archives()]
        lines += ["or build without Python: SA_PYTHON=OFF ./dev build (cmake -DSA_PYTHON=OFF)"]
        sys.exit("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
