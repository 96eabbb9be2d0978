"""Tests of tidy.py, with a fake clang-tidy that reports the word BAD: which sources are rechecked."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import tidy

FAKE_TIDY = """#!/bin/sh
[ "$1" = --version ] && echo 14 && exit
for last; do :; done
echo "$last" >> "$0.calls"
grep -H BAD "$last" && exit 1
echo "2 warnings generated."
"""


class Tidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.write(".clang-tidy", "Checks: all\n")
        self.write("a.cc", "good\n")
        self.write("b.cc", "good\n")
        self.write("a.h", "good\n")
        self.write("build/compile_commands.json", json.dumps([
            {"file": str(self.root / f"{name}.cc"), "command": f"c++ -o {name}.o -c {name}.cc"}
            for name in "ab"]))
        self.write("tidy", FAKE_TIDY)
        (self.root / "tidy").chmod(0o755)

    def write(self, name, text):
        (self.root / name).parent.mkdir(exist_ok=True)
        (self.root / name).write_text(text)

    def run_on(self, *names):
        """The exit code and the names of the checked sources."""
        calls = self.root / "tidy.calls"
        calls.write_text("")
        headers = {"a.o": [self.root / "a.h"], "b.o": []}
        with mock.patch("tidy.our_headers", return_value=headers), \
                mock.patch("sys.stdin", io.StringIO("\n".join(names))), \
                contextlib.redirect_stdout(io.StringIO()):
            code = tidy.main([self.root, self.root / "build", str(self.root / "tidy"), "1"])
        return code, sorted(pathlib.Path(line).name for line in calls.read_text().split())

    def test_a_clean_source_is_checked_once(self):
        self.assertEqual(self.run_on("a.cc", "b.cc"), (0, ["a.cc", "b.cc"]))
        self.assertEqual(self.run_on("a.cc", "b.cc"), (0, []))

    def test_a_source_is_rechecked_when_it_or_its_header_changes(self):
        self.run_on("a.cc", "b.cc")
        self.write("a.h", "better\n")
        self.assertEqual(self.run_on("a.cc", "b.cc"), (0, ["a.cc"]))
        self.write("b.cc", "better\n")
        self.assertEqual(self.run_on("a.cc", "b.cc"), (0, ["b.cc"]))
        self.write(".clang-tidy", "Checks: more\n")
        self.assertEqual(self.run_on("a.cc", "b.cc"), (0, ["a.cc", "b.cc"]))

    def test_a_source_with_findings_is_always_rechecked(self):
        self.write("a.cc", "BAD\n")
        self.assertEqual(self.run_on("a.cc"), (1, ["a.cc"]))
        self.assertEqual(self.run_on("a.cc"), (1, ["a.cc"]))

    def test_sources_that_are_not_compiled_are_skipped(self):
        self.assertEqual(self.run_on("c.cc"), (0, []))


if __name__ == "__main__":
    unittest.main()
