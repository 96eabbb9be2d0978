#include "loom/fabric/circuits/provision/ocs_ports.h"

#include <algorithm>

namespace loom::fabric {

PortCounts::PortCounts(const OcsLimits& limits) {
  out_.assign(static_cast<std::size_t>(limits.devices),
              limits.wiring.empty() ? limits.switches : 0);
  for (const std::vector<int>& here : limits.wiring) {
    for (const int device : here) ++out_[device];
  }
  in_ = out_;
}

bool PortCounts::take(int from, int to) {
  if (out_[from] == 0 || in_[to] == 0) return false;
  --out_[from];
  --in_[to];
  return true;
}

WiredPorts::WiredPorts(const OcsLimits& limits) : switches_(limits.switches) {
  const std::size_t all =
      static_cast<std::size_t>(limits.devices) * static_cast<std::size_t>(switches_);
  wired_.assign(all, limits.wiring.empty());
  receiver_.assign(all, -1);
  sender_.assign(all, -1);
  for (int plane = 0; plane < static_cast<int>(limits.wiring.size()); ++plane) {
    for (const int device : limits.wiring[plane]) wired_[device * switches_ + plane] = true;
  }
}

bool WiredPorts::wired(int device, int plane) const { return wired_[device * switches_ + plane]; }

int WiredPorts::common_switches(int from, int to) const {
  int common = 0;
  for (int plane = 0; plane < switches_; ++plane) common += wired(from, plane) && wired(to, plane);
  return common;
}

int WiredPorts::free_switch(int from, int to) const {
  for (int plane = 0; plane < switches_; ++plane) {
    if (wired(from, plane) && wired(to, plane) && receiver_[from * switches_ + plane] < 0 &&
        sender_[to * switches_ + plane] < 0) {
      return plane;
    }
  }
  return -1;
}

void WiredPorts::connect(int from, int to, int plane) {
  receiver_[from * switches_ + plane] = to;
  sender_[to * switches_ + plane] = from;
}

bool WiredPorts::move_away(int from, int to, int plane) {
  const int elsewhere = free_switch(from, to);
  if (elsewhere < 0) return false;
  receiver_[from * switches_ + plane] = -1;
  sender_[to * switches_ + plane] = -1;
  connect(from, to, elsewhere);
  return true;
}

bool WiredPorts::take(int from, int to) {
  int plane = free_switch(from, to);
  for (int at = 0; at < switches_ && plane < 0; ++at) {
    if (!wired(from, at) || !wired(to, at)) continue;
    const int receiver = receiver_[from * switches_ + at];
    const int sender = sender_[to * switches_ + at];
    if (receiver >= 0 && sender >= 0) continue;
    const bool moved = receiver >= 0 ? move_away(from, receiver, at) : move_away(sender, to, at);
    if (moved) plane = at;
  }
  if (plane >= 0) connect(from, to, plane);
  return plane >= 0;
}

Circuits WiredPorts::circuits() const {
  Circuits result;
  const int devices = static_cast<int>(receiver_.size()) / std::max(1, switches_);
  for (int from = 0; from < devices; ++from) {
    for (int plane = 0; plane < switches_; ++plane) {
      const int to = receiver_[from * switches_ + plane];
      if (to >= 0) result.push_back({.from = from, .to = to, .plane = plane});
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace loom::fabric
