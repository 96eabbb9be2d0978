#include "loom/place/lower_pieces.h"

#include <algorithm>
#include <map>

#include "loom/parallelize/footprint.h"
#include "loom/place/at.h"
#include "loom/place/group_operations.h"
#include "loom/place/piece_gradients.h"

namespace loom {
namespace {

void merge(Operations& into, const Operations& more) {
  for (const std::uint32_t it : more) {
    if (std::find(into.begin(), into.end(), it) == into.end()) into.push_back(it);
  }
}

// An operation, and what it waited for on the devices that took part from its begin.
struct Arrival {
  std::uint32_t operation = 0;
  Operations after;
};

class PieceLowerer {
 public:
  PieceLowerer(const PieceLowering& input, const ChooseAlgorithm& choose)
      : in_(input),
        place_(input.placement),
        builder_(input.devices * input.replicas, input.iterations, choose),
        operations_(builder_, input.devices, input.replicas),
        gradients_(operations_, input.job, input.devices),
        computed_(static_cast<std::size_t>(input.devices)),
        made_(place_.operators.size()),
        readers_(place_.deliveries.size()),
        outputs_(place_.operators.size()) {
    for (int op = 0; op < count(); ++op) {
      for (const int delivery : at(place_.inputs, op)) at(readers_, delivery).push_back(op);
    }
    for (int d = 0; d < static_cast<int>(place_.deliveries.size()); ++d) {
      at(outputs_, at(place_.deliveries, d).from).push_back(d);
    }
  }

  LoweredJob run() {
    for (int iteration = 0; iteration < in_.iterations; ++iteration) {
      builder_.set_iteration(iteration);
      arrived_.assign(place_.deliveries.size(), {});
      for (int op = 0; op < count(); ++op) forward(op);
      for (int op = count() - 1; op >= 0; --op) backward(op);
      gradients_.flush(computed_);
      update();
      gradients_.next_iteration();
    }
    return builder_.finish();
  }

 private:
  using Arrivals = std::map<int, std::vector<Arrival>>;  // by device

  int count() const { return static_cast<int>(place_.operators.size()); }

  OperationTag tag(int op, Purpose purpose, bool forward) const {
    return {.purpose = purpose,
            .forward = forward,
            .block = at(in_.model.operators, op).block,
            .micro_batch = 0};
  }

  void forward(int op) {
    Arrivals arrivals;
    for (const int index : at(place_.inputs, op)) {
      const Delivery& delivery = at(place_.deliveries, index);
      if (at(readers_, index).front() == op) {
        at(arrived_, index) = send(delivery.exchange.forward, delivery.from,
                                   tag(delivery.from, Purpose::tensor, true));
      }
      for (const auto& it : at(arrived_, index)) {
        auto& mine = arrivals[it.first];
        mine.insert(mine.end(), it.second.begin(), it.second.end());
      }
    }
    compute(op, arrivals, true);
  }

  // Gradients come back from all that read the output, then the pieces do their own.
  void backward(int op) {
    Arrivals arrivals;
    for (const int index : at(outputs_, op)) {
      const Delivery& delivery = at(place_.deliveries, index);
      // Of its readers the first is the last to go backward.
      const Arrivals sent = send(delivery.exchange.backward, at(readers_, index).front(),
                                 tag(op, Purpose::tensor, false));
      for (const auto& it : sent) {
        auto& mine = arrivals[it.first];
        mine.insert(mine.end(), it.second.begin(), it.second.end());
      }
    }
    compute(op, arrivals, false);
    add_gradients(op);
  }

  // What `from` has just made; its messages leave a device one after another.
  Arrivals send(const std::vector<Transfer>& transfers, int from, const OperationTag& tag) {
    Arrivals arrivals;
    std::map<int, std::uint32_t> before;  // message of a source
    for (const Transfer& it : transfers) {
      const bool message = it.kind == CollectiveKind::point_to_point;
      Operations after;
      for (const int d : it.devices) {
        const auto made = at(made_, from).find(d);
        if (made != at(made_, from).end()) merge(after, {made->second});
        if (message) break;
      }
      const auto last = before.find(it.devices.front());
      if (message && last != before.end()) after.push_back(last->second);
      const std::uint32_t sent = operations_.transfer(it, after, tag);
      if (!message) {
        for (const int d : it.devices) arrivals[d].push_back({sent, after});
        continue;
      }
      before[it.devices.front()] = sent;
      arrivals[it.devices.back()].push_back({sent, {}});
    }
    return arrivals;
  }

