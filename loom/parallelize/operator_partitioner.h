// Partitions one operator into shards, as SiP-ML (SIGCOMM 2021, section 4) does inside a
// model-parallel group: by samples, by parameters, or by attributes (tokens, image rows).
//
// Each operator is partitioned independently. Its shards need boxes of the outputs of its input
// operators, whatever the partitions of those are; the transfers follow from the two partitions.
// Shards differ by at most one sample, token, row or grain of features; larger shards come first.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "loom/model/operator_time.h"
#include "loom/parallelize/box.h"
#include "loom/parallelize/operator_shape.h"
#include "loom/parallelize/strategy.h"

namespace loom::parallelize {

enum class PartitionDimension : std::uint8_t { sample, parameter, attribute };
inline constexpr std::array<std::string_view, 3> kPartitionDimensionNames = {"sample", "parameter",
                                                                             "attribute"};

struct OperatorPartition {
  PartitionDimension dimension = PartitionDimension::sample;
  int degree = 1;

  bool operator==(const OperatorPartition&) const = default;
};

struct Shard {
  Duration forward{0};
  Duration backward{0};
  std::int64_t parameters = 0;
  std::int64_t updated = 0;  // parameters updated per iteration; of tables, in the rows read
  Bytes kept;                // saved for the backward pass
  Boxes output;
};

struct PartitionedOperator {
  std::string name;
  OperatorPartition partition;
  std::vector<Shard> shards;
  bool sums = false;    // the output is the sum over the shards, each of full size
  bool shared = false;  // all shards have the same weights
  int beside = -1;      // earlier operator with the same weights, whose devices are preferred
  std::vector<int> inputs;
  std::vector<std::vector<Boxes>> needs;  // per input, then per shard; boxes of the input's output
  Box whole;                              // box of the complete output
  int element_bytes = 2;                  // per element of the output
};

// Computes partitions of the operators of a model, for a given number of samples.
class OperatorPartitioner {
 public:
  struct Input {
    const model::Model& model;
    const Job& job;
    const model::Accelerator& accelerator;
    const model::MeasuredTimes& measured;
    std::int64_t samples = 1;  // of the whole group
  };

  explicit OperatorPartitioner(const Input& input);

  // The first reason why this partition is impossible; nothing if it is possible.
  std::optional<Infeasible> objection(int op, const OperatorPartition& partition) const;
  // Requires that there is no objection().
  PartitionedOperator partition(int op, const OperatorPartition& partition) const;
  // Forward and backward time of one shard.
  model::OperatorTime shard_time(int op, const OperatorPartition& partition, int shard) const;

  const model::Model& model() const { return in_.model; }
  int activation_bytes() const { return bytes_of(in_.job.precision); }
  int gradient_bytes() const { return in_.job.gradient_bytes; }

 private:
  std::int64_t extent(int op, PartitionDimension dimension) const;
  Shard shard(int op, const OperatorPartition& partition, int index) const;
  model::Operator shard_operator(int op, const OperatorPartition& partition, int shard) const;
  std::int64_t shard_samples(const OperatorPartition& partition, int shard) const;
  Box slice(int of, const OperatorPartition& partition, int shard,
            const OperatorShape& shape) const;
  Boxes output(int op, const OperatorPartition& partition, int shard) const;
  Boxes need(int op, std::size_t input, const OperatorPartition& partition, int shard) const;
  Boxes attribute_need(int op, std::size_t input, const OperatorPartition& partition,
                       int shard) const;
  Box whole(int op) const;

  Input in_;
  std::vector<OperatorShape> shapes_;
};

}  // namespace loom::parallelize
