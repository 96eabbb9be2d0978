// MLTCP on CUBIC: scales the growth of CUBIC's window, and of its TCP-friendly Reno estimate, by
// F(r).
#include "bpf/mltcp.bpf.h"

extern void cubictcp_init(struct sock* sk) __ksym;
extern __u32 cubictcp_recalc_ssthresh(struct sock* sk) __ksym;
extern void cubictcp_cong_avoid(struct sock* sk, __u32 ack, __u32 acked) __ksym;
extern void cubictcp_state(struct sock* sk, __u8 new_state) __ksym;
extern void cubictcp_cwnd_event(struct sock* sk, enum tcp_ca_event event) __ksym;
extern void cubictcp_acked(struct sock* sk, const struct ack_sample* sample) __ksym;
extern __u32 tcp_reno_undo_cwnd(struct sock* sk) __ksym;

SEC("struct_ops/init")
void BPF_PROG(cubic_init, struct sock* sk) {
  cubictcp_init(sk);
  flow_begins(sk);
}

SEC("struct_ops/release")
void BPF_PROG(cubic_release, struct sock* sk) { flow_ends(sk); }

SEC("struct_ops/ssthresh")
__u32 BPF_PROG(cubic_ssthresh, struct sock* sk) { return cubictcp_recalc_ssthresh(sk); }

SEC("struct_ops/undo_cwnd")
__u32 BPF_PROG(cubic_undo_cwnd, struct sock* sk) { return tcp_reno_undo_cwnd(sk); }

SEC("struct_ops/cong_avoid")
void BPF_PROG(cubic_cong_avoid, struct sock* sk, __u32 ack, __u32 acked) {
  cubictcp_cong_avoid(sk, ack, flow_counts(sk, acked));
}

SEC("struct_ops/set_state")
void BPF_PROG(cubic_set_state, struct sock* sk, __u8 new_state) { cubictcp_state(sk, new_state); }

SEC("struct_ops/cwnd_event")
void BPF_PROG(cubic_cwnd_event, struct sock* sk, enum tcp_ca_event event) {
  cubictcp_cwnd_event(sk, event);
  if (event == CA_EVENT_TX_START) flow_sends(sk);
}

SEC("struct_ops/pkts_acked")
void BPF_PROG(cubic_pkts_acked, struct sock* sk, const struct ack_sample* sample) {
  cubictcp_acked(sk, sample);
  flow_acked(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops mltcp_cubic = {
    .init = (void*)cubic_init,
    .release = (void*)cubic_release,
    .ssthresh = (void*)cubic_ssthresh,
    .undo_cwnd = (void*)cubic_undo_cwnd,
    .cong_avoid = (void*)cubic_cong_avoid,
    .set_state = (void*)cubic_set_state,
    .cwnd_event = (void*)cubic_cwnd_event,
    .pkts_acked = (void*)cubic_pkts_acked,
    .flags = TCP_CONG_NON_RESTRICTED,
    .name = "mltcp_cubic",
};
