// Options that `mltcp load` and `mltcp bench` share: how F is set and how a job is told.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "bpf/mltcp.h"

namespace loom::cli {

// As given; what is not given is left as it is.
struct MltcpFlags {
  std::optional<double> slope;
  std::optional<double> intercept;
  std::optional<std::string> idle;
  std::optional<std::string> least;
  std::optional<int> needed;
};

void add_mltcp_flags(CLI::App& command, MltcpFlags& flags);

// InputError where silence or bytes are outside of what can tell iterations.
bpf::MltcpChange mltcp_change_of(const MltcpFlags& flags);

// Quantities as options give them; InputError naming the option.
Duration duration_of(std::string_view option, const std::string& text);
Bytes bytes_of(std::string_view option, const std::string& text);
Bandwidth bandwidth_of(std::string_view option, const std::string& text);

}  // namespace loom::cli
