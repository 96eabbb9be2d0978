// Counters of the BPF programs, as user space reads them from the maps.
#ifndef LIGHTLOOM_BPF_STATISTICS_BPF_H_
#define LIGHTLOOM_BPF_STATISTICS_BPF_H_

#include <linux/types.h>

// Maximum number of flows with statistics; a further flow replaces the least recently used one.
#define MLTCP_MAX_FLOWS 4096

// Statistics of one flow, published when an iteration starts, when the flow ends, and with
// acknowledgments, at most once per MLTCP_PUBLISHED_EVERY.
struct mltcp_flow_statistics {
  __u8 local_address[16];  // an IPv4 address uses the first four bytes
  __u8 remote_address[16];
  __u16 family;
  __u16 local_port;
  __u16 remote_port;  // in host byte order
  __u16 closed;
  __u32 similar;
  __u32 cwnd;
  __u64 iterations;
  __u64 learned;     // bytes per iteration; 0: the flow runs the base algorithm
  __u64 last_bytes;  // bytes of the last iteration
  __u64 last_time;   // duration of the last iteration, in us
  __u64 acked;       // bytes acknowledged in total
  __u64 retransmits;
  __u64 marks;  // packets delivered with an ECN mark
};

// Counters since loading; each CPU has its own.
struct mltcp_totals {
  __u64 flows;       // flows started
  __u64 closed;      // flows ended
  __u64 iterations;  // iterations started
  __u64 scaled;      // acknowledgments scaled by a factor other than 1
  __u64 no_memory;   // flows without memory for their state, which run the base algorithm
};

#endif  // LIGHTLOOM_BPF_STATISTICS_BPF_H_
