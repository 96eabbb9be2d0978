#!/usr/bin/python3
"""Runs the questions in bench/questions and prints the CPU seconds and memory of each."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/release/bin/lightloom"
GOALS = {  # CPU seconds
    "llama3_70b_fabrics": 10,
    "llama3_405b": 6,
    "gpt3_175b": 2,
    "mixtral_phases": 4,
    "reproduce sipml": 120,
    "reproduce topoopt": 600,
}


def questions(slow):
    for path in sorted((ROOT / "bench/questions").glob("*.yaml")):
        yield path.stem, ["compare", str(path)]
    if slow:
        for paper in ["sipml", "topoopt"]:
            yield f"reproduce {paper}", ["reproduce", paper, "--output", "."]


def run(arguments):
    """Returns wall seconds, CPU seconds and peak memory in MB; fails if the program does."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:
        child = subprocess.Popen([PROGRAM] + arguments, cwd=folder, stdout=nowhere)
        _, status, use = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"lightloom {' '.join(arguments)} failed")
    return time.monotonic() - begin, use.ru_utime + use.ru_stime, use.ru_maxrss * 1024 / 1e6


def main():
    slow = "--skip-slow" not in sys.argv[1:]
    print(f"{'question':<22}{'wall':>10}{'CPU':>10}{'goal':>10}{'memory':>12}")
    for name, arguments in questions(slow):
        wall, cpu, memory = run(arguments)
        goal = f"<= {GOALS[name]} s"
        print(f"{name:<22}{wall:>8.2f} s{cpu:>8.2f} s{goal:>10}{memory:>9.0f} MB", flush=True)


main()
