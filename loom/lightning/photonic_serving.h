// Reads the networks of an inference server from files, and reports the results of server and
// client as text, tables and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loom/photonic/server/client.h"
#include "loom/photonic/server/inference_server.h"
#include "loom/photonic/server/serve.h"
#include "loom/report/table.h"

namespace loom::lightning {

// Each entry is ID=FILE or FILE; ID is the network's number in requests, by default the position of
// the entry, from 1. FILE is a network in YAML or ONNX, or the weights of its dense layers:
// fc1.npy,fc2.npy or fc1.bin:300x784,fc2.bin:10x300. The noise of an answer depends only on the
// noise seed, the network and the request number.
std::vector<photonic::ServedNetwork> read_served_networks(const std::vector<std::string>& given,
                                                          const photonic::PhotonicNoise& noise);

// The server's counters, the number of answers per network, and p50 and p99 of the computation
// time.
std::vector<std::pair<std::string, report::Cell>> server_facts(
    const photonic::InferenceServer& server, double seconds);
nlohmann::ordered_json server_json(const photonic::InferenceServer& server, double seconds);

// The answers that a client received, and the answers that it expected.
struct ServedLoad {
  photonic::LoadResult result;
  std::vector<photonic::Answer> expected;  // correct answer per input, or empty
  std::vector<std::int32_t> labels;        // correct label per input, or empty

  std::int64_t answered() const;
  std::int64_t refused() const;  // answers with a status other than ok
  std::int64_t wrong() const;    // answers that differ from the expected ones
  std::int64_t right_labels() const;
  std::optional<Duration> percentile(double share) const;  // latency of the answers that are ok
};

std::vector<std::pair<std::string, report::Cell>> load_facts(const ServedLoad& load);
report::Table load_table(const ServedLoad& load);
nlohmann::ordered_json load_json(const ServedLoad& load, bool each);

}  // namespace loom::lightning
