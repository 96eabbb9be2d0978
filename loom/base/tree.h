// A file of ours as a tree of texts that knows where each stood.
//
// YAML (and so JSON) is read event by event into plain values: no aliases, no tags, no duplicate
// keys, no control characters, bounded depth and keys, so that a hostile file costs an error
// message and nothing else.
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

// The map with these keys and values where it has no such key, at the map's own place.
Tree filled_in(Tree map, std::span<const std::pair<std::string_view, std::string_view>> values);

// Parses one YAML document; `source` names it in messages.
Tree parse_yaml(std::string_view text, const std::string& source);

// A value from the command line: every part of it stands at `place`, which has no lines.
Tree parse_yaml_value(std::string_view text, const SourceLocation& location);

// Writes a tree as YAML that parses back to the same tree. Maps of scalars inside a list stand on
// one line each.
std::string to_yaml(const Tree& tree);

}  // namespace loom
