#include "loom/workload/group_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/workload/ranks.h"
#include "loom/workload/workload_keys.h"

namespace loom::workload {
namespace {

constexpr std::size_t kMaxMembers = std::size_t{1} << 24;  // total over all groups

}  // namespace

std::string checked_name(const Tree& map, std::string_view title) {
  const Tree* name = map.find("name");
  if (name == nullptr || name->kind != Tree::Kind::scalar) return "";
  const std::string& text = name->text;
  const bool blank = std::any_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  if (!blank && text.size() <= kLongestName && !text.starts_with('#')) return text;
  throw InputError(name->location,
                   fmt::format("{}.name is {}; at most {} bytes, no spaces and no leading '#' are "
                               "needed",
                               title, text.substr(0, kLongestName), kLongestName));
}

void check_device(const Settings& settings, std::string_view key, int device, int devices) {
  if (device >= 0 && device < devices) return;
  settings.refuse(key, fmt::format("devices are 0 to {}", devices - 1));
}

void GroupReader::read_entry(const Tree& map) {
  const Settings settings(map, keys::kGroup, "group");
  std::vector<int> members = devices_in(settings, "members");
  const auto count = static_cast<std::int64_t>(members.size());
  const std::int64_t size = settings.has("size") ? settings.integer("size") : count;
  if (count % size != 0) {
    settings.refuse("size", fmt::format("a divisor of the {} members is needed", count));
  }
  if (!named_.emplace(checked_name(map, "group"), groups_.size()).second) {
    settings.refuse("name", "a unique name is needed");
  }
  add({static_cast<int>(size), std::move(members)}, settings, "members");
}

int GroupReader::groups_of(const Settings& settings, std::string_view list_key) {
  const bool named = settings.given("groups");
  if (named == settings.given(list_key)) {
    throw InputError(settings.location(),
                     fmt::format("operation has {} groups {} {}; one of them is needed",
                                 named ? "both" : "neither", named ? "and" : "nor", list_key));
  }
  if (named) {
    const auto found = named_.find(settings.text("groups"));
    if (found == named_.end())
      settings.refuse("groups", "the name of an entry of groups is needed");
    return static_cast<int>(found->second);
  }
  std::vector<int> devices = devices_in(settings, list_key);
  const auto [found, added] = unnamed_.emplace(ranks_text(devices), groups_.size());
  const int size = static_cast<int>(devices.size());
  if (added) add({size, std::move(devices)}, settings, list_key);
  return static_cast<int>(found->second);
}

std::vector<int> GroupReader::devices_in(const Settings& settings, std::string_view key) const {
  std::string why;
  auto devices = parse_ranks(settings.text(key), why);
  if (!devices) settings.refuse(key, why);
  check_device(settings, key, *std::max_element(devices->begin(), devices->end()), devices_);
  return *std::move(devices);
}

void GroupReader::add(Groups groups, const Settings& settings, std::string_view key) {
  members_ += groups.members.size();
  if (members_ > kMaxMembers) {
    settings.refuse(
        key, fmt::format("at most {} members in all groups together are possible", kMaxMembers));
  }
  groups_.push_back(std::move(groups));
}

}  // namespace loom::workload
