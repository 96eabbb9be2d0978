#include "loom/base/tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loom/base/random.h"
#include "loom/base/testing.h"

namespace loom {
namespace {

Tree tree(std::string_view text) { return parse_yaml(text, "t.yaml"); }

std::string refusal(std::string_view text) {
  try {
    tree(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Tree, EveryValueKnowsItsLine) {
  const Tree root = tree("a: 1\nb:\n  - x\n  - {c: 2}\n");
  ASSERT_EQ(root.kind, Tree::Kind::map);
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_EQ(root.find("a")->location.text(), "t.yaml:1");
  const Tree& list = *root.find("b");
  ASSERT_EQ(list.kind, Tree::Kind::list);
  EXPECT_EQ(list.items[0].location.line, 3);
  EXPECT_EQ(list.items[1].find("c")->location.line, 4);
  EXPECT_EQ(root.find("d"), nullptr);
}

TEST(Tree, AMissingValueIsLocatedAtItsKey) {
  const Tree root = tree("a:\nb: 1\n");
  EXPECT_EQ(root.find("a")->text, "");
  EXPECT_EQ(root.find("a")->location.line, 1);
}

TEST(Tree, ScalarsStayTextAsWritten) {
  const Tree root = tree(R"({a: 0x10, b: yes, c: 1e3, d: '8', e: "q\"", f: two  words})");
  EXPECT_EQ(root.find("a")->text, "0x10");
  EXPECT_EQ(root.find("b")->text, "yes");
  EXPECT_EQ(root.find("c")->text, "1e3");
  EXPECT_EQ(root.find("d")->text, "8");
  EXPECT_EQ(root.find("e")->text, "q\"");
  EXPECT_EQ(root.find("f")->text, "two  words");
}

TEST(Tree, JsonParsesToo) {
  EXPECT_TRUE(same(tree("{\"a\": [1, \"x y\"], \"b\": {\"c\": \"d\"}}"),
                   tree("a: [1, x y]\nb:\n  c: d\n")));
}

TEST(Tree, KeysKeepTheirOrder) {
  const Tree root = tree("{z: 1, a: 2, m: 3}");
  ASSERT_EQ(root.entries.size(), 3U);
  EXPECT_EQ(root.entries[0].key, "z");
  EXPECT_EQ(root.entries[2].key, "m");
}

TEST(Tree, FeaturesOfHostileFilesAreRefused) {
  EXPECT_EQ(refusal("a: &x 1\nb: *x\n"),
            "t.yaml:1: an anchor (&name) is not allowed; write each value out");
  EXPECT_EQ(refusal("a: 1\na: 2\n"), "t.yaml:2: key 'a' appears twice; once is enough");
  EXPECT_EQ(refusal("a: !!str 1\n"),
            "t.yaml:1: a tag (tag:yaml.org,2002:str) is not allowed; remove it");
  EXPECT_EQ(refusal("a: 1\n---\nb: 2\n"),
            "t.yaml:2: a second document begins here; only one is read");
  EXPECT_EQ(refusal("a: \"\\_\"\n"),
            "t.yaml:1: a value holds the byte 0xa0; plain text on one line is needed");
  EXPECT_EQ(refusal("a: |\n  b\n"),
            "t.yaml:1: a value holds the byte 0x0a; plain text on one line is needed");
  EXPECT_EQ(refusal("a:\n\tb: 1\n"),
            "t.yaml:2: a tab begins this line; YAML is indented by spaces");
}

TEST(Tree, OneDocumentMayBeMarkedAsSuch) {
  EXPECT_TRUE(same(tree("%YAML 1.2\n---\na: 1\n...\n"), tree("a: 1\n")));
}

TEST(Tree, AValueFromTheCommandLineHasNoLines) {
  const SourceLocation location = location_of("--set a=[1, 2]");
  const Tree list = parse_yaml_value("[1, 2]", location);
  EXPECT_EQ(list.items[1].location.text(), "--set a=[1, 2]");
  try {
    parse_yaml_value("a: b: c", location);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--set a=[1, 2]: not YAML: illegal map value");
  }
}

TEST(Tree, MapsInAListAreWrittenOnOneLineEach) {
  EXPECT_EQ(to_yaml(tree("a: {b: 1, c: [2, 3]}\nd:\n  - {e: 4}\n  - 5\nf: []\n")),
            "a: {b: 1, c: [2, 3]}\nd:\n  - {e: 4}\n  - 5\nf: []\n");
}

// A random text of characters that are special in YAML.
std::string strange_text(Random& random) {
  constexpr std::string_view kPieces[] = {"a",  "0", " ",   "-", ":",  ": ",  "#",  " #",   "'",
                                          "\"", "{", "}",   "[", "]",  ",",   "&",  "*",    "!",
                                          "|",  ">", "%",   "@", "`",  "?",   "~",  "null", "\\",
                                          "é",  "…", "\\n", "=", "<<", "...", "---"};
  std::string text;
  for (std::uint32_t left = random(6); left > 0; --left)
    text += kPieces[random(std::size(kPieces))];
  return text;
}

Tree strange_tree(Random& random, int depth) {
  Tree made;
  const std::uint32_t kind = depth == 0 ? 0 : random(3);
  if (kind == 0) made.text = strange_text(random);
  if (kind == 1) made.kind = Tree::Kind::list;
  if (kind == 2) made.kind = Tree::Kind::map;
  for (std::uint32_t left = kind == 0 ? 0 : random(4); left > 0; --left) {
    const std::string key = fmt::format("{}{}", strange_text(random), left);
    if (kind == 1) made.items.push_back(strange_tree(random, depth - 1));
    if (kind == 2) made.entries.push_back({key, strange_tree(random, depth - 1)});
  }
  return made;
}

TEST(Tree, AnyTreeParsesBackUnchanged) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random = random_stream(seed);
    const Tree written = strange_tree(random, 3);
    const std::string yaml = to_yaml(written);
    ASSERT_TRUE(same(tree(yaml), written)) << "seed " << seed << ":\n" << yaml;
  }
}

}  // namespace
}  // namespace loom
