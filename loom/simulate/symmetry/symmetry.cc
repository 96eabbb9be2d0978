#include "loom/simulate/symmetry/symmetry.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/simulate/symmetry/colors.h"
#include "loom/simulate/symmetry/label_table.h"

namespace loom::simulate {
namespace {

using Label = std::uint64_t;

constexpr int kMaxRounds = 32;
constexpr Label kLeaves = 1;
constexpr Label kReaches = 2;

std::vector<Label> membership(const workload::Workload& workload) {
  std::vector<Label> labels(static_cast<std::size_t>(workload.devices), 0);
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    for (const int device : workload.groups[g].members) {
      labels[static_cast<std::size_t>(device)] += mix(g + 1, 0);
    }
  }
  return labels;
}

std::vector<Label> bandwidths(const fabric::Network& network, std::span<const LinkChange> changes,
                              const fabric::CircuitPlan* plan) {
  std::vector<Label> labels;
  labels.reserve(network.links.size());
  for (const fabric::Link& link : network.links) {
    labels.push_back(static_cast<Label>(link.bandwidth.bits_per_second));
  }
  for (const LinkChange& it : changes) {
    Label& label = labels[static_cast<std::size_t>(it.link)];
    label = mix_all(label, elapsed(it.at).count(), it.bandwidth.bits_per_second);
  }
  if (plan == nullptr) return labels;
  for (const std::vector<Bandwidth>& set : plan->sets) {
    for (std::size_t l = 0; l < set.size(); ++l) {
      labels[l] = mix_all(labels[l], set[l].bits_per_second);
    }
  }
  return labels;
}

class Refinement {
 public:
  Refinement(const workload::Workload& workload, const fabric::Network& network,
             std::span<const LinkChange> changes, const fabric::CircuitPlan* plan)
      : workload_(workload),
        network_(network),
        devices_(membership(workload)),
        links_(bandwidths(network, changes, plan)) {
    out_.patterns = patterns_of(workload, plan == nullptr ? std::span<const int>() : plan->set_of);
    for (std::size_t set = 0; plan != nullptr && set < plan->sets.size(); ++set) {
      std::vector<bool>& down = down_by_set_.emplace_back();
      for (const Bandwidth it : plan->sets[set]) down.push_back(it.bits_per_second == 0);
    }
    for (const PhaseShape& it : out_.patterns.shapes) {
      channels_ += it.channels() * workload.groups[static_cast<std::size_t>(it.groups)].count();
    }
  }

  std::optional<Symmetry> run() {
    for (int round = 1; round <= kMaxRounds; ++round) {
      if (!label_channels(round)) return std::nullopt;
      bool split = waits_differ_;
      split |= devices_.split(device_sums_);
      split |= links_.split(link_sums_);
      if (!split) return result();
    }
    return std::nullopt;
  }

 private:
  // The first channel found of a class, and the labels that each channel of the class adds to the
  // sums.
  struct Representative {
    int channel = 0;
    DeviceId source;
    DeviceId destination;
    std::int64_t count = 0;
    Label leaves = 0;
    Label reaches = 0;
    Label crosses = 0;  // for a hop with share kWhole
    Label next = 0;     // its label after one more round over its waits
    fabric::Route route;
    std::vector<std::pair<Label, int>> waits;
  };
  // A shape in the current group.
  struct Here {
    const PhaseShape& shape;
    const int* members = nullptr;
    Label label = 0;

    DeviceId source(std::size_t c) const {
      return DeviceId(members[shape.phase.channels[c].source]);
    }
    DeviceId destination(std::size_t c) const {
      return DeviceId(members[shape.phase.channels[c].destination]);
    }
  };

  // Adds up the labels of all channels at their devices and links; returns false if there is no
  // useful symmetry.
  bool label_channels(int round) {
    device_sums_.assign(devices_.of().size(), 0);
    link_sums_.assign(links_.of().size(), 0);
    leaving_ = devices_.mixed(kLeaves);
    reaching_ = devices_.mixed(kReaches);
    crossing_ = links_.mixed(fabric::kWhole);
    table_.clear();
    representatives_.clear();
    first_representative_.clear();
    waits_differ_ = false;
    for (const PhaseShape& shape : out_.patterns.shapes) {
      first_representative_.push_back(representatives_.size());
      if (!label_shape(shape, round)) return false;
    }
    first_representative_.push_back(representatives_.size());
    return true;
  }

  bool label_shape(const PhaseShape& shape, int round) {
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(shape.groups)];
    const Label label = mix(first_representative_.size(), 0);
    down_ = shape.set < 0 ? &none_ : &down_by_set_[static_cast<std::size_t>(shape.set)];
    for (int group = 0; group < groups.count(); ++group) {
      const Here here{shape, groups.members.data() + std::ptrdiff_t{group} * groups.size, label};
      const bool found = shape.exchange              ? label_exchange(here)
                         : shape.phase.waits.empty() ? label_free(here)
                                                     : label_waiting(here, round);
      if (!found || std::int64_t{table_.size()} * 2 > channels_) return false;
    }
    return true;
  }

