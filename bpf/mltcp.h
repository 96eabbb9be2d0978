// MLTCP in this machine's kernel: load it, choose it for cgroups or routes, read what it learned,
// remove it.
//
// What is loaded to stay is pinned below /sys/fs/bpf/lightloom: that folder is the only record, so
// what it shows is what there is. Everything here throws InputError, saying what is missing and how
// to get it, where the machine or this build cannot do it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loom/base/units.h"

namespace loom::bpf {

// Slope and intercept of F as published (HotNets 2024); how a job is told is our own choice.
struct MltcpSettings {
  double slope = 1.75;
  double intercept = 0.25;
  Duration idle = std::chrono::milliseconds(10);  // silence that parts iterations
  Bytes min_bytes{64'000};                        // of an iteration
  double tolerance = 1.0 / 16;                    // by which bytes of iterations may differ
  int needed = 3;                                 // iterations alike before F is used
};

// What of the settings is to change; the rest stays as it is.
struct MltcpChange {
  std::optional<double> slope;
  std::optional<double> intercept;
  std::optional<Duration> idle;
  std::optional<Bytes> min_bytes;
  std::optional<int> needed;
};

MltcpSettings changed(MltcpSettings settings, const MltcpChange& change);

// The algorithms that MLTCP is built on: "reno" and "cubic".
const std::vector<std::string_view>& bases();
std::string algorithm_name(std::string_view base);  // "mltcp_reno"

struct Flow {
  std::string local;  // address:port
  std::string remote;
  bool closed = false;
  std::int64_t iterations = 0;
  Bytes learned;  // 0 B: no iterations were found, and it is as the base algorithm
  Bytes last_bytes;
  Duration last_time{};
  Bytes acked;
  std::int64_t cwnd = 0;
  std::int64_t retransmits = 0;
  std::int64_t marks = 0;
};

struct Totals {
  std::int64_t flows = 0;
  std::int64_t closed = 0;
  std::int64_t iterations = 0;
  std::int64_t scaled = 0;
  std::int64_t no_memory = 0;

  friend Totals operator-(const Totals& a, const Totals& b) {
    return {a.flows - b.flows, a.closed - b.closed, a.iterations - b.iterations,
            a.scaled - b.scaled, a.no_memory - b.no_memory};
  }
};

// A cgroup or a route for which an algorithm is chosen.
struct Attachment {
  std::string algorithm;
  std::string kind;  // cgroup, route
  std::string place;
  // Connections that took it, and that could not. The kernel does not count them for routes.
  std::optional<std::int64_t> chosen;
  std::optional<std::int64_t> refused;
};

struct Loaded {
  std::string algorithm;
  MltcpSettings settings;
  Totals totals;
  std::vector<Flow> flows;  // in the order in which they began
};

// Why this machine cannot do it, each with the remedy; empty where it can.
std::vector<std::string> missing_for_mltcp();
std::vector<std::string> missing_for_bench();

// Loads and pins it with the published settings but for the change; where it is loaded already,
// changes those it has.
struct LoadOutcome {
  bool fresh = false;  // it was not loaded before
  MltcpSettings settings;
};
LoadOutcome load_mltcp(std::string_view base, const MltcpChange& change);

void attach_cgroup(std::string_view base, const std::string& path);
void attach_route(std::string_view base, const std::string& prefix);
void detach_cgroup(const std::string& path);
void detach_route(const std::string& prefix);  // the route's algorithm is what it was before

std::vector<Loaded> loaded_mltcp();
std::vector<Attachment> attachments();

// Removes every attachment, both algorithms and the folder; what was removed, in words. InputError,
// with nothing removed, where one is the choice for all connections of this network namespace.
std::vector<std::string> unload_mltcp();

}  // namespace loom::bpf
