#include "loom/photonic/server/client.h"

#include <poll.h>

#include <algorithm>
#include <deque>
#include <thread>

#include "loom/base/error.h"

namespace loom::photonic {
namespace {

using Clock = std::chrono::steady_clock;

// Number of consecutive fragments that fit the smallest common receive buffer (Linux: 416 KiB
// including kernel overhead), and the pause after them.
constexpr int kBurst = 4;
constexpr std::chrono::microseconds kPause{500};
constexpr int kMaxDoublings = 4;

void wait_for(const UdpSocket& socket, std::chrono::nanoseconds time) {
  pollfd watched{socket.fd(), POLLIN, 0};
  const auto nanoseconds = std::max<std::int64_t>(0, time.count());
  const timespec limit{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  ::ppoll(&watched, 1, &limit, nullptr);
}

class Load {
 public:
  Load(UdpSocket& socket, const LoadSpec& spec)
      : socket_(socket), spec_(spec), buffer_(std::size_t{1} << 16) {
    const auto count = static_cast<std::size_t>(spec.count);
    result_.answers.resize(count);
    sent_.resize(count);
  }

  LoadResult run() {
    begun_ = Clock::now();
    while (done_ < spec_.count) {
      send_due();
      receive_all();
      send_again();
      if (done_ < spec_.count) wait_for(socket_, until_next());
    }
    result_.seconds = std::chrono::duration<double>(last_ - begun_).count();
    return std::move(result_);
  }

 private:
  struct Sent {
    Clock::time_point due;
    Clock::time_point again;
    int tries = 0;
    bool closed = false;
  };

  // The time at which a request is due: its scheduled time if a rate is given, otherwise now.
  Clock::time_point due(std::int64_t request, Clock::time_point now) const {
    if (spec_.rate <= 0) return now;
    const std::chrono::duration<double> after(static_cast<double>(request) / spec_.rate);
    return begun_ + std::chrono::duration_cast<Clock::duration>(after);
  }

  bool may_send() const { return next_ < spec_.count && next_ - done_ < spec_.window; }

  void send_due() {
    while (may_send()) {
      const Clock::time_point now = Clock::now();
      const Clock::time_point when = due(next_, now);
      if (when > now) return;
      sent_[static_cast<std::size_t>(next_)].due = when;
      send(next_);
      ++next_;
    }
  }

  void send(std::int64_t index) {
    const auto at = static_cast<std::size_t>(index);
    const std::size_t inputs = spec_.inputs.size() / spec_.input_size;
    const auto input = spec_.inputs.subspan(at % inputs * spec_.input_size, spec_.input_size);
    Packet packet;
    packet.flags = spec_.logits ? kWantLogits : 0;
    packet.model = spec_.model;
    packet.request = spec_.first_request + at;
    packet.total = static_cast<std::uint32_t>(input.size());
    for (std::size_t offset = 0; offset < input.size(); offset += kMaxPayload) {
      packet.offset = static_cast<std::uint32_t>(offset);
      packet.payload = input.subspan(offset, std::min(kMaxPayload, input.size() - offset));
      // A packet that cannot be sent counts as lost and is sent again.
      socket_.send(to_bytes(packet));
      if (input.size() > kMaxPayload) pace(sent_[at].tries);
    }
    ++sent_[at].tries;
    sent_[at].again = Clock::now() + spec_.timeout;
    waiting_.push_back(index);
  }

  // Pauses after each burst of fragments. Without pauses, fragments overflow the server's buffer,
  // and a retry at the same pace would lose the same fragments, so every retry is slower than the
  // previous.
  void pace(int tries) {
    if (++burst_ < kBurst) return;
    std::this_thread::sleep_for(kPause * (1 << std::min(tries, kMaxDoublings)));
    burst_ = 0;
  }

  void receive_all() {
    Endpoint sender;
    while (const auto size = socket_.receive(buffer_, sender)) {
      take(std::span<const std::uint8_t>(buffer_.data(), *size));
    }
  }

  void take(std::span<const std::uint8_t> datagram) {
    const ParsedPacket parsed = parse_packet(datagram);
    const std::uint64_t index = parsed.packet.request - spec_.first_request;
    if (parsed.verdict != PacketVerdict::good || parsed.packet.kind != PacketKind::reply ||
        index >= static_cast<std::uint64_t>(next_) || parsed.packet.model != spec_.model) {
      ++result_.strange;
      return;
    }
    Sent& sent = sent_[index];
    if (sent.closed) {
      ++result_.duplicates;
      return;
    }
    LoadAnswer& answer = result_.answers[index];
    answer.status = parsed.packet.status;
    if (answer.status == ReplyStatus::busy) return;  // retried after the timeout
    if (answer.status == ReplyStatus::ok && !parse_answer(parsed.packet.payload, answer.answer)) {
      ++result_.strange;
      return;
    }
    answer.answered = true;
    last_ = Clock::now();
    answer.time = last_ - sent.due;
    close(sent);
  }

  void close(Sent& sent) {
    sent.closed = true;
    ++done_;
  }

  // Resends requests that have timed out, oldest first. All have the same timeout, so the first
  // request that is not due ends the loop.
  void send_again() {
    while (!waiting_.empty()) {
      const std::int64_t index = waiting_.front();
      Sent& sent = sent_[static_cast<std::size_t>(index)];
      if (!sent.closed && sent.again > Clock::now()) return;
      waiting_.pop_front();
      if (sent.closed) continue;
      if (sent.tries < spec_.tries) {
        ++result_.sent_again;
        send(index);
        continue;
      }
      ++result_.lost;
      last_ = Clock::now();
      close(sent);
    }
  }

  std::chrono::nanoseconds until_next() const {
    const auto now = Clock::now();
    auto next = now + spec_.timeout;
    if (!waiting_.empty()) {
      next = std::min(next, sent_[static_cast<std::size_t>(waiting_.front())].again);
    }
    if (may_send()) next = std::min(next, due(next_, now));
    return next - now;
  }

  UdpSocket& socket_;
  const LoadSpec& spec_;
  std::vector<std::uint8_t> buffer_;
  LoadResult result_;
  std::vector<Sent> sent_;
  std::deque<std::int64_t> waiting_;
  std::int64_t next_ = 0;
  std::int64_t done_ = 0;
  int burst_ = 0;  // fragments since the last pause
  Clock::time_point begun_;
  Clock::time_point last_;
};

}  // namespace

LoadResult run_load(UdpSocket& socket, const LoadSpec& spec) {
  LOOM_CHECK(spec.input_size >= 1 && spec.inputs.size() >= spec.input_size,
             "there is at least one input");
  return Load(socket, spec).run();
}

std::optional<Description> describe(UdpSocket& socket, std::uint16_t model, ReplyStatus& status) {
  constexpr int kTries = 10;
  Packet packet;
  packet.flags = kWantDescribe;
  packet.model = model;
  packet.request = 0;
  std::vector<std::uint8_t> buffer(std::size_t{1} << 16);
  Endpoint sender;
  for (int i = 0; i < kTries; ++i) {
    socket.send(to_bytes(packet));
    wait_for(socket, std::chrono::milliseconds(200));
    while (const auto size = socket.receive(buffer, sender)) {
      const ParsedPacket parsed = parse_packet({buffer.data(), *size});
      if (parsed.verdict != PacketVerdict::good || parsed.packet.kind != PacketKind::reply ||
          (parsed.packet.flags & kWantDescribe) == 0) {
        continue;
      }
      status = parsed.packet.status;
      Description description;
      if (status != ReplyStatus::ok) return std::nullopt;
      if (parse_description(parsed.packet.payload, description)) return description;
    }
  }
  status = ReplyStatus::busy;
  return std::nullopt;
}

}  // namespace loom::photonic
