#include "bpf/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loom::bpf {
namespace {

using testing::ElementsAre;

TEST(Routes, WhatIpShowsIsTurnedIntoWhatItTakes) {
  EXPECT_THAT(route_words("10.0.0.0/24 dev eth0 proto kernel scope link src 10.0.0.1 linkdown "),
              ElementsAre("10.0.0.0/24", "dev", "eth0", "proto", "kernel", "scope", "link", "src",
                          "10.0.0.1"));
}

TEST(Routes, ACongestionControlIsLeftOut) {
  EXPECT_THAT(route_words("default via 10.0.0.2 dev out congctl mltcp_reno metric 5"),
              ElementsAre("default", "via", "10.0.0.2", "dev", "out", "metric", "5"));
  EXPECT_THAT(route_words("default dev out congctl lock cubic"),
              ElementsAre("default", "dev", "out"));
}

TEST(Routes, ACongestionControlIsFound) {
  EXPECT_EQ(route_algorithm("default dev out congctl mltcp_reno"), "mltcp_reno");
  EXPECT_EQ(route_algorithm("default dev out congctl lock cubic metric 1"), "cubic");
  EXPECT_EQ(route_algorithm("default dev out"), "");
  EXPECT_EQ(route_algorithm("default dev out congctl"), "");
}

TEST(Routes, AChoiceIsKeptWithItsLock) {
  EXPECT_EQ(route_choice("default dev out congctl lock cubic metric 1"), "lock cubic");
  EXPECT_EQ(route_choice("default dev out congctl cubic"), "cubic");
  EXPECT_EQ(route_choice("default dev out"), "");
}

TEST(Routes, ARouteIsToldByPrefixAndTable) {
  EXPECT_EQ(route_key("10.0.0.0/24 dev out congctl cubic"), "10.0.0.0/24");
  EXPECT_EQ(route_key("default via 10.0.0.2 dev out table 7 metric 5"), "default table 7");
}

}  // namespace
}  // namespace loom::bpf
