// Invalid command lines of `share`.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kTwo =
    "links: [{name: up, capacity: 50 Gbps}]\n"
    "jobs:\n"
    "  - {name: a, count: 2, stages: [{send: {links: [up], rate: 50 Gbps, length: 1 ms}}, "
    "{compute: "
    "1 ms}]}\n";

Hostile share(const std::string& name, std::vector<std::string> options,
              const std::string& message) {
  options.insert(options.begin(), {"share", "p.yaml"});
  return {name, {{"p.yaml", kTwo}}, options, message};
}

const std::vector<Hostile> kShare = {
    share("an_unknown_transport", {"--transport", "udp"},
          "--transport udp: one of fair, weighted, mltcp, srpt is needed"),
    share("weighted_without_weights", {"--transport", "weighted"},
          "--transport weighted: no weights are given; --weights with one per job is needed"),
    share("too_few_weights", {"--transport", "weighted", "--weights", "1"},
          "--weights: 1 are given; one for each of 2 jobs is needed"),
    share("a_weight_of_nothing", {"--transport", "weighted", "--weights", "0,1"},
          "the weight of a/1 is 0; more than 0 is needed"),
    share("a_start_without_a_unit", {"--start", "1,2"},
          "--start 1: a time needs one of the units ps, ns, us, ms, s, µs, min, h"),
    share("an_intercept_of_nothing", {"--transport", "mltcp", "--intercept", "0"},
          "intercept is 0; more than 0 is needed"),
    share("a_loss_of_all", {"--contention-loss", "1"},
          "contention_loss is 1; at least 0 and below 1 is needed"),
    share("a_loss_that_nobody_has", {"--transport", "srpt", "--contention-loss", "0.1"},
          "--contention-loss: it has no effect with this transport; --transport fair, weighted or "
          "mltcp is "
          "needed"),
    {"a_transport_of_messages",
     {{"s.yaml",
       "jobs: [{model: resnet-50, gpus: 2}]\ngpus: 2\naccelerator: a100\ntransport: mltcp\nfabric: "
       "{kind: switch, bandwidth: 1 Gbps}\n"}},
     {"simulate", "s.yaml"},
     "s.yaml:4: transport is mltcp; links of a scenario are shared by messages, and sharing: fair "
     "or weighted is needed ('lightloom share' runs job profiles under mltcp and srpt)"},
};

INSTANTIATE_TEST_SUITE_P(Share, Broken, ::testing::ValuesIn(kShare), name_of);

}  // namespace
}  // namespace loom::testing
