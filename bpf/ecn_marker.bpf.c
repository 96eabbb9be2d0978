// ECN marker of the testbed: marks packets before a shaper whose queue cannot mark, like a switch
// that marks packets above a threshold.
//
// A virtual queue fills with every packet and drains at the shaper's rate. If it exceeds the
// threshold, the packet is marked. The threshold must exceed the shaper's burst, which the virtual
// queue does not model and counts as backlog.
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#define MARKER_SECOND 1000000000ull

// Set by the loader.
const volatile __u64 marker_rate = 0;       // bytes per second
const volatile __u64 marker_threshold = 0;  // bytes; 0: marking is off

struct marker_queue {
  struct bpf_spin_lock lock;
  __u64 backlog;  // bytes
  __u64 time;     // time of the last update of the backlog, in ns
  __u64 packets;
  __u64 marked;
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct marker_queue);
} marker_queue SEC(".maps");

SEC("tc")
int mark(struct __sk_buff* skb) {
  const __u32 zero = 0;
  struct marker_queue* queue = bpf_map_lookup_elem(&marker_queue, &zero);
  const __u64 now = bpf_ktime_get_ns();
  __u64 drained, passed;
  int full;
  if (!queue || marker_threshold == 0) return TC_ACT_OK;
  bpf_spin_lock(&queue->lock);
  // After one second, the backlog counts as drained; this limit keeps the product within 64 bits.
  passed = now > queue->time ? now - queue->time : 0;
  drained = passed < MARKER_SECOND ? passed * (marker_rate >> 10) / (MARKER_SECOND >> 10) : ~0ull;
  queue->backlog = queue->backlog > drained ? queue->backlog - drained : 0;
  queue->backlog += skb->wire_len;
  if (now > queue->time) queue->time = now;
  full = queue->backlog > marker_threshold;
  ++queue->packets;
  bpf_spin_unlock(&queue->lock);
  if (full && bpf_skb_ecn_set_ce(skb) == 1) __sync_fetch_and_add(&queue->marked, 1);
  return TC_ACT_OK;
}

char _license[] SEC("license") = "GPL";