  // What a device waits for: what comes, and the computation before, unless what comes did so too.
  Operations waits(int device, const Arrivals& arrivals) const {
    Operations after;
    Operations implied;
    const auto mine = arrivals.find(device);
    if (mine != arrivals.end()) {
      for (const Arrival& it : mine->second) {
        merge(after, {it.operation});
        merge(implied, it.after);
      }
    }
    for (const std::uint32_t it : at(computed_, device)) {
      if (std::find(implied.begin(), implied.end(), it) == implied.end()) merge(after, {it});
    }
    return after;
  }

  // Pieces that take as long and wait for the same are one operation.
  void compute(int op, const Arrivals& arrivals, bool forward) {
    const CutOperator& cut = at(place_.operators, op);
    std::map<std::pair<Duration, Operations>, std::vector<int>> alike;
    for (std::size_t p = 0; p < cut.pieces.size(); ++p) {
      const int device = at(place_.devices, op)[p];
      const Piece& piece = cut.pieces[p];
      alike[{forward ? piece.forward : piece.backward, waits(device, arrivals)}].push_back(device);
    }
    at(made_, op).clear();
    for (auto& it : alike) {
      std::sort(it.second.begin(), it.second.end());
      const std::uint32_t done = operations_.compute(it.second, it.first.first, it.first.second,
                                                     tag(op, Purpose::compute, forward));
      for (const int device : it.second) {
        at(computed_, device) = {done};
        at(made_, op)[device] = done;
      }
    }
  }

  void add_gradients(int op) {
    const CutOperator& cut = at(place_.operators, op);
    const auto size = [&](const Piece& piece) {
      return Bytes{piece.updated * in_.job.gradient_bytes};
    };
    std::vector<int> devices = at(place_.devices, op);
    if (cut.shared) {
      std::sort(devices.begin(), devices.end());
      Operations made_by;
      for (const int d : devices) merge(made_by, at(computed_, d));
      gradients_.add(devices, size(cut.pieces.front()), made_by);
      return;
    }
    for (std::size_t p = 0; p < devices.size(); ++p) {
      gradients_.add({devices[p]}, size(cut.pieces[p]), at(computed_, devices[p]));
    }
  }

  void update() {
    std::vector<double> parameters(static_cast<std::size_t>(in_.devices), 0);
    for (int op = 0; op < count(); ++op) {
      const std::vector<Piece>& pieces = at(place_.operators, op).pieces;
      for (std::size_t p = 0; p < pieces.size(); ++p) {
        at(parameters, at(place_.devices, op)[p]) += static_cast<double>(pieces[p].updated);
      }
    }
    std::map<std::pair<double, Operations>, std::vector<int>> alike;
    for (int d = 0; d < in_.devices; ++d) {
      if (at(parameters, d) == 0) continue;
      Operations after = at(computed_, d);
      merge(after, gradients_.last(d));
      alike[{at(parameters, d), after}].push_back(d);
    }
    for (const auto& it : alike) {
      const Duration time = update_time(in_.job, in_.accelerator, it.first.first);
      const std::uint32_t done =
          operations_.compute(it.second, time, it.first.second, {.purpose = Purpose::optimizer});
      for (const int d : it.second) at(computed_, d) = {done};
    }
  }

  const PieceLowering& in_;
  const GroupPlacement& place_;
  JobBuilder builder_;
  GroupOperations operations_;
  PieceGradients gradients_;
  std::vector<Operations> computed_;                // last on each device
  std::vector<std::map<int, std::uint32_t>> made_;  // last of each operator, by device
  std::vector<std::vector<int>> readers_;           // of a delivery
  std::vector<std::vector<int>> outputs_;           // deliveries of an operator's output
  std::vector<Arrivals> arrived_;                   // by delivery
};

// Their usual algorithms, which for all but messages and exchanges among all are rings.
Collective on_rings(const Collective& wanted) {
  Collective chosen = wanted;
  chosen.algorithm = algorithms_for(wanted.kind).front();
  return chosen;
}

}  // namespace

LoweredJob lower_pieces(const PieceLowering& input, const ChooseAlgorithm& choose) {
  if (!input.rings) return PieceLowerer(input, choose).run();
  return PieceLowerer(input,
                      [](const Collective& wanted, const Groups&) { return on_rings(wanted); })
      .run();
}

}  // namespace loom
