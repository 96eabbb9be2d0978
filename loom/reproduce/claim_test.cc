#include "loom/reproduce/claim.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/reproduce/reproduce.h"

namespace loom::reproduce {
namespace {

constexpr auto kPlainClaim = claim_parameters(
    claim_measure("any measure"), {{.name = "note", .type = ValueType::text, .summary = "note"}});

Claim claim_with(const std::string& rule, double published) {
  return {.id = "a",
          .text = "in words",
          .measure = "time",
          .published = published,
          .rule = parse_rule(rule, {})};
}

bool holds(const std::string& rule, double published, double ours) {
  return judge(claim_with(rule, published), {.value = ours}).holds;
}

std::vector<ClaimEntry> claims_in(const Tree& section) { return read_claims(section, kPlainClaim); }

std::string refusal_of(const std::string& claims) {
  return message([&] { claims_in(parse_yaml("claims:\n" + claims, "p.yaml")); });
}

TEST(Claim, RulesAreReadAsWritten) {
  EXPECT_TRUE(holds("within 10 %", 100, 110));
  EXPECT_FALSE(holds("within 10 %", 100, 110.1));
  EXPECT_TRUE(holds("within 0 %", 4, 4));
  EXPECT_TRUE(holds("at least 1.5", 0, 1.5));
  EXPECT_FALSE(holds("at least 1.5", 0, 1.4));
  EXPECT_TRUE(holds("at most 1.5", 0, 1.5));
  EXPECT_FALSE(holds("at most 1.5", 0, 1.6));
  EXPECT_TRUE(holds("from 1 to 2", 0, 2));
  EXPECT_FALSE(holds("from 1 to 2", 0, 0.9));
  EXPECT_TRUE(holds("at least 1", 0, std::numeric_limits<double>::infinity()));
}

TEST(Claim, AnythingElseIsNoRule) {
  for (const std::string rule : {"near", "at least", "at least x", "within 5", "within %", "from 1",
                                 "from 1 to", "from to 2", "at most 1 2"}) {
    EXPECT_EQ(message([&] { parse_rule(rule, location_of("p.yaml", 7)); }),
              "p.yaml:7: rule is " + rule +
                  "; within X %, at least X, at most X or from X to Y is needed");
  }
}

TEST(Claim, DoesNotHoldWithoutAResult) {
  for (const char* rule : {"within 100 %", "at least 0", "at most 1e9", "from 0 to 1e9"}) {
    EXPECT_FALSE(judge(claim_with(rule, 1), {}).holds) << rule;
  }
}

TEST(Claim, IsDecidedIfBothEndsOfTheIntervalAgree) {
  const auto at = [](double low, double high) {
    return judge(claim_with("at least 1", 1),
                 {.value = 1.5, .interval = ConfidenceInterval{low, high}});
  };
  EXPECT_TRUE(at(1.25, 1.75).decided);
  EXPECT_EQ(at(1.25, 1.75).at(), "interval 1.25 to 1.75");
  EXPECT_TRUE(at(0.5, 2.5).holds);
  EXPECT_FALSE(at(0.5, 2.5).decided);
  EXPECT_EQ(at(0.5, 2.5).at(), "interval 0.5 to 2.5: not decided");
  EXPECT_TRUE(judge(claim_with("at least 1", 1), {.value = 0}).decided);
}

TEST(Claim, HasAReasonOnlyIfItDoesNotHold) {
  const auto reason = [](double ours) {
    return judge(claim_with("at least 1", 1), {.value = ours, .reason = "why"}).found.reason;
  };
  EXPECT_EQ(reason(0.5), "why");
  EXPECT_EQ(reason(1.5), "");
}

TEST(Claim, IsReadWithTheKeysOfItsKind) {
  const Tree section = parse_yaml(
      "claims: [{id: gain-2x, claim: twice, measure: time, published: 2, rule: at least 1.5,"
      " note: here}]\n",
      "p.yaml");
  const ClaimEntry entry = claims_in(section).front();
  EXPECT_EQ(entry.claim.id, "gain-2x");
  EXPECT_EQ(entry.claim.text, "twice");
  EXPECT_EQ(entry.claim.measure, "time");
  EXPECT_EQ(entry.claim.published, 2);
  EXPECT_EQ(entry.claim.rule.text, "at least 1.5");
  EXPECT_EQ(entry.settings.text("note"), "here");
  EXPECT_EQ(entry.map, &section.find("claims")->items.front());
}

TEST(Claim, NeedsAnId) {
  const std::string rest = "claim: c, measure: time, published: 1, rule: at least 1}\n";
  EXPECT_EQ(refusal_of("  - {" + rest),
            "p.yaml:2: claim lacks 'id' (short name, unique in the paper, such as ring-like-ocs)");
  for (const std::string id : {"Gain", "gain_2x", "-gain", "gain-", "gain--2x", "two words"}) {
    EXPECT_EQ(refusal_of(fmt::format("  - {{id: {}, {}", id, rest)),
              fmt::format("p.yaml:2: claim.id is {}; lowercase words and numbers joined by hyphens "
                          "are needed",
                          id));
  }
}

TEST(Claim, NeedsAnIdOfItsOwn) {
  const Tree paper = parse_yaml(
      "sections:\n"
      "  - claims:\n"
      "      - {id: a}\n"
      "      - {id: b}\n"
      "  - claims:\n"
      "      - {id: a}\n",
      "p.yaml");
  EXPECT_EQ(message([&] { refuse_repeated_ids(paper.find("sections")->items); }),
            "p.yaml:6: claim.id is a, as at p.yaml:3; an id of its own is needed for each claim");
}

TEST(Claim, OfEveryPaperHasAnIdOfItsOwn) {
  for (const std::string_view name : paper_names()) {
    const Tree paper = parse_yaml(paper_text(std::string(name)), std::string(name));
    const Tree* sections = paper.find("sections");
    const std::vector<Tree> all = sections == nullptr ? std::vector<Tree>{paper} : sections->items;
    refuse_repeated_ids(all);
    for (const Tree& section : all) {
      for (const Tree& claim : list_of(section, "claims").items) {
        EXPECT_NE(claim.find("id"), nullptr) << claim.location.text();
      }
    }
  }
}

}  // namespace
}  // namespace loom::reproduce
