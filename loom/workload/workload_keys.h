// The keys of a workload's text form.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/workload/collective_text.h"
#include "loom/workload/ranks.h"
#include "loom/workload/workload.h"

namespace loom::workload {

inline constexpr std::size_t kLongestName = 200;  // name of a group or operation, in bytes

}  // namespace loom::workload

namespace loom::workload::keys {

inline constexpr std::string_view kLists[] = {"groups", "operations"};

inline constexpr Parameter kTop[] = {
    {.name = "devices",
     .type = ValueType::integer,
     .summary = "number of devices",
     .required = true,
     .min = 1,
     .max = kMaxDevices},
};

inline constexpr Parameter kGroup[] = {
    {.name = "name",
     .type = ValueType::text,
     .summary = "name of the group, used by operations",
     .required = true},
    {.name = "size",
     .type = ValueType::integer,
     .summary = "number of devices per group",
     .min = 1,
     .max = kMaxDevices},
    {.name = "members",
     .type = ValueType::text,
     .summary = "member devices, one group after another, such as 0-7,16",
     .required = true},
};

inline constexpr Parameter kName{
    .name = "name", .type = ValueType::text, .summary = "name of the operation, without spaces"};
inline constexpr Parameter kStart{.name = "start",
                                  .type = ValueType::duration,
                                  .summary = "earliest start time",
                                  .fallback = "0 s"};
inline constexpr Parameter kAfter{
    .name = "after", .type = ValueType::text, .summary = "names of the operations to wait for"};
inline constexpr Parameter kWeight{.name = "weight",
                                   .type = ValueType::integer,
                                   .summary = "weight in weighted bandwidth sharing",
                                   .fallback = "1",
                                   .min = 1,
                                   .max = kMaxWeight};
inline constexpr Parameter kGroups{
    .name = "groups",
    .type = ValueType::text,
    .summary = "name of the entry of groups that runs the operation"};

inline constexpr Parameter kCompute[] = {
    {.name = "compute",
     .type = ValueType::duration,
     .summary = "computation time",
     .required = true},
    {.name = "device", .type = ValueType::integer, .summary = "device that runs the computation"},
    kGroups,
    kName,
    kStart,
    kAfter,
};

inline constexpr Parameter kMessage[] = {
    {.name = "message",
     .type = ValueType::text,
     .summary = "message to send, as source -> destination",
     .required = true},
    {.name = "size", .type = ValueType::size, .summary = "message size", .required = true},
    {.name = "behind",
     .type = ValueType::text,
     .summary = "name of the message that must end before this transfer starts"},
    kWeight,
    kName,
    kStart,
    kAfter,
};

inline constexpr Parameter kReceive[] = {
    {.name = "receive",
     .type = ValueType::text,
     .summary = "message to wait for, as source -> destination",
     .required = true},
    kName,
    kStart,
    kAfter,
};

inline std::vector<Parameter> collective() {
  const std::span<const Parameter> own = collective_parameters();
  std::vector<Parameter> keys(own.begin(), own.end());
  keys.push_back({.name = "ranks", .type = ValueType::text, .summary = "devices in rank order"});
  keys.insert(keys.end(), {kGroups, kWeight, kName, kStart, kAfter});
  return keys;
}

}  // namespace loom::workload::keys
