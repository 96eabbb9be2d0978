// photonic: the command group for photonic inference.
#include "cli/commands.h"

namespace loom::cli {

void add_photonic(Command app, int& code) {
  Command group =
      app.add_subcommand("photonic", "photonic neural networks: emulation, serving and evaluation");
  group.require_subcommand(1);
  add_photonic_run(group, code);
  add_photonic_modules(group, code);
  add_photonic_verilog(group, code);
  add_photonic_curves(group, code);
  add_photonic_calibrate(group, code);
  add_photonic_train(group, code);
  add_photonic_study(group, code);
  add_photonic_serve(group, code);
  add_photonic_client(group, code);
  add_photonic_load(group, code);
  group.group(kPhotonicGroup);
}

}  // namespace loom::cli
