#include "loom/photonic/serving/requests.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::photonic {
namespace {

std::vector<ServedModel> two() {
  ServedModel a;
  a.name = "a";
  a.input = {100};
  ServedModel b;
  b.name = "b";
  b.input = {300};
  return {a, b};
}

TEST(Requests, AreReadWithOrWithoutAByteOrderMarkAndAHeading) {
  for (const std::string heading :
       {"", "model,arrival\n", "\xEF\xBB\xBF", "\xEF\xBB\xBFmodel,arrival\n"}) {
    const auto arrivals = parse_requests(heading + "b,5\n\n a , 7 \r\n", "r.csv", two());
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[0].model, 1);
    EXPECT_EQ(arrivals[1].nanoseconds, 7);
  }
}

TEST(Requests, InvalidRequestsAreRefusedWithTheLine) {
  const auto refusal = [](const std::string& text) {
    return message([&] { parse_requests(text, "r.csv", two()); });
  };
  EXPECT_EQ(refusal(""), "r.csv:1: the file has no requests; at least one is needed");
  EXPECT_EQ(refusal("a,1\nc,2\n"), "r.csv:2: there is no model 'c'; known are a, b");
  EXPECT_EQ(refusal("a;1\n"), "r.csv:1: 'a;1' is given; model,arrival is needed");
  EXPECT_EQ(refusal("a,1.5\n"),
            "r.csv:1: the arrival is '1.5'; integer nanoseconds from 0 to 1000000000000000 are "
            "needed");
  EXPECT_EQ(refusal("a,-1\n"),
            "r.csv:1: the arrival is '-1'; integer nanoseconds from 0 to 1000000000000000 are "
            "needed");
  EXPECT_EQ(refusal("\xff,1\n"), "r.csv: the file is not UTF-8 text; model,arrival is needed");
}

TEST(Requests, ArriveAtTheRateAtWhichTheLinkCarriesTheirInputs) {
  const Bandwidth speed{8'000'000};  // one byte per microsecond
  const auto arrivals = sample_requests(two(), {0, 1}, speed, 100'000, 5);
  EXPECT_EQ(mean_time_between(two(), {0, 1}, speed), 200e-6);
  EXPECT_NEAR(static_cast<double>(arrivals.back().nanoseconds) / 100'000, 200'000, 2000);
  const auto again = sample_requests(two(), {0, 1}, speed, 100'000, 5);
  EXPECT_EQ(arrivals.back().nanoseconds, again.back().nanoseconds);
  const auto other = sample_requests(two(), {0, 1}, speed, 100'000, 6);
  EXPECT_NE(arrivals.back().nanoseconds, other.back().nanoseconds);
}

}  // namespace
}  // namespace loom::photonic
