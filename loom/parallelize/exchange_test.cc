// Transfers between two layouts of a tensor, forward and backward.
#include "loom/parallelize/exchange.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "loom/base/random.h"

namespace loom::parallelize {
namespace {

constexpr Box kWhole = {{0, 12}, {0, 30}, {0, 60}};
constexpr std::int64_t kBytes = std::int64_t{12} * 30 * 60 * 2;

enum class Axis { samples, positions, features, none };

Layout layout_of(Axis axis, const std::vector<int>& devices) {
  Layout layout{devices, {}, false};
  const auto n = static_cast<std::int64_t>(devices.size());
  for (std::int64_t i = 0; i < n; ++i) {
    Box box = kWhole;
    const auto slice = [&](Interval& it) { it = {it.end * i / n, it.end * (i + 1) / n}; };
    if (axis == Axis::samples) slice(box.samples);
    if (axis == Axis::positions) slice(box.positions);
    if (axis == Axis::features) slice(box.features);
    layout.boxes.push_back({box});
  }
  return layout;
}

std::vector<int> first(int count) {
  std::vector<int> devices(static_cast<std::size_t>(count));
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

Exchange sent(const Layout& from, const Layout& to) { return exchange(from, to, kWhole, 2); }

Exchange one(workload::CollectiveKind forward, workload::CollectiveKind backward, int devices,
             std::int64_t size) {
  return {{Transfer{forward, first(devices), {size}}},
          {Transfer{backward, first(devices), {size}}}};
}

TEST(Exchange, LayoutsThatAgreeSendNothing) {
  for (const Axis axis : {Axis::samples, Axis::positions, Axis::features}) {
    EXPECT_EQ(sent(layout_of(axis, first(5)), layout_of(axis, first(5))), Exchange{});
  }
}

TEST(Exchange, BoxesAreCombinedByAnAllGather) {
  for (const Axis axis : {Axis::samples, Axis::positions, Axis::features}) {
    EXPECT_EQ(sent(layout_of(axis, first(4)), layout_of(Axis::none, first(4))),
              one(workload::CollectiveKind::all_gather, workload::CollectiveKind::reduce_scatter, 4,
                  kBytes));
  }
}

TEST(Exchange, SumsAreScatteredOrReducedForAll) {
  Layout sums = layout_of(Axis::none, first(4));
  sums.sums = true;
  EXPECT_EQ(sent(sums, layout_of(Axis::positions, first(4))),
            one(workload::CollectiveKind::reduce_scatter, workload::CollectiveKind::all_gather, 4,
                kBytes));
  EXPECT_EQ(
      sent(sums, layout_of(Axis::none, first(4))),
      one(workload::CollectiveKind::all_reduce, workload::CollectiveKind::all_reduce, 4, kBytes));
  EXPECT_EQ(
      sent(sums, layout_of(Axis::none, {0})),
      one(workload::CollectiveKind::all_reduce, workload::CollectiveKind::broadcast, 4, kBytes));
}

TEST(Exchange, ChangingTheAxisIsAnAllToAll) {
  EXPECT_EQ(sent(layout_of(Axis::samples, first(4)), layout_of(Axis::features, first(4))),
            one(workload::CollectiveKind::all_to_all, workload::CollectiveKind::all_to_all, 4,
                kBytes / 4));
}

TEST(Exchange, OneDeviceSendsToAllByABroadcast) {
  EXPECT_EQ(
      sent(layout_of(Axis::none, {0}), layout_of(Axis::none, first(4))),
      one(workload::CollectiveKind::broadcast, workload::CollectiveKind::all_reduce, 4, kBytes));
}

TEST(Exchange, NeighborsExchangeTheRowsAtTheirBorders) {
  Layout halo = layout_of(Axis::positions, first(3));
  for (Boxes& boxes : halo.boxes) {
    Interval& rows = boxes.front().positions;
    rows = overlap(kWhole.positions, {rows.begin - 1, rows.end + 1});
  }
  const Exchange it = sent(layout_of(Axis::positions, first(3)), halo);
  ASSERT_EQ(it.forward.size(), 4U);
  for (const Transfer& transfer : it.forward) {
    EXPECT_EQ(transfer.kind, workload::CollectiveKind::point_to_point);
    EXPECT_EQ(std::abs(transfer.devices[0] - transfer.devices[1]), 1);
    EXPECT_EQ(transfer.size.count, kBytes / 30);
  }
}

// Bytes received by each device, from messages and collectives.
std::map<int, std::int64_t> received(const std::vector<Transfer>& transfers) {
  std::map<int, std::int64_t> got;
  for (const Transfer& it : transfers) {
    const auto n = static_cast<std::int64_t>(it.devices.size());
    if (it.kind == workload::CollectiveKind::point_to_point) {
      got[it.devices[1]] += it.size.count;
      continue;
    }
    const bool from_first = it.kind == workload::CollectiveKind::broadcast;
    for (std::size_t i = from_first ? 1 : 0; i < it.devices.size(); ++i) {
      got[it.devices[i]] += from_first ? it.size.count : it.size.count * (n - 1) / n;
    }
  }
  return got;
}

std::vector<int> random_devices(Random& random) {
  std::vector<int> all = first(7);
  for (std::size_t i = 6; i > 0; --i)
    std::swap(all[i], all[random(static_cast<std::uint32_t>(i + 1))]);
  all.resize(1 + random(7));
  return all;
}

TEST(Exchange, ADeviceReceivesExactlyWhatItLacks) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed);
    const Layout from = layout_of(static_cast<Axis>(random(3)), random_devices(random));
    const Layout to = layout_of(static_cast<Axis>(random(4)), random_devices(random));
    auto got = received(sent(from, to).forward);
    std::int64_t all_got = 0;
    std::int64_t all_lacked = 0;
    for (std::size_t t = 0; t < to.devices.size(); ++t) {
      std::int64_t lacked = 0;
      for (std::size_t f = 0; f < from.devices.size(); ++f) {
        if (from.devices[f] == to.devices[t]) continue;
        lacked += 2 * elements(overlap(from.boxes[f], to.boxes[t]));
      }
      all_lacked += lacked;
      all_got += got[to.devices[t]];
      // A collective treats boxes as equal that differ by one sample, row or feature.
      EXPECT_NEAR(static_cast<double>(got[to.devices[t]]), static_cast<double>(lacked),
                  static_cast<double>(kBytes) / 12);
    }
    EXPECT_NEAR(static_cast<double>(all_got), static_cast<double>(all_lacked), 8);
  }
}

TEST(Exchange, AnExchangeOnARingIncludesAllDevices) {
  const Exchange it = exchange_on_ring(layout_of(Axis::samples, {1, 3}),
                                       layout_of(Axis::features, {2, 4}), kWhole, 2, 5);
  EXPECT_EQ(it, one(workload::CollectiveKind::all_gather, workload::CollectiveKind::all_gather, 5,
                    kBytes));
  const Exchange told =
      exchange_on_ring(layout_of(Axis::none, {2}), layout_of(Axis::none, {0, 1}), kWhole, 2, 4);
  EXPECT_EQ(told.forward,
            (std::vector<Transfer>{{workload::CollectiveKind::broadcast, {2, 3, 0, 1}, {kBytes}}}));
  EXPECT_EQ(
      told.backward,
      (std::vector<Transfer>{{workload::CollectiveKind::all_reduce, {0, 1, 2, 3}, {kBytes}}}));
}

}  // namespace
}  // namespace loom::parallelize
