// Reads a custom graph. Switches are numbered after the devices. The number of devices is known
// only at the end of the file; until then, switch s is node -1 - s.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "loom/base/csv.h"
#include "loom/base/tree.h"
#include "loom/fabric/kinds/electrical/custom.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace {

constexpr std::size_t kMaxGraphLinks = 10'000'000;
constexpr int kMaxGraphDevices = 1 << 20;
constexpr int kMaxMembers = 1'000'000;

constexpr std::array<CsvColumn, 6> kColumns = {{{"from", ValueType::text},
                                                {"to", ValueType::text},
                                                {"bandwidth", ValueType::bandwidth},
                                                {"latency", ValueType::duration, false},
                                                {"duplex", ValueType::boolean, false},
                                                {"members", ValueType::integer, false}}};

constexpr std::array<Parameter, 6> kLinkParameters = {
    Parameter{.name = "from", .type = ValueType::text, .summary = "source node", .required = true},
    Parameter{
        .name = "to", .type = ValueType::text, .summary = "destination node", .required = true},
    kBandwidth,
    kLatency,
    Parameter{.name = "duplex",
              .type = ValueType::boolean,
              .summary = "additional equal link in the reverse direction",
              .fallback = "true"},
    Parameter{.name = "members",
              .type = ValueType::integer,
              .summary = "number of parallel links, each with the given bandwidth",
              .fallback = "1",
              .min = 1,
              .max = kMaxMembers}};

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

class GraphReader {
 public:
  // Adds a link between two named nodes. `link` has no end nodes yet, and has the bandwidth of one
  // member.
  void add(const SourceLocation& location, std::string_view from, std::string_view to, Link link,
           bool duplex) {
    link.from = node(location, from);
    link.to = node(location, to);
    if (link.from == link.to) {
      throw InputError(location, fmt::format("a link leads from {} to {}; two different nodes are "
                                             "needed",
                                             from, to));
    }
    link.bandwidth = together(location, link);
    add_link(network_, link);
    std::swap(link.from, link.to);
    if (duplex) add_link(network_, link);
    if (network_.links.size() > kMaxGraphLinks) {
      throw InputError(location, fmt::format("this is link {}; at most {} are possible",
                                             network_.links.size(), kMaxGraphLinks));
    }
  }

  Network finish(const SourceLocation& start) {
    if (first_use_.empty()) {
      throw InputError(start, "no link names a device; devices are integers from 0");
    }
    const auto missing = std::find(first_use_.begin(), first_use_.end(), 0);
    if (missing != first_use_.end()) {
      throw InputError({start.source, first_use_.back()},
                       fmt::format("device {} is named here but device {} nowhere; devices are "
                                   "numbered from 0 without gaps",
                                   first_use_.size() - 1, missing - first_use_.begin()));
    }
    network_.devices = static_cast<int>(first_use_.size());
    network_.nodes = network_.devices + static_cast<int>(network_.switch_names.size());
    for (Link& link : network_.links) {
      if (link.from < 0) link.from = NodeId(network_.devices - 1 - link.from);
      if (link.to < 0) link.to = NodeId(network_.devices - 1 - link.to);
    }
    return std::move(network_);
  }

 private:
  static Bandwidth together(const SourceLocation& location, const Link& link) {
    const std::int64_t each = link.bandwidth.bits_per_second;
    if (each < 1) throw InputError(location, "bandwidth is 0 bps; at least 1 bps is needed");
    if (each > kLargestTrunk / link.members) {
      throw InputError(location, fmt::format("members is {}; that many links of {} exceed the "
                                             "maximum of {}",
                                             link.members, exact(link.bandwidth),
                                             exact(Bandwidth{kLargestTrunk})));
    }
    return {each * link.members};
  }

  NodeId node(const SourceLocation& location, std::string_view name) {
    const bool negative = name.starts_with('-') && all_digits(name.substr(1));
    if (negative || all_digits(name)) return device(location, name);
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
      return static_cast<unsigned char>(c) >= 32 && c != 127;
    });
    if (name.empty() || !plain) {
      throw InputError(location,
                       fmt::format("a node is {}; a device's number or a switch's name on "
                                   "one line is needed",
                                   name.empty() ? "empty" : "named over several lines"));
    }
    const auto [found, added] =
        switches_.try_emplace(std::string(name), static_cast<int>(switches_.size()));
    if (added) network_.switch_names.push_back(found->first);
    return NodeId(-1 - found->second);
  }

  NodeId device(const SourceLocation& location, std::string_view digits) {
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool canonical = digits == "0" || digits.front() != '0';
    if (error != std::errc() || number < 0 || number >= kMaxGraphDevices || !canonical) {
      throw InputError(location, fmt::format("device {} is named; a number from 0 to {} without "
                                             "leading zeros is needed",
                                             digits, kMaxGraphDevices - 1));
    }
    if (number >= static_cast<int>(first_use_.size())) first_use_.resize(number + 1, 0);
    if (first_use_[number] == 0) first_use_[number] = std::max(location.line, 1);
    return NodeId(number);
  }

  Network network_;
  std::unordered_map<std::string, int> switches_;
  std::vector<int> first_use_;  // by device: the first line that names it, 0 if none does
};

Network read_csv(const std::string& text, const std::string& source) {
  const CsvTable table = parse_csv(text, source, kColumns);
  GraphReader reader;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Link link;
    link.bandwidth = table.bandwidth(row, "bandwidth");
    if (table.has("latency")) link.latency = table.duration(row, "latency");
    if (table.has("members")) {
      link.members = static_cast<int>(table.integer(row, "members", 1, kMaxMembers));
    }
    const bool duplex = !table.has("duplex") || table.boolean(row, "duplex");
    reader.add(table.location(row), table.text(row, "from"), table.text(row, "to"), link, duplex);
  }
  return reader.finish(location_of(source, 1));
}

const Tree& list_of_links(const Tree& file) {
  const Tree* links = file.kind == Tree::Kind::map ? file.find("links") : nullptr;
  if (links == nullptr || links->kind != Tree::Kind::list || file.entries.size() != 1) {
    throw InputError(file.location, "a graph is one key 'links' with a list of links");
  }
  return *links;
}

Network read_yaml(const std::string& text, const std::string& source) {
  const Tree file = parse_yaml(text, source);
  GraphReader reader;
  for (const Tree& item : list_of_links(file).items) {
    if (item.kind != Tree::Kind::map) {
      throw InputError(item.location,
                       "a link is a map such as {from: 0, to: leaf0, bandwidth: "
                       "100 Gbps, latency: 1 us}");
    }
    const Settings given(item, kLinkParameters, "link");
    Link link;
    link.bandwidth = given.bandwidth("bandwidth");
    link.latency = given.duration("latency");
    link.members = static_cast<int>(given.integer("members"));
    reader.add(item.location, given.text("from"), given.text("to"), link, given.boolean("duplex"));
  }
  return reader.finish(file.location);
}

}  // namespace

Network read_custom_graph(const std::string& text, const std::string& source, bool is_csv) {
  return is_csv ? read_csv(text, source) : read_yaml(text, source);
}

}  // namespace loom::fabric
