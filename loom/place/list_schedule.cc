#include "loom/place/list_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "loom/parallelize/footprint.h"
#include "loom/place/list_estimate.h"
#include "loom/place/list_improve.h"

namespace loom {
namespace {

using Devices = std::vector<int>;

template <typename T>
T& at(std::vector<T>& of, int index) {
  return of[static_cast<std::size_t>(index)];
}
template <typename T>
const T& at(const std::vector<T>& of, int index) {
  return of[static_cast<std::size_t>(index)];
}

StageMemory sum(const StageMemory& a, const StageMemory& b) {
  return {a.weights + b.weights, a.gradients + b.gradients, a.optimizer + b.optimizer,
          a.activations + b.activations};
}

// An operator with a place for each of its pieces.
struct Attempt {
  CutOperator op;
  Devices devices;
  std::vector<Delivery> deliveries;  // those that are new
  std::vector<int> inputs;           // with those, by their number to be
  Peers peers;
  std::vector<Duration> ends;
  Duration back{0};  // what sending its gradients back takes

  Duration last() const { return *std::max_element(ends.begin(), ends.end()); }
  std::pair<Duration, Duration> cost() const {
    return {last() + back, std::accumulate(ends.begin(), ends.end(), Duration(0))};
  }
};

class ListScheduler {
 public:
  ListScheduler(const Job& job, const ListRule& rule, int devices)
      : job_(job),
        rule_(rule),
        count_(devices),
        peers_(rule.devices, rule.replicas, rule.limits, rule.rings),
        free_(static_cast<std::size_t>(devices), Duration(0)),
        busy_(free_) {
    out_.memory.resize(static_cast<std::size_t>(rule.devices));
  }

  std::string objection() const { return peers_.objection(); }

  // The best place, or nothing.
  std::optional<Attempt> best(const CutOperator& op) {
    std::optional<Attempt> found;
    for (const Devices& devices : candidates(op)) {
      std::optional<Attempt> next = attempt(op, devices);
      if (next && (!found || next->cost() < found->cost())) found = std::move(next);
    }
    return found;
  }

  std::optional<Attempt> attempt(const CutOperator& op, const Devices& devices) {
    Attempt it{op, devices, {}, {}, peers_, {}};
    for (std::size_t p = 0; p < devices.size(); ++p) {
      it.ends.push_back(at(free_, devices[p]));
      if (!fits(op.pieces[p], devices[p])) return std::nullopt;
    }
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (!deliver(it, op.inputs[i], {devices, op.needs[i]})) return std::nullopt;
    }
    if (op.shared && !share_weights(it)) return std::nullopt;
    for (std::size_t p = 0; p < devices.size(); ++p) it.ends[p] += op.pieces[p].forward;
    return it;
  }

  void commit(Attempt it) {
    for (std::size_t p = 0; p < it.devices.size(); ++p) {
      const Piece& piece = it.op.pieces[p];
      at(free_, it.devices[p]) = it.ends[p];
      at(busy_, it.devices[p]) += piece.forward + piece.backward;
      StageMemory& memory = at(out_.memory, it.devices[p]);
      memory = sum(memory, piece_memory(piece, job_));
    }
    peers_ = std::move(it.peers);
    forward_ = std::max(forward_, it.last());
    ends_.push_back(std::move(it.ends));
    out_.operators.push_back(std::move(it.op));
    out_.devices.push_back(std::move(it.devices));
    out_.inputs.push_back(std::move(it.inputs));
    for (Delivery& delivery : it.deliveries) {
      sent_[delivery.from].push_back(static_cast<int>(out_.deliveries.size()));
      out_.deliveries.push_back(std::move(delivery));
    }
  }

  // Whether it is the memory that leaves no place.
  std::optional<Infeasible> memory_objection(const std::string& name, const CutOperator& op) const {
    Devices all(static_cast<std::size_t>(count_));
    std::iota(all.begin(), all.end(), 0);
    const auto with_room =
        std::count_if(all.begin(), all.end(), [&](int d) { return fits(op.pieces.front(), d); });
    if (with_room >= static_cast<std::ptrdiff_t>(op.pieces.size())) return std::nullopt;
    Bytes least = *rule_.limits.memory;
    for (const int d : all) least = std::min(least, at(out_.memory, d).total());
    return Infeasible{fmt::format("{} needs {} on a device; of {} at most {} are left", name,
                                  readable(piece_memory(op.pieces.front(), job_).total()),
                                  readable(*rule_.limits.memory),
                                  readable(*rule_.limits.memory - least))};
  }

  GroupPlacement placement() {
    out_.length = forward_ + backward_length(out_, rule_.devices, rule_.link);
    return std::move(out_);
  }

 private:
  bool fits(const Piece& piece, int device) const {
    if (!rule_.limits.memory) return true;
    return at(out_.memory, device).total() + piece_memory(piece, job_).total() <=
           *rule_.limits.memory;
  }

