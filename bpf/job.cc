#include "bpf/job.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <memory>
#include <thread>

#include "bpf/namespaces.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

using std::chrono::duration_cast;

constexpr std::size_t kBuffer = std::size_t{256} * 1024;
// Maximum size of a socket buffer. A job hands all bytes of an iteration to the kernel at once,
// like a job with its gradients in memory. If the buffer holds all bytes, the kernel sends them
// without the process, so that process scheduling does not matter.
constexpr std::int64_t kLargestBuffer = 256'000'000;

void set(const Descriptor& socket, int level, int option, int value) {
  ::setsockopt(socket.number(), level, option, &value, sizeof(value));
}

Descriptor new_socket(const JobSpec& job) {
  Descriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  LOOM_CHECK(static_cast<bool>(made), "a socket can be opened");
  const auto whole = duration_cast<std::chrono::microseconds>(job.stall).count();
  const timeval limit = {.tv_sec = whole / 1'000'000, .tv_usec = whole % 1'000'000};
  ::setsockopt(made.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  ::setsockopt(made.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  // The kernel doubles the value to account for per-packet overhead.
  const auto buffer = static_cast<int>(std::min(job.size.count * 3 / 2, kLargestBuffer));
  set(made, SOL_SOCKET, SO_SNDBUFFORCE, buffer);
  set(made, SOL_SOCKET, SO_RCVBUFFORCE, buffer);
  set(made, SOL_SOCKET, SO_REUSEADDR, 1);
  set(made, IPPROTO_TCP, TCP_NODELAY, 1);
  return made;
}

sockaddr_in address_of(const char* host, std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, host, &address.sin_addr);
  return address;
}

[[noreturn]] void give_up(const JobSpec& job, const char* what) {
  throw LimitError(fmt::format("a job using {} {} for {}: {}", job.algorithm, what,
                               readable(job.stall), std::strerror(errno)));
}

Descriptor connected(const JobSpec& job) {
  Descriptor socket = new_socket(job);
  if (::setsockopt(socket.number(), IPPROTO_TCP, TCP_CONGESTION, job.algorithm.data(),
                   static_cast<socklen_t>(job.algorithm.size())) != 0) {
    throw InputError({}, fmt::format("the kernel has no congestion control '{}'; 'sysctl "
                                     "net.ipv4.tcp_available_congestion_control' lists them",
                                     job.algorithm));
  }
  const sockaddr_in address = address_of(Bed::kReceiver, job.port);
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
      0) {
    give_up(job, "could not connect");
  }
  return socket;
}

void send_all(const JobSpec& job, int socket, const std::vector<char>& buffer) {
  std::int64_t left = job.size.count;
  while (left > 0) {
    const auto now = static_cast<std::size_t>(std::min<std::int64_t>(left, kBuffer));
    const ssize_t sent = ::send(socket, buffer.data(), now, MSG_NOSIGNAL);
    if (sent <= 0) give_up(job, "could not send");
    left -= sent;
  }
  char answer = 0;
  if (::recv(socket, &answer, 1, 0) != 1) give_up(job, "had no answer");
}

Duration since(BenchClock::time_point epoch) {
  return duration_cast<Duration>(BenchClock::now() - epoch);
}

void sleep_for(Duration time) {
  std::this_thread::sleep_for(duration_cast<std::chrono::nanoseconds>(time));
}

Duration some_of(Duration max, Random& random) {
  const auto steps = duration_cast<std::chrono::microseconds>(max).count();
  return std::chrono::microseconds(random(static_cast<std::uint32_t>(steps) + 1));
}

}  // namespace

void receive(const Bed& bed, const JobSpec& job, const std::function<void()>& ready) {
  enter(bed.receivers());
  const Descriptor door = new_socket(job);
  const sockaddr_in address = address_of(Bed::kReceiver, job.port);
  const bool listens =
      ::bind(door.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      ::listen(door.number(), 1) == 0;
  ready();
  LOOM_CHECK(listens, "a port of a new namespace is free");
  const Descriptor socket(::accept4(door.number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket) return;  // the sender reports the cause
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  std::vector<char> buffer(kBuffer);
  for (std::int64_t got = 0;;) {
    const ssize_t count = ::recv(socket.number(), buffer.data(), buffer.size(), 0);
    if (count <= 0) return;
    got += count;
    if (got >= job.size.count) {
      got -= job.size.count;
      ::send(socket.number(), buffer.data(), 1, MSG_NOSIGNAL);
    }
  }
}

std::vector<Burst> send(const Bed& bed, JobSpec job) {
  enter(bed.senders());
  const Descriptor socket = connected(job);
  const std::vector<char> buffer(kBuffer, 'x');
  std::vector<Burst> bursts;
  std::this_thread::sleep_until(job.epoch + duration_cast<BenchClock::duration>(job.start));
  for (int i = 0; i < job.iterations; ++i) {
    if (i > 0) sleep_for(job.compute + some_of(job.jitter, job.random));
    if (job.agent != nullptr) job.agent->wait();
    if (since(job.epoch) > job.limit) {
      throw LimitError(fmt::format("a job using {} had finished {} of {} iterations after {}",
                                   job.algorithm, i, job.iterations, readable(job.limit)));
    }
    Burst burst{.begin = since(job.epoch)};
    send_all(job, socket.number(), buffer);
    burst.end = since(job.epoch);
    bursts.push_back(burst);
  }
  return bursts;
}

std::vector<std::vector<Burst>> run_jobs(const Bed& bed, const std::vector<JobSpec>& jobs) {
  std::vector<std::future<void>> receivers;
  std::vector<std::future<std::vector<Burst>>> senders;
  for (const JobSpec& job : jobs) {
    const auto listening = std::make_shared<std::promise<void>>();
    const std::future<void> listens = listening->get_future();
    receivers.push_back(std::async(std::launch::async, [&bed, &job, listening] {
      receive(bed, job, [listening] { listening->set_value(); });
    }));
    listens.wait();
  }
  for (const JobSpec& job : jobs) {
    senders.push_back(std::async(std::launch::async, [&bed, job] { return send(bed, job); }));
  }
  std::vector<std::vector<Burst>> bursts;
  std::exception_ptr failed;
  for (auto& it : senders) {
    try {
      bursts.push_back(it.get());
    } catch (...) {
      failed = std::current_exception();
    }
  }
  for (auto& it : receivers) it.wait();
  if (failed) std::rethrow_exception(failed);
  return bursts;
}

}  // namespace loom::bpf
