// One operator cut into pieces, as SiP-ML (SIGCOMM 2021, section 4) does inside a model-parallel
// group: by samples, by parameters, or by attributes (tokens, rows of an image).
//
// A cut is the operator's own: what its pieces need of the operators before it is a part of their
// output whatever way those are cut, and what has to be sent follows from both. Pieces differ by at
// most one sample, token, row or grain of features, the larger ones first.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "loom/model/operator_time.h"
#include "loom/parallelize/box.h"
#include "loom/parallelize/operator_shape.h"
#include "loom/parallelize/strategy.h"

namespace loom {

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
  std::int64_t updated = 0;  // of them in one iteration: of tables the rows that were read
  Bytes kept;                // for backward
  Boxes output;
};

struct PartitionedOperator {
  std::string name;
  OperatorPartition partition;
  std::vector<Shard> shards;
  bool sums = false;    // the output is the sum of what the pieces make, each the whole of it
  bool shared = false;  // every piece has the same weights
  int beside = -1;  // an operator before it, whose devices it takes if it can: weights lie there
  std::vector<int> inputs;
  std::vector<std::vector<Boxes>> needs;  // by input, then by piece, in the input's output
  Box whole;                              // its output
  int element_bytes = 2;                  // of its output
};

// All cuts of one model's operators for so many samples.
class OperatorPartitioner {
 public:
  struct Input {
    const Model& model;
    const Job& job;
    const Accelerator& accelerator;
    const MeasuredTimes& measured;
    std::int64_t samples = 1;  // that the group works on together
  };

  explicit OperatorPartitioner(const Input& input);

  // The first reason why the operator cannot be cut so; "" if there is none.
  std::string objection(int op, const OperatorPartition& partition) const;
  // Needs that objection() has none.
  PartitionedOperator partition(int op, const OperatorPartition& partition) const;
  // Forward and backward of one of its pieces.
  OperatorTime shard_time(int op, const OperatorPartition& partition, int shard) const;

  const Model& model() const { return in_.model; }
  int activation_bytes() const { return bytes_of(in_.job.precision); }
  int gradient_bytes() const { return in_.job.gradient_bytes; }

 private:
  std::int64_t extent(int op, PartitionDimension dimension) const;
  Shard shard(int op, const OperatorPartition& partition, int index) const;
  Operator shard_operator(int op, const OperatorPartition& partition, int shard) const;
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

}  // namespace loom
