// Rules for the examples: they cover every feature, are short, and are listed in the README.
#include "tests/golden/examples.h"

#include <gtest/gtest.h>

#include <set>

#include "loom/scenario/fabric_costs.h"
#include "tests/program.h"

namespace loom::testing {
namespace {

TEST(Examples, CoverEveryKindOfFabric) {
  std::set<std::string_view> shown;
  for (const std::string& name : example_names()) {
    for (const scenario::Scenario& point : example_points(name))
      shown.insert(point.fabric.kind->name);
  }
  for (const fabric::FabricKind& kind : fabric::fabric_kinds()) {
    EXPECT_EQ(shown.count(kind.name), 1U) << "no example has a fabric of kind " << kind.name;
  }
}

TEST(Examples, CoverEveryCollectiveAlgorithmAndEngine) {
  std::set<std::string> shown;
  for (const std::string& name : example_names()) {
    for (const scenario::Scenario& point : example_points(name)) {
      shown.insert(point.settings.text("engine"));
      shown.insert(point.settings.text("sharing"));
      if (point.as<scenario::ColocatedWork>() == nullptr) {
        shown.insert(point.workload().text("algorithm"));
      }
    }
  }
  for (const std::string_view algorithm : workload::kAlgorithmNames) {
    EXPECT_EQ(shown.count(std::string(algorithm)), 1U) << "no example has " << algorithm;
  }
  for (const std::string word : {"auto", "fluid", "coarse", "fair", "weighted"}) {
    EXPECT_EQ(shown.count(word), 1U) << "no example has " << word;
  }
}

TEST(Examples, HaveFabricsWithACost) {
  for (const std::string& name : example_names()) {
    const Tree tree = scenario::read_scenario_tree(example_path(name));
    if (tree.find("gpus") == nullptr) continue;  // the workload gives the number of devices
    for (const scenario::FabricCost& it : scenario::fabric_costs(tree, {})) {
      EXPECT_GT(it.cost.price, Money{0}) << name << ": " << it.name();
      EXPECT_GT(it.cost.power, Power{0}) << name << ": " << it.name();
    }
  }
}

TEST(Examples, BeginWithAQuestionAndAreShort) {
  for (const std::string& name : all_example_names()) {
    const std::string text = content_of(example_path(name));
    EXPECT_TRUE(text.starts_with("# ")) << name;
    EXPECT_NE(text.substr(0, text.find('\n')).find('?'), std::string::npos) << name;
    int lines = 0;  // without the list of fabrics
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      lines += text.compare(at, 5, "\n  - ") == 0 ? 0 : 1;
    }
    EXPECT_LE(lines, 20) << name;
  }
}

TEST(Examples, AreListedInTheReadme) {
  const std::string readme = content_of("examples/README.md");
  for (const std::string& name : all_example_names()) {
    EXPECT_NE(readme.find("(" + name + ".yaml)"), std::string::npos)
        << "examples/README.md does not list " << name << ".yaml";
  }
}

}  // namespace
}  // namespace loom::testing
