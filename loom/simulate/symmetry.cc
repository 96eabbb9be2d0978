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
  // One of a class, as it was met first.
  struct Met {
    int pattern = 0;
    int phase = 0;
    int channel = 0;
    int source = 0;  // devices
    int destination = 0;
    std::int64_t count = 0;
    Label next = 0;  // its label after one more look at its waits
    Route way;
    std::vector<std::pair<Label, int>> waits;
  };

  void list_patterns() {
    std::map<std::pair<int, int>, int> known;
    out_.schedules.resize(workload_.collectives.size());
    sizes_.resize(workload_.collectives.size());
    for (const Operation& it : workload_.operations) {
      out_.pattern_of.push_back(-1);
      if (it.kind != OperationKind::collective) continue;
      const auto [at, first] =
          known.try_emplace({it.groups, it.collective}, static_cast<int>(out_.patterns.size()));
      out_.pattern_of.back() = at->second;
      if (!first) continue;
      out_.patterns.push_back({it.groups, it.collective});
      const Groups& groups = groups_of(out_.patterns.back());
      add_schedule(static_cast<std::size_t>(it.collective), groups.size);
      for (const Phase& phase : out_.schedules[static_cast<std::size_t>(it.collective)].phases) {
        channels_ += static_cast<std::int64_t>(phase.channels.size()) * groups.count();
      }
    }
  }

  void add_schedule(std::size_t collective, int ranks) {
    Schedule& made = out_.schedules[collective];
    if (made.ranks > 0) return;
    made = schedule(workload_.collectives[collective], ranks);
    for (const Phase& phase : made.phases) {
      std::vector<Label>& sizes = sizes_[collective].emplace_back();
      sizes.reserve(phase.channels.size());
      for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
        sizes.push_back(sizes_label(phase, c));
      }
    }
  }

  const Groups& groups_of(const Pattern& pattern) const {
    return workload_.groups[static_cast<std::size_t>(pattern.groups)];
  }

  // Adds up the labels of all channels at their devices and links; false where it is no use.
  bool label_channels(int round) {
    device_sums_.assign(devices_.of.size(), 0);
    link_sums_.assign(links_.of.size(), 0);
    table_.clear();
    met_.clear();
    waits_differ_ = false;
    for (int p = 0; p < static_cast<int>(out_.patterns.size()); ++p) {
      const Pattern& pattern = out_.patterns[static_cast<std::size_t>(p)];
      const auto phases = static_cast<int>(
          out_.schedules[static_cast<std::size_t>(pattern.collective)].phases.size());
      for (int group = 0; group < groups_of(pattern).count(); ++group) {
        for (int phase = 0; phase < phases; ++phase) {
          if (!label_phase(p, group, phase, round)) return false;
        }
        if (std::int64_t{table_.size()} * 2 > channels_) return false;
      }
    }
    return true;
  }

  bool label_phase(int p, int group, int f, int round) {
    const Pattern& pattern = out_.patterns[static_cast<std::size_t>(p)];
    const auto collective = static_cast<std::size_t>(pattern.collective);
    const Phase& phase = out_.schedules[collective].phases[static_cast<std::size_t>(f)];
    const std::vector<Label>& sizes = sizes_[collective][static_cast<std::size_t>(f)];
    const int* members = groups_of(pattern).members.data() +
                         static_cast<std::size_t>(group) * groups_of(pattern).size;
    const Label place = mix_all(0, p, f);
    const bool waits = !phase.waits.empty();
    labels_.clear();
    ways_.clear();
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
      Met met{p, f, c, members[channel.source], members[channel.destination], 0, 0, {}, {}};
      way_.hops.clear();
      way_.latency = Duration(0);
      if (!network_.router->find(met.source, met.destination, 0, {}, way_)) return false;
      const Label label = channel_label(mix(place, sizes[static_cast<std::size_t>(c)]), met);
      if (!waits) {
        settle(label, met, way_.hops, way_.latency);
      } else {
        labels_.push_back(label);
        ways_.add(way_);
      }
    }
    if (waits) settle_waiting(p, f, phase, members, round);
    return true;
  }

  Label channel_label(Label sizes, const Met& met) const {
    Label links = 0;
    for (const Hop& hop : way_.hops) links += mix(hop.share, static_cast<Label>(links_[hop.link]));
    return mix_all(sizes, devices_[met.source], devices_[met.destination], way_.latency.count(),
                   links);
  }

  // In round r a channel looks at those up to r waits away, and then one more to see whether that
  // tells any apart.
  void settle_waiting(int p, int f, const Phase& phase, const int* members, int round) {
    for (int look = 0; look < round; ++look) look_at_waits(phase, labels_);
    next_ = labels_;
    look_at_waits(phase, next_);
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      const auto index = static_cast<std::size_t>(c);
      const Channel& channel = phase.channels[index];
      const Met met{
          p, f, c, members[channel.source], members[channel.destination], 0, next_[index], {}, {}};
      const int known = table_.size();
      settle(labels_[index], met, ways_.hops(index), ways_.latency(index));
      if (table_.size() == known) continue;
      for (const Wait& wait : phase.waits_of(c)) {
        met_.back().waits.emplace_back(labels_[static_cast<std::size_t>(wait.channel)], wait.lag);
      }
    }
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

  void settle(Label label, const Met& met, std::span<const Hop> hops, Duration latency) {
    device_sums_[static_cast<std::size_t>(met.source)] += mix(label, kLeaves);
    device_sums_[static_cast<std::size_t>(met.destination)] += mix(label, kReaches);
    for (const Hop& hop : hops) {
      link_sums_[static_cast<std::size_t>(hop.link)] += mix(label, hop.share);
    }
    const int known = table_.size();
    const auto number = static_cast<std::size_t>(table_.number(label));
    if (table_.size() > known) {
      met_.push_back(met);
      met_.back().way.hops.assign(hops.begin(), hops.end());
      met_.back().way.latency = latency;
    }
    ++met_[number].count;
    waits_differ_ |= met_[number].next != met.next;
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
  std::int64_t channels_ = 0;
  Colours devices_;
  Colours links_;
  std::vector<Label> device_sums_;
  std::vector<Label> link_sums_;
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
