// The code of MLTCP that does not depend on the base algorithm: BPF maps, and functions that are
// called when a flow starts, sends after idling, is acknowledged, and ends.
//
// Every callback calls the kernel's function of the base algorithm. MLTCP only changes the number
// of acknowledged packets that this function sees while the window grows. A flow without iterations
// has a factor of 1, so it runs exactly the base algorithm, including recovery, pacing and restart
// after idling. The state of a flow is stored with its socket; without memory for the state, the
// flow runs the base algorithm.
#ifndef LIGHTLOOM_BPF_MLTCP_BPF_H_
#define LIGHTLOOM_BPF_MLTCP_BPF_H_

// linux/bpf.h must come first, because the other headers use its types.
// clang-format off
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
// clang-format on

#include "bpf/kernel.bpf.h"
#include "bpf/mltcp_core.h"
#include "bpf/statistics.bpf.h"

#define MLTCP_AF_INET 2

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct mltcp_settings);
} mltcp_settings SEC(".maps");

// State of a socket. It includes the statistics as last published, because a closed socket no
// longer knows its port.
struct mltcp_socket {
  struct mltcp_flow flow;
  struct mltcp_flow_statistics seen;
  __u64 published;  // time of the last publication in us; 0: never
};

struct {
  __uint(type, BPF_MAP_TYPE_SK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct mltcp_socket);
} mltcp_state SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, MLTCP_MAX_FLOWS);
  __type(key, __u64);
  __type(value, struct mltcp_flow_statistics);
} mltcp_flows SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct mltcp_totals);
} mltcp_totals SEC(".maps");

__u64 mltcp_last_id = 0;

static inline struct mltcp_settings* settings_now(void) {
  const __u32 zero = 0;
  return bpf_map_lookup_elem(&mltcp_settings, &zero);
}

static inline struct mltcp_totals* totals_now(void) {
  const __u32 zero = 0;
  return bpf_map_lookup_elem(&mltcp_totals, &zero);
}

static inline struct mltcp_socket* socket_of(struct sock* sk) {
  return bpf_sk_storage_get(&mltcp_state, (void*)sk, 0, 0);
}

static inline void keep_addresses(const struct sock_common* ends,
                                  struct mltcp_flow_statistics* seen) {
  seen->family = ends->skc_family;
  seen->local_port = ends->skc_num;
  seen->remote_port = bpf_ntohs(ends->skc_dport);
  if (seen->family == MLTCP_AF_INET) {
    *(__u32*)seen->local_address = ends->skc_rcv_saddr;
    *(__u32*)seen->remote_address = ends->skc_daddr;
    return;
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    seen->local_address[i] = ends->skc_v6_rcv_saddr.in6_u.u6_addr8[i];
    seen->remote_address[i] = ends->skc_v6_daddr.in6_u.u6_addr8[i];
  }
}

static inline void publish(struct sock* sk, struct mltcp_socket* socket, __u16 closed) {
  const struct tcp_sock* tp = (struct tcp_sock*)sk;
  const struct mltcp_flow* flow = &socket->flow;
  struct mltcp_flow_statistics* seen = &socket->seen;
  const __u64 id = flow->id;
  if (socket->published == 0) keep_addresses(&sk->__sk_common, seen);
  socket->published = tp->tcp_mstamp;
  seen->closed = closed;
  seen->similar = flow->similar;
  seen->cwnd = tp->snd_cwnd;
  seen->iterations = flow->iterations;
  seen->learned = flow->learned;
  seen->last_bytes = flow->last_bytes;
  seen->last_time = flow->last_time;
  seen->acked = tp->bytes_acked;
  seen->retransmits = tp->total_retrans;
  seen->marks = tp->delivered_ce;
  bpf_map_update_elem(&mltcp_flows, &id, seen, BPF_ANY);
}

static inline void flow_begins(struct sock* sk) {
  static const struct mltcp_socket kNew = {};
  struct mltcp_totals* totals = totals_now();
  struct mltcp_socket* socket =
      bpf_sk_storage_get(&mltcp_state, (void*)sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
  if (totals) ++totals->flows;
  if (!socket) {
    if (totals) ++totals->no_memory;
    return;
  }
  *socket = kNew;
  socket->flow.id = __sync_fetch_and_add(&mltcp_last_id, 1);
}

// Called when data is sent while none is in flight.
static inline void flow_sends(struct sock* sk) {
  const struct tcp_sock* tp = (struct tcp_sock*)sk;
  const struct mltcp_settings* settings = settings_now();
  struct mltcp_totals* totals = totals_now();
  struct mltcp_socket* socket = socket_of(sk);
  const __u64 now = tp->tcp_mstamp;
  if (!settings || !socket) return;
  if (!mltcp_begins(settings, &socket->flow, tp->packets_out, now - tp->delivered_mstamp)) return;
  mltcp_begin(settings, &socket->flow, tp->bytes_acked, now);
  if (totals) ++totals->iterations;
  publish(sk, socket, 0);
}

// Called when data was acknowledged, before the window changes.
static inline void flow_acked(struct sock* sk) {
  const struct tcp_sock* tp = (struct tcp_sock*)sk;
  struct mltcp_socket* socket = socket_of(sk);
  if (socket && mltcp_is_due(socket->published, tp->tcp_mstamp)) publish(sk, socket, 0);
}

// The number of acknowledged packets that the base algorithm sees: `acked`, scaled by F except in
// slow start.
static inline __u32 flow_counts(struct sock* sk, __u32 acked) {
  const struct tcp_sock* tp = (struct tcp_sock*)sk;
  const struct mltcp_settings* settings = settings_now();
  struct mltcp_socket* socket = socket_of(sk);
  struct mltcp_flow* flow;
  struct mltcp_totals* totals;
  __u32 factor;
  if (!settings || !socket) return acked;
  flow = &socket->flow;
  if (flow->learned == 0 || tp->snd_cwnd < tp->snd_ssthresh) return acked;
  factor = mltcp_factor(settings, tp->bytes_acked - flow->begin_bytes, flow->learned);
  totals = totals_now();
  if (totals && factor != MLTCP_ONE) ++totals->scaled;
  return mltcp_scaled(flow, acked, factor);
}

static inline void flow_ends(struct sock* sk) {
  struct mltcp_totals* totals = totals_now();
  struct mltcp_socket* socket = socket_of(sk);
  if (totals) ++totals->closed;
  if (!socket) return;
  if (socket->published != 0) publish(sk, socket, 1);
  bpf_sk_storage_delete(&mltcp_state, (void*)sk);
}

char _license[] SEC("license") = "GPL";

#endif  // LIGHTLOOM_BPF_MLTCP_BPF_H_