  // Nothing is gained by another order of pieces alike, and operators in the same order agree.
  static bool alike(const CutOperator& op) {
    return std::all_of(op.pieces.begin(), op.pieces.end(), [&](const Piece& it) {
      return it.forward == op.pieces.front().forward && it.kept == op.pieces.front().kept;
    });
  }

  // Where to try: each piece where it ends earliest, where the operators before it are, and under
  // limits also every run of neighbours.
  std::vector<Devices> candidates(const CutOperator& op) const {
    std::vector<Devices> all;
    const auto put = [&](const Devices& devices) {
      if (std::find(all.begin(), all.end(), devices) == all.end()) all.push_back(devices);
    };
    const Devices earliest = earliest_devices(op);
    if (!earliest.empty()) {
      Devices sorted = earliest;
      std::sort(sorted.begin(), sorted.end());
      if (alike(op)) put(sorted);
      put(earliest);
    }
    for (const int input : op.inputs) {
      const Devices& before = at(out_.devices, input);
      if (before.size() == op.pieces.size()) put(before);
    }
    const int runs = rule_.limits.memory || peers_.limited() ? count_ : 1;
    for (int first = 0; first < runs; ++first) {
      Devices run;
      for (int p = 0; p < static_cast<int>(op.pieces.size()); ++p) {
        run.push_back((first + p) % count_);
      }
      put(run);
    }
    return all;
  }

  // Piece after piece, the longest first; of places alike the one that has less to do in all.
  Devices earliest_devices(const CutOperator& op) const {
    Devices devices;
    std::vector<char> taken(static_cast<std::size_t>(count_), 0);
    for (std::size_t p = 0; p < op.pieces.size(); ++p) {
      std::optional<std::tuple<Duration, Duration, int>> best;
      for (int d = 0; d < count_; ++d) {
        if (at(taken, d) != 0 || !fits(op.pieces[p], d)) continue;
        const Duration end = std::max(at(free_, d), arrival(op, p, d)) + op.pieces[p].forward;
        const std::tuple<Duration, Duration, int> here(end, at(busy_, d), d);
        if (!best || here < *best) best = here;
      }
      if (!best) return {};
      devices.push_back(std::get<2>(*best));
      at(taken, devices.back()) = 1;
    }
    return devices;
  }

  // When a piece could have its inputs on a device, if each were sent by itself.
  Duration arrival(const CutOperator& op, std::size_t piece, int device) const {
    Duration latest{0};
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const CutOperator& from = at(out_.operators, op.inputs[i]);
      const Devices& holders = at(out_.devices, op.inputs[i]);
      const std::vector<Duration>& ends = at(ends_, op.inputs[i]);
      const auto here = std::find(holders.begin(), holders.end(), device);
      std::int64_t missing = elements(op.needs[i][piece]);
      if (from.sums) {
        missing *= 2;  // as by an all-reduce
      } else if (here != holders.end()) {
        const auto own = static_cast<std::size_t>(here - holders.begin());
        missing -= elements(overlap(from.pieces[own].output, op.needs[i][piece]));
      }
      Duration ready = missing > 0 || here == holders.end()
                           ? *std::max_element(ends.begin(), ends.end())
                           : ends[static_cast<std::size_t>(here - holders.begin())];
      if (missing > 0 && !delivered(op.inputs[i], op.needs[i][piece], device)) {
        ready += transfer_time({missing * bytes_of(job_.precision)}, rule_.link.bandwidth) +
                 rule_.link.latency;
      }
      latest = std::max(latest, ready);
    }
    return latest;
  }

  bool delivered(int from, const Boxes& need, int device) const {
    const auto sent = sent_.find(from);
    if (sent == sent_.end()) return false;
    return std::any_of(sent->second.begin(), sent->second.end(), [&](int index) {
      const Layout& to = at(out_.deliveries, index).to;
      const auto here = std::find(to.devices.begin(), to.devices.end(), device);
      return here != to.devices.end() &&
             to.boxes[static_cast<std::size_t>(here - to.devices.begin())] == need;
    });
  }

  // Brings the output of an operator to the attempt; false where a limit forbids it.
  bool deliver(Attempt& it, int from, Layout to) {
    const auto sent = sent_.find(from);
    if (sent != sent_.end()) {
      for (const int index : sent->second) {
        const Delivery& known = at(out_.deliveries, index);
        if (known.to.devices != to.devices || known.to.boxes != to.boxes) continue;
        if (std::find(it.inputs.begin(), it.inputs.end(), index) == it.inputs.end()) {
          it.inputs.push_back(index);
        }
        wait(it, known);
        return true;
      }
    }
    for (const Delivery& known : it.deliveries) {
      if (known.from == from && known.to.boxes == to.boxes) return true;
    }
    std::optional<Delivery> delivery = new_delivery(it, from, std::move(to));
    if (!delivery) return false;
    it.inputs.push_back(static_cast<int>(out_.deliveries.size() + it.deliveries.size()));
    wait(it, *delivery);
    it.deliveries.push_back(std::move(*delivery));
    return true;
  }

  static void wait(Attempt& it, const Delivery& delivery) {
    for (std::size_t p = 0; p < it.ends.size(); ++p) {
      it.ends[p] = std::max(it.ends[p], delivery.arrival[p]);
    }
  }

