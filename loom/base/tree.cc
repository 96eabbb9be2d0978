#include "loom/base/tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>

#include "loom/base/text.h"

namespace loom {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMaxKeys = 1000;  // per map: a new key is compared with each earlier one
constexpr std::size_t kLongestKey = 200;

bool control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

// Builds the tree from the events of the parser. `open_` holds the lists and maps that are not
// closed yet, from the root inward; an open map also holds the key whose value comes next.
class Builder : public YAML::EventHandler {
 public:
  // Line 1 of the text is line `start.line` of the source. If `start.line` is 0, the source has no
  // line numbers: it is a command-line option.
  explicit Builder(SourceLocation start) : start_(std::move(start)) {}

  Tree take() { return std::move(root_); }
  bool empty() const { return !seen_; }

  // The source location of a parser mark. The mark of a block that begins below its key is at the
  // first entry of the block.
  SourceLocation location(const YAML::Mark& mark) const {
    return {start_.source, start_.line == 0 ? 0 : start_.line + std::max(mark.line, 0)};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (seen_) throw InputError(location(mark), "a second document begins here; only one is read");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    scalar(mark, "");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw InputError(location(mark), "an alias (*name) is not allowed; write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    scalar(mark, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Tree::Kind::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Tree::Kind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Tree tree;
    std::string key;
    SourceLocation key_location;
    bool has_key = false;
  };

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != 0) {
      throw InputError(location(mark), "an anchor (&name) is not allowed; write each value out");
    }
  }

  // The parser gives a plain value the tag "?" and a quoted value the tag "!".
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw InputError(location(mark),
                     fmt::format("a tag ({}) is not allowed; remove it", shortened(tag)));
  }

  // An escape (\n, \_) can produce characters that are not allowed in the file.
  void refuse_strange_value(const YAML::Mark& mark, const std::string& value) const {
    const auto strange = std::find_if(value.begin(), value.end(), control);
    const std::size_t at =
        std::min(static_cast<std::size_t>(strange - value.begin()), first_not_utf8(value));
    if (at == value.size()) return;
    throw InputError(
        location(mark),
        fmt::format("a value holds the byte 0x{:02x}; plain text on one line is needed",
                    static_cast<unsigned char>(value[at])));
  }

  void scalar(const YAML::Mark& mark, const std::string& value) {
    refuse_strange_value(mark, value);
    const bool in_map = !open_.empty() && open_.back().tree.kind == Tree::Kind::map;
    if (in_map && !open_.back().has_key) return take_key(mark, value);
    // If a key has no value, the mark is at whatever follows. So an empty value, even an explicit
    // "", gets the location of its key.
    attach(
        scalar_tree(value, in_map && value.empty() ? open_.back().key_location : location(mark)));
  }

  void take_key(const YAML::Mark& mark, const std::string& value) {
    Open& map = open_.back();
    if (value.size() > kLongestKey) {
      throw InputError(location(mark), fmt::format("a key has {} bytes; at most {} are possible",
                                                   value.size(), kLongestKey));
    }
    if (map.tree.entries.size() == kMaxKeys) {
      throw InputError(
          location(mark),
          fmt::format("a map has more than {} keys; at most {} are possible", kMaxKeys, kMaxKeys));
    }
    if (map.tree.find(value) != nullptr) {
      throw InputError(location(mark),
                       fmt::format("key '{}' appears twice; once is enough", value));
    }
    map.key = value;
    map.key_location = location(mark);
    map.has_key = true;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Tree::Kind kind) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (!open_.empty() && open_.back().tree.kind == Tree::Kind::map && !open_.back().has_key) {
      throw InputError(
          location(mark),
          "a list or map is used as a key, or a bracket is not closed; a key is a plain "
          "word");
    }
    if (open_.size() >= kDeepest) {
      throw InputError(location(mark),
                       fmt::format("lists and maps are nested here; at most {} deep is "
                                   "possible",
                                   kDeepest));
    }
    Open opened;
    opened.tree.kind = kind;
    opened.tree.location = location(mark);
    open_.push_back(std::move(opened));
  }

  void close() {
    Tree done = std::move(open_.back().tree);
    open_.pop_back();
    attach(std::move(done));
  }

  void attach(Tree tree) {
    seen_ = true;
    if (open_.empty()) {
      root_ = std::move(tree);
      return;
    }
    Open& parent = open_.back();
    if (parent.tree.kind == Tree::Kind::list) {
      parent.tree.items.push_back(std::move(tree));
    } else {
      parent.tree.entries.push_back({std::move(parent.key), std::move(tree)});
      parent.has_key = false;
    }
  }

  SourceLocation start_;
  std::vector<Open> open_;
  Tree root_;
  bool seen_ = false;
};

