// Claims of published studies, and the one judge of them all: Claim (as published) + Found (as a
// study computes it) → Verdict.
//
//   {id: selective-gain, claim: in words, measure: …, published: 1.297, rule: within 10 %}
//
// Each kind of study adds keys of its own, which say what to compute. An id is made of lowercase
// words and numbers joined by hyphens, and is unique in its paper. A rule is "within X %" of the
// published value, "at least X", "at most X" or "from X to Y"; the limits themselves obey it.
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

// The key `measure` of a kind of claim; without choices it is any text.
constexpr Parameter claim_measure(std::string_view summary,
                                  std::span<const std::string_view> choices = {}) {
  return {.name = "measure",
          .type = choices.empty() ? ValueType::text : ValueType::choice,
          .summary = summary,
          .required = true,
          .choices = choices};
}

// The keys of every claim beside its measure.
inline constexpr std::array<Parameter, 4> kEveryClaim = {{
    {.name = "id",
     .type = ValueType::text,
     .summary = "short name, unique in the paper, such as ring-like-ocs",
     .required = true},
    {.name = "claim", .type = ValueType::text, .summary = "the claim in words", .required = true},
    {.name = "published", .type = ValueType::real, .summary = "published value", .required = true},
    {.name = "rule",
     .type = ValueType::text,
     .summary = "rule by which the claim holds",
     .required = true},
}};

template <std::size_t... I>
constexpr std::array<Parameter, sizeof...(I) + 5> every_claim_and(const Parameter& measure,
                                                                  const Parameter* own,
                                                                  std::index_sequence<I...>) {
  return {{kEveryClaim[0], kEveryClaim[1], measure, kEveryClaim[2], kEveryClaim[3], own[I]...}};
}

// The keys of a kind of claim: those of every claim, its measure, and its own.
template <std::size_t N>
constexpr std::array<Parameter, N + 5> claim_parameters(const Parameter& measure,
                                                        const Parameter (&own)[N]) {
  return every_claim_and(measure, own, std::make_index_sequence<N>());
}

struct Rule {
  struct Within {
    double percent = 0;  // of the published value
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

// What a study computed for a claim.
struct Found {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: no result; no rule allows it
  std::string at = {};      // the point or group that decided, or the spread of the runs
  std::string reason = {};  // explanation if the claim does not hold
  std::optional<ConfidenceInterval> interval = std::nullopt;
  bool reduced = false;  // whether it is from a reduced run
};

struct Verdict {
  Claim claim;
  Found found;           // without a reason if the claim holds
  bool holds = false;    // by the value found
  bool decided = false;  // whether both ends of the interval give the same verdict

  // Where the value was found, or its interval; "" if there is nothing to say.
  std::string at() const;
};

// InputError if the rule is none of those above.
Rule parse_rule(const std::string& text, const SourceLocation& location);

Verdict judge(Claim claim, Found found);

// A claim as read, with the keys of its kind.
struct ClaimEntry {
  Claim claim;
  Settings settings;
  const Tree* map = nullptr;  // in the section
};

// The claims of a section. InputError if there are none or one is malformed. `ignored` are keys
// read elsewhere.
std::vector<ClaimEntry> read_claims(const Tree& section, std::span<const Parameter> parameters,
                                    std::span<const std::string_view> ignored = {});

// InputError if two claims of a paper have the same id.
void refuse_repeated_ids(std::span<const Tree> sections);

// A list that a section must have. InputError if it is missing or empty.
const Tree& list_of(const Tree& section, std::string_view key);

}  // namespace loom::reproduce
