#include "loom/foreign/rostam.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "loom/base/files.h"
#include "loom/base/text.h"
#include "loom/foreign/rostam_file.h"

namespace loom::foreign {
namespace {

constexpr int kLargestBatch = 512;
constexpr std::size_t kLargestFile = std::size_t{1} << 25;

class Merger {
 public:
  explicit Merger(RostamProfile& profile) : profile_(profile), places_(places_of(profile.nodes)) {}

  void add(const RostamFile& file) {
    const std::vector<RostamNode> nodes = parse_rostam_file(file);
    const RostamPlaces theirs = places_of(nodes);
    for (const RostamNode& node : profile_.nodes) {
      if (!theirs.contains(node.name)) refuse(file, node, "is missing");
    }
    std::vector<int> place;
    for (const RostamNode& node : nodes) {
      const auto found = places_.find(node.name);
      if (found == places_.end()) refuse(file, node, "is not in the first file");
      place.push_back(found->second);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      take(profile_.nodes[static_cast<std::size_t>(place[i])], nodes[i], place, file);
    }
    profile_.batches.push_back(file.batch);
  }

 private:
  void take(RostamNode& known, const RostamNode& node, const std::vector<int>& place,
            const RostamFile& file) const {
    if (known.type != node.type || known.memory != node.memory) {
      refuse(file, node, "has a different type");
    }
    std::vector<int> successors;
    for (const int successor : node.successors) {
      successors.push_back(place[static_cast<std::size_t>(successor)]);
    }
    std::sort(successors.begin(), successors.end());
    if (known.successors != successors) refuse(file, node, "has different successors");
    known.measured.push_back(node.measured.front());
  }

  [[noreturn]] void refuse(const RostamFile& file, const RostamNode& node,
                           std::string_view difference) const {
    throw InputError(location_of(file.source),
                     fmt::format("node '{}' {}; the same graph as in {} is needed",
                                 shortened(node.name), difference, profile_.source));
  }

  RostamProfile& profile_;
  RostamPlaces places_;
};

}  // namespace

RostamProfile parse_rostam(std::span<const RostamFile> files) {
  LOOM_CHECK(!files.empty(), "a profile has at least one file");
  RostamProfile profile;
  profile.source = files.front().source;
  profile.batches = {files.front().batch};
  profile.nodes = parse_rostam_file(files.front());
  Merger merger(profile);
  for (const RostamFile& file : files.subspan(1)) merger.add(file);
  return profile;
}

RostamProfile read_rostam(const std::string& prefix, const SourceLocation& from) {
  std::vector<RostamFile> files;
  for (int batch = 1; batch <= kLargestBatch; ++batch) {
    const std::string path = fmt::format("{}_bs{}.pb", prefix, batch);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    files.push_back({batch, path, read_file(path, from, kLargestFile)});
  }
  if (files.empty()) {
    throw InputError(from, fmt::format("no file '{}_bs1.pb' to '{}_bs{}.pb' exists; a profile "
                                       "needs at least one",
                                       prefix, prefix, kLargestBatch));
  }
  RostamProfile profile = parse_rostam(files);
  const std::string table = prefix + "_iter.prof";
  std::error_code error;
  if (std::filesystem::exists(table, error)) {
    profile.accuracy = model::parse_iteration_table(read_file(table, from, kLargestFile), table);
  }
  return profile;
}

}  // namespace loom::foreign
