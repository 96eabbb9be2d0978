// The fields of kernel types that the BPF programs use. CO-RE relocates them to the running
// kernel's layout at load time, so the programs are built without kernel headers.
#ifndef LIGHTLOOM_BPF_KERNEL_BPF_H_
#define LIGHTLOOM_BPF_KERNEL_BPF_H_

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct in6_addr {
  union {
    __u8 u6_addr8[16];
  } in6_u;
};

struct sock_common {
  __be32 skc_daddr;
  __be32 skc_rcv_saddr;
  __be16 skc_dport;
  __u16 skc_num;
  unsigned short skc_family;
  struct in6_addr skc_v6_daddr;
  struct in6_addr skc_v6_rcv_saddr;
};

struct sock {
  struct sock_common __sk_common;
};

struct inet_sock {
  struct sock sk;
};

struct inet_connection_sock {
  struct inet_sock icsk_inet;
};

struct tcp_sock {
  struct inet_connection_sock inet_conn;
  __u32 snd_cwnd;
  __u32 snd_ssthresh;
  __u32 packets_out;
  __u32 total_retrans;
  __u32 delivered_ce;
  __u64 bytes_acked;
  __u64 tcp_mstamp;        // current time, in us
  __u64 delivered_mstamp;  // time of the last acknowledgment, in us
};

struct ack_sample {
  __u32 pkts_acked;
};

#pragma clang attribute pop

enum tcp_ca_event {
  CA_EVENT_TX_START,  // data is sent while none is in flight
};

// The callbacks of a congestion control; callbacks that are not declared here stay unset.
struct tcp_congestion_ops {
  __u32 (*ssthresh)(struct sock* sk);
  void (*cong_avoid)(struct sock* sk, __u32 ack, __u32 acked);
  void (*set_state)(struct sock* sk, __u8 new_state);
  void (*cwnd_event)(struct sock* sk, enum tcp_ca_event event);
  void (*pkts_acked)(struct sock* sk, const struct ack_sample* sample);
  __u32 (*undo_cwnd)(struct sock* sk);
  void (*init)(struct sock* sk);
  void (*release)(struct sock* sk);
  char name[16];
  __u32 flags;
};

// Flag: any user, and any network namespace by sysctl, may choose the algorithm.
#define TCP_CONG_NON_RESTRICTED 1

#endif  // LIGHTLOOM_BPF_KERNEL_BPF_H_
