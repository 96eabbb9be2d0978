// What the programs in the kernel count, as user space reads it from their maps.
#ifndef LIGHTLOOM_BPF_STATISTICS_BPF_H_
#define LIGHTLOOM_BPF_STATISTICS_BPF_H_

#include <linux/types.h>

// Flows whose statistics are kept; the one unused for longest makes room for the next.
#define MLTCP_MAX_FLOWS 4096

// One flow, as it was at most MLTCP_PUBLISHED_EVERY before its last acknowledgement, or when its
// last iteration began or it ended.
struct mltcp_flow_statistics {
  __u8 local_address[16];  // IPv4: the first four
  __u8 remote_address[16];
  __u16 family;
  __u16 local_port;
  __u16 remote_port;  // in the order of the host
  __u16 closed;
  __u32 similar;
  __u32 cwnd;
  __u64 iterations;
  __u64 learned;     // bytes of an iteration; 0: it is treated as the base algorithm would
  __u64 last_bytes;  // of the last iteration
  __u64 last_time;   // in us
  __u64 acked;       // bytes in all
  __u64 retransmits;
  __u64 marks;  // packets delivered with the mark of congestion
};

// Sums since loading, one each for a processor.
struct mltcp_totals {
  __u64 flows;       // begun
  __u64 closed;      // and ended
  __u64 iterations;  // that began
  __u64 scaled;      // acknowledgements that counted otherwise than the base algorithm's
  __u64 no_memory;   // flows without memory for their state: they are as the base algorithm is
};

#endif  // LIGHTLOOM_BPF_STATISTICS_BPF_H_
