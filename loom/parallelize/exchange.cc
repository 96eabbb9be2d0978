#include "loom/parallelize/exchange.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace loom::parallelize {
namespace {

struct Message {
  std::size_t from = 0;  // index into the layout
  std::size_t to = 0;
  Boxes boxes;
};

std::vector<Message> messages_between(const Layout& from, const Layout& to) {
  std::vector<Message> messages;
  for (std::size_t f = 0; f < from.devices.size(); ++f) {
    for (std::size_t t = 0; t < to.devices.size(); ++t) {
      if (from.devices[f] == to.devices[t]) continue;
      Boxes common = overlap(from.boxes[f], to.boxes[t]);
      if (!common.empty()) messages.push_back({f, t, std::move(common)});
    }
  }
  return messages;
}

bool covers(const Boxes& boxes, const Box& whole) { return elements(boxes) == whole.elements(); }

bool all_whole(const Layout& layout, const Box& whole) {
  return std::all_of(layout.boxes.begin(), layout.boxes.end(),
                     [&](const Boxes& it) { return covers(it, whole); });
}

// Whether every element is on exactly one device.
bool is_partition(const Layout& layout, const Box& whole) {
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < layout.boxes.size(); ++a) {
    sum += elements(layout.boxes[a]);
    for (std::size_t b = 0; b < a; ++b) {
      if (!overlap(layout.boxes[a], layout.boxes[b]).empty()) return false;
    }
  }
  return sum == whole.elements();
}

std::vector<int> joined_devices(const Layout& from, const Layout& to) {
  std::set<int> all(from.devices.begin(), from.devices.end());
  all.insert(to.devices.begin(), to.devices.end());
  return {all.begin(), all.end()};
}

// Rotates the ring of devices so that it starts at `first`.
std::vector<int> starting_at(std::vector<int> devices, int first) {
  const auto at = std::find(devices.begin(), devices.end(), first);
  std::rotate(devices.begin(), at, devices.end());
  return devices;
}

Exchange both(workload::CollectiveKind forward, workload::CollectiveKind backward,
              const std::vector<int>& devices, Bytes size) {
  return {{Transfer{forward, devices, size}}, {Transfer{backward, devices, size}}};
}

// The size of an equivalent all-gather, if every device sends the same boxes to all others.
std::optional<Bytes> gathered(const std::vector<Message>& messages, std::size_t devices,
                              int bytes) {
  std::map<std::size_t, const Message*> first;
  for (const Message& it : messages) {
    const auto known = first.try_emplace(it.from, &it);
    if (known.first->second->boxes != it.boxes) return std::nullopt;
  }
  if (first.size() != devices || messages.size() != devices * (devices - 1)) return std::nullopt;
  std::int64_t sum = 0;
  for (const auto& it : first) sum += elements(it.second->boxes);
  return Bytes{sum * bytes};
}

// The size of an equivalent all-to-all, if every device sends the same number of bytes to every
// other.
std::optional<Bytes> exchanged(const std::vector<Message>& messages, std::size_t devices,
                               int bytes) {
  if (messages.size() != devices * (devices - 1)) return std::nullopt;
  const std::int64_t each = elements(messages.front().boxes);
  for (const Message& it : messages) {
    if (elements(it.boxes) != each) return std::nullopt;
  }
  return Bytes{each * bytes * static_cast<std::int64_t>(devices)};
}

// The exchange as a collective, if the same devices have and need the tensor; nothing if no
// collective is equivalent.
std::optional<Exchange> inside(const Layout& from, const Layout& to, const Box& whole, int bytes,
                               const std::vector<Message>& messages,
                               const std::vector<int>& devices) {
  using enum workload::CollectiveKind;
  const Bytes size{whole.elements() * bytes};
  if (from.sums && all_whole(to, whole)) return both(all_reduce, all_reduce, devices, size);
  if (from.sums) {
    if (is_partition(to, whole)) return both(reduce_scatter, all_gather, devices, size);
    return std::nullopt;
  }
  if (devices.size() < 3) return std::nullopt;  // two messages are equivalent to a collective
  if (const auto all = gathered(messages, devices.size(), bytes); all) {
    return both(all_gather, reduce_scatter, devices, *all);
  }
  if (const auto all = exchanged(messages, devices.size(), bytes); all) {
    return both(all_to_all, all_to_all, devices, *all);
  }
  return std::nullopt;
}

