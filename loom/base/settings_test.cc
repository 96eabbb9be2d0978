#include "loom/base/settings.h"

#include <gtest/gtest.h>

#include <array>

#include "loom/base/testing.h"

namespace loom {
namespace {

constexpr std::array<std::string_view, 2> kColors = {"red", "green"};
constexpr std::array<std::string_view, 1> kElsewhere = {"other"};

constexpr std::array<Parameter, 11> kParameters = {{
    {.name = "count",
     .type = ValueType::integer,
     .summary = "number of things",
     .required = true,
     .min = 1,
     .max = 9},
    {.name = "ratio", .type = ValueType::real, .summary = "ratio of a to b", .fallback = "1.5"},
    {.name = "time", .type = ValueType::duration, .summary = "duration", .fallback = "2 us"},
    {.name = "size", .type = ValueType::size, .summary = "amount of data", .min = 2},
    {.name = "rate", .type = ValueType::bandwidth, .summary = "data rate", .min = 1},
    {.name = "loss", .type = ValueType::decibel, .summary = "optical loss"},
    {.name = "light", .type = ValueType::decibel_milliwatt, .summary = "optical power"},
    {.name = "shape", .type = ValueType::shape, .summary = "extent per dimension"},
    {.name = "color",
     .type = ValueType::choice,
     .summary = "color",
     .fallback = "red",
     .choices = kColors},
    {.name = "note", .type = ValueType::text, .summary = "free text"},
    {.name = "flag", .type = ValueType::boolean, .summary = "boolean flag", .fallback = "false"},
}};

Settings settings(const std::string& inside) {
  return {parse_yaml("{" + inside + "}", "s.yaml"), kParameters, "thing", kElsewhere};
}

std::string refusal(const std::string& inside) {
  return message([&] { settings(inside); });
}

TEST(Settings, ValuesAreReadByType) {
  const Settings given = settings(
      "count: 3, ratio: 0.25, time: 1 ms, size: 4 KiB, rate: 1 Gbps, loss: 0.05 dB, light: -17 "
      "dBm, "
      "shape: 2x3, color: green, note: a b, flag: true, other: [1]");
  EXPECT_EQ(given.integer("count"), 3);
  EXPECT_EQ(given.real("ratio"), 0.25);
  EXPECT_EQ(given.duration("time"), 1_ms);
  EXPECT_EQ(given.size("size"), 4_KiB);
  EXPECT_EQ(given.bandwidth("rate"), 1_Gbps);
  EXPECT_EQ(given.decibel("loss"), 0.05);
  EXPECT_EQ(given.decibel_milliwatt("light"), -17);
  EXPECT_EQ(given.shape("shape"), (std::vector<int>{2, 3}));
  EXPECT_EQ(given.text("color"), "green");
  EXPECT_EQ(given.text("note"), "a b");
  EXPECT_TRUE(given.boolean("flag"));
}

TEST(Settings, DefaultsApplyWhereNothingIsWritten) {
  const Settings given = settings("count: 3");
  EXPECT_TRUE(given.has("time"));
  EXPECT_FALSE(given.given("time"));
  EXPECT_EQ(given.duration("time"), 2_us);
  EXPECT_EQ(given.real("ratio"), 1.5);
  EXPECT_FALSE(given.has("size"));
  EXPECT_FALSE(given.boolean("flag"));
  EXPECT_EQ(given.written(), (std::vector<std::pair<std::string, std::string>>{{"count", "3"}}));
}

TEST(Settings, ReadingAMissingValueIsAProgrammingError) {
  const Settings given = settings("count: 3");
  EXPECT_THROW(given.size("size"), std::logic_error);
  EXPECT_THROW(given.has("unknown"), std::logic_error);
}

TEST(Settings, AnUnknownKeyIsRefusedWithTheClosestName) {
  EXPECT_EQ(refusal("count: 3, colour: red"),
            "s.yaml:1: thing has no key 'colour' (did you mean 'color'?); known are other, count, "
            "ratio, time, size, rate, loss, light, shape, color, note, flag");
  EXPECT_EQ(refusal("count: 3, x: 1"),
            "s.yaml:1: thing has no key 'x'; known are other, count, ratio, time, size, rate, "
            "loss, light, "
            "shape, color, note, flag");
}

TEST(Settings, AMissingRequiredKeyIsExplainedByItsSummary) {
  EXPECT_EQ(refusal("note: x"), "s.yaml:1: thing lacks 'count' (number of things)");
}

TEST(Settings, WrongValuesAreRefusedWithTheRule) {
  EXPECT_EQ(refusal("count: x"), "s.yaml:1: thing.count is x; an integer is needed");
  EXPECT_EQ(refusal("count: 0"), "s.yaml:1: thing.count is 0; at least 1 is needed");
  EXPECT_EQ(refusal("count: 10"), "s.yaml:1: thing.count is 10; at most 9 is possible");
  EXPECT_EQ(refusal("count:"), "s.yaml:1: thing.count is empty; an integer is needed");
  EXPECT_EQ(refusal("count: [1]"), "s.yaml:1: thing.count is a list; a single value is needed");
  EXPECT_EQ(refusal("count: {a: 1}"), "s.yaml:1: thing.count is a map; a single value is needed");
  for (const std::string real : {"-1", "x", "1e", "1e10", "nan", "inf", "1000000001"}) {
    EXPECT_EQ(
        refusal("count: 1, ratio: " + real),
        "s.yaml:1: thing.ratio is " + real + "; a number from 0 to 1e9 is needed, such as 1.5");
  }
  EXPECT_EQ(refusal("count: 1, size: 1 B"), "s.yaml:1: thing.size is 1 B; at least 2 B is needed");
  EXPECT_EQ(refusal("count: 1, loss: 3 dBm"),
            "s.yaml:1: thing.loss is 3 dBm; a loss is a number with dB");
  EXPECT_EQ(refusal("count: 1, loss: -1 dB"),
            "s.yaml:1: thing.loss is -1 dB; at least 0 dB is needed");
  EXPECT_EQ(refusal("count: 1, light: 3 dB"),
            "s.yaml:1: thing.light is 3 dB; an optical power is a number with dBm");
  EXPECT_EQ(refusal("count: 1, color: blue"),
            "s.yaml:1: thing.color is blue; one of red, green is needed");
  EXPECT_EQ(refusal("count: 1, color: gren"),
            "s.yaml:1: thing.color is gren; one of red, green is needed (did you mean 'green'?)");
  EXPECT_EQ(refusal("count: 1, note:"), "s.yaml:1: thing.note is empty; text is needed");
  EXPECT_EQ(refusal("count: 1, flag: yes"), "s.yaml:1: thing.flag is yes; true or false is needed");
  for (const std::string shape : {"0x1", "2x", "x", "2 x 2", "-1", "2X2", "99999999999"}) {
    EXPECT_EQ(refusal("count: 1, shape: " + shape),
              "s.yaml:1: thing.shape is " + shape +
                  "; positive integers separated by x are needed, such as 8x16");
  }
}

TEST(Settings, AReaderRefusesAValueAtItsLocation) {
  const Settings given(parse_yaml("count: 3\nnote: x\n", "s.yaml"), kParameters, "thing");
  EXPECT_EQ(message([&] { given.refuse("note", "y is needed"); }),
            "s.yaml:2: thing.note is x; y is needed");
  EXPECT_EQ(message([&] { given.refuse("time", "more is needed"); }),
            "s.yaml:1: thing.time is 2 us; more is needed");
}

TEST(Settings, ANameIsSuggestedOnlyIfItIsClose) {
  constexpr std::array<std::string_view, 3> kNames = {"bandwidth", "latency", "a"};
  EXPECT_EQ(suggestion("bandwith", kNames), " (did you mean 'bandwidth'?)");
  EXPECT_EQ(suggestion("latenzy", kNames), " (did you mean 'latency'?)");
  EXPECT_EQ(suggestion("radix", kNames), "");
  EXPECT_EQ(suggestion("b", kNames), "");
  EXPECT_EQ(suggestion(std::string(100'000, 'a'), kNames), "");
}

}  // namespace
}  // namespace loom
