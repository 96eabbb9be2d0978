// A ring through all devices of a grid, in which neighbors share a row or a column.
//
// The ring enters each line (row or column) at one position, leaves it at another, and enters the
// next line at that same position. So the task is to choose an entry position for each line such
// that entry and exit differ (except in a line of length 1) and the last line is left at the entry
// position of the first. This is the coloring of a cycle, for which three positions are enough.
#include <array>
#include <numeric>
#include <optional>

#include "loom/fabric/kinds/optical/oddl.h"

namespace loom::fabric {
namespace {

constexpr int kPlaces = 3;

// Entry position of each line. Lines are sorted from longest to shortest and start at the same
// position.
std::optional<std::vector<int>> entries(const std::vector<int>& lengths) {
  const int lines = static_cast<int>(lengths.size());
  const auto length = [&](int line) { return lengths[static_cast<std::size_t>(line % lines)]; };
  const auto crosses = [&](int line, int in, int out) {
    return in < length(line) && out < length(line) && (length(line) == 1 ? in == out : in != out);
  };
  for (int first = 0; first < std::min(kPlaces, length(0)); ++first) {
    // from[l][p]: entry position of line l - 1 if line l can be entered at p; otherwise -1.
    std::vector<std::array<int, kPlaces>> from(static_cast<std::size_t>(lines) + 1, {-1, -1, -1});
    from[0][static_cast<std::size_t>(first)] = first;
    for (int line = 0; line < lines; ++line) {
      for (int in = 0; in < kPlaces; ++in) {
        if (from[static_cast<std::size_t>(line)][static_cast<std::size_t>(in)] < 0) continue;
        for (int out = 0; out < std::min(kPlaces, length(line + 1)); ++out) {
          if (!crosses(line, in, out)) continue;
          from[static_cast<std::size_t>(line) + 1][static_cast<std::size_t>(out)] = in;
        }
      }
    }
    if (from.back()[static_cast<std::size_t>(first)] < 0) continue;
    std::vector<int> entered(static_cast<std::size_t>(lines) + 1, first);
    for (auto line = static_cast<std::size_t>(lines); line > 0; --line) {
      entered[line - 1] = from[line][static_cast<std::size_t>(entered[line])];
    }
    return entered;
  }
  return std::nullopt;
}

// The devices line by line; `device` maps a line and a position to its device.
template <class Device>
std::vector<int> walk(const std::vector<int>& lengths, const std::vector<int>& entered,
                      const Device& device) {
  std::vector<int> order;
  for (std::size_t line = 0; line < lengths.size(); ++line) {
    const int in = entered[line];
    const int out = entered[line + 1];
    order.push_back(device(static_cast<int>(line), in));
    for (int place = 0; place < lengths[line]; ++place) {
      if (place != in && place != out) order.push_back(device(static_cast<int>(line), place));
    }
    if (out != in) order.push_back(device(static_cast<int>(line), out));
  }
  return order;
}

}  // namespace

std::vector<int> snake_order(const OddlGrid& grid) {
  std::vector<int> numbers(static_cast<std::size_t>(grid.devices));
  std::iota(numbers.begin(), numbers.end(), 0);
  if (grid.ports() == 1) return numbers;
  const int last = grid.devices - (grid.rows - 1) * grid.columns;
  std::vector<int> rows(static_cast<std::size_t>(grid.rows), grid.columns);
  rows.back() = last;
  if (const auto entered = entries(rows)) {
    return walk(rows, *entered, [&](int line, int place) { return line * grid.columns + place; });
  }
  std::vector<int> columns(static_cast<std::size_t>(grid.columns), grid.rows - 1);
  for (int c = 0; c < last; ++c) columns[static_cast<std::size_t>(c)] = grid.rows;
  if (const auto entered = entries(columns)) {
    return walk(columns, *entered,
                [&](int line, int place) { return place * grid.columns + line; });
  }
  return numbers;
}

}  // namespace loom::fabric
