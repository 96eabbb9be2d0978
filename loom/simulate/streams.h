// Streams: the unit by which collectives share links.
//
// A communication library feeds a link from one queue per collective, however many peers it serves.
// So the messages that a device sends at the same time, in one phase of a collective and over the
// same first link, form one stream and together count as one flow; a message outside collectives is
// a stream. Messages are concurrent if their channels have equal depth. All messages of a phase
// whose first links have equal bandwidth get the same weight, that of a message in the phase's
// largest stream, so a collective that has the network to itself shares it by messages.
#pragma once

#include <utility>
#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

class Streams {
 public:
  // If `each_message`, every message is a stream of its own.
  Streams(const workload::Workload& workload, const fabric::Network& network, bool each_message);

  // Weight of a message of a collective, given the bandwidth of the first link of its route.
  int weight(OperationId operation, int phase, Bandwidth first_link) const;
  // Weight of a stream, and so of a message outside collectives.
  int whole() const { return whole_; }

 private:
  // The size of the largest stream of a phase, by the bandwidth of its first link.
  using PhaseSizes = std::vector<std::pair<Bandwidth, int>>;
  using Sizes = std::vector<PhaseSizes>;  // by phase

  void choose_weight();

  std::vector<int> pattern_of_;  // per operation; -1: it is not a collective
  std::vector<Sizes> sizes_;     // per pattern
  int whole_ = 1;
};

}  // namespace loom::simulate
