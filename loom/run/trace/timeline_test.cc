#include "loom/run/trace/timeline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "loom/base/error.h"
#include "loom/base/files.h"

namespace loom::run {
namespace {

class TimelineFile : public ::testing::Test {
 protected:
  TimelineFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "loom_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    network_.devices = network_.nodes = 2;
    add_duplex_link(network_, NodeId(0), NodeId(1), 1_Gbps, Duration(0));
    workload_.devices = 2;
    workload_.operations.resize(2);
    workload_.names = {"say \"hi\"", ""};
  }
  ~TimelineFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool empty() const { return std::filesystem::is_empty(folder_); }

  std::filesystem::path folder_;
  fabric::Network network_;
  workload::Workload workload_;
};

TEST_F(TimelineFile, HoldsSlicesAndCountersInMicroseconds) {
  Timeline timeline(path("t.json"), workload_, network_);
  timeline.link_load(LinkId(0), TimePoint(0_ps), 1_Gbps);
  timeline.link_load(LinkId(0), TimePoint(1_us), 1_Gbps);  // unchanged, so not recorded
  timeline.message({.operation = OperationId(0),
                    .source = DeviceId(0),
                    .destination = DeviceId(1),
                    .size = 125_B,
                    .start = TimePoint(1_ps),
                    .end = TimePoint(1_us)});
  timeline.compute({.operation = OperationId(1),
                    .device = DeviceId(1),
                    .start = TimePoint(1_us),
                    .end = TimePoint(3_us)});
  timeline.finish();
  const auto trace = nlohmann::json::parse(read_file(path("t.json")));
  std::vector<std::string> lines;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") != "M") lines.push_back(event.dump());
  }
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                R"({"args":{"Gbps":1},"name":"0->1","ph":"C","pid":2,"ts":0.0})",
                R"({"args":{"bytes":125},"dur":0.999999,"name":"say \"hi\" 0->1","ph":"X","pid":1,)"
                R"("tid":1,"ts":1e-06})",
                R"({"args":{},"dur":2.0,"name":"#1","ph":"X","pid":1,"tid":2,"ts":1.0})"}));
}

TEST_F(TimelineFile, OverlappingMessagesGetSeparateLanes) {
  Timeline timeline(path("t.json"), workload_, network_);
  const auto send = [&](Duration start, Duration end) {
    timeline.message({.source = DeviceId(0),
                      .destination = DeviceId(1),
                      .start = TimePoint(start),
                      .end = TimePoint(end)});
  };
  send(0_us, 2_us);
  send(1_us, 3_us);
  send(2_us, 4_us);
  timeline.finish();
  const auto trace = nlohmann::json::parse(read_file(path("t.json")));
  std::vector<int> tracks;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") tracks.push_back(event.at("tid"));
  }
  EXPECT_EQ(tracks, (std::vector<int>{1, 2, 1}));
}

TEST_F(TimelineFile, ExistsOnlyOnceItIsFinished) {
  {
    Timeline timeline(path("t.json"), workload_, network_);
    EXPECT_FALSE(std::filesystem::exists(path("t.json")));
  }
  EXPECT_TRUE(empty()) << "an unfinished timeline leaves no file";
}

TEST_F(TimelineFile, ThatCannotBeWrittenIsRefusedAtOnce) {
  try {
    const Timeline timeline(path("no/t.json"), workload_, network_);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "cannot write '" + path("no/t.json") + "': No such file or directory");
  }
}

}  // namespace
}  // namespace loom::run
