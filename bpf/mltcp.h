// Manages MLTCP in the kernel of this machine: loads it, attaches it to cgroups or routes, reads
// its statistics, and removes it.
//
// All persistent state is pinned below /sys/fs/bpf/lightloom. If the machine or this build does not
// support MLTCP, the functions throw an InputError that tells what is missing and how to get it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loom/base/units.h"

namespace loom::bpf {

// Settings of MLTCP. Slope and intercept of F are as published (HotNets 2024); the settings for the
// detection of jobs are our own.
struct MltcpSettings {
  double slope = 1.75;
  double intercept = 0.25;
  Duration idle = std::chrono::milliseconds(10);  // minimum silence between iterations
  Bytes min_bytes{64'000};                        // minimum bytes of an iteration
  double tolerance = 1.0 / 16;  // relative difference allowed between the bytes of iterations
  int needed = 3;               // number of similar iterations before F is used
};

// Changes of settings; settings without a value stay as they are.
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
  Bytes learned;  // bytes per iteration; 0 B: none detected, so F is not used
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
  // Numbers of connections that use the algorithm, and for which the kernel refused it. Unset for
  // routes, for which the kernel does not count connections.
  std::optional<std::int64_t> chosen;
  std::optional<std::int64_t> refused;
};

struct Loaded {
  std::string algorithm;
  MltcpSettings settings;
  Totals totals;
  std::vector<Flow> flows;  // in the order in which they started
};

// Reasons why this machine cannot run MLTCP, or the bench, each with its remedy; empty if it can.
std::vector<std::string> missing_for_mltcp();
std::vector<std::string> missing_for_bench();

// Loads and pins the algorithm with the published settings and the given changes; if it is already
// loaded, changes its settings.
struct LoadOutcome {
  bool fresh = false;  // the algorithm was not loaded before
  MltcpSettings settings;
};
LoadOutcome load_mltcp(std::string_view base, const MltcpChange& change);

void attach_cgroup(std::string_view base, const std::string& path);
void attach_route(std::string_view base, const std::string& prefix);
void detach_cgroup(const std::string& path);
void detach_route(const std::string& prefix);  // restores the route's former congestion control

std::vector<Loaded> loaded_mltcp();
std::vector<Attachment> attachments();

// Removes every attachment, both algorithms and the folder of pins, and returns a description of
// each removed item. Throws InputError and removes nothing if one of the algorithms is the default
// of this network namespace.
std::vector<std::string> unload_mltcp();

}  // namespace loom::bpf
