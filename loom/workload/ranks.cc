#include "loom/workload/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loom::workload {
namespace {

constexpr std::string_view kForm = "ranks are written as 0-7,16,24-31 or 0-56/8";

struct Run {
  int first = 0;
  int last = 0;
  int stride = 1;
};

// Removes a number from the front of the text; returns false if there is none.
bool take_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.front() == '-') return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Skips spaces and one comma among them; true if there was a comma.
bool skip_separator(std::string_view& text) {
  while (take(text, ' ')) continue;
  const bool comma = take(text, ',');
  while (take(text, ' ')) continue;
  return comma;
}

std::optional<Run> take_run(std::string_view& text, std::string& why) {
  Run run;
  bool good = take_number(text, run.first);
  run.last = run.first;
  if (good && take(text, '-')) good = take_number(text, run.last);
  if (good && take(text, '/')) good = take_number(text, run.stride);
  good = good && (text.empty() || text.front() == ' ' || text.front() == ',');
  if (!good) {
    why = kForm;
  } else if (run.first >= kMaxDevices || run.last >= kMaxDevices) {
    why = fmt::format("the largest number is {}", kMaxDevices - 1);
  } else if (run.last < run.first) {
    why =
        fmt::format("{}-{} runs backward; the smaller number must come first", run.first, run.last);
  } else if (run.stride < 1) {
    why = "a stride is at least 1";
  } else {
    return run;
  }
  return std::nullopt;
}

// The smallest number that occurs twice, if any.
std::optional<int> repeated(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const auto found = std::adjacent_find(numbers.begin(), numbers.end());
  return found == numbers.end() ? std::nullopt : std::optional(*found);
}

// The longest run that begins at `ranks[begin]`: numbers that ascend by the same stride. Two
// numbers form a run only if they are consecutive.
Run run_from(std::span<const int> ranks, std::size_t begin) {
  Run run{ranks[begin], ranks[begin], 1};
  if (begin + 1 == ranks.size() || ranks[begin + 1] <= ranks[begin]) return run;
  const int stride = ranks[begin + 1] - ranks[begin];
  std::size_t end = begin + 1;
  while (end + 1 < ranks.size() && ranks[end + 1] - ranks[end] == stride) ++end;
  if (stride > 1 && end == begin + 1) return run;
  return {ranks[begin], ranks[end], stride};
}

}  // namespace

std::optional<std::vector<int>> parse_ranks(std::string_view text, std::string& why) {
  std::vector<int> ranks;
  while (take(text, ' ')) continue;
  do {
    const auto run = take_run(text, why);
    if (!run) return std::nullopt;
    if (ranks.size() + static_cast<std::size_t>((run->last - run->first) / run->stride) >=
        static_cast<std::size_t>(kMaxDevices)) {
      why = fmt::format("at most {} numbers are possible", kMaxDevices);
      return std::nullopt;
    }
    for (std::int64_t rank = run->first; rank <= run->last; rank += run->stride) {
      ranks.push_back(static_cast<int>(rank));
    }
  } while (skip_separator(text) || !text.empty());
  if (const auto twice = repeated(ranks)) {
    why = fmt::format("{} appears twice; once is enough", *twice);
    return std::nullopt;
  }
  return ranks;
}

std::string ranks_text(std::span<const int> ranks) {
  std::string out;
  for (std::size_t i = 0; i < ranks.size();) {
    const Run run = run_from(ranks, i);
    out += fmt::format("{}{}", i == 0 ? "" : ",", run.first);
    if (run.last > run.first) out += fmt::format("-{}", run.last);
    if (run.stride > 1) out += fmt::format("/{}", run.stride);
    i += static_cast<std::size_t>((run.last - run.first) / run.stride) + 1;
  }
  return out;
}

}  // namespace loom::workload
