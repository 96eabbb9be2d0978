// The testbed: senders, a router and receivers in three network namespaces.
//
//   senders ──veth── router ══veth══ receivers
//                           bottleneck: ECN marker, then HTB with a bounded queue
//
// The bottleneck is one hop away from the senders. If it were on their own network device, TCP
// small queues would limit the senders, and no packet would ever be dropped.
#pragma once

#include <cstdint>
#include <memory>

#include "bpf/bench.h"
#include "bpf/descriptor.h"

namespace loom::bpf {

class Object;

class Bed {
 public:
  explicit Bed(const BenchSpec& spec);
  ~Bed();
  Bed(const Bed&) = delete;
  Bed& operator=(const Bed&) = delete;

  const Descriptor& senders() const { return senders_; }
  const Descriptor& receivers() const { return receivers_; }
  static constexpr const char* kReceiver = "10.77.2.1";

  struct Counts {
    std::int64_t packets = 0;
    std::int64_t marked = 0;
  };
  Counts counts() const;  // since the testbed was set up; zero if marking is off

 private:
  void join(const Descriptor& end, const std::string& name, const std::string& address,
            const std::string& peer, const std::string& peer_address) const;
  void shape(const BenchSpec& spec);

  Descriptor senders_;
  Descriptor router_;
  Descriptor receivers_;
  std::unique_ptr<Object> marker_;
};

}  // namespace loom::bpf
