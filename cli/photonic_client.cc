// photonic client and load: clients of 'photonic serve' that print answers, or measure latency and
// throughput.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"
#include "loom/base/random.h"
#include "loom/lightning/photonic_inputs.h"
#include "loom/lightning/photonic_serving.h"

namespace loom::cli {
namespace {

struct ClientOptions {
  std::string server = "127.0.0.1:4055";
  std::string inputs;
  std::string labels;
  std::string network;  // answers are checked against it
  std::uint16_t model = 1;
  std::int64_t count = 0;  // 0 sends each input once
  double rate = 0;
  int window = 32;
  int timeout = 200;
  int tries = 10;
  std::uint64_t seed = 1;
  bool logits = false;
  OutputOptions output;
};

photonic::Description description_of(photonic::UdpSocket& socket, const ClientOptions& args) {
  photonic::ReplyStatus status = photonic::ReplyStatus::ok;
  const auto description = photonic::describe(socket, args.model, status);
  if (description && description->inputs > 0) return *description;
  const SourceLocation location = location_of("--server " + args.server);
  if (status == photonic::ReplyStatus::unknown_model) {
    throw InputError(location,
                     fmt::format("it serves no network {}; --model with the ID of a served network "
                                 "is needed",
                                 args.model));
  }
  throw InputError(location, "no answer; 'lightloom photonic serve' at this address is needed");
}

lightning::ServedLoad run_client(const ClientOptions& args) {
  const SourceLocation location = location_of("--server " + args.server);
  photonic::UdpSocket socket =
      photonic::UdpSocket::connected(photonic::parse_endpoint(args.server, location), location);
  const photonic::Description network = description_of(socket, args);
  const lightning::ClientInputs inputs =
      lightning::client_inputs(args.inputs, args.labels, network, args.seed, args.count);
  photonic::LoadSpec spec;
  spec.model = args.model;
  spec.logits = args.logits;
  spec.inputs = inputs.values;
  spec.input_size = network.inputs;
  spec.count = args.count > 0 ? args.count : inputs.count(network.inputs);
  spec.rate = args.rate;
  spec.window = args.window;
  spec.timeout = std::chrono::milliseconds(args.timeout);
  spec.tries = args.tries;
  lightning::ServedLoad load{{}, {}, inputs.labels};
  if (!args.network.empty()) {
    load.expected = lightning::expected_answers(args.network, inputs.values, network);
  }
  load.result = photonic::run_load(socket, spec);
  return load;
}

// Returns the exit code: wrong answers are an internal error, lost answers a reached limit.
int code_of(const lightning::ServedLoad& load) {
  if (load.wrong() > 0) return kOwnMistake;
  return load.result.lost > 0 ? kLimit : kOk;
}

int client(const ClientOptions& args) {
  const lightning::ServedLoad load = run_client(args);
  if (args.output.json) {
    fmt::print("{}\n", load_json(load, true).dump(2));
  } else {
    const report::Table table = load_table(load);
    fmt::print("{}", args.output.csv ? to_csv(table) : to_text(table) + "\n");
    if (!args.output.csv) fmt::print("{}", report::to_text(load_facts(load)));
  }
  return code_of(load);
}

int measure(const ClientOptions& args) {
  const lightning::ServedLoad load = run_client(args);
  if (args.output.json) {
    fmt::print("{}\n", load_json(load, false).dump(2));
  } else {
    fmt::print("{}",
               args.output.csv ? to_csv(load_table(load)) : report::to_text(load_facts(load)));
  }
  return code_of(load);
}

std::shared_ptr<ClientOptions> client_command(Command command) {
  auto args = std::make_shared<ClientOptions>();
  command.add_option("--server", args->server, "address of the server").type_name("HOST:PORT");
  command.add_option("--model", args->model, "ID of the network").type_name("ID");
  command.add_option("--labels", args->labels, "true labels: NPY, IDX or raw bytes")
      .type_name("FILE");
  command.add_option("--count", args->count, "number of requests; inputs repeat if there are fewer")
      .range(1, 100'000'000)
      .type_name("N");
  command.add_option("--window", args->window, "maximum number of outstanding requests")
      .range(1, 100'000)
      .type_name("N");
  command.add_option("--timeout", args->timeout, "milliseconds before a request is sent again")
      .range(1, 600'000)
      .type_name("MS");
  command.add_option("--tries", args->tries, "number of attempts per request")
      .range(1, 1000)
      .type_name("N");
  command.add_flag("--logits", args->logits,
                   "request all outputs of the last layer, not only the predicted class");
  command.add_option("--network", args->network, "file of the network, to check answers against")
      .type_name("FILE");
  add_output_options(command, args->output);
  return args;
}

}  // namespace

void add_photonic_client(Command group, int& code) {
  Command command = group.add_subcommand("client", "answers of a server to a file of inputs");
  command.footer("Example:\n  lightloom photonic client --model 1 --inputs images.npy --csv");
  const auto args = client_command(command);
  command.add_option("--inputs", args->inputs, "inputs: NPY, IDX or raw bytes")
      .required()
      .type_name("FILE");
  command.callback([args, &code] { code = client(*args); });
}

void add_photonic_load(Command group, int& code) {
  Command command = group.add_subcommand("load", "latency and throughput of a server under load");
  command.footer(
      "p50, p99 and longest count only answers that are ok. --csv prints one row per request "
      "instead.\n\n"
      "Example:\n  lightloom photonic load --model 1 --rate 5000 --count 50000 --window 256");
  const auto args = client_command(command);
  command.add_option("--inputs", args->inputs, "inputs: NPY, IDX or raw bytes; random by default")
      .type_name("FILE");
  command
      .add_option("--rate", args->rate,
                  "requests per second; by default, as fast as they are answered")
      .range(0.001, 1e9)
      .type_name("R");
  add_seed_option(command, args->seed, "seed of random inputs");
  command.callback([args, &code] { code = measure(*args); });
}

}  // namespace loom::cli