// The exchange as a collective from one device to many, or of partial sums from many devices to
// one. Sums use an all-reduce: if all devices sent to one, all data would pass through its port.
std::optional<Exchange> one_and_many(const Layout& from, const Layout& to, const Box& whole,
                                     int bytes, const std::vector<int>& devices) {
  using enum workload::CollectiveKind;
  const Bytes size{whole.elements() * bytes};
  if (devices.size() < 3) return std::nullopt;
  if (from.devices.size() == 1 && all_whole(to, whole)) {
    return both(broadcast, all_reduce, starting_at(devices, from.devices.front()), size);
  }
  if (from.sums && to.devices.size() == 1 && all_whole(to, whole)) {
    return both(all_reduce, broadcast, starting_at(devices, to.devices.front()), size);
  }
  return std::nullopt;
}

}  // namespace

Exchange exchange(const Layout& from, const Layout& to, const Box& whole, int bytes) {
  const std::vector<Message> messages = messages_between(from, to);
  if (messages.empty()) return {};
  const std::vector<int> devices = joined_devices(from, to);
  const bool same = devices.size() == from.devices.size() && devices.size() == to.devices.size();
  std::optional<Exchange> known;
  if (same) known = inside(from, to, whole, bytes, messages, devices);
  if (!known) known = one_and_many(from, to, whole, bytes, devices);
  if (known) return std::move(*known);
  Exchange sent;
  for (const Message& it : messages) {
    const int source = from.devices[it.from];
    const int destination = to.devices[it.to];
    const Bytes size{elements(it.boxes) * bytes};
    sent.forward.push_back({workload::CollectiveKind::point_to_point, {source, destination}, size});
    sent.backward.push_back(
        {workload::CollectiveKind::point_to_point, {destination, source}, size});
  }
  return sent;
}

Exchange exchange_on_ring(const Layout& from, const Layout& to, const Box& whole, int bytes,
                          int devices) {
  using enum workload::CollectiveKind;
  std::vector<int> all;
  for (int d = 0; d < devices; ++d) all.push_back(d);
  const Bytes size{whole.elements() * bytes};
  const workload::CollectiveKind backward = is_partition(to, whole) ? all_gather : all_reduce;
  if (from.sums) return both(all_reduce, backward, all, size);
  if (from.devices.size() > 1) return both(all_gather, backward, all, size);
  return {{Transfer{broadcast, starting_at(all, from.devices.front()), size}},
          {Transfer{backward, all, size}}};
}

Duration estimated_time(const std::vector<Transfer>& transfers, const LinkEstimate& link) {
  Duration sum{0};
  std::map<std::pair<int, bool>, Duration> ports;  // per device, egress or ingress
  for (const Transfer& it : transfers) {
    const auto others = static_cast<std::int64_t>(it.devices.size()) - 1;
    if (it.kind == workload::CollectiveKind::point_to_point) {
      const Duration time = transfer_time(it.size, link.bandwidth) + link.latency;
      ports[{it.devices.front(), true}] += time;
      ports[{it.devices.back(), false}] += time;
      continue;
    }
    const std::int64_t rounds = it.kind == workload::CollectiveKind::all_reduce ? 2 : 1;
    const bool whole = it.kind == workload::CollectiveKind::broadcast;
    const Bytes moved = whole ? it.size : Bytes{it.size.count / (others + 1) * others * rounds};
    sum += transfer_time(moved, link.bandwidth) + rounds * others * link.latency;
  }
  Duration busiest{0};
  for (const auto& it : ports) busiest = std::max(busiest, it.second);
  return sum + busiest;
}

}  // namespace loom::parallelize
