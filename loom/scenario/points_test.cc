#include "loom/scenario/points.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::scenario {
namespace {

std::vector<std::string> points(const std::string& yaml) {
  std::vector<std::string> texts;
  for (const PointTree& point : expand_axes(parse_yaml(yaml, "s.yaml"))) {
    texts.push_back(to_yaml(point.scenario));
  }
  return texts;
}

std::string axes(const std::string& yaml) {
  std::string text;
  for (const PointTree& point : expand_axes(parse_yaml(yaml, "s.yaml"))) {
    for (const auto& [path, value] : point.axes) text += fmt::format("{}={} ", path, value);
    text += "| ";
  }
  return text;
}

std::string refusal(const std::string& yaml) {
  return message([&] { points(yaml); });
}

using Texts = std::vector<std::string>;

TEST(Points, WithoutListsThereIsOne) {
  EXPECT_EQ(points("a: 1\nb: {c: 2}\n"), Texts{"a: 1\nb: {c: 2}\n"});
}

TEST(Points, AListIsAnAxisAndTheLastVariesFastest) {
  EXPECT_EQ(
      points("a: [1, 2]\nb: {c: [x, y]}\n"),
      (Texts{"a: 1\nb: {c: x}\n", "a: 1\nb: {c: y}\n", "a: 2\nb: {c: x}\n", "a: 2\nb: {c: y}\n"}));
  EXPECT_EQ(axes("a: [1, 2]\nb: {c: [x, y]}\n"),
            "a=1 b.c=x | a=1 b.c=y | a=2 b.c=x | a=2 b.c=y | ");
}

TEST(Points, FabricsAreAnAxisAndAListInOneMakesSeveralOfIt) {
  const std::string yaml = "fabrics:\n  - {kind: a}\n  - {kind: b, speed: [1, 2]}\n";
  EXPECT_EQ(points(yaml), (Texts{"fabric: {kind: a}\n", "fabric: {kind: b, speed: 1}\n",
                                 "fabric: {kind: b, speed: 2}\n"}));
  EXPECT_EQ(axes(yaml), "| fabric.speed=1 | fabric.speed=2 | ");
}

TEST(Points, ChangesAreAListOfTheirOwn) {
  EXPECT_EQ(points("a: [1, 2]\nchanges:\n  - {at: 1}\n  - {at: 2}\n"),
            (Texts{"a: 1\nchanges:\n  - {at: 1}\n  - {at: 2}\n",
                   "a: 2\nchanges:\n  - {at: 1}\n  - {at: 2}\n"}));
}

TEST(Points, ValuesKeepTheirSourceLocation) {
  const auto made = expand_axes(parse_yaml("a:\n  - 1\n  - 2\n", "s.yaml"));
  EXPECT_EQ(made[1].scenario.find("a")->location.line, 3);
}

TEST(Points, AScenarioThatMakesNoPointsIsRefused) {
  EXPECT_EQ(refusal("[1]"),
            "s.yaml:1: the scenario is not a map; a map with workload, gpus and fabric is needed");
  EXPECT_EQ(refusal("a: []"), "s.yaml:1: a is an empty list; a value is needed");
  EXPECT_EQ(refusal("a: [[1]]"),
            "s.yaml:1: a is a list of lists; a list of single values is needed");
}

std::string list(int count) {
  std::string values;
  for (int i = 0; i < count; ++i) values += fmt::format("{}{}", i == 0 ? "" : ", ", i);
  return "[" + values + "]";
}

TEST(Points, ThereAreAtMostTenThousand) {
  EXPECT_EQ(points("a: " + list(100) + "\nb: " + list(100) + "\n").size(), kMaxPoints);
  EXPECT_EQ(refusal("a: " + list(10'001) + "\n"),
            "s.yaml:1: the lists make more than 10000 points; fewer values are needed");
  EXPECT_EQ(refusal("a: " + list(100) + "\nb: " + list(101) + "\n"),
            "s.yaml:2: the lists make more than 10000 points; fewer values are needed");
}

TEST(Points, ALongScenarioHasALowerLimit) {
  std::string yaml = "a: " + list(1000) + "\nchanges:\n";
  for (int i = 0; i < 10'000; ++i) yaml += "  - {at: 1}\n";
  EXPECT_EQ(refusal(yaml),
            "s.yaml:1: the lists make more than 199 points; fewer values are needed");
}

const char* const kTwo = "gpus: 4\nfabrics:\n  - {kind: a, speed: 1}\n  - {kind: b}\n";

std::string overridden(const std::string& assignment, const std::string& yaml = kTwo) {
  Tree tree = parse_yaml(yaml, "s.yaml");
  override_value(tree, assignment);
  return to_yaml(tree);
}

TEST(Override, SetsAValueOrAddsIt) {
  EXPECT_EQ(overridden("gpus=8"), "gpus: 8\nfabrics:\n  - {kind: a, speed: 1}\n  - {kind: b}\n");
  EXPECT_EQ(overridden("a.b.c=1", "gpus: 4\n"), "gpus: 4\na: {b: {c: 1}}\n");
  EXPECT_EQ(overridden("gpus=[1, 2]", "gpus: 4\n"), "gpus:\n  - 1\n  - 2\n");
  EXPECT_EQ(overridden("gpus=a=b", "gpus: 4\n"), "gpus: \"a=b\"\n");
}

TEST(Override, AppliesToAllFabricsIfNoneIsNumbered) {
  EXPECT_EQ(overridden("fabric.speed=9"),
            "gpus: 4\nfabrics:\n  - {kind: a, speed: 9}\n  - {kind: b, speed: 9}\n");
  EXPECT_EQ(overridden("fabrics.1.speed=9"),
            "gpus: 4\nfabrics:\n  - {kind: a, speed: 1}\n  - {kind: b, speed: 9}\n");
}

TEST(Override, IsTheSourceLocationOfItsValue) {
  Tree tree = parse_yaml(kTwo, "s.yaml");
  override_value(tree, "fabric.speed=[1, 2]");
  EXPECT_EQ(tree.find("fabrics")->items[1].find("speed")->items[1].location.text(),
            "--set fabric.speed=[1, 2]");
}

TEST(Override, ThatLeadsNowhereIsRefused) {
  const auto refused = [](const std::string& assignment) {
    return message([&] { overridden(assignment); });
  };
  EXPECT_EQ(refused("gpus.x=1"),
            "--set gpus.x=1: 'x' is set below a single value; a map or list is needed there");
  EXPECT_EQ(refused("fabrics.2.speed=1"),
            "--set fabrics.2.speed=1: '2' is no index into a list of 2; its values are numbered "
            "from 0");
  EXPECT_EQ(refused("gpus"),
            "--set gpus: a path and a value are needed, such as fabric.bandwidth=800Gbps");
  EXPECT_EQ(refused("a..b=1"),
            "--set a..b=1: 'a..b' is no path; at most 8 names separated by dots are needed");
}

}  // namespace
}  // namespace loom::scenario
