#include "cli/renamed_options.h"

#include <algorithm>
#include <array>
#include <vector>

#include "loom/base/renamed.h"

namespace loom::cli {
namespace {

struct Renaming {
  std::string_view before;
  std::string_view after;
};

// If an old name has several new names, the one that is an option of the command applies. Two kinds
// of old names need no entry: options written with underscores, and options named after a renamed
// key (loom/base/renamed.cc).
constexpr std::array kRenamings = {
    Renaming{"--trace", "--timeline"}, Renaming{"--least", "--min-bytes"},
    Renaming{"--jitter", "--phase-error"},     // compatible
    Renaming{"--jitter", "--compute-jitter"},  // mltcp bench
};

std::string with(std::string_view name, char from, char to) {
  std::string changed(name);
  std::replace(changed.begin() + 2, changed.end(), from, to);
  return changed;
}

std::optional<std::string> renamed_key_option(std::string_view given,
                                              std::span<const std::string_view> known) {
  std::vector<std::string> keys;
  for (const std::string_view name : known) keys.push_back(with(name, '-', '_').substr(2));
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  const auto now = renamed(with(given, '-', '_').substr(2), views);
  if (!now) return std::nullopt;
  return with("--" + std::string(*now), '_', '-');
}

}  // namespace

std::optional<std::string> renamed_option(std::string_view given,
                                          std::span<const std::string_view> known) {
  const auto is_known = [&](std::string_view name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  for (const Renaming& it : kRenamings) {
    if (it.before == given && is_known(it.after)) return std::string(it.after);
  }
  if (std::string kebab = with(given, '_', '-'); kebab != given && is_known(kebab)) return kebab;
  return renamed_key_option(given, known);
}

}  // namespace loom::cli
