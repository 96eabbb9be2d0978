#include "loom/simulate/symmetry.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/simulate/label_table.h"

namespace loom {
namespace {

using Label = std::uint64_t;

constexpr int kMostRounds = 32;
constexpr Label kLeaves = 1;
constexpr Label kReaches = 2;

template <class... More>
Label mix_all(Label label, More... more) {
  ((label = mix(label, static_cast<Label>(more))), ...);
  return label;
}

// Equal for channels whose messages have the same sizes, one by one. Where blocks differ in size
// the walk over them counts, except that a single step has one size however it comes about.
Label sizes_label(const Phase& phase, int c) {
  const Channel& it = phase.channels[static_cast<std::size_t>(c)];
  const bool walk_counts = it.extent.count % phase.blocks != 0 && it.steps > 1;
  const Int128 bytes =
      phase.blocks == 1 ? Int128{it.extent.count} * it.steps : channel_bytes(phase, c);
  const Label label = mix_all(static_cast<Label>(bytes), bytes >> 64, it.steps, phase.chunks);
  return walk_counts
             ? mix_all(label, it.extent.count, phase.blocks, it.first % phase.blocks, it.count)
             : label;
}

// Colours numbered by who comes first, and how many there are.
struct Colours {
  std::vector<int> of;
  int count = 0;

  explicit Colours(std::span<const Label> labels) {
    LabelTable table;
    of.reserve(labels.size());
    for (const Label label : labels) of.push_back(table.number(label));
    count = table.size();
  }
  int operator[](int index) const { return of[static_cast<std::size_t>(index)]; }

  // Whoever has a sum of another kind gets another colour; whether there was any.
  bool split(std::span<const Label> sums) {
    std::vector<Label> labels(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) labels[i] = mix(sums[i], static_cast<Label>(of[i]));
    const int before = count;
    *this = Colours(labels);
    return count != before;
  }
  // By object, a hash of its colour and something else.
  std::vector<Label> mixed(Label with) const {
    std::vector<Label> labels;
    labels.reserve(of.size());
    for (const int colour : of) labels.push_back(mix(static_cast<Label>(colour), with));
    return labels;
  }
  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(count), 0);
    for (const int colour : of) ++sizes[static_cast<std::size_t>(colour)];
    return sizes;
  }
};

std::vector<Label> membership(const Workload& workload) {
  std::vector<Label> labels(static_cast<std::size_t>(workload.devices), 0);
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    for (const int device : workload.groups[g].members) {
      labels[static_cast<std::size_t>(device)] += mix(g, 0);
    }
  }
  return labels;
}

std::vector<Label> bandwidths(const Network& network, std::span<const LinkChange> changes) {
  std::vector<Label> labels;
  labels.reserve(network.links.size());
  for (const Link& link : network.links) {
    labels.push_back(static_cast<Label>(link.bandwidth.bits_per_second));
  }
  for (const LinkChange& it : changes) {
    Label& label = labels[static_cast<std::size_t>(it.link)];
    label = mix_all(label, it.at.count(), it.bandwidth.bits_per_second);
  }
  return labels;
}

class Refinement {
 public:
  Refinement(const Workload& workload, const Network& network, std::span<const LinkChange> changes)
      : workload_(workload),
        network_(network),
        devices_(membership(workload)),
        links_(bandwidths(network, changes)) {
    list_patterns();
  }

  std::optional<Symmetry> run() {
    for (int round = 1; round <= kMostRounds; ++round) {
      if (!label_channels(round)) return std::nullopt;
      bool split = waits_differ_;
      split |= devices_.split(device_sums_);
      split |= links_.split(link_sums_);
      if (!split) return result();
    }
    return std::nullopt;
  }

 private:
  // One of a class, as it was met first, and what each of the class adds to the sums.
  struct Met {
    int pattern = 0;
    int phase = 0;
    int channel = 0;
    int source = 0;  // devices
    int destination = 0;
    std::int64_t count = 0;
    Label leaves = 0;
    Label reaches = 0;
    Label crosses = 0;  // with all of its messages
    Label next = 0;     // its label after one more look at its waits
    Route way;
    std::vector<std::pair<Label, int>> waits;
  };
  // The phase of a group at hand.
  struct Here {
    int pattern = 0;
    int phase = 0;
    const int* members = nullptr;
    Label label = 0;
  };

