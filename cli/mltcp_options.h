// Options shared by `mltcp load` and `mltcp bench`: the aggressiveness function F, and the
// detection of iterations.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bpf/mltcp.h"
#include "cli/command.h"

namespace loom::cli {

// Options that are not given leave the setting unchanged.
struct MltcpOptions {
  std::optional<double> slope;
  std::optional<double> intercept;
  std::optional<std::string> idle;
  std::optional<std::string> min_bytes;
  std::optional<int> needed;
};

void add_mltcp_options(Command command, MltcpOptions& args);

// Throws InputError if idle or min_bytes has a value that cannot separate iterations.
bpf::MltcpChange mltcp_change_of(const MltcpOptions& args);

// Parse an option's value; InputError names the option.
Duration duration_of(std::string_view option, const std::string& text);
Bytes bytes_of(std::string_view option, const std::string& text);
Bandwidth bandwidth_of(std::string_view option, const std::string& text);

}  // namespace loom::cli
