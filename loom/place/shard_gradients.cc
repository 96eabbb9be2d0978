#include "loom/place/shard_gradients.h"

namespace loom::place {
namespace {

constexpr OperationTag kTag = {.purpose = Purpose::data, .forward = false};

}  // namespace

void ShardGradients::add(const std::vector<int>& devices, Bytes size, const Operations& made_by) {
  if (size.count == 0 || (devices.size() == 1 && operations_.replicas() == 1)) return;
  Bucket& bucket = open_[devices];
  bucket.size += size;
  bucket.after = made_by;  // the gradients that were added before are complete by then
  if (!job_.overlap_gradients || bucket.size < job_.bucket) return;
  reduce(devices, bucket);
  open_.erase(devices);
}

void ShardGradients::flush(const std::vector<Operations>& ended) {
  for (auto& it : open_) {
    if (!job_.overlap_gradients) {
      it.second.after.clear();
      for (const int d : it.first) merge(it.second.after, ended[static_cast<std::size_t>(d)]);
    }
    reduce(it.first, it.second);
  }
  open_.clear();
}

// Sends as many bytes as one ring all-reduce over all shards in all replicas.
void ShardGradients::reduce(const std::vector<int>& devices, const Bucket& bucket) {
  Operations after = bucket.after;
  for (const int d : devices) merge(after, last(d));
  const auto count = static_cast<std::int64_t>(devices.size());
  if (count == 1) {
    return then(devices, operations_.reduce_replicas(devices.front(), bucket.size, after, kTag));
  }
  const auto inside = [&](workload::CollectiveKind kind) {
    then(devices, operations_.transfer({kind, devices, bucket.size}, after, kTag));
    after = last(devices.front());
  };
  if (operations_.replicas() == 1) return inside(workload::CollectiveKind::all_reduce);
  inside(workload::CollectiveKind::reduce_scatter);
  const Bytes shard_size{(bucket.size.count + count - 1) / count};
  const Operations scattered = after;
  after.clear();
  for (const int d : devices) {
    after.push_back(operations_.reduce_replicas(d, shard_size, scattered, kTag));
  }
  inside(workload::CollectiveKind::all_gather);
}

void ShardGradients::then(const std::vector<int>& devices, std::uint32_t done) {
  for (const int d : devices) last_[static_cast<std::size_t>(d)] = {done};
}

void ShardGradients::next_iteration() {
  for (Operations& it : last_) it.clear();
}

}  // namespace loom::place
