#include "loom/base/csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "loom/base/random.h"
#include "loom/base/testing.h"

namespace loom {
namespace {

constexpr std::array<CsvColumn, 4> kColumns = {{
    {"source", ValueType::integer},
    {"size", ValueType::size},
    {"start", ValueType::duration, false},
    {"note", ValueType::text, false},
}};

CsvTable table(std::string text) { return parse_csv(std::move(text), "flows.csv", kColumns); }

std::string refusal(std::string text) {
  return message([&] { table(std::move(text)); });
}

TEST(Csv, CellsAreReadByRowAndColumn) {
  const CsvTable flows = table("source,size\n3,4 KiB\n5,1 MB\n");
  ASSERT_EQ(flows.rows(), 2U);
  EXPECT_EQ(flows.integer(0, "source", 0, 9), 3);
  EXPECT_EQ(flows.size(0, "size"), 4_KiB);
  EXPECT_EQ(flows.integer(1, "source", 0, 9), 5);
  EXPECT_EQ(flows.size(1, "size"), 1_MB);
}

TEST(Csv, ColumnsMayComeInAnyOrderAndOptionalOnesMayBeMissing) {
  const CsvTable flows = table("start,size,source\n1 us,1 B,7\n");
  EXPECT_TRUE(flows.has("start"));
  EXPECT_FALSE(flows.has("note"));
  EXPECT_EQ(flows.duration(0, "start"), 1_us);
  EXPECT_EQ(flows.integer(0, "source", 0, 9), 7);
}

TEST(Csv, AUnitInTheHeaderAppliesToTheEntireColumn) {
  const CsvTable flows = table("source,size [KiB],start[ns]\n1,2,3\n1,2.5,0.5\n");
  EXPECT_EQ(flows.size(0, "size"), 2_KiB);
  EXPECT_EQ(flows.duration(0, "start"), 3_ns);
  EXPECT_EQ(flows.size(1, "size"), Bytes{2560});
  EXPECT_EQ(flows.duration(1, "start"), 500_ps);
}

TEST(Csv, QuotedCellsHoldCommasQuotesAndLines) {
  const CsvTable flows = table("source,size,note\n1,1 B,\"a, \"\"b\"\"\nc\"\n2,1 B,\"\"\n");
  EXPECT_EQ(flows.text(0, "note"), "a, \"b\"\nc");
  EXPECT_EQ(flows.text(1, "note"), "");
  EXPECT_EQ(flows.location(0).line, 2);
  EXPECT_EQ(flows.location(1).line, 4);
}

TEST(Csv, WindowsLineEndsSpacesEmptyLinesAndAMissingLastNewlineAreAccepted) {
  const CsvTable flows = table("\xEF\xBB\xBF source , size\r\n\r\n 1 ,\t\"2 B\" \r\n\n  \n3,4 B");
  ASSERT_EQ(flows.rows(), 2U);
  EXPECT_EQ(flows.text(0, "source"), "1");
  EXPECT_EQ(flows.size(0, "size"), 2_B);
  EXPECT_EQ(flows.location(1).line, 6);
  EXPECT_EQ(flows.size(1, "size"), 4_B);
}

TEST(Csv, AHeaderOnlyFileIsATableWithoutRows) { EXPECT_EQ(table("source,size").rows(), 0U); }

TEST(Csv, BrokenTablesAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal(""), "flows.csv:1: the file is empty; a line with column names is needed");
  EXPECT_EQ(refusal("source,size\n1,2 B\n\n1\n"),
            "flows.csv:4: the row has 1 cells; the header names 2 columns");
  EXPECT_EQ(refusal("source,size\n1,\"2 B\n"),
            "flows.csv:2: a quote opens here and is never closed");
  EXPECT_EQ(
      refusal("source,size\n1,2\" B\n"),
      "flows.csv:2: a quote is inside an unquoted cell; quote the whole cell, write \"\" for a "
      "quote in it");
  EXPECT_EQ(refusal("source,size\n1,\"2\" B\n"),
            "flows.csv:2: text follows a closing quote; a comma is needed between cells");
  EXPECT_EQ(refusal("source,size\n1,\x01\n"),
            "flows.csv:2: byte 0x01 is not allowed; CSV must be plain UTF-8 text");
  EXPECT_EQ(refusal("source,size\n1,\"2\n\x02 B\"\n"),
            "flows.csv:3: byte 0x02 is not allowed; CSV must be plain UTF-8 text");
  EXPECT_EQ(refusal("source,size\n1,2 B\r3,4 B\n"),
            "flows.csv:2: byte 0x0d is not allowed; CSV must be plain UTF-8 text");
}

TEST(Csv, BrokenHeadersAreRefused) {
  EXPECT_EQ(refusal("source,sise\n"),
            "flows.csv:1: column 'sise' is not known (did you mean 'size'?); known are source, "
            "size, start, note");
  EXPECT_EQ(refusal("source,size,source\n"),
            "flows.csv:1: column 'source' appears twice; once is enough");
  EXPECT_EQ(refusal("source,start\n"),
            "flows.csv:1: column 'size' is missing; known are source, size, start, note");
  EXPECT_EQ(refusal("source [B],size\n"),
            "flows.csv:1: column 'source' has the unit 'B'; no unit is allowed");
  EXPECT_EQ(refusal("source,size,start [sec]\n"),
            "flows.csv:1: column 'start' has the unit 'sec'; a time needs one of the units ps, ns, "
            "us, ms, s, µs, min, h");
}

TEST(Csv, ACellOfTheWrongTypeIsRefusedWithItsLine) {
  const CsvTable flows = table("source,size [KB],start,note\n-1,1 B,soon,yes\nx,,,\n");
  EXPECT_EQ(message([&] { flows.integer(0, "source", 0, 9); }),
            "flows.csv:2: source is -1; at least 0 is needed");
  EXPECT_EQ(message([&] { flows.integer(1, "source", 0, 9); }),
            "flows.csv:3: source is x; an integer is needed");
  EXPECT_EQ(message([&] { flows.integer(0, "source", -9, -2); }),
            "flows.csv:2: source is -1; at most -2 is possible");
  EXPECT_EQ(message([&] { flows.size(0, "size"); }),
            "flows.csv:2: size is 1 B [KB]; a size needs one of the units B, kB, MB, GB, TB, PB, "
            "KB, KiB, MiB, GiB, TiB");
  EXPECT_EQ(message([&] { flows.duration(0, "start"); }),
            "flows.csv:2: start is soon; a time is a number and a unit, at least 0");
  EXPECT_EQ(message([&] { flows.duration(1, "start"); }),
            "flows.csv:3: start is empty; a time is a number and a unit, at least 0");
  EXPECT_EQ(message([&] { flows.boolean(0, "note"); }),
            "flows.csv:2: note is yes; true or false is needed");
}

TEST(Csv, AnyBytesGiveATableOrAnError) {
  const std::string good = "source,size,note\n1,2 B,\"a\"\"b\"\r\n3,4 KiB,c d\n";
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random = random_stream(seed);
    std::string text = good;
    for (int changes = 0; changes < 3; ++changes) {
      text[random(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(random(256));
    }
    EXPECT_FALSE(refusal(text).empty()) << "seed " << seed;
  }
}

TEST(Csv, AMillionRowsAreReadAndParsed) {
  std::string text = "source,size,start [ns]\n";
  for (int row = 0; row < 1'000'000; ++row) {
    fmt::format_to(std::back_inserter(text), "{},{} KiB,{}\n", row, row, row);
  }
  const CsvTable flows = table(std::move(text));
  ASSERT_EQ(flows.rows(), 1'000'000U);
  Bytes sum;
  for (std::size_t row = 0; row < flows.rows(); ++row) {
    sum += flows.size(row, "size");
    ASSERT_EQ(flows.duration(row, "start").count(),
              1000 * flows.integer(row, "source", 0, 1 << 20));
  }
  EXPECT_EQ(sum.count, std::int64_t{999'999} * 500'000 * 1024);
}

}  // namespace
}  // namespace loom
