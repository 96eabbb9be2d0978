"""Runs clang-tidy on the sources named on stdin and remembers the clean ones.

Usage: tidy.py ROOT BUILD CLANG_TIDY JOBS < FILES (relative to ROOT, one per line)

A clean source is checked again when it, one of our headers it includes, its compile command,
.clang-tidy or clang-tidy itself changes: BUILD/tidy_clean.txt has a hash of all these per clean
source, one per line. Sources that BUILD does not compile are skipped. Exits 1 if there are
findings.
"""

import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys

OUTPUT = re.compile(r" -o (\S+)")
NOISE = re.compile(r"^\d+ (warning|error)s?( and \d+ errors?)? generated\.$")


def our_headers(build, root):
    """The headers below root that each object file includes, by object path."""
    run = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True)
    found, headers, ours = {}, [], {}
    for line in run.stdout.splitlines():
        if line.startswith("    "):
            if line not in ours:
                path = (build / line.strip()).resolve()
                ours[line] = path if path.suffix == ".h" and path.is_relative_to(root) else None
            if ours[line]:
                headers.append(ours[line])
        elif ": #deps" in line:
            headers = found.setdefault(line.split(": #deps")[0], [])
    return found


class Keys:
    """Hashes of everything that clang-tidy's result for a source depends on."""

    def __init__(self, root, build, clang_tidy):
        self.root, self.build, self.texts = root, build, {}
        self.headers = our_headers(build, root)
        version = subprocess.run([clang_tidy, "--version"], capture_output=True).stdout
        self.common = version + (root / ".clang-tidy").read_bytes()

    def text(self, path):
        if path not in self.texts:
            content = path.read_bytes() if path.exists() else b""
            self.texts[path] = hashlib.sha256(content).digest()
        return self.texts[path]

    def of(self, entry):
        key = hashlib.sha256(self.common)
        key.update(entry["command"].replace(str(self.root), ".").encode())
        headers = self.headers.get(OUTPUT.search(entry["command"])[1])
        if headers is None:
            return None  # not built yet, so its includes are unknown
        for path in [pathlib.Path(entry["file"]), *sorted(headers)]:
            key.update(str(path.relative_to(self.root)).encode() + self.text(path))
        return key.hexdigest()


def check_source(clang_tidy, build, path):
    command = [clang_tidy, "-p", str(build), "--quiet", str(path)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = [line for line in run.stdout.splitlines() if not NOISE.match(line)]
    return run.returncode == 0 and not said, said


def main(arguments):
    root, build, clang_tidy, jobs = arguments
    root, build = pathlib.Path(root).resolve(), pathlib.Path(build).resolve()
    entries = json.loads((build / "compile_commands.json").read_text())
    compiled = {pathlib.Path(entry["file"]).resolve(): entry for entry in entries}
    named = [(root / line.strip()).resolve() for line in sys.stdin if line.strip()]
    keys = Keys(root, build, clang_tidy)
    memory = build / "tidy_clean.txt"
    clean = set(memory.read_text().split()) if memory.exists() else set()
    work = [(path, keys.of(compiled[path])) for path in named if path in compiled]
    found = False
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool, memory.open("a") as file:
        todo = {
            pool.submit(check_source, clang_tidy, build, path): key
            for path, key in work
            if key is None or key not in clean
        }
        for done in concurrent.futures.as_completed(todo):
            is_clean, said = done.result()
            if said:
                print("\n".join(said), flush=True)
            if not is_clean:
                found = True
            elif todo[done] is not None:
                file.write(todo[done] + "\n")
                file.flush()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
