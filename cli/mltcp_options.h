// Options that `mltcp load` and `mltcp bench` share: how F is set and how a job is told.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bpf/mltcp.h"
#include "cli/command.h"

namespace loom::cli {

// As given; what is not given is left as it is.
struct MltcpOptions {
  std::optional<double> slope;
  std::optional<double> intercept;
  std::optional<std::string> idle;
  std::optional<std::string> min_bytes;
  std::optional<int> needed;
};

void add_mltcp_options(Command command, MltcpOptions& args);

// InputError where silence or bytes are outside of what can tell iterations.
bpf::MltcpChange mltcp_change_of(const MltcpOptions& args);

// Quantities as options give them; InputError naming the option.
Duration duration_of(std::string_view option, const std::string& text);
Bytes bytes_of(std::string_view option, const std::string& text);
Bandwidth bandwidth_of(std::string_view option, const std::string& text);

}  // namespace loom::cli
