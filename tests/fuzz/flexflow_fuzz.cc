// Task-graph files: an accepted file becomes a workload and a task graph that both survive a round
// trip through their text forms.
#include "loom/foreign/flexflow.h"
#include "tests/fuzz/fuzz.h"

namespace {

// A short file can contain many large all-reduces.
constexpr std::int64_t kMaxOperations = 20'000;

void check_workload(const loom::foreign::TaskGraph& graph) {
  const loom::workload::Workload workload = loom::foreign::to_workload(graph, graph.nodes);
  LOOM_CHECK(static_cast<std::int64_t>(workload.operations.size()) == operation_count(graph),
             "the number of operations is bounded before they are created");
  const std::string written = loom::workload::to_text(workload);
  loom::fuzz::without_objection([&] {
    LOOM_CHECK(loom::workload::to_text(loom::workload::parse_workload(written, "again")) == written,
               "a workload's text reads back the same");
    const loom::foreign::TaskGraph exported =
        loom::foreign::to_task_graph(workload, graph.nodes, {});
    loom::foreign::parse_flexflow(loom::foreign::to_flexflow(exported), "exported");
    return 0;
  });
}

void check(const std::string& content) {
  const loom::foreign::TaskGraph graph = loom::foreign::parse_flexflow(content, "fuzz.fbuf");
  const loom::foreign::TaskGraph again = loom::fuzz::without_objection([&] {
    return loom::foreign::parse_flexflow(loom::foreign::to_flexflow(graph), "again.fbuf");
  });
  LOOM_CHECK(again.nodes == graph.nodes && again.tasks.size() == graph.tasks.size(),
             "a written task graph reads back the same");
  if (loom::foreign::operation_count(graph) <= kMaxOperations) check_workload(graph);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return loom::fuzz::only_input_errors([&] { check(loom::fuzz::text_of(data, size)); });
}
