"""Tests of check_words.py: a tree with one old word per kind of location, and the exact message."""

import tempfile
import unittest
from pathlib import Path

from check_words import RULES, check, words_of


def violations(files):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check(root)


class CheckWords(unittest.TestCase):
    def test_the_words_of_the_field_pass(self):
        self.assertEqual(violations({
            "loom/plan/search.cc": "// Provisions circuits; at least one, at most ten; anyway.\n"
                                   "int max_paths = at_least_one(kMaxDegree, 1'000'000);\n",
            "docs/circuits.md": "A light path is provisioned, and most of the traffic is local.\n",
        }), [])

    def test_an_identifier_is_split_into_words(self):
        self.assertEqual(words_of("kMaxLinksDrawn"), "max links drawn")
        self.assertEqual(words_of("HTTPServer_of2"), "http server of 2")
        self.assertEqual(
            violations({"loom/plan/a.cc": "int x;\nint kFoundWays = 3;\n",
                        "loom/fabric/b.h": "struct LitCircuit {};\n"}),
            ["loom/fabric/b.h:1: 'lit' in 'LitCircuit' found; say 'provisioned, provisioning or "
             "circuit'",
             "loom/plan/a.cc:2: 'ways' in 'kFoundWays' found; say 'path, route, degree or "
             "candidate'"])

    def test_a_key_in_a_string_is_an_identifier(self):
        self.assertEqual(
            violations({"loom/jobs/a.cc": 'read("most_gpus");\n'}),
            ["loom/jobs/a.cc:1: 'most' in 'most_gpus' found; say 'max'"])

    def test_a_comment_is_searched_across_its_lines(self):
        self.assertEqual(
            violations({"loom/plan/a.h": "int a = 1;  // demand that is passed\n"
                                         "            // on by devices\n"}),
            ["loom/plan/a.h:1: 'passed on' found; say 'forward, relay or transit traffic'"])

    def test_code_separates_comments(self):
        self.assertEqual(violations({"loom/plan/a.h": "int a;  // passed\nint b;  // on\n"}), [])

    def test_a_digit_separator_opens_no_literal(self):
        self.assertEqual(violations({"loom/plan/a.cc": "int a = 1'000;  // it isn't lit\n"}),
                         ["loom/plan/a.cc:1: 'lit' found; say 'provisioned'"])

    def test_help_texts_and_errors_are_searched(self):
        self.assertEqual(
            violations({"cli/a.cc": 'add_flag("--x", x,\n  "jobs that are "\n  "strewn");\n',
                        "loom/base/b.cc": 'throw InputError("a whole number is needed");\n'}),
            ["cli/a.cc:3: 'strewn' found; say 'scattered'",
             "loom/base/b.cc:1: 'whole number' found; say 'integer'"])

    def test_the_name_of_a_test_is_prose(self):
        self.assertEqual(
            violations({"loom/a_test.cc": "TEST(Ring, TheCircuitsAreLit) {}\n"
                                          "TEST_F(Ring, MostAreServed) {}\n"}),
            ["loom/a_test.cc:1: 'lit' in 'TheCircuitsAreLit' found; say 'provisioned'"])

    def test_docs_and_examples_are_searched(self):
        self.assertEqual(
            violations({"README.md": "# Loom\n\nThe cluster's day.\n",
                        "docs/a.md": "Links chosen by\nchance.\n",
                        "examples/a.yaml": "gpus: 4  # all alike\n"}),
            ["README.md:3: 'cluster's day' found; say 'cluster trace'",
             "docs/a.md:1: 'by chance' found; say 'random or at random'",
             "examples/a.yaml:1: 'alike' found; say 'equivalent or the same'"])

    def test_the_name_of_a_file_is_searched(self):
        self.assertEqual(
            violations({"loom/plan/way_search.cc": "", "examples/cluster_day.yaml": ""}),
            ["examples/cluster_day.yaml: 'day' found in the name of the file; say 'cluster trace "
             "or scheduling simulation'",
             "loom/plan/way_search.cc: 'way' found in the name of the file; say 'path, route, "
             "degree or candidate'"])

    def test_british_spellings_are_refused(self):
        self.assertEqual(
            violations({"loom/a.h": "int neighbours_of(int);  // modelled\n",
                        "docs/a.md": "the colours of fibres\n"}),
            ["docs/a.md:1: 'colours' found; say 'color'",
             "docs/a.md:1: 'fibres' found; say 'fiber'",
             "loom/a.h:1: 'neighbours' in 'neighbours_of' found; say 'neighbor'",
             "loom/a.h:1: 'modelled' found; say 'one l, as in modeled'"])

    def test_light_is_light_in_the_photonic_folders_only(self):
        self.assertEqual(
            violations({"loom/photonic/a.h": "bool lit;\n", "loom/plan/a.h": "bool lit;\n"}),
            ["loom/plan/a.h:1: 'lit' in 'lit' found; say 'provisioned, provisioning or circuit'"])

    def test_what_the_program_wrote_and_the_changelog_are_not_searched(self):
        self.assertEqual(violations({"tests/golden/expected/way.txt": "lit\n",
                                     "CHANGELOG.md": "`lit` is now `provisioned`\n",
                                     "build/a.md": "lit\n"}), [])

    def test_no_rule_recommends_what_another_denies(self):
        said = " ".join(f"{rule.say}." for rule in RULES if not rule.say.startswith(("-", "one l")))
        self.assertEqual(violations({"docs/a.md": said}), [])


if __name__ == "__main__":
    unittest.main()
