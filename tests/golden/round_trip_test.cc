// Every stage can be dumped and read back with --from; the completion time stays the same to the
// picosecond.
#include <nlohmann/json.hpp>

#include "tests/golden/examples.h"
#include "tests/program.h"

namespace loom::testing {
namespace {

struct Trip {
  std::string example;
  std::string stage;

  friend void PrintTo(const Trip& trip, std::ostream* out) {
    *out << trip.example << ' ' << trip.stage;
  }
};

// Large jobs are left out: their dumps are large and test nothing new.
bool large_job(const scenario::Scenario& point) {
  constexpr std::int64_t kSmall = 64;
  const auto* training = point.as<scenario::TrainingWork>();
  const bool trains =
      point.as<scenario::ColocatedWork>() != nullptr || (training != nullptr && training->model);
  return trains && point.settings.integer("gpus") > kSmall;
}

std::vector<Trip> trips() {
  std::vector<Trip> all;
  for (const std::string& example : example_names()) {
    if (large_job(example_points(example).front())) continue;
    for (const std::string stage : {"scenario", "links", "workload", "messages", "trace"}) {
      all.push_back({example, stage});
    }
  }
  return all;
}

std::int64_t completion_time(std::vector<std::string> words) {
  words.emplace_back("--json");
  const Ran ran = lightloom(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code != 0 ? -1 : nlohmann::json::parse(ran.out)["completion_time"].get<std::int64_t>();
}

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool hashed(const scenario::Scenario& point) {
  const Tree* routing = point.tree.find("fabric")->find("routing");
  return routing != nullptr && routing->text == "ecmp";
}

// Reconfigured circuits have no fixed list of links.
bool moving(const scenario::Scenario& point) {
  const Tree* reconfigure = point.tree.find("fabric")->find("reconfigure");
  return reconfigure != nullptr && reconfigure->text != "one_shot";
}

// Expanded messages begin after computations of no length, so periodic circuits are first chosen
// before any message has begun: one switch time later than for the collective.
bool periodic(const scenario::Scenario& point) {
  const Tree* reconfigure = point.tree.find("fabric")->find("reconfigure");
  return reconfigure != nullptr && reconfigure->text == "periodic";
}

// Expanded messages no longer form a collective whose rings can be chosen.
bool finds_rings(const scenario::Scenario& point) {
  return point.tree.find("fabric")->find("kind")->text == "topoopt";
}

class EveryStage : public ::testing::TestWithParam<Trip> {
 protected:
  // The options that replace a stage of a point with its dump.
  std::vector<std::string> from_options(const std::string& dump) {
    const auto& [example, stage] = GetParam();
    const std::string file = folder_.write(stage == "trace" ? "dump.csv" : "dump.yaml", dump);
    return {"--from", (stage == "messages" ? "workload" : stage) + "=" + file};
  }

  Folder folder_;
};

TEST_P(EveryStage, ReadBackGivesTheSameCompletionTime) {
  const auto& [example, stage] = GetParam();
  const std::vector<scenario::Scenario> points = example_points(example);
  // File names in a scenario are relative to the scenario.
  std::filesystem::create_symlink(LOOM_SOURCE_DIR "/examples/data", folder_.path("data"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    // Jobs have many messages; one point in the coarse engine is enough.
    const auto* training = points[i].as<scenario::TrainingWork>();
    const bool job = training != nullptr && training->model;
    if (job && i > 0) break;
    const bool coarse = points[i].engine() == scenario::Engine::coarse || job;
    // The coarse engine estimates complete collectives and does not simulate messages.
    if (coarse && (stage == "messages" || stage == "trace")) continue;
    // ECMP paths depend on the index of a message in the workload, which expansion changes.
    if (hashed(points[i]) && stage == "messages") continue;
    if (moving(points[i]) && stage == "links") continue;
    if (periodic(points[i]) && stage == "messages") continue;
    if (finds_rings(points[i]) && stage == "messages") continue;
    std::vector<std::string> point = {example_path(example), "--point", std::to_string(i + 1)};
    if (job) point = with(point, {"--set", "engine=coarse"});
    // Expanded messages do not know which of them form a stream.
    const bool fair = points[i].sharing() == transport::Sharing::fair;
    if (fair && stage == "messages") point = with(point, {"--set", "sharing=messages"});
    const std::int64_t direct = completion_time(with({"simulate"}, point));
    const std::string dump = output_of(with({"dump", "--stage", stage}, point));
    const auto again = stage == "scenario"
                           ? std::vector<std::string>{folder_.write("dump.yaml", dump)}
                           : with(point, from_options(dump));
    EXPECT_EQ(completion_time(with({"simulate"}, again)), direct) << "point " << i + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryStage, ::testing::ValuesIn(trips()), [](const auto& trip) {
  return trip.param.example + "_" + trip.param.stage;
});

TEST(Dump, OfAStageReadBackIsTheSame) {
  const Folder folder;
  for (const std::string example : {"cluster_auto", "torus_hierarchical", "custom_graph_yaml"}) {
    for (const std::string stage : {"links", "workload"}) {
      const std::vector<std::string> dump = {
          "dump", example_path(example), "--point", "1", "--stage", stage};
      const std::string first = output_of(dump);
      const std::string from = stage + "=" + folder.write("again.yaml", first);
      EXPECT_EQ(output_of(with(dump, {"--from", from})), first) << example << ' ' << stage;
    }
  }
}

}  // namespace
}  // namespace loom::testing
