"""Tests of check_summaries.py: summaries in every form they are written in, and the message."""

import tempfile
import unittest
from pathlib import Path

from check_summaries import check

NEEDED = "a noun phrase that stands alone is needed"


def violations(files):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check(root)


class CheckSummaries(unittest.TestCase):
    def test_noun_phrases_pass(self):
        self.assertEqual(violations({
            "loom/a.cc": 'Parameter{.summary = "bandwidth of one link", .fallback = "of"};\n'
                         '// .summary = "of a comment"\n'
                         'Parameter{.summary = "per-rank timeline"};\n'
                         'Parameter{.summary = "up to 8 threads"};\n'
                         'Parameter{.summary = "whether light is amplified"};\n',
            "loom/a_test.cc": 'Parameter{.summary = "of a test"};\n',
        }), [])

    def test_a_field_may_be_on_the_next_line_and_in_pieces(self):
        self.assertEqual(
            violations({"loom/fabric/a.cc": 'Parameter{.name = "rate",\n  .summary =\n'
                                            '      "of a device into the network, "\n'
                                            '      "all its circuits together"};\n'}),
            [f"loom/fabric/a.cc:3: summary begins with 'of'; {NEEDED}"])

    def test_half_a_sentence_is_refused(self):
        self.assertEqual(
            violations({"loom/a.cc": '.summary = "What is compared"\n.summary = "how many"\n'}),
            [f"loom/a.cc:1: summary begins with 'what'; {NEEDED}",
             f"loom/a.cc:2: summary begins with 'how'; {NEEDED}"])

    def test_help_of_options_flags_and_commands_is_held_to_it(self):
        header = ("Option add_option(std::string_view name, int& value, const std::string& help);\n"
                  "Option add_function(const std::function<void(int)>& take,\n"
                  "                    const std::string& help);\n"
                  "Command add_subcommand(std::string_view name, std::string_view description);\n")
        self.assertEqual(
            violations({"cli/command.h": header,
                        "cli/a.cc": 'app.add_subcommand("run", "for runs");\n'
                                    'it.add_option("--of", f(a, {b, c}), "seed of the noise")\n'
                                    '  .add_option("--in", x,\n     fmt::format("in {}", y));\n'
                                    'add_function([](int x) { use(x, ","); }, "with it");\n'}),
            [f"cli/a.cc:1: summary begins with 'for'; {NEEDED}",
             f"cli/a.cc:4: summary begins with 'in'; {NEEDED}",
             f"cli/a.cc:5: summary begins with 'with'; {NEEDED}"])

    def test_a_function_of_one_source_is_held_to_it_in_that_source(self):
        function = ("constexpr Parameter choice(std::string_view name, std::string_view summary,\n"
                    '                           std::string_view fallback = "") {\n'
                    "  return {.name = name, .summary = summary};\n}\n")
        use = 'constexpr Parameter kA = choice("a", "by job");\n'
        self.assertEqual(violations({"loom/a.cc": function + use, "loom/b.cc": use}),
                         [f"loom/a.cc:5: summary begins with 'by'; {NEEDED}"])


if __name__ == "__main__":
    unittest.main()