  void list_patterns() {
    std::map<std::pair<int, int>, int> known;
    const std::size_t collectives = workload_.collectives.size();
    out_.schedules.resize(collectives);
    exchanges_.resize(collectives, false);
    sizes_.resize(collectives);
    for (const Operation& it : workload_.operations) {
      out_.pattern_of.push_back(-1);
      if (it.kind != OperationKind::collective) continue;
      const auto [at, first] =
          known.try_emplace({it.groups, it.collective}, static_cast<int>(out_.patterns.size()));
      out_.pattern_of.back() = at->second;
      if (!first) continue;
      out_.patterns.push_back({it.groups, it.collective});
      const Groups& groups = groups_of(out_.patterns.back());
      const auto collective = static_cast<std::size_t>(it.collective);
      if (out_.schedules[collective].ranks == 0) add_schedule(collective, groups.size);
      channels_ += channels_of(collective) * groups.count();
    }
  }

  void add_schedule(std::size_t collective, int ranks) {
    const Collective& it = workload_.collectives[collective];
    std::optional<Schedule> exchange = even_exchange(it, ranks);
    exchanges_[collective] = exchange.has_value();
    out_.schedules[collective] = exchange ? std::move(*exchange) : schedule(it, ranks);
    for (const Phase& phase : out_.schedules[collective].phases) {
      std::vector<Label>& sizes = sizes_[collective].emplace_back();
      sizes.reserve(phase.channels.size());
      for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
        sizes.push_back(sizes_label(phase, c));
      }
    }
  }

  std::int64_t channels_of(std::size_t collective) const {
    const Schedule& it = out_.schedules[collective];
    std::int64_t channels = 0;
    for (const Phase& phase : it.phases) {
      channels += exchanges_[collective] ? std::int64_t{it.ranks} * (it.ranks - 1)
                                         : static_cast<std::int64_t>(phase.channels.size());
    }
    return channels;
  }

  const Groups& groups_of(const Pattern& pattern) const {
    return workload_.groups[static_cast<std::size_t>(pattern.groups)];
  }

  // Adds up the labels of all channels at their devices and links; false where it is no use.
  bool label_channels(int round) {
    device_sums_.assign(devices_.of.size(), 0);
    link_sums_.assign(links_.of.size(), 0);
    leaving_ = devices_.mixed(kLeaves);
    reaching_ = devices_.mixed(kReaches);
    crossing_ = links_.mixed(kWhole);
    table_.clear();
    met_.clear();
    waits_differ_ = false;
    for (int p = 0; p < static_cast<int>(out_.patterns.size()); ++p) {
      const Groups& groups = groups_of(out_.patterns[static_cast<std::size_t>(p)]);
      for (int group = 0; group < groups.count(); ++group) {
        if (!label_group(p, groups.members.data() + std::ptrdiff_t{group} * groups.size, round)) {
          return false;
        }
        if (std::int64_t{table_.size()} * 2 > channels_) return false;
      }
    }
    return true;
  }

  bool label_group(int pattern, const int* members, int round) {
    const auto collective =
        static_cast<std::size_t>(out_.patterns[static_cast<std::size_t>(pattern)].collective);
    const Schedule& steps = out_.schedules[collective];
    for (int f = 0; f < static_cast<int>(steps.phases.size()); ++f) {
      const Phase& phase = steps.phases[static_cast<std::size_t>(f)];
      const std::vector<Label>& sizes = sizes_[collective][static_cast<std::size_t>(f)];
      const Here here{pattern, f, members, mix_all(0, pattern, f)};
      const bool found = exchanges_[collective] ? label_exchange(here, steps.ranks, sizes[0])
                         : phase.waits.empty()  ? label_free(here, phase, sizes)
                                                : label_waiting(here, phase, sizes, round);
      if (!found) return false;
    }
    return true;
  }

  // From every rank to every other.
  bool label_exchange(const Here& here, int ranks, Label sizes) {
    for (int source = 0; source < ranks; ++source) {
      for (int destination = 0; destination < ranks; ++destination) {
        if (source == destination) continue;
        const int from = here.members[source];
        const int to = here.members[destination];
        if (!find_way(from, to)) return false;
        settle(here, 0, from, to, channel_label(here, sizes, from, to), way_.hops);
      }
    }
    return true;
  }

  bool label_free(const Here& here, const Phase& phase, const std::vector<Label>& sizes) {
    for (std::size_t c = 0; c < phase.channels.size(); ++c) {
      const int from = here.members[phase.channels[c].source];
      const int to = here.members[phase.channels[c].destination];
      if (!find_way(from, to)) return false;
      settle(here, c, from, to, channel_label(here, sizes[c], from, to), way_.hops);
    }
    return true;
  }

  // In round r a channel looks at those up to r waits away, and then one more to see whether that
  // tells any apart.
  bool label_waiting(const Here& here, const Phase& phase, const std::vector<Label>& sizes,
                     int round) {
    labels_.clear();
    ways_.clear();
    for (std::size_t c = 0; c < phase.channels.size(); ++c) {
      const int from = here.members[phase.channels[c].source];
      const int to = here.members[phase.channels[c].destination];
      if (!find_way(from, to)) return false;
      labels_.push_back(channel_label(here, sizes[c], from, to));
      ways_.add(way_);
    }
    for (int look = 0; look < round; ++look) look_at_waits(phase, labels_);
    next_ = labels_;
    look_at_waits(phase, next_);
    for (std::size_t c = 0; c < phase.channels.size(); ++c) {
      const int from = here.members[phase.channels[c].source];
      const int to = here.members[phase.channels[c].destination];
      const int known = table_.size();
      way_.latency = ways_.latency(c);
      Met& met = settle(here, c, from, to, labels_[c], ways_.hops(c));
      if (table_.size() > known) {
        met.next = next_[c];
        for (const Wait& wait : phase.waits_of(static_cast<int>(c))) {
          met.waits.emplace_back(labels_[static_cast<std::size_t>(wait.channel)], wait.lag);
        }
      }
      waits_differ_ |= met.next != next_[c];
    }
    return true;
  }

  void look_at_waits(const Phase& phase, std::vector<Label>& labels) {
    before_ = labels;
    for (std::size_t c = 0; c < labels.size(); ++c) {
      Label sum = 0;
      for (const Wait& wait : phase.waits_of(static_cast<int>(c))) {
        sum += mix(before_[static_cast<std::size_t>(wait.channel)], static_cast<Label>(wait.lag));
      }
      labels[c] = mix(before_[c], sum);
    }
  }

  bool find_way(int source, int destination) {
    way_.hops.clear();
    way_.latency = Duration(0);
    return network_.router->find(source, destination, 0, {}, way_);
  }

  Label channel_label(const Here& here, Label sizes, int source, int destination) const {
    Label links = 0;
    for (const Hop& hop : way_.hops) {
      links += hop.share == kWhole ? crossing_[static_cast<std::size_t>(hop.link)]
                                   : mix(static_cast<Label>(links_[hop.link]), hop.share);
    }
    const Label ends = leaving_[static_cast<std::size_t>(source)] +
                       reaching_[static_cast<std::size_t>(destination)];
    return mix(mix(here.label + sizes, static_cast<Label>(way_.latency.count())) + ends, links);
  }

  // Adds a channel to the sums, and to its class.
  Met& settle(const Here& here, std::size_t channel, int source, int destination, Label label,
              std::span<const Hop> hops) {
    const int known = table_.size();
    const auto number = static_cast<std::size_t>(table_.number(label));
    if (table_.size() > known) {
      met_.push_back({.pattern = here.pattern,
                      .phase = here.phase,
                      .channel = static_cast<int>(channel),
                      .source = source,
                      .destination = destination,
                      .leaves = mix(label, kLeaves),
                      .reaches = mix(label, kReaches),
                      .crosses = mix(label, kWhole),
                      .way = {{hops.begin(), hops.end()}, way_.latency}});
    }
    Met& met = met_[number];
    ++met.count;
    device_sums_[static_cast<std::size_t>(source)] += met.leaves;
    device_sums_[static_cast<std::size_t>(destination)] += met.reaches;
    for (const Hop& hop : hops) {
      link_sums_[static_cast<std::size_t>(hop.link)] +=
          hop.share == kWhole ? met.crosses : mix(label, hop.share);
    }
    return met;
  }

  Symmetry result() {
    out_.device_class = devices_.of;
    out_.link_class = links_.of;
    out_.device_classes = devices_.count;
    out_.link_classes = links_.count;
    const std::vector<std::int64_t> link_sizes = links_.sizes();
    for (const Met& met : met_) out_.channels.push_back(class_of(met, link_sizes));
    return std::move(out_);
  }

  ChannelClass class_of(const Met& met, std::span<const std::int64_t> link_sizes) const {
    const Pattern& pattern = out_.patterns[static_cast<std::size_t>(met.pattern)];
    const Phase& phase = out_.schedules[static_cast<std::size_t>(pattern.collective)]
                             .phases[static_cast<std::size_t>(met.phase)];
    ChannelClass made{.pattern = met.pattern,
                      .phase = met.phase,
                      .channel = phase.channels[static_cast<std::size_t>(met.channel)],
                      .source = devices_[met.source],
                      .destination = devices_[met.destination],
                      .count = met.count,
                      .way = {{}, met.way.latency},
                      .waits = {}};
    for (const auto& [label, lag] : met.waits) {
      const Wait wait{table_.find(label), lag};
      const bool known = std::any_of(made.waits.begin(), made.waits.end(), [&](const Wait& it) {
        return it.channel == wait.channel && it.lag == wait.lag;
      });
      if (!known) made.waits.push_back(wait);
    }
    add_shares(met, link_sizes, made.way);
    return made;
  }

  // The channels of a class cross the links of a class so often in all, and each link as often as
  // every other.
  void add_shares(const Met& met, std::span<const std::int64_t> link_sizes, Route& way) const {
    std::map<int, Int128> shares;
    for (const Hop& hop : met.way.hops) shares[links_[hop.link]] += hop.share;
    for (const auto& [link, share] : shares) {
      const Int128 all = share * met.count;
      const std::int64_t links = link_sizes[static_cast<std::size_t>(link)];
      LOOM_CHECK(all % links == 0, "links of a class carry the same");
      way.hops.push_back({link, static_cast<std::uint64_t>(all / links)});
    }
  }

  // The ways of a group's channels in one array.
  class Ways {
   public:
    void clear() {
      hops_.clear();
      ends_.clear();
      latencies_.clear();
    }
    void add(const Route& way) {
      hops_.insert(hops_.end(), way.hops.begin(), way.hops.end());
      ends_.push_back(hops_.size());
      latencies_.push_back(way.latency);
    }
    std::span<const Hop> hops(std::size_t channel) const {
      const std::size_t begin = channel == 0 ? 0 : ends_[channel - 1];
      return {hops_.data() + begin, ends_[channel] - begin};
    }
    Duration latency(std::size_t channel) const { return latencies_[channel]; }

   private:
    std::vector<Hop> hops_;
    std::vector<std::size_t> ends_;
    std::vector<Duration> latencies_;
  };

  const Workload& workload_;
  const Network& network_;
  Symmetry out_;
  std::vector<std::vector<std::vector<Label>>> sizes_;  // by collective, phase and channel
  std::vector<bool> exchanges_;  // by collective: its one channel stands for those of all pairs
  std::int64_t channels_ = 0;
  Colours devices_;
  Colours links_;
  std::vector<Label> device_sums_;
  std::vector<Label> link_sums_;
  std::vector<Label> leaving_;   // by device
  std::vector<Label> reaching_;  // by device
  std::vector<Label> crossing_;  // by link
  LabelTable table_;
  std::vector<Met> met_;  // by number in the table
  bool waits_differ_ = false;
  Route way_;
  std::vector<Label> labels_;  // of the group at hand
  std::vector<Label> before_;
  std::vector<Label> next_;
  Ways ways_;
};

}  // namespace

std::optional<Symmetry> find_symmetry(const Workload& workload, const Network& network,
                                      std::span<const LinkChange> changes) {
  return Refinement(workload, network, changes).run();
}

}  // namespace loom
