#include "loom/photonic/server/assembly.h"

#include <algorithm>
#include <utility>

namespace loom::photonic {

void Assembly::forget(std::map<Key, Input>::iterator input) {
  bytes_ -= input->second.bytes.size();
  inputs_.erase(input);
}

Assembly::Outcome Assembly::take(const std::string& sender, const Packet& packet, ArrivalTime now,
                                 std::vector<std::uint8_t>& whole) {
  const Key key{sender, packet.request, packet.model};
  auto found = inputs_.find(key);
  if (found == inputs_.end()) {
    if (inputs_.size() >= limits_.inputs || bytes_ + packet.total > limits_.bytes) {
      return Outcome::full;
    }
    found = inputs_.emplace(key, Input{std::vector<std::uint8_t>(packet.total), {}, 0, now}).first;
    bytes_ += packet.total;
  }
  Input& input = found->second;
  const auto end = static_cast<std::uint32_t>(packet.offset + packet.payload.size());
  const auto same = input.fragments.find(packet.offset);
  const auto after = input.fragments.lower_bound(packet.offset);
  bool twice = same != input.fragments.end() && same->second == end;
  const bool overlaps =
      !twice && ((after != input.fragments.end() && after->first < end) ||
                 (after != input.fragments.begin() && std::prev(after)->second > packet.offset));
  if (input.bytes.size() != packet.total || overlaps) {
    forget(found);
    return Outcome::contradiction;
  }
  input.last = now;
  const auto begin = input.bytes.begin() + static_cast<std::ptrdiff_t>(packet.offset);
  if (twice && !std::equal(packet.payload.begin(), packet.payload.end(), begin)) {
    input.fragments.clear();
    input.there = 0;
    twice = false;
  }
  if (!twice) {
    std::copy(packet.payload.begin(), packet.payload.end(), begin);
    input.fragments.emplace(packet.offset, end);
    input.there += packet.payload.size();
  }
  if (input.there < input.bytes.size()) return Outcome::waiting;
  whole = std::move(input.bytes);
  bytes_ -= whole.size();
  inputs_.erase(found);
  return Outcome::whole;
}

std::size_t Assembly::expire(ArrivalTime now) {
  std::size_t given_up = 0;
  for (auto it = inputs_.begin(); it != inputs_.end();) {
    const auto input = it++;
    if (now - input->second.last <= limits_.patience) continue;
    forget(input);
    ++given_up;
  }
  return given_up;
}

}  // namespace loom::photonic
