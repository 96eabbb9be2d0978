#include "loom/photonic/serving/fifo_processor.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "loom/base/error.h"
#include "loom/model/kernel_time.h"
#include "loom/photonic/serving/tick_processor.h"

namespace loom::photonic {
namespace {

// PCI Express 4.0: 16 lanes of 16 GT/s, 128 of 130 bits carry data (PCI-SIG base specification).
constexpr Bandwidth kPciExpress{252'000'000'000};

// Time of a request in the host. The authors measured 0.581 to 0.615 ms for the image networks on
// their server with an A100 (tick_processor.cc).
constexpr Duration kHost = std::chrono::microseconds(600);

Duration kernel_time(const ServedKernel& kernel, const model::Accelerator& accelerator, int batch) {
  constexpr model::Precision kPrecision = model::Precision::fp16;
  const double bytes = static_cast<double>(kernel.moved) * bytes_of(kPrecision) * batch;
  if (kernel.kind == model::OperatorKind::attention) {
    const double flops = static_cast<double>(kernel.product.flops()) * batch;
    return fused_time(accelerator, kPrecision, flops, bytes);
  }
  if (kernel.kind == model::OperatorKind::lookup || kernel.kind == model::OperatorKind::memory) {
    return memory_time(accelerator, bytes);
  }
  model::MatrixProduct product = kernel.product;
  product.rows *= batch;
  return product_time(accelerator, kPrecision, product);
}

model::Accelerator a100_with(const char* memory, const char* bandwidth) {
  const SourceLocation location = location_of("the A100 of the serving study");
  Tree map{Tree::Kind::map, location, "", {}, {}};
  map.entries.push_back({"base", scalar_tree("a100", location)});
  map.entries.push_back({"memory", scalar_tree(memory, location)});
  map.entries.push_back({"memory_bandwidth", scalar_tree(bandwidth, location)});
  return model::read_accelerator(map);
}

struct Waiting {
  int request = 0;
  int model = 0;
  Duration ready{0};
};

// The requests in order of arrival, with the time at which the input has passed the link and the
// host.
std::vector<Waiting> all_ready(const FifoProcessor& processor,
                               const std::vector<ServedModel>& models,
                               const std::vector<Arrival>& arrivals) {
  std::vector<std::size_t> order(arrivals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return arrivals[a].nanoseconds < arrivals[b].nanoseconds;
  });
  std::vector<Waiting> ready;
  Duration link_free{0};
  for (const std::size_t i : order) {
    const Duration arrival = std::chrono::nanoseconds(arrivals[i].nanoseconds);
    const Bytes input = models[static_cast<std::size_t>(arrivals[i].model)].input;
    Duration come = arrival;
    if (processor.link.bits_per_second > 0) {
      link_free = add(std::max(arrival, link_free), transfer_time(input, processor.link));
      come = link_free;
    }
    ready.push_back({static_cast<int>(i), arrivals[i].model, add(come, processor.host)});
  }
  return ready;
}

// Removes a batch from the queue: the oldest request and further requests for the same network, in
// order of arrival.
std::vector<int> take_batch(std::deque<Waiting>& queue, int max_size) {
  const int model = queue.front().model;
  std::vector<int> batch;
  std::deque<Waiting> rest;
  for (const Waiting& it : queue) {
    if (it.model == model && static_cast<int>(batch.size()) < max_size) {
      batch.push_back(it.request);
    } else {
      rest.push_back(it);
    }
  }
  queue = std::move(rest);
  return batch;
}

double nanoseconds(Duration time) { return static_cast<double>(time.count()) / 1e3; }
}  // namespace

Completions simulate_fifo(const FifoProcessor& processor, const std::vector<ServedModel>& models,
                          const std::vector<Arrival>& arrivals, std::size_t first) {
  first = first == 0 ? arrivals.size() : std::min(first, arrivals.size());
  const std::vector<Waiting> ready = all_ready(processor, models, arrivals);
  Completions done;
  std::deque<Waiting> queue;
  std::size_t next = 0;
  std::size_t open = first;
  Duration now{0};
  while (open > 0) {
    if (queue.empty()) now = std::max(now, ready[next].ready);
    while (next < ready.size() && ready[next].ready <= now) queue.push_back(ready[next++]);
    const auto model = static_cast<std::size_t>(queue.front().model);
    const std::vector<int> batch = take_batch(queue, processor.max_batch);
    const Duration service = processor.service[model][batch.size() - 1];
    now = add(now, service);
    done.busy_seconds += seconds(service);
    const Bytes output = models[model].output;
    const Duration back =
        processor.link.bits_per_second == 0 ? Duration(0) : transfer_time(output, processor.link);
    for (const int request : batch) {
      const auto at = static_cast<std::size_t>(request);
      const Duration arrived = std::chrono::nanoseconds(arrivals[at].nanoseconds);
      done.all.push_back({request, static_cast<int>(model), nanoseconds(now + back - arrived)});
      if (at < first) --open;
    }
  }
  done.end_seconds = seconds(now);
  return done;
}

FifoProcessor batching_gpu(std::string name, const model::Accelerator& accelerator, Power power,
                           Duration host, int max_batch, const std::vector<ServedModel>& models) {
  FifoProcessor processor{std::move(name), power, host, kPciExpress, max_batch, {}};
  for (const ServedModel& model : models) {
    std::vector<Duration> times;
    for (int batch = 1; batch <= max_batch && !model.kernels.empty(); ++batch) {
      Duration sum{0};
      for (const ServedKernel& it : model.kernels) {
        sum = add(sum, kernel_time(it, accelerator, batch));
      }
      times.push_back(sum);
    }
    processor.service.push_back(std::move(times));
  }
  return processor;
}

// NVIDIA A100 40GB PCIe product brief, PB-10137-001: 1555 GB/s, 250 W.
FifoProcessor fair_a100(int max_batch, const std::vector<ServedModel>& models) {
  return batching_gpu("A100-fair", a100_with("40 GB", "1555 GB/s"), {250'000'000}, kHost, max_batch,
                      models);
}

// NVIDIA A100X datasheet: 80 GB at 2039 GB/s, 300 W. Packets reach the GPU without a host.
FifoProcessor fair_a100x(int max_batch, const std::vector<ServedModel>& models) {
  return batching_gpu("A100X-fair", a100_with("80 GB", "2039 GB/s"), {300'000'000}, Duration(0),
                      max_batch, models);
}

FifoProcessor fed_lightning(Bandwidth memory, const std::vector<ServedModel>& models) {
  const TickProcessor lightning = published_processors().front();
  FifoProcessor processor{"Lightning-fed", lightning.power, {}, {}, 1, {}};
  for (const ServedModel& model : models) {
    processor.service.emplace_back();
    if (model.kernels.empty()) continue;
    double sum = static_cast<double>(lightning.pass_nanoseconds * model.passes) / 1e9;
    for (const ServedKernel& it : model.kernels) {
      const double multiplications = static_cast<double>(it.product.flops()) / 2;
      const double light = multiplications / lightning.multiplications_per_second();
      sum += std::max(light, static_cast<double>(it.parameters) * 8 /
                                 static_cast<double>(memory.bits_per_second));
    }
    processor.service.back().emplace_back(static_cast<std::int64_t>(std::ceil(sum * 1e12)));
  }
  return processor;
}

}  // namespace loom::photonic
