// mltcp: loads MLTCP into this machine's kernel, attaches it to cgroups and routes, shows its
// statistics and removes it. Its benchmark is in mltcp_bench.cc.
#include "bpf/mltcp.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/mltcp_options.h"
#include "cli/output.h"
#include "loom/base/error.h"
#include "loom/report/tables.h"

namespace loom::cli {
namespace {

std::vector<std::string> chosen_bases(const std::string& base) {
  if (base != "both") return {base};
  return {bpf::bases().begin(), bpf::bases().end()};
}

void add_base(Command command, std::string& base, bool both) {
  std::vector<std::string> names(bpf::bases().begin(), bpf::bases().end());
  if (both) names.emplace_back("both");
  command
      .add_option("--base", base,
                  fmt::format("base congestion control: {}", fmt::join(names, ", ")))
      .one_of(names)
      .capture_default_str();
}

void add_load(Command mltcp, int& code) {
  Command command =
      mltcp.add_subcommand("load", "loading of MLTCP into the kernel, or a change of its settings");
  auto base = std::make_shared<std::string>("both");
  auto args = std::make_shared<MltcpOptions>();
  add_base(command, *base, true);
  add_mltcp_options(command, *args);
  command.callback([base, args, &code] {
    const bpf::MltcpChange change = mltcp_change_of(*args);
    for (const std::string& it : chosen_bases(*base)) {
      const bpf::LoadOutcome outcome = bpf::load_mltcp(it, change);
      const bpf::MltcpSettings& now = outcome.settings;
      fmt::print("{} {}: F(r) = {:.4g} r + {:.4g}, idle {}, min bytes {}, needed {}\n",
                 bpf::algorithm_name(it), outcome.fresh ? "is loaded" : "has new settings",
                 now.slope, now.intercept, readable(now.idle), readable(now.min_bytes), now.needed);
    }
    code = kOk;
  });
}

struct AttachOptions {
  std::string base = "reno";
  std::string cgroup;
  std::string route;
};

void add_attach_options(Command command, AttachOptions& args) {
  const Option cgroup =
      command.add_option("--cgroup", args.cgroup, "cgroup whose programs' connections use MLTCP")
          .type_name("FOLDER");
  command.add_option("--route", args.route, "prefix of the route whose connections use MLTCP")
      .type_name("PREFIX")
      .excludes(cgroup);
}

void check_attach_options(const AttachOptions& args) {
  if (args.cgroup.empty() == args.route.empty()) {
    throw InputError({}, "command line: one of --cgroup FOLDER and --route PREFIX is needed");
  }
}

void add_attach(Command mltcp, int& code) {
  Command command = mltcp.add_subcommand(
      "attach", "use of MLTCP for new connections of a cgroup or a route; programs need no change");
  auto args = std::make_shared<AttachOptions>();
  add_base(command, args->base, false);
  add_attach_options(command, *args);
  command.callback([args, &code] {
    check_attach_options(*args);
    const bool cgroup = !args->cgroup.empty();
    if (cgroup) {
      bpf::attach_cgroup(args->base, args->cgroup);
    } else {
      bpf::attach_route(args->base, args->route);
    }
    fmt::print("{} is used for new connections of {}\n", bpf::algorithm_name(args->base),
               cgroup ? args->cgroup : args->route);
    code = kOk;
  });
}

void add_detach(Command mltcp, int& code) {
  Command command = mltcp.add_subcommand(
      "detach", "end of MLTCP for new connections of a cgroup or a route; open ones keep it");
  auto args = std::make_shared<AttachOptions>();
  add_attach_options(command, *args);
  command.callback([args, &code] {
    check_attach_options(*args);
    if (!args->cgroup.empty()) bpf::detach_cgroup(args->cgroup);
    if (!args->route.empty()) bpf::detach_route(args->route);
    code = kOk;
  });
}

report::Table flows_table(const std::vector<bpf::Loaded>& all) {
  report::Table table{.columns = {"algorithm", "local", "remote", "state", "iterations", "learned",
                                  "last_bytes", "last_time", "acked", "cwnd", "retransmits",
                                  "marks"}};
  for (const bpf::Loaded& it : all) {
    for (const bpf::Flow& flow : it.flows) {
      const std::string state = flow.closed              ? "closed"
                                : flow.learned.count > 0 ? "periodic"
                                                         : "plain";
      table.rows.push_back({it.algorithm, flow.local, flow.remote, state, flow.iterations,
                            flow.learned, flow.last_bytes, flow.last_time, flow.acked, flow.cwnd,
                            flow.retransmits, flow.marks});
    }
  }
  return table;
}

report::Table loaded_table(const std::vector<bpf::Loaded>& all) {
  report::Table table{.columns = {"algorithm", "slope", "intercept", "idle", "min_bytes", "needed",
                                  "flows", "closed", "iterations", "scaled", "no_memory"}};
  for (const bpf::Loaded& it : all) {
    const bpf::MltcpSettings& set = it.settings;
    table.rows.push_back({it.algorithm, set.slope, set.intercept, set.idle, set.min_bytes,
                          std::int64_t{set.needed}, it.totals.flows, it.totals.closed,
                          it.totals.iterations, it.totals.scaled, it.totals.no_memory});
  }
  return table;
}

report::Cell counted(const std::optional<std::int64_t>& count) {
  return count ? report::Cell(*count) : report::Cell();
}

report::Table attachments_table(const std::vector<bpf::Attachment>& all) {
  report::Table table{.columns = {"algorithm", "kind", "place", "chosen", "refused"}};
  for (const bpf::Attachment& it : all) {
    table.rows.push_back(
        {it.algorithm, it.kind, it.place, counted(it.chosen), counted(it.refused)});
  }
  return table;
}

struct StatsOptions {
  OutputOptions output;
  double watch = 0;  // interval in seconds; 0 prints once
};

void print_statistics(const OutputOptions& output, int indent) {
  const std::vector<bpf::Loaded> all = bpf::loaded_mltcp();
  const std::vector<bpf::Attachment> places = bpf::attachments();
  if (output.json) {
    nlohmann::ordered_json json;
    json["algorithms"] = to_json(loaded_table(all));
    json["attachments"] = to_json(attachments_table(places));
    json["flows"] = to_json(flows_table(all));
    fmt::print("{}\n", json.dump(indent));
    return;
  }
  if (output.csv) return fmt::print("{}", to_csv(flows_table(all)));
  if (all.empty()) return fmt::print("nothing is loaded; 'lightloom mltcp load' loads MLTCP\n");
  fmt::print("{}", to_text(loaded_table(all)));
  if (!places.empty()) fmt::print("\n{}", to_text(attachments_table(places)));
  fmt::print("\n{}", to_text(flows_table(all)));
}

// Prints statistics repeatedly until SIGINT or SIGTERM. Both are blocked while printing, so that
// every table is complete. On a terminal, each table replaces the previous one. JSON output is one
// line per repetition.
void watch_statistics(const StatsOptions& args) {
  sigset_t ends = {};
  ::sigemptyset(&ends);
  ::sigaddset(&ends, SIGINT);
  ::sigaddset(&ends, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  const auto interval = static_cast<std::int64_t>(args.watch * 1e9);
  const timespec pause = {.tv_sec = interval / 1'000'000'000, .tv_nsec = interval % 1'000'000'000};
  const bool text = !args.output.json && !args.output.csv;
  const bool terminal = text && ::isatty(STDOUT_FILENO) != 0;
  for (bool first = true;; first = false) {
    if (terminal) fmt::print("\033[H\033[2J");
    if (text && !terminal && !first) fmt::print("\n");
    print_statistics(args.output, -1);
    std::fflush(stdout);
    if (::sigtimedwait(&ends, nullptr, &pause) > 0) return;
  }
}

void add_stats(Command mltcp, int& code) {
  Command command = mltcp.add_subcommand(
      "stats",
      "loaded algorithms, the cgroups and routes that use them, and the state of every flow");
  auto args = std::make_shared<StatsOptions>();
  command
      .add_option("--watch", args->watch,
                  "repeated output until Ctrl-C: time between two outputs, one second if no number "
                  "is given")
      .type_name("[SECONDS]")
      .expected(0, 1)
      .default_str("1")
      .range(0.1, 3600.0);
  add_output_options(command, args->output);
  command.callback([args, &code] {
    if (args->watch > 0) {
      watch_statistics(*args);
    } else {
      print_statistics(args->output, 2);
    }
    code = kOk;
  });
}

void add_unload(Command mltcp, int& code) {
  Command command = mltcp.add_subcommand("unload",
                                         "removal of MLTCP from cgroups, routes and the kernel; "
                                         "open connections keep it until they end");
  command.callback([&code] {
    const std::vector<std::string> removed = bpf::unload_mltcp();
    for (const std::string& it : removed) fmt::print("removed {}\n", it);
    if (removed.empty()) fmt::print("nothing was loaded\n");
    code = kOk;
  });
}

}  // namespace

void add_mltcp(Command app, int& code) {
  Command command = app.add_subcommand("mltcp",
                                       "MLTCP congestion control in this machine's kernel: "
                                       "loading, use, statistics, benchmark (root)");
  command.footer(
      "Flows of training jobs that share a link interleave by themselves under MLTCP:\n"
      "  lightloom mltcp load --base reno\n"
      "  lightloom mltcp attach --base reno --cgroup /sys/fs/cgroup/training\n"
      "  lightloom mltcp stats\n"
      "  lightloom mltcp unload\n"
      "  lightloom mltcp bench --quick");
  command.require_subcommand(1);
  add_load(command, code);
  add_attach(command, code);
  add_detach(command, code);
  add_stats(command, code);
  add_unload(command, code);
  add_mltcp_bench(command, code);
  command.group(kKernelGroup);
}

}  // namespace loom::cli