  // Labels the channels from every rank to every other.
  bool label_exchange(const Here& here) {
    for (int source = 0; source < here.shape.ranks; ++source) {
      for (int destination = 0; destination < here.shape.ranks; ++destination) {
        if (source == destination) continue;
        const DeviceId from(here.members[source]);
        const DeviceId to(here.members[destination]);
        if (!find_route(from, to)) return false;
        settle(0, from, to, channel_label(here.label, from, to), route_.hops);
      }
    }
    return true;
  }

  bool label_free(const Here& here) {
    for (std::size_t c = 0; c < here.shape.sizes.size(); ++c) {
      const DeviceId from = here.source(c);
      const DeviceId to = here.destination(c);
      if (!find_route(from, to)) return false;
      const Label sizes = mix(here.label, static_cast<Label>(here.shape.sizes[c]));
      settle(c, from, to, channel_label(sizes, from, to), route_.hops);
    }
    return true;
  }

  // In round r, the label of a channel covers the channels up to r waits away. One more step then
  // shows whether channels farther away distinguish any more classes.
  bool label_waiting(const Here& here, int round) {
    const workload::Phase& phase = here.shape.phase;
    labels_.clear();
    routes_.clear();
    for (std::size_t c = 0; c < phase.channels.size(); ++c) {
      if (!find_route(here.source(c), here.destination(c))) return false;
      const Label sizes = mix(here.label, static_cast<Label>(here.shape.sizes[c]));
      labels_.push_back(channel_label(sizes, here.source(c), here.destination(c)));
      routes_.add(route_);
    }
    for (int look = 0; look < round; ++look) look_at_waits(phase, labels_);
    next_ = labels_;
    look_at_waits(phase, next_);
    for (std::size_t c = 0; c < phase.channels.size(); ++c) {
      const int known = table_.size();
      route_.latency = routes_.latency(c);
      Representative& representative =
          settle(c, here.source(c), here.destination(c), labels_[c], routes_.hops(c));
      if (table_.size() > known) {
        representative.next = next_[c];
        for (const workload::Wait& wait : phase.waits_of(static_cast<int>(c))) {
          representative.waits.emplace_back(labels_[static_cast<std::size_t>(wait.channel)],
                                            wait.lag);
        }
      }
      waits_differ_ |= representative.next != next_[c];
    }
    return true;
  }

  void look_at_waits(const workload::Phase& phase, std::vector<Label>& labels) {
    before_ = labels;
    for (std::size_t c = 0; c < labels.size(); ++c) {
      Label sum = 0;
      for (const workload::Wait& wait : phase.waits_of(static_cast<int>(c))) {
        sum += mix(before_[static_cast<std::size_t>(wait.channel)], static_cast<Label>(wait.lag));
      }
      labels[c] = mix(before_[c], sum);
    }
  }

  bool find_route(DeviceId source, DeviceId destination) {
    route_.hops.clear();
    route_.latency = Duration(0);
    return network_.router->find(source, destination, 0, *down_, route_);
  }

  Label channel_label(Label sizes, DeviceId source, DeviceId destination) const {
    Label links = 0;
    for (const fabric::Hop& hop : route_.hops) {
      links += hop.share == fabric::kWhole ? crossing_[static_cast<std::size_t>(hop.link)]
                                           : mix(static_cast<Label>(links_[hop.link]), hop.share);
    }
    const Label ends = leaving_[static_cast<std::size_t>(source)] +
                       reaching_[static_cast<std::size_t>(destination)];
    return mix(mix(sizes, static_cast<Label>(route_.latency.count())) + ends, links);
  }

  // Adds a channel to the sums and to its class.
  Representative& settle(std::size_t channel, DeviceId source, DeviceId destination, Label label,
                         std::span<const fabric::Hop> hops) {
    const int known = table_.size();
    const auto number = static_cast<std::size_t>(table_.number(label));
    if (table_.size() > known) {
      representatives_.push_back({.channel = static_cast<int>(channel),
                                  .source = source,
                                  .destination = destination,
                                  .leaves = mix(label, kLeaves),
                                  .reaches = mix(label, kReaches),
                                  .crosses = mix(label, fabric::kWhole),
                                  .route = {{hops.begin(), hops.end()}, route_.latency}});
    }
    Representative& representative = representatives_[number];
    ++representative.count;
    device_sums_[static_cast<std::size_t>(source)] += representative.leaves;
    device_sums_[static_cast<std::size_t>(destination)] += representative.reaches;
    for (const fabric::Hop& hop : hops) {
      link_sums_[static_cast<std::size_t>(hop.link)] +=
          hop.share == fabric::kWhole ? representative.crosses : mix(label, hop.share);
    }
    return representative;
  }

