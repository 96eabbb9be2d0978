// Options that `mltcp load` and `mltcp bench` share: how F is set and how a job is told.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "bpf/mltcp.h"

namespace loom::cli {

struct MltcpFlags {
  double slope = bpf::MltcpSettings{}.slope;
  double intercept = bpf::MltcpSettings{}.intercept;
  std::string idle = "10ms";
  std::string least = "64KB";
  int needed = bpf::MltcpSettings{}.needed;
};

void add_mltcp_flags(CLI::App& command, MltcpFlags& flags);
bpf::MltcpSettings mltcp_settings_of(const MltcpFlags& flags);

// Quantities as options give them; InputError naming the option.
Duration duration_of(std::string_view option, const std::string& text);
Bytes bytes_of(std::string_view option, const std::string& text);
Bandwidth bandwidth_of(std::string_view option, const std::string& text);

}  // namespace loom::cli
