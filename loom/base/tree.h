// A YAML file, parsed into a tree of text values with their source locations.
//
// YAML (and so JSON) is read event by event into plain values: no aliases, no tags, no duplicate
// keys, no control characters, bounded depth and number of keys, so that a hostile file causes an
// error message and nothing worse.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loom/base/error.h"

namespace loom {

struct TreeEntry;

struct Tree {
  enum class Kind { scalar, list, map };

  Kind kind = Kind::scalar;
  SourceLocation location;
  std::string text;                // scalar
  std::vector<Tree> items;         // list
  std::vector<TreeEntry> entries;  // map, in the order written

  const Tree* find(std::string_view key) const;  // map: the value, or nullptr
  Tree* find(std::string_view key);
};

struct TreeEntry {
  std::string key;
  Tree value;
};

Tree scalar_tree(std::string text, SourceLocation location);

// Adds the `values` whose keys are missing in `map`, with the location of the map.
Tree filled_in(Tree map, std::span<const std::pair<std::string_view, std::string_view>> values);

// Parses one YAML document; `source` names it in messages.
Tree parse_yaml(std::string_view text, const std::string& source);

// Parses a value from the command line. Everything in it gets the location `location`, without a
// line number.
Tree parse_yaml_value(std::string_view text, const SourceLocation& location);

// Writes a tree as YAML that parses back to the same tree. Each key of the root map takes one line;
// if its value is a list, each item takes one line.
std::string to_yaml(const Tree& tree);

}  // namespace loom
