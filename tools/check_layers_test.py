"""Tests of check_layers.py: small source trees that follow or violate the table, and the exact
message."""

import tempfile
import unittest
from pathlib import Path

from check_layers import check

TABLE = "base:\nfabric: base  # limits\nplan: base fabric\nrun: above\ntests: *\n"


def breaches(files, table=TABLE):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {"layers.txt": table, **files}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check(root)


class CheckLayers(unittest.TestCase):
    def test_allowed_includes_pass(self):
        self.assertEqual(breaches({
            "loom/base/units.h": "#include <chrono>\n",
            "loom/fabric/ring.cc": '#include "loom/fabric/ring.h"\n#include "loom/base/units.h"\n',
            "loom/run/run.cc": '#include "loom/plan/sipml.h"\n#include "loom/base/units.h"\n',
            "tests/agree/all_test.cc": '#include "loom/plan/sipml.h"\n',
            "build/release/made.cc": '#include "whatever.h"\n',
        }), [])

    def test_an_upward_include_is_reported_with_file_line_and_rule(self):
        self.assertEqual(
            breaches({"loom/fabric/ring.h": '#pragma once\n#include "loom/plan/sipml.h"\n'}),
            ["loom/fabric/ring.h:2: fabric may not use plan (loom/plan/sipml.h); it may use: base"])

    def test_angle_brackets_do_not_hide_an_include(self):
        self.assertEqual(
            breaches({"loom/base/units.h": "  #  include <loom/fabric/ring.h>\n"}),
            ["loom/base/units.h:1: base may not use fabric (loom/fabric/ring.h); "
             "it may use: nothing"])

    def test_an_include_must_be_relative_to_the_root(self):
        self.assertEqual(breaches({"loom/base/units.cc": '#include "units.h"\n'}),
                         ['loom/base/units.cc:1: "units.h" is not relative to the root'])

    def test_a_folder_without_a_line_is_refused(self):
        self.assertEqual(
            breaches({"loom/misc/a.cc": "", "loom/b.h": "", "c.cc": ""}),
            ["c.cc: its folder has no line in layers.txt",
             "loom/b.h: its folder has no line in layers.txt",
             "loom/misc/a.cc: its folder has no line in layers.txt"])

    def test_a_cycle_between_folders_is_refused(self):
        self.assertEqual(breaches({}, "base: plan\nplan: base\n"),
                         ["layers.txt: a cycle: base -> plan -> base"])

    def test_a_cycle_between_files_of_one_folder_is_refused(self):
        self.assertEqual(
            breaches({"loom/base/a.h": '#include "loom/base/b.h"\n',
                      "loom/base/b.h": '#include "loom/base/a.h"\n'}),
            ["loom/base/a.h: a cycle: loom/base/a.h -> loom/base/b.h -> loom/base/a.h"])

    def test_a_use_of_a_folder_without_a_line_is_refused(self):
        self.assertEqual(breaches({}, "base: bas\n"),
                         ["layers.txt: base may use bas, which has no line"])

    def test_a_library_links_no_more_than_its_folder_may_use(self):
        self.assertEqual(
            breaches({"loom/CMakeLists.txt": "loom_library(base LIBRARIES fmt::fmt)\n"
                                             "loom_library(plan USES base fabric)\n"
                                             "loom_library(fabric USES base plan LIBRARIES m)\n"
                                             "loom_library(misc)\n"}),
            ["loom/CMakeLists.txt:3: fabric may not link plan",
             "loom/CMakeLists.txt:4: misc has no line in layers.txt"])


if __name__ == "__main__":
    unittest.main()
