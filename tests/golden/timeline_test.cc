// --timeline writes the trace-event format of chrome://tracing and ui.perfetto.dev.
#include <zlib.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/program.h"

namespace loom::testing {
namespace {

using Json = nlohmann::json;

const std::vector<std::string> kRun = {"simulate", "examples/link_fails.yaml", "--point", "2"};

std::vector<std::string> traced(const std::string& path, std::vector<std::string> words = kRun) {
  words.insert(words.end(), {"--timeline", path});
  return words;
}

Json events_of(const std::string& text) {
  const Json trace = Json::parse(text);
  EXPECT_EQ(trace.at("displayTimeUnit"), "ns");
  return trace.at("traceEvents");
}

Json events_of_run(const std::vector<std::string>& words) {
  const Folder folder;
  output_of(traced(folder.path("t.json"), words));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t.json"});
  return events_of(content_of(folder.path("t.json")));
}

std::string unpacked(const std::string& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  char block[4096];
  for (int read = 0; (read = gzread(file, block, sizeof block)) > 0;) {
    text.append(block, static_cast<std::size_t>(read));
  }
  gzclose(file);
  return text;
}

TEST(Timeline, EveryEventHasTheFieldsOfItsPhase) {
  for (const Json& event : events_of_run(kRun)) {
    const std::string phase = event.at("ph");
    EXPECT_TRUE(event.at("name").is_string());
    EXPECT_TRUE(event.at("pid").is_number_integer());
    EXPECT_TRUE(event.at("args").is_object());
    ASSERT_TRUE(phase == "M" || phase == "X" || phase == "C") << phase;
    if (phase == "M") continue;
    EXPECT_GE(event.at("ts").get<double>(), 0);
    if (phase == "X") {
      EXPECT_GT(event.at("dur").get<double>(), 0);
      EXPECT_TRUE(event.at("tid").is_number_integer());
    } else {
      EXPECT_GE(event.at("args").at("Gbps").get<double>(), 0);
    }
  }
}

TEST(Timeline, EveryDeviceHasATrackAndEveryLinkInUseACounter) {
  std::set<std::string> tracks;
  std::set<std::string> counters;
  for (const Json& event : events_of_run({"simulate", "examples/cluster_auto.yaml", "--set",
                                          "gpus=16", "--set", "workload.algorithm=ring"})) {
    if (event.at("name") == "thread_name") tracks.insert(event.at("args").at("name"));
    if (event.at("ph") == "C") counters.insert(event.at("name"));
  }
  for (int device = 0; device < 16; ++device) {
    EXPECT_EQ(tracks.count("device " + std::to_string(device) + " sends"), 1U) << device;
  }
  // Fourteen links inside the two servers, two over the core.
  EXPECT_EQ(counters.size(), 2U * 14 + 2U * 2);
  EXPECT_EQ(counters.count("0->server0"), 1U);
  EXPECT_EQ(counters.count("7->core"), 1U);
  EXPECT_EQ(counters.count("0->core"), 0U);
}

TEST(Timeline, SlicesOfATrackNeverOverlap) {
  std::map<int, std::vector<std::pair<double, double>>> slices;
  for (const Json& event : events_of_run(kRun)) {
    if (event.at("ph") != "X") continue;
    const double start = event.at("ts");
    slices[event.at("tid")].emplace_back(start, start + event.at("dur").get<double>());
  }
  for (auto& [track, list] : slices) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 1; i < list.size(); ++i) {
      EXPECT_LE(list[i - 1].second, list[i].first + 1e-6) << "track " << track;
    }
  }
}

TEST(Timeline, ComputationsHaveTheirOwnTracks) {
  std::set<std::string> tracks;
  std::set<std::string> slices;
  for (const Json& event :
       events_of_run({"simulate", "examples/training_step.yaml", "--point", "1"})) {
    if (event.at("name") == "thread_name") tracks.insert(event.at("args").at("name"));
    if (event.at("ph") == "X") slices.insert(event.at("name"));
  }
  EXPECT_EQ(tracks.count("device 0 computes"), 1U);
  EXPECT_EQ(tracks.count("device 3 sends"), 1U);
  EXPECT_EQ(slices.count("backward1"), 1U);
  EXPECT_EQ(slices.count("activations 3->4"), 1U);
}

TEST(Timeline, EveryMessageIsOneSlice) {
  const Folder folder;
  std::vector<std::string> words = traced(folder.path("t.json"));
  words.emplace_back("--json");
  const Json result = Json::parse(output_of(words));
  const Json events = events_of(content_of(folder.path("t.json")));
  const auto slices = std::count_if(events.begin(), events.end(),
                                    [](const Json& event) { return event.at("ph") == "X"; });
  EXPECT_EQ(slices, result.at("messages").get<std::int64_t>());
}

TEST(Timeline, TheLastSliceEndsAtTheCompletionTime) {
  const Folder folder;
  std::vector<std::string> words = traced(folder.path("t.json"));
  words.emplace_back("--json");
  const Json result = Json::parse(output_of(words));
  double last = 0;
  for (const Json& event : events_of(content_of(folder.path("t.json")))) {
    if (event.at("ph") != "X") continue;
    last = std::max(last, event.at("ts").get<double>() + event.at("dur").get<double>());
  }
  EXPECT_NEAR(last, result.at("completion_time").get<double>() / 1e6, 1e-5);
}

TEST(Timeline, CompressionDoesNotChangeIt) {
  const Folder folder;
  output_of(traced(folder.path("t.json")));
  output_of(traced(folder.path("t.json.gz")));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"t.json", "t.json.gz"}));
  EXPECT_TRUE(unpacked(folder.path("t.json.gz")) == content_of(folder.path("t.json")));
  EXPECT_LT(content_of(folder.path("t.json.gz")).size(),
            content_of(folder.path("t.json")).size() / 4);
}

}  // namespace
}  // namespace loom::testing
