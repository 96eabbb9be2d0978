// Invalid mltcp command lines, rejected before the first system call to the kernel.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

Hostile mltcp(const std::string& name, std::vector<std::string> words, const std::string& message) {
  words.insert(words.begin(), "mltcp");
  return {name, {}, words, message};
}

const std::vector<Hostile> kMltcp = {
    mltcp("no_command", {}, "no command is given; 'lightloom mltcp --help' lists them"),
    mltcp("a_misspelled_command", {"lod"},
          "there is no command 'lod' (did you mean 'load'?); 'lightloom mltcp --help' lists them"),
    mltcp("a_misspelled_option", {"bench", "--quik"},
          "there is no option '--quik' (did you mean '--quick'?); 'lightloom mltcp bench --help' "
          "lists them"),
    mltcp("no_place", {"attach", "--base", "reno"},
          "command line: one of --cgroup FOLDER and --route PREFIX is needed"),
    mltcp("a_size_without_unit", {"bench", "--size", "5"},
          "--size is '5'; a size needs one of the units B, kB, MB, GB, TB, PB, KB, KiB, MiB, GiB, "
          "TiB"),
    mltcp("a_size_too_small", {"bench", "--size", "1KB"},
          "--size is 1 kB; a size from 100 KB to 10 GB is needed"),
    mltcp("too_little_computing", {"bench", "--compute", "1ms"},
          "--compute is 1 ms; a time from twice --idle (20 ms) to 60 s is needed"),
    mltcp("a_threshold_below_the_burst", {"bench", "--threshold", "1KB"},
          "--threshold is 1 kB; 0 B, or a size from 20 KB to --queue, is needed"),
    mltcp("no_algorithms", {"bench", "--algorithms", ","},
          "--algorithms is empty; a list such as reno,mltcp_reno is needed"),
    mltcp(
        "no_silence", {"load", "--idle", "0ms"},
        "--idle is 0 ps; a time from 1 ms to 60 s is needed, longer than a round trip and shorter "
        "than the computation of an iteration"),
    mltcp("too_little_silence_for_the_bench", {"bench", "--idle", "999us"},
          "--idle is 999 us; a time from 1 ms to 60 s is needed, longer than a round trip and "
          "shorter "
          "than the computation of an iteration"),
    mltcp("an_old_option", {"load", "--least", "1MB"}, "--least was renamed; write --min-bytes"),
    mltcp("an_option_that_was_a_time", {"bench", "--jitter", "5ms"},
          "--jitter was renamed; write --compute-jitter"),
    mltcp(
        "iterations_of_nothing", {"load", "--min-bytes", "0B"},
        "--min-bytes is 0 B; a size from 15 kB to 1 TB is needed, more than the packets of a first "
        "window"),
    mltcp("a_plot_in_no_folder", {"bench", "--plot", "nowhere/times.svg"},
          "cannot write 'nowhere/times.svg': No such file or directory"),
    mltcp("a_plot_that_is_a_folder", {"bench", "--plot", "/"}, "cannot write '/': Is a directory"),
    mltcp("watching_without_pause", {"stats", "--watch", "0"},
          "--watch: Value 0 not in range 0.100000 to 3600.000000; see 'lightloom mltcp stats "
          "--help'"),
};

INSTANTIATE_TEST_SUITE_P(Mltcp, Broken, ::testing::ValuesIn(kMltcp), name_of);

}  // namespace
}  // namespace loom::testing
