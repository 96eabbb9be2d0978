// Test support shared by many folders.
#pragma once

#include <optional>
#include <string>

#include "loom/base/error.h"
#include "loom/base/tree.h"

namespace loom {

// The message of the InputError that `act` throws; "no error" if it throws none.
template <typename Act>
std::string message(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// The reason in an objection or infeasibility; "no objection" if there is none.
inline std::string why(const std::optional<Objection>& answer) {
  return answer ? answer->text : "no objection";
}
inline std::string why(const std::optional<Infeasible>& answer) {
  return answer ? answer->why : "no objection";
}

// True if keys and values are equal, regardless of source locations.
inline bool same(const Tree& a, const Tree& b) {
  if (a.kind != b.kind || a.text != b.text) return false;
  if (a.items.size() != b.items.size() || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same(a.items[i], b.items[i])) return false;
  }
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (a.entries[i].key != b.entries[i].key) return false;
    if (!same(a.entries[i].value, b.entries[i].value)) return false;
  }
  return true;
}

}  // namespace loom
