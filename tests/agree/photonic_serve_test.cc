// `lightloom photonic serve` as a process on the loopback interface: it answers as the library
// does, with any number of clients, and ends with a summary when it is told to stop.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "loom/base/random.h"
#include "tests/program.h"

namespace loom::testing {
namespace {

// A matrix of floats in NumPy's file format, version 1.0.
std::string npy(int rows, int columns, std::uint64_t seed) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  header.resize((10 + header.size()) / 64 * 64 + 64 - 11, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() % 256);
  file += static_cast<char>(header.size() / 256);
  file += header;
  Random random = random_stream(seed);
  for (int i = 0; i < rows * columns; ++i) {
    const float weight = static_cast<float>(static_cast<int>(random(2001)) - 1000) / 1000;
    file.append(reinterpret_cast<const char*>(&weight), sizeof weight);
  }
  return file;
}

// A running `lightloom photonic serve`.
class ServeProcess {
 public:
  ServeProcess(const Folder& folder, const std::vector<std::string>& networks)
      : out_(folder.path("out")), err_(folder.path("err")) {
    std::vector<std::string> words = {LOOM_BINARY, "photonic",    "serve",
                                      "--listen",  "127.0.0.1:0", "--json"};
    for (const std::string& it : networks) words.insert(words.end(), {"--network", it});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    const int flags = O_WRONLY | O_CREAT;
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_.c_str(), flags, 0600);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_.c_str(), flags, 0600);
    EXPECT_EQ(::posix_spawn(&child_, LOOM_BINARY, &actions, nullptr, arguments.data(), environ), 0);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  ~ServeProcess() { stop(SIGKILL); }
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;

  // The address it reports to listen on; "" if it never does.
  std::string address() const {
    for (int i = 0; i < 3000; ++i) {
      const std::string said = content_of(err_);
      const std::size_t at = said.find("serving on ");
      if (at != std::string::npos && said.find('\n', at) != std::string::npos) {
        return said.substr(at + 11, said.find(' ', at + 11) - at - 11);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return "";
  }

  // Its exit code.
  int stop(int signal) {
    if (child_ == 0) return -1;
    int status = 0;
    ::kill(child_, signal);
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  nlohmann::json summary() const { return nlohmann::json::parse(content_of(out_)); }

 private:
  std::string out_;
  std::string err_;
  pid_t child_ = 0;
};

TEST(PhotonicServe, TenThousandInputsAreAnsweredCorrectlyAndCountedInTheSummary) {
  const Folder folder;
  const std::string dense = folder.write("a.npy", npy(30, 100, 1));
  const std::string last = folder.write("b.npy", npy(10, 30, 2));
  const std::string other = folder.write("c.npy", npy(4, 50, 3));
  ServeProcess server(folder, {"1=" + dense + "," + last, "7=" + other});
  const std::string address = server.address();
  ASSERT_NE(address, "");
  const auto load = [&](const std::string& model, const std::string& network, int count) {
    const Ran ran =
        lightloom({"photonic", "load", "--server", address, "--model", model, "--network", network,
                   "--count", std::to_string(count), "--logits", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  };
  const auto first = load("1", dense + "," + last, 10'000);
  EXPECT_EQ(first["answered"], 10'000);
  EXPECT_EQ(first["wrong"], 0);
  EXPECT_EQ(first["lost"], 0);
  EXPECT_GT(first["p99"].get<double>(), 0);
  const auto second = load("7", other, 500);
  EXPECT_EQ(second["answered"], 500);
  EXPECT_EQ(second["wrong"], 0);
  EXPECT_EQ(lightloom({"photonic", "load", "--server", address, "--model", "3"}).err,
            "--server " + address +
                ": it serves no network 3; --model with the ID of a served network is needed\n");
  EXPECT_EQ(server.stop(SIGTERM), 0);
  const nlohmann::json summary = server.summary();
  EXPECT_GE(summary["answered"], 10'500);
  EXPECT_GE(summary["answered_by_7"], 500);
  EXPECT_EQ(summary["passed_through"], 0);
  EXPECT_GE(summary["refused_unknown_model"], 1);
}

TEST(PhotonicServe, AnInterruptAlsoEndsItCleanly) {
  const Folder folder;
  ServeProcess server(folder, {folder.write("a.npy", npy(3, 8, 4))});
  ASSERT_NE(server.address(), "");
  EXPECT_EQ(server.stop(SIGINT), 0);
  EXPECT_EQ(server.summary()["received"], 0);
}

}  // namespace
}  // namespace loom::testing