  Symmetry result() {
    out_.device_class = devices_.of();
    out_.link_class = links_.of();
    out_.device_classes = devices_.count();
    out_.link_classes = links_.count();
    const std::vector<std::int64_t> link_sizes = links_.sizes();
    for (int p = 0; p < static_cast<int>(out_.patterns.patterns.size()); ++p) {
      const Pattern& pattern = out_.patterns.patterns[static_cast<std::size_t>(p)];
      for (int f = 0; f < static_cast<int>(pattern.shapes.size()); ++f) {
        add_classes(p, f, pattern.shapes[static_cast<std::size_t>(f)], link_sizes);
      }
    }
    return std::move(out_);
  }

  // Adds the channel classes of phase f of pattern p, which are those of its shape.
  void add_classes(int p, int f, int shape, std::span<const std::int64_t> link_sizes) {
    const Pattern& pattern = out_.patterns.patterns[static_cast<std::size_t>(p)];
    const workload::Phase& phase =
        out_.patterns.schedules[static_cast<std::size_t>(pattern.collective)]
            .phases[static_cast<std::size_t>(f)];
    const std::size_t first = first_representative_[static_cast<std::size_t>(shape)];
    const int moved = static_cast<int>(out_.channels.size()) - static_cast<int>(first);
    for (std::size_t m = first; m < first_representative_[static_cast<std::size_t>(shape) + 1];
         ++m) {
      const Representative& representative = representatives_[m];
      ChannelClass& made = out_.channels.emplace_back();
      made.pattern = p;
      made.phase = f;
      made.channel = phase.channels[static_cast<std::size_t>(representative.channel)];
      made.source = devices_[representative.source];
      made.destination = devices_[representative.destination];
      made.count = representative.count;
      made.route.latency = representative.route.latency;
      if (!representative.route.hops.empty()) {
        const LinkId first_hop = representative.route.hops.front().link;
        made.first_link = network_.links[static_cast<std::size_t>(first_hop)].bandwidth;
      }
      add_shares(representative, link_sizes, made.route);
      for (const auto& wait : representative.waits)
        add_wait(made, {table_.find(wait.first) + moved, wait.second});
    }
  }

  static void add_wait(ChannelClass& to, const workload::Wait& wait) {
    const bool known = std::any_of(to.waits.begin(), to.waits.end(), [&](const workload::Wait& it) {
      return it.channel == wait.channel && it.lag == wait.lag;
    });
    if (!known) to.waits.push_back(wait);
  }

  // Adds the hops of a class of channels: the total share of all its channels on a class of links
  // is divided evenly among the links.
  void add_shares(const Representative& representative, std::span<const std::int64_t> link_sizes,
                  fabric::Route& route) const {
    std::map<int, Int128> shares;
    for (const fabric::Hop& hop : representative.route.hops) shares[links_[hop.link]] += hop.share;
    for (const auto& [link, share] : shares) {
      const Int128 all = share * representative.count;
      const std::int64_t links = link_sizes[static_cast<std::size_t>(link)];
      LOOM_CHECK(all % links == 0, "links of a class carry equal loads");
      route.hops.push_back({LinkId(link), static_cast<std::uint64_t>(all / links)});
    }
  }

  // The routes of a group's channels in one array.
  class ChannelRoutes {
   public:
    void clear() {
      hops_.clear();
      ends_.clear();
      latencies_.clear();
    }
    void add(const fabric::Route& route) {
      hops_.insert(hops_.end(), route.hops.begin(), route.hops.end());
      ends_.push_back(hops_.size());
      latencies_.push_back(route.latency);
    }
    std::span<const fabric::Hop> hops(std::size_t channel) const {
      const std::size_t begin = channel == 0 ? 0 : ends_[channel - 1];
      return {hops_.data() + begin, ends_[channel] - begin};
    }
    Duration latency(std::size_t channel) const { return latencies_[channel]; }

   private:
    std::vector<fabric::Hop> hops_;
    std::vector<std::size_t> ends_;
    std::vector<Duration> latencies_;
  };

  const workload::Workload& workload_;
  const fabric::Network& network_;
  Symmetry out_;
  std::int64_t channels_ = 0;
  Colors devices_;
  Colors links_;
  std::vector<Label> device_sums_;
  std::vector<Label> link_sums_;
  std::vector<Label> leaving_;   // by device
  std::vector<Label> reaching_;  // by device
  std::vector<Label> crossing_;  // by link
  LabelTable table_;
  std::vector<Representative> representatives_;    // by number in the table
  std::vector<std::size_t> first_representative_;  // by shape
  bool waits_differ_ = false;
  const std::vector<bool> none_;
  std::vector<std::vector<bool>> down_by_set_;  // per circuit set
  const std::vector<bool>* down_ = &none_;      // for the current shape
  fabric::Route route_;
  std::vector<Label> labels_;  // for the current group
  std::vector<Label> before_;
  std::vector<Label> next_;
  ChannelRoutes routes_;
};

}  // namespace

std::optional<Symmetry> find_symmetry(const workload::Workload& workload,
                                      const fabric::Network& network,
                                      std::span<const LinkChange> changes,
                                      const fabric::CircuitPlan* plan) {
  return Refinement(workload, network, changes, plan).run();
}

}  // namespace loom::simulate
