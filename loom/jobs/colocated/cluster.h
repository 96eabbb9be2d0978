// The cluster that several jobs share, and the network that each job has on its devices.
//
// A job is planned as if isolated: with a network provider (plan/network_provider.h) for its
// devices only, numbered from 0. On a fixed network, all jobs then share the links. On a circuit
// fabric, each job has its own circuits among its devices, and jobs never contend.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "loom/plan/network_provider.h"

namespace loom::jobs {

class Cluster {
 public:
  virtual ~Cluster() = default;

  virtual int devices() const = 0;

  // The network provider for an isolated job on these devices. It must not outlive the cluster.
  virtual std::unique_ptr<plan::NetworkProvider> provider(
      std::span<const int> devices, std::optional<workload::Algorithm> algorithm) const = 0;

  // Whether a job has the same network on both lists of devices; false if that is not known.
  virtual bool equivalent(std::span<const int> a, std::span<const int> b) const = 0;

  // The network of an isolated job on these devices, which are numbered from 0. The plan was made
  // for these devices or for equivalent ones.
  virtual std::shared_ptr<const fabric::Network> isolated_network(
      std::span<const int> devices, const plan::MappedJob& plan) const = 0;

  // The network of all jobs together.
  struct Job {
    std::span<const int> devices;
    const plan::MappedJob* plan = nullptr;
  };
  virtual std::shared_ptr<const fabric::Network> together(std::span<const Job> jobs) const = 0;
};

// A cluster with a fixed network.
class SharedNetwork final : public Cluster {
 public:
  explicit SharedNetwork(fabric::Network network);

  int devices() const override { return network_->devices; }
  std::unique_ptr<plan::NetworkProvider> provider(
      std::span<const int> devices, std::optional<workload::Algorithm> algorithm) const override;
  bool equivalent(std::span<const int> a, std::span<const int> b) const override;
  std::shared_ptr<const fabric::Network> isolated_network(
      std::span<const int> devices, const plan::MappedJob& plan) const override;
  std::shared_ptr<const fabric::Network> together(std::span<const Job> jobs) const override;

 private:
  std::shared_ptr<const fabric::Network> network_;
  int neighborhood_ = 1;
};

// A cluster that provisions circuits once per job. Requires a fabric that can be divided into
// subnetworks.
class SharedCircuits final : public Cluster {
 public:
  explicit SharedCircuits(fabric::CircuitFabric fabric);

  int devices() const override { return fabric_.devices(); }
  std::unique_ptr<plan::NetworkProvider> provider(
      std::span<const int> devices, std::optional<workload::Algorithm> algorithm) const override;
  bool equivalent(std::span<const int> a, std::span<const int> b) const override;
  std::shared_ptr<const fabric::Network> isolated_network(
      std::span<const int> devices, const plan::MappedJob& plan) const override;
  std::shared_ptr<const fabric::Network> together(std::span<const Job> jobs) const override;

 private:
  fabric::CircuitFabric fabric_;
};

// The provisioned circuits of all jobs, with the cluster's device numbers; every job must have
// circuits. `bound` is 1, and `rate` is the ratio of rate to bound of the job where it is smallest.
fabric::Provisioned merge_provisioned(std::span<const Cluster::Job> jobs);

}  // namespace loom::jobs
