// The list of provisioners. To add one, see provisioner.h.
#pragma once

#include "loom/base/names.h"
#include "loom/fabric/circuits/provision/max_min.h"
#include "loom/fabric/circuits/provision/max_weight.h"

namespace loom::fabric {

inline constexpr std::array kProvisioners = {&kMaxMin, &kMaxWeight};
inline constexpr auto kProvisionerNames = names_of(kProvisioners);

}  // namespace loom::fabric
