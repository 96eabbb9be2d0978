// The computations of MLTCP, independent of the kernel: scales the growth of the congestion window
// by F(r) = slope * r + intercept, where r is the fraction of the iteration's bytes already sent
// (Rajasekaran et al., HotNets 2022 and 2024), and detects iterations and training jobs.
//
// Both the BPF programs (C) and the tests (C++) include this file. It is therefore plain C:
// integers only, no loops, no division by zero, fractions in 1/1024, times in microseconds. The
// kernel counts bytes from the start of the connection, so a missed callback affects only one
// iteration.
#ifndef LIGHTLOOM_BPF_MLTCP_CORE_H_
#define LIGHTLOOM_BPF_MLTCP_CORE_H_

#include <linux/types.h>

#define MLTCP_ONE 1024u  // 1.0 in units of 1/1024

struct mltcp_settings {
  __u32 slope;      // slope of F, in 1/1024
  __u32 intercept;  // intercept of F, in 1/1024
  __u64 idle;       // minimum silence between iterations, in us
  __u64 min_bytes;  // minimum bytes of an iteration; a flow with fewer is not a training job
  __u32 tolerance;  // relative difference allowed between the bytes of iterations, in 1/1024
  __u32 needed;     // number of similar iterations before a flow counts as a training job
};

// State of a flow.
struct mltcp_flow {
  __u64 id;           // key of the flow's statistics
  __u64 begin_bytes;  // bytes acknowledged when this iteration started
  __u64 begin_time;   // start of this iteration in us; 0 before the first iteration
  __u64 last_bytes;   // bytes of the previous iteration
  __u64 last_time;    // duration of the previous iteration in us, from start to start
  __u64 learned;      // bytes per iteration; 0 while unknown
  __u64 iterations;
  __u64 gap;      // usual silence between iterations in us; 0 while unknown
  __u32 similar;  // number of consecutive similar iterations
  __u32 carry;    // remainder of the last scaling, below MLTCP_ONE
};

// F in 1/1024, after `through` of `learned` bytes per iteration. If a flow has sent clearly more
// than one iteration, the learned size is outdated, and the factor is 1 until it is learned again.
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

// `acked` packets scaled by F. The remainder is carried to the next call, so the sum over many
// acknowledgments is exact.
static inline __u32 mltcp_scaled(struct mltcp_flow* flow, __u32 acked, __u32 factor) {
  __u64 whole;
  if (factor == MLTCP_ONE) return acked;
  whole = (__u64)acked * factor + flow->carry;
  flow->carry = (__u32)whole & (MLTCP_ONE - 1);
  return (__u32)(whole >> 10);
}

// Returns 1 if new data that is about to be sent starts an iteration, as the first data of a flow
// always does. A further iteration requires that
//   - no packets are outstanding, which excludes a retransmission after a timeout: the network is
//     idle then too, but the lost packets are still outstanding;
//   - `silence`, the time since the last acknowledgment, is at least `idle` and at least a quarter
//     of the usual gap. A brief stall, or several bursts per iteration, thus start no iteration.
// No single silence determines the usual gap: it grows at most fourfold at a time, and a shorter
// silence shrinks it by at most an eighth.
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

// Returns 1 if an iteration is similar to the previous one: about the same number of bytes, and
// durations that differ at most fourfold. The limit is loose because other traffic slows jobs down;
// beyond a factor of four, a slow job cannot be distinguished from a flow that is not a job.
static inline int mltcp_similar(const struct mltcp_settings* settings,
                                const struct mltcp_flow* flow, __u64 bytes, __u64 time) {
  if (bytes < settings->min_bytes) return 0;
  if (!mltcp_near(bytes, flow->last_bytes, settings->tolerance)) return 0;
  return time <= flow->last_time * 4 && flow->last_time <= time * 4;
}

// Starts an iteration at `now`, when `acked` bytes of the connection are acknowledged. Compares the
// iteration that just ended with the one before it.
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

// Minimum time between two publications of a flow's statistics by acknowledgments.
#define MLTCP_PUBLISHED_EVERY 100000u  // us

static inline int mltcp_is_due(__u64 published, __u64 now) {
  return published == 0 || now - published >= MLTCP_PUBLISHED_EVERY;
}

#endif  // LIGHTLOOM_BPF_MLTCP_CORE_H_
