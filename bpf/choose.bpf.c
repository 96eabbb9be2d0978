// Sets the congestion control of every new TCP connection in a cgroup; applications need no change.

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define CHOOSE_SOL_TCP 6
#define CHOOSE_TCP_CONGESTION 13

// Name of the algorithm, set by the loader.
const volatile char choose_algorithm[16] = {};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 2);  // connections that got the algorithm, and that were refused it
  __type(key, __u32);
  __type(value, __u64);
} choose_counts SEC(".maps");

SEC("sockops")
int choose(struct bpf_sock_ops* ops) {
  __u32 outcome;
  __u64* count;
  if (ops->op != BPF_SOCK_OPS_TCP_CONNECT_CB && ops->op != BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB) {
    return 1;
  }
  outcome = bpf_setsockopt(ops, CHOOSE_SOL_TCP, CHOOSE_TCP_CONGESTION, (void*)choose_algorithm,
                           sizeof(choose_algorithm)) == 0
                ? 0
                : 1;
  count = bpf_map_lookup_elem(&choose_counts, &outcome);
  if (count) __sync_fetch_and_add(count, 1);
  return 1;
}

char _license[] SEC("license") = "GPL";
