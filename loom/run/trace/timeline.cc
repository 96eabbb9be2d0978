#include "loom/run/trace/timeline.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "loom/base/files.h"

namespace loom::run {
namespace {

constexpr int kDevices = 1;  // process numbers in the trace
constexpr int kLinks = 2;

// Microseconds, the unit of the trace-event format, exact to the picosecond.
std::string microseconds(Duration time) {
  return fmt::format("{}.{:06}", time.count() / 1'000'000, time.count() % 1'000'000);
}

}  // namespace

// State of the writer. Messages of a device may overlap, so a device can have several lanes; the
// messages on one lane do not overlap.
struct Timeline::State {
  NewFile output;
  gzFile file = nullptr;  // writes to `output`, which stays open when `file` is closed
  const workload::Workload& workload;
  const fabric::Network& network;
  std::vector<std::vector<TimePoint>> lane_free;  // by device: time from which each lane is free
  std::vector<std::vector<int>> lane_track;  // by device: number of each lane's track in the file
  std::vector<int> compute_track;
  std::vector<std::int64_t> last_load;  // by link, bit/s
  int tracks = 0;
  bool first = true;
  std::string buffer;

  void flush() {
    const auto size = static_cast<unsigned>(buffer.size());
    if (size > 0 && gzwrite(file, buffer.data(), size) != static_cast<int>(size)) output.fail();
    buffer.clear();
  }

  void event(const std::string& text) {
    buffer += first ? "\n" : ",\n";
    first = false;
    buffer += text;
    if (buffer.size() > (1U << 16)) flush();
  }

  int new_track(int device, const std::string& what) {
    const int track = ++tracks;
    event(fmt::format(
        R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"device {} {}"}}}})",
        kDevices, track, device, what));
    event(fmt::format(
        R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
        kDevices, track, device));
    return track;
  }

  // Returns the track of a lane that is free from `start` to `end`, and reserves the lane. Records
  // arrive in the order of their ends, so a lane is free if its last record ended by `start`.
  int lane_for(int device, TimePoint start, TimePoint end) {
    auto& free = lane_free[static_cast<std::size_t>(device)];
    auto& track = lane_track[static_cast<std::size_t>(device)];
    std::size_t lane = 0;
    while (lane < free.size() && free[lane] > start) ++lane;
    if (lane == free.size()) {
      free.push_back(end);
      track.push_back(new_track(device, lane == 0 ? "sends" : fmt::format("sends ({})", lane + 1)));
    }
    free[lane] = end;
    return track[lane];
  }

  void slice(const std::string& name, int track, TimePoint start, TimePoint end,
             const std::string& arguments) {
    event(fmt::format(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
                      nlohmann::json(name).dump(), kDevices, track, microseconds(elapsed(start)),
                      microseconds(end - start), arguments));
  }
};

Timeline::Timeline(const std::string& path, const workload::Workload& workload,
                   const fabric::Network& network)
    : state_(new State{.output = NewFile(path),
                       .workload = workload,
                       .network = network,
                       .lane_free = {},
                       .lane_track = {},
                       .compute_track = {},
                       .last_load = {},
                       .buffer = {}}) {
  const auto devices = static_cast<std::size_t>(std::max(network.devices, workload.devices));
  state_->lane_free.resize(devices);
  state_->lane_track.resize(devices);
  state_->compute_track.resize(devices, 0);
  state_->last_load.assign(network.links.size(), 0);
  state_->file = gzdopen(::dup(state_->output.descriptor()), path.ends_with(".gz") ? "wb" : "wbT");
  if (state_->file == nullptr) state_->output.fail();
  state_->buffer = R"({"displayTimeUnit":"ns","traceEvents":[)";
  for (const auto& [process, name] : {std::pair(kDevices, "devices"), std::pair(kLinks, "links")}) {
    state_->event(fmt::format(
        R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})", process, name));
  }
}

Timeline::~Timeline() {
  if (state_->file != nullptr) gzclose(state_->file);
}

void Timeline::message(const simulate::MessageRecord& record) {
  const int track = state_->lane_for(record.source, record.start, record.end);
  state_->slice(fmt::format("{} {}->{}", state_->workload.name(record.operation), record.source,
                            record.destination),
                track, record.start, record.end, fmt::format(R"("bytes":{})", record.size.count));
}

void Timeline::compute(const simulate::ComputeRecord& record) {
  int& track = state_->compute_track[static_cast<std::size_t>(record.device)];
  if (track == 0) track = state_->new_track(record.device, "computes");
  state_->slice(state_->workload.name(record.operation), track, record.start, record.end, "");
}

void Timeline::link_load(LinkId link, TimePoint at, Bandwidth load) {
  auto& last = state_->last_load[static_cast<std::size_t>(link)];
  if (last == load.bits_per_second) return;
  last = load.bits_per_second;
  state_->event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"Gbps":{}}}}})",
                            nlohmann::json(state_->network.link_name(link)).dump(), kLinks,
                            microseconds(elapsed(at)),
                            static_cast<double>(load.bits_per_second) / 1e9));
}

void Timeline::finish() {
  state_->buffer += "\n]}\n";
  state_->flush();
  if (gzclose(std::exchange(state_->file, nullptr)) != Z_OK) state_->output.fail();
  state_->output.finish();
}

}  // namespace loom::run
