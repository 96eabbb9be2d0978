#include "loom/base/renamed.h"

#include <gtest/gtest.h>

#include <array>

#include "loom/base/csv.h"
#include "loom/base/settings.h"
#include "loom/base/testing.h"

namespace loom {
namespace {

constexpr std::array<std::string_view, 2> kDirections = {"unidirectional", "bidirectional"};

constexpr std::array<Parameter, 2> kParameters = {{
    {.name = "switch_time",
     .type = ValueType::duration,
     .summary = "dark time",
     .fallback = "1 us"},
    {.name = "direction",
     .type = ValueType::choice,
     .summary = "of light",
     .fallback = "bidirectional",
     .choices = kDirections},
}};

std::string refusal(const std::string& text) {
  return message([&] { Settings(parse_yaml(text, "ring.yaml"), kParameters, "fabric"); });
}

TEST(Renamed, AnOldKeyIsRefusedWithTheNewOne) {
  EXPECT_EQ(refusal("direction: bidirectional\nreconfiguration: 25 us\n"),
            "ring.yaml:2: fabric.reconfiguration was renamed; write switch_time");
}

TEST(Renamed, AnOldValueIsRefusedWithTheNewOne) {
  EXPECT_EQ(refusal("direction: one_way\n"),
            "ring.yaml:1: fabric.direction is one_way; it was renamed; write unidirectional");
}

TEST(Renamed, AnOldColumnIsRefusedWithTheNewOne) {
  constexpr std::array kColumns = {CsvColumn{"from"},
                                   CsvColumn{"duplex", ValueType::boolean, false}};
  EXPECT_EQ(message([&] { parse_csv("from,two_way\n", "g.csv", kColumns); }),
            "g.csv:1: column 'two_way' was renamed; write duplex");
}

TEST(Renamed, AnOldNameIsUnknownWhereTheNewOneIs) {
  EXPECT_EQ(refusal("wavelength: 25 Gbps\n"),
            "ring.yaml:1: fabric has no key 'wavelength'; known are switch_time, direction");
}

TEST(Renamed, ANameThatBecameTwoIsToldByWhatIsKnown) {
  constexpr std::array<std::string_view, 1> kPrices = {"components"};
  constexpr std::array<std::string_view, 2> kPaper = {"title", "sections"};
  EXPECT_EQ(renamed("parts", kPrices), "components");
  EXPECT_EQ(renamed("parts", kPaper), "sections");
  EXPECT_EQ(renamed("part", kPaper), std::nullopt);
  EXPECT_EQ(renamed("sections", kPaper), std::nullopt);
}

TEST(Renamed, KeysWithoutParametersAreRefusedToo) {
  constexpr std::array<std::string_view, 1> kPaper = {"sections"};
  EXPECT_EQ(message([&] {
              refuse_renamed_keys(parse_yaml("title: x\nparts: []\n", "p.yaml"), "paper", kPaper);
            }),
            "p.yaml:2: paper.parts was renamed; write sections");
}

}  // namespace
}  // namespace loom
