// photonic client and load: what talks to 'photonic serve', for answers and for measuring.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"
#include "loom/base/random.h"
#include "loom/study/photonic_inputs.h"
#include "loom/study/photonic_serving.h"

namespace loom::cli {
namespace {

struct ClientFlags {
  std::string server = "127.0.0.1:4055";
  std::string inputs;
  std::string labels;
  std::string network;  // load: to check answers with
  std::uint16_t model = 1;
  std::int64_t count = 0;  // 0: each input once
  double rate = 0;
  int window = 32;
  int timeout = 200;
  int tries = 10;
  std::uint64_t seed = 1;
  bool logits = false;
  OutputFlags output;
};

photonic::Description description_of(photonic::UdpSocket& socket, const ClientFlags& flags) {
  photonic::ReplyStatus status = photonic::ReplyStatus::ok;
  const auto description = photonic::describe(socket, flags.model, status);
  if (description && description->inputs > 0) return *description;
  const Place place = place_of("--server " + flags.server);
  if (status == photonic::ReplyStatus::unknown_model) {
    throw InputError(place, fmt::format("it serves no network {}; --model with the number of one "
                                        "is needed",
                                        flags.model));
  }
  throw InputError(place, "no answer; 'lightloom photonic serve' at this address is needed");
}

ServedLoad run_client(const ClientFlags& flags) {
  const Place place = place_of("--server " + flags.server);
  photonic::UdpSocket socket =
      photonic::UdpSocket::connected(photonic::parse_endpoint(flags.server, place), place);
  const photonic::Description network = description_of(socket, flags);
  const ClientInputs inputs =
      client_inputs(flags.inputs, flags.labels, network, flags.seed, flags.count);
  photonic::LoadSpec spec;
  spec.model = flags.model;
  spec.logits = flags.logits;
  spec.inputs = inputs.values;
  spec.input_size = network.inputs;
  spec.count = flags.count > 0 ? flags.count : inputs.count(network.inputs);
  spec.rate = flags.rate;
  spec.window = flags.window;
  spec.timeout = std::chrono::milliseconds(flags.timeout);
  spec.tries = flags.tries;
  ServedLoad load{{}, {}, inputs.labels};
  if (!flags.network.empty()) {
    load.expected = expected_answers(flags.network, inputs.values, network);
  }
  load.result = photonic::run_load(socket, spec);
  return load;
}

// Wrong answers are our own mistake, lost ones a limit that was reached.
int code_of(const ServedLoad& load) {
  if (load.wrong() > 0) return kOwnMistake;
  return load.result.lost > 0 ? kLimit : kOk;
}

int client(const ClientFlags& flags) {
  const ServedLoad load = run_client(flags);
  if (flags.output.json) {
    fmt::print("{}\n", load_json(load, true).dump(2));
  } else {
    const Table table = load_table(load);
    fmt::print("{}", flags.output.csv ? to_csv(table) : to_text(table) + "\n");
    if (!flags.output.csv) fmt::print("{}", to_text(load_facts(load)));
  }
  return code_of(load);
}

int measure(const ClientFlags& flags) {
  const ServedLoad load = run_client(flags);
  if (flags.output.json) {
    fmt::print("{}\n", load_json(load, false).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(load_table(load)) : to_text(load_facts(load)));
  }
  return code_of(load);
}

std::shared_ptr<ClientFlags> client_command(CLI::App& command) {
  auto flags = std::make_shared<ClientFlags>();
  command.add_option("--server", flags->server, "where it listens")->type_name("HOST:PORT");
  command.add_option("--model", flags->model, "the number of the network")->type_name("ID");
  command.add_option("--labels", flags->labels, "the true labels: NPY, IDX or bytes")
      ->type_name("FILE");
  command
      .add_option("--count", flags->count, "requests; inputs are used again where there are less")
      ->check(CLI::Range(1, 100'000'000))
      ->type_name("N");
  command.add_option("--window", flags->window, "requests that wait for an answer at once")
      ->check(CLI::Range(1, 100'000))
      ->type_name("N");
  command.add_option("--timeout", flags->timeout, "ms until a request is sent again")
      ->check(CLI::Range(1, 600'000))
      ->type_name("MS");
  command.add_option("--tries", flags->tries, "until a request is given up")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command.add_flag("--logits", flags->logits, "ask for all sums of the last layer");
  command
      .add_option("--network", flags->network, "the network's file: answers are checked against it")
      ->type_name("FILE");
  add_output_flags(command, flags->output);
  return flags;
}

}  // namespace

void add_photonic_client(CLI::App& group, int& code) {
  CLI::App& command =
      *group.add_subcommand("client", "send inputs to a server and show its answers");
  command.footer("Example:\n  lightloom photonic client --model 1 --inputs images.npy --csv");
  const auto flags = client_command(command);
  command.add_option("--inputs", flags->inputs, "NPY, IDX or bytes")->required()->type_name("FILE");
  command.callback([flags, &code] { code = client(*flags); });
}

void add_photonic_load(CLI::App& group, int& code) {
  CLI::App& command =
      *group.add_subcommand("load", "how fast a server answers, and how many at once");
  command.footer(
      "p50, p99 and longest are of answers that are ok. --csv gives a row for each request in "
      "their "
      "place.\n\n"
      "Example:\n  lightloom photonic load --model 1 --rate 5000 --count 50000 --window 256");
  const auto flags = client_command(command);
  command.add_option("--inputs", flags->inputs, "NPY, IDX or bytes; none: random ones")
      ->type_name("FILE");
  command
      .add_option("--rate", flags->rate, "requests a second; none: as fast as they are answered")
      ->check(CLI::Range(0.001, 1e9))
      ->type_name("R");
  add_seed_option(command, flags->seed, "of random inputs");
  command.callback([flags, &code] { code = measure(*flags); });
}

}  // namespace loom::cli
