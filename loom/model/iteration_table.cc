// Reads a table of iterations to accuracy: the user's own, or the file PREFIX_iter.prof of a
// profile for Rostam, the simulator of SiP-ML.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "loom/base/error.h"
#include "loom/base/text.h"
#include "loom/model/time_to_accuracy.h"

namespace loom::model {
namespace {

constexpr std::string_view kSeparators = " \t\r,";

using Words = std::vector<std::string_view>;

struct Row {
  BatchPoint point;
  int line = 0;
};

Words words_of(std::string_view line) {
  Words words;
  for (std::size_t at = 0; (at = line.find_first_not_of(kSeparators, at)) < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kSeparators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// Throws an InputError for bytes other than printable ASCII, which a message could not show.
void check_bytes(std::string_view line, const SourceLocation& location) {
  for (const char c : line) {
    if ((c >= ' ' && c <= '~') || c == '\t' || c == '\r') continue;
    throw InputError(location, fmt::format("byte 0x{:02x} found; a batch and its iterations are "
                                           "needed",
                                           static_cast<unsigned char>(c)));
  }
}

std::int64_t number_of(std::string_view word, std::string_view what,
                       const SourceLocation& location) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 1 ||
      value > kMaxIterations) {
    throw InputError(location, fmt::format("{} is {}; an integer from 1 to {} is needed", what,
                                           shortened(word), kMaxIterations));
  }
  return value;
}

Row row_of(const Words& words, const SourceLocation& location) {
  if (words.size() != 2) {
    throw InputError(
        location,
        fmt::format("the line has {} values; a batch and its iterations are needed", words.size()));
  }
  return {{number_of(words[0], "batch", location), number_of(words[1], "iterations", location)},
          location.line};
}

IterationTable table_of(std::vector<Row> rows, const SourceLocation& location) {
  if (rows.empty()) {
    throw InputError(location,
                     "the table is empty; at least one batch and its iterations are needed");
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.point.batch < b.point.batch; });
  IterationTable table;
  for (const Row& row : rows) {
    if (!table.points.empty() && table.points.back().batch == row.point.batch) {
      throw InputError({location.source, row.line},
                       fmt::format("batch {} appears twice; it may appear once", row.point.batch));
    }
    table.points.push_back(row.point);
  }
  return table;
}

}  // namespace

AccuracyLaw parse_iteration_table(std::string_view text, const std::string& source) {
  constexpr std::array<std::string_view, 2> kNames = {"batch", "iterations"};
  SourceLocation location = location_of(source);
  std::vector<Row> rows;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++location.line;
    check_bytes(line, location);
    const Words words = words_of(line);
    const bool header =
        location.line == 1 && std::equal(words.begin(), words.end(), kNames.begin(), kNames.end());
    if (!words.empty() && !header) rows.push_back(row_of(words, location));
  }
  return {.source = source, .iterations = table_of(std::move(rows), location_of(source))};
}

}  // namespace loom::model
