#include "loom/foreign/msccl.h"

#include <fmt/format.h>

#include <vector>

#include "loom/base/error.h"

namespace loom::foreign {
namespace {

// Position and neighbors of a rank on one ring.
struct RingPlace {
  int position = 0;
  int next = 0;      // rank of the successor
  int previous = 0;  // rank of the predecessor
};

class Writer {
 public:
  Writer(const workload::Collective& collective, int ranks)
      : kind_(collective.kind), ranks_(ranks) {
    std::vector<int> steps = collective.steps;
    if (collective.algorithm != workload::Algorithm::rings) steps = {1};
    if (collective.algorithm == workload::Algorithm::bidirectional_ring) steps.push_back(ranks - 1);
    for (const int step : steps) orders_.push_back(order_of(step));
  }

  std::string xml() {
    const int chunks = ranks_ * static_cast<int>(orders_.size());
    text_ = fmt::format(
        "<algo name=\"{}_rings\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" "
        "ngpus=\"{}\" coll=\"{}\" inplace=\"1\" outofplace=\"0\" minBytes=\"0\" maxBytes=\"0\">\n",
        coll(), orders_.size(), chunks, ranks_, coll());
    for (int rank = 0; rank < ranks_; ++rank) write_gpu(rank, chunks);
    return text_ + "</algo>\n";
  }

 private:
  std::string_view coll() const {
    return kind_ == workload::CollectiveKind::all_reduce       ? "allreduce"
           : kind_ == workload::CollectiveKind::reduce_scatter ? "reduce_scatter"
                                                               : "allgather";
  }

  std::vector<int> order_of(int step) const {
    std::vector<int> order;
    for (int i = 0, rank = 0; i < ranks_; ++i, rank = (rank + step) % ranks_) order.push_back(rank);
    return order;
  }

  RingPlace place_of(int rank, const std::vector<int>& order) const {
    RingPlace place;
    while (order[static_cast<std::size_t>(place.position)] != rank) ++place.position;
    place.next = order[static_cast<std::size_t>((place.position + 1) % ranks_)];
    place.previous = order[static_cast<std::size_t>((place.position + ranks_ - 1) % ranks_)];
    return place;
  }

  // The buffer of an in-place collective: input (i) for all-reduce and reduce-scatter, output (o)
  // for all-gather. Chunk c is at offset c in both.
  char buffer() const { return kind_ == workload::CollectiveKind::all_gather ? 'o' : 'i'; }

  void write_gpu(int rank, int chunks) {
    const bool gathers = kind_ == workload::CollectiveKind::all_gather;
    const bool scatters = kind_ == workload::CollectiveKind::reduce_scatter;
    const auto rings = static_cast<int>(orders_.size());
    text_ += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"0\">\n", rank,
                         gathers ? rings : chunks, scatters ? rings : chunks);
    for (int ring = 0; ring < rings; ++ring) write_block(rank, ring);
    text_ += "  </gpu>\n";
  }

  void write_block(int rank, int ring) {
    const RingPlace place = place_of(rank, orders_[static_cast<std::size_t>(ring)]);
    text_ += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", ring,
                         place.next, place.previous, ring);
    step_ = 0;
    if (kind_ != workload::CollectiveKind::all_gather) write_reduction(place.position, ring);
    if (kind_ != workload::CollectiveKind::reduce_scatter) write_gathering(place.position, ring);
    text_ += "    </tb>\n";
  }

  // The chunk of the rank at a position of a ring; positions wrap around.
  int chunk_at(int position, int ring) const {
    const int at = ((position % ranks_) + ranks_) % ranks_;
    const int rank = orders_[static_cast<std::size_t>(ring)][static_cast<std::size_t>(at)];
    return rank * static_cast<int>(orders_.size()) + ring;
  }

  // Writes the steps of the reduction. A rank first sends the chunk of the previous rank, then adds
  // its own values to every chunk that it receives. The last of these is its own chunk, now a sum
  // over all ranks, which an all-reduce forwards at once.
  void write_reduction(int position, int ring) {
    write_step("s", chunk_at(position - 1, ring));
    for (int s = 2; s < ranks_; ++s) write_step("rrs", chunk_at(position - s, ring));
    write_step(kind_ == workload::CollectiveKind::all_reduce ? "rrcs" : "rrc",
               chunk_at(position, ring));
  }

  void write_gathering(int position, int ring) {
    if (kind_ == workload::CollectiveKind::all_gather) write_step("s", chunk_at(position, ring));
    for (int s = 1; s + 1 < ranks_; ++s) write_step("rcs", chunk_at(position - s, ring));
    write_step("r", chunk_at(position + 1, ring));
  }

  void write_step(std::string_view type, int chunk) {
    text_ += fmt::format(
        "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" "
        "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n",
        step_++, type, buffer(), chunk, buffer(), chunk);
  }

  workload::CollectiveKind kind_;
  int ranks_;
  std::vector<std::vector<int>> orders_;  // per ring: the ranks in ring order
  std::string text_;
  int step_ = 0;
};

}  // namespace

std::optional<Infeasible> msccl_objection(const workload::Collective& collective, int ranks) {
  const bool by_rings = collective.algorithm == workload::Algorithm::ring ||
                        collective.algorithm == workload::Algorithm::bidirectional_ring ||
                        collective.algorithm == workload::Algorithm::rings;
  const bool of_blocks = collective.kind == workload::CollectiveKind::all_reduce ||
                         collective.kind == workload::CollectiveKind::reduce_scatter ||
                         collective.kind == workload::CollectiveKind::all_gather;
  if (by_rings && of_blocks && ranks > 1) return std::nullopt;
  return Infeasible{fmt::format(
      "{} by {} over {} ranks; all_reduce, reduce_scatter or all_gather over rings of two or more "
      "is needed",
      name_of(collective.kind), name_of(collective.algorithm), ranks)};
}

std::string msccl_xml(const workload::Collective& collective, int ranks) {
  LOOM_CHECK(!msccl_objection(collective, ranks), "the caller has checked msccl_objection");
  return Writer(collective, ranks).xml();
}

}  // namespace loom::foreign
