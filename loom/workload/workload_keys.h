// The keys of a workload's text form.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/workload/collective_text.h"
#include "loom/workload/ranks.h"
#include "loom/workload/workload.h"

namespace loom {

inline constexpr std::size_t kLongestName = 200;  // of a group or operation, in bytes

}  // namespace loom

namespace loom::workload_keys {

inline constexpr std::string_view kLists[] = {"groups", "operations"};

inline constexpr Parameter kTop[] = {
    {.name = "devices",
     .type = ValueType::integer,
     .summary = "how many devices there are",
     .required = true,
     .min = 1,
     .max = kMaxDevices},
};

inline constexpr Parameter kGroup[] = {
    {.name = "name",
     .type = ValueType::text,
     .summary = "what operations call it",
     .required = true},
    {.name = "size",
     .type = ValueType::integer,
     .summary = "devices in each group",
     .min = 1,
     .max = kMaxDevices},
    {.name = "members",
     .type = ValueType::text,
     .summary = "devices such as 0-7,16, one group after the other",
     .required = true},
};

inline constexpr Parameter kName{
    .name = "name", .type = ValueType::text, .summary = "a name without spaces"};
inline constexpr Parameter kStart{
    .name = "start", .type = ValueType::duration, .summary = "not before this", .fallback = "0 s"};
inline constexpr Parameter kAfter{
    .name = "after", .type = ValueType::text, .summary = "names of the operations waited for"};
inline constexpr Parameter kWeight{.name = "weight",
                                   .type = ValueType::integer,
                                   .summary = "its part where sharing is weighted",
                                   .fallback = "1",
                                   .min = 1,
                                   .max = kMaxWeight};
inline constexpr Parameter kGroups{
    .name = "groups", .type = ValueType::text, .summary = "the name of an entry of groups"};

inline constexpr Parameter kCompute[] = {
    {.name = "compute", .type = ValueType::duration, .summary = "its time", .required = true},
    {.name = "device", .type = ValueType::integer, .summary = "where it runs"},
    kGroups,
    kName,
    kStart,
    kAfter,
};

inline constexpr Parameter kMessage[] = {
    {.name = "message", .type = ValueType::text, .summary = "from -> to", .required = true},
    {.name = "size", .type = ValueType::size, .summary = "bytes sent", .required = true},
    {.name = "behind", .type = ValueType::text, .summary = "the message whose end its bytes await"},
    kWeight,
    kName,
    kStart,
    kAfter,
};

inline constexpr Parameter kReceive[] = {
    {.name = "receive", .type = ValueType::text, .summary = "from -> to", .required = true},
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

}  // namespace loom::workload_keys