  std::optional<Delivery> new_delivery(Attempt& it, int from, Layout to) const {
    const CutOperator& op = at(out_.operators, from);
    Layout layout{at(out_.devices, from), {}, op.sums};
    for (const Piece& piece : op.pieces) layout.boxes.push_back(piece.output);
    const int bytes = bytes_of(job_.precision);
    Delivery delivery{from, std::move(to), {}, {}};
    delivery.exchange = exchange(layout, delivery.to, op.whole, bytes);
    if (!connect(it, delivery.exchange)) {
      if (!rule_.rings) return std::nullopt;
      delivery.exchange = exchange_on_ring(layout, delivery.to, op.whole, bytes, rule_.devices);
      if (!connect(it, delivery.exchange)) return std::nullopt;
    }
    delivery.arrival = arrivals(delivery.exchange.forward, layout.devices, at(ends_, from),
                                delivery.to.devices, rule_.link);
    it.back += estimated_time(delivery.exchange.backward, rule_.link);
    return delivery;
  }

  bool connect(Attempt& it, const Exchange& exchange) const {
    if (!peers_.limited()) return true;
    std::optional<Peers> more = it.peers.with(exchange.forward);
    if (more) more = more->with(exchange.backward);
    if (more) it.peers = std::move(*more);
    return more.has_value();
  }

  // Pieces with the same weights add up their gradients over the ring of their devices.
  bool share_weights(Attempt& it) const {
    if (!peers_.limited()) return true;
    Devices devices = it.devices;
    std::sort(devices.begin(), devices.end());
    return connect(it, {{Transfer{CollectiveKind::all_reduce, devices, {}}}, {}});
  }

  const Job& job_;
  const ListRule& rule_;
  const int count_;  // devices in use
  Peers peers_;
  std::vector<Duration> free_;               // from when on, by device
  std::vector<Duration> busy_;               // in all, forward and backward
  std::vector<std::vector<Duration>> ends_;  // by operator, then by piece
  std::map<int, std::vector<int>> sent_;     // deliveries of an operator
  Duration forward_{0};
  GroupPlacement out_;
};

std::variant<GroupPlacement, Infeasible> schedule_on(int devices,
                                                     const std::vector<CutOperator>& operators,
                                                     const Model& model, const Job& job,
                                                     const ListRule& rule,
                                                     const CutAgain& cut_again) {
  ListScheduler scheduler(job, rule, devices);
  const std::string wrong = scheduler.objection();
  if (!wrong.empty()) return Infeasible{wrong};
  for (int op = 0; op < static_cast<int>(operators.size()); ++op) {
    CutOperator cut = at(operators, op);
    if (cut.cut.ways > devices) cut = cut_again(op, {cut.cut.dimension, devices});
    std::optional<Attempt> placed = scheduler.best(cut);
    while (!placed && cut.cut.ways > 1) {
      cut = cut_again(op, {cut.cut.dimension, cut.cut.ways - 1});
      placed = scheduler.best(cut);
    }
    if (!placed) {
      const std::string& name = at(model.operators, op).name;
      const auto full = rule.limits.memory ? scheduler.memory_objection(name, cut) : std::nullopt;
      if (full) return *full;
      return Infeasible{fmt::format("no device can get what {} needs within its peers", name)};
    }
    scheduler.commit(std::move(*placed));
  }
  return scheduler.placement();
}

}  // namespace

StageMemory piece_memory(const Piece& piece, const Job& job) {
  return {.weights = {piece.parameters * bytes_of(job.precision)},
          .gradients = {piece.updated * job.gradient_bytes},
          .optimizer = {piece.parameters * state_bytes(job)},
          .activations = piece.kept};
}

std::variant<GroupPlacement, Infeasible> list_schedule(const std::vector<CutOperator>& operators,
                                                       const Model& model, const Job& job,
                                                       const ListRule& rule,
                                                       const CutAgain& cut_again) {
  auto placed = schedule_on(rule.devices, operators, model, job, rule, cut_again);
  // Without rings a piece may find all its inputs out of reach: fewer devices have fewer peers.
  for (int devices = rule.devices - 1;
       devices > 0 && !rule.rings && std::holds_alternative<Infeasible>(placed); --devices) {
    placed = schedule_on(devices, operators, model, job, rule, cut_again);
  }
  if (auto* found = std::get_if<GroupPlacement>(&placed)) {
    return improve(std::move(*found), job, rule);
  }
  return placed;
}

std::optional<GroupPlacement> schedule_as(const std::vector<CutOperator>& operators,
                                          const std::vector<std::vector<int>>& devices,
                                          const Job& job, const ListRule& rule) {
  ListScheduler scheduler(job, rule, rule.devices);
  for (std::size_t op = 0; op < operators.size(); ++op) {
    std::optional<Attempt> placed = scheduler.attempt(operators[op], devices[op]);
    if (!placed) return std::nullopt;
    scheduler.commit(std::move(*placed));
  }
  return scheduler.placement();
}

}  // namespace loom
