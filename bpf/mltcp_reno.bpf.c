// MLTCP on Reno: an acknowledgment of `acked` packets grows the window by F(r) * acked / cwnd.
#include "bpf/mltcp.bpf.h"

extern __u32 tcp_reno_ssthresh(struct sock* sk) __ksym;
extern void tcp_reno_cong_avoid(struct sock* sk, __u32 ack, __u32 acked) __ksym;
extern __u32 tcp_reno_undo_cwnd(struct sock* sk) __ksym;

SEC("struct_ops/init")
void BPF_PROG(reno_init, struct sock* sk) { flow_begins(sk); }

SEC("struct_ops/release")
void BPF_PROG(reno_release, struct sock* sk) { flow_ends(sk); }

SEC("struct_ops/ssthresh")
__u32 BPF_PROG(reno_ssthresh, struct sock* sk) { return tcp_reno_ssthresh(sk); }

SEC("struct_ops/undo_cwnd")
__u32 BPF_PROG(reno_undo_cwnd, struct sock* sk) { return tcp_reno_undo_cwnd(sk); }

SEC("struct_ops/cong_avoid")
void BPF_PROG(reno_cong_avoid, struct sock* sk, __u32 ack, __u32 acked) {
  tcp_reno_cong_avoid(sk, ack, flow_counts(sk, acked));
}

SEC("struct_ops/cwnd_event")
void BPF_PROG(reno_cwnd_event, struct sock* sk, enum tcp_ca_event event) {
  if (event == CA_EVENT_TX_START) flow_sends(sk);
}

SEC("struct_ops/pkts_acked")
void BPF_PROG(reno_pkts_acked, struct sock* sk, const struct ack_sample* sample) { flow_acked(sk); }

SEC(".struct_ops")
struct tcp_congestion_ops mltcp_reno = {
    .init = (void*)reno_init,
    .release = (void*)reno_release,
    .ssthresh = (void*)reno_ssthresh,
    .undo_cwnd = (void*)reno_undo_cwnd,
    .cong_avoid = (void*)reno_cong_avoid,
    .cwnd_event = (void*)reno_cwnd_event,
    .pkts_acked = (void*)reno_pkts_acked,
    .flags = TCP_CONG_NON_RESTRICTED,
    .name = "mltcp_reno",
};
