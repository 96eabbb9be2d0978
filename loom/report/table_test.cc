#include "loom/report/table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/base/csv.h"

namespace loom::report {
namespace {

Table table() {
  return {{"fabric", "ranks", "bus_bandwidth", "completion_time", "size", "versus_best"},
          {{std::string("switch"), std::int64_t{64}, 400_Gbps, 21'460_us, 1_GB, 1.0},
           {std::string("fat tree, µ"), std::int64_t{8}, Cell(), Cell(), 1_B, 12.3456}}};
}

TEST(Table, PeopleGetAlignedColumnsWithUnits) {
  EXPECT_EQ(to_text(table()),
            "fabric       ranks  bus bandwidth  completion time      size  versus best\n"
            "-----------  -----  -------------  ---------------  --------  -----------\n"
            "switch          64     400.0 Gbps         21.46 ms  1.000 GB        1.000\n"
            "fat tree, µ      8              -                -       1 B       12.346\n");
}

TEST(Table, NoLineEndsInSpaces) {
  EXPECT_EQ(to_text(Table{
                {"a", "b"},
                {{std::string("x"), std::string("long")}, {std::string("y"), std::string("")}}}),
            "a  b\n-  ----\nx  long\ny\n");
}

TEST(Table, WithoutRowsOnlyTheHeadingsRemain) {
  EXPECT_EQ(to_text(Table{{"one", "two"}, {}}), "one  two\n---  ---\n");
  EXPECT_EQ(to_csv(Table{{"one", "two"}, {}}), "one,two\n");
  EXPECT_EQ(to_json(Table{{"one", "two"}, {}}).dump(), "[]");
}

TEST(Table, CsvHasIntegersAndTheUnitInTheHeading) {
  EXPECT_EQ(to_csv(table()),
            "fabric,ranks,bus_bandwidth [bps],completion_time [ps],size [B],versus_best\n"
            "switch,64,400000000000,21460000000,1000000000,1\n"
            "\"fat tree, µ\",8,,,1,12.3456\n");
}

TEST(Table, CsvCanBeReadByOurOwnReader) {
  constexpr std::array<CsvColumn, 6> kColumns = {{{"fabric", ValueType::text},
                                                  {"ranks", ValueType::integer},
                                                  {"bus_bandwidth", ValueType::bandwidth},
                                                  {"completion_time", ValueType::duration},
                                                  {"size", ValueType::size},
                                                  {"versus_best", ValueType::text}}};
  Table written = table();
  written.rows[0][0] = std::string("a \"quoted\", name");
  const CsvTable read = parse_csv(to_csv(written), "table.csv", kColumns);
  ASSERT_EQ(read.rows(), 2U);
  EXPECT_EQ(read.text(0, "fabric"), "a \"quoted\", name");
  EXPECT_EQ(read.duration(0, "completion_time"), 21'460_us);
  EXPECT_EQ(read.bandwidth(0, "bus_bandwidth"), 400_Gbps);
  EXPECT_EQ(read.size(1, "size"), 1_B);
}

TEST(Table, JsonIsAListOfObjectsInBaseUnits) {
  EXPECT_EQ(to_json(table()).dump(),
            R"([{"fabric":"switch","ranks":64,"bus_bandwidth":400000000000,)"
            R"("completion_time":21460000000,"size":1000000000,"versus_best":1.0},)"
            R"({"fabric":"fat tree, µ","ranks":8,"bus_bandwidth":null,"completion_time":null,)"
            R"("size":1,"versus_best":12.3456}])");
}

TEST(Table, FactsAreOnePerLine) {
  EXPECT_EQ(to_text(std::vector<std::pair<std::string, Cell>>{
                {"completion_time", 2_us}, {"fabric", std::string("torus")}, {"best", Cell()}}),
            "completion time  2.000 us\n"
            "fabric           torus\n"
            "best             -\n");
}

TEST(Table, PricesAreInDollarsAndPowersInWatts) {
  const Table table{{"price", "power"}, {{Money{300'000}, Power{12'000'000}}}};
  EXPECT_EQ(to_csv(table), "price [USD],power [W]\n0.3,12\n");
  EXPECT_EQ(to_json(table).dump(), R"([{"price":0.3,"power":12}])");
}

}  // namespace
}  // namespace loom::report
