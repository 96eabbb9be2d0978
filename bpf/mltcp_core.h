// What MLTCP decides, without any kernel: F(r), where an iteration ends, and whether a flow is a
// training job's at all.
//
// The kernel's programs (C, for the BPF machine) and the tests (C++) compile this same text, so
// what is tested is what runs. It is therefore plain C: integers only, no loops, no divisions by
// zero, fractions in 1/1024. Times are microseconds and bytes are counted by the kernel itself from
// the beginning of the connection: nothing is summed up here, so a callback that is missed cannot
// make a count wrong for longer than the iteration it fell in.
//
// MLTCP: scale the growth of the congestion window by F(r) = slope * r + intercept, where r is the
// share of the iteration's bytes that is through (Rajasekaran et al., HotNets 2022 and 2024).
#ifndef LIGHTLOOM_BPF_MLTCP_CORE_H_
#define LIGHTLOOM_BPF_MLTCP_CORE_H_

#include <linux/types.h>

#define MLTCP_ONE 1024u  // 1 in fractions

struct mltcp_settings {
  __u32 slope;      // of F, in 1/1024
  __u32 intercept;  // of F, in 1/1024
  __u64 idle;       // silence that parts iterations, in us
  __u64 min_bytes;  // of an iteration: what is smaller is no training job
  __u32 tolerance;  // by which bytes of iterations may differ, in 1/1024
  __u32 needed;     // iterations alike before a flow counts as a training job's
};

// What is known of a flow.
struct mltcp_flow {
  __u64 id;           // of its statistics
  __u64 begin_bytes;  // acknowledged when this iteration began
  __u64 begin_time;   // of this iteration; 0 before the first
  __u64 last_bytes;   // of the iteration before
  __u64 last_time;    // it took, from begin to begin
  __u64 learned;      // bytes of an iteration; 0 while none are known
  __u64 iterations;
  __u64 gap;      // the silence between iterations, in us; 0 before the first
  __u32 similar;  // iterations in a row that were
  __u32 carry;    // of a scaled step, below MLTCP_ONE
};

// F at `through` of `learned` bytes, in 1/1024. A flow that has sent clearly more than an iteration
// has is no longer what it was taken for: it grows as the base algorithm does, until it is learned
// anew.
static inline __u32 mltcp_factor(const struct mltcp_settings* settings, __u64 through,
                                 __u64 learned) {
  __u64 share;
  if (learned == 0) return MLTCP_ONE;
  if (through > learned) {
    if (through - learned > ((learned * settings->tolerance) >> 10)) return MLTCP_ONE;
    through = learned;
  }
  share = (through << 10) / learned;
  return (__u32)((settings->slope * share) >> 10) + settings->intercept;
}

// `acked` packets as F has them count. What is left over is carried to the next, so that over many
// acknowledgements the sum is exact.
static inline __u32 mltcp_scaled(struct mltcp_flow* flow, __u32 acked, __u32 factor) {
  __u64 whole;
  if (factor == MLTCP_ONE) return acked;
  whole = (__u64)acked * factor + flow->carry;
  flow->carry = (__u32)whole & (MLTCP_ONE - 1);
  return (__u32)(whole >> 10);
}

// New data is about to leave. It begins an iteration where nothing is outstanding (a retransmission
// after a timeout also leaves an empty network behind it, and is no beginning) and the last
// acknowledgement is long ago: at least the threshold, and at least a quarter of the silence that
// parts iterations as a rule. So a sender that is held up for a moment in the middle, or sends in
// several bursts, is not misread. One silence out of all proportion does not become the rule: the
// gap grows at most fourfold at a time, and shrinks by an eighth with each silence that is shorter.
static inline int mltcp_begins(const struct mltcp_settings* settings, struct mltcp_flow* flow,
                               __u32 outstanding, __u64 silence) {
  const __u64 shrunk = flow->gap - flow->gap / 8;
  const __u64 max_silence = flow->gap ? flow->gap * 4 : settings->idle * 16;
  if (flow->begin_time == 0) return 1;
  if (outstanding != 0 || silence < settings->idle) return 0;
  if (silence < flow->gap / 4) {
    flow->gap = shrunk;
    return 0;
  }
  if (silence > max_silence) silence = max_silence;
  flow->gap = silence > shrunk ? silence : shrunk;
  return 1;
}

static inline int mltcp_near(__u64 a, __u64 b, __u32 tolerance) {
  const __u64 low = a < b ? a : b;
  const __u64 high = a < b ? b : a;
  return high - low <= ((low * tolerance) >> 10);
}

// Iterations are alike if they move the same bytes. Their times differ with the traffic of others,
// but not without bounds: a job's that is slowed down fourfold is not told from one that is none.
static inline int mltcp_similar(const struct mltcp_settings* settings,
                                const struct mltcp_flow* flow, __u64 bytes, __u64 time) {
  if (bytes < settings->min_bytes) return 0;
  if (!mltcp_near(bytes, flow->last_bytes, settings->tolerance)) return 0;
  return time <= flow->last_time * 4 && flow->last_time <= time * 4;
}

// An iteration begins at `now`, with `acked` bytes of the connection through; the one before is
// judged.
static inline void mltcp_begin(const struct mltcp_settings* settings, struct mltcp_flow* flow,
                               __u64 acked, __u64 now) {
  const __u64 bytes = acked - flow->begin_bytes;
  const __u64 time = now - flow->begin_time;
  if (flow->begin_time != 0) {
    ++flow->iterations;
    if (mltcp_similar(settings, flow, bytes, time)) {
      ++flow->similar;
    } else {
      flow->similar = bytes >= settings->min_bytes ? 1 : 0;
    }
    flow->learned = flow->similar >= settings->needed ? bytes : 0;
    flow->last_bytes = bytes;
    flow->last_time = time;
  }
  flow->begin_bytes = acked;
  flow->begin_time = now;
}

// Statistics are published with an acknowledgement if the last time is long enough ago.
#define MLTCP_PUBLISHED_EVERY 100000u  // us

static inline int mltcp_is_due(__u64 published, __u64 now) {
  return published == 0 || now - published >= MLTCP_PUBLISHED_EVERY;
}

#endif  // LIGHTLOOM_BPF_MLTCP_CORE_H_
