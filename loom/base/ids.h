// Typed numbers of devices, nodes, links, flows, groups and operations: passing the number of one
// kind for another does not compile.
//
// An id is constructed from a number explicitly, and converts to its number implicitly, so that it
// can index a vector directly. It costs nothing at run time.
#pragma once

#include <cstdint>
#include <type_traits>

namespace loom {

template <typename Kind, typename Number>
class Id {
 public:
  constexpr Id() = default;
  template <typename Integer, typename = std::enable_if_t<std::is_integral_v<Integer>>>
  constexpr explicit Id(Integer number) : number_(static_cast<Number>(number)) {}

  constexpr operator Number() const { return number_; }  // NOLINT(*-explicit-*): an id is an index

  friend constexpr Number format_as(Id id) { return id.number_; }  // for fmt

  constexpr Id& operator++() { return ++number_, *this; }

 private:
  Number number_ = 0;
};

using DeviceId = Id<struct DeviceIdTag, int>;
// Devices are the first nodes of a network and switches follow, so a DeviceId converts to a NodeId.
class NodeId : public Id<struct NodeIdTag, int> {
 public:
  constexpr NodeId() = default;
  template <typename Integer, typename = std::enable_if_t<std::is_integral_v<Integer>>>
  constexpr explicit NodeId(Integer number) : Id(number) {}
  constexpr NodeId(DeviceId device) : Id(static_cast<int>(device)) {}  // NOLINT(*-explicit-*)
};
using LinkId = Id<struct LinkIdTag, int>;
using FlowId = Id<struct FlowIdTag, int>;
using GroupId = Id<struct GroupIdTag, int>;
using OperationId = Id<struct OperationIdTag, std::uint32_t>;

}  // namespace loom
