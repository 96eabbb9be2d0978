// photonic serve: a UDP inference server that ends with a summary.
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
#include "loom/study/photonic_serving.h"

namespace loom::cli {
namespace {

struct ServeFlags {
  std::vector<std::string> networks;
  std::string listen = "127.0.0.1:4055";
  PhotonicNoise noise;
  bool json = false;
};

// SIGINT and SIGTERM as something to read. They stay so: the summary follows, and the end.
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

int serve_networks(const ServeFlags& flags) {
  photonic::InferenceServer server(read_served_networks(flags.networks, flags.noise));
  const Place place = place_of("--listen " + flags.listen);
  photonic::UdpSocket socket =
      photonic::UdpSocket::bound(photonic::parse_endpoint(flags.listen, place), place);
  const StopSignals stop;
  for (const photonic::ServedNetwork& it : server.networks()) {
    fmt::print(stderr, "{}: {}, {} bytes in, {} values out, {} cycles\n", it.id, it.name, it.inputs,
               it.outputs, it.cycles);
  }
  fmt::print(stderr, "serving on {} (UDP); Ctrl-C ends it\n", socket.local().text());
  const auto begun = std::chrono::steady_clock::now();
  photonic::serve(server, socket, stop.fd());
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - begun;
  fmt::print("{}", flags.json ? server_json(server, lasted.count()).dump(2) + "\n"
                              : to_text(server_facts(server, lasted.count())));
  return kOk;
}

}  // namespace

void add_photonic_serve(CLI::App& group, int& code) {
  CLI::App& command =
      *group.add_subcommand("serve", "answer inference requests over UDP until interrupted");
  command.footer(
      "Example:\n"
      "  lightloom photonic serve --network 1=digits.yaml --network 2=fc1.npy,fc2.npy,fc3.npy");
  auto flags = std::make_shared<ServeFlags>();
  command
      .add_option("--network", flags->networks,
                  "a network's YAML or ONNX, or files of its dense layers' weights")
      ->required()
      ->allow_extra_args(false)
      ->type_name("[ID=]FILE");
  command.add_option("--listen", flags->listen, "address and port; port 0: any that is free")
      ->type_name("HOST:PORT");
  command
      .add_option("--sample_sigma", flags->noise.sample_sigma,
                  "noise of each sample, of 255 (the prototype's: 1.657)")
      ->check(CLI::Range(0.0, 255.0))
      ->type_name("SIGMA");
  command.add_option("--output_sigma", flags->noise.output_sigma, "noise of each sum, of 255")
      ->check(CLI::Range(0.0, 255.0))
      ->type_name("SIGMA");
  add_seed_option(command, flags->noise.seed, "of the noise");
  command.add_flag("--json", flags->json, "the summary as JSON");
  command.callback([flags, &code] { code = serve_networks(*flags); });
}

}  // namespace loom::cli
