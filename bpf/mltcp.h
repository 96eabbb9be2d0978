// MLTCP in this machine's kernel: load it, attach it to cgroups or routes, read what it learned,
// remove it.
//
// Persistent state is pinned below /sys/fs/bpf/lightloom; that folder is the only record. Every
// function here throws InputError, with what is missing and how to get it, if the machine or this
// build does not support it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loom/base/units.h"

namespace loom::bpf {

// Slope and intercept of F as published (HotNets 2024); the detection of jobs is our own.
struct MltcpSettings {
  double slope = 1.75;
  double intercept = 0.25;
  Duration idle = std::chrono::milliseconds(10);  // minimum silence between iterations
  Bytes min_bytes{64'000};                        // minimum bytes of an iteration
  double tolerance = 1.0 / 16;  // relative difference allowed between the bytes of iterations
  int needed = 3;               // number of similar iterations before F is used
};

// Settings to change; the others stay as they are.
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
  Bytes learned;  // 0 B: no iterations detected, so the flow runs the base algorithm
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

// A cgroup or route to which an algorithm is attached.
struct Attachment {
  std::string algorithm;
  std::string kind;  // cgroup, route
  std::string place;
  // Connections that got the algorithm, and that were refused it. The kernel does not count them
  // for routes.
  std::optional<std::int64_t> chosen;
  std::optional<std::int64_t> refused;
};

struct Loaded {
  std::string algorithm;
  MltcpSettings settings;
  Totals totals;
  std::vector<Flow> flows;  // in the order in which they started
};

// Reasons why this machine cannot run it, each with the remedy; empty if it can.
std::vector<std::string> missing_for_mltcp();
std::vector<std::string> missing_for_bench();

// Loads and pins the algorithm with the published settings and the given changes; if it is already
// loaded, changes its settings.
struct LoadOutcome {
  bool fresh = false;  // it was not loaded before
  MltcpSettings settings;
};
LoadOutcome load_mltcp(std::string_view base, const MltcpChange& change);

void attach_cgroup(std::string_view base, const std::string& path);
void attach_route(std::string_view base, const std::string& prefix);
void detach_cgroup(const std::string& path);
void detach_route(const std::string& prefix);  // restores the route's former choice

std::vector<Loaded> loaded_mltcp();
std::vector<Attachment> attachments();

// Removes every attachment, both algorithms and the folder, and returns a description of each item
// removed. Throws InputError and removes nothing if one of the algorithms is the default of this
// network namespace.
std::vector<std::string> unload_mltcp();

}  // namespace loom::bpf
