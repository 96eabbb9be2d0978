// A server's networks from files, and what server and clients did, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loom/photonic/server/client.h"
#include "loom/photonic/server/inference_server.h"
#include "loom/photonic/server/serve.h"
#include "loom/report/table.h"

namespace loom {

// Each is ID=FILE or FILE, then numbers go up from 1. A FILE is a network's YAML or ONNX, or
// the weights of its dense layers: fc1.npy,fc2.npy or fc1.bin:300x784,fc2.bin:10x300. Requests'
// numbers choose their noise.
std::vector<photonic::ServedNetwork> read_served_networks(const std::vector<std::string>& given,
                                                          const PhotonicNoise& noise);

// What it counted, and p50 and p99 of the time that a network computed.
std::vector<std::pair<std::string, Cell>> server_facts(const photonic::InferenceServer& server,
                                                       double seconds);
nlohmann::ordered_json server_json(const photonic::InferenceServer& server, double seconds);

// What a client got, against what it should have: `expected` holds the answers by input, or none.
struct ServedLoad {
  photonic::LoadResult result;
  std::vector<photonic::Answer> expected;
  std::vector<std::int32_t> labels;  // the true ones, or none

  std::int64_t answered() const;
  std::int64_t refused() const;  // with a status that is not ok
  std::int64_t wrong() const;    // differ from what was expected
  std::int64_t right_labels() const;
  std::optional<Duration> percentile(double share) const;  // of answers that are ok
};

std::vector<std::pair<std::string, Cell>> load_facts(const ServedLoad& load);
Table load_table(const ServedLoad& load);
nlohmann::ordered_json load_json(const ServedLoad& load, bool each);

}  // namespace loom
