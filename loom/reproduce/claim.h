// Claims of published studies. judge() compares a Claim, as published, with the value that a study
// computes (Found), and returns a Verdict. All kinds of study use it.
//
//   {id: selective-gain, claim: in words, measure: …, published: 1.297, rule: within 10 %}
//
// Each kind of study adds its own keys, which define the computation. An id consists of lowercase
// words and numbers joined by hyphens, and is unique in its paper. A rule is "within X %" of the
// published value, "at least X", "at most X" or "from X to Y"; limits are inclusive.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "loom/base/settings.h"
#include "loom/base/tree.h"

namespace loom::reproduce {

// The key `measure` of a kind of claim; any text if there are no choices.
constexpr Parameter claim_measure(std::string_view summary,
                                  std::span<const std::string_view> choices = {}) {
  return {.name = "measure",
          .type = choices.empty() ? ValueType::text : ValueType::choice,
          .summary = summary,
          .required = true,
          .choices = choices};
}

// The keys of every claim, except `measure`.
inline constexpr std::array<Parameter, 4> kEveryClaim = {{
    {.name = "id",
     .type = ValueType::text,
     .summary = "short name, unique in the paper, such as ring-like-ocs",
     .required = true},
    {.name = "claim", .type = ValueType::text, .summary = "the claim in words", .required = true},
    {.name = "published", .type = ValueType::real, .summary = "published value", .required = true},
    {.name = "rule",
     .type = ValueType::text,
     .summary = "rule that the computed value must satisfy",
     .required = true},
}};

template <std::size_t... I>
constexpr std::array<Parameter, sizeof...(I) + 5> every_claim_and(const Parameter& measure,
                                                                  const Parameter* own,
                                                                  std::index_sequence<I...>) {
  return {{kEveryClaim[0], kEveryClaim[1], measure, kEveryClaim[2], kEveryClaim[3], own[I]...}};
}

// All keys of a kind of claim: those of every claim, `measure`, and its own.
template <std::size_t N>
constexpr std::array<Parameter, N + 5> claim_parameters(const Parameter& measure,
                                                        const Parameter (&own)[N]) {
  return every_claim_and(measure, own, std::make_index_sequence<N>());
}

struct Rule {
  struct Within {
    double percent = 0;  // maximum deviation from the published value
  };
  struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  };

  std::string text;  // as written
  std::variant<Within, Range> allowed = Range{};
};

struct Claim {
  std::string id;
  std::string text;
  std::string measure;
  double published = 0;
  Rule rule;
};

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
};

// The result that a study computes for a claim.
struct Found {
  double value =
      std::numeric_limits<double>::quiet_NaN();  // NaN: no result, which satisfies no rule
  std::string at = {};      // the point or group with this value, or the spread over runs
  std::string reason = {};  // explanation if the claim does not hold
  std::optional<ConfidenceInterval> interval = std::nullopt;
  bool reduced = false;  // whether the value comes from a reduced run
};

struct Verdict {
  Claim claim;
  Found found;           // has no reason if the claim holds
  bool holds = false;    // whether the value found satisfies the rule
  bool decided = false;  // whether both ends of the interval give the same verdict

  // The point or group with the value, or its interval; "" if there is neither.
  std::string at() const;
};

// Throws InputError if the text is none of the rules above.
Rule parse_rule(const std::string& text, const SourceLocation& location);

Verdict judge(Claim claim, Found found);

// A claim, with the settings of its kind.
struct ClaimEntry {
  Claim claim;
  Settings settings;
  const Tree* map = nullptr;  // the claim's map in the section
};

// Reads the claims of a section. `ignored` are keys read elsewhere. Throws InputError if there are
// no claims or one is malformed.
std::vector<ClaimEntry> read_claims(const Tree& section, std::span<const Parameter> parameters,
                                    std::span<const std::string_view> ignored = {});

// Throws InputError if two claims of a paper have the same id.
void refuse_repeated_ids(std::span<const Tree> sections);

// Returns a list that a section must have. Throws InputError if it is missing or empty.
const Tree& list_of(const Tree& section, std::string_view key);

}  // namespace loom::reproduce
