#include "loom/workload/collective_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "loom/base/renamed.h"

namespace loom::workload {
namespace {

constexpr Parameter kParameters[] = {
    {.name = "collective",
     .type = ValueType::text,
     .summary = "collective operation",
     .required = true},
    {.name = "algorithm", .type = ValueType::text, .summary = "collective algorithm"},
    {.name = "size", .type = ValueType::size, .summary = "full buffer size of one rank"},
    {.name = "chunks",
     .type = ValueType::integer,
     .summary = "number of messages into which the data of a step is divided",
     .fallback = "1"},
    {.name = "levels",
     .type = ValueType::shape,
     .summary = "hierarchical: ranks per group, innermost first, such as 8x4"},
    {.name = "sizes",
     .type = ValueType::text,
     .summary = "all_to_all: bytes from each rank (row) to each rank (column), such as 0 5 / 7 0"},
    {.name = "steps",
     .type = ValueType::text,
     .summary = "rings: step from rank to rank in each ring, such as 1 15"},
};

// Reads a choice; `names` are the valid names, and `parse` converts a name to its value.
template <class Choice>
Choice choose(const Settings& settings, std::string_view key,
              std::span<const std::string_view> names,
              std::optional<Choice> (*parse)(std::string_view)) {
  const std::string text = settings.text(key);
  if (const auto choice = parse(text)) return *choice;
  settings.refuse(key, choice_objection(text, names));
}

// Parses integers from 0 to `max` separated by spaces; returns false if the text is anything else.
bool parse_numbers(std::string_view text, std::int64_t max, std::vector<std::int64_t>& numbers) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return true;
    const std::string_view word = text.substr(0, text.find(' '));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return false;
    if (number < 0 || number > max) return false;
    numbers.push_back(number);
    text.remove_prefix(word.size());
  }
}

std::vector<Bytes> read_sizes(const Settings& settings) {
  const std::string text = settings.text("sizes");
  std::string_view rest = text;
  std::vector<std::int64_t> numbers;
  const auto rows = static_cast<std::size_t>(std::count(text.begin(), text.end(), '/')) + 1;
  for (std::size_t row = 1; row <= rows; ++row) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    if (!parse_numbers(rest.substr(0, end), kLargestSize.count, numbers) ||
        numbers.size() != row * rows) {
      settings.refuse("sizes", "a square matrix of bytes is needed, such as 0 5 / 7 0");
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<Bytes> sizes;
  for (const std::int64_t number : numbers) sizes.push_back({number});
  return sizes;
}

// The largest total that one rank sends or receives; capped at kLargestSize + 1 B, which
// objection() refuses, so that no sum overflows.
Bytes busiest(const std::vector<Bytes>& sizes) {
  std::size_t n = 0;
  while (n * n < sizes.size()) ++n;
  std::vector<Bytes> in(n);
  std::vector<Bytes> out(n);
  const Bytes beyond = kLargestSize + Bytes{1};
  Bytes max{0};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out[i / n] = std::min(out[i / n] + sizes[i], beyond);
    in[i % n] = std::min(in[i % n] + sizes[i], beyond);
    max = std::max({max, out[i / n], in[i % n]});
  }
  return max;
}

}  // namespace

std::vector<int> read_steps(const Settings& settings, std::string_view key) {
  std::vector<std::int64_t> numbers;
  if (!parse_numbers(settings.text(key), std::int64_t{1} << 30, numbers) || numbers.empty()) {
    settings.refuse(key, "integers separated by spaces are needed, such as 1 15");
  }
  return {numbers.begin(), numbers.end()};
}

std::span<const Parameter> collective_parameters() { return kParameters; }

Collective read_collective(const Settings& settings, int ranks) {
  Collective collective;
  collective.kind = choose(settings, "collective", kCollectiveNames, parse_collective);
  collective.algorithm = settings.has("algorithm")
                             ? choose(settings, "algorithm", kAlgorithmNames, parse_algorithm)
                             : algorithms_for(collective.kind).front();
  collective.chunks = static_cast<int>(settings.integer("chunks"));
  if (settings.has("levels")) collective.levels = settings.shape("levels");
  if (settings.has("sizes")) collective.sizes = read_sizes(settings);
  if (settings.has("steps")) collective.steps = read_steps(settings);
  if (!settings.has("size") && collective.sizes.empty()) {
    throw InputError(settings.location(),
                     "a collective lacks 'size' (full buffer size of one rank)");
  }
  collective.size = settings.has("size") ? settings.size("size") : busiest(collective.sizes);
  if (const auto no = objection(collective, ranks)) {
    throw InputError(settings.location(), no->text);
  }
  return collective;
}

}  // namespace loom::workload
