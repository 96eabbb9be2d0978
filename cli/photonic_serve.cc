// photonic serve: a UDP inference server that prints a summary when it ends.
#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"
#include "loom/lightning/photonic_serving.h"

namespace loom::cli {
namespace {

struct ServeOptions {
  std::vector<std::string> networks;
  std::string listen = "127.0.0.1:4055";
  photonic::PhotonicNoise noise;
  bool json = false;
};

// SIGINT and SIGTERM as a file descriptor. They stay blocked until the process ends.
class StopSignals {
 public:
  StopSignals() {
    sigset_t signals = {};
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    fd_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot wait for signals");
  }
  ~StopSignals() { ::close(fd_); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

int serve_networks(const ServeOptions& args) {
  photonic::InferenceServer server(lightning::read_served_networks(args.networks, args.noise));
  const SourceLocation location = location_of("--listen " + args.listen);
  photonic::UdpSocket socket =
      photonic::UdpSocket::bound(photonic::parse_endpoint(args.listen, location), location);
  const StopSignals stop;
  for (const photonic::ServedNetwork& it : server.networks()) {
    fmt::print(stderr, "{}: {}, {} bytes in, {} values out, {} cycles\n", it.id, it.name, it.inputs,
               it.outputs, it.cycles);
  }
  fmt::print(stderr, "serving on {} (UDP); Ctrl-C ends it\n", socket.local().text());
  const auto begun = std::chrono::steady_clock::now();
  photonic::serve(server, socket, stop.fd());
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - begun;
  fmt::print("{}", args.json ? lightning::server_json(server, lasted.count()).dump(2) + "\n"
                             : report::to_text(lightning::server_facts(server, lasted.count())));
  return kOk;
}

}  // namespace

void add_photonic_serve(Command group, int& code) {
  Command command =
      group.add_subcommand("serve", "UDP server that answers inference requests until interrupted");
  command.footer(
      "Example:\n"
      "  lightloom photonic serve --network 1=digits.yaml --network 2=fc1.npy,fc2.npy,fc3.npy");
  auto args = std::make_shared<ServeOptions>();
  command
      .add_option("--network", args->networks,
                  "network to serve: YAML or ONNX file, or weight files of its dense layers, "
                  "separated by commas; ID: its number in requests, its position from 1 by default")
      .required()
      .allow_extra_args(false)
      .type_name("[ID=]FILE");
  command.add_option("--listen", args->listen, "address and port; port 0 picks a free one")
      .type_name("HOST:PORT");
  command
      .add_option("--sample-sigma", args->noise.sample_sigma,
                  "standard deviation of the noise of each ADC sample, if the ADC's full scale is "
                  "255 (prototype: 1.657)")
      .range(0.0, 255.0)
      .type_name("SIGMA");
  command
      .add_option("--output-sigma", args->noise.output_sigma,
                  "standard deviation of the noise of each sum, if the layer's largest sum is 255")
      .range(0.0, 255.0)
      .type_name("SIGMA");
  add_seed_option(command, args->noise.seed, "seed of the noise");
  command.add_flag("--json", args->json, "JSON output of the summary");
  command.callback([args, &code] { code = serve_networks(*args); });
}

}  // namespace loom::cli
