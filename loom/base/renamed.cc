#include "loom/base/renamed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "loom/base/settings.h"

namespace loom {
namespace {

struct Renaming {
  std::string_view before;
  std::string_view after;
};

// An old name may appear more than once: `parts` has a different new name in each kind of file.
constexpr std::array kRenamings = {
    // fabrics
    Renaming{"wavelength", "wavelength_bandwidth"},
    Renaming{"reconfiguration", "switch_time"},
    Renaming{"meanwhile", "unserved"},
    Renaming{"circuit", "circuit_bandwidth"},
    Renaming{"two_way", "duplex"},  // of a link in a custom graph
    Renaming{"one_way", "unidirectional"},
    Renaming{"two_way", "bidirectional"},
    Renaming{"fibres", "fibers"},
    Renaming{"fibre_loss", "fiber_loss"},
    // engines
    Renaming{"analytic", "coarse"},
    // workloads
    Renaming{"two_way_ring", "bidirectional_ring"},
    Renaming{"cuts", "manual_partitions"},
    // cluster traces
    Renaming{"most_gpus", "max_gpus"},
    // price tables
    Renaming{"part", "component"},
    Renaming{"parts", "components"},
    Renaming{"fibre", "fiber"},  // a component
    // papers
    Renaming{"parts", "sections"},
    Renaming{"day", "scheduling"},
    Renaming{"largest", "max"},
    Renaming{"least", "min"},
    Renaming{"least_speedup", "min_speedup"},
};

}  // namespace

std::optional<std::string_view> renamed(std::string_view given,
                                        std::span<const std::string_view> known) {
  for (const Renaming& it : kRenamings) {
    if (it.before == given && std::find(known.begin(), known.end(), it.after) != known.end()) {
      return it.after;
    }
  }
  return std::nullopt;
}

std::string choice_objection(std::string_view given, std::span<const std::string_view> known) {
  if (const auto now = renamed(given, known)) {
    return fmt::format("it was renamed; write {}", *now);
  }
  return fmt::format("one of {} is needed{}", fmt::join(known, ", "), suggestion(given, known));
}

void refuse_renamed_keys(const Tree& map, std::string_view title,
                         std::span<const std::string_view> known) {
  for (const auto& [key, value] : map.entries) {
    const auto now = renamed(key, known);
    if (!now) continue;
    throw InputError(value.location, fmt::format("{}.{} was renamed; write {}", title, key, *now));
  }
}

}  // namespace loom
