#include "loom/reproduce/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "loom/base/error.h"

namespace loom::reproduce {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The number between `before` and `after`, if the rule consists of these three.
std::optional<double> number_between(std::string_view rule, std::string_view before,
                                     std::string_view after) {
  if (rule.size() < before.size() + after.size()) return std::nullopt;
  if (!rule.starts_with(before) || !rule.ends_with(after)) return std::nullopt;
  return number(rule.substr(before.size(), rule.size() - before.size() - after.size()));
}

bool obeys(const Claim& claim, double value) {
  if (const auto* within = std::get_if<Rule::Within>(&claim.rule.allowed)) {
    return std::abs(value - claim.published) <= std::abs(claim.published) * within->percent / 100;
  }
  const auto& range = std::get<Rule::Range>(claim.rule.allowed);
  return value >= range.low && value <= range.high;
}

bool is_id(std::string_view text) {
  const bool hyphens =
      text.starts_with('-') || text.ends_with('-') || text.find("--") != std::string_view::npos;
  return !hyphens && std::all_of(text.begin(), text.end(), [](char it) {
    return (it >= 'a' && it <= 'z') || (it >= '0' && it <= '9') || it == '-';
  });
}

Claim read_claim(const Settings& settings) {
  Claim claim;
  claim.id = settings.text("id");
  if (!is_id(claim.id)) {
    settings.refuse("id", "lowercase words and numbers joined by hyphens are needed");
  }
  claim.text = settings.text("claim");
  claim.measure = settings.text("measure");
  claim.published = settings.real("published");
  claim.rule = parse_rule(settings.text("rule"), settings.location("rule"));
  return claim;
}

}  // namespace

std::string Verdict::at() const {
  if (!found.interval) return found.at;
  return fmt::format("interval {:.3g} to {:.3g}{}", found.interval->low, found.interval->high,
                     decided ? "" : ": not decided");
}

Rule parse_rule(const std::string& text, const SourceLocation& location) {
  if (const auto low = number_between(text, "at least ", "")) {
    return {text, Rule::Range{.low = *low}};
  }
  if (const auto high = number_between(text, "at most ", "")) {
    return {text, Rule::Range{.high = *high}};
  }
  if (const auto percent = number_between(text, "within ", " %")) {
    return {text, Rule::Within{*percent}};
  }
  const std::size_t to = text.find(" to ");
  if (to != std::string::npos) {
    const auto low = number_between(std::string_view(text).substr(0, to), "from ", "");
    const auto high = number(std::string_view(text).substr(to + 4));
    if (low && high) return {text, Rule::Range{*low, *high}};
  }
  throw InputError(
      location,
      fmt::format("rule is {}; within X %, at least X, at most X or from X to Y is needed", text));
}

Verdict judge(Claim claim, Found found) {
  const bool holds = obeys(claim, found.value);
  const bool decided = !found.interval || (obeys(claim, found.interval->low) == holds &&
                                           obeys(claim, found.interval->high) == holds);
  if (holds) found.reason.clear();
  return {std::move(claim), std::move(found), holds, decided};
}

std::vector<ClaimEntry> read_claims(const Tree& section, std::span<const Parameter> parameters,
                                    std::span<const std::string_view> ignored) {
  std::vector<ClaimEntry> claims;
  for (const Tree& map : list_of(section, "claims").items) {
    Settings settings(map, parameters, "claim", ignored);
    Claim claim = read_claim(settings);
    claims.push_back({std::move(claim), std::move(settings), &map});
  }
  return claims;
}

void refuse_repeated_ids(std::span<const Tree> sections) {
  std::map<std::string, SourceLocation> seen;
  for (const Tree& section : sections) {
    const Tree* claims = section.find("claims");
    for (const Tree& claim : claims == nullptr ? std::vector<Tree>{} : claims->items) {
      const Tree* id = claim.find("id");
      if (id == nullptr) continue;  // refused by read_claims
      const auto [first, is_new] = seen.emplace(id->text, id->location);
      if (is_new) continue;
      throw InputError(id->location, fmt::format("claim.id is {}, as at {}; an id of its own is "
                                                 "needed for each claim",
                                                 id->text, first->second.text()));
    }
  }
}

const Tree& list_of(const Tree& section, std::string_view key) {
  const Tree* list = section.find(key);
  if (list == nullptr || list->kind != Tree::Kind::list || list->items.empty()) {
    throw InputError(list == nullptr ? section.location : list->location,
                     fmt::format("the paper lacks '{}' (a list)", key));
  }
  return *list;
}

}  // namespace loom::reproduce
