// MLTCP in this machine's kernel: load it, choose it for cgroups or routes, read what it learned,
// remove it.
//
// What is loaded to stay is pinned below /sys/fs/bpf/lightloom: that folder is the only record, so
// what it shows is what there is. Everything here throws InputError, saying what is missing and how
// to get it, where the machine or this build cannot do it.
#pragma once

#include <cstdint>
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
  Bytes least{64'000};                            // of an iteration
  double tolerance = 1.0 / 16;                    // by which bytes of iterations may differ
  int needed = 3;                                 // iterations alike before F is used
};

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
};

// A cgroup or a route for which an algorithm is chosen.
struct Attachment {
  std::string algorithm;
  std::string kind;  // cgroup, route
  std::string place;
  std::int64_t chosen = 0;  // cgroup: connections that took it
  std::int64_t refused = 0;
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

// Loads and pins it; where it is loaded already, only its settings change. True: it was new.
bool load_mltcp(std::string_view base, const MltcpSettings& settings);

void attach_cgroup(std::string_view base, const std::string& path);
void attach_route(std::string_view base, const std::string& prefix);
void detach_cgroup(const std::string& path);
void detach_route(const std::string& prefix);

std::vector<Loaded> loaded_mltcp();
std::vector<Attachment> attachments();

// Removes every attachment, both algorithms and the folder; what was removed, in words.
std::vector<std::string> unload_mltcp();

}  // namespace loom::bpf