// Throws an InputError for control characters and invalid UTF-8, which the parser cannot handle.
void refuse_strange_bytes(std::string_view text, const SourceLocation& start) {
  const auto strange = std::find_if(text.begin(), text.end(), [](char c) {
    return control(c) && c != '\n' && c != '\t' && c != '\r';
  });
  const std::size_t at =
      std::min(static_cast<std::size_t>(strange - text.begin()), first_not_utf8(text));
  if (at == text.size()) return;
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError({start.source, start.line == 0 ? 0 : start.line + static_cast<int>(lines)},
                   fmt::format("byte 0x{:02x} is not allowed; YAML must be plain UTF-8 text",
                               static_cast<unsigned char>(text[at])));
}

bool plain(const std::string& text) {
  if (text == "null" || text == "Null" || text == "NULL")
    return false;                             // YAML reads these as no value
  if (text.starts_with("...")) return false;  // YAML reads this as the end of a document
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.front() == '-')
    return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_-./ +").find(c) != std::string_view::npos;
  });
}

std::string quoted(const std::string& text) {
  if (plain(text)) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (control(c)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string flow(const Tree& tree) {
  if (tree.kind == Tree::Kind::scalar) return quoted(tree.text);
  std::string out;
  if (tree.kind == Tree::Kind::list) {
    for (const Tree& item : tree.items) out += (out.empty() ? "" : ", ") + flow(item);
    return "[" + out + "]";
  }
  for (const auto& [key, value] : tree.entries) {
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", quoted(key), flow(value));
  }
  return "{" + out + "}";
}

// Throws an InputError if a line begins with a tab: the most common reason for invalid YAML, which
// the parser does not name.
void refuse_tabs(std::string_view text, const SourceLocation& start) {
  int line = start.line;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t first = text.find_first_not_of(' ', at);
    if (start.line > 0 && first != std::string_view::npos && text[first] == '\t') {
      throw InputError({start.source, line}, "a tab begins this line; YAML is indented by spaces");
    }
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
}

Tree parse(std::string_view text, const SourceLocation& start) {
  refuse_strange_bytes(text, start);
  Builder builder(start);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (builder.empty()) {
      throw InputError(start, start.line == 0 ? "the value is empty" : "the file is empty");
    }
    parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    refuse_tabs(text, start);
    throw InputError(builder.location(error.mark), "not YAML: " + error.msg);
  }
  return builder.take();
}

}  // namespace

const Tree* Tree::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

Tree* Tree::find(std::string_view key) { return const_cast<Tree*>(std::as_const(*this).find(key)); }

Tree scalar_tree(std::string text, SourceLocation location) {
  Tree tree;
  tree.text = std::move(text);
  tree.location = std::move(location);
  return tree;
}

Tree filled_in(Tree map, std::span<const std::pair<std::string_view, std::string_view>> values) {
  for (const auto& value : values) {
    if (map.find(value.first) != nullptr) continue;
    map.entries.push_back(
        {std::string(value.first), scalar_tree(std::string(value.second), map.location)});
  }
  return map;
}

Tree parse_yaml(std::string_view text, const std::string& source) {
  return parse(text, location_of(source, 1));
}

Tree parse_yaml_value(std::string_view text, const SourceLocation& location) {
  return parse(text, {location.source, 0});
}

std::string to_yaml(const Tree& tree) {
  if (tree.kind != Tree::Kind::map || tree.entries.empty()) return flow(tree) + "\n";
  std::string out;
  for (const auto& [key, value] : tree.entries) {
    if (value.kind != Tree::Kind::list || value.items.empty()) {
      out += fmt::format("{}: {}\n", quoted(key), flow(value));
      continue;
    }
    out += quoted(key) + ":\n";
    for (const Tree& item : value.items) out += "  - " + flow(item) + "\n";
  }
  return out;
}

}  // namespace loom
