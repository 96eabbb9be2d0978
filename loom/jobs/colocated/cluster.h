// What several jobs share, and what each of them finds on its own devices.
//
// A job is planned as it would run alone: on a ground (plan/network_provider.h) of its devices
// only, numbered from 0. Where the network is there all jobs then meet on it. Where circuits are
// set for a job it has its own, among its own devices, and jobs meet nowhere.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "loom/plan/network_provider.h"

namespace loom {

class Cluster {
 public:
  virtual ~Cluster() = default;

  virtual int devices() const = 0;

  // What a job finds on these devices with no other job there. Lives no longer than the cluster.
  virtual std::unique_ptr<NetworkProvider> provider(std::span<const int> devices,
                                                    std::optional<Algorithm> algorithm) const = 0;

  // Whether a job finds on either the same; false where that is not known.
  virtual bool equivalent(std::span<const int> a, std::span<const int> b) const = 0;

  // What the job has to itself on these devices while it is alone, in its own numbers. Its plan was
  // made there or on devices that are alike.
  virtual std::shared_ptr<const Network> isolated_network(std::span<const int> devices,
                                                          const MappedJob& plan) const = 0;

  // What all jobs have together.
  struct Job {
    std::span<const int> devices;
    const MappedJob* plan = nullptr;
  };
  virtual std::shared_ptr<const Network> together(std::span<const Job> jobs) const = 0;
};

// A network that is there.
class SharedNetwork final : public Cluster {
 public:
  explicit SharedNetwork(Network network);

  int devices() const override { return network_->devices; }
  std::unique_ptr<NetworkProvider> provider(std::span<const int> devices,
                                            std::optional<Algorithm> algorithm) const override;
  bool equivalent(std::span<const int> a, std::span<const int> b) const override;
  std::shared_ptr<const Network> isolated_network(std::span<const int> devices,
                                                  const MappedJob& plan) const override;
  std::shared_ptr<const Network> together(std::span<const Job> jobs) const override;

 private:
  std::shared_ptr<const Network> network_;
  int neighbourhood_ = 1;
};

// Circuits that are lit once for each job. Needs a fabric that has parts.
class SharedCircuits final : public Cluster {
 public:
  explicit SharedCircuits(CircuitFabric fabric);

  int devices() const override { return fabric_.devices(); }
  std::unique_ptr<NetworkProvider> provider(std::span<const int> devices,
                                            std::optional<Algorithm> algorithm) const override;
  bool equivalent(std::span<const int> a, std::span<const int> b) const override;
  std::shared_ptr<const Network> isolated_network(std::span<const int> devices,
                                                  const MappedJob& plan) const override;
  std::shared_ptr<const Network> together(std::span<const Job> jobs) const override;

 private:
  CircuitFabric fabric_;
};

// The circuits of all jobs, which have some, in the cluster's numbers. The rate is that of the job
// served worst for what could be, and the bound 1.
Provisioned merge_provisioned(std::span<const Cluster::Job> jobs);

}  // namespace loom
